"""Nobody is told what they can't know: redraw all of that, and no byte of what the server lets out changes.

For 10,000 states of tables with any options, for every seat and a spectator: a twin of the table that looks the same to
this viewer (``redrawing``) has to be told in the very same bytes.  All of them take one to two minutes of a core, so
that ``make test`` has 1,000 and ``make test-long`` all.  What is compared in each state:

- the ``update`` of the last step, written for all viewers at once on one side and for this viewer alone on the other,
  so that a text kept from one viewer for the next is found as well;
- every frame that a real session gets at a real table (``channels``): the ``welcome`` with the steps missed (the last
  few, and all of the match at the end of each run) and with the table as everybody may see it, though the twin has
  another seed and another name for its replay; chat and emotes, one's own and those of others; the refusals of
  commands, of what can't be read, and of moves: cards that it holds with a true or a false back, cards of others, moves
  out of turn; and of what it may do, since the journal takes nothing.  One seat in each state tries much, the others
  chat, something that can't be read, and a card;
- what the server answers to whoever asks over HTTP: the table, the list of tables, the replay before the end.  Nobody
  who asks there knows more than a spectator;
- every line of the log meanwhile, with the time of the virtual clock.

A viewer knows what lies open now and what the steps missed have shown; the twin's steps are told anew from the twin's
cards.  What earlier steps have shown is taken for unknown, which is stricter than the truth.

The second part puts leaks into the server on purpose: each must be found.  (``test_leaks_session`` goes through HTTP
itself and lets a journal write, ``test_leaks_drawn`` plays on with both tables after a draw, ``test_leaks_match`` goes
through whole matches; ``test_bot_driver_pauses`` looks at how long bots take.)
"""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from random import Random

import msgspec
import pytest

from flipdeck.core.cards import Card, Seat
from flipdeck.core.errors import Refusal
from flipdeck.core.events import Event
from flipdeck.core.match import Match
from flipdeck.core.moment import Moment
from flipdeck.core.reading import card_named
from flipdeck.core.state import Game
from flipdeck.server import lobby, public_list
from flipdeck.server.journal import JournalError
from flipdeck.server.logs import log_event
from flipdeck.server.table import actor, decide, frames
from flipdeck.server.table import state as state_module
from flipdeck.server.table.actor import Table
from flipdeck.server.table.connections import TablePresence
from flipdeck.server.table.frames import Viewer
from flipdeck.server.table.state import TableState
from flipdeck.wire import rest, server_messages
from flipdeck.wire.errors import TableRefusal
from flipdeck.wire.parts import ClockInfo, TableInfo
from tests.bots.seats import THOROUGH
from tests.resampling import sayings

from .channels import Lines, ViewerScript, heard, run, the_log
from .redrawing import RandomPosition, match_of, positions

STATES, PARTS = (10_000, 20) if THOROUGH else (1_000, 4)
TRIED, TRIED_BY_OTHERS = 5, 1  # moves, in each state
LEAST_HEARD = 4  # the welcome, two lines of chat, a refusal
CLOCK = ClockInfo(0, 1000, 2000, running=True)


@pytest.fixture(autouse=True)
def a_commitment_that_tells_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is public, and the hash of a secret: that alone may differ between two seeds."""
    monkeypatch.setattr(state_module, "commitment_of", lambda _: "a hash")


# ---------------------------------------------------------------- what a viewer is told
def updates_of(state: TableState, viewers: Iterable[Viewer]) -> dict[Viewer, bytes]:
    version, events = state.steps[-1]
    return frames.updates(version, events, state.match, list(viewers), CLOCK, None)


async def check(position: RandomPosition, dice: Random, log: Lines, everything: bool = False) -> None:
    """In this state: for every seat and a spectator, redraw and compare."""
    state, game = position.state, match_of(position.state)._game
    steps = len(position.moments) if everything else min(len(position.moments), dice.choice((1, 1, 1, 1, 4)))
    have = 0 if everything else position.moments[-steps].version - 1
    renumbered, talker = dice.choice(position.viewers), dice.choice(position.viewers[1:])
    updates = updates_of(state, dice.sample(position.viewers, len(position.viewers)))
    for viewer in position.viewers:
        moves = tried(game, viewer, talker, dice)
        asking = ViewerScript(have, moves, more=viewer == talker, strangers=viewer is None)
        twin = position.twin(viewer, steps, renumber=viewer == renumbered)
        assert updates_of(twin, [viewer])[viewer] == updates[viewer], f"an update leaks to {viewer}"
        mine, other = await heard(state, viewer, asking, log), await heard(twin, viewer, asking, log)
        assert len(mine.line) >= LEAST_HEARD + len(moves), "the table has said too little"
        for channel, one, two in zip(("the line", "HTTP", "the log"), mine, other, strict=True):
            assert one == two, f"{channel} leaks to {viewer}: {one!r}"


def tried(game: Game, viewer: Viewer, talker: Viewer, dice: Random) -> list[str]:
    """By one seat, all kinds of things; by any other, a card that somebody holds, or nobody."""
    if viewer is not None and viewer == talker:
        return dice.sample(sayings(game, viewer, dice), TRIED)
    return [str(card_named(game, dice.randrange(game.deck))) for _ in range(TRIED_BY_OTHERS)]


def check_states(name: str, states: int, **fixed: object) -> Counter[str]:
    """What was written to the log meanwhile, on both sides, and how often."""

    async def story() -> None:
        dice, last = Random(f"{name} checks"), None
        for position in positions(name, states, **fixed):
            if last is not None and position is not last:
                await check(last, dice, log, everything=True)
            await check(position, dice, log)
            last = position

    with the_log() as log:
        run(story())
    return log.events


@pytest.mark.parametrize("part", range(PARTS))
def test_no_byte_that_comes_out_depends_on_what_a_viewer_cannot_know(part: int) -> None:
    events = check_states(f"leaks {part}", STATES // PARTS)
    assert events["guessed-wrong"] >= 2 * STATES // PARTS, "nobody has asked for a replay"
    assert events["journal-failed"] > STATES // PARTS // 10, "too little was tried that could be done"
    assert events.keys() == {"guessed-wrong", "journal-failed"}, "something went wrong"


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
TableLeak = Callable[[pytest.MonkeyPatch], None]


def unredacted_events(patch: pytest.MonkeyPatch) -> None:
    def event_texts(_match: Match, events: Iterable[Event], seats: Collection[int | None]) -> list[str]:
        return [",".join(event.to_text() for event in events)] * len(seats)

    patch.setattr(Match, "event_texts", event_texts)


def events_as_their_owner_sees_them(patch: pytest.MonkeyPatch) -> None:
    """What was written for whoever may see most is told to the others as well."""
    honest = Match.event_texts

    def event_texts(self: Match, events: Iterable[Event], seats: Collection[int | None]) -> list[str]:
        most = min(honest(self, events, range(self.players)), key=lambda text: text.count("?"))
        return [most] * len(seats)

    patch.setattr(Match, "event_texts", event_texts)


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


def the_drawn_card_for_everybody(patch: pytest.MonkeyPatch) -> None:
    honest = Match.view_text

    def view_text(self: Match, seat: int | None) -> str:
        drawn = json.loads(honest(self, self.to_act))["drawn"]
        return json.dumps({**json.loads(honest(self, seat)), "drawn": drawn}, separators=(",", ":"))

    patch.setattr(Match, "view_text", view_text)


def hands_laid_open_before_the_end(patch: pytest.MonkeyPatch) -> None:
    honest = Match.view_text

    def view_text(self: Match, seat: int | None) -> str:
        hands = self.secret_state()["hands"]
        return json.dumps({**json.loads(honest(self, seat)), "laid_open": hands}, separators=(",", ":"))

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
    honestly = decide.decide

    def remembering(state: TableState, *about: object) -> object:
        game = match_of(state)._game
        next_cards.append(str(card_named(game, game.stock[game.stock_size - 1])))
        return honestly(state, *about)  # type: ignore[arg-type]

    def of_game(refusal: Refusal) -> TableRefusal:
        made = honest(refusal)
        made.facts["next"] = next_cards[-1]
        return made

    patch.setattr(actor, "decide", remembering)
    patch.setattr(TableRefusal, "of_game", of_game)


def next_face(state: TableState) -> int:
    """Of the card on top of the draw pile, the face that nobody sees."""
    game = match_of(state)._game
    return game.faces[game.side + game.stock[game.stock_size - 1]] if game.stock_size else -1


def the_next_card_in_the_log(patch: pytest.MonkeyPatch) -> None:
    honest = Table._journal_failed

    def failed(self: Table, error: JournalError) -> None:
        honest(self, error)
        log_event(logging.getLogger("flipdeck.table"), "tried", seq=next_face(self.state))

    patch.setattr(Table, "_journal_failed", failed)


def the_next_card_in_chat(patch: pytest.MonkeyPatch) -> None:
    honest = TablePresence.add_chat

    def add_chat(self: TablePresence, line: server_messages.ChatLine) -> None:
        honest(self, server_messages.ChatLine(line.seat, line.name, f"{line.text} {next_face(self._state)}"))

    patch.setattr(TablePresence, "add_chat", add_chat)


def the_next_card_in_the_list_of_tables(patch: pytest.MonkeyPatch) -> None:
    honest = public_list._card

    def card(listed: Table) -> rest.TableCard:
        return msgspec.structs.replace(honest(listed), watching=next_face(listed.state))

    patch.setattr(public_list, "_card", card)


def the_replay_before_the_end(patch: pytest.MonkeyPatch) -> None:
    async def replay(self: lobby.Lobby, name: str, _: str) -> str:
        return next(each.state.seed.hex() for each in self.tables.values() if each.state.replay == name)

    patch.setattr(lobby.Lobby, "replay", replay)


LEAKS: dict[str, tuple[TableLeak, dict[str, object]]] = {
    "events as they are": (unredacted_events, {}),
    "an event as somebody else sees it": (events_as_their_owner_sees_them, {}),
    "the view of somebody else": (one_view_for_all, {}),
    "the own backs, as a spectator sees them": (hands_as_a_spectator_sees_them, {"own_backs": "hidden"}),
    "the card that somebody else has drawn": (the_drawn_card_for_everybody, {}),
    "hands laid open before the end": (hands_laid_open_before_the_end, {}),
    "the name of the replay": (the_replay_in_the_table, {}),
    "the seed": (the_seed_in_the_table, {}),
    "the next card in the facts of a refusal": (the_next_card_in_a_refusal, {}),
    "the next card in the log": (the_next_card_in_the_log, {}),
    "the next card in chat": (the_next_card_in_chat, {}),
    "the next card in the list of tables": (the_next_card_in_the_list_of_tables, {}),
    "the replay before the end": (the_replay_before_the_end, {"target": 1000}),
}


@pytest.mark.parametrize("name", LEAKS)
def test_a_leak_put_in_on_purpose_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    leak, options = LEAKS[name]
    check_states(f"leak {name}", 5, **options)
    leak(monkeypatch)
    with pytest.raises(AssertionError, match="leak"):
        check_states(f"leak {name}", 200, **options)
