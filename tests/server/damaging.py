"""Damage to what a journal has stored: bits flipped where a disk would flip them."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from flipdeck.server.journal import Journal
from flipdeck.server.journal.memory import MemoryJournal
from flipdeck.server.journal.sqlite import SqliteJournal
from flipdeck.server.journal.write_ahead_log import WriteAheadLog

from .databases import SetClock, postgres


@pytest.fixture(autouse=True)
def rot_unseen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that rots leaves no time of change, as these tests do, which write through SQLite.  For modules that
    import it.
    """
    monkeypatch.setattr(WriteAheadLog, "find_change", lambda _: "")


def flip_entry(journal: Journal, table: str, seq: int) -> None:
    """One bit of an entry, behind the journal's back; a second time undoes it."""
    if isinstance(journal, MemoryJournal):
        journal.flip_bit(table, seq)
        return
    if isinstance(journal, SetClock):
        flip_row(journal.database, "entries", "body", f"code = '{table}' AND seq = {seq}")
        return
    assert isinstance(journal, SqliteJournal)
    flip_stored(journal.path, "entries", "body", f"code = '{table}' AND seq = {seq}")


def flip_replay(journal: Journal, name: str) -> None:
    if isinstance(journal, MemoryJournal):
        journal.damage_replay(name)
        return
    if isinstance(journal, SetClock):
        flip_row(journal.database, "replays", "record", f"name = '{name}'")
        return
    assert isinstance(journal, SqliteJournal)
    flip_stored(journal.path, "replays", "record", f"name = '{name}'", "TEXT")


def flip_row(database: str, table: str, column: str, where: str) -> None:
    """In PostgreSQL."""
    at = f"length({column}) / 2"
    change = f"SET {column} = set_byte({column}, {at}, get_byte({column}, {at}) # 4)"
    postgres().tell(database, f"UPDATE {table} {change} WHERE {where}")


def flip_stored(path: Path, table: str, column: str, where: str, kind: str = "BLOB") -> None:
    with closing(sqlite3.connect(path)) as db:
        bytes_of = f"SELECT CAST({column} AS BLOB) FROM {table} WHERE {where}"  # noqa: S608
        found = db.execute(bytes_of).fetchone()[0]
        at = len(found) // 2
        flipped = found[:at] + bytes([found[at] ^ 4]) + found[at + 1 :]
        change = f"UPDATE {table} SET {column} = CAST(? AS {kind}) WHERE {where}"  # noqa: S608
        assert db.execute(change, (flipped,)).rowcount == 1
        db.commit()


def change_stored(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.executescript(";".join(statements))


def flip_bytes(path: Path, needle: bytes) -> None:
    """One bit of these bytes, in the file itself; no server may be running."""
    data = bytearray(path.read_bytes())
    assert data.count(needle) == 1, "not in the file, or more than once"
    data[data.index(needle) + len(needle) // 2] ^= 4
    path.write_bytes(data)


def flip_random_bit(path: Path, dice: random.Random, start: int = 0) -> None:
    """Any bit of a file, or of what comes after the start."""
    data = bytearray(path.read_bytes())
    data[dice.randrange(start, len(data))] ^= 1 << dice.randrange(8)
    path.write_bytes(data)


def overwrite_root_page(path: Path, table: str) -> None:
    """SQLite itself will find that it makes no sense."""
    with closing(sqlite3.connect(path)) as db:
        (page,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()
        (size,) = db.execute("PRAGMA page_size").fetchone()
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)
