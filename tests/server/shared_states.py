"""What servers share in a real database, and two servers on one, in this process."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from flipdeck.server.journal.postgres import PostgresJournal
from flipdeck.server.shared.postgres import PostgresShared

from .databases import postgres
from .running import Running, running
from .steered import run

NOW = "CREATE OR REPLACE FUNCTION journal_now() RETURNS timestamptz LANGUAGE sql VOLATILE AS '%s'"


class SharedDatabase:
    """A database with its schema, whose clock goes on when it is told."""

    def __init__(self) -> None:
        self.name = postgres().new()
        self.url = postgres().url(self.name)
        self.journal = PostgresJournal(self.url)

    async def open(self) -> None:
        await self.journal.open()
        await self.tell("CREATE UNLOGGED TABLE test_clock AS SELECT 1000000.0::double precision AS time")
        await self.tell(NOW % "SELECT to_timestamp(time) FROM test_clock")

    async def tell(self, statement: str, *values: Any) -> Any:
        return await self.journal._fetch(statement, *values)

    async def pass_time(self, seconds: float) -> None:
        await self.tell("UPDATE test_clock SET time = time + $1", seconds)

    async def count(self, kind: str) -> int:
        return int((await self.tell(f"SELECT count(*) AS count FROM {kind}"))[0]["count"])  # noqa: S608


SharedStory = Callable[[SharedDatabase, PostgresShared, PostgresShared], Awaitable[None]]


def tell_both(story: SharedStory) -> None:
    """A story of what two servers share."""

    async def whole() -> None:
        database = SharedDatabase()
        await database.open()
        one, two = PostgresShared(database.url), PostgresShared(database.url)
        await one.open()
        await two.open()
        try:
            await story(database, one, two)
        finally:
            await one.close()
            await two.close()
            await database.journal.close()

    run(whole())


@asynccontextmanager
async def two_running(**settings: Any) -> AsyncIterator[tuple[Running, Running]]:
    """Two real servers on one database."""
    url = postgres().url(postgres().new())
    async with (
        running(PostgresJournal(url), shared=PostgresShared(url), **settings) as one,
        running(PostgresJournal(url), shared=PostgresShared(url), **settings) as two,
    ):
        yield one, two
