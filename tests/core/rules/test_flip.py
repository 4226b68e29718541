"""FLIP-1 to FLIP-4: everything is turned over."""

from __future__ import annotations

from typing import Any

import pytest

from flipdeck import Match
from tests.observing import color, discard_pile, draw_pile, hand, names, phase, told, turn_of
from tests.proofs import rule
from tests.tables import may_say, refused, say, table

TO_FLIPPER = ("classic", "argentina", "mild-wild")
DARK_CALLS = {"color P", "color O", "color T", "color V"}
LIGHT_CALLS = {"color R", "color Y", "color G", "color B"}


def laid(edition: str, bottom_of_discards: str, flip: str = "RF/P8", **options: Any) -> Match:
    """Three players; after seat 0 plays the Flip, the card that began the discard pile shows its other face."""
    hands = [f"{flip} G1/T1 G2/T2", "R1/O1 G3/O2 G4/V2", "R2/V1 B3/O3 B4/V4"]
    return table(hands, top=bottom_of_discards, edition=edition, **options)


@rule("FLIP-1")
def test_a_flip_is_played_on_its_color_or_on_another_flip(edition: str) -> None:
    match = table(["RF/P1 BF/P2 G1/TF", "BF/P3 GF/PF G2/P4", "?"], top="R5/P5", edition=edition)
    assert may_say(match, 0) == {"RF", "draw"}
    assert refused(match, 0, "BF") == "does-not-match"
    dark = table(["R1/PF G2/T2", "R2/TF G3/OE"], top="R5/P5", edition=edition, start_side="dark", players=3)
    assert may_say(dark, 0) == {"PF", "PF!", "draw"}


@rule("FLIP-1")
def test_a_flip_that_shows_on_top_is_matched_by_a_flip_of_any_color(edition: str) -> None:
    match = laid(edition, "R5/TF", flip="RF/P8")
    say(match, "0: RF")
    assert str(match.view(None).top) == "TF"
    other = table(["RF/P1 G1/T1", "R1/VF R2/O2"], top="R5/TF", edition=edition)
    say(other, "0: RF!")
    assert may_say(other, 1) == {"VF", "VF!", "draw"}


@rule("FLIP-1")
def test_the_discard_pile_is_turned_over_and_its_order_reverses(edition: str) -> None:
    match = table(["R1/P1 RF/T9 G1/O1", "R2/P2 R3/P3 G2/O2"], top="R5/V5", edition=edition)
    say(match, "0: R1", "1: R2", "0: RF!")
    assert discard_pile(match) == ["R5/V5", "R1/P1", "R2/P2", "RF/T9"]
    assert str(match.view(None).top) == "V5"
    assert color(match) == "V"


@rule("FLIP-1")
def test_the_draw_pile_is_turned_over_and_its_bottom_card_becomes_the_top(edition: str) -> None:
    match = table(["RF/T9 G1/O1 G2/O2", "?"], top="R5/V5", draw="Y1/O3 Y2/O4", bottom="B8/V8 B9/P9", edition=edition)
    before = draw_pile(match)
    assert str(match.view(1).draw_back) == "O3"
    say(match, "0: RF")
    assert draw_pile(match) == before[::-1]
    assert str(match.view(1).draw_back) == "B8"
    say(match, "1: draw")
    assert "B8/V8" in hand(match, 1)


@rule("FLIP-1")
def test_every_hand_is_turned_over_and_played_from_its_other_side(edition: str) -> None:
    match = laid(edition, "R5/O5")
    hands = [hand(match, seat) for seat in range(3)]
    say(match, "0: RF")
    assert match.round.side.value == "dark"
    assert hand(match, 0) == hands[0][1:]
    assert [hand(match, seat) for seat in (1, 2)] == hands[1:]
    assert may_say(match, 1) == {"O1", "O2", "draw"}


@rule("FLIP-1")
def test_a_dark_flip_turns_everything_back(edition: str) -> None:
    match = table(["RF/T9 G1/O1 G2/O2", "R1/VF G3/V3 G4/V4"], top="R5/V5", edition=edition)
    pile = draw_pile(match)
    say(match, "0: RF", "1: VF")
    assert match.round.side.value == "light"
    assert draw_pile(match) == pile
    assert discard_pile(match) == ["RF/T9", "R5/V5", "R1/VF"]
    assert str(match.view(None).top) == "RF"
    assert color(match) == "R"


@rule("FLIP-1")
def test_a_flip_is_told_once_with_the_new_side(edition: str) -> None:
    match = laid(edition, "R5/O5")
    events = say(match, "0: RF")
    assert names(events) == ["played", "flipped"]
    assert told(events, "flipped")[0].side.value == "dark"


@rule("FLIP-2")
def test_direction_and_next_turn_are_unchanged_by_a_flip(edition: str) -> None:
    match = laid(edition, "R5/O5")
    say(match, "0: RF")
    assert match.view(None).direction == 1
    assert turn_of(match, 1)
    hands = ["RR/P1 G1/O1 G2/O2", "? ? ?", "RF/P3 G3/O3 G4/O4"]
    backwards = table(hands, top="R5/O5", edition=edition)
    say(backwards, "0: RR", "2: RF")
    assert backwards.view(None).direction == -1
    assert turn_of(backwards, 1)


@rule("FLIP-2")
def test_with_two_players_the_other_one_plays_after_a_flip(edition: str) -> None:
    match = table(["RF/P1 G1/O1 G2/O2", "? ? ?"], top="R5/O5", edition=edition)
    say(match, "0: RF")
    assert turn_of(match, 1)


@rule("FLIP-3")
@pytest.mark.parametrize("dark", ["O+5", "OR", "OE", "OF"])
def test_an_action_that_shows_after_a_flip_to_dark_is_not_activated(edition: str, dark: str) -> None:
    match = laid(edition, f"R5/{dark}")
    say(match, "0: RF")
    assert turn_of(match, 1)
    assert match.view(None).direction == 1
    assert match.round.side.value == "dark"
    assert [len(hand(match, seat)) for seat in range(3)] == [2, 3, 3]
    assert may_say(match, 1) == {"O1", "O2", "draw"}


@rule("FLIP-3")
@pytest.mark.parametrize("light", ["R+1", "RR", "RS", "RF"])
def test_an_action_that_shows_after_a_flip_to_light_is_not_activated(edition: str, light: str) -> None:
    hands = ["G9/PF G1/T1 G2/T2", "R1/O1 G3/O2 G4/V2", "R2/V1 B3/O3 B4/V4"]
    match = table(hands, top=f"{light}/P5", edition=edition, start_side="dark")
    say(match, "0: PF")
    assert match.round.side.value == "light"
    assert turn_of(match, 1)
    assert match.view(None).direction == 1
    assert [len(hand(match, seat)) for seat in range(3)] == [2, 3, 3]
    assert may_say(match, 1) == {"R1", "draw"}


@rule("FLIP-3")
def test_the_symbol_that_shows_after_a_flip_can_be_matched(edition: str) -> None:
    match = table(["RF/P1 G1/T1 G2/T2", "R1/VE G3/V2 G4/V3", "?"], top="R5/OE", edition=edition)
    say(match, "0: RF")
    assert may_say(match, 1) == {"VE", "draw"}


def flipped_to_dark(edition: str, wild: str = "W", **options: Any) -> Match:
    match = laid(edition, f"R5/{wild}", **options)
    say(match, "0: RF")
    return match


def flipped_to_light(edition: str, wild: str = "W", **options: Any) -> Match:
    hands = ["G9/PF G1/T1 G2/T2", "R1/O1 G3/O2 G4/V2", "R2/V1 B3/O3 B4/V4"]
    match = table(hands, top=f"{wild}/P5", edition=edition, start_side="dark", **options)
    say(match, "0: PF")
    return match


def flipper_calls(match: Match, calls: set[str], called: str) -> None:
    assert (phase(match), match.to_act, color(match)) == ("color", 0, None)
    assert may_say(match, 0) == calls
    assert refused(match, 1, "draw") == "not-your-turn"
    say(match, f"0: color {called}")
    assert turn_of(match, 1)
    assert color(match) == called


def next_calls(match: Match, calls: set[str], called: str) -> None:
    assert (phase(match), match.to_act, color(match)) == ("color", 1, None)
    assert may_say(match, 1) == calls
    assert refused(match, 0, f"color {called}") == "not-your-turn"
    say(match, f"1: color {called}")
    assert turn_of(match, 1)
    assert color(match) == called


@rule("FLIP-4", "wild_after_flip_to_dark")
@pytest.mark.parametrize("wild", ["W", "W+C"])
def test_on_a_wild_after_a_flip_to_dark_who_played_the_flip_calls_the_color(edition: str, wild: str) -> None:
    flipper_calls(flipped_to_dark(edition, wild), DARK_CALLS, "O")


@rule("FLIP-4", "wild_after_flip_to_light", edition=TO_FLIPPER)
@pytest.mark.parametrize("wild", ["W", "W+2"])
def test_on_a_wild_after_a_flip_to_light_who_played_the_flip_calls_the_color(edition: str, wild: str) -> None:
    flipper_calls(flipped_to_light(edition, wild), LIGHT_CALLS, "R")


@rule("FLIP-4", "wild_after_flip_to_light", edition="splash")
@pytest.mark.parametrize("wild", ["W", "W+2"])
def test_on_a_wild_after_a_flip_to_light_the_next_player_calls_the_color(edition: str, wild: str) -> None:
    next_calls(flipped_to_light(edition, wild), LIGHT_CALLS, "R")


@rule("FLIP-4", "wild_after_flip_to_dark", "wild_after_flip_to_light")
def test_who_calls_the_color_can_be_chosen(edition: str) -> None:
    next_calls(flipped_to_dark(edition, wild_after_flip_to_dark="next"), DARK_CALLS, "V")
    flipper_calls(flipped_to_dark(edition, wild_after_flip_to_dark="flipper"), DARK_CALLS, "V")
    next_calls(flipped_to_light(edition, wild_after_flip_to_light="next"), LIGHT_CALLS, "B")
    flipper_calls(flipped_to_light(edition, wild_after_flip_to_light="flipper"), LIGHT_CALLS, "B")


@rule("FLIP-4")
def test_after_the_call_the_called_color_or_a_wild_is_played(edition: str) -> None:
    match = flipped_to_dark(edition)
    say(match, "0: color V")
    assert may_say(match, 1) == {"V2", "draw"}
    assert refused(match, 1, "O1") == "does-not-match"


@rule("FLIP-3", "FLIP-4")
@pytest.mark.parametrize("wild", ["W", "W+C"])
def test_a_wild_draw_that_shows_after_a_flip_makes_nobody_draw(edition: str, wild: str) -> None:
    match = flipped_to_dark(edition, wild)
    say(match, "0: color T")
    assert [len(hand(match, seat)) for seat in range(3)] == [2, 3, 3]
    assert refused(match, 1, "challenge") == "nothing-to-answer"


@rule("FLIP-4")
def test_nobody_plays_on_before_the_color_is_called(edition: str) -> None:
    match = flipped_to_dark(edition)
    assert refused(match, 0, "draw") == "call-first"
    assert refused(match, 0, "T1") == "call-first"
    assert refused(match, 0, "color R")
    assert refused(match, 2, "color P") == "not-your-turn"
