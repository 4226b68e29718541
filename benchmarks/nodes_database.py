"""A real PostgreSQL for the benchmarks, from a package of PyPI, which waits for the disk before it acknowledges."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.server.databases import PostgresServer

_INSERT = "INSERT INTO raw VALUES (:client_id, repeat('x', 150));\n"


class DurableServer(PostgresServer):
    """The tests let it forget what a power failure would make it forget; here it may not."""

    def __init__(self) -> None:
        super().__init__()
        self.tell("postgres", "ALTER SYSTEM RESET fsync")
        self.restart()

    @property
    def version(self) -> str:
        return self.tell("postgres", "SHOW server_version").strip()

    def commits(self, database: str) -> int:
        """Transactions so far; each statement of a node is one."""
        asked = f"SELECT xact_commit FROM pg_stat_database WHERE datname = '{database}'"  # noqa: S608
        return int(self.tell("postgres", asked))

    def inserts_per_second(self, database: str, clients: int, seconds: int) -> float:
        """By pgbench: one row a transaction, so many clients at once."""
        self.tell(database, "CREATE TABLE IF NOT EXISTS raw (client integer, body text)")
        script = self._folder / "insert.sql"
        script.write_text(_INSERT, encoding="utf-8")
        command = [
            str(Path(self._server.bin_path) / "pgbench"),
            *("-n", "-M", "prepared", "-c", str(clients), "-j", "2", "-T", str(seconds), "-f", str(script)),
            *("-h", str(self._folder), "-U", "postgres", database),
        ]
        told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        line = next(line for line in told.splitlines() if line.startswith("tps = "))
        return float(line.split()[2])


@contextmanager
def durable_server() -> Iterator[DurableServer]:
    server = DurableServer()
    try:
        yield server
    finally:
        server.stop()


def syncs_per_second(folder: Path, seconds: float) -> float:
    """Of 8 KB written into a file that is there already, as a log is: what the disk gives."""
    count, end, size = 0, time.perf_counter() + seconds, 16 * 2**20
    with (folder / "synced").open("wb", buffering=0) as file:
        file.write(bytes(size))
        os.fsync(file.fileno())
        while time.perf_counter() < end:
            file.seek(count * 8192 % size)
            file.write(bytes(8192))
            os.fdatasync(file.fileno())
            count += 1
    return count / seconds
