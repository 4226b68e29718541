"""UNO-1, UNO-2, UNO-4 to UNO-6: saying it, saying it late, catching who did not."""

from __future__ import annotations

import pytest

from tests.core.rules.situations import silent
from tests.observing import catchable, drawn_by, hand, names, turn_of
from tests.proofs import rule
from tests.tables import may_say, refused, say, table


@rule("UNO-1")
def test_uno_is_said_with_the_next_to_last_card(edition: str) -> None:
    match = table(["R1 G1", "R3 G3", "R4 G4"], edition=edition)
    assert {"R1", "R1!"} <= may_say(match, 0)
    events = say(match, "0: R1!")
    assert "said_uno" in names(events)
    assert catchable(match) == ()


@rule("UNO-1")
def test_who_does_not_say_it_can_be_caught(edition: str) -> None:
    match = silent(edition)
    assert catchable(match) == (0,)
    assert "catch 0" in may_say(match, 1) & may_say(match, 2)


@rule("UNO-1")
@pytest.mark.parametrize("laid_hand", ["R1 G1 G2", "R1"])
def test_uno_is_said_with_no_other_card(edition: str, laid_hand: str) -> None:
    match = table([laid_hand], players=3, edition=edition)
    assert "R1!" not in may_say(match, 0)
    assert refused(match, 0, "R1!") == "uno-too-early"


@rule("UNO-1")
def test_uno_is_said_with_a_wild_and_with_a_drawn_card_too(edition: str) -> None:
    match = table(["W G1", "R3 G3"], edition=edition)
    say(match, "0: W=R!")
    assert catchable(match) == ()
    drawn = table(["G1", "G3"], draw="R2", edition=edition)
    say(drawn, "0: draw")
    assert may_say(drawn, 0) == {"R2", "R2!", "keep"}
    say(drawn, "0: R2")
    assert catchable(drawn) == (0,)


@rule("UNO-1")
def test_a_hand_dealt_with_one_card_needs_no_call(edition: str) -> None:
    match = table(["R1", "R2", "R3"], edition=edition)
    assert catchable(match) == ()
    assert refused(match, 0, "uno") == "no-uno"


@rule("UNO-2", "uno_penalty")
def test_any_opponent_may_catch_and_the_penalty_is_two_cards(edition: str) -> None:
    for catcher in (1, 2):
        match = silent(edition)
        events = say(match, f"{catcher}: catch 0")
        assert names(events) == ["caught", "drew", "drew"]
        assert (events[0].seat, events[0].by) == (0, catcher)
        assert len(hand(match, 0)) == 3
        assert turn_of(match, 1)


@rule("UNO-2")
def test_the_first_catch_counts(edition: str) -> None:
    match = silent(edition)
    say(match, "2: catch 0")
    assert catchable(match) == ()
    assert refused(match, 1, "catch 0") == "cannot-be-caught"
    assert len(hand(match, 0)) == 3


@rule("UNO-2")
def test_nobody_catches_themselves_or_an_empty_chair(edition: str) -> None:
    match = silent(edition)
    assert refused(match, 0, "catch 0") == "no-such-seat-to-catch"
    assert refused(match, 1, "catch 3") == "no-such-seat-to-catch"


@rule("uno_penalty")
@pytest.mark.parametrize("cards", [0, 1, 4, 10])
def test_the_penalty_can_be_set(edition: str, cards: int) -> None:
    match = silent(edition, uno_penalty=cards)
    assert drawn_by(say(match, "1: catch 0"), 0) == cards
    assert catchable(match) == ()


@rule("UNO-4", "late_uno")
def test_uno_may_be_said_late_until_caught(edition: str) -> None:
    match = silent(edition)
    assert match.options.late_uno is True
    assert "uno" in may_say(match, 0)
    assert names(say(match, "0: uno")) == ["said_uno"]
    assert catchable(match) == ()
    assert refused(match, 1, "catch 0") == "cannot-be-caught"
    assert refused(match, 0, "uno") == "no-uno"
    assert turn_of(match, 1)


@rule("UNO-4")
def test_after_a_catch_it_is_too_late(edition: str) -> None:
    match = silent(edition)
    say(match, "1: catch 0")
    assert refused(match, 0, "uno") == "no-uno"


@rule("UNO-4")
def test_only_who_kept_silent_with_one_card_may_say_it_late(edition: str) -> None:
    match = silent(edition)
    assert refused(match, 1, "uno") == "no-uno"
    said = table(["R1 G1", "R3 G3"], edition=edition)
    say(said, "0: R1!")
    assert refused(said, 0, "uno") == "no-uno"


@rule("UNO-4", "late_uno")
def test_with_late_uno_off_it_cannot_be_said_late(edition: str) -> None:
    match = silent(edition, late_uno=False)
    assert "uno" not in may_say(match, 0)
    assert refused(match, 0, "uno") == "no-uno"
    assert "caught" in names(say(match, "2: catch 0"))


@rule("UNO-5")
def test_the_call_lapses_when_the_hand_grows_again(edition: str) -> None:
    match = table(["R1 R2", "R+1 G3"], draw="R9 Y1 Y2", edition=edition)
    say(match, "0: R1!", "1: R+1!")  # seat 0 draws and is skipped
    assert len(hand(match, 0)) == 2
    say(match, "1: draw", "1: keep", "0: R2")
    assert catchable(match) == (0,)


@rule("UNO-5")
def test_coming_down_to_one_again_can_be_said_again(edition: str) -> None:
    match = table(["R1 R2", "R+1 G3"], draw="R9 Y1 Y2", edition=edition)
    say(match, "0: R1!", "1: R+1!", "1: draw", "1: keep")
    assert {"R2", "R2!"} <= may_say(match, 0)
    say(match, "0: R2!")
    assert catchable(match) == ()


@rule("UNO-5")
def test_who_kept_silent_and_had_to_draw_since_cannot_be_caught(edition: str) -> None:
    match = table(["R1 R2", "R+1 G3"], draw="R9 Y1 Y2", edition=edition, catch_window="while_one_card")
    say(match, "0: R1", "1: R+1!")
    assert catchable(match) == ()
    assert refused(match, 1, "catch 0") == "cannot-be-caught"
    assert refused(match, 0, "uno") == "no-uno"


@rule("UNO-6", "false_catch_penalty")
def test_catching_who_cannot_be_caught_does_nothing(edition: str) -> None:
    match = table(["R1 G1", "R3 G3", "R4 G4"], edition=edition)
    assert match.options.false_catch_penalty == 0
    for _ in range(3):  # spamming it wins nothing either
        assert refused(match, 1, "catch 0") == "cannot-be-caught"
    say(match, "0: R1!")
    assert refused(match, 1, "catch 0") == "cannot-be-caught"
    assert "catch 0" not in may_say(match, 1)


@rule("UNO-6", "false_catch_penalty")
@pytest.mark.parametrize("cards", [1, 2, 10])
def test_with_a_penalty_a_catch_in_vain_costs_the_catcher(edition: str, cards: int) -> None:
    match = table(["R1 G1", "R3 G3", "R4 G4"], edition=edition, false_catch_penalty=cards)
    assert "catch 0" in may_say(match, 1)
    events = say(match, "1: catch 0")
    assert names(events) == ["caught_in_vain"] + ["drew"] * cards
    assert [len(hand(match, seat)) for seat in range(3)] == [2, 2 + cards, 2]
    assert turn_of(match, 0)


@rule("UNO-6", "false_catch_penalty")
def test_with_a_penalty_a_true_catch_costs_the_caught(edition: str) -> None:
    match = silent(edition, false_catch_penalty=3)
    say(match, "1: catch 0")
    assert [len(hand(match, seat)) for seat in range(3)] == [3, 2, 2]
    say(match, "2: catch 0")
    assert [len(hand(match, seat)) for seat in range(3)] == [3, 2, 5]
