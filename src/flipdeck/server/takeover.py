"""Takes up tables from the journal: one that belongs to another living server is asked for, and waited for a moment.

There are no redirects, and servers don't talk to each other: the one that is reached asks in the journal, the other one
lets the table go or keeps it, and whoever waits is told to come back.
"""

from __future__ import annotations

import asyncio

from ..wire.connection import ELSEWHERE_SECONDS
from ..wire.errors import TableRefusal
from .bounded import BoundedDict
from .durations import Durations
from .journal import Journal, Leased, StoredTable
from .table.state import MOST_MISSED

ASKING_SECONDS = 2.0  # for another server to let a table go, until whoever waits for it is told to try later
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 0.4  # between two looks whether it has
WANTED_SECONDS = 5.0  # so long the other server finds that it was asked
FORGOTTEN_SECONDS = 10 * ELSEWHERE_SECONDS  # nobody has asked again: the next one begins anew
MOST_WANTED = 10_000
BOUNDS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 10.0, 15.0, 30.0)


def elsewhere() -> TableRefusal:
    return TableRefusal("table-elsewhere", retry_after=ELSEWHERE_SECONDS)


class Takeovers:
    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self.asked = 0  # tables that another server was asked for
        self.times = Durations(BOUNDS)  # from when a table of another server was first wanted here until it was ours
        # when a table was first and last wanted that another server has
        self._wanted: BoundedDict[str, tuple[float, float]] = BoundedDict(MOST_WANTED)

    async def take_up(self, code: str, node: str) -> StoredTable | None:
        """A table that belongs to another server, which lives: that one is asked to let it go, and has a moment to."""
        loop = asyncio.get_running_loop()
        began, pause = loop.time(), FIRST_PAUSE
        while True:
            try:
                taken = await self._journal.take_up(code, node, MOST_MISSED)
            except Leased:
                self._want(code, loop.time())
            else:
                self._note_taken(code, loop.time())
                return taken
            if loop.time() >= began + ASKING_SECONDS:
                raise elsewhere() from None
            await self._journal.ask_for(code, WANTED_SECONDS)
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def _want(self, code: str, now: float) -> None:
        first, last = self._wanted.pop(code, (now, now))
        if now - last > FORGOTTEN_SECONDS:
            first = now
        self.asked += first == now
        self._wanted[code] = first, now

    def _note_taken(self, code: str, now: float) -> None:
        first, last = self._wanted.pop(code, (now, now))
        if first < now <= last + FORGOTTEN_SECONDS:
            self.times.add(now - first)
