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
from ..default_move import in_need
from ..logs import log_event
from ..thinkers.port import Question, Shown, Thinkers
from .requests import BotSays
from .seats import Chair
from .state import TableState

# seconds from … to: on turn; when somebody could be caught, or there is a card to jump in with
PAUSES: dict[Speed, tuple[tuple[float, float], tuple[float, float]]] = {
    "slow": ((1.8, 3.6), (0.9, 2.0)),
    "normal": ((0.8, 1.9), (0.6, 1.5)),
    "fast": ((0.25, 0.6), (0.3, 0.9)),
}
MOST_STUMBLES = 3  # times that a bot is asked once more about a decision, before a plain move is made for it
STUMBLE_SECONDS = 1.0  # until then, and longer each time
_log = logging.getLogger("flipdeck.bots")
_dice = random.SystemRandom()  # for pauses, which must tell nothing and decide no card


class Spoken(Protocol):
    """Where a bot's move goes: through the same door as everybody's."""

    def submit(self, wish: BotSays) -> None: ...


@dataclass(slots=True)
class Mind:
    """What one bot has been shown, and what it has been asked."""

    who: str
    shown: int = 0
    pending: list[Shown] = field(default_factory=list)
    latest: Shown | None = None
    turn_asked: int = 0  # the decision, by the version with which it began
    moment_asked: int = 0  # the version at which it could have said something out of turn
    stumbled_over: int = 0  # the decision that it had nothing to say to that could be said
    stumbles: int = 0  # … so many times


class Minder:
    def __init__(self, state: TableState, thinkers: Thinkers, table: Spoken) -> None:
        self._state = state
        self._thinkers = thinkers
        self._table = table
        self._minds: dict[Chair, Mind] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._awake = False

    # ------------------------------------------------------------ what the table does with it
    def see(self, events: Sequence[Event], spoke: int) -> None:
        """Something happened: every bot is shown what its seat saw of it.  ``spoke`` is the seat whose doing it was."""
        match = self._state.match
        if match is None:
            self.forget()
            return
        for seat, chair in enumerate(self._state.chairs):
            if chair.played_by_bot:
                mind = self._show(match, seat, chair, events)
                if seat == spoke:
                    mind.turn_asked = 0  # a bot on turn that has caught somebody still has its turn
            elif chair in self._minds:
                self._drop(chair)
        self.look()

    def look(self) -> None:
        """Ask whoever has something to say and has not been asked yet."""
        if not self._awake or self._state.phase != "playing":
            return
        for chair, mind in self._minds.items():
            latest = mind.latest
            if latest is None:
                continue
            if latest.view.to_act == latest.view.you:
                if mind.turn_asked != self._state.deciding_since:
                    mind.turn_asked = self._state.deciding_since
                    self._ask(chair, mind, on_turn=True)
            elif mind.moment_asked != self._state.version and worth_asking(latest.view):
                mind.moment_asked = self._state.version
                self._ask(chair, mind, on_turn=False)

    def wake(self) -> None:
        """Somebody is at the table; a bot that came in the meantime sees how things stand."""
        self._awake = True
        match = self._state.match
        if match is not None and self._state.phase == "playing":
            for seat, chair in enumerate(self._state.chairs):
                if chair.played_by_bot and chair not in self._minds:
                    self._show(match, seat, chair, ())
        self.look()

    def pause(self) -> None:
        """Nobody looks on: bots don't play for themselves."""
        self._awake = False
        self._stop_asking()
        for mind in self._minds.values():
            mind.turn_asked = mind.moment_asked = 0

    def said_in_vain(self, wish: BotSays) -> None:
        """What a bot wanted can't be said; if it is still the one to decide, it is asked again."""
        mind = self._minds.get(wish.chair)
        if mind is not None and wish.version >= self._state.deciding_since == mind.turn_asked:
            self._stumbled(wish.chair, mind)

    def forget(self) -> None:
        self._stop_asking()
        for chair in list(self._minds):
            self._drop(chair)

    # ------------------------------------------------------------ within
    def _stop_asking(self) -> None:
        for task in self._tasks:
            task.cancel()

    def _show(self, match: Match, seat: int, chair: Chair, events: Sequence[Event]) -> Mind:
        mind = self._minds.get(chair)
        if mind is None:
            mind = self._minds[chair] = Mind(f"{self._state.code}/{self._state.number}/{seat}/{self._state.version}")
        mind.latest = Shown(match.seen(events, seat), match.view(seat))
        mind.pending.append(mind.latest)
        mind.shown += 1
        return mind

    def _drop(self, chair: Chair) -> None:
        self._thinkers.forget(self._minds.pop(chair).who)

    def _ask(self, chair: Chair, mind: Mind, on_turn: bool) -> None:
        task = asyncio.get_running_loop().create_task(self._answer(chair, mind, on_turn))
        self._tasks.add(task)
        task.add_done_callback(lambda done: self._answered(chair, mind, on_turn, done))

    def _answered(self, chair: Chair, mind: Mind, on_turn: bool, done: asyncio.Task[None]) -> None:
        self._tasks.discard(done)
        error = None if done.cancelled() else done.exception()
        if error is not None:  # a fault of ours
            log_event(_log, "bot-failed", logging.ERROR, error=error)
            if on_turn:
                self._stumbled(chair, mind)

    def _stumbled(self, chair: Chair, mind: Mind) -> None:
        """On its turn nothing came of asking.  It is asked again after a pause; no table waits for it for ever."""
        decision = self._state.deciding_since
        mind.stumbles = mind.stumbles + 1 if mind.stumbled_over == decision else 1
        mind.stumbled_over = decision
        pause = STUMBLE_SECONDS * min(mind.stumbles, MOST_STUMBLES)
        asyncio.get_running_loop().call_later(pause, self._get_up, chair, mind, decision)

    def _get_up(self, chair: Chair, mind: Mind, decision: int) -> None:
        latest = mind.latest
        if latest is None or latest.view.to_act != latest.view.you or decision != self._state.deciding_since:
            return
        if self._minds.get(chair) is not mind or not self._awake:  # when somebody comes, it is asked again
            return
        if mind.stumbles <= MOST_STUMBLES:
            mind.turn_asked = 0
            self.look()
        else:
            mind.turn_asked = decision
            self._table.submit(BotSays(chair, self._state.version, str(in_need(latest.view))))

    async def _answer(self, chair: Chair, mind: Mind, on_turn: bool) -> None:
        state, loop = self._state, asyncio.get_running_loop()
        match, level = state.match, chair.level
        if match is None or level is None:
            return
        version, began = state.version, loop.time()
        shown, mind.pending = mind.pending or [mind.latest], []  # type: ignore[list-item]  # one that is asked has seen
        question = Question(mind.who, level, match.players, match.options, mind.shown - len(shown), shown)
        try:
            move = await self._thinkers.ask(question)
            if move is None and on_turn:
                raise ValueError("who is on turn has something to say")
        except Exception:
            mind.pending = [*shown, *mind.pending]  # it may not have got there
            raise
        low, high = PAUSES[state.settings.speed][0 if on_turn else 1]
        await asyncio.sleep(max(0.0, began + _dice.uniform(low, high) - loop.time()))
        if move is not None:
            self._table.submit(BotSays(chair, version, str(move)))
