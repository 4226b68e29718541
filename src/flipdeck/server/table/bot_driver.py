"""Drives the bots of a table: shows each what its seat sees, asks it when it may act, and submits its move after a
pause.

The length of the pause has nothing to do with the bot's cards (``pauses``): a bot that has drawn is asked what becomes
of the card whether it fits or not, and takes the same short pause (TURN-2).  When everybody who plays has asked to
hurry, pauses are as short as they may be until it is a person's turn.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Protocol

from ...bots.player import worth_asking
from ...core.events import Event
from ...core.match import Match
from ...core.view import View
from ...wire.parts import BotLevel, Substitute
from ..default_move import default_move
from ..logs import log_event
from ..thinkers.port import Question, Shown, Thinkers
from .observing import Observed
from .pauses import HURRIED, Pace, bots_in_a_row, pause_before
from .requests import BotSays
from .seats import SeatState
from .state import TableState

MOST_RETRIES = 3  # of a question about one decision, before the default move is made for the bot
RETRY_SECONDS = 1.0  # before the first retry, longer each time
_log = logging.getLogger("flipdeck.bots")
_dice = random.SystemRandom()  # for pauses, which must tell nothing and decide no card


class RequestSink(Protocol):
    """Where bot moves go: they are requests with the same checks as everybody's."""

    def submit(self, request: BotSays) -> None: ...

    def note_substitute(self, seat_state: SeatState, substitute: Substitute | None) -> None:
        """Who makes the next move of a bot, if not its own level."""
        ...


@dataclass(slots=True)
class DrivenBot:
    """What one bot was shown and asked."""

    who: str
    shown: int = 0
    pending: list[Shown] = field(default_factory=list)
    latest: Shown | None = None
    turn_asked: int = 0  # the decision, by the version with which it began
    moment_asked: int = 0  # the version at which it could act out of turn
    retried_decision: int = 0  # the decision for which it had no legal move
    retries: int = 0  # … so many times


class BotDriver:
    def __init__(
        self, state: TableState, thinkers: Thinkers, table: RequestSink, observed: Observed = MappingProxyType({})
    ) -> None:
        """``observed`` is what bots saw before this server had the table."""
        self._state = state
        self._thinkers = thinkers
        self._table = table
        self._driven: dict[SeatState, DrivenBot] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._awake = False
        self._hurrying: set[SeatState] = set()  # who has asked for it since the last turn of a person
        self._sooner: asyncio.Future[None] | None = None  # done when pauses that are being made get shorter
        for seat_state, shown in observed.items():
            who = self._name(state.seat_of(seat_state))
            self._driven[seat_state] = DrivenBot(who, len(shown), list(shown), shown[-1])

    # ------------------------------------------------------------ for the table
    def see(self, events: Sequence[Event], spoke: int) -> None:
        """Show every bot what its seat saw of these events.  ``spoke`` is the seat that acted."""
        match = self._state.match
        if match is None:
            self.forget()
            return
        if not self._bot_on_turn():
            self._hurrying.clear()
        bots = any(each.level for each in self._state.seats)
        if not bots and not self._driven:
            return
        events = tuple(events)  # they are decoded once for all bots
        for seat_state in [each for each in self._driven if each not in self._state.seats]:
            self._drop(seat_state)  # a person has taken the seat over
        for seat, seat_state in enumerate(self._state.seats):
            if seat_state.played_by_bot:
                bot = self._show(match, seat, seat_state, events)
                if seat == spoke:
                    bot.turn_asked = 0  # a bot on turn that has caught somebody still has its turn
            elif seat_state in self._driven:
                self._drop(seat_state)
        self.look()

    def look(self) -> None:
        """Ask every bot that may act and has not been asked yet."""
        if not self._awake or self._state.phase != "playing":
            return
        for seat_state, bot in self._driven.items():
            latest = bot.latest
            if latest is None:
                continue
            if latest.view.to_act == latest.view.you:
                if bot.turn_asked != self._state.deciding_since:
                    bot.turn_asked = self._state.deciding_since
                    self._ask(seat_state, bot, on_turn=True)
            elif bot.moment_asked != self._state.version and worth_asking(latest.view):
                bot.moment_asked = self._state.version
                self._ask(seat_state, bot, on_turn=False)

    def hurry(self, seat_state: SeatState) -> None:
        """Somebody has seen enough of the bots until it is a person's turn."""
        if seat_state.played_by_person and self._bot_on_turn():
            self._hurrying.add(seat_state)
            if self._is_hurried() and self._sooner is not None:
                self._sooner.set_result(None)
                self._sooner = None

    def wake(self) -> None:
        """Somebody is at the table; a bot that was seated meanwhile gets the current view."""
        self._awake = True
        match = self._state.match
        if match is not None and self._state.phase == "playing":
            for seat, seat_state in enumerate(self._state.seats):
                if seat_state.played_by_bot and seat_state not in self._driven:
                    self._show(match, seat, seat_state, ())
        self.look()

    def pause(self) -> None:
        """Nobody is watching: bots don't play on among themselves."""
        self._awake = False
        self._cancel_questions()
        for bot in self._driven.values():
            bot.turn_asked = bot.moment_asked = 0

    def move_rejected(self, request: BotSays) -> None:
        """A bot move was not legal; if the decision is still the bot's, ask again."""
        bot = self._driven.get(request.seat_state)
        if bot is not None and request.version >= self._state.deciding_since == bot.turn_asked:
            self._schedule_retry(request.seat_state, bot)

    def forget(self) -> None:
        self._cancel_questions()
        for seat_state in list(self._driven):
            self._drop(seat_state)

    # ------------------------------------------------------------ pauses
    def _bot_on_turn(self) -> bool:
        to_act = self._state.to_act
        return to_act is not None and self._state.seats[to_act].played_by_bot

    def _is_hurried(self) -> bool:
        """Nobody who plays wants to watch the bots, and nobody can be caught: that would be a way out of it."""
        match, people = self._state.match, {each for each in self._state.seats if each.played_by_person}
        return bool(people) and people <= self._hurrying and match is not None and not match.catchable

    def _pause_before(self, view: View, level: BotLevel) -> tuple[float, float]:
        assert view.you is not None  # noqa: S101  # bots have seats
        in_a_row = bots_in_a_row(self._state.seats, view.you)
        return pause_before(view, Pace(self._state.settings.speed, level, in_a_row, self._is_hurried()))

    async def _pause(self, due: float) -> None:
        loop = asyncio.get_running_loop()
        while (left := due - loop.time()) > 0:
            self._sooner = self._sooner or loop.create_future()
            sooner, _ = await asyncio.wait({self._sooner}, timeout=left)
            if sooner:
                due = min(due, loop.time() + _dice.uniform(*HURRIED))

    # ------------------------------------------------------------ internals
    def _cancel_questions(self) -> None:
        for task in self._tasks:
            task.cancel()

    def _show(self, match: Match, seat: int, seat_state: SeatState, events: Sequence[Event]) -> DrivenBot:
        bot = self._driven.get(seat_state)
        if bot is None:
            bot = self._driven[seat_state] = DrivenBot(self._name(seat))
        bot.latest = Shown(match.seen(events, seat), match.view(seat))
        bot.pending.append(bot.latest)
        bot.shown += 1
        return bot

    def _name(self, seat: int) -> str:
        """Of the bot that plays there from now on."""
        return f"{self._state.code}/{self._state.number}/{seat}/{self._state.version}"

    def _drop(self, seat_state: SeatState) -> None:
        self._thinkers.forget(self._driven.pop(seat_state).who)

    def _ask(self, seat_state: SeatState, bot: DrivenBot, on_turn: bool) -> None:
        task = asyncio.get_running_loop().create_task(self._answer(seat_state, bot, on_turn))
        self._tasks.add(task)
        task.add_done_callback(lambda done: self._answered(seat_state, bot, on_turn, done))

    def _answered(self, seat_state: SeatState, bot: DrivenBot, on_turn: bool, done: asyncio.Task[None]) -> None:
        self._tasks.discard(done)
        error = None if done.cancelled() else done.exception()
        if error is not None:  # a fault of the server
            log_event(_log, "bot-failed", logging.ERROR, error=error)
            if on_turn:
                self._schedule_retry(seat_state, bot)

    def _schedule_retry(self, seat_state: SeatState, bot: DrivenBot) -> None:
        """Ask again after a pause, as the turn was not played; after too many retries make the default move."""
        decision = self._state.deciding_since
        bot.retries = bot.retries + 1 if bot.retried_decision == decision else 1
        bot.retried_decision = decision
        pause = RETRY_SECONDS * min(bot.retries, MOST_RETRIES)
        asyncio.get_running_loop().call_later(pause, self._retry, seat_state, bot, decision)

    def _retry(self, seat_state: SeatState, bot: DrivenBot, decision: int) -> None:
        latest = bot.latest
        if latest is None or latest.view.to_act != latest.view.you or decision != self._state.deciding_since:
            return
        if self._driven.get(seat_state) is not bot or not self._awake:  # it is asked again when somebody comes
            return
        if bot.retries <= MOST_RETRIES:
            bot.turn_asked = 0
            self.look()
        else:
            bot.turn_asked = decision
            self._table.note_substitute(seat_state, Substitute(None, "failed"))
            self._table.submit(BotSays(seat_state, self._state.version, str(default_move(latest.view))))

    async def _answer(self, seat_state: SeatState, bot: DrivenBot, on_turn: bool) -> None:
        state, loop = self._state, asyncio.get_running_loop()
        match, level = state.match, seat_state.level
        if match is None or level is None:
            return
        version, began = state.version, loop.time()
        shown, bot.pending = bot.pending or [bot.latest], []  # type: ignore[list-item]  # a bot that is asked was shown something
        question = Question(bot.who, level, match.players, match.options, bot.shown - len(shown), shown)
        try:
            move, substitute = await self._thinkers.ask(question)
            if move is None and on_turn:
                raise ValueError("a bot on turn must not pass")
        except Exception:
            bot.pending = [*shown, *bot.pending]  # the worker may not have got them
            raise
        await self._pause(began + _dice.uniform(*self._pause_before(shown[-1].view, level)))
        if move is not None:
            self._table.note_substitute(seat_state, substitute)
            self._table.submit(BotSays(seat_state, version, str(move)))
