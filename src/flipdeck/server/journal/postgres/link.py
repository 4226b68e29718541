"""Connections to PostgreSQL: opened on demand, opened again with backoff after they broke, never waited for long.

A statement whose answer does not come, or whose connection breaks, may have been carried out or not: that is
``Unavailable``, and whoever asked finds out by reading.  Nothing here repeats a statement.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeAlias

import asyncpg

from .. import JournalError, Unavailable

CONNECT_SECONDS = 5.0
STATEMENT_SECONDS = 5.0
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 2.0  # before a connection that could not be opened is tried again
SESSION = {
    "application_name": "flipdeck",
    "client_min_messages": "error",
    "idle_in_transaction_session_timeout": "5000",  # nothing here stays in a transaction, and nobody may wait for it
    "jit": "off",
    "lock_timeout": "2000",
    "statement_timeout": "10000",  # later than ours: a server that can't reach us ends it by itself
    "tcp_user_timeout": "5000",
}
# An operator may have asked for more than "on", such as for a standby that has to confirm.
_DURABLE = (
    "SELECT set_config('synchronous_commit', 'on', false) "
    "WHERE current_setting('synchronous_commit') IN ('off', 'local')"
)
# asyncpg has no types.
Database: TypeAlias = Any
Row: TypeAlias = Any
FAILURES = (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError, ValueError)


async def connect(url: str) -> Database:
    """Unavailable says in a sentence why that is not possible; it never has the URL, which may have a password."""
    db = None
    try:
        db = await asyncpg.connect(url, timeout=CONNECT_SECONDS, server_settings=SESSION)
        await db.execute(_DURABLE)
    except BaseException as error:  # of any kind: an address can be wrong in many ways
        if db is not None:
            db.terminate()
        if not isinstance(error, Exception):  # cancelled, by whoever can't wait
            raise
        raise Unavailable(f"The database can't be opened: {describe(error)}.") from error
    return db


class Link:
    """One connection, and one statement at a time on it."""

    def __init__(self, url: str, greet: Callable[[Database], Awaitable[None]] | None = None) -> None:
        """``greet`` is called with every new connection."""
        self._url = url
        self._greet = greet
        self._turn = asyncio.Lock()
        self._db: Database | None = None
        self._pause = FIRST_PAUSE
        self._not_before = 0.0
        self._closed = False

    @property
    def busy(self) -> bool:
        return self._turn.locked()

    async def fetch(self, statement: str, *values: Any, seconds: float = STATEMENT_SECONDS) -> Sequence[Row]:
        async with self._turn:
            db = await self._opened()
            try:
                rows: Sequence[Row] = await db.fetch(statement, *values, timeout=seconds)
                return rows
            except Exception as error:  # of any kind: asyncpg has one of its own for a connection that ends just now
                if not isinstance(error, asyncpg.PostgresError) or db.is_closed():
                    self._drop()
                raise translated(error) from error
            except BaseException:  # cancelled: what the server answers now belongs to nobody
                self._drop()
                raise

    async def close(self) -> None:
        self._closed = True
        async with self._turn:
            db, self._db = self._db, None
            if db is not None and not db.is_closed():
                try:
                    await db.close(timeout=1.0)
                except FAILURES:
                    db.terminate()

    async def _opened(self) -> Database:
        if self._closed:
            raise Unavailable("The journal is not open.")
        if self._db is not None and not self._db.is_closed():
            return self._db
        now = asyncio.get_running_loop().time()
        if now < self._not_before:
            raise Unavailable("The database could not be reached just now; the next try comes soon.")
        try:
            db = await connect(self._url)
            try:
                if self._greet is not None:
                    await self._greet(db)
            except BaseException:
                db.terminate()
                raise
        except (JournalError, *FAILURES) as error:
            self._not_before = asyncio.get_running_loop().time() + self._pause
            self._pause = min(2 * self._pause, LONGEST_PAUSE)
            raise translated(error) from error
        self._db, self._pause = db, FIRST_PAUSE
        return db

    def _drop(self) -> None:
        db, self._db = self._db, None
        if db is not None:
            db.terminate()


class Links:
    """Some connections, for whatever need not be in order."""

    def __init__(self, url: str, count: int) -> None:
        self._links = [Link(url) for _ in range(count)]
        self._next = 0

    async def fetch(self, statement: str, *values: Any) -> Sequence[Row]:
        free = next((link for link in self._links if not link.busy), None)
        if free is None:
            self._next = (self._next + 1) % len(self._links)
            free = self._links[self._next]
        return await free.fetch(statement, *values)

    async def close(self) -> None:
        for link in self._links:
            await link.close()


def translated(error: BaseException) -> JournalError:
    if isinstance(error, JournalError):
        return error
    return Unavailable(f"The journal can't write or read: {describe(error)}.")


def describe(error: BaseException) -> str:
    """Without what was written, and without the URL."""
    if isinstance(error, asyncpg.PostgresError):
        return str(getattr(error, "message", None) or type(error).__name__).split("\n")[0].rstrip(".")
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.split("\n")[0].rstrip(".")
    if isinstance(error, TimeoutError):
        return "it does not answer in time"
    if isinstance(error, OSError):
        return str(error).split("\n")[0].rstrip(".")[:200]
    return "the URL is not valid" if isinstance(error, ValueError | OverflowError) else "the connection was lost"
