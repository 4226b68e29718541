"""The time a bot takes tells nothing of its cards: it comes from dice, and from what everybody knows.

What may count is how fast the bots of the table are set to be, whether it is the bot's turn, and whether it has drawn.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import get_args

import pytest

from flipdeck.core.match import Match
from flipdeck.core.notation import Play
from flipdeck.core.view import Phase, View
from flipdeck.server.table import bot_driver, entries
from flipdeck.server.table.bot_driver import PAUSES, BotDriver, Pauses
from flipdeck.server.table.decide import decide
from flipdeck.server.table.requests import BotSays
from flipdeck.server.table.seats import SeatState
from flipdeck.server.thinkers.inline import InlineThinkers
from flipdeck.server.thinkers.port import BotAnswer, Question
from flipdeck.wire.parts import Settings, Speed, Substitute

from . import virtual
from .playing import offered_table

SPEEDS: Sequence[Speed] = get_args(Speed)
SAYINGS = 40  # of bots, at each table
SPREAD = 0.25  # where between the shortest and the longest pause these dice always fall


class Dice:
    def __init__(self) -> None:
        self.asked: set[tuple[float, float]] = set()

    def uniform(self, low: float, high: float) -> float:
        self.asked.add((low, high))
        return pause_within(low, high)


def pause_within(low: float, high: float) -> float:
    return low + SPREAD * (high - low)


@dataclass(frozen=True)
class Asked:
    """What everybody knows of the bot that is asked, and what only the bot knows."""

    when: str  # the name of a pause
    fits: bool  # it has something to play


class Pondering(InlineThinkers):
    """Thinks the longer, the more cards it has and the higher they sort; says anything legal."""

    def __init__(self, dice: Random) -> None:
        super().__init__()
        self.asked_at: dict[tuple[int, int], tuple[float, Asked]] = {}  # by seat and version
        self.version = 0
        self._dice = dice

    async def ask(self, question: Question) -> BotAnswer:
        view = question.shown[-1].view
        assert view.you is not None
        self.asked_at[view.you, self.version] = (asyncio.get_running_loop().time(), moment_of(view))
        await asyncio.sleep(min(0.2, sum(map(ord, "".join(map(str, view.hand)))) % 100 / 500))
        return BotAnswer(self._dice.choice(view.legal))


def moment_of(view: View) -> Asked:
    fits = any(isinstance(move, Play) for move in view.legal)
    if view.to_act != view.you:
        return Asked("out_of_turn", fits)
    return Asked("after_draw" if view.phase is Phase.DRAWN else "on_turn", fits)


class TableOfBots:
    """Every seat is a bot's; what they say is carried out, and when they said it is noted."""

    def __init__(self, speed: Speed, dice: Random, thinkers: Pondering) -> None:
        table = offered_table(dice)
        settings = Settings(table.edition, table.options, table.players, speed=speed)  # type: ignore[arg-type]
        self.state = entries.Made(code="K7QM2XRD", settings=settings, seed="00" * 32, replay="r").make_state()
        self.state.seats = [SeatState("bot", level="casual", ready=True) for _ in range(table.players)]
        self.pauses: dict[Asked, set[float]] = {}
        self.said = 0
        self._thinkers = thinkers
        self._minder = BotDriver(self.state, thinkers, self)

    async def play(self) -> None:
        self._minder.wake()
        self._carry_out(entries.Started())
        while self.said < SAYINGS and self.match.to_act is not None:
            await asyncio.sleep(0.5)
        self._minder.pause()

    @property
    def match(self) -> Match:
        assert self.state.match is not None
        return self.state.match

    def submit(self, request: BotSays) -> None:
        asked_at, moment = self._thinkers.asked_at[self.state.seat_of(request.seat_state), request.version]
        self.pauses.setdefault(moment, set()).add(round(asyncio.get_running_loop().time() - asked_at, 6))
        self.said += 1
        entry = decide(self.state, None, request, ())
        if entry is None:
            self._minder.move_rejected(request)
        else:
            self._carry_out(entry)

    def note_substitute(self, seat_state: SeatState, substitute: Substitute | None) -> None:
        assert seat_state in self.state.seats
        assert substitute is None, "here every bot plays itself"

    def _carry_out(self, entry: entries.AnyEntry) -> None:
        events = entries.apply(self.state, entry)
        self._thinkers.version = self.state.version
        self._minder.see(events, entry.seat)


def play_tables(speed: Speed, tables: int) -> dict[Asked, set[float]]:
    """How long bots took."""
    dice = Random(f"pauses {speed}")
    pauses: dict[Asked, set[float]] = {}
    for _ in range(tables):
        table = TableOfBots(speed, dice, Pondering(dice))
        virtual.run(table.play())
        for moment, seconds in table.pauses.items():
            pauses.setdefault(moment, set()).update(seconds)
    return pauses


@pytest.mark.parametrize("speed", SPEEDS)
def test_a_pause_depends_on_the_speed_and_on_what_everybody_sees_alone(
    speed: Speed, monkeypatch: pytest.MonkeyPatch
) -> None:
    dice = Dice()
    monkeypatch.setattr(bot_driver, "_dice", dice)
    pauses = play_tables(speed, 12)
    seconds = {when: round(pause_within(*pause), 6) for when, pause in PAUSES[speed]._asdict().items()}
    assert pauses == {moment: {seconds[moment.when]} for moment in pauses}
    assert dice.asked == set(PAUSES[speed])
    both = {(moment.when, moment.fits) for moment in pauses}
    assert {("after_draw", True), ("after_draw", False)} <= both, "cards that fit were drawn, and others"


def test_a_pause_that_waits_for_the_thought_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check itself: dice that add nothing leave only the time the thought took."""

    class NoDice:
        def uniform(self, _low: float, _high: float) -> float:
            return 0.0

    monkeypatch.setattr(bot_driver, "_dice", NoDice())
    assert len(play_tables("fast", 4)[Asked("on_turn", fits=True)]) > 10


def test_a_bot_that_keeps_at_once_what_does_not_fit_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check itself: a pause that looks at what the bot may say is not the same for all."""
    honest = Pauses.before

    def before(self: Pauses, view: View) -> tuple[float, float]:
        return (0.0, 0.0) if [str(move) for move in view.legal] == ["keep"] else honest(self, view)

    monkeypatch.setattr(Pauses, "before", before)
    pauses = play_tables("fast", 4)
    fits, does_not = (pauses[Asked("after_draw", fits=fits)] for fits in (True, False))
    assert min(does_not) < PAUSES["fast"].after_draw[0] <= min(fits)


def test_every_pause_is_longer_than_a_thought_may_seem() -> None:
    """A bot that spoke as soon as it knew would tell how hard its hand was."""
    assert set(PAUSES) == set(SPEEDS)
    for pauses in PAUSES.values():
        for low, high in pauses:
            assert 0.2 < low < high


def test_what_becomes_of_a_drawn_card_is_said_sooner_than_a_move_so_that_laps_stay_short() -> None:
    for pauses in PAUSES.values():
        assert pauses.after_draw[0] < pauses.on_turn[0]
        assert sum(pauses.after_draw) < 0.7 * sum(pauses.on_turn)
