"""What people feel when a node dies or is restarted, while all tables are played: two nodes on one database."""

from __future__ import annotations

import asyncio
import itertools
import random
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter

from .measuring import Effort, Row
from .nodes_database import DurableServer, durable_server
from .nodes_load import PACE_SECONDS, PlayedTable, until_all
from .server_process import BUILD, SEATS, OurServer, read_seats

TABLES = 100  # of each node
NODES = 2
DEATH_BAR, DEATH_MEDIAN_BAR = 10.0, 8.0
PAUSE_BAR = 3.0
TURN_SECONDS = 300
CHARGED_BAR = 0.05  # seconds: what a message takes to arrive


class TwoNodes:
    """Nodes, the tables that were made at each, and a proxy that knows which of them are up."""

    def __init__(self, database: DurableServer, folder: Path) -> None:
        self._url, self._folder = database.url(database.new()), folder
        self.nodes: list[OurServer | None] = [None] * NODES
        self.tables: list[PlayedTable] = []
        self._playing: list[asyncio.Task[None]] = []

    async def start(self, number: int) -> None:
        self.nodes[number] = await asyncio.to_thread(OurServer, self._folder / f"data-{number}", self._url)

    async def stop(self, number: int) -> None:
        node, self.nodes[number] = self.nodes[number], None
        if node is not None:
            await asyncio.to_thread(node.__exit__, None, None, None)

    def kill(self, number: int) -> None:
        node, self.nodes[number] = self.nodes[number], None
        if node is not None:
            node.kill()

    async def seat(self, tables: int) -> None:
        for number in range(NODES):
            node, file = self.nodes[number], self._folder / f"seats-{number}.json"
            if node is not None:
                await asyncio.to_thread(node.ask, "make", tables, 0, file, TURN_SECONDS)
            for seats in read_seats(file):
                dice = random.Random(seats.code)
                self.tables.append(PlayedTable(seats, partial(self._port, number), dice))
        self._playing = [asyncio.create_task(table.play()) for table in self.tables]
        await until_all(self.tables, perf_counter(), 2)

    def _port(self, number: int) -> int:
        """Of the node that a table belongs to, or of another while that one is down."""
        up = self.nodes[number] or next((node for node in self.nodes if node is not None), None)
        return 1 if up is None else up.port

    async def end(self) -> None:
        for task in self._playing:
            task.cancel()
        await asyncio.gather(*self._playing, return_exceptions=True)
        for number in range(NODES):
            self.kill(number)


@asynccontextmanager
async def two_nodes(tables: int) -> AsyncIterator[TwoNodes]:
    BUILD.mkdir(exist_ok=True)
    with durable_server() as database, tempfile.TemporaryDirectory(dir=BUILD, prefix="nodes-") as folder:
        both = TwoNodes(database, Path(folder))
        try:
            for number in range(NODES):
                await both.start(number)
            await both.seat(tables)
            yield both
        finally:
            await both.end()


# ---------------------------------------------------------------- a node dies
def death(effort: Effort) -> list[Row]:
    waits = asyncio.run(_kill_one(effort.size(TABLES), 1 if effort.quick else 3))
    note = (
        f"Two nodes with {effort.size(TABLES)} tables of {SEATS} each, a move at every table about every "
        f"{PACE_SECONDS:g} s. One node is killed (SIGKILL), its people come to the other; from the kill to the first "
        f"acknowledged move of each of its tables. {len(waits)} waits; half within {median(waits):.1f} s, the shortest "
        f"{waits[0]:.1f} s. A lease is 6 s long."
    )
    return [
        Row(
            "a node dies: until every table of it plays on",
            f"{waits[-1]:.1f} s",
            bar=f"≤ {DEATH_BAR:g} s",
            passed=waits[-1] <= DEATH_BAR,
            note=note,
        ),
        Row(
            "a node dies: until half of its tables play on",
            f"{median(waits):.1f} s",
            bar=f"≤ {DEATH_MEDIAN_BAR:g} s",
            passed=median(waits) <= DEATH_MEDIAN_BAR,
            note=note,
        ),
    ]


async def _kill_one(tables: int, times: int) -> list[float]:
    waits: list[float] = []
    async with two_nodes(tables) as both:
        for turn in range(times):
            number = turn % NODES
            node = both.nodes[number]
            theirs = [table for table in both.tables if node is not None and table.at == node.port]
            killed = perf_counter()
            both.kill(number)
            await until_all(theirs, killed)
            waits += [next(ack for ack in table.acks if ack > killed) - killed for table in theirs]
            await both.start(number)
            await asyncio.sleep(2.0)
    return sorted(waits)


# ---------------------------------------------------------------- all nodes are restarted
def rolling(effort: Effort) -> list[Row]:
    pauses, charged = asyncio.run(_restart_all(effort.size(TABLES), 1 if effort.quick else 2))
    note = (
        f"Two nodes with {effort.size(TABLES)} tables of {SEATS} each, a move at every table about every "
        f"{PACE_SECONDS:g} s. One after the other is asked to stop, and started again when it has. A pause is the time "
        f"between two acknowledged moves of a table, less {PACE_SECONDS:g} s; of the longest of each table, half are "
        f"within {median(pauses):.2f} s."
    )
    clocks = (
        f"What a clock had lost when the first of a table was welcomed at the other node, beyond the time until the "
        f"line broke; {len(charged)} clocks, the median {1000 * median(charged or [0.0]):.0f} ms. Messages take a "
        f"moment to arrive: up to {1000 * CHARGED_BAR:g} ms count as none."
    )
    worst = max(charged, default=0.0)
    return [
        Row(
            "rolling restart: longest pause of a table",
            f"{pauses[-1]:.2f} s",
            bar=f"≤ {PAUSE_BAR:g} s",
            passed=pauses[-1] <= PAUSE_BAR,
            note=note,
        ),
        Row(
            "rolling restart: clock charged at most",
            f"{max(0.0, 1000 * worst):.0f} ms",
            bar="0",
            passed=worst <= CHARGED_BAR,
            note=clocks,
        ),
    ]


async def _restart_all(tables: int, times: int) -> tuple[list[float], list[float]]:
    async with two_nodes(tables) as both:
        began = perf_counter()
        for _ in range(times):
            for number in range(NODES):
                await both.stop(number)
                await both.start(number)
                await until_all(both.tables, perf_counter(), 2)
        pauses = []
        for table in both.tables:
            acks = [ack for ack in table.acks if ack > began - 1]
            pauses.append(max(b - a for a, b in itertools.pairwise(acks)) - PACE_SECONDS)
        return sorted(pauses), [each for table in both.tables for each in table.charged]
