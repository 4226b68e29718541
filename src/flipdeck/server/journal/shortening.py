"""How the journals of a SQLite file stay short: snapshots, and entries compacted into one."""

from __future__ import annotations

import sqlite3

from . import Damaged, SequenceConflict, StoredSnapshot
from .checksums import checksum, compaction_checksum, is_sound

DELETED_AT_ONCE = 1000  # compacted entries in one transaction, some 3 ms; others may write in between

# entries that were compacted and are not deleted yet don't count
_FIRST = "coalesce((SELECT seq FROM compactions WHERE code = ?1), 0)"
# A damaged row may say that its body is a text, and one that can't be decoded.
_ENTRIES = (
    f"SELECT seq, CAST(body AS BLOB), sum FROM entries WHERE code = ?1 AND seq >= {_FIRST} AND seq > ?2 "  # noqa: S608
    "ORDER BY seq LIMIT ?3"
)
_NEEDED = (
    "SELECT max(seq) FROM snapshots WHERE code = ?1 AND seq <= (SELECT max(seq) FROM entries WHERE code = ?1) - ?2"
)


def entries_after(db: sqlite3.Connection, table: str, after: int, most: int = -1) -> list[bytes]:
    """The entries after a number in order, -1 is all of them; Damaged if one is not as it was written, or missing."""
    due = max(first_of(db, table), after + 1)
    bodies: list[bytes] = []
    for seq, body, total in db.execute(_ENTRIES, (table, after, most)).fetchall():
        if seq != due or not is_sound(total, table, seq, body):
            raise Damaged(table, due)
        bodies.append(body)
        due += 1
    newest = db.execute("SELECT newest FROM tables WHERE code = ?", (table,)).fetchone()
    if len(bodies) != most and newest is not None and newest[0] >= due:
        raise Damaged(table, due)
    return bodies


def first_of(db: sqlite3.Connection, table: str) -> int:
    """The number of the first entry that counts."""
    found = db.execute("SELECT seq, sum FROM compactions WHERE code = ?", (table,)).fetchone()
    if found is None:
        return 1
    seq, total = found
    if not isinstance(seq, int) or total != compaction_checksum(table, seq):
        raise Damaged(table)
    return seq


def snapshot_before(db: sqlite3.Connection, table: str, tail: int) -> StoredSnapshot | None:
    """The newest snapshot that has at least so many entries after it."""
    chosen = f"SELECT seq, coalesce(CAST(body AS BLOB), x'') FROM snapshots WHERE code = ?1 AND seq = ({_NEEDED})"  # noqa: S608
    found = db.execute(chosen, (table, tail)).fetchone()
    return None if found is None else StoredSnapshot(*found)


def keep_snapshot(db: sqlite3.Connection, table: str, snapshot: StoredSnapshot, tail: int) -> None:
    db.execute("INSERT OR REPLACE INTO snapshots (code, seq, body) VALUES (?, ?, ?)", (table, *snapshot))
    db.execute(f"DELETE FROM snapshots WHERE code = ?1 AND seq < ({_NEEDED})", (table, tail))  # noqa: S608


def compact(db: sqlite3.Connection, table: str, seq: int, body: bytes) -> None:
    """From here on the table begins with this entry; ``delete_compacted`` frees the space of those before it."""
    replaced = f"UPDATE entries SET body = ?3, sum = ?4 WHERE code = ?1 AND seq = ?2 AND seq >= {_FIRST}"  # noqa: S608
    if db.execute(replaced, (table, seq, body, checksum(table, seq, body))).rowcount != 1:
        raise SequenceConflict(f"Table {table} has no entry {seq}.")
    row = (table, seq, compaction_checksum(table, seq))
    db.execute("INSERT OR REPLACE INTO compactions (code, seq, sum) VALUES (?, ?, ?)", row)
    db.execute("DELETE FROM snapshots WHERE code = ? AND seq <= ?", (table, seq))


def delete_compacted(db: sqlite3.Connection, table: str) -> bool:
    """Delete some of the entries that were compacted; False when none is left."""
    old = f"SELECT seq FROM entries WHERE code = ?1 AND seq < {_FIRST} LIMIT {DELETED_AT_ONCE}"  # noqa: S608
    return db.execute(f"DELETE FROM entries WHERE code = ?1 AND seq IN ({old})", (table,)).rowcount > 0  # noqa: S608
