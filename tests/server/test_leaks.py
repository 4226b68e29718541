"""Nobody is told what they can't know: redraw all of that, and no byte of what the server writes changes.

For 10,000 states of tables with any options (2,000 of them with ``make test``), for every seat and a spectator: a twin
of the table that looks the same to this viewer (``redrawing``) has to be told in the very same bytes.  What is compared
in each state:

- the ``update`` of the last step, written for all viewers at once on one side and for this viewer alone on the other,
  so that a text kept from one viewer for the next is found as well;
- the ``welcome`` with the steps missed: the last few, and all of the match at the end of each run.  A viewer knows
  what lies open now and what those steps have shown; the twin's steps are told anew from the twin's cards.  What
  earlier steps have shown is taken for unknown, which is stricter than the truth;
- in the ``welcome``, the table as everybody may see it: while the match is not over, the twin has another seed and
  another name for its replay;
- the refusal that a seat gets for what it may not say, or that it gets none: cards that it holds with a true or a
  false back, cards of others, moves out of turn; one seat in each state.

The second part puts leaks into the server on purpose: each must be found.  (``test_doors`` goes through real tables
and sessions, ``test_secrets`` through whole matches, with logs; ``test_pauses`` looks at how long bots take.)
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from random import Random

import msgspec
import pytest

from flipdeck.core.cards import Card, Seat
from flipdeck.core.errors import Refusal
from flipdeck.core.events import Event
from flipdeck.core.match import Match
from flipdeck.core.reading import card_named
from flipdeck.core.state import Game
from flipdeck.core.view import Moment
from flipdeck.server import deciding, showing
from flipdeck.server import state as state_module
from flipdeck.server.showing import frame
from flipdeck.server.state import TableState
from flipdeck.wire import asked, told
from flipdeck.wire.errors import TableRefusal
from flipdeck.wire.parts import ClockInfo, TableInfo
from tests.bots.seats import THOROUGH
from tests.resampling import sayings

from .redrawing import Position, Viewer, match_of, positions

pytestmark = pytest.mark.long

STATES, PARTS = 10_000 if THOROUGH else 2_000, 8
SAID = 6  # things that one of the seats tries in each state
CLOCK = ClockInfo(0, 1000, 2000, running=True)
CHAT = (told.Said(0, "Ana", "hello"),)


@pytest.fixture(autouse=True)
def a_commitment_that_tells_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is public, and the hash of a secret: that alone may differ between two seeds."""
    monkeypatch.setattr(state_module, "commitment_of", lambda _: "a hash")


# ---------------------------------------------------------------- what a viewer is told
def table_of(state: TableState) -> TableInfo:
    return state.info(state.chairs[:1], 2, 1234)


def updates_of(state: TableState, viewers: Iterable[Viewer]) -> dict[Viewer, bytes]:
    version, events = state.steps[-1]
    return showing.updates(version, events, state.match, list(viewers), CLOCK, None)


def told_to(state: TableState, viewer: Viewer, have: int, said: list[str]) -> list[bytes]:
    """All but the update."""
    table = table_of(state)
    missed = state.missed_since(have)
    welcome = showing.welcome("1", viewer, state.version, table, state.match, CLOCK, missed, CHAT)
    return [welcome, *(answer_to(state, viewer, move) for move in said)]


def answer_to(state: TableState, viewer: Viewer, move: str) -> bytes:
    chair = None if viewer is None else state.chairs[viewer]
    try:
        deciding.decide(state, chair, asked.Move("a", state.version, move), ())
    except TableRefusal as refusal:
        text = str(refusal)
        return frame(told.Refused(refusal.code, refusal.reason, text, "a", state.version, refusal.facts))
    return b"it would be carried out"


def check(position: Position, dice: Random, everything: bool = False) -> None:
    """In this state: for every seat and a spectator, redraw and compare."""
    state, game = position.state, match_of(position.state)._game
    steps = len(position.moments) if everything else min(len(position.moments), dice.choice((1, 1, 1, 1, 4)))
    have = 0 if everything else position.moments[-steps].version - 1
    renumbered, talker = dice.choice(position.viewers), dice.choice(position.viewers[1:])
    updates = updates_of(state, dice.sample(position.viewers, len(position.viewers)))
    for viewer in position.viewers:
        said = dice.sample(sayings(game, viewer, dice), SAID) if viewer is not None and viewer == talker else []
        twin = position.twin(viewer, steps, renumber=viewer == renumbered)
        assert updates_of(twin, [viewer])[viewer] == updates[viewer], f"an update leaks to {viewer}"
        for mine, other in zip(told_to(state, viewer, have, said), told_to(twin, viewer, have, said), strict=True):
            assert mine == other, f"leaks to {viewer}: {mine!r}"


def check_states(name: str, states: int, **fixed: object) -> None:
    dice, last = Random(f"{name} checks"), None
    for position in positions(name, states, **fixed):
        if last is not None and position is not last:
            check(last, dice, everything=True)
        check(position, dice)
        last = position


@pytest.mark.parametrize("part", range(PARTS))
def test_no_byte_that_a_viewer_is_told_depends_on_what_it_cannot_know(part: int) -> None:
    check_states(f"leaks {part}", STATES // PARTS)


# ---------------------------------------------------------------- the check itself
def test_the_twin_of_a_table_is_another_one() -> None:
    """A twin that changed nothing would pass everything."""
    for position in positions("another", 30):
        state = position.state
        for viewer in position.viewers:
            twin = position.twin(viewer, 1, renumber=True)
            mine, other = match_of(state)._game, match_of(twin)._game
            changed = [named(mine, mine.stock) != named(other, other.stock)] if mine.stock_size > 3 else []
            assert all(changed)
            assert match_of(state).over or (state.seed != twin.seed and state.replay != twin.replay)
            assert other.stock != mine.stock


def test_the_steps_of_a_twin_tell_of_its_own_cards() -> None:
    differ = 0
    for position in positions("told again", 60, own_backs="hidden"):
        for viewer in position.viewers:
            twin = position.twin(viewer, len(position.moments), renumber=False)
            assert [version for version, _ in twin.steps] == [version for version, _ in position.state.steps]
            differ += twin.steps != position.state.steps
    assert differ > 200


def named(game: Game, cards: list[int]) -> list[Card]:
    return [card_named(game, card) for card in cards[: game.stock_size]]


# ---------------------------------------------------------------- leaks put in on purpose
Leak = Callable[[pytest.MonkeyPatch], None]


def unredacted_events(patch: pytest.MonkeyPatch) -> None:
    def seen(_match: Match, events: Iterable[Event], _seat: int | None) -> tuple[Event, ...]:
        return tuple(events)

    patch.setattr(Match, "seen", seen)


def events_kept_by_kind(patch: pytest.MonkeyPatch) -> None:
    """What one viewer was told of a kind of event is told to the next as well."""

    def text(self: showing.EventTexts, event: Event) -> bytes:
        key = hash((event.what, event.seat))
        return self._texts.setdefault(key, msgspec.json.encode(event.to_dict()))

    patch.setattr(showing.EventTexts, "_text", text)


def one_view_for_all(patch: pytest.MonkeyPatch) -> None:
    honest = Moment.text
    first: dict[int, tuple[Moment, str]] = {}

    def text(self: Moment, seat: Seat | None) -> str:
        return first.setdefault(id(self), (self, honest(self, seat)))[1]

    patch.setattr(Moment, "text", text)


def hands_as_a_spectator_sees_them(patch: pytest.MonkeyPatch) -> None:
    """Among them is one's own, whose backs a player may not know at some tables."""
    honest = Match.view_text

    def view_text(self: Match, seat: int | None) -> str:
        others = json.loads(honest(self, None))["others"]
        return json.dumps({**json.loads(honest(self, seat)), "others": others}, separators=(",", ":"))

    patch.setattr(Match, "view_text", view_text)


def the_replay_in_the_table(patch: pytest.MonkeyPatch) -> None:
    honest = TableState.info

    def info(self: TableState, *about: object) -> TableInfo:
        return msgspec.structs.replace(honest(self, *about), replay=self.replay)  # type: ignore[arg-type]

    patch.setattr(TableState, "info", info)


def the_seed_in_the_table(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(state_module, "commitment_of", bytes.hex)


def the_next_card_in_a_refusal(patch: pytest.MonkeyPatch) -> None:
    honest = TableRefusal.of_game
    next_cards: list[str] = []
    decide = deciding.decide

    def remembering(state: TableState, *about: object) -> object:
        game = match_of(state)._game
        next_cards.append(str(card_named(game, game.stock[game.stock_size - 1])))
        return decide(state, *about)  # type: ignore[arg-type]

    def of_game(refusal: Refusal) -> TableRefusal:
        made = honest(refusal)
        made.facts["next"] = next_cards[-1]
        return made

    patch.setattr(deciding, "decide", remembering)
    patch.setattr(TableRefusal, "of_game", of_game)


LEAKS: dict[str, tuple[Leak, dict[str, object]]] = {
    "events as they are": (unredacted_events, {}),
    "an event as somebody else sees it": (events_kept_by_kind, {}),
    "the view of somebody else": (one_view_for_all, {}),
    "the own backs, as a spectator sees them": (hands_as_a_spectator_sees_them, {"own_backs": "hidden"}),
    "the name of the replay": (the_replay_in_the_table, {}),
    "the seed": (the_seed_in_the_table, {}),
    "the next card in the facts of a refusal": (the_next_card_in_a_refusal, {}),
}


@pytest.mark.parametrize("name", LEAKS)
def test_a_leak_put_in_on_purpose_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    leak, options = LEAKS[name]
    check_states(f"leak {name}", 5, **options)
    leak(monkeypatch)
    with pytest.raises(AssertionError, match="leak"):
        check_states(f"leak {name}", 200, **options)
