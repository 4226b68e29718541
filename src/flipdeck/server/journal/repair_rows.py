"""What an operator can do about damage in a SQLite file: find it, cut a table's journal before it, remove the table.

What is cut goes into a table of its own (``cut_entries``), and nothing deletes it from there.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from . import Damaged, StoredSnapshot
from .checksums import is_sound
from .replay_rows import find_replay
from .shortening import first_of

# Judges bodies that are as they were written: how many of them, from the first, make a table.
Judge = Callable[[Sequence[bytes]], int]

_CUT = """
CREATE TABLE IF NOT EXISTS cut_entries (code TEXT NOT NULL, seq INTEGER NOT NULL, body BLOB, sum INTEGER);
INSERT INTO cut_entries SELECT code, seq, body, sum FROM entries WHERE code = :code AND seq > :after;
DELETE FROM entries WHERE code = :code AND seq > :after;
DELETE FROM snapshots WHERE code = :code AND seq > :after;
DELETE FROM clocks WHERE code = :code AND seq > :after;
UPDATE tables SET newest = :after WHERE code = :code;
"""
_REMOVE = f"{_CUT} DELETE FROM compactions WHERE code = :code; DELETE FROM tables WHERE code = :code;"  # noqa: S608


class TableDamage(NamedTuple):
    code: str
    first: int  # the number of its first entry; 0 if nobody can tell
    good: int  # the last entry before the damage; less than the first if there is none
    newest: int  # the last entry that there was
    snapshots: Sequence[StoredSnapshot]  # those taken after the damage
    unreadable: bool = False  # pages of the file itself are damaged

    @property
    def lost(self) -> int:
        """Entries that would be cut."""
        return self.newest - self.good


def find_damaged_tables(db: sqlite3.Connection, judge: Judge) -> Iterator[TableDamage]:
    for code in sorted(_codes(db)):
        found = examine(db, code, judge)
        if found is not None:
            yield found


def _codes(db: sqlite3.Connection) -> set[str]:
    """Of all tables, those without entries or without a row of their own too."""
    codes = {code for (code,) in db.execute("SELECT code FROM tables").fetchall()}
    with suppress(sqlite3.DatabaseError):  # malformed; the tables there are will say so
        codes |= {code for (code,) in db.execute("SELECT DISTINCT code FROM entries").fetchall()}
    return codes


def examine(db: sqlite3.Connection, code: str, judge: Judge) -> TableDamage | None:
    """None if the table is sound, or there is none."""
    try:
        return _examine(db, code, judge)
    except sqlite3.DatabaseError:
        return TableDamage(code, 0, 0, 0, (), unreadable=True)


def _examine(db: sqlite3.Connection, code: str, judge: Judge) -> TableDamage | None:
    known = db.execute("SELECT newest FROM tables WHERE code = ?", (code,)).fetchone()
    stored = db.execute("SELECT max(seq) FROM entries WHERE code = ?", (code,)).fetchone()[0]
    newest = max(stored or 0, known[0] if known is not None else 0)
    try:
        first = first_of(db, code)
    except Damaged:
        return TableDamage(code, 0, 0, newest, ())
    good = first - 1 + judge(_sound_bodies(db, code, first))
    if good >= newest:
        return None
    later = "SELECT seq, coalesce(CAST(body AS BLOB), x'') FROM snapshots WHERE code = ? AND seq > ? ORDER BY seq DESC"
    snapshots = [StoredSnapshot(*row) for row in db.execute(later, (code, good)).fetchall()]
    return TableDamage(code, first, good, newest, snapshots)


def _sound_bodies(db: sqlite3.Connection, code: str, first: int) -> list[bytes]:
    """Those from the first on that are as they were written, up to the first that is not."""
    bodies: list[bytes] = []
    rows = "SELECT seq, CAST(body AS BLOB), sum FROM entries WHERE code = ? AND seq >= ? ORDER BY seq"
    for seq, body, total in db.execute(rows, (code, first)).fetchall():
        if seq != first + len(bodies) or not is_sound(total, code, seq, body):
            break
        bodies.append(body)
    return bodies


def find_damaged_replays(db: sqlite3.Connection) -> Iterator[str]:
    for (name,) in db.execute("SELECT name FROM replays ORDER BY name").fetchall():
        try:
            find_replay(db, name)
        except (Damaged, sqlite3.DatabaseError):
            yield name


def cut(db: sqlite3.Connection, code: str, after: int) -> None:
    """The table ends with this entry from now on."""
    _run(db, _CUT, {"code": code, "after": after})


def remove(db: sqlite3.Connection, code: str) -> None:
    """All of it; its replays stay."""
    _run(db, _REMOVE, {"code": code, "after": -1})


def _run(db: sqlite3.Connection, script: str, values: dict[str, object]) -> None:
    """All of it or nothing."""
    db.execute("BEGIN IMMEDIATE")
    try:
        for statement in filter(None, map(str.strip, script.split(";"))):
            db.execute(statement, values)
        db.execute("COMMIT")
    except BaseException:
        db.execute("ROLLBACK")
        raise
