"""What is kept from one move to the next, and what is read later: it is never other than what there is."""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random

import pytest

from flipdeck import Event, Match
from flipdeck.core.cards import Seat
from flipdeck.core.events import What, drew
from flipdeck.core.moment import Moment
from flipdeck.core.reading import hand_in_order
from flipdeck.core.rules.hands import put_in_hand, take_from_hand
from flipdeck.core.writing import Hand
from tests.random_matches import random_table, say_something


def test_hands_that_are_kept_are_written_as_if_they_were_read_anew() -> None:
    for seed in range(60):
        dice = Random(seed)
        match = random_table(dice).match()
        seats = [None, *range(match.players)]
        for _ in range(40):
            if match.round.over and not match.over:
                match.next_round()
            anew = Moment(match._game, match.options, {})
            for seat in dice.sample(seats, len(seats)):
                assert match.view_text(seat) == anew.text(None if seat is None else Seat(seat))
            for each in range(match.players):
                said = {str(move): number for move, number in anew.moves(Seat(each)).items()}
                assert list(anew.sayings(Seat(each)).items()) == list(said.items())
            if match.round.over:
                break
            say_something(match, dice)


def test_a_card_that_left_a_hand_and_came_back_is_its_last() -> None:
    g = Match(seed="away")._game
    kept = Hand(g, Seat(1), "shown")
    cards = kept.cards
    assert kept.now(g) is kept
    put_in_hand(g, 2, g.stock[0])
    assert kept.now(g) is kept
    take_from_hand(g, 1, cards[0])
    assert kept.now(g).cards == cards[1:]
    put_in_hand(g, 1, cards[0])
    assert kept.now(g).cards == hand_in_order(g, 1) == [*cards[1:], cards[0]]


def test_a_hand_goes_on_with_what_was_written_of_it() -> None:
    g = Match(seed="on")._game
    hand = Hand(g, Seat(1), "shown")
    for gone, new in (([], [5]), ([1], []), ([3, 0], [1, 0]), ([2], [7, 8])):
        hand.own_text(), hand.backs_text()
        for at in gone:
            take_from_hand(g, 1, hand.cards[at])
        for at in new:
            put_in_hand(g, 1, g.stock[at])
        hand, anew = hand.now(g), Hand(g, Seat(1), "shown")
        assert (hand.cards, hand.own_text(), hand.backs_text()) == (anew.cards, anew.own_text(), anew.backs_text())


def test_a_hand_is_that_of_one_game_one_round_and_one_side() -> None:
    match = Match(seed="one")
    g = match._game
    kept = Hand(g, Seat(0), "shown")
    assert kept.now(g.copy()) is not kept
    for name in ("round", "side"):
        before = getattr(g, name)
        setattr(g, name, before + 1)
        assert kept.now(g) is not kept
        setattr(g, name, before)
    assert kept.now(g) is kept


def test_an_empty_hand_stays_empty_whoever_draws() -> None:
    g = Match(seed="none")._game
    for card in hand_in_order(g, 0):
        take_from_hand(g, 0, card)
    kept = Hand(g, Seat(0), "shown")
    put_in_hand(g, 1, g.stock[0])
    assert kept.now(g) is kept


def test_events_that_are_read_much_later_are_those_that_happened() -> None:
    for seed in range(30):
        dice = Random(seed)
        match, again = (random_table(Random(seed)).match() for _ in range(2))
        happened: list[tuple[Event, ...]] = []
        later: list[Sequence[Event]] = []
        for _ in range(60):
            if match.round.over:
                break
            seat = match.to_act or Seat(0)
            move = dice.choice(match.legal(seat))
            number = match.number_of(seat, move)
            assert number is not None
            later.append(again.say_again(seat, str(move), number))
            happened.append(match.say(seat, move))
        assert [len(events) for events in later] == [len(events) for events in happened]
        for seat in (None, *range(match.players)):
            assert [drew(events, seat) for events in later] == [drew(events, seat) for events in happened]
        assert [tuple(events) for events in later] == happened
        assert [said.events for said in again.history[-1].said] == happened


def test_events_that_are_read_later_are_a_sequence_like_any_other() -> None:
    match = Match(seed="later")
    seat = match.to_act or Seat(0)
    number = match.number_of(seat, "draw")
    assert number is not None
    events = match.say_again(seat, "draw", number)
    assert events[0] == events[-len(events)]
    assert list(events[:1]) == [events[0]]
    with pytest.raises(IndexError):
        events[len(events)]


def test_what_two_see_from_behind_is_one_event() -> None:
    match = Match(players=4, seed="behind")
    seat = match.to_act or Seat(0)
    events = match.say(seat, "draw")
    seats = [None, *range(4)]
    seen = match.seen_by_each(events, seats)
    assert seen == [match.seen(events, each) for each in seats]
    drawn = {id(each[0]) for each in seen}
    assert len(drawn) == 2  # as who drew it sees it, and as all others do


def test_the_text_of_events_says_what_their_dictionaries_say() -> None:
    """As everybody sees them, at all kinds of tables."""
    kinds = set()
    for seed in range(80):
        dice = Random(seed)
        match = random_table(dice).match()
        viewers = [None, *range(match.players)]
        for _ in range(120):
            if match.round.over and not match.over:
                match.next_round()
            elif not match.over:
                say_something(match, dice, eager=True)
        for played in match.history:
            for events in (played.dealt, *(said.events for said in played.said)):
                seen = match.seen_by_each(events, viewers)
                texts = [json.loads(f"[{text}]") for text in match.event_texts(events, viewers)]
                assert texts == [[each.to_dict() for each in told] for told in seen]
                kinds |= {event.what for event in events}
    assert kinds >= set(What) - {What.ROUND_VOID, What.CAUGHT_IN_VAIN, What.WON, What.PASSED}
