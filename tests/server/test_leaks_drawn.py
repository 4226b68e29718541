"""A drawn card is the drawer's secret (TURN-2, SEE-2): nobody else can tell whether one that was kept fitted.

``test_leaks`` compares tables as they stand.  Here the twin is made *before* a draw: what an observer can't know then
is redrawn, so that the card drawn may fit at one table and not at the other; then at both somebody draws, and keeps the
card: a person, a bot, or the clock when the time is up.  An observer has to get the same bytes at the same times on the
line, over HTTP and in the log, and the table must have decided the same about time: whose clock runs and until when,
and how long moves are held for catching.

What the draw shows anyway (the back of the card, and of the next one) is the same at both tables.  With
``draw_until_playable`` or ``forced_play`` the flow of play tells more, and that is public.

The second part puts leaks in on purpose; the first of them is how draws went before: a turn went on after a draw only
if the card fitted.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple

import msgspec
import pytest

from flipdeck.core.moment import Moment
from flipdeck.core.notation import Draw, Keep
from flipdeck.core.rules import turn
from flipdeck.core.rules.legal import can_play
from flipdeck.core.rules.order import pass_turn
from flipdeck.core.state import DRAWN, TURN, Game
from flipdeck.core.view import Phase, View
from flipdeck.server.lobby import Lobby
from flipdeck.server.table import bot_driver, entries
from flipdeck.server.table import state as state_module
from flipdeck.server.table.actor import Table
from flipdeck.server.table.context import Context
from flipdeck.server.table.frames import Viewer
from flipdeck.server.table.pauses import Pace, Range, pause_before
from flipdeck.server.table.state import TableState
from flipdeck.server.table.timers import RETURN_SECONDS, Timers
from flipdeck.server.thinkers.inline import InlineThinkers
from flipdeck.server.thinkers.port import BotAnswer, Question
from tests.bots.seats import THOROUGH
from tests.resampling import Slot, shown_by_events, visible_now

from .channels import CONFIG, Heap, Lines, asked_by_strangers, greeted, run, the_log
from .redrawing import RandomPosition, match_of, positions, token_of, with_own_chairs
from .test_leaks_session import Yielding

STATES = 2000 if THOROUGH else 240
CLOSED = {"draw_until_playable": False, "forced_play": False}
STILL_CATCHABLE = {**CLOSED, "catch_window": "while_one_card", "hand_size": 2}
SECONDS, GRACE = 15, 1.0
_encode = msgspec.json.encode


@pytest.fixture(autouse=True)
def a_commitment_and_pauses_that_tell_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    class Dice:
        def uniform(self, low: float, high: float) -> float:
            return (low + high) / 2

    monkeypatch.setattr(state_module, "commitment_of", lambda _: "a hash")
    monkeypatch.setattr(bot_driver, "_dice", Dice())


# ---------------------------------------------------------------- who draws
class TimedLine(Heap):
    """Keeps when each frame came as well."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[tuple[float, bytes]] = []

    def write(self, *messages: bytes) -> int:
        for message in messages:
            text = b"ping" if message.startswith(b'{"type":"ping"') else message  # they are counted, here by two tables
            self.told.append((now(), text))
        return super().write(*messages)


class Keeping(InlineThinkers):
    """Bots that draw, and keep whatever it is."""

    async def ask(self, question: Question) -> BotAnswer:
        view = question.shown[-1].view
        if view.to_act != view.you:
            return BotAnswer(None)
        return BotAnswer(Keep() if view.phase is Phase.DRAWN else Draw())


class Drawing(NamedTuple):
    """A table at which somebody is about to draw, and who that is."""

    table: Table
    lobby: Lobby
    seat: int

    async def person(self) -> None:
        state = self.table.state
        session = await greeted(self.lobby, Heap(), state.code, token_of(self.seat), state.version)
        await asyncio.sleep(3)
        for move in ("draw", "keep"):
            session.receive(_encode({"type": "move", "cmd_id": move, "version": state.version, "move": move}))
            await asyncio.sleep(3)
        session.end()

    async def clock(self) -> None:
        """Nobody says anything until the time is up, which begins when nobody is waited for any more."""
        await asyncio.sleep(RETURN_SECONDS + SECONDS + GRACE + 0.1)

    async def bot(self) -> None:
        await asyncio.sleep(3 + GRACE)


WAYS = {"a person": Drawing.person, "a bot": Drawing.bot, "the clock": Drawing.clock}


def now() -> float:
    return asyncio.get_running_loop().time()


# ---------------------------------------------------------------- what an observer gets
async def observed(state: TableState, viewer: Viewer, way: str, log: Lines) -> dict[str, list[Any]]:
    """In a loop of its own, so that the time is the same for both tables."""
    log.taken()
    drawer = state.to_act
    assert drawer is not None
    if way == "a bot":
        entries.apply(state, entries.StoodIn(seat=drawer, level="regular", why="host"))
    journal = Yielding()
    await journal.open()
    lobby = Lobby(Context(journal, Keeping()), CONFIG)
    table = lobby.tables[state.code] = Table(state, 1, lobby.context)
    line, decided, http = TimedLine(), list[Any](), list[Any]()
    honest = table._show

    def show(entry: entries.AnyEntry, events: Any) -> None:
        honest(entry, events)
        decided.append(decisions(table))

    table._show = show  # type: ignore[method-assign]
    session = await greeted(lobby, line, state.code, None if viewer is None else token_of(viewer), state.version)
    await WAYS[way](Drawing(table, lobby, drawer))
    if viewer is None:
        http += await asked_by_strangers(lobby, state)
    session.end()
    table.close()
    return {"the line": line.told, "the time": decided, "HTTP": http, "the log": log.taken()}


def decisions(table: Table) -> tuple[object, ...]:
    """What a table has decided about time: until when who may think, and until when moves are held."""
    timers = table._timers
    alarm = None if timers._alarm is None else timers._alarm.when()
    return (now(), alarm, timers._grace_until, len(timers._held), timers.note(), timers.clock_info())


def shown_soon(position: RandomPosition, viewer: Viewer) -> tuple[set[Slot], bool]:
    """What drawing and keeping show this viewer by the rules, and whether the card fits."""
    match = match_of(position.state).twin()
    drawer, slots, fits = match.to_act, set[Slot](), False
    assert drawer is not None
    for word in ("draw", "keep"):
        side = match.round.side
        if match.why_not(drawer, word) is None:  # it is legal, unless a leak was put in
            match.say(drawer, word)
        game, own_backs = match._game, match.options.own_backs
        slots |= visible_now(game, viewer, own_backs) | shown_by_events(game, side, viewer, own_backs)
        fits = fits or word == "draw" and can_play(game, drawer, game.drawn)
    return slots, fits


def about_to_draw(name: str, states: int, **fixed: object) -> Iterator[RandomPosition]:
    """Positions in which a card can be drawn, and the draw pile need not be shuffled anew."""
    for position in positions(name, 4 * states, **fixed):
        game = match_of(position.state)._game
        if game.phase == TURN and game.stock_size > 1 and position.state.phase == "playing":
            yield position
            states -= 1
        if states == 0:
            return


def compare(name: str, states: int, log: Lines, **fixed: object) -> Counter[str]:
    seen, dice, ways = Counter[str](), Random(f"{name} ways"), tuple(WAYS)
    for number, position in enumerate(about_to_draw(name, states, **fixed)):
        state, drawer, way = position.state, position.state.to_act, ways[number % len(ways)]
        state.settings = msgspec.structs.replace(state.settings, turn_seconds=SECONDS, grace_ms=int(1000 * GRACE))
        viewer = dice.choice([viewer for viewer in position.viewers if viewer != drawer])
        soon, fits = shown_soon(position, viewer)
        tables = [own(state), own(position.twin(viewer, 1, renumber=True, soon=soon))]
        twin_fits = would_fit(tables[1])
        mine, other = [run(observed(table, viewer, way, log)) for table in tables]
        for channel in mine:
            assert mine[channel] == other[channel], f"{channel} leaks to {viewer} when {way} draws"
        seen[way] += 1
        seen["kept"] += [said.text for said in match_of(tables[0]).history[-1].said[-2:]] == ["draw", "keep"]
        seen["differ"] += fits != twin_fits
        seen["catchable"] += bool(match_of(tables[0]).catchable)
    return seen


def own(state: TableState) -> TableState:
    """A table that can be played on by itself."""
    twin = with_own_chairs(state)
    twin.match, twin.rounds, twin.steps = match_of(state).twin(), [*state.rounds], [*state.steps]
    return twin


def would_fit(state: TableState) -> bool:
    game = match_of(state)._game.copy()
    card = game.stock[game.stock_size - 1]
    turn.take_card(game, game.turn)
    return can_play(game, state.to_act or 0, card) if game.phase == DRAWN else False


def compare_all(name: str, states: int, **fixed: object) -> Counter[str]:
    with the_log() as log:
        return compare(name, states, log, **fixed)


# ---------------------------------------------------------------- the test
@pytest.mark.parametrize(("name", "fixed"), [("drawn", CLOSED), ("drawn, and catchable", STILL_CATCHABLE)])
def test_nobody_can_tell_whether_a_card_that_was_drawn_and_kept_would_have_fitted(
    name: str, fixed: dict[str, object]
) -> None:
    seen = compare_all(name, STATES, **fixed)
    assert min(seen[way] for way in WAYS) >= STATES // 4
    assert seen["kept"] == STATES, "somebody has not drawn and kept"
    assert seen["differ"] > STATES // 8, "the card must fit at one of the two tables"
    assert seen["catchable"] or fixed is CLOSED, "nobody could be caught"


# ---------------------------------------------------------------- leaks put in on purpose
PlantedLeak = Callable[[pytest.MonkeyPatch], None]


def a_turn_that_goes_on_only_if_the_card_fits(patch: pytest.MonkeyPatch) -> None:
    """As it was before."""
    honest = turn.take_card

    def take_card(g: Game, seat: int) -> None:
        honest(g, seat)
        if g.phase == DRAWN and not can_play(g, seat, g.drawn):
            pass_turn(g, 1)

    patch.setattr(turn, "take_card", take_card)


def fits(state: TableState) -> bool:
    game = match_of(state)._game
    return game.phase == DRAWN and can_play(game, game.turn, game.drawn)


def a_clock_that_begins_anew_if_there_is_a_choice(patch: pytest.MonkeyPatch) -> None:
    honest = entries.Moved._set_decision

    def set_decision(self: entries.Moved, state: TableState, *about: Any) -> None:
        honest(self, state, *about)
        if fits(state):
            state.timed_since = state.version

    patch.setattr(entries.Moved, "_set_decision", set_decision)


def time_to_look_at_a_card_that_the_clock_drew(patch: pytest.MonkeyPatch) -> None:
    honest = entries.Moved._set_decision

    def set_decision(self: entries.Moved, state: TableState, *about: Any) -> None:
        honest(self, state, *about)
        if state.overdue and fits(state):
            state.overdue, state.timed_since = False, state.version

    patch.setattr(entries.Moved, "_set_decision", set_decision)


def a_grace_where_there_is_a_choice(patch: pytest.MonkeyPatch) -> None:
    honest = Timers._set_grace

    def set_grace(self: Timers) -> None:
        honest(self)
        if fits(self._state):
            self._grace_until = now() + GRACE

    patch.setattr(Timers, "_set_grace", set_grace)


def a_bot_that_keeps_at_once_what_does_not_fit(patch: pytest.MonkeyPatch) -> None:
    def looking(view: View, pace: Pace) -> Range:
        return pause_before(view, pace) if any("/" in str(move) for move in view.legal) else (0.1, 0.1)

    patch.setattr(bot_driver, "pause_before", looking)


def the_drawn_card_for_all_seats(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Moment, "_has_drawn", lambda self, _seat: self.game.phase == DRAWN)


LEAKS: dict[str, PlantedLeak] = {
    "the turn goes on after a draw only if the card fits": a_turn_that_goes_on_only_if_the_card_fits,
    "new time for a card that fits": a_clock_that_begins_anew_if_there_is_a_choice,
    "time to look at what the clock drew": time_to_look_at_a_card_that_the_clock_drew,
    "a grace where there is a choice": a_grace_where_there_is_a_choice,
    "a bot that keeps at once what does not fit": a_bot_that_keeps_at_once_what_does_not_fit,
    "the drawn card in every view": the_drawn_card_for_all_seats,
}


@pytest.mark.parametrize("name", LEAKS)
def test_a_draw_that_tells_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    compare_all(f"leak {name}", 3, **CLOSED)
    LEAKS[name](monkeypatch)
    with pytest.raises(AssertionError, match="leaks to"):
        compare_all(f"leak {name}", 100, **CLOSED)
