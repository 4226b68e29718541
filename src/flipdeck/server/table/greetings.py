"""Seats that were taken over HTTP, and whose people have not connected yet: they lapse after a while.

The journal has to know who has connected, or it would be forgotten with the next restart.  A command of theirs says it;
an entry is written for those who come and give none.
"""

from __future__ import annotations

import asyncio
from typing import Protocol

from .requests import Lapse, NoteGreeting
from .seats import SeatState
from .state import TableState

LAPSE_SECONDS = 20.0
NOTED_SECONDS = 2.0  # a page gives its first command, a pledge, at once


class GreetedTable(Protocol):
    """Where lapses go: they are requests, so that none overtakes an arrival."""

    def submit(self, request: Lapse | NoteGreeting) -> None: ...


class Greetings:
    def __init__(self, state: TableState, table: GreetedTable) -> None:
        self._state = state
        self._table = table
        self._awaited: dict[SeatState, asyncio.TimerHandle] = {}
        self._to_note: dict[SeatState, asyncio.TimerHandle] = {}
        for seat_state in (*state.seats, *state.reserved):  # taken before a restart
            if seat_state.awaits_greeting:
                self.expect(seat_state)

    def expect(self, seat_state: SeatState) -> None:
        """Somebody has taken a seat.  A host who was alone, and has not come yet, has as long from now on."""
        loop = asyncio.get_running_loop()
        for each in [*self._awaited, seat_state]:
            if self._state.place_of(each) is None:
                self.forget(each)
            elif each not in self._awaited or self._awaited[each].when() <= loop.time():
                self._awaited[each] = loop.call_later(LAPSE_SECONDS, self._table.submit, Lapse(each))

    @property
    def pending(self) -> bool:
        """Whether a seat may still lapse; that of a host who is alone never does."""
        now, alone = asyncio.get_running_loop().time(), len(self._state.people()) == 1
        return any(
            awaited.when() > now and not (alone and each is self._state.host) for each, awaited in self._awaited.items()
        )

    def came(self, seat_state: SeatState) -> None:
        """They are connected."""
        self.forget(seat_state)
        if seat_state.awaits_greeting and seat_state not in self._to_note:
            loop = asyncio.get_running_loop()
            self._to_note[seat_state] = loop.call_later(NOTED_SECONDS, self._note, seat_state)

    def _note(self, seat_state: SeatState) -> None:
        del self._to_note[seat_state]
        if seat_state.awaits_greeting:
            self._table.submit(NoteGreeting(seat_state))

    def forget(self, seat_state: SeatState) -> None:
        """They have come, or have no seat any more."""
        awaited = self._awaited.pop(seat_state, None)
        if awaited is not None:
            awaited.cancel()

    def stop(self) -> None:
        for timer in (*self._awaited.values(), *self._to_note.values()):
            timer.cancel()
        self._awaited.clear()
        self._to_note.clear()
