"""What a journal in PostgreSQL costs a node: the processor for a move, entries a second, statements for leases."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from time import perf_counter, sleep

from .measuring import Effort, Row, ratio_of, run_python
from .nodes_database import durable_server, syncs_per_second
from .server_cost import PACES, TABLES, Contest, Figures, Side
from .server_process import BUILD, SEATS, ours

COST_BAR = 1.15
APPEND_BAR = 10_000
APPENDING_TABLES, ENTRY_BYTES = 2_000, 150
IDLE_TABLES, IDLE_BAR = 5_000, 2.0


def cost(effort: Effort) -> list[Row]:
    tables = effort.size(TABLES)
    with ExitStack() as running:
        database = running.enter_context(durable_server())
        sides: dict[str, Side] = {}
        for name, limits in (("postgres", (database.url(database.new()),)), ("sqlite", ())):
            us = running.enter_context(ours(tables, 0, *limits))
            us.load.ask("seat", us.server.port, tables)
            sides[name] = (us.server, us.load)
        contest = Contest(effort, sides)
        contest.warm(0)
        figures = {pace: contest.at(pace * tables // TABLES) for pace in PACES}
    return [_cost_row(figures[pace], pace, tables) for pace in PACES]


def _cost_row(figures: Figures, pace: int, tables: int) -> Row:
    times = ratio_of(figures["postgres"], figures["sqlite"])
    ours_, theirs = (f"{1e6 * median(figures[side]):.0f} µs" for side in ("postgres", "sqlite"))
    each = ", ".join(f"{a / b:.2f}" for a, b in zip(figures["postgres"], figures["sqlite"], strict=True))
    how = f"{pace * tables // TABLES} moves a second in all" if pace else "each table's next move as soon as possible"
    return Row(
        f"CPU of a node for a move, beside SQLite{PACES[pace]}",
        ours_,
        theirs,
        f"{times:.2f} ×",
        f"≤ {COST_BAR:g} ×",
        times <= COST_BAR,
        f"{tables} tables of {SEATS}, every seat a websocket, {how}. User and system time of the server's process with "
        f"its threads; PostgreSQL's own is not counted. In turns; the ratios of neighbors: {each}.",
    )


# ---------------------------------------------------------------- entries a second
def appends(effort: Effort) -> list[Row]:
    seconds = 3 if effort.quick else 10
    BUILD.mkdir(exist_ok=True)
    rates: dict[str, list[float]] = {"ours": [], "pgbench": [], "disk": []}
    with durable_server() as database, tempfile.TemporaryDirectory(dir=BUILD) as folder:
        name = database.new()
        for _ in range(effort.turns):
            told = run_python("-m", "benchmarks.nodes_cost", database.url(name), str(seconds))
            rates["ours"].append(float(told))
            rates["pgbench"].append(database.inserts_per_second(name, 16, seconds))
            rates["disk"].append(syncs_per_second(Path(folder), seconds / 3))
    rate, bench, disk = (median(rates[side]) for side in ("ours", "pgbench", "disk"))
    return [
        Row(
            "durable appends a second, one node",
            f"{rate:,.0f}",
            f"{bench:,.0f}",
            f"{rate / bench:.1f} ×",
            f"≥ {APPEND_BAR:,}",
            rate >= APPEND_BAR,
            f"{APPENDING_TABLES:,} tables, each with its next entry of {ENTRY_BYTES} bytes as soon as the one before "
            "is acknowledged, by one connection, in a process of its own. Beside it pgbench: 16 clients that insert a "
            f"row of as many bytes a transaction. The disk took {disk:,.0f} writes of 8 KB a second, each waited for. "
            f"Median of {effort.turns}; ours were " + ", ".join(f"{each:,.0f}" for each in rates["ours"]) + ".",
        )
    ]


async def append_all(url: str, seconds: float) -> float:
    """Entries a second."""
    from flipdeck.server.journal.postgres import PostgresJournal

    journal = PostgresJournal(url)
    await journal.open()
    await journal.begin_lease("bench", 3600.0)
    tables = [f"{os.getpid()}-{number}" for number in range(APPENDING_TABLES)]
    epochs = [await journal.claim(table, "bench") for table in tables]
    count, end, body = 0, perf_counter() + seconds, bytes(ENTRY_BYTES)

    async def play(table: str, epoch: int) -> None:
        nonlocal count
        seq = 0
        while perf_counter() < end:
            seq += 1
            await journal.append(table, epoch, seq, body)
            count += 1

    began = perf_counter()
    await asyncio.gather(*map(play, tables, epochs))
    took = perf_counter() - began
    await journal.close()
    return count / took


# ---------------------------------------------------------------- statements for leases
def idle(effort: Effort) -> list[Row]:
    tables, seconds = effort.size(IDLE_TABLES), 10 if effort.quick else 40
    with durable_server() as database:
        name = database.new()
        with ours(tables, 0, database.url(name)):
            sleep(15)  # until what was begun is done, and counted
            before, began = database.commits(name), perf_counter()
            sleep(seconds)
            rate = (database.commits(name) - before) / (perf_counter() - began)
    return [
        Row(
            f"{tables:,} idle tables: statements a second",
            f"{rate:.2f}",
            bar=f"≤ {IDLE_BAR:g}",
            passed=rate <= IDLE_BAR,
            note=f"All statements of one node that has so many tables in memory and nobody at them, for {seconds} s: "
            "renewals, and whatever else it asks. Counted by PostgreSQL (xact_commit): each is a transaction.",
        )
    ]


if __name__ == "__main__":
    import uvloop

    print(uvloop.run(append_all(sys.argv[1], float(sys.argv[2]))))
