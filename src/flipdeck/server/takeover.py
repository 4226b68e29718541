"""Takes up tables from the journal: one that belongs to another living server is asked for, and waited for a moment.

There are no redirects, and servers don't talk to each other: the one that is reached asks in the journal, the other one
lets the table go or keeps it, and whoever waits is told to come back.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from ..wire.connection import ELSEWHERE_SECONDS
from ..wire.errors import TableRefusal
from .bounded import BoundedDict
from .durations import Durations
from .journal import Journal, Leased, StoredTable
from .table.state import MOST_MISSED

ASKING_SECONDS = 2.0  # for another server to let a table go, until whoever waits for it is told to try later
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 0.4  # between two looks whether it has
WANTED_SECONDS = 5.0  # so long the other server finds that it was asked
ASK_AGAIN_SECONDS = 2.0  # … and so long it is not asked again, however many wait
FORGOTTEN_SECONDS = 10 * ELSEWHERE_SECONDS  # nobody has asked again: the next one begins anew
MOST_WANTED = 10_000
LONGEST_HOLD = 300.0  # to which the holding time of a table doubles that others ask for again and again
MOST_DOUBLINGS = 16
QUIET_SECONDS = 900.0  # without a handover, and it is the usual one again
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
        self._asked_at: BoundedDict[str, float] = BoundedDict(MOST_WANTED)

    async def take_up(self, code: str, node: str, asks: Callable[[], bool] = lambda: True) -> StoredTable | None:
        """A table that belongs to another server, which lives: that one is asked to let it go, and has a moment to;
        unless nobody ``asks``, but only looks.
        """
        loop = asyncio.get_running_loop()
        began, pause = loop.time(), FIRST_PAUSE
        while True:
            try:
                taken = await self._journal.take_up(code, node, MOST_MISSED)
            except Leased:
                if not asks():
                    raise elsewhere() from None
                self._want(code, loop.time())
            else:
                self._note_taken(code, loop.time())
                return taken
            if loop.time() >= began + ASKING_SECONDS:
                raise elsewhere() from None
            await self._ask_for(code, loop.time())
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _ask_for(self, code: str, now: float) -> None:
        if now - self._asked_at.get(code, -ASK_AGAIN_SECONDS) >= ASK_AGAIN_SECONDS:
            self._asked_at[code] = now
            await self._journal.ask_for(code, WANTED_SECONDS)

    def _want(self, code: str, now: float) -> None:
        first, last = self._wanted.pop(code, (now, now))
        if now - last > FORGOTTEN_SECONDS:
            first = now
        self.asked += first == now
        self._wanted[code] = first, now

    def _note_taken(self, code: str, now: float) -> None:
        self._asked_at.pop(code, None)
        first, last = self._wanted.pop(code, (now, now))
        if first < now <= last + FORGOTTEN_SECONDS:
            self.times.add(now - first)


class Holds:
    """How long a table stays here at least while it is played here, if other servers ask for it.

    Whoever knows the code of a table can ask for it, at whichever server they like.  So the time doubles each time when
    it was taken away from most of its players, and they are left alone, however often others ask.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._given: BoundedDict[str, tuple[int, float]] = BoundedDict(MOST_WANTED)  # how often, and when last

    def seconds(self, code: str, now: float) -> float:
        times, last = self._given.get(code, (0, now))
        if now - last > QUIET_SECONDS:
            times = 0
        return max(self._seconds, min(self._seconds * 2.0**times, LONGEST_HOLD))

    def note_given(self, code: str, now: float) -> None:
        """It goes to another server, and most of its players were here."""
        times, last = self._given.pop(code, (0, now))
        self._given[code] = (1 if now - last > QUIET_SECONDS else min(times + 1, MOST_DOUBLINGS)), now
