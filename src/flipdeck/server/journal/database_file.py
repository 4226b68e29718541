"""The SQLite file of a journal: created, locked for one process, opened so that commits reach the disk."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from . import Unavailable
from .schema import prepare

BUSY_MS = 5000  # how long another reader of the file, such as a backup, may block us


@contextmanager
def database(path: Path) -> Iterator[sqlite3.Connection]:
    """Open the file exclusively, create it if need be; closed with the block."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)  # the cards of every running match are in there
        for file in (path, _lock_file(path)):
            if not file.exists():  # a touch would look to a running server as if its file was overwritten
                file.touch(mode=0o600)  # the folder may be readable for others
        with closing(_lock(path)), closing(_connect(path)) as db:
            yield db
    except (OSError, sqlite3.Error) as error:
        raise Unavailable(f"The tables in {path} can't be opened: {error}.") from error


def _lock_file(path: Path) -> Path:
    return path.with_name(path.name + ".lock")


def _lock(path: Path) -> sqlite3.Connection:
    """Lock the folder with SQLite's own lock on an empty file: it ends with the process on any system, no child
    inherits it, and readers of the tables are not blocked.
    """
    lock = sqlite3.connect(_lock_file(path), timeout=0, isolation_level=None)
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        lock.close()
        if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
            raise
        raise Unavailable(f"A Flipdeck server is using the folder {path.parent} already.") from None
    return lock


def _connect(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, isolation_level=None)  # explicit transactions only
    try:
        db.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
        db.execute("PRAGMA auto_vacuum = FULL")  # deleted tables free disk space
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA fullfsync = ON")  # on macOS, nothing less reaches the disk
        prepare(db)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA foreign_keys = ON")
    except BaseException:
        db.close()
        raise
    return db
