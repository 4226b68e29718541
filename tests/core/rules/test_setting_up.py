"""DEALER-1, DEALER-2, DEAL-1: who deals, and how."""

from __future__ import annotations

from itertools import pairwise

import pytest

from flipdeck import Card, Event, Match
from tests.observing import deck_of, discard_pile, draw_pile, hand, names, told, turn_of
from tests.proofs import rule
from tests.tables import play_out, say, table

DRAWN_FOR = ("classic", "splash", "argentina")
SEEDS = [f"dealer {number}" for number in range(40)]


def number_on(event: Event) -> int:
    assert event.card is not None
    assert event.card.light is not None
    return int(event.card.light.symbol.value) if event.card.light.symbol.is_number else 0


def draws_for_the_deal(match: Match) -> list[dict[int, int]]:
    """What each player showed, draw by draw: a draw ends where the seats begin again."""
    cards = [event for event in match.history[0].dealt if event.what.value == "dealer_card"]
    draws: list[dict[int, int]] = []
    last = match.players
    for event in cards:
        assert event.seat is not None
        if event.seat <= last:
            draws.append({})
        draws[-1][event.seat] = number_on(event)
        last = event.seat
    return draws


def highest(draw: dict[int, int]) -> list[int]:
    return [seat for seat, number in draw.items() if number == max(draw.values())]


@rule("DEALER-1", "first_dealer", edition=DRAWN_FOR)
def test_everyone_draws_a_card_and_the_highest_number_deals(edition: str) -> None:
    for seed in SEEDS:
        match = Match(edition, 5, seed=seed)
        draws = draws_for_the_deal(match)
        assert list(draws[0]) == [0, 1, 2, 3, 4]
        assert highest(draws[-1]) == [match.round.dealer]


@rule("DEALER-1", "first_dealer", edition=DRAWN_FOR)
def test_tied_players_and_they_alone_draw_again(edition: str) -> None:
    ties = 0
    for seed in SEEDS:
        draws = draws_for_the_deal(Match(edition, 5, seed=seed))
        for draw, again in pairwise(draws):
            assert list(again) == highest(draw)
            assert len(again) > 1
            ties += 1
    assert ties > 0


@rule("DEALER-1", "first_dealer", edition=DRAWN_FOR)
def test_a_symbol_counts_less_than_any_number(edition: str) -> None:
    beaten = 0
    for seed in SEEDS:
        match = Match(edition, 5, seed=seed)
        draws = draws_for_the_deal(match)
        for draw in draws:
            if 0 in draw.values() and max(draw.values()) > 0:
                assert draw[match.round.dealer] > 0
                beaten += 1
    assert beaten > 0


@rule("DEALER-1", edition=DRAWN_FOR)
def test_only_the_light_face_of_a_card_drawn_for_the_deal_is_shown(edition: str) -> None:
    match = Match(edition, 5, seed="shown")
    for seat in (0, 3, None):
        cards = [event.card for event in told(match.seen(match.history[0].dealt, seat), "dealer_card")]
        assert len(cards) >= 5
        assert all(card is not None and card.light is not None and card.dark is None for card in cards)


@rule("DEALER-1", edition=DRAWN_FOR)
def test_cards_drawn_for_the_deal_go_back_into_the_deck(edition: str) -> None:
    match = Match(edition, 10, seed="back")
    assert len(deck_of(match)) == match.options.cards


@rule("DEALER-1", "first_dealer", edition="mild-wild")
def test_the_dealer_is_chosen_by_the_seed_without_drawing(edition: str) -> None:
    dealers = set()
    for seed in SEEDS:
        match = Match(edition, 5, seed=seed)
        assert "dealer_card" not in names(match.history[0].dealt)
        assert [event.seat for event in told(match.history[0].dealt, "dealer_chosen")] == [match.round.dealer]
        assert Match(edition, 5, seed=seed).round.dealer == match.round.dealer
        dealers.add(match.round.dealer)
    assert dealers == {0, 1, 2, 3, 4}


@rule("DEALER-1", "first_dealer")
def test_the_host_may_name_the_dealer(edition: str) -> None:
    for dealer in range(4):
        match = Match(edition, 4, seed="named", dealer=dealer)
        assert match.round.dealer == dealer
        assert "dealer_card" not in names(match.history[0].dealt)


@rule("first_dealer")
def test_either_way_to_find_the_dealer_can_be_chosen(edition: str) -> None:
    drawn = Match(edition, 4, seed="way", options={"first_dealer": "highest_card"})
    chosen = Match(edition, 4, seed="way", options={"first_dealer": "chosen"})
    assert "dealer_card" in names(drawn.history[0].dealt)
    assert "dealer_card" not in names(chosen.history[0].dealt)


@rule("DEALER-2")
def test_the_deal_passes_to_the_left(edition: str) -> None:
    match = Match(edition, 3, seed="deal", dealer=1, options={"scoring": "points", "target": 100000})
    dealers: list[int] = [match.round.dealer]
    for _ in range(3):
        play_out(match)
        match.next_round()
        dealers.append(match.round.dealer)
    assert dealers == [1, 2, 0, 1]


@rule("DEALER-2")
def test_the_deal_passes_to_the_left_whatever_the_direction_of_play_was(edition: str) -> None:
    hands = ["RR R1", "R2 G2", "R3 R4"]
    match = table(hands, edition=edition, dealer=0, scoring="points", opening_actions="ignore")
    say(match, "1: R2!", "2: R3!", "0: RR!", "2: R4")
    assert match.view(None).direction == -1
    match.next_round()
    assert match.round.dealer == 1
    assert match.round.number == 2
    assert match.view(None).direction == 1
    assert turn_of(match, 2)


@rule("DEALER-2")
def test_the_next_round_begins_afresh(edition: str) -> None:
    match = table(["R7", "G1", "G2"], edition=edition, dealer=2, scoring="points")
    say(match, "0: R7")
    dealt = match.next_round()
    assert names(dealt)[:3] == ["dealt", "dealt", "dealt"]
    assert len(deck_of(match)) == match.options.cards
    assert [event.cards and len(event.cards) for event in told(dealt, "dealt")] == [1, 1, 1]
    assert match.round.side.value == "light"


@rule("DEAL-1")
@pytest.mark.parametrize(("players", "dealer"), [(2, 0), (3, 1), (4, 3), (10, 4)])
def test_seven_cards_are_dealt_one_at_a_time_from_the_left_of_the_dealer(
    edition: str, players: int, dealer: int
) -> None:
    deck = numbers_first(edition)
    match = Match(edition, players, seed="deal", dealer=dealer, deck=deck)
    for step in range(1, players + 1):
        seat = (dealer + step) % players
        assert hand(match, seat) == [str(deck[step - 1 + players * place]) for place in range(7)]


@rule("DEAL-1")
def test_the_rest_is_the_draw_pile_and_its_top_card_begins_the_discard_pile(edition: str) -> None:
    deck = numbers_first(edition)
    match = Match(edition, 3, seed="deal", dealer=0, deck=deck)
    assert discard_pile(match) == [str(deck[21])]
    assert draw_pile(match) == [str(card) for card in deck[22:]]


@rule("DEAL-1")
def test_play_begins_on_the_light_side_and_the_draw_pile_lies_light_side_down(edition: str) -> None:
    match = table(["R7 R8", "B1 B2"], top="R5/P2", draw="Y3/T7", edition=edition)
    view = match.view(None)
    assert view.side.value == "light"
    assert (str(view.top), str(view.draw_back)) == ("R5", "T7")


@rule("DEAL-1")
def test_every_deal_of_a_seed_is_the_same_and_every_round_another(edition: str) -> None:
    first, second = (Match(edition, 3, seed="same", options={"scoring": "points"}) for _ in range(2))
    assert first.secret_state() == second.secret_state()
    hands = [hand(first, seat) for seat in range(3)]
    play_out(first)
    first.next_round()
    assert [hand(first, seat) for seat in range(3)] != hands


@rule("OPEN-1")
@pytest.mark.parametrize("players", [2, 3, 5])
def test_a_number_opens_without_effect_and_the_left_of_the_dealer_starts(edition: str, players: int) -> None:
    match = table(["G1 G2"], top="R5", players=players, dealer=1, edition=edition)
    assert turn_of(match, 2 % players)
    assert match.view(None).direction == 1
    assert [len(hand(match, seat)) for seat in range(players)] == [2] * players
    assert names(match.history[0].dealt)[-1] == "turned_up"


def numbers_first(edition: str) -> list[Card]:
    """A whole deck with light numbers on top, so that no opening card acts."""
    cards = deck_of(Match(edition, 2, seed="any"))
    return sorted(cards, key=lambda card: card.light is None or not card.light.symbol.is_number)
