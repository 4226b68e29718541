"""TURN-1 to TURN-4: playing a card, drawing one, passing the turn on."""

from __future__ import annotations

import pytest

from tests.observing import color, discard_pile, draw_pile, hand, names, phase, turn_of
from tests.proofs import rule
from tests.tables import may_say, refused, say, table

WILDS = {f"{wild}={color}" for wild in ("W", "W+2") for color in "RYGB"}


@rule("TURN-1")
def test_a_card_matches_by_color_number_or_symbol_and_a_wild_always(edition: str) -> None:
    match = table(["R9 B5 G6 YS RS W W+2", "?"], top="R5", edition=edition)
    assert may_say(match, 0) == {"R9", "B5", "RS", "draw"} | WILDS
    assert refused(match, 0, "G6") == "does-not-match"
    assert refused(match, 0, "YS") == "does-not-match"


@rule("TURN-1")
def test_on_the_dark_side_the_dark_faces_match(edition: str) -> None:
    match = table(["R5/O9 R6/T5 B3/V6 B4/VE", "?"], top="B2/O5", edition=edition, start_side="dark")
    assert may_say(match, 0) == {"O9", "T5", "draw"}


@rule("TURN-1")
@pytest.mark.parametrize("symbol", ["+1", "R", "S"])
def test_an_action_symbol_matches_the_same_symbol_in_any_color(edition: str, symbol: str) -> None:
    match = table([f"R{symbol} R1 R2", "? ? ?", f"G{symbol} G1 B{symbol}"], edition=edition)
    say(match, f"0: R{symbol}")
    assert may_say(match, 2) == {f"G{symbol}", f"B{symbol}", "draw"}


@rule("TURN-1")
def test_different_symbols_of_different_colors_do_not_match(edition: str) -> None:
    match = table(["RR R1 R2", "B1 B2 B3", "BS B+1 BF"], edition=edition)
    say(match, "0: RR")
    assert may_say(match, 2) == {"draw"}


@rule("TURN-1")
def test_on_a_wild_only_the_called_color_or_another_wild_matches(edition: str) -> None:
    match = table(["W G1 G2", "R5 B5 G9 BS W+2 GS W", "?"], top="R5", edition=edition)
    say(match, "0: W=B")
    assert color(match) == "B"
    assert may_say(match, 1) == {"B5", "BS", "draw"} | WILDS


@rule("TURN-1")
def test_one_card_a_turn_and_only_on_turn(edition: str) -> None:
    match = table(["R1 R2 R3", "R4 R6 R7", "R8 R9 G1"], edition=edition)
    say(match, "0: R1")
    assert refused(match, 0, "R2") == "not-your-turn"
    assert refused(match, 2, "R8") == "not-your-turn"
    assert refused(match, 0, "draw") == "not-your-turn"


@rule("TURN-1")
def test_a_card_that_is_not_in_the_hand_cannot_be_played(edition: str) -> None:
    match = table(["R1/P1 R2/P2", "R4/P3 R6/P4"], edition=edition)
    assert refused(match, 0, "R4/P3") == "not-held"
    assert refused(match, 0, "R1/P2") == "not-held"


@rule("TURN-1")
def test_the_card_played_lies_on_top(edition: str) -> None:
    match = table(["R1/P1 R2/P2", "?"], top="R5/P5", edition=edition)
    events = say(match, "0: R1!")
    assert discard_pile(match) == ["R1/P1", "R5/P5"]
    assert hand(match, 0) == ["R2/P2"]
    assert names(events)[0] == "played"


@rule("TURN-2")
def test_who_draws_a_card_that_cannot_be_played_keeps_it_by_the_same_word(edition: str) -> None:
    match = table(["G1 G2", "?"], top="R5", draw="B9/P1 R3", edition=edition)
    assert may_say(match, 0) == {"draw"}
    assert names(say(match, "0: draw")) == ["drew"]
    assert hand(match, 0)[-1] == "B9/P1"
    assert may_say(match, 0) == {"keep"}
    assert refused(match, 0, "B9") == "drawn-does-not-fit"
    assert names(say(match, "0: keep")) == ["kept"]
    assert turn_of(match, 1)


@rule("TURN-2", "SEE-2")
def test_nobody_else_can_tell_whether_a_drawn_card_could_be_played(edition: str) -> None:
    seen = []
    for drawn in ("R3/P1", "B9/P1"):
        match = table(["G1/T1 G2/T2", "G3/T3 G4/T4"], top="R5/O5", draw=f"{drawn} Y1/V1", edition=edition)
        after = []
        for word in ("draw", "keep"):
            events = match.seen(say(match, f"0: {word}"), 1)
            after.append((events, match.view(1), match.view(None), match.seen(events, None)))
        seen.append(after)
    assert seen[0] == seen[1]


@rule("TURN-2")
def test_the_own_view_names_the_drawn_card_and_no_other_view_does(edition: str) -> None:
    match = table(["R3/P1 G2/P2", "?"], top="R5", draw="R3/T9 B9/P1", edition=edition)
    assert match.view(0).drawn is None
    say(match, "0: draw")
    assert str(match.view(0).drawn) == "R3/T9"
    assert (match.view(1).drawn, match.view(None).drawn) == (None, None)
    say(match, "0: keep")
    assert match.view(0).drawn is None


@rule("TURN-2")
def test_a_card_may_be_drawn_by_choice(edition: str) -> None:
    match = table(["R1 W", "?"], top="R5", draw="B9", edition=edition)
    assert "draw" in may_say(match, 0)
    say(match, "0: draw", "0: keep")
    assert len(hand(match, 0)) == 3
    assert turn_of(match, 1)


@rule("TURN-2")
def test_a_drawn_card_that_matches_may_be_played_at_once(edition: str) -> None:
    match = table(["G1 G2", "?"], top="R5", draw="B5", edition=edition)
    say(match, "0: draw")
    assert (phase(match), match.to_act) == ("drawn", 0)
    assert may_say(match, 0) == {"B5", "keep"}
    say(match, "0: B5")
    assert len(hand(match, 0)) == 2
    assert turn_of(match, 1)


@rule("TURN-2")
def test_no_other_card_may_be_played_after_drawing(edition: str) -> None:
    match = table(["R1 W", "?"], top="R5", draw="R3", edition=edition)
    say(match, "0: draw")
    assert may_say(match, 0) == {"R3", "keep"}
    assert refused(match, 0, "R1") == "only-the-drawn-card"
    assert refused(match, 0, "W=R") == "only-the-drawn-card"


@rule("TURN-2")
def test_only_one_card_is_drawn_a_turn(edition: str) -> None:
    match = table(["G1 G2", "?"], top="R5", draw="R3 R4", edition=edition)
    say(match, "0: draw")
    assert refused(match, 0, "draw") == "already-drawn"
    say(match, "0: keep")
    assert refused(match, 0, "draw") == "not-your-turn"
    assert len(hand(match, 0)) == 3


@rule("TURN-2")
def test_of_two_cards_with_the_same_face_only_the_drawn_one_may_be_played(edition: str) -> None:
    match = table(["R3/P1 G2/P2", "?"], top="R5", draw="R3/T9", edition=edition)
    say(match, "0: draw")
    assert {str(move) for move in match.legal(0)} == {"R3/T9", "keep"}
    assert refused(match, 0, "R3/P1") == "only-the-drawn-card"


@rule("TURN-2")
def test_a_drawn_wild_may_be_played_at_once(edition: str) -> None:
    match = table(["G1 G2", "?"], top="R5", draw="W", edition=edition)
    say(match, "0: draw", "0: W=B")
    assert color(match) == "B"
    assert turn_of(match, 1)


@rule("TURN-2")
def test_the_card_drawn_is_the_top_one_of_the_draw_pile(edition: str) -> None:
    match = table(["G1 G2", "G3 G4"], top="R5", draw="B9/P1 B8/P2 B7/P3", edition=edition)
    say(match, "0: draw", "0: keep", "1: draw")
    assert (hand(match, 0)[-1], hand(match, 1)[-1], draw_pile(match)[0]) == ("B9/P1", "B8/P2", "B7/P3")


@rule("TURN-3", "forced_play")
def test_the_drawn_card_may_be_kept(edition: str) -> None:
    match = table(["G1 G2", "?"], top="R5", draw="R3/P1", edition=edition)
    assert match.options.forced_play is False
    say(match, "0: draw", "0: keep")
    assert hand(match, 0)[-1] == "R3/P1"
    assert turn_of(match, 1)


@rule("TURN-3", "forced_play")
def test_with_forced_play_a_drawn_card_that_can_be_played_must_be(edition: str) -> None:
    match = table(["G1 G2", "?"], top="R5", draw="R3 B9", edition=edition, forced_play=True)
    say(match, "0: draw")
    assert may_say(match, 0) == {"R3"}
    assert refused(match, 0, "keep") == "must-play-drawn"


@rule("forced_play")
def test_with_forced_play_drawing_by_choice_is_still_allowed_and_an_unplayable_card_stays(edition: str) -> None:
    match = table(["R1 G2", "?"], top="R5", draw="B9", edition=edition, forced_play=True)
    assert may_say(match, 0) == {"R1", "R1!", "draw"}
    say(match, "0: draw")
    assert may_say(match, 0) == {"keep"}
    say(match, "0: keep")
    assert turn_of(match, 1)


@rule("forced_play", "ACT-10")
@pytest.mark.parametrize("bluffing", [True, False])
def test_with_forced_play_a_wild_draw_that_the_restriction_forbids_may_be_kept(edition: str, bluffing: bool) -> None:
    match = table(["R1 G2", "?"], top="R5", draw="W+2", edition=edition, forced_play=True, bluffing=bluffing)
    say(match, "0: draw")
    bluffs = {f"W+2={color}" for color in "RYGB"} if bluffing else set()
    assert may_say(match, 0) == {"keep"} | bluffs


@rule("forced_play", "ACT-10")
def test_with_forced_play_the_drawn_wild_draw_is_not_judged_by_itself(edition: str) -> None:
    match = table(["G1 G2", "?"], top="R5", draw="W+2", edition=edition, forced_play=True)
    say(match, "0: draw")
    assert may_say(match, 0) == {f"W+2={color}" for color in "RYGB"}
    assert refused(match, 0, "keep") == "must-play-drawn"


@rule("forced_play", "CHAL-3", edition="mild-wild")
def test_with_forced_play_another_wild_in_the_hand_forbids_it_where_wilds_match(edition: str) -> None:
    match = table(["W G2", "?"], top="R5", draw="W+2", edition=edition, forced_play=True)
    say(match, "0: draw")
    assert "keep" in may_say(match, 0)


@rule("TURN-3")
def test_nothing_can_be_kept_before_drawing(edition: str) -> None:
    match = table(["R1 G2", "?"], edition=edition)
    assert refused(match, 0, "keep") == "nothing-drawn"


@rule("TURN-4")
def test_the_turn_passes_to_the_next_player_in_the_direction_of_play(edition: str) -> None:
    match = table(["R1 G1 G1", "R2 G2 G2", "RR R3 G3"], edition=edition)
    say(match, "0: R1")
    assert turn_of(match, 1)
    say(match, "1: R2")
    assert turn_of(match, 2)
    say(match, "2: RR")
    assert turn_of(match, 1)
    say(match, "1: draw", "1: keep")
    assert turn_of(match, 0)
