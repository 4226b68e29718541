"""Nodes, their leases and the tables that are theirs, in a SQLite file.  Times are seconds of the age clock."""

from __future__ import annotations

import sqlite3

from . import Fenced, Leased, LeaseEnded

# So many entries there are: whoever reads them later will miss one that is not there any more.
NEWEST = "max(tables.newest, coalesce((SELECT max(seq) FROM entries WHERE entries.code = tables.code), 0))"
OWNED = "SELECT 1 FROM tables WHERE code = ?1 AND epoch = ?2 AND node IS NOT NULL"
_CLAIMED = (
    "INSERT INTO tables (code, epoch, node, touched, newest) VALUES (?, ?, ?, ?, 0) "  # noqa: S608
    "ON CONFLICT (code) DO UPDATE SET epoch = excluded.epoch, node = excluded.node, "
    f"touched = excluded.touched, newest = {NEWEST}, wanted_until = 0"
)


def end_all_leases(db: sqlite3.Connection, now: float) -> None:
    """We have the lock of the folder: whoever held a lease is gone."""
    db.execute("DELETE FROM nodes WHERE node NOT IN (SELECT node FROM tables WHERE node IS NOT NULL)")
    db.execute("UPDATE nodes SET lease_until = ?1 WHERE lease_until > ?1", (now,))


def begin_lease(db: sqlite3.Connection, node: str, until: float) -> None:
    db.execute("INSERT OR REPLACE INTO nodes (node, lease_until) VALUES (?, ?)", (node, until))


def renew(db: sqlite3.Connection, node: str, now: float, seconds: float) -> list[str]:
    """One row, whatever the number of tables."""
    extended = "UPDATE nodes SET lease_until = ?3 WHERE node = ?1 AND lease_until > ?2"
    if db.execute(extended, (node, now, now + seconds)).rowcount != 1:
        db.execute("UPDATE tables SET touched = ?2 WHERE node = ?1", (node, now))  # it is there, after all
        raise LeaseEnded(f"The lease of node {node} has ended.")
    wanted = "SELECT code FROM tables WHERE node = ?1 AND wanted_until > 0 AND wanted_until > ?2"
    return [code for (code,) in db.execute(wanted, (node, now)).fetchall()]


def end_lease(db: sqlite3.Connection, node: str, now: float) -> None:
    db.execute(f"UPDATE tables SET node = NULL, touched = ?2, newest = {NEWEST} WHERE node = ?1", (node, now))  # noqa: S608
    db.execute("DELETE FROM nodes WHERE node = ?", (node,))


def check_free(db: sqlite3.Connection, table: str, node: str, now: float) -> None:
    owner = "SELECT 1 FROM tables JOIN nodes USING (node) WHERE code = ? AND node != ? AND lease_until > ?"
    if db.execute(owner, (table, node, now)).fetchone() is not None:
        raise Leased(f"Another server plays table {table}.")


def claim(db: sqlite3.Connection, table: str, node: str, now: float) -> int:
    check_free(db, table, node, now)
    if db.execute("SELECT 1 FROM nodes WHERE node = ? AND lease_until > ?", (node, now)).fetchone() is None:
        raise LeaseEnded(f"The lease of node {node} has ended.")
    epoch = count(db, "epoch")
    db.execute(_CLAIMED, (table, epoch, node, now))
    return epoch


def ask_for(db: sqlite3.Connection, table: str, until: float) -> str | None:
    """The node that was asked."""
    wanted = "UPDATE tables SET wanted_until = ? WHERE code = ? AND node IS NOT NULL RETURNING node"
    asked = db.execute(wanted, (until, table)).fetchone()
    return None if asked is None else str(asked[0])


def release(db: sqlite3.Connection, table: str, epoch: int, now: float) -> None:
    released = f"UPDATE tables SET node = NULL, touched = ?, newest = {NEWEST} WHERE code = ? AND epoch = ?"  # noqa: S608
    db.execute(released, (now, table, epoch))


def check_owned(db: sqlite3.Connection, table: str, epoch: int) -> None:
    if db.execute(OWNED, (table, epoch)).fetchone() is None:
        raise Fenced(f"Table {table} is no longer owned under epoch {epoch}.")


def count(db: sqlite3.Connection, counter: str) -> int:
    db.execute("UPDATE counters SET value = value + 1 WHERE name = ?", (counter,))
    return int(db.execute("SELECT value FROM counters WHERE name = ?", (counter,)).fetchone()[0])
