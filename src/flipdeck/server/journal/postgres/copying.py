"""A PostgreSQL database as one side of a copy."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from .. import JournalError, Unavailable
from ..copying import COLUMNS, ROWS_AT_ONCE, CopiedRow, CopySide
from .link import Database, connect, translated
from .schema import prepare

_UNTIL = "extract(epoch FROM until - journal_now())::double precision + journal_age()"  # as an age
_ADD_BAN = "INSERT INTO bans (key, until, why) SELECT $1, journal_now() + make_interval(secs => $2 - journal_age()), $3"
_IN_USE = "SELECT EXISTS (SELECT FROM nodes WHERE lease_until > journal_now())"


class PostgresSide:
    def __init__(self, db: Database, age: float) -> None:
        self._db = db
        self.age = age

    async def count(self, kind: str) -> int:
        return int(await self._db.fetchval(f"SELECT count(*) FROM {kind}"))  # noqa: S608

    async def rows(self, kind: str) -> AsyncIterator[list[CopiedRow]]:
        columns = ", ".join(_UNTIL if name == "until" else name for name in COLUMNS[kind])
        cursor = await self._db.cursor(f"SELECT {columns} FROM {kind} ORDER BY 1, 2")  # noqa: S608
        while some := await cursor.fetch(ROWS_AT_ONCE):
            yield [tuple(row) for row in some]

    async def add(self, kind: str, rows: Sequence[CopiedRow]) -> None:
        if kind == "bans":
            await self._db.executemany(_ADD_BAN, rows)
        else:
            await self._db.copy_records_to_table(kind, records=rows, columns=COLUMNS[kind])

    async def epoch(self) -> int:
        return int(await self._db.fetchval("SELECT last_value FROM epochs"))

    async def set_epoch(self, epoch: int) -> None:
        await self._db.execute("SELECT setval('epochs', greatest($1, (SELECT last_value FROM epochs)))", max(epoch, 1))


@asynccontextmanager
async def postgres_side(url: str) -> AsyncIterator[CopySide]:
    """All that is written is there after the block, or nothing."""
    db = await connect(url)
    try:
        await prepare(db)
        if await db.fetchval(_IN_USE):
            raise Unavailable("A Flipdeck server is using the database; stop it first.")
        await db.execute("SET idle_in_transaction_session_timeout = 0; SET statement_timeout = 0")
        async with db.transaction(isolation="repeatable_read"):
            yield PostgresSide(db, await db.fetchval("SELECT journal_age()"))
    except (JournalError, OSError):
        raise
    except Exception as error:
        raise translated(error) from error
    finally:
        await db.close()
