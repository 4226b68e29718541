"""UNO-3 and UNO-7: how long a player can be caught."""

from __future__ import annotations

import pytest

from flipdeck import Match
from tests.core.rules.situations import silent
from tests.observing import catchable, hand, names, phase, turn_of
from tests.proofs import rule
from tests.tables import refused, say, table

CLOSES = ("classic", "splash", "mild-wild")  # the window closes when the next turn begins
STAYS = "argentina"  # … stays open while the player has one card


@rule("UNO-3", "catch_window", edition=CLOSES)
@pytest.mark.parametrize("act", ["1: R3!", "1: draw"])
def test_the_window_closes_when_the_next_player_plays_or_draws(edition: str, act: str) -> None:
    match = silent(edition)
    assert match.options.catch_window == "next_turn"
    say(match, act)
    assert catchable(match) == ()
    assert refused(match, 2, "catch 0") == "cannot-be-caught"


@rule("UNO-3", edition=CLOSES)
def test_the_window_is_closed_while_the_next_player_looks_at_a_drawn_card(edition: str) -> None:
    match = table(["R1 G1", "G2 G3", "R4 G4"], draw="R9", edition=edition)
    say(match, "0: R1", "1: draw")
    assert phase(match) == "drawn"
    assert refused(match, 2, "catch 0") == "cannot-be-caught"


@rule("UNO-3", "catch_window", edition=STAYS)
def test_the_window_stays_open_while_the_player_has_one_card(edition: str) -> None:
    match = silent(edition)
    assert match.options.catch_window == "while_one_card"
    say(match, "1: R3!", "2: R4!")
    assert match.to_act == 0
    assert catchable(match) == (0,)
    assert "caught" in names(say(match, "1: catch 0"))
    assert catchable(match) == ()


@rule("UNO-3", edition=STAYS)
def test_several_players_can_be_open_to_a_catch_at_once(edition: str) -> None:
    match = silent(edition)
    say(match, "1: R3", "2: R4")
    assert catchable(match) == (0, 1, 2)
    say(match, "0: catch 1", "2: catch 0")
    assert catchable(match) == (2,)


@rule("UNO-3", edition=STAYS)
def test_the_window_ends_when_the_hand_grows_by_a_draw(edition: str) -> None:
    match = silent(edition)
    say(match, "1: R3!", "2: R4!", "0: draw")
    assert catchable(match) == ()


@rule("UNO-3")
def test_a_forced_draw_and_a_skip_do_not_close_the_window(edition: str) -> None:
    for card in ("R+1", "RS"):
        match = silent(edition, card)
        assert turn_of(match, 2)
        assert catchable(match) == (0,)
        assert "caught" in names(say(match, "1: catch 0"))


@rule("UNO-3")
@pytest.mark.parametrize("answer", ["accept", "challenge"])
def test_an_answer_to_a_wild_draw_does_not_close_the_window(edition: str, answer: str) -> None:
    match = silent(edition, "W+2=B")
    assert catchable(match) == (0,)
    say(match, f"1: {answer}")
    assert turn_of(match, 2)
    assert "caught" in names(say(match, "2: catch 0"))


@rule("UNO-3")
@pytest.mark.parametrize("caller", [0, 1])
def test_a_color_call_does_not_close_the_window(edition: str, caller: int) -> None:
    match = silent(edition, "RF", top="R5/W", wild_after_flip_to_dark="next" if caller else "flipper")
    assert (phase(match), match.to_act) == ("color", caller)
    assert catchable(match) == (0,)
    say(match, f"{caller}: color T")
    assert turn_of(match, 1)
    assert "caught" in names(say(match, "2: catch 0"))


@rule("UNO-3")
def test_a_catch_is_possible_before_a_wild_draw_is_answered(edition: str) -> None:
    match = silent(edition, "W+2=B")
    say(match, "1: catch 0")
    assert (phase(match), match.to_act) == ("challenge", 1)
    assert len(hand(match, 0)) == 3


@rule("UNO-3")
def test_a_late_call_of_one_player_does_not_close_the_window_of_another(edition: str) -> None:
    match = silent(edition, catch_window="while_one_card")
    say(match, "1: R3", "1: uno")
    assert catchable(match) == (0,)


@rule("UNO-3", "catch_window")
@pytest.mark.parametrize(("window", "open_to"), [("next_turn", (1,)), ("while_one_card", (0, 1))])
def test_the_window_can_be_chosen(edition: str, window: str, open_to: tuple[int, ...]) -> None:
    match = silent(edition, catch_window=window)
    say(match, "1: R3")
    assert catchable(match) == open_to


@rule("UNO-3")
def test_nobody_can_be_caught_once_the_round_is_over(edition: str) -> None:
    match = table(["R1 R2", "R3 R4"], edition=edition, scoring="points")
    say(match, "0: R1", "1: R3", "0: R2")
    assert catchable(match) == ()
    assert refused(match, 0, "catch 1") == "round-over"


@rule("UNO-7")
@pytest.mark.parametrize("card", ["RS", "RR", "R+1"])
def test_after_a_two_player_skip_the_window_is_open_until_the_same_player_acts(edition: str, card: str) -> None:
    def skipped() -> Match:
        match = table([f"{card} G1", "R3 G3"], draw="Y1 Y2 Y3", edition=edition)
        say(match, f"0: {card}")
        return match

    match = skipped()
    assert turn_of(match, 0)
    assert catchable(match) == (0,)
    assert "caught" in names(say(match, "1: catch 0"))
    match = skipped()
    say(match, "0: draw")
    assert catchable(match) == ()
    assert refused(match, 1, "catch 0") == "cannot-be-caught"


@rule("UNO-7")
def test_after_skip_everyone_the_window_is_open_until_the_same_player_acts(edition: str) -> None:
    def skipped() -> Match:
        match = table(["PE T1"], top="P5", draw="O1 O2 O3", players=4, edition=edition, start_side="dark")
        say(match, "0: PE")
        return match

    match = skipped()
    assert turn_of(match, 0)
    assert "caught" in names(say(match, "3: catch 0"))
    match = skipped()
    say(match, "0: draw")
    assert catchable(match) == ()
