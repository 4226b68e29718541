"""How a table of a SQLite file is loaded and claimed: each page is a job of its own, the last one claims."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

from . import Clock, Damaged, StoredSnapshot, StoredTable, paging
from .checksums import clock_checksum
from .lease_rows import check_free, claim
from .paging import EntryPage, TableMark
from .shortening import entries_after, first_of, snapshot_before


class PartTaken(NamedTuple):
    """What was read so far of a table that is being taken up."""

    mark: TableMark | None
    snapshot: StoredSnapshot | None
    last: int
    entries: list[bytes]


def read_page(db: sqlite3.Connection, table: str, after: int) -> EntryPage:
    bodies = entries_after(db, table, after, paging.MOST_ROWS)
    mark = _mark_of(db, table)
    return EntryPage(mark, max(after, mark[1] - 1 if mark else 0) + len(bodies), bodies)


def take_up(
    db: sqlite3.Connection, table: str, node: str, now: float, tail: int, part: PartTaken | None
) -> StoredTable | PartTaken | None:
    """Read on; a PartTaken if there is more.  First what can fail on its own, then what changes something."""
    check_free(db, table, node, now)
    read, more = _read_on(db, table, tail, part)
    if more:
        return read
    clock = find_clock(db, table)
    if not read.entries and read.snapshot is None:
        return None
    epoch = claim(db, table, node, now)
    return StoredTable(epoch, read.entries, clock, read.snapshot)


def _read_on(db: sqlite3.Connection, table: str, tail: int, part: PartTaken | None) -> tuple[PartTaken, bool]:
    """From where it was; from the beginning if the table is another one since.  Whether there is more."""
    if part is None or part.mark != _mark_of(db, table):
        part = _begin(snapshot_before(db, table, tail))
    try:
        page = read_page(db, table, part.last)
    except Damaged as damaged:
        newest = snapshot_before(db, table, 0)
        if newest is None or newest.seq < max(damaged.seq, 1):
            raise
        part = _begin(newest)
        page = read_page(db, table, part.last)
    part.entries.extend(page.bodies)
    return PartTaken(page.mark, part.snapshot, page.last, part.entries), page.is_full


def _begin(snapshot: StoredSnapshot | None) -> PartTaken:
    return PartTaken(None, snapshot, 0 if snapshot is None else snapshot.seq, [])


def _mark_of(db: sqlite3.Connection, table: str) -> TableMark | None:
    found = db.execute("SELECT epoch FROM tables WHERE code = ?", (table,)).fetchone()
    return None if found is None else (found[0], first_of(db, table))


def find_clock(db: sqlite3.Connection, table: str) -> Clock | None:
    found = db.execute("SELECT seq, left_ms, sum FROM clocks WHERE code = ?", (table,)).fetchone()
    if found is None or not all(isinstance(value, int) for value in found):
        return None
    seq, left_ms, total = found
    return Clock(seq, left_ms) if total == clock_checksum(table, seq, left_ms) else None
