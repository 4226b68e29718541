"""A SQLite journal on a disk, and what tests do with it."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from pathlib import Path

import pytest

from flipdeck.server.journal.sqlite import SqliteJournal
from flipdeck.server.journal.writer import BEFORE_COMMIT
from tests.patience import HANG
from tests.server import dying

from .steered import run

__all__ = ["Gate", "kept", "path", "run"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "tables.sqlite3"


class Gate:
    """Holds the writer just before a commit for as long as it is shut, and counts what was committed."""

    def __init__(self) -> None:
        self.reached, self.open = threading.Event(), threading.Event()
        self.open.set()
        self.steps = Counter[str]()

    def __call__(self, step: str) -> None:
        self.steps[step] += 1
        if step == BEFORE_COMMIT:
            self.reached.set()
            assert self.open.wait(HANG)

    async def shut_at(self, journal: SqliteJournal, table: str, epoch: int) -> asyncio.Future[None]:
        """The writer is on its way to commit this table's first entry, and comes no farther."""
        self.open.clear()
        self.reached.clear()
        first = asyncio.ensure_future(journal.append(table, epoch, 1, b"first"))
        assert await asyncio.to_thread(self.reached.wait, HANG)
        self.steps.clear()
        return first


def kept(path: Path) -> dict[str, list[bytes]]:
    async def load() -> dict[str, list[bytes]]:
        journal = SqliteJournal(path)
        await journal.open()
        entries = {table: await journal.load(table) for table in dying.TABLES}
        await journal.close()
        return entries

    return run(load())
