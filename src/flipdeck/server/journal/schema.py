"""The SQLite schema and its version.  A file of another version is refused, and left as it is.

Version 4 has the columns of version 3, and what is written in it goes by other rules: a server of version 3 must not
read it.  A file of version 3 is taken over with what is in it: the first entry of a table and the first line of a
record say by which rules they go.
"""

from __future__ import annotations

import sqlite3

from . import Unavailable

VERSION = 4  # stored in the file as user_version; 0 is a new file
_SAME_COLUMNS = 3
SCHEMA = """
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
    names TEXT NOT NULL,        -- by seat, as JSON
    levels TEXT NOT NULL,       -- of bots, by seat, as JSON
    touched REAL NOT NULL
);

-- one counter of epochs for all tables: a table that was forgotten and made anew never sees an old epoch again
CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO counters VALUES ('epoch', 0), ('check', 0);
"""

# what keeps journals short; a file that was made without it gets it
SHORTER = """
CREATE TABLE IF NOT EXISTS snapshots (
    code TEXT NOT NULL REFERENCES tables (code) ON DELETE CASCADE,
    seq INTEGER NOT NULL,       -- of the entry after which it was taken
    body BLOB NOT NULL,
    PRIMARY KEY (code, seq)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS compactions (
    code TEXT PRIMARY KEY REFERENCES tables (code) ON DELETE CASCADE,
    seq INTEGER NOT NULL        -- of the entry that replaces those before it; some of them may still be there
) WITHOUT ROWID;
"""

# whom the operator keeps out; a file that was made without it gets it
BANS = """
CREATE TABLE IF NOT EXISTS bans (
    key TEXT PRIMARY KEY,       -- a keyed hash of the address
    until REAL NOT NULL,        -- wall clock seconds
    why TEXT NOT NULL
) WITHOUT ROWID;
"""


def prepare(db: sqlite3.Connection) -> None:
    """Create the tables in a new file, all or none of them; Unavailable if the file has another version."""
    version = version_of(db)
    if version in (VERSION, _SAME_COLUMNS):
        db.executescript(SHORTER)
        db.executescript(BANS)
        db.execute(f"PRAGMA user_version = {VERSION}")
        return
    if version != 0:
        raise Unavailable(
            f"The tables were written by another version of Flipdeck (schema {version}, this one reads {VERSION}): "
            "use that version, or another folder."
        )
    try:
        db.executescript(f"BEGIN IMMEDIATE;\n{SCHEMA}\n{SHORTER}\n{BANS}\nPRAGMA user_version = {VERSION};\nCOMMIT;")
    except sqlite3.Error:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def version_of(db: sqlite3.Connection) -> int:
    return int(db.execute("PRAGMA user_version").fetchone()[0])
