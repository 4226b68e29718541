"""The house rule ``stacking``: a draw card is answered by another one of the same symbol."""

from __future__ import annotations

from typing import Any

import pytest

from flipdeck import Match
from tests.observing import catchable, color, draw_pile, drawn_by, names, phase, sizes, told, turn_of
from tests.proofs import rule
from tests.tables import may_say, refused, say, table

LIGHT_DRAW = "Y1 Y2 Y3 Y4 Y6 Y7 Y8 Y9"


def stacked(edition: str, *hands: str, side: str = "light", **options: Any) -> Match:
    top, draw = ("R5", LIGHT_DRAW) if side == "light" else ("P5", options.pop("draw", ""))
    return table(hands, top=top, draw=draw, edition=edition, start_side=side, stacking=True, **options)


@rule("stacking")
@pytest.mark.parametrize(("side", "symbol", "cards"), [("light", "+1", 1), ("dark", "+5", 5)])
def test_a_draw_card_may_be_answered_by_one_of_any_color_and_the_draws_add_up(
    edition: str, side: str, symbol: str, cards: int
) -> None:
    one, two, three = ("R", "G", "B") if side == "light" else ("P", "T", "V")
    hands = [f"{one}{symbol} ? ?", f"{two}{symbol} ? ?", f"{three}{symbol} ? ?", "? ? ?"]
    match = stacked(edition, *hands, side=side)
    say(match, f"0: {one}{symbol}")
    assert (phase(match), match.to_act) == ("challenge", 1)
    assert may_say(match, 1) == {f"{two}{symbol}", "accept"}
    say(match, f"1: {two}{symbol}", f"2: {three}{symbol}")
    assert match.view(3).owed == 3
    events = say(match, "3: accept")
    assert drawn_by(events, 3) == 3 * cards
    assert sizes(match) == [2, 2, 2, 3 + 3 * cards]
    assert turn_of(match, 0)
    assert color(match) == three


@rule("stacking")
def test_who_holds_an_answer_may_accept_all_the_same(edition: str) -> None:
    match = stacked(edition, "R+1 ? ?", "G+1 ? ?", "? ? ?")
    say(match, "0: R+1", "1: accept")
    assert sizes(match) == [2, 4, 3]
    assert turn_of(match, 2)


@rule("stacking")
def test_after_the_draw_is_paid_the_next_stack_begins_from_nothing(edition: str) -> None:
    match = stacked(edition, "R+1 ? ?", "G+1 ? ?", "? ? ?", "? ? ?")
    say(match, "0: R+1", "1: G+1", "2: accept")
    assert match.view(None).owed == 0
    say(match, "3: draw")
    say(match, "3: keep")
    assert sizes(match) == [2, 2, 5, 4]


@rule("stacking")
def test_only_the_same_symbol_answers(edition: str) -> None:
    match = stacked(edition, "R+1 ? ?", "R9 W W+2", "? ? ?")
    say(match, "0: R+1")
    assert may_say(match, 1) == {"accept"}
    assert refused(match, 1, "R9") == "answer-first"
    assert refused(match, 1, "W+2=R") == "answer-first"
    wild = stacked(edition, "W+2 G1 G2", "B+1 W B9", "? ? ?")
    say(wild, "0: W+2=B")
    assert may_say(wild, 1) == {"accept", "challenge"}


@rule("stacking")
def test_a_draw_one_cannot_be_challenged_in_a_stack_either(edition: str) -> None:
    match = stacked(edition, "R+1 ? ?", "G+1 ? ?", "? ? ?")
    say(match, "0: R+1")
    assert refused(match, 1, "challenge") == "no-challenge"


@rule("stacking")
def test_with_two_players_the_stack_goes_back_and_forth(edition: str) -> None:
    match = stacked(edition, "R+1 B+1 G3", "G+1 G1 G2")
    say(match, "0: R+1", "1: G+1", "0: B+1!")
    assert drawn_by(say(match, "1: accept"), 1) == 3
    assert turn_of(match, 0)


@rule("stacking")
def test_stacked_wild_draw_twos_add_up(edition: str) -> None:
    match = stacked(edition, "W+2 G1 G2", "W+2 G3 G4", "? ? ?")
    say(match, "0: W+2=B", "1: W+2=Y")
    assert (phase(match), match.to_act, color(match)) == ("challenge", 2, "Y")
    assert drawn_by(say(match, "2: accept"), 2) == 4
    assert turn_of(match, 0)
    assert color(match) == "Y"


@rule("stacking")
def test_a_guilty_last_card_costs_its_player_the_whole_sum(edition: str) -> None:
    match = stacked(edition, "W+2 G1 G2", "W+2 B3 G4", "? ? ?")  # seat 1 holds the blue that seat 0 called
    events = say(match, "0: W+2=B", "1: W+2=Y", "2: challenge")
    assert [event.seat for event in told(events, "found_guilty")] == [1]
    assert sizes(match) == [2, 2 + 4, 3]
    assert turn_of(match, 2)
    assert color(match) == "Y"


@rule("stacking")
def test_an_innocent_last_card_costs_the_challenger_the_whole_sum_and_two_more(edition: str) -> None:
    match = stacked(edition, "W+2 R1 G2", "W+2 R3 G4", "? ? ?")  # seat 0 bluffed, but its card is not the last
    events = say(match, "0: W+2=B", "1: W+2=Y", "2: challenge")
    assert [event.seat for event in told(events, "found_innocent")] == [1]
    assert sizes(match) == [2, 2, 3 + 4 + 2]
    assert turn_of(match, 0)


@rule("stacking")
def test_stacked_wild_draw_colors_are_drawn_one_after_the_other_until_the_color_called_last(edition: str) -> None:
    draw = "V1 O1 T1 P1 V2 V3 T2 T3"
    match = stacked(edition, "W+C O8 O9", "W+C O7 O6", "? ? ?", side="dark", draw=draw)
    say(match, "0: W+C=V", "1: W+C=T")
    events = say(match, "2: accept")
    assert drawn_by(events, 2) == 7  # to the first teal card, and on to the second
    assert draw_pile(match)[0].endswith("/T3")
    assert color(match) == "T"
    assert turn_of(match, 0)


@rule("stacking")
def test_challenging_stacked_wild_draw_colors_in_vain_costs_both_draws_and_two_more(edition: str) -> None:
    draw = "V1 T1 P1 T2 O1 O2 O3"
    match = stacked(edition, "W+C O8 O9", "W+C O7 O6", "? ? ?", side="dark", draw=draw)
    events = say(match, "0: W+C=V", "1: W+C=T", "2: challenge")
    assert drawn_by(events, 2) == 4 + 2
    assert turn_of(match, 0)


@rule("stacking", "END-2")
def test_a_stack_that_ends_with_a_last_card_is_drawn_before_the_count(edition: str) -> None:
    hands = ["G1 R+1", "R2 G+1", "R3 B+1"]
    match = table(hands, draw="Y1 Y2 Y3", edition=edition, stacking=True, scoring="points")
    say(match, "0: draw", "0: keep", "1: R2!", "2: R3!", "0: R+1")
    events = say(match, "1: G+1")
    assert names(events) == ["played", "drew", "drew", "skipped", "went_out", "laid_open", "laid_open", "scored"]
    assert sizes(match) == [2, 0, 3]
    assert match.scores == (0, 1 + 1 + 10 + 2 + 3, 0)


@rule("stacking", "UNO-1")
def test_uno_is_said_with_a_stacked_card_too(edition: str) -> None:
    match = stacked(edition, "R+1 G1", "G+1 G3", "? ?")
    say(match, "0: R+1!")
    assert may_say(match, 1) == {"G+1", "G+1!", "accept"}
    say(match, "1: G+1")
    assert catchable(match) == (1,)


@rule("stacking", "bluffing")
def test_with_bluffing_off_a_stack_is_answered_but_never_challenged(edition: str) -> None:
    match = stacked(edition, "W+2 G1 G2", "W+2 R3 G4", "? ? ?", bluffing=False)
    say(match, "0: W+2=B")
    assert {"accept", "W+2=R", "W+2=Y", "W+2=G", "W+2=B"} == may_say(match, 1)
    assert refused(match, 1, "challenge") == "no-challenge"
    held = stacked(edition, "W+2 G1 G2", "W+2 B3 G4", "? ? ?", bluffing=False)
    say(held, "0: W+2=B")
    assert may_say(held, 1) == {"accept"}


@rule("stacking")
def test_stacking_is_off_unless_the_house_says_so(edition: str) -> None:
    match = table(["R+1 ? ?", "G+1 ? ?", "? ? ?"], edition=edition)
    assert match.options.stacking is False
    assert names(say(match, "0: R+1")) == ["played", "drew", "skipped"]
    assert turn_of(match, 2)
