"""How tables lie in SQLite.  A change is one more script at the end of ``MIGRATIONS``; those before it never change."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from . import Unavailable

FIRST = """
CREATE TABLE tables (
    code TEXT PRIMARY KEY,
    epoch INTEGER NOT NULL,
    owner TEXT,                 -- nobody's after its release
    lease_until REAL NOT NULL,  -- wall clock seconds, and so is touched
    touched REAL NOT NULL       -- by its owner: when claimed, prolonged, released
) WITHOUT ROWID;

CREATE TABLE entries (
    code TEXT NOT NULL REFERENCES tables (code) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (code, seq)
) WITHOUT ROWID;

CREATE TABLE clocks (
    code TEXT PRIMARY KEY REFERENCES tables (code) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    left_ms INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE replays (
    name TEXT PRIMARY KEY,
    record TEXT NOT NULL,
    touched REAL NOT NULL
);

-- one counter of epochs for all tables: a table that was forgotten and made anew never sees an old epoch again
CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO counters VALUES ('epoch', 0), ('check', 0);
"""

NAMES_OF_REPLAYS = """
ALTER TABLE replays ADD COLUMN names TEXT NOT NULL DEFAULT '[]';  -- by seat, as JSON
"""

LEVELS_OF_REPLAYS = """
ALTER TABLE replays ADD COLUMN levels TEXT NOT NULL DEFAULT '[]';  -- of bots, by seat, as JSON
"""

MIGRATIONS: Sequence[str] = (FIRST, NAMES_OF_REPLAYS, LEVELS_OF_REPLAYS)


def migrate(db: sqlite3.Connection, scripts: Sequence[str] = MIGRATIONS) -> None:
    """Bring a database, new or old, to the last version: all the way, or not at all."""
    version = version_of(db)
    if version > len(scripts):
        raise Unavailable(
            f"The tables were written by a newer Flipdeck (schema {version}, this one knows {len(scripts)}): update it."
        )
    if version == len(scripts):
        return
    steps = "\n".join(scripts[version:])
    try:
        db.executescript(f"BEGIN IMMEDIATE;\n{steps}\nPRAGMA user_version = {len(scripts)};\nCOMMIT;")
    except sqlite3.Error:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def version_of(db: sqlite3.Connection) -> int:
    return int(db.execute("PRAGMA user_version").fetchone()[0])
