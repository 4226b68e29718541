"""The house rule ``jump_in``: the identical card is played out of turn."""

from __future__ import annotations

import pytest

from tests.observing import catchable, drawn_by, hand, names, phase, turn_of
from tests.proofs import rule
from tests.tables import may_say, refused, say, table


@rule("jump_in")
def test_who_holds_the_identical_face_may_play_it_out_of_turn(edition: str) -> None:
    match = table(["R7/P1 ? ?", "? ? ?", "R7/T2 ? ?", "? ? ?"], edition=edition, jump_in=True)
    say(match, "0: R7")
    assert match.to_act == 1
    assert "R7" in may_say(match, 2)
    events = say(match, "2: R7")
    assert names(events) == ["jumped_in", "played"]
    assert turn_of(match, 3)


@rule("jump_in")
def test_the_same_number_or_color_is_not_identical(edition: str) -> None:
    match = table(["R7 ? ?", "? ? ?", "B7 R8 R9", "? ? ?"], edition=edition, jump_in=True)
    say(match, "0: R7")
    assert may_say(match, 2) == set()
    assert refused(match, 2, "B7") == "not-your-turn"
    assert refused(match, 2, "R8") == "not-your-turn"


@rule("jump_in")
def test_wilds_are_excepted(edition: str) -> None:
    match = table(["W ? ?", "? ? ?", "W ? ?", "? ? ?"], edition=edition, jump_in=True)
    say(match, "0: W=R")
    assert may_say(match, 2) == set()
    drawing = table(["W+2 ? ?", "? ? ?", "W+2 ? ?"], edition=edition, jump_in=True)
    say(drawing, "0: W+2=R")
    assert may_say(drawing, 2) == set()


@rule("jump_in")
def test_a_jump_in_comes_before_the_player_on_turn_acts(edition: str) -> None:
    match = table(["R7 ? ?", "G1 G2 G3", "R7 ? ?", "? ? ?"], draw="R9", edition=edition, jump_in=True)
    say(match, "0: R7", "1: draw")
    assert phase(match) == "drawn"
    assert refused(match, 2, "R7") == "not-your-turn"
    played = table(["R7 ? ?", "R8 G2 G3", "? ? ?", "R7 ? ?"], edition=edition, jump_in=True)
    say(played, "0: R7", "1: R8")
    assert refused(played, 3, "R7") == "not-your-turn"


@rule("jump_in")
def test_who_just_played_may_jump_in_with_a_twin(edition: str) -> None:
    match = table(["R7/P1 R7/T2 ?", "? ? ?", "? ? ?"], edition=edition, jump_in=True)
    say(match, "0: R7")
    assert {"R7", "R7!"} <= may_say(match, 0)
    say(match, "0: R7!")
    assert len(hand(match, 0)) == 1
    assert turn_of(match, 1)


@rule("jump_in")
def test_the_player_on_turn_just_plays_the_identical_card(edition: str) -> None:
    match = table(["R7 ? ?", "R7 ? ?", "? ? ?"], edition=edition, jump_in=True)
    say(match, "0: R7")
    assert names(say(match, "1: R7")) == ["played"]
    assert turn_of(match, 2)


@rule("jump_in")
def test_the_opening_card_can_be_jumped_in_on(edition: str) -> None:
    match = table(["? ? ?", "? ? ?", "R5 ? ?"], top="R5", edition=edition, jump_in=True)
    assert match.to_act == 0
    say(match, "2: R5")
    assert turn_of(match, 0)


@rule("jump_in")
def test_a_skip_takes_effect_as_if_it_were_the_turn_of_who_jumped_in(edition: str) -> None:
    match = table(["RS ? ?", "? ? ?", "? ? ?", "RS ? ?", "? ? ?"], edition=edition, jump_in=True)
    say(match, "0: RS")
    assert turn_of(match, 2)
    say(match, "3: RS")
    assert turn_of(match, 0)  # seat 4 is skipped


@rule("jump_in")
def test_a_draw_one_hits_the_player_after_who_jumped_in(edition: str) -> None:
    match = table(["R+1 ? ?", "? ? ?", "? ? ?", "R+1 ? ?", "? ? ?"], edition=edition, jump_in=True)
    say(match, "0: R+1")
    events = say(match, "3: R+1")
    assert drawn_by(events, 4) == 1
    assert turn_of(match, 0)


@rule("jump_in")
def test_a_reverse_turns_play_from_who_jumped_in(edition: str) -> None:
    match = table(["RR ? ?", "? ? ?", "RR ? ?", "? ? ?"], edition=edition, jump_in=True)
    say(match, "0: RR")
    assert turn_of(match, 3)
    say(match, "2: RR")
    assert match.view(None).direction == 1
    assert turn_of(match, 3)


@rule("jump_in")
def test_a_flip_shows_another_card_so_its_twin_cannot_jump_in(edition: str) -> None:
    match = table(["RF/P1 ? ?", "? ? ?", "RF/P2 G1/O5 ?", "? ? ?"], top="R5/O5", edition=edition, jump_in=True)
    say(match, "0: RF")
    assert may_say(match, 2) == {"O5"}  # identical with what shows now
    say(match, "2: O5")
    assert turn_of(match, 3)


@rule("jump_in")
def test_a_jump_in_with_the_last_card_ends_the_round(edition: str) -> None:
    match = table(["G1", "G2", "R5"], top="R5", edition=edition, jump_in=True, scoring="points")
    say(match, "2: R5")
    assert match.round.winner == 2
    assert match.scores == (0, 0, 3)


@rule("jump_in", "UNO-1")
def test_uno_is_said_with_a_jump_in_too(edition: str) -> None:
    match = table(["? ?", "? ?", "R5 G1"], top="R5", edition=edition, jump_in=True)
    assert {"R5", "R5!"} == may_say(match, 2)
    say(match, "2: R5")
    assert catchable(match) == (2,)


@rule("jump_in", "UNO-3")
@pytest.mark.parametrize(("window", "open_to"), [("next_turn", ()), ("while_one_card", (0,))])
def test_a_jump_in_is_a_turn_that_closes_the_window(edition: str, window: str, open_to: tuple[int, ...]) -> None:
    match = table(["R7 G1", "? ?", "R7 G2"], edition=edition, jump_in=True, catch_window=window)
    say(match, "0: R7", "2: R7!")
    assert catchable(match) == open_to


@rule("jump_in")
def test_on_the_dark_side_the_dark_face_is_what_must_be_identical(edition: str) -> None:
    match = table(["R1/P7 ? ?", "? ? ?", "R1/P8 G1/P7 ?"], top="P5", edition=edition, jump_in=True, start_side="dark")
    say(match, "0: P7")
    assert may_say(match, 2) == {"P7"}


@rule("jump_in")
def test_jumping_in_is_off_unless_the_house_says_so(edition: str) -> None:
    match = table(["R7 ? ?", "? ? ?", "R7 ? ?"], edition=edition)
    assert match.options.jump_in is False
    say(match, "0: R7")
    assert refused(match, 2, "R7") == "not-your-turn"
