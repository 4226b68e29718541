"""PILE-1 to PILE-4: what happens when there is little or nothing left to draw."""

from __future__ import annotations

from typing import Any

import pytest

from flipdeck import Match
from flipdeck.core.reading import hand_in_order
from flipdeck.core.rules.hands import take_from_hand
from flipdeck.core.rules.legal import can_play
from tests.observing import color, deck_of, discard_pile, draw_pile, drawn_by, hand, names, phase, turn_of
from tests.proofs import rule
from tests.tables import draw_down, may_say, refused, say, table

PLAYED = ["R1 R2 R3 G8", "R4 R6 R7 G9"]


def after_six_plays(edition: str, **options: Any) -> Match:
    """Two players have played red cards on R5: R7 on top, six cards under it, one card in each hand."""
    match = table(PLAYED, top="R5", edition=edition, **options)
    say(match, "0: R1", "1: R4", "0: R2", "1: R6", "0: R3!", "1: R7!")
    return match


def nearly_all_in_hand(edition: str, left: int, *hands: str, **options: Any) -> Match:
    """Ten players hold nearly the whole deck: so many cards are left to draw, one is discarded, seat 0 is on turn."""
    draws = left_after_the_deal(edition) - left
    laid = [f"{text} {'? ' * (9 - len(text.split()))}" for text in (hands or ("",))]
    match = table(laid, players=10, dealer=(-draws - 1) % 10, edition=edition, **options)
    draw_down(match, left)
    assert turn_of(match, 0)
    assert len(discard_pile(match)) == 1
    return match


def left_after_the_deal(edition: str) -> int:
    """Cards in the draw pile when ten players have nine each and one is turned up."""
    return (108 if edition == "splash" else 112) - 91


def the_rest(edition: str, cards: str) -> str:
    """So many of these cards as are left after the deal."""
    return " ".join(cards.split()[: left_after_the_deal(edition)])


def take_away_what_fits(match: Match) -> None:
    """No deck leads to a lap of passes, because somebody holds a match while all cards are held: take those away."""
    g = match._game
    for seat in range(match.players):
        for card in hand_in_order(g, seat):
            if can_play(g, seat, card):
                take_from_hand(g, seat, card)
    match._change()


NO_MATCH = "G1 G1 G2 G2 G3 G3 G4 G4 G6"  # for R5
NO_MATCH_EITHER = "B1 B1 B2 B2 B3 B3 B4 B4 B6 B6 B7 B7 Y1 Y1 Y2 Y2 Y3 Y3 Y4 Y4 Y6"


@rule("PILE-1")
def test_when_the_draw_pile_is_empty_the_discard_pile_is_shuffled_into_a_new_one(edition: str) -> None:
    match = after_six_plays(edition)
    under = discard_pile(match)[1:]
    draw_down(match, 0)
    assert match.view(None).draw_back is None
    assert len(discard_pile(match)) == 7
    seat = match.to_act
    assert seat is not None
    events = match.say(seat, "draw")
    assert names(events) == ["reshuffled", "drew"]
    assert [card.split("/")[0] for card in discard_pile(match)] == ["R7"]
    assert sorted([*draw_pile(match), hand(match, seat)[-1]]) == sorted(under)
    assert len(deck_of(match)) == match.options.cards


@rule("PILE-1")
def test_the_new_pile_is_made_only_when_a_card_must_be_drawn(edition: str) -> None:
    match = after_six_plays(edition)
    draw_down(match, 0)
    assert match.view(None).draw_count == 0
    assert match.view(None).discard_count == 7


@rule("PILE-1")
def test_the_new_pile_is_shuffled_and_lies_with_the_side_in_play_down(edition: str) -> None:
    orders = set()
    for number in range(6):
        match = after_six_plays(edition, seed=f"pile {number}")
        draw_down(match, 0)
        assert match.to_act is not None
        match.say(match.to_act, "draw")
        orders.add(tuple(card.split("/")[0] for card in draw_pile(match)))
        assert str(match.view(None).draw_back) == draw_pile(match)[0].split("/")[1]
    assert len(orders) > 3


@rule("PILE-1")
def test_the_top_card_and_a_called_color_stay(edition: str) -> None:
    match = table(["R1 R2 W", "R4 R6 G9"], top="R5", edition=edition)
    say(match, "0: R1", "1: R4", "0: W=B!")
    draw_down(match, 0)
    assert match.to_act is not None
    events = match.say(match.to_act, "draw")
    assert "reshuffled" in names(events)
    assert color(match) == "B"
    assert [card.split("/")[0] for card in discard_pile(match)] == ["W"]


@rule("PILE-1")
def test_it_may_happen_in_the_middle_of_a_draw(edition: str) -> None:
    hands = ["P1 P3 P+5 G1/T1", "P2 P4 P+5 G2/T2"]
    match = table(hands, top="P5", edition=edition, start_side="dark")
    say(match, "0: P1", "1: P2", "0: P3", "1: P4")
    draw_down(match, 2)
    actor = match.to_act
    assert actor is not None
    events = say(match, f"{actor}: P+5")
    assert names(events) == ["played", "drew", "drew", "reshuffled", "drew", "drew", "drew", "skipped"]
    assert drawn_by(events, 1 - actor) == 5
    assert turn_of(match, actor)


@rule("PILE-1", "ACT-7")
def test_it_may_happen_while_drawing_for_a_color(edition: str) -> None:
    match = nearly_all_in_hand(edition, 1, "W+C O1", top="T5", start_side="dark")
    events = say(match, "0: W+C=T", "1: accept")
    assert "reshuffled" in names(events)
    assert hand(match, 1)[-1].endswith("/T5")
    assert turn_of(match, 2)


@rule("PILE-1", "FLIP-1")
def test_a_flip_with_an_empty_draw_pile_goes_on_from_the_discard_pile(edition: str) -> None:
    match = nearly_all_in_hand(edition, 0, "RF", top="R5/O5")
    say(match, "0: RF")
    assert match.round.side.value == "dark"
    events = say(match, "1: draw")
    assert names(events)[:2] == ["reshuffled", "drew"]
    assert hand(match, 1)[-1].startswith("RF/")


@rule("PILE-2")
def test_a_draw_of_no_card_is_a_pass(edition: str) -> None:
    match = nearly_all_in_hand(edition, 0, NO_MATCH, top="R5", draw=the_rest(edition, NO_MATCH_EITHER))
    before = hand(match, 0)
    assert may_say(match, 0) == {"draw"}
    assert names(say(match, "0: draw")) == ["passed"]
    assert hand(match, 0) == before
    assert turn_of(match, 1)


@rule("PILE-2")
@pytest.mark.parametrize("card", ["R1", "B5", "W"])
def test_with_nothing_left_to_draw_who_can_play_must(edition: str, card: str) -> None:
    hand_with_it = f"{card} {NO_MATCH.removeprefix('G1 ')}"
    match = nearly_all_in_hand(edition, 0, hand_with_it, top="R5", draw=the_rest(edition, NO_MATCH_EITHER))
    assert "draw" not in may_say(match, 0)
    assert refused(match, 0, "draw") == "nothing-to-draw"


@rule("PILE-2")
@pytest.mark.parametrize("left", [1, 0])
def test_while_a_card_can_be_drawn_drawing_is_a_choice(edition: str, left: int) -> None:
    match = nearly_all_in_hand(edition, left, f"R1 {NO_MATCH.removeprefix('G1 ')}", top="R5")
    assert ("draw" in may_say(match, 0)) is (left > 0)


@rule("PILE-2", edition="mild-wild")
def test_wild_draws_that_forbid_each_other_are_nothing_to_play(edition: str) -> None:
    hand_with_them = f"W+2 W+2 {NO_MATCH.removeprefix('G1 G1 ')}"
    rest = the_rest(edition, NO_MATCH_EITHER)
    match = nearly_all_in_hand(edition, 0, hand_with_them, top="R5", draw=rest, bluffing=False)
    assert may_say(match, 0) == {"draw"}


@rule("PILE-2")
def test_who_must_draw_takes_what_there_was_and_play_goes_on(edition: str) -> None:
    match = nearly_all_in_hand(edition, 2, "P+5", top="P5", start_side="dark")
    events = say(match, "0: P+5")
    assert drawn_by(events, 1) == 3  # two were left, and the card under the Draw Five
    assert match.view(None).draw_count == 0
    assert turn_of(match, 2)


@rule("PILE-2")
def test_a_wild_draw_two_with_one_card_left_gives_what_there_is(edition: str) -> None:
    match = nearly_all_in_hand(edition, 0, "W+2", top="R5")
    events = say(match, "0: W+2=G", "1: accept")
    assert drawn_by(events, 1) == 1
    assert turn_of(match, 2)


@rule("PILE-2", "CHAL-5")
def test_who_challenges_the_innocent_takes_what_there_was(edition: str) -> None:
    rest = the_rest(edition, "T1 T1 T2 T2 T3 T3 T4 T4 V1 V1 V2 V2 V3 V3 V4 V4 V6 V6 V7 V7 V8")
    match = nearly_all_in_hand(edition, 0, "W+C O1 O1 O2 O2 O3 O3 O4 O4", top="P5", draw=rest, start_side="dark")
    events = say(match, "0: W+C=T", "1: challenge")
    assert "found_innocent" in names(events)
    assert drawn_by(events, 1) == 1
    assert turn_of(match, 2)


@rule("PILE-2", "draw_until_playable")
def test_drawing_until_a_card_can_be_played_ends_with_the_last_card(edition: str) -> None:
    rest = the_rest(edition, "G1 G1 G2 G2 G3 G3 G4 G4 B1 B1 B2 B2 B3 B3 B4 B4 Y1 Y1 Y2 Y2 Y3")
    match = table(["? " * 9], top="R5", draw=rest, players=10, edition=edition, draw_until_playable=True)
    events = say(match, "0: draw")
    assert drawn_by(events, 0) == left_after_the_deal(edition)
    assert match.view(None).draw_count == 0
    assert may_say(match, 0) == {"keep"}, "the last card did not fit either"
    assert str(match.view(0).drawn) == hand(match, 0)[-1]
    say(match, "0: keep")
    assert turn_of(match, 1)


@rule("PILE-3")
def test_drawing_for_a_color_stops_when_there_is_nothing_left(edition: str) -> None:
    match = nearly_all_in_hand(edition, 0, "W+C O1", top="P5", start_side="dark")
    before = len(hand(match, 1))
    events = say(match, "0: W+C=T", "1: accept")
    assert "reshuffled" in names(events)
    assert [card.split("/")[1] for card in hand(match, 1)[before:]] == ["P5"]
    assert "revealed" not in names(events)  # no card ended the drawing, so none is shown
    assert turn_of(match, 2)
    assert color(match) == "T"


@rule("PILE-4")
def test_if_every_player_in_turn_passes_the_round_is_void(edition: str) -> None:
    match = nearly_all_in_hand(edition, 0)
    take_away_what_fits(match)
    for seat in range(9):
        say(match, f"{seat}: draw")
        assert not match.round.over
    assert names(say(match, "9: draw")) == ["passed", "round_void", *["laid_open"] * 10]
    assert match.round.over
    assert match.round.void
    assert match.round.winner is None


@rule("PILE-4")
@pytest.mark.parametrize("scoring", ["points", "lowest", "quick"])
def test_in_a_void_round_nobody_scores_and_the_deal_passes(edition: str, scoring: str) -> None:
    match = nearly_all_in_hand(edition, 0, scoring=scoring, target=1)
    dealer = match.round.dealer
    take_away_what_fits(match)
    say(match, *(f"{seat}: draw" for seat in range(10)))
    assert match.scores == (0,) * 10
    assert match.winners == ()
    assert phase(match) == "round-over"
    match.next_round()
    assert match.round.dealer == (dealer + 1) % 10
    assert not match.round.over


@rule("PILE-4")
def test_a_card_drawn_in_between_begins_the_count_anew(edition: str) -> None:
    match = nearly_all_in_hand(edition, 0)
    take_away_what_fits(match)
    say(match, *(f"{seat}: draw" for seat in range(9)))
    match._game.stock[0], match._game.stock_size = match._game.pile[0], 1  # one more card than there is
    say(match, "9: draw", "9: keep")
    take_away_what_fits(match)
    for seat in range(9):
        assert names(say(match, f"{seat}: draw")) == ["passed"]
        assert not match.round.over
    assert "round_void" in names(say(match, "9: draw"))


@rule("PILE-4")
def test_a_card_played_in_between_begins_the_count_anew(edition: str) -> None:
    match = nearly_all_in_hand(edition, 0, *[""] * 9, "R+1", top="R5")
    match._game.passes = 9
    match._game.turn = 9
    assert drawn_by(say(match, "9: R+1"), 0) == 1  # the card under it, and seat 0 is skipped
    take_away_what_fits(match)
    for seat in (1, 2, 3, 4, 5, 6, 7, 8, 9):
        assert names(say(match, f"{seat}: draw")) == ["passed"]
        assert not match.round.over
    assert "round_void" in names(say(match, "0: draw"))


@rule("PILE-4", "most_moves")
@pytest.mark.parametrize("most", [1, 4])
def test_a_round_with_too_many_moves_is_void_and_every_move_counts(edition: str, most: int) -> None:
    match = table(["R1 G1", "R3 G3", "R4 G4"], draw="Y1 Y2 Y3 Y4", edition=edition, most_moves=most)
    moves = ["0: R1", "1: catch 0", "1: draw", "1: keep"][:most]
    for move in moves[:-1]:
        say(match, move)
        assert not match.round.over
    assert "round_void" in names(say(match, moves[-1]))
    assert match.round.void
    assert match.scores == (0, 0, 0)
    match.next_round()
    assert not match.round.over, "the next round has all its moves again"


@rule("PILE-4", "most_moves")
def test_who_goes_out_with_the_last_move_has_won_the_round(edition: str) -> None:
    match = table(["R1 R2", "R3 G3"], edition=edition, most_moves=3)
    say(match, "0: R1!", "1: R3!", "0: R2")
    assert match.round.winner == 0


@rule("PILE-4", "most_moves")
def test_without_the_option_a_round_has_no_limit_of_moves(edition: str) -> None:
    match = table(["? " * 3, "? " * 3], edition=edition)
    assert match.options.most_moves == 0
    for _ in range(30):
        seat = match.to_act
        assert seat is not None
        say(match, f"{seat}: draw", f"{seat}: keep")
    assert not match.round.over


@rule("PILE-4", "most_moves")
def test_a_round_that_is_void_for_its_moves_owes_nothing(edition: str) -> None:
    match = table(["W+2 G1 G2", "?"], edition=edition, most_moves=1)
    say(match, "0: W+2=R")
    assert match.round.void
    assert match.view(0).owed == 0
