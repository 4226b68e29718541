"""The bots of a table: each is shown what its seat sees, asked when there is something to say, and speaks after a
pause that has nothing to do with its cards."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from ...bots.player import worth_asking
from ...core.events import Event
from ...core.match import Match
from ...wire.parts import Speed
from ..default_move import default_move
from ..logs import log_event
from ..thinkers.port import Question, Shown, Thinkers
from .requests import BotSays
from .seats import SeatState
from .state import TableState

# seconds from … to: on turn; when somebody could be caught, or there is a card to jump in with
PAUSES: dict[Speed, tuple[tuple[float, float], tuple[float, float]]] = {
    "slow": ((1.8, 3.6), (0.9, 2.0)),
    "normal": ((0.8, 1.9), (0.6, 1.5)),
    "fast": ((0.25, 0.6), (0.3, 0.9)),
}
MOST_RETRIES = 3  # times that a bot is asked once more about a decision, before a plain move is made for it
RETRY_SECONDS = 1.0  # until then, and longer each time
_log = logging.getLogger("flipdeck.bots")
_dice = random.SystemRandom()  # for pauses, which must tell nothing and decide no card


class RequestSink(Protocol):
    """Where a bot's move goes: through the same door as everybody's."""

    def submit(self, request: BotSays) -> None: ...


@dataclass(slots=True)
class DrivenBot:
    """What one bot has been shown, and what it has been asked."""

    who: str
    shown: int = 0
    pending: list[Shown] = field(default_factory=list)
    latest: Shown | None = None
    turn_asked: int = 0  # the decision, by the version with which it began
    moment_asked: int = 0  # the version at which it could have said something out of turn
    retried_decision: int = 0  # the decision that it had nothing to say to that could be said
    retries: int = 0  # … so many times


class BotDriver:
    def __init__(self, state: TableState, thinkers: Thinkers, table: RequestSink) -> None:
        self._state = state
        self._thinkers = thinkers
        self._table = table
        self._driven: dict[SeatState, DrivenBot] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._awake = False

    # ------------------------------------------------------------ what the table does with it
    def see(self, events: Sequence[Event], spoke: int) -> None:
        """Something happened: every bot is shown what its seat saw of it.  ``spoke`` is the seat whose doing it was."""
        match = self._state.match
        if match is None:
            self.forget()
            return
        for seat, seat_state in enumerate(self._state.seats):
            if seat_state.played_by_bot:
                bot = self._show(match, seat, seat_state, events)
                if seat == spoke:
                    bot.turn_asked = 0  # a bot on turn that has caught somebody still has its turn
            elif seat_state in self._driven:
                self._drop(seat_state)
        self.look()

    def look(self) -> None:
        """Ask whoever has something to say and has not been asked yet."""
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

    def wake(self) -> None:
        """Somebody is at the table; a bot that came in the meantime sees how things stand."""
        self._awake = True
        match = self._state.match
        if match is not None and self._state.phase == "playing":
            for seat, seat_state in enumerate(self._state.seats):
                if seat_state.played_by_bot and seat_state not in self._driven:
                    self._show(match, seat, seat_state, ())
        self.look()

    def pause(self) -> None:
        """Nobody looks on: bots don't play for themselves."""
        self._awake = False
        self._cancel_questions()
        for bot in self._driven.values():
            bot.turn_asked = bot.moment_asked = 0

    def move_rejected(self, request: BotSays) -> None:
        """What a bot wanted can't be said; if it is still the one to decide, it is asked again."""
        bot = self._driven.get(request.seat_state)
        if bot is not None and request.version >= self._state.deciding_since == bot.turn_asked:
            self._schedule_retry(request.seat_state, bot)

    def forget(self) -> None:
        self._cancel_questions()
        for seat_state in list(self._driven):
            self._drop(seat_state)

    # ------------------------------------------------------------ within
    def _cancel_questions(self) -> None:
        for task in self._tasks:
            task.cancel()

    def _show(self, match: Match, seat: int, seat_state: SeatState, events: Sequence[Event]) -> DrivenBot:
        bot = self._driven.get(seat_state)
        if bot is None:
            bot = self._driven[seat_state] = DrivenBot(
                f"{self._state.code}/{self._state.number}/{seat}/{self._state.version}"
            )
        bot.latest = Shown(match.seen(events, seat), match.view(seat))
        bot.pending.append(bot.latest)
        bot.shown += 1
        return bot

    def _drop(self, seat_state: SeatState) -> None:
        self._thinkers.forget(self._driven.pop(seat_state).who)

    def _ask(self, seat_state: SeatState, bot: DrivenBot, on_turn: bool) -> None:
        task = asyncio.get_running_loop().create_task(self._answer(seat_state, bot, on_turn))
        self._tasks.add(task)
        task.add_done_callback(lambda done: self._answered(seat_state, bot, on_turn, done))

    def _answered(self, seat_state: SeatState, bot: DrivenBot, on_turn: bool, done: asyncio.Task[None]) -> None:
        self._tasks.discard(done)
        error = None if done.cancelled() else done.exception()
        if error is not None:  # a fault of ours
            log_event(_log, "bot-failed", logging.ERROR, error=error)
            if on_turn:
                self._schedule_retry(seat_state, bot)

    def _schedule_retry(self, seat_state: SeatState, bot: DrivenBot) -> None:
        """On its turn nothing came of asking.  It is asked again after a pause; no table waits for it for ever."""
        decision = self._state.deciding_since
        bot.retries = bot.retries + 1 if bot.retried_decision == decision else 1
        bot.retried_decision = decision
        pause = RETRY_SECONDS * min(bot.retries, MOST_RETRIES)
        asyncio.get_running_loop().call_later(pause, self._retry, seat_state, bot, decision)

    def _retry(self, seat_state: SeatState, bot: DrivenBot, decision: int) -> None:
        latest = bot.latest
        if latest is None or latest.view.to_act != latest.view.you or decision != self._state.deciding_since:
            return
        if self._driven.get(seat_state) is not bot or not self._awake:  # when somebody comes, it is asked again
            return
        if bot.retries <= MOST_RETRIES:
            bot.turn_asked = 0
            self.look()
        else:
            bot.turn_asked = decision
            self._table.submit(BotSays(seat_state, self._state.version, str(default_move(latest.view))))

    async def _answer(self, seat_state: SeatState, bot: DrivenBot, on_turn: bool) -> None:
        state, loop = self._state, asyncio.get_running_loop()
        match, level = state.match, seat_state.level
        if match is None or level is None:
            return
        version, began = state.version, loop.time()
        shown, bot.pending = bot.pending or [bot.latest], []  # type: ignore[list-item]  # one that is asked has seen
        question = Question(bot.who, level, match.players, match.options, bot.shown - len(shown), shown)
        try:
            move = await self._thinkers.ask(question)
            if move is None and on_turn:
                raise ValueError("who is on turn has something to say")
        except Exception:
            bot.pending = [*shown, *bot.pending]  # it may not have got there
            raise
        low, high = PAUSES[state.settings.speed][0 if on_turn else 1]
        await asyncio.sleep(max(0.0, began + _dice.uniform(low, high) - loop.time()))
        if move is not None:
            self._table.submit(BotSays(seat_state, version, str(move)))
