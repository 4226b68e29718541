"""The PostgreSQL schema: versions, and the steps from each to the next.

All of it is in the first schema of the search path.  A database of a newer version is refused, and left as it is; an
older one is brought up to date in one transaction.  Times are of two kinds: leases go by the database's clock; ages go
by ``journal_age``, which stands still rather than believe a clock that has jumped by more than a day.
"""

from __future__ import annotations

from .. import Unavailable
from .link import Database

_LOCK = 0x666C6970  # of whoever changes the schema; it ends with the connection
STEPS = (
    """
CREATE SEQUENCE epochs; -- one for all tables: a table that was pruned and made anew never sees an old epoch again

CREATE FUNCTION journal_now() RETURNS timestamptz LANGUAGE sql VOLATILE AS 'SELECT clock_timestamp()';

CREATE TABLE age_clock (age double precision NOT NULL, wall timestamptz NOT NULL, checks bigint NOT NULL DEFAULT 0);
INSERT INTO age_clock (age, wall) VALUES (extract(epoch FROM journal_now()), journal_now());

CREATE FUNCTION journal_age() RETURNS double precision LANGUAGE sql VOLATILE AS
    'SELECT age + least(greatest(extract(epoch FROM journal_now() - wall), 0), 86400) FROM age_clock';

CREATE TABLE nodes (
    node text PRIMARY KEY,
    lease_until timestamptz NOT NULL,
    seconds double precision NOT NULL,  -- of the lease: one that ends later was given by a clock that has jumped back
    seen double precision NOT NULL      -- the age when it renewed last
);

CREATE TABLE tables (
    code text PRIMARY KEY,
    epoch bigint NOT NULL,
    node text,                          -- nobody's after its release
    wanted_until timestamptz,           -- so long another node asks for it
    touched double precision NOT NULL,  -- the age when it was claimed or released
    newest integer NOT NULL             -- the number of its last entry at that time: so many must be there
) WITH (fillfactor = 70);
CREATE INDEX tables_of_nodes ON tables (node) WHERE node IS NOT NULL;

CREATE TABLE entries (
    code text NOT NULL REFERENCES tables ON DELETE CASCADE,
    seq integer NOT NULL,
    body bytea NOT NULL,
    sum bigint NOT NULL,                -- this and the others: see checksums
    PRIMARY KEY (code, seq)
);

CREATE TABLE clocks (
    code text PRIMARY KEY REFERENCES tables ON DELETE CASCADE,
    seq integer NOT NULL,
    left_ms bigint NOT NULL,
    sum bigint NOT NULL
);

CREATE TABLE snapshots (
    code text NOT NULL REFERENCES tables ON DELETE CASCADE,
    seq integer NOT NULL,               -- of the entry after which it was taken
    body bytea NOT NULL,
    PRIMARY KEY (code, seq)
);

CREATE TABLE compactions (
    code text PRIMARY KEY REFERENCES tables ON DELETE CASCADE,
    seq integer NOT NULL,               -- of the entry that replaces those before it
    sum bigint NOT NULL
);

CREATE TABLE replays (
    name text PRIMARY KEY,
    record bytea NOT NULL,              -- texts as bytes: a damaged text may be none
    names bytea NOT NULL,
    levels bytea NOT NULL,
    touched double precision NOT NULL,
    sum bigint NOT NULL
);
CREATE INDEX replays_by_age ON replays (touched);

CREATE TABLE bans (
    key text PRIMARY KEY,               -- a keyed hash of the address
    until timestamptz NOT NULL,
    why text NOT NULL
);
""",
    """
ALTER TABLE nodes ADD COLUMN draining boolean NOT NULL DEFAULT false;
ALTER TABLE nodes ADD COLUMN kinds text; -- words for what it can read; none: it is from before there was this column

CREATE VIEW live_nodes AS SELECT node, draining, kinds FROM nodes
    WHERE lease_until > journal_now() AND lease_until <= journal_now() + make_interval(secs => seconds);

CREATE TABLE change_counts (what text PRIMARY KEY, count bigint NOT NULL);
INSERT INTO change_counts VALUES ('bans', 0);

CREATE TABLE chores (
    chore text PRIMARY KEY,
    node text NOT NULL,                 -- that does it, or did it last
    until timestamptz NOT NULL,         -- so long no other does it
    next timestamptz NOT NULL           -- when it is due again
);

CREATE TABLE address_key (              -- of the keyed hashes of addresses
    single boolean PRIMARY KEY DEFAULT true CHECK (single),
    fingerprint bytea NOT NULL,
    key bytea                           -- none: every server has it in a file
);

CREATE TABLE transfers (
    secret text PRIMARY KEY,            -- its hash
    code text NOT NULL,
    seat text NOT NULL,                 -- the hash of its token
    until timestamptz NOT NULL,
    UNIQUE (code, seat)
);
CREATE INDEX transfers_by_end ON transfers (until);
CREATE TABLE used_transfers (
    secret text PRIMARY KEY,
    code text NOT NULL,
    seat text NOT NULL,
    token text NOT NULL,                -- the hash of the token that it was used for
    until timestamptz NOT NULL
);
CREATE INDEX used_transfers_by_end ON used_transfers (until);

-- What may be lost if the database crashes.  Addresses are keyed hashes.
CREATE UNLOGGED TABLE listings (node text PRIMARY KEY, listing bytea NOT NULL);
CREATE UNLOGGED TABLE guesses (
    address text PRIMARY KEY,
    wrong integer NOT NULL,
    pardoned boolean NOT NULL DEFAULT false,
    wait_until timestamptz NOT NULL,
    until timestamptz NOT NULL
);
CREATE INDEX guesses_by_end ON guesses (until);
CREATE UNLOGGED TABLE allowances (
    address text PRIMARY KEY,
    tokens double precision NOT NULL,
    at timestamptz NOT NULL,            -- when there were so many
    until timestamptz NOT NULL
);
CREATE INDEX allowances_by_end ON allowances (until);
CREATE UNLOGGED TABLE public_seats (
    address text PRIMARY KEY,
    codes jsonb NOT NULL,               -- by code, until when (seconds of the epoch)
    until timestamptz NOT NULL
);
CREATE INDEX public_seats_by_end ON public_seats (until);
""",
)
VERSION = len(STEPS)
_VERSION_TABLE = "CREATE TABLE IF NOT EXISTS flipdeck_schema (version integer NOT NULL)"


async def prepare(db: Database) -> None:
    """Create the tables, or bring them up to date; Unavailable if they are of a newer version."""
    encoding = await db.fetchval("SHOW server_encoding")
    if encoding != "UTF8":
        raise Unavailable(f"The database has the encoding {encoding}; create one with UTF8.")
    if await version_of(db) == VERSION:
        return
    # Nodes that start at the same time wait; before the transaction, which would not see what was created meanwhile.
    await db.execute("SET lock_timeout = 30000")
    await db.execute("SELECT pg_advisory_lock($1)", _LOCK)
    async with db.transaction():
        version = await version_of(db)
        if version > VERSION:
            raise Unavailable(
                f"The tables were written by a newer version of Flipdeck (schema {version}, this one reads {VERSION}): "
                "use that version, or another database."
            )
        if version == 0:
            await db.execute(_VERSION_TABLE)
            await db.execute("INSERT INTO flipdeck_schema VALUES (0)")
        for step in STEPS[version:]:
            await db.execute(step)
        await db.execute("UPDATE flipdeck_schema SET version = $1", VERSION)


async def version_of(db: Database) -> int:
    """0 is a new database."""
    if await db.fetchval("SELECT to_regclass('flipdeck_schema')") is None:
        return 0
    return int(await db.fetchval("SELECT version FROM flipdeck_schema") or 0)
