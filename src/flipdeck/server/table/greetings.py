"""Seats that were taken over HTTP, and whose people have not connected yet: they lapse after a while."""

from __future__ import annotations

import asyncio
from typing import Protocol

from .requests import Lapse
from .seats import SeatState
from .state import TableState

LAPSE_SECONDS = 20.0


class LapseSink(Protocol):
    """Where lapses go: they are requests, so that none overtakes an arrival."""

    def submit(self, request: Lapse) -> None: ...


class Greetings:
    def __init__(self, state: TableState, table: LapseSink) -> None:
        self._state = state
        self._table = table
        self._awaited: dict[SeatState, asyncio.TimerHandle] = {}

    def expect(self, seat_state: SeatState) -> None:
        """Somebody has taken a seat.  A host who was alone, and has not come yet, has as long from now on."""
        loop = asyncio.get_running_loop()
        for each in [*self._awaited, seat_state]:
            if self._state.place_of(each) is None:
                self.forget(each)
            elif each not in self._awaited or self._awaited[each].when() <= loop.time():
                self._awaited[each] = loop.call_later(LAPSE_SECONDS, self._table.submit, Lapse(each))

    def forget(self, seat_state: SeatState) -> None:
        """They have come, or have no seat any more."""
        awaited = self._awaited.pop(seat_state, None)
        if awaited is not None:
            awaited.cancel()

    def stop(self) -> None:
        for awaited in self._awaited.values():
            awaited.cancel()
        self._awaited.clear()
