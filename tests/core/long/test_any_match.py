"""What holds in every match of every edition, under every combination of options, with 2 to 10 players."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from random import Random

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from flipdeck.core import editions, record
from flipdeck.core.cards import Card, Color, Side
from flipdeck.core.errors import GameOver, Refusal
from flipdeck.core.match import Match
from flipdeck.core.notation import CallColor, Catch, Move, Play, SayUno
from flipdeck.core.view import Phase
from tests.random_matches import (
    OPTION_NAMES,
    TableSetup,
    all_that_can_be_said,
    check_numbers,
    copy_of,
    deck_of,
    most_players,
    play_numbers,
    play_round,
    playable,
    random_table,
    say_something,
    values_of,
)

WORDS = ("draw", "keep", "accept", "challenge", "uno")


def everything_sayable(match: Match) -> list[Move]:
    """Far more than is ever legal: every card, whole or half seen, with every color and UNO; every word and catch."""
    whole = sorted(deck_of(match._game), key=str)
    cards = [*whole, *{card.only(side): None for card in whole for side in Side}]
    plays = [Play(card, color, uno) for card in cards for color in (None, *Color) for uno in (False, True)]
    words = [Move.parse(word) for word in WORDS]
    return [*plays, *words, *map(CallColor, Color), *(Move.parse(f"catch {seat}") for seat in range(12))]


def everything_of(match: Match) -> tuple[str, str]:
    return json.dumps(match.secret_state()), match.record()


def check_refused(match: Match, seat: int, moves: Iterable[Move]) -> None:
    """``legal`` and ``say`` agree: what is not in the one is refused by the other, and nothing has changed."""
    before, legal = everything_of(match), set(match.legal(seat))
    for move in moves:
        if move in legal:
            assert match.why_not(seat, move) is None
            continue
        told = match.why_not(seat, str(move))
        assert told is not None
        with pytest.raises(type(told)) as refused:
            match.say(seat, move)
        assert (refused.value.code, refused.value.reason, str(refused.value)) == (told.code, told.reason, str(told))
    assert everything_of(match) == before


def check_accepted(match: Match, seat: int) -> None:
    """Every move in ``legal`` can be said, written or as it is; each is offered once."""
    legal = match.legal(seat)
    assert len(set(legal)) == len(legal)
    for move in legal:
        assert Move.parse(str(move)) == move
        twin = copy_of(match)
        assert twin.say(seat, str(move)), "something happens"
        check_numbers(twin._game)


def check_views(match: Match) -> None:
    """Every view tells the same public things, and they are so."""
    state = match.secret_state()
    hands = state["hands"]
    assert isinstance(hands, list)
    counts = [len(hand) for hand in hands]
    public = match.view(None).to_dict()
    for seat in range(match.players):
        view = match.view(seat)
        shown = {other.seat: len(other.backs) for other in view.others} | {seat: len(view.hand)}
        assert shown == dict(enumerate(counts))
        assert sum(counts) + view.draw_count + view.discard_count == match.options.cards
        assert list(view.legal) == match.legal(seat)
        assert view.players == match.players
        own = {"you", "hand", "others", "legal", "drawn"}
        told = view.to_dict()
        assert {name: told[name] for name in told if name not in own} == {n: public[n] for n in public if n not in own}
    assert [public[name] for name in ("side", "direction", "phase", "to_act", "color", "catchable", "scores")] == [
        state[name] for name in ("side", "direction", "phase", "to_act", "color", "catchable", "scores")
    ]


def check_record(match: Match) -> None:
    """A record is the match: read back, everything is as it was, and it is written the same."""
    text = match.record()
    again = record.parse(text)
    assert again.secret_state() == match.secret_state()
    assert again.history == match.history
    assert again.record() == text
    assert [again.view(seat) for seat in range(match.players)] == [match.view(seat) for seat in range(match.players)]


# ---------------------------------------------------------------- any match at all, move by move
def values(name: str) -> st.SearchStrategy[object]:
    return st.sampled_from(values_of(name))


ANY_OPTIONS = st.fixed_dictionaries({}, optional={name: values(name) for name in OPTION_NAMES})


class AnyMatch(RuleBasedStateMachine):
    match: Match

    @initialize(
        edition=st.sampled_from(editions.NAMES), options=ANY_OPTIONS, data=st.data(), seed=st.integers(0, 2**32)
    )
    def sit_down(self, edition: str, options: dict[str, object], data: st.DataObject, seed: int) -> None:
        options = playable(edition, options)
        players = data.draw(st.integers(2, most_players(edition, options)), label="players")
        dealer = data.draw(st.none() | st.integers(0, players - 1), label="dealer")
        self.match = TableSetup(edition, players, options, str(seed), dealer).match()
        self.deck = deck_of(self.match._game)
        self.dice = Random(seed)
        self.scores = self.match.scores

    @precondition(lambda self: not self.match.round.over)
    @rule(choice=st.integers(0, 10_000))
    def say(self, choice: int) -> None:
        choices = all_that_can_be_said(self.match)
        seat, move = choices[choice % len(choices)]
        order_before, direction = self.match.to_act, self.match._game.direction
        events = self.match.say(seat, move)
        if isinstance(move, Catch | SayUno):
            assert self.match.to_act == order_before, "who says or catches UNO takes no turn"
        turned = sum(event.what.value == "reversed" for event in events)
        assert self.match._game.direction == direction * (-1) ** turned

    @precondition(lambda self: not self.match.round.over)
    @rule(steps=st.integers(1, 40))
    def play_on(self, steps: int) -> None:
        for _ in range(steps):
            if not self.match.round.over:
                say_something(self.match, self.dice, eager=True)

    @rule()
    def try_what_is_legal(self) -> None:
        check_accepted(self.match, self.dice.randrange(self.match.players))

    @rule()
    def try_what_is_not(self) -> None:
        sayable = everything_sayable(self.match)
        check_refused(self.match, self.dice.randrange(self.match.players), self.dice.sample(sayable, 25))

    @rule()
    def write_it_down(self) -> None:
        check_record(self.match)

    @precondition(lambda self: self.match.round.over)
    @rule()
    def deal_again(self) -> None:
        if self.match.over:
            with pytest.raises(GameOver):
                self.match.next_round()
            return
        dealer, number = self.match.round.dealer, self.match.round.number
        self.match.next_round()
        assert self.match.round.dealer == (dealer + 1) % self.match.players
        assert self.match.round.number == number + 1

    @invariant()
    def every_card_is_somewhere(self) -> None:
        state = self.match.secret_state()
        hands, draw, discard = state["hands"], state["draw"], state["discard"]
        assert isinstance(hands, list)
        assert isinstance(draw, list)
        assert isinstance(discard, list)
        texts = [text for hand in [*hands, draw, discard] for text in hand]
        assert Counter(map(Card.parse, texts)) == self.deck
        check_numbers(self.match._game)

    @invariant()
    def the_player_to_act_can(self) -> None:
        seat = self.match.to_act
        assert (seat is None) == self.match.round.over
        if seat is not None:
            assert self.match.legal(seat)
        else:
            assert not any(self.match.legal(each) for each in range(self.match.players))
            assert self.match.view(None).phase in (Phase.ROUND_OVER, Phase.MATCH_OVER)

    @invariant()
    def every_view_is_right(self) -> None:
        check_views(self.match)

    @invariant()
    def the_scores_add_up(self) -> None:
        now = self.match.round
        if now.number == 1:
            assert self.match.scores == (now.points if now.over else (0,) * self.match.players)
        assert all(score >= 0 for score in self.match.scores)
        assert bool(self.match.winners) == self.match.over

    def teardown(self) -> None:
        if hasattr(self, "match"):
            play_round(self.match, self.dice, eager=True)
            assert self.match.round.over
            check_record(self.match)


AnyMatch.TestCase.settings = settings(
    max_examples=25,
    stateful_step_count=20,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
TestAnyMatch = AnyMatch.TestCase


# ---------------------------------------------------------------- all of it, at some moments
@pytest.mark.parametrize("number", range(4))
def test_whatever_is_not_legal_is_refused_and_changes_nothing(number: int) -> None:
    dice = Random(f"universe {number}")
    match = random_table(dice).match()
    for _ in range(dice.randrange(40)):
        if not match.round.over:
            say_something(match, dice)
    sayable = everything_sayable(match)
    on_turn = match.to_act or 0
    check_refused(match, on_turn, sayable)
    check_refused(match, (on_turn + 1) % match.players, dice.sample(sayable, 200))


@pytest.mark.parametrize("number", range(6))
def test_whatever_is_legal_can_be_said_at_every_step_by_every_seat(number: int) -> None:
    dice = Random(f"legal {number}")
    match = random_table(dice).match()
    for _ in range(20):
        for seat in range(match.players):
            check_accepted(match, seat)
        if not match.round.over:
            say_something(match, dice, eager=True)


@pytest.mark.parametrize("number", range(8))
def test_a_record_is_the_match_at_every_step(number: int) -> None:
    dice = Random(f"record {number}")
    match = random_table(dice, own_backs="hidden" if number % 2 else "shown").match()
    for _ in range(30):
        check_record(match)
        if match.over:
            return
        if match.round.over:
            match.next_round()
        else:
            say_something(match, dice, eager=True)


@pytest.mark.parametrize("number", range(4))
def test_every_round_ends_and_no_card_is_lost_on_the_way(number: int) -> None:
    dice = Random(f"rounds {number}")
    for _ in range(25):
        play_numbers(random_table(dice).match()._game, dice, check_numbers)


def test_nothing_can_be_said_once_a_round_is_over() -> None:
    dice = Random("over")
    for target in (1, 1000):
        match = random_table(dice, target=target, scoring="points").match()
        play_round(match, dice, eager=True)
        reason = "match-over" if match.over else "round-over"
        for seat in range(match.players):
            assert match.legal(seat) == []
            refusal: Refusal | None = match.why_not(seat, "draw")
            assert refusal is not None
            assert (refusal.code, refusal.reason) == ("game-over", reason)
        check_refused(match, 0, everything_sayable(match)[:200])


def test_a_round_in_which_nobody_plays_is_void_and_its_record_says_so() -> None:
    match = Match("classic", 10, seed="nobody plays", options={"hand_size": 10, "most_moves": 20})
    while match.to_act is not None:
        seat = match.to_act
        match.say(seat, "draw" if match.why_not(seat, "draw") is None else "keep")
        check_record(match)
    assert match.round.void
    assert match.scores == (0,) * 10
    assert "\nvoid\n" in match.record()
    match.next_round()
    check_record(match)
