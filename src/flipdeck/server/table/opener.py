"""Waits for the values of the seats while a match is starting, and has the cards dealt.

Values are in memory only until the deal is journaled.  A table without connections waits; the time begins anew when
somebody is there, after a restart too.
"""

from __future__ import annotations

import asyncio
from typing import Protocol

from .pledges import all_are_in
from .requests import DealFirst
from .seats import SeatState
from .state import TableState

OPENING_SECONDS = 5.0


class DealingTable(Protocol):
    """Where the request to deal goes."""

    def submit(self, request: DealFirst) -> None: ...


class Opener:
    def __init__(self, state: TableState, table: DealingTable) -> None:
        self._state = state
        self._table = table
        self._opened: dict[SeatState, bytes] = {}
        self._deal_at: float | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._running = False

    def take(self, seat_state: SeatState, value: bytes) -> None:
        """A value that fits its pledge."""
        self._opened[seat_state] = value
        self.set(self._running)

    def set(self, running: bool) -> None:
        """Deal when all values are in, or when the wait is over.  Nobody is there to open one unless it is running."""
        self._running = running
        if self._deal_at is None and not self._opened and self._state.phase != "starting":
            return  # nearly always
        self.stop()
        if self._state.phase != "starting":
            self._opened = {}
        if self._state.phase != "starting" or not running:
            self._deal_at = None
            return
        loop = asyncio.get_running_loop()
        if self._deal_at is None:
            self._deal_at = loop.time() + OPENING_SECONDS
        if all_are_in(self._state, self._opened):
            self._deal_at = loop.time()
        request = DealFirst(self._state.deciding_since, self._opened)
        self._timer = loop.call_at(self._deal_at, self._table.submit, request)

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
