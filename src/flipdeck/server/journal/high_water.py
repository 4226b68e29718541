"""The high-water mark: the last entry that was acknowledged, in a small file beside the database.

SQLite ends its write-ahead log at the first frame that is damaged, and drops what follows without a word.  The mark is
written after each commit and before anybody hears of it, so a database that lacks its entry has lost what was
acknowledged: a torn log, one that was deleted, an older copy.  A server then refuses to start, and an operator says
how to go on (``flipdeck repair``).

The mark is not synced to the disk: after a power loss it may be an older one, and then finds less.  One that can't be
read finds nothing.
"""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

SIZE = 512  # bytes, a sector: longer than any mark


class Mark(NamedTuple):
    table: str = ""  # and the number of its entry; none if nothing was acknowledged, or it may have been pruned
    seq: int = 0
    problem: str = ""  # the files were found to be others, and what is there may be mixed up


class HighWaterFile:
    """Open as long as the database is."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(mark_file(path), os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600)
        self.mark = self._read()

    def close(self) -> None:
        os.close(self._file)

    def write(self, mark: Mark) -> None:
        self.mark = mark
        text = f"{mark.seq} {mark.problem} {mark.table}".encode()
        os.lseek(self._file, 0, os.SEEK_SET)
        os.write(self._file, b"%08x %b\n" % (crc32(text), text))

    def _read(self) -> Mark:
        total, _, text = os.read(self._file, SIZE).partition(b"\n")[0].partition(b" ")
        if total != b"%08x" % crc32(text):
            return Mark()
        seq, problem, table = text.decode().split(" ", 2)
        return Mark(table, int(seq), problem)


def mark_file(path: Path) -> Path:
    return path.with_name(path.name + ".mark")


def missing_since(db: sqlite3.Connection, mark: Mark) -> int | None:
    """The number of the last entry that is there of the marked table, if it should have more; None if all is well."""
    if not mark.table:
        return None
    try:
        newest = db.execute("SELECT coalesce(max(seq), 0) FROM entries WHERE code = ?", (mark.table,)).fetchone()[0]
    except sqlite3.DatabaseError:  # the pages are damaged: whoever loads the table will hear of it
        return None
    return int(newest) if newest < mark.seq else None
