"""The clock by which tables age.  It is no wall clock: one that is set wrong would make everything old at once.

While a server runs it goes with the steady clock of the system.  While none runs it goes with the wall clock, for a day
at most: nobody can tell a longer pause from a clock that has jumped, and whoever could not come back to a table has not
left it.  An operator can say that the clock is right (``count``).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Literal

from . import Unavailable
from .checksums import checksum

DAY = 24 * 3600.0
LongPause = Literal["shorten", "count", "refuse"]  # what becomes of one that is longer than a day


class AgeClock:
    def __init__(self, wall: Callable[[], float], steady: Callable[[], float], long_pause: LongPause) -> None:
        self._wall, self._steady = wall, steady
        self._long_pause = long_pause
        self._age = 0.0  # when it was started
        self._started = 0.0

    def now(self) -> float:
        """Seconds; only differences mean something."""
        return self._age + self._steady() - self._started

    def start(self, db: sqlite3.Connection) -> None:
        age, wall = _saved(db) or self._first(db)
        pause = max(0.0, self._wall() - wall)
        if pause > DAY and self._long_pause == "refuse":
            raise Unavailable(
                f"By the clock of this computer no server has run here for {pause / DAY:.0f} days. If that is right, "
                "add --trust-clock. Nothing was deleted."
            )
        counted = pause if self._long_pause == "count" else min(pause, DAY)
        self._age, self._started = age + counted, self._steady()
        self.save(db)

    def save(self, db: sqlite3.Connection) -> None:
        age, wall = self.now(), self._wall()
        db.execute("DELETE FROM age_clock")
        db.execute("INSERT INTO age_clock (age, wall, sum) VALUES (?, ?, ?)", (age, wall, _checksum(age, wall)))

    def _first(self, db: sqlite3.Connection) -> tuple[float, float]:
        """In a file without it, which has wall clock times: the last one, at which somebody was there."""
        seen = "SELECT max(touched) FROM (SELECT touched FROM tables UNION ALL SELECT touched FROM replays)"
        touched = db.execute(seen).fetchone()[0]
        last = self._wall() if touched is None else float(touched)
        return last, last


def _saved(db: sqlite3.Connection) -> tuple[float, float] | None:
    found = db.execute("SELECT age, wall, sum FROM age_clock").fetchone()
    if found is None or not all(isinstance(value, float) for value in found[:2]):
        return None
    age, wall, total = found
    return (age, wall) if total == _checksum(age, wall) else None


def _checksum(age: float, wall: float) -> int:
    return checksum("age clock", 0, f"{age!r} {wall!r}".encode())
