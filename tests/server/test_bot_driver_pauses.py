"""The time a bot takes tells nothing of its cards: it comes from dice, and from what everybody knows.

What may count is how fast the bots of the table are set to be, how good they are and how many sit in a row, whether it
is the bot's turn, whether it has drawn, whether somebody can be caught, and whether everybody is in a hurry.
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
from flipdeck.server.table.bot_driver import BotDriver
from flipdeck.server.table.decide import decide
from flipdeck.server.table.pauses import CATCHING, HURRIED, PAUSES, Pace, Range, bots_in_a_row, pause_before
from flipdeck.server.table.requests import BotSays
from flipdeck.server.table.seats import SeatState
from flipdeck.server.thinkers.inline import InlineThinkers
from flipdeck.server.thinkers.port import BotAnswer, Question
from flipdeck.wire.parts import BotLevel, Settings, Speed, Substitute

from . import virtual
from .playing import offered_table

SPEEDS: Sequence[Speed] = get_args(Speed)
LEVELS: Sequence[BotLevel] = get_args(BotLevel)
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
    level: str
    seats: int
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
        self.asked_at[view.you, self.version] = (asyncio.get_running_loop().time(), moment_of(view, question.level))
        await asyncio.sleep(min(0.2, sum(map(ord, "".join(map(str, view.hand)))) % 100 / 500))
        return BotAnswer(self._dice.choice(view.legal))


def moment_of(view: View, level: str) -> Asked:
    fits = any(isinstance(move, Play) for move in view.legal)
    if view.catchable:
        when = "catching"
    elif view.to_act != view.you:
        when = "out_of_turn"
    else:
        when = "after_draw" if view.phase is Phase.DRAWN else "on_turn"
    return Asked(when, level, 1 + len(view.others), fits)


class TableOfBots:
    """Every seat is a bot's; what they say is carried out, and when they said it is noted."""

    def __init__(self, speed: Speed, dice: Random, thinkers: Pondering) -> None:
        table = offered_table(dice)
        options = {**table.options, "hand_size": 3}  # soon somebody can be caught
        settings = Settings(table.edition, options, table.players, speed=speed)  # type: ignore[arg-type]
        self.state = entries.Made(code="K7QM2XRD", settings=settings, seed="00" * 32, replay="r").make_state()
        self.state.seats = [SeatState("bot", level=dice.choice(LEVELS), ready=True) for _ in range(table.players)]
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


def expected(speed: Speed, moment: Asked) -> Range:
    """Written out once more, from the constants."""
    pauses = PAUSES[speed]
    if moment.when == "catching":
        low, high = CATCHING[moment.level]  # type: ignore[index]  # one of them, by test
        return low * pauses.catching, high * pauses.catching
    low, high = getattr(pauses, moment.when)
    share = min(1.0, pauses.lap / moment.seats / (sum(pauses.on_turn) / 2))
    return (low, high) if share == 1 else (max(0.21, low * share), max(0.3, high * share))


@pytest.mark.parametrize("speed", SPEEDS)
def test_a_pause_depends_on_what_everybody_knows_alone(speed: Speed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_driver, "_dice", Dice())
    pauses = play_tables(speed, 12)
    assert pauses == {moment: {round(pause_within(*expected(speed, moment)), 6)} for moment in pauses}
    both = {(moment.when, moment.fits) for moment in pauses}
    assert {("after_draw", True), ("after_draw", False)} <= both, "cards that fit were drawn, and others"
    assert {"catching", "out_of_turn", "on_turn"} <= {moment.when for moment in pauses}


def test_a_pause_that_waits_for_the_thought_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check itself: dice that add nothing leave only the time the thought took."""

    class NoDice:
        def uniform(self, _low: float, _high: float) -> float:
            return 0.0

    monkeypatch.setattr(bot_driver, "_dice", NoDice())
    taken = play_tables("fast", 4)
    assert len({pause for moment, pauses in taken.items() if moment.when == "on_turn" for pause in pauses}) > 10


def test_a_bot_that_keeps_at_once_what_does_not_fit_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check itself: a pause that looks at what the bot may say is not the same for all."""

    def looking(view: View, pace: Pace) -> Range:
        return (0.0, 0.0) if [str(move) for move in view.legal] == ["keep"] else pause_before(view, pace)

    monkeypatch.setattr(bot_driver, "pause_before", looking)
    drawn = [(moment.fits, taken) for moment, taken in play_tables("fast", 4).items() if moment.when == "after_draw"]
    shortest = {each: min(min(taken) for fits, taken in drawn if fits is each) for each in (True, False)}
    assert shortest[False] < 0.21 <= shortest[True]


# ---------------------------------------------------------------- how long they are
PACES = [
    Pace(speed, level, seats, hurried)
    for speed in SPEEDS
    for level in LEVELS
    for seats in (1, 3, 9)
    for hurried in (False, True)
]


def some_views() -> list[View]:
    """Of every seat of a match whose players play what they can, and never say UNO."""
    match = Match("classic", 3, seed=bytes(32), options={"hand_size": 3, "target": 2000})
    views: list[View] = []
    while len(views) < 300 and not match.over:
        if match.to_act is None:
            match.next_round()
            continue
        views += [match.view(seat) for seat in range(3)]
        legal = match.view(match.to_act).legal
        plays = [move for move in legal if isinstance(move, Play) and not move.uno]
        match.say(match.to_act, str([*plays, *legal][0]))
    return views


def test_every_pause_is_longer_than_a_thought_may_seem() -> None:
    """A bot that spoke as soon as it knew would tell how hard its hand was."""
    assert (set(PAUSES), set(CATCHING)) == (set(SPEEDS), set(LEVELS))
    views = some_views()
    assert any(view.catchable for view in views)
    for pace in PACES:
        for view in views:
            low, high = pause_before(view, pace)
            assert 0.2 < low < high


def test_nobody_escapes_a_catch_by_hurrying() -> None:
    for view in some_views():
        for pace in PACES:
            pause = pause_before(view, pace)
            assert (pause == HURRIED) == (pace.hurried and not view.catchable)


def test_what_becomes_of_a_drawn_card_is_said_sooner_than_a_move_so_that_laps_stay_short() -> None:
    for pauses in PAUSES.values():
        assert pauses.after_draw[0] < pauses.on_turn[0]
        assert sum(pauses.after_draw) < 0.7 * sum(pauses.on_turn)


def test_the_better_a_bot_is_the_sooner_it_catches() -> None:
    ranges = [CATCHING[level] for level in LEVELS]
    assert ranges == sorted(ranges, reverse=True)
    assert all(low >= 0.6 for low, _ in ranges), "nobody presses a button faster than that"


@pytest.mark.parametrize("speed", SPEEDS)
def test_nine_bots_in_a_row_take_hardly_longer_than_a_few(speed: Speed) -> None:
    (view,) = [view for view in some_views() if view.to_act == view.you and not view.catchable][:1]
    pauses = PAUSES[speed]
    for seats in range(1, 10):
        low, high = pause_before(view, Pace(speed, "casual", seats, hurried=False))
        lap = seats * (low + high) / 2
        assert lap <= 1.05 * pauses.lap  # the shortest pauses are no shorter
    assert pauses.lap <= {"slow": 12, "normal": 5, "fast": 3}[speed]


def test_bots_are_counted_in_a_row_around_the_table() -> None:
    bot, person = SeatState("bot", level="casual"), SeatState("person")
    assert [bots_in_a_row([person, bot, bot, person, bot], seat) for seat in (1, 2, 4)] == [2, 2, 1]
    assert bots_in_a_row([bot, bot, person, bot], 0) == 3
    assert bots_in_a_row([bot, bot, bot], 1) == 3
    assert bots_in_a_row([person, bot], 1) == 1
