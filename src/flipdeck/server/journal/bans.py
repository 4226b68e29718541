"""The operator's bans in a SQLite file.  Times are seconds of the age clock (``age_clock``)."""

from __future__ import annotations

import sqlite3

from . import StoredBan


def keep_ban(db: sqlite3.Connection, ban: StoredBan, now: float) -> None:
    """Those that have ended are deleted now and then: here."""
    db.execute("DELETE FROM bans WHERE until <= ?", (now,))
    db.execute("INSERT OR REPLACE INTO bans (key, until, why) VALUES (?, ?, ?)", (ban.key, now + ban.seconds, ban.why))


def lift_ban(db: sqlite3.Connection, key: str) -> None:
    db.execute("DELETE FROM bans WHERE key = ?", (key,))


def running_bans(db: sqlite3.Connection, now: float) -> list[StoredBan]:
    running = "SELECT key, until - ?1, why FROM bans WHERE until > ?1 ORDER BY until, key"
    return [StoredBan(*row) for row in db.execute(running, (now,)).fetchall()]
