"""Journals of every kind, to be told the same stories.  A new backend is one more line in ``KINDS``."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import cast

import pytest

from flipdeck.server.journal import Journal, LeaseEnded, StoredReplay
from flipdeck.server.journal.memory import MemoryJournal
from flipdeck.server.journal.sqlite import SqliteJournal

from .databases import SetClock, postgres
from .steered import run

HOUR = 3600.0


class WallClock:
    """A wall clock that goes on when it is told."""

    def __init__(self) -> None:
        self.time = 1_000_000.0

    def __call__(self) -> float:
        return self.time


def in_memory(folder: Path, now: WallClock) -> Journal:
    del folder
    return MemoryJournal(now=now)


def slowly_in_memory(folder: Path, now: WallClock) -> Journal:
    del folder
    dice = random.Random(1)
    return MemoryJournal(now=now, delay=lambda: dice.random() / 1000)


def in_sqlite(folder: Path, now: WallClock) -> Journal:
    return SqliteJournal(folder / "tables.sqlite3", now=now, steady=now)


def in_postgres(folder: Path, now: WallClock) -> Journal:
    from flipdeck.server.journal.postgres import PostgresJournal

    del folder
    database = postgres().new()
    return cast(Journal, SetClock(PostgresJournal(postgres().url(database)), now, database))


KINDS = [in_memory, slowly_in_memory, in_sqlite, in_postgres]
JournalStory = Callable[[Journal, WallClock], Awaitable[None]]
Tell = Callable[[JournalStory], None]


@pytest.fixture(params=KINDS, ids=lambda kind: kind.__name__)
def tell(request: pytest.FixtureRequest, tmp_path: Path) -> Tell:
    """Runs a story with an open journal of each kind."""

    def one(story: JournalStory) -> None:
        async def whole() -> None:
            watch = WallClock()
            journal: Journal = request.param(tmp_path, watch)
            await journal.open()
            try:
                await story(journal, watch)
            finally:
                await journal.close()

        run(whole())

    return one


async def claim(journal: Journal, table: str, node: str = "one", seconds: float = HOUR) -> int:
    """A table claimed by a node that has a lease of so long from now on."""
    await lease(journal, node, seconds)
    return await journal.claim(table, node)


async def lease(journal: Journal, node: str = "one", seconds: float = HOUR) -> None:
    try:
        await journal.renew(node, seconds)
    except LeaseEnded:
        await journal.begin_lease(node, seconds)


async def write(journal: Journal, table: str, count: int, node: str = "one") -> int:
    """A table with so many entries, and its epoch."""
    epoch = await claim(journal, table, node)
    for seq in range(1, count + 1):
        await journal.append(table, epoch, seq, body(table, seq))
    return epoch


async def write_replay(journal: Journal, table: str, replay: StoredReplay) -> None:
    """A table whose only entry ends a match."""
    await journal.append(table, await claim(journal, table), 1, body(table, 1), replay)


def body(table: str, seq: int) -> bytes:
    return f"{table}:{seq}\0ä".encode()


def bodies(table: str, count: int) -> list[bytes]:
    return [body(table, seq) for seq in range(1, count + 1)]
