"""Servers that shorten their journals all the time, so that a short test crosses snapshots, compactions and checkpoints
often.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

from flipdeck.server import registry, takeover
from flipdeck.server.journal import file_guard
from flipdeck.server.table import shortener

TAIL = 6  # entries after the snapshot that a table wakes from


@contextlib.contextmanager
def short_journals() -> Iterator[None]:
    with (
        patch.object(shortener, "MOST_ENTRIES", 9),
        patch.object(shortener, "FEWEST_ENTRIES", 2),
        patch.object(shortener, "BYTES_AN_ENTRY", 1_000_000),
        patch.object(shortener, "MOST_MISSED", TAIL),
        patch.object(registry, "MOST_MISSED", TAIL),
        patch.object(takeover, "MOST_MISSED", TAIL),
        patch.object(file_guard, "PAGES_IN_LOG", 40),
    ):
        yield


# In the file of a test nothing is lost by compacting: what is replaced or deleted is kept elsewhere, in the same
# transaction, so that a witness can be asked about all of it.
KEEPING = """
CREATE TABLE replaced (code TEXT, seq INTEGER, body BLOB, PRIMARY KEY (code, seq));
CREATE TRIGGER keep_replaced BEFORE UPDATE ON entries BEGIN
    INSERT OR IGNORE INTO replaced VALUES (old.code, old.seq, old.body);
END;
CREATE TRIGGER keep_deleted BEFORE DELETE ON entries BEGIN
    INSERT OR IGNORE INTO replaced VALUES (old.code, old.seq, old.body);
END;
"""


def keep_replaced(path: Path) -> None:
    """From now on; no server may be running."""
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.executescript(KEEPING)


def all_entries(path: Path, code: str) -> list[bytes]:
    """As they were written, compacted or not."""
    both = (
        "SELECT seq, body FROM replaced WHERE code = ?1 UNION ALL SELECT seq, body FROM entries WHERE code = ?1 "
        "AND seq NOT IN (SELECT seq FROM replaced WHERE code = ?1) ORDER BY seq"
    )
    with contextlib.closing(sqlite3.connect(path)) as db:
        found = db.execute(both, (code,)).fetchall()
    assert [seq for seq, _ in found] == list(range(1, len(found) + 1)), "a gap"
    return [body for _, body in found]
