"""Everything that a journal has, copied into an empty one of another backend, row by row with its checksums.

What is damaged stays damaged, and is found where it is.  Ages are kept: both sides have an age clock, and times are
moved by the difference.  No server may be using either side.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any, Protocol

from . import Unavailable
from .age_clock import AgeClock
from .database_file import database

ROWS_AT_ONCE = 500
COLUMNS: Mapping[str, Sequence[str]] = {
    "tables": ("code", "epoch", "touched", "newest"),
    "entries": ("code", "seq", "body", "sum"),
    "clocks": ("code", "seq", "left_ms", "sum"),
    "snapshots": ("code", "seq", "body"),
    "compactions": ("code", "seq", "sum"),
    "replays": ("name", "record", "names", "levels", "touched", "sum"),
    "bans": ("key", "until", "why"),
}
AGES = {"touched", "until"}
TEXTS = {"record", "names", "levels"}  # text in one backend, bytes in the other
CopiedRow = tuple[Any, ...]


class CopySide(Protocol):
    """One end of a copy; times are ages, texts are bytes."""

    age: float  # now

    async def count(self, kind: str) -> int: ...

    def rows(self, kind: str) -> AsyncIterator[list[CopiedRow]]: ...

    async def add(self, kind: str, rows: Sequence[CopiedRow]) -> None: ...

    async def epoch(self) -> int: ...

    async def set_epoch(self, epoch: int) -> None: ...


async def copy(source: CopySide, target: CopySide, tell: Callable[[str, int, int], None]) -> dict[str, int]:
    """How many rows of each kind; ``tell`` hears how far it is.  Unavailable if the target is not empty."""
    for kind in COLUMNS:
        if await target.count(kind):
            raise Unavailable("There are tables already where they are to be copied to; nothing was changed.")
    copied = {}
    for kind, columns in COLUMNS.items():
        done, whole = 0, await source.count(kind)
        async for rows in source.rows(kind):
            await target.add(kind, [_moved(row, columns, target.age - source.age) for row in rows])
            done += len(rows)
            tell(kind, done, whole)
        copied[kind] = done
    await target.set_epoch(await source.epoch())
    return copied


def _moved(row: CopiedRow, columns: Sequence[str], by: float) -> CopiedRow:
    return tuple(value + by if column in AGES else value for column, value in zip(columns, row, strict=True))


# ---------------------------------------------------------------- SQLite
class SqliteSide:
    def __init__(self, db: Any, age: float) -> None:
        self._db = db
        self.age = age

    async def count(self, kind: str) -> int:
        return int(self._db.execute(f"SELECT count(*) FROM {kind}").fetchone()[0])  # noqa: S608

    async def rows(self, kind: str) -> AsyncIterator[list[CopiedRow]]:
        columns = [f"CAST({name} AS BLOB)" if name in TEXTS else name for name in COLUMNS[kind]]
        cursor = self._db.execute(f"SELECT {', '.join(columns)} FROM {kind} ORDER BY 1, 2")  # noqa: S608
        while some := cursor.fetchmany(ROWS_AT_ONCE):
            yield some

    async def add(self, kind: str, rows: Sequence[CopiedRow]) -> None:
        names = COLUMNS[kind]
        values = ", ".join("CAST(? AS TEXT)" if name in TEXTS else "?" for name in names)
        self._db.executemany(f"INSERT INTO {kind} ({', '.join(names)}) VALUES ({values})", rows)  # noqa: S608

    async def epoch(self) -> int:
        return int(self._db.execute("SELECT value FROM counters WHERE name = 'epoch'").fetchone()[0])

    async def set_epoch(self, epoch: int) -> None:
        self._db.execute("UPDATE counters SET value = max(value, ?) WHERE name = 'epoch'", (epoch,))


@asynccontextmanager
async def sqlite_side(path: Path) -> AsyncIterator[CopySide]:
    """All that is written is there after the block, or nothing."""
    with database(path) as db:
        clock = AgeClock(time.time, time.monotonic, "shorten")
        clock.start(db)
        db.execute("BEGIN IMMEDIATE")
        try:
            yield SqliteSide(db, clock.now())
            db.execute("COMMIT")
        except BaseException:
            db.execute("ROLLBACK")
            raise


CopyEnd = AbstractAsyncContextManager[CopySide]
