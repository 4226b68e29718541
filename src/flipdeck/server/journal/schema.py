"""The SQLite schema and its version.  A file of another version is refused, and left as it is.

Version 4 has the columns of version 3, and what is written in it goes by other rules: a server of version 3 must not
read it.  Version 5 has checksums; version 6 has nodes, before that each table had a lease.  A file of version 3 to 5 is
taken over with what is in it, in one transaction: the first entry of a table and the first line of a record say by
which rules they go.
"""

from __future__ import annotations

import sqlite3

from . import Unavailable
from .checksums import checksum, clock_checksum, compaction_checksum, replay_bytes

VERSION = 6  # stored in the file as user_version; 0 is a new file
_WITHOUT_CHECKSUMS, _WITHOUT_NODES = (3, 4), (3, 4, 5)
SCHEMA = """
CREATE TABLE tables (
    code TEXT PRIMARY KEY,
    epoch INTEGER NOT NULL,
    node TEXT,                  -- nobody's after its release
    touched REAL NOT NULL,      -- when claimed or released, in seconds of the age clock, as all times here
    newest INTEGER NOT NULL,    -- the number of its last entry at that time or later: so many must be there
    wanted_until REAL NOT NULL DEFAULT 0 -- so long another node asks for it
) WITHOUT ROWID;

CREATE TABLE entries (
    code TEXT NOT NULL REFERENCES tables (code) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    body BLOB NOT NULL,
    sum INTEGER NOT NULL,       -- this and the others: see checksums
    PRIMARY KEY (code, seq)
) WITHOUT ROWID;

CREATE TABLE clocks (
    code TEXT PRIMARY KEY REFERENCES tables (code) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    left_ms INTEGER NOT NULL,
    sum INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE replays (
    name TEXT PRIMARY KEY,
    record TEXT NOT NULL,
    names TEXT NOT NULL,        -- by seat, as JSON
    levels TEXT NOT NULL,       -- of bots, by seat, as JSON
    touched REAL NOT NULL,
    sum INTEGER NOT NULL
);

-- one counter of epochs for all tables: a table that was forgotten and made anew never sees an old epoch again
CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO counters VALUES ('epoch', 0), ('check', 0);

-- what keeps journals short; a snapshot has its checksum in itself
CREATE TABLE snapshots (
    code TEXT NOT NULL REFERENCES tables (code) ON DELETE CASCADE,
    seq INTEGER NOT NULL,       -- of the entry after which it was taken
    body BLOB NOT NULL,
    PRIMARY KEY (code, seq)
) WITHOUT ROWID;

CREATE TABLE compactions (
    code TEXT PRIMARY KEY REFERENCES tables (code) ON DELETE CASCADE,
    seq INTEGER NOT NULL,       -- of the entry that replaces those before it; some of them may still be there
    sum INTEGER NOT NULL
) WITHOUT ROWID;
"""

# servers, those that are gone too as long as tables are theirs
NODES = """
CREATE TABLE nodes (node TEXT PRIMARY KEY, lease_until REAL NOT NULL) WITHOUT ROWID;
CREATE INDEX wanted_tables ON tables (node) WHERE wanted_until > 0; -- looked at with every renewal
"""

# whom the operator keeps out
BANS = """
CREATE TABLE bans (
    key TEXT PRIMARY KEY,       -- a keyed hash of the address
    until REAL NOT NULL,        -- seconds of the age clock
    why TEXT NOT NULL
) WITHOUT ROWID;
"""
# What the age clock showed when the wall clock showed that; one row.
AGE_CLOCK = "CREATE TABLE IF NOT EXISTS age_clock (age REAL NOT NULL, wall REAL NOT NULL, sum INTEGER NOT NULL);"

# Files of version 3 may be older than these tables.
_SHORTER_WITHOUT_CHECKSUMS = """
CREATE TABLE IF NOT EXISTS snapshots (
    code TEXT NOT NULL REFERENCES tables (code) ON DELETE CASCADE, seq INTEGER NOT NULL, body BLOB NOT NULL,
    PRIMARY KEY (code, seq)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS compactions (
    code TEXT PRIMARY KEY REFERENCES tables (code) ON DELETE CASCADE, seq INTEGER NOT NULL
) WITHOUT ROWID;
"""
# Whoever held a lease is gone: the file is locked.
_NODES_FROM_OWNERS = """
ALTER TABLE tables RENAME COLUMN owner TO node;
ALTER TABLE tables DROP COLUMN lease_until;
ALTER TABLE tables ADD COLUMN wanted_until REAL NOT NULL DEFAULT 0;
UPDATE tables SET node = NULL;
"""
# The checksums are of what is there now: damage from before is found by those who read the entries, if at all.
_CHECKSUMS = """
ALTER TABLE tables ADD COLUMN newest INTEGER NOT NULL DEFAULT 0;
ALTER TABLE entries ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE clocks ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE replays ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE compactions ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
UPDATE tables SET newest = coalesce((SELECT max(seq) FROM entries WHERE entries.code = tables.code), 0);
UPDATE entries SET sum = checksum(code, seq, CAST(body AS BLOB));
UPDATE clocks SET sum = clock_checksum(code, seq, left_ms);
UPDATE replays SET sum = replay_checksum(name, CAST(record AS BLOB), CAST(names AS BLOB), CAST(levels AS BLOB));
UPDATE compactions SET sum = compaction_checksum(code, seq);
"""


def prepare(db: sqlite3.Connection) -> None:
    """Create the tables in a new file, or take an older file over; Unavailable if it has another version."""
    version = version_of(db)
    if version == 0:
        _change(db, SCHEMA, BANS, AGE_CLOCK, NODES)
    elif version in _WITHOUT_NODES:
        _add_functions(db)
        checked = (_SHORTER_WITHOUT_CHECKSUMS, _CHECKSUMS, BANS, AGE_CLOCK) if version in _WITHOUT_CHECKSUMS else ()
        _change(db, *checked, _NODES_FROM_OWNERS, NODES)
    elif version != VERSION:
        raise Unavailable(
            f"The tables were written by another version of Flipdeck (schema {version}, this one reads {VERSION}): "
            "use that version, or another folder."
        )


def version_of(db: sqlite3.Connection) -> int:
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def _change(db: sqlite3.Connection, *scripts: str) -> None:
    """All of it or nothing."""
    try:
        db.executescript("\n".join(("BEGIN IMMEDIATE;", *scripts, f"PRAGMA user_version = {VERSION};\nCOMMIT;")))
    except sqlite3.Error:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def _add_functions(db: sqlite3.Connection) -> None:
    def replay_checksum(name: str, record: bytes, names: bytes, levels: bytes) -> int:
        return checksum(name, 0, replay_bytes(record, names, levels))

    db.create_function("checksum", 3, checksum, deterministic=True)
    db.create_function("clock_checksum", 3, clock_checksum, deterministic=True)
    db.create_function("compaction_checksum", 2, compaction_checksum, deterministic=True)
    db.create_function("replay_checksum", 4, replay_checksum, deterministic=True)
