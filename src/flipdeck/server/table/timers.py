"""The timers of a table: the turn clock, the grace period for catching, the deals of the first and the next round.

A table without connections stands still, and its clocks with it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

from ...core.notation import OUT_OF_TURN
from ...wire import client_messages, server_messages
from ...wire.errors import TableRefusal
from ...wire.parts import ClockInfo
from ..journal import Clock
from .clock import TurnClock
from .connections import TablePresence
from .inbox import Envelope, Reply, discard_reply
from .opener import Opener
from .requests import BotSays, DealNext, Request, TimeUp
from .seats import SeatState
from .state import TableState

RETURN_SECONDS = 10.0  # after a restart, for the player on turn to come back before the clock runs
MOST_HELD = 4  # moves of one seat that wait for the end of the grace period


class TimedTable(Protocol):
    """What timers need of their table: where to submit, and the latency of a seat."""

    @property
    def presence(self) -> TablePresence: ...

    def submit(
        self, request: Request, seat_state: SeatState | None = None, answer: Callable[[Reply], None] = discard_reply
    ) -> None: ...


class Timers:
    def __init__(self, state: TableState, table: TimedTable, noted: Clock | None) -> None:
        self._state = state
        self._table = table
        about_now = noted is not None and state.timed_since <= noted.seq <= state.version
        self._noted = noted if about_now else None
        self._loop = asyncio.get_running_loop()
        self._clock = TurnClock()
        self._saved = (0, 0.0)  # a decision, and the time left for it when a bot took over
        self._alarm: asyncio.TimerHandle | None = None
        self._held: list[Envelope] = []
        self._grace_until = 0.0
        self._grace_of = 0  # the decision it belongs to, by the version of its clock
        self._release: asyncio.TimerHandle | None = None
        self._deal_at: float | None = None
        self._deal: asyncio.TimerHandle | None = None
        self._running = False
        # people were thrown out, and come back one after the other; a server that died may have noted no clock
        self._awaits_return = noted is not None or state.match is not None
        self._return_until: float | None = None
        self._return: asyncio.TimerHandle | None = None
        self.opener = Opener(state, table)
        self.changed()

    # ------------------------------------------------------------ for the table
    def changed(self) -> None:
        """The table has a new version."""
        self._set_grace()
        self._set_clock()
        self._set_dealing()
        self.opener.set(self._running)

    def resume(self) -> None:
        self._running = True
        self._start_clock()
        self._set_alarm()
        self._set_dealing()
        self.opener.set(self._running)

    def pause(self) -> None:
        self._running = False
        self._clock.pause(self._loop.time())
        self._set_alarm()
        self._set_dealing()
        self.opener.set(self._running)

    def stop(self) -> None:
        self.opener.stop()
        for timer in (self._alarm, self._release, self._deal, self._return):
            if timer is not None:
                timer.cancel()
        self._held.clear()

    def note(self) -> Clock | None:
        if self._clock.seat is None:
            return None
        return Clock(self._state.version, round(1000 * self._clock.left(self._loop.time())))

    def clock_info(self) -> ClockInfo | None:
        return self._clock.info(self._loop.time())

    def next_round_ms(self) -> int | None:
        return None if self._deal_at is None else max(0, round(1000 * (self._deal_at - self._loop.time())))

    def is_slow(self, seat: int) -> bool:
        """Whether a seat has taken nearly all of its clock; what it did with its card has no part in it (TURN-2)."""
        return self._clock.seat == seat and self._clock.is_nearly_up(self._loop.time())

    # ------------------------------------------------------------ the turn clock
    def _set_clock(self) -> None:
        state, seat = self._state, self._state.to_act
        seconds = float(state.settings.turn_seconds)
        if seat is None or not seconds or not state.seats[seat].played_by_person:
            if self._clock.seat is not None:  # whoever leaves and comes back has the time that was left
                self._saved = (self._clock.version, self._clock.left(self._loop.time()))
            self._clock.clear()
        elif self._clock.seat != seat or self._clock.version != state.timed_since:
            of = seconds + max(0.0, self._grace_until - self._loop.time())
            left = self._saved[1] if self._saved[0] == state.timed_since else of
            left = left if self._noted is None else self._noted.left_ms / 1000
            self._clock.set(seat, state.timed_since, 0.0 if state.overdue else left, max(of, left))
            if self._running:
                self._start_clock()
        self._noted = None  # it was about the version that was loaded
        self._set_alarm()

    def _start_clock(self) -> None:
        """Not before the player on turn is back, if the server was another one before; for a while."""
        now = self._loop.time()
        if self._awaits_return and self._clock.seat is not None:
            if self._return_until is None:
                self._return_until = now + RETURN_SECONDS
                self._return = self._loop.call_at(self._return_until, self._end_return)
            here = self._state.seats[self._clock.seat] in self._table.presence.here()
            self._awaits_return = not here and now < self._return_until
        if not self._awaits_return:
            self._cancel_return()
            self._clock.resume(now)

    def _cancel_return(self) -> None:
        if self._return is not None:
            self._return.cancel()
            self._return = None

    def _end_return(self) -> None:
        self._awaits_return = False
        self._cancel_return()
        if self._running:
            self._clock.resume(self._loop.time())
            self._set_alarm()

    def _set_alarm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        seat = self._clock.seat
        due = None if seat is None else self._clock.due(self._table.presence.lag_of(seat))
        if due is not None and self._state.overdue:
            self._table.submit(TimeUp(self._clock.version))  # at once: what is in the inbox has not seen the card
        elif due is not None:
            self._alarm = self._loop.call_at(due, self._table.submit, TimeUp(self._clock.version))

    # ------------------------------------------------------------ the grace period for catching
    def _set_grace(self) -> None:
        state, now = self._state, self._loop.time()
        catchable = state.match is not None and state.phase == "playing" and bool(state.match.catchable)
        if not catchable:
            self._grace_until = now
        elif self._grace_of != state.timed_since:
            self._grace_of = state.timed_since
            self._grace_until = now if state.drawn else now + state.settings.grace_ms / 1000
        if self._held and self._grace_until <= now:
            self._release_held()

    def holds(self, envelope: Envelope) -> bool:
        """Whether a move has to wait, so that players on slow connections get their chance to catch someone."""
        if self._loop.time() >= self._grace_until:
            return False  # nearly always
        move = envelope.request.move if isinstance(envelope.request, client_messages.MakeMove | BotSays) else None
        if envelope.seat_state is None and isinstance(envelope.request, client_messages.MakeMove):
            return False  # spectators are refused anyway
        if move is None or move.startswith(OUT_OF_TURN):
            return False
        if isinstance(envelope.request, client_messages.MakeMove):
            if sum(held.seat_state is envelope.seat_state for held in self._held) >= MOST_HELD:
                envelope.answer(TableRefusal("too-fast"))  # sending it again makes nothing faster
                return True
            envelope.answer(
                server_messages.Held(envelope.request.cmd_id, round(1000 * (self._grace_until - self._loop.time())))
            )
        self._held.append(envelope)
        if self._release is None:
            self._release = self._loop.call_at(self._grace_until, self._release_held)
        return True

    def _release_held(self) -> None:
        self._grace_until = min(self._grace_until, self._loop.time())  # a timer may fire a hair too early
        if self._release is not None:
            self._release.cancel()
            self._release = None
        held, self._held = self._held, []
        for envelope in held:
            self._table.submit(envelope.request, envelope.seat_state, envelope.answer)

    # ------------------------------------------------------------ the next round
    def _set_dealing(self) -> None:
        """Deal when everybody is ready, or when the wait is over."""
        state, now = self._state, self._loop.time()
        if self._deal is not None:
            self._deal.cancel()
            self._deal = None
        if state.phase != "between" or not self._running:
            self._deal_at = None
            return
        if self._deal_at is None:
            self._deal_at = now + state.settings.next_round_seconds
        if all(seat_state.ready for seat_state in state.seats):
            self._deal_at = now
        self._deal = self._loop.call_at(self._deal_at, self._table.submit, DealNext(state.deciding_since))
