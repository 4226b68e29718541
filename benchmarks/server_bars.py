"""What the server is held to, one function a group of rows.  Servers and load are processes of their own."""

from __future__ import annotations

import sys
from functools import partial
from statistics import median
from time import perf_counter, sleep

from .bounded_work import bounded
from .measuring import Effort, Row, in_turns, ratio_of
from .server_cost import RATE, TABLES, cost
from .server_process import SEATS, Commanded, OurServer, ours, progress

ANSWER_BAR = 0.050  # seconds
CROWDED_TABLES, CROWDED_RATE, CROWDED_BAR = 25, 50, 3.0
CROWDS = {
    "flood": "a flood of messages",
    "nonsense": "a flood of nonsense",
    "unread": "20 who look on and never read",
    "silent": "200 silent lines",
}
FLOODS = {
    "http": "requests for the list of tables",
    "origin": "handshakes of a foreign page",
    "ws": "websockets that guess a table and talk on",
    "slowloris": "1,000 requests that never end",
    "make": "requests for new tables",
    "guess": "guessed codes",
}
FLOOD_BAR = 3.0
CONNECTION_BAR = 40_000  # bytes
IDLE_TABLES, IDLE_BAR = 10_000, 500e6
WOKEN_TABLES, WOKEN_MOVES, WOKEN_BAR = 1000, 60, 3.0


# ---------------------------------------------------------------- how long an answer takes
def answers(effort: Effort) -> list[Row]:
    seconds = 5 if effort.quick else 30
    with ours(TABLES) as us:
        us.load.ask("seat", us.server.port, TABLES)
        us.load.ask("play", RATE, RATE)  # warm
        before, load_before, began = us.server.cpu(), us.load.cpu(), perf_counter()
        told = us.load.ask("play", RATE * seconds, RATE)
        wall = perf_counter() - began
        busy, load_busy = (us.server.cpu() - before) / wall, (us.load.cpu() - load_before) / wall
        before = us.server.cpu()
        most = us.load.ask("play", RATE * seconds, 0)
        most_cpu = (us.server.cpu() - before) / most["moves"]
    ms = {name: f"{1000 * told[name]:.1f} ms" for name in ("p50", "p99", "most")}
    return [
        Row(
            "acknowledgement, 99 of 100 moves",
            ms["p99"],
            bar=f"≤ {1000 * ANSWER_BAR:g} ms",
            passed=told["p99"] <= ANSWER_BAR,
            note=f"{RATE} moves a second at {TABLES} tables over {TABLES * SEATS} sockets for {seconds} s, from when "
            f"the move was due to when its durable acknowledgement was read: half within {ms['p50']}, the slowest "
            f"{ms['most']}. The server was busy for {busy:.0%} of the time, the load for {load_busy:.0%}, and "
            f"{told['bytes'] / told['moves']:,.0f} bytes were read for a move.",
        ),
        Row(
            "moves a second, seen at most",
            f"{most['moves'] / most['seconds']:,.0f}",
            note="The same tables, each with its next move as soon as it can be said; one process serves, and the load "
            "takes its share of the machine.",
        ),
        Row(
            "moves a second that one core could serve",
            f"{1 / most_cpu:,.0f}",
            note=f"One second by the time that the server computes for a move meanwhile, {1e6 * most_cpu:.0f} µs.",
        ),
    ]


def crowd(effort: Effort) -> list[Row]:
    """The same moves alone and beside clients that take more than their share, in turns."""
    seconds = 2 if effort.quick else 5
    rows = []
    with ours(CROWDED_TABLES) as us:
        attack = Commanded(sys.executable, "-m", "benchmarks.server_crowd", str(us.folder / "seats.json"))
        us.load.ask("seat", us.server.port, CROWDED_TABLES)
        with attack:
            for kind, what in CROWDS.items():
                progress(f"with and without {what}")
                sent: list[float] = []

                def worst(kind: str | None, sent: list[float] = sent) -> float:
                    if kind is not None:
                        attack.ask("begin", kind, us.server.port)
                    told = us.load.ask("play", CROWDED_RATE * seconds, CROWDED_RATE)
                    if kind is not None:
                        over = attack.ask("end")
                        sent.append(over["sent"] / over["seconds"])
                    return float(told["p99"])

                figures = in_turns({"beside": partial(worst, kind), "alone": partial(worst, None)}, effort.turns)
                rows.append(_slower(what, figures, median(sent), seconds))
    return rows


def _slower(what: str, figures: dict[str, list[float]], sent: float, seconds: int) -> Row:
    times = ratio_of(figures["beside"], figures["alone"])
    beside, alone = (f"{1000 * median(figures[side]):.1f} ms" for side in ("beside", "alone"))
    return Row(
        f"acknowledgement beside {what}, 99 of 100 moves",
        beside,
        ratio=f"{times:.1f} × alone",
        bar=f"≤ {CROWDED_BAR:g} ×",
        passed=times <= CROWDED_BAR,
        note=f"{CROWDED_RATE} moves a second at {CROWDED_TABLES} tables for {seconds} s, in turns with and without: "
        f"{alone} alone." + (f" {sent:,.0f} messages a second are sent beside them." if sent else ""),
    )


def floods(effort: Effort) -> list[Row]:
    """The same moves quiet and beside each flood, in turns; the limits are the usual ones."""
    seconds = 2 if effort.quick else 6
    rows = []
    with ours(TABLES, 0, "usual") as us, Commanded(sys.executable, "-m", "benchmarks.server_floods") as attack:
        us.load.ask("seat", us.server.port, TABLES)
        us.load.ask("play", RATE, RATE)  # warm
        for kind, what in FLOODS.items():
            progress(f"with and without a flood of {what}")
            rates: list[float] = []
            shares: list[float] = []

            def worst(kind: str | None, rates: list[float] = rates, shares: list[float] = shares) -> float:
                if kind is None:
                    return float(us.load.ask("play", RATE * seconds, RATE)["p99"])
                before = attack.cpu()
                attack.ask("begin", kind, us.server.port)
                told = us.load.ask("play", RATE * seconds, RATE)
                over = attack.ask("end")
                rates.append(over["sent"] / over["seconds"])
                shares.append((attack.cpu() - before) / over["seconds"])
                return float(told["p99"])

            figures = in_turns({"beside": partial(worst, kind), "alone": partial(worst, None)}, effort.turns)
            about = (
                f"{median(rates):,.0f} a second from one address, by a niced process: {median(shares):.0%} of a core."
            )
            rows.append(_flooded(what, figures, about, seconds))
    return rows


def _flooded(what: str, figures: dict[str, list[float]], about: str, seconds: int) -> Row:
    times = ratio_of(figures["beside"], figures["alone"])
    beside, alone = (f"{1000 * median(figures[side]):.1f} ms" for side in ("beside", "alone"))
    return Row(
        f"acknowledgement in a flood of {what}, 99 of 100 moves",
        beside,
        ratio=f"{times:.1f} × quiet",
        bar=f"≤ {FLOOD_BAR:g} ×",
        passed=times <= FLOOD_BAR,
        note=f"{RATE} moves a second at {TABLES} tables over {TABLES * SEATS} sockets for {seconds} s, in turns with "
        f"and without: {alone} quiet. {about}",
    )


# ---------------------------------------------------------------- what is held in memory
def connections(effort: Effort) -> list[Row]:
    tables = effort.size(1250)
    with ours(tables) as us:
        before = us.server.memory()
        us.load.ask("seat", us.server.port, tables)
        sleep(3)  # each is asked for its lag a second after it came
        each = (us.server.memory() - before) / (tables * SEATS)
    return [
        Row(
            "memory of a connection",
            f"{each / 1000:.1f} KB",
            bar=f"≤ {CONNECTION_BAR / 1000:g} KB",
            passed=each <= CONNECTION_BAR,
            note=f"Resident memory with {tables * SEATS:,} people connected, {SEATS} at a table, less that with the "
            "same tables and nobody there.",
        )
    ]


def tables(effort: Effort) -> list[Row]:
    count = effort.size(IDLE_TABLES)
    with ours(count) as us:
        awake = us.server.memory()
        us.server.kill()
        kept = sum(file.stat().st_size for file in (us.folder / "data").iterdir())
        with OurServer(us.folder / "data") as again:
            asleep = again.memory()
    return [
        Row(
            f"{count:,} idle tables",
            f"{awake / 1e6:.0f} MB",
            bar=f"≤ {IDLE_BAR / 1e6:g} MB",
            passed=awake <= IDLE_BAR,
            note=f"Resident memory of the server with so many tables awake, {SEATS} people seated at each, the match "
            f"begun, nobody connected; {us.empty / 1e6:.0f} MB before they were made. Asleep, as they are after a "
            f"minute, they take none: {asleep / 1e6:.0f} MB when a server starts with all of them, and "
            f"{kept / count / 1000:.1f} KB each on disk. Processes that think for bots are not counted.",
        )
    ]


# ---------------------------------------------------------------- after a crash
def recovery(effort: Effort) -> list[Row]:
    count = effort.size(WOKEN_TABLES)
    whole: list[float] = []
    listening: list[float] = []
    with ours(count, WOKEN_MOVES) as us:
        server: OurServer = us.server
        for _ in range(3):
            server.kill()
            began = perf_counter()
            with OurServer(us.folder / "data") as server:
                started = perf_counter()
                us.load.ask("return", server.port)
                whole.append(perf_counter() - began)
                listening.append(perf_counter() - started)
                us.load.ask("leave")
                server.kill()
    note = (
        f"The server is killed with {count:,} tables in play, {WOKEN_MOVES} moves into their matches, and started "
        "again; one person of each table connects, all at once, and the clock stops when the last has been welcomed "
        "with the view. Median of 3."
    )
    return [
        Row(
            f"{count:,} tables after a crash, from when it listens",
            f"{median(listening):.2f} s",
            bar=f"≤ {WOKEN_BAR:g} s",
            passed=median(listening) <= WOKEN_BAR,
            note=note,
        ),
        Row(f"{count:,} tables after a crash, from the start of the process", f"{median(whole):.2f} s", note=note),
    ]


GROUPS = {
    "cost": cost,
    "answers": answers,
    "crowd": crowd,
    "floods": floods,
    "connections": connections,
    "tables": tables,
    "recovery": recovery,
    "bounded": bounded,
}
