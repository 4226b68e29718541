"""The tables that these tests are played at hold what they were asked to hold."""

from __future__ import annotations

import pytest

from tests.observing import deck_of, discard_pile, draw_pile, hand
from tests.proofs import EDITIONS
from tests.tables import may_say, refused, say, table


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("dealer", [0, 1, 2])
def test_a_table_deals_just_the_hands_asked_for(edition: str, dealer: int) -> None:
    hands = ["R7/O1 G5/T4", "B1/VE W/W", "Y2/P3 Y3/P4"]
    match = table(hands, top="R5/P2", draw="Y3/T7 G9/T8", bottom="G8/O8 G7/O7", edition=edition, dealer=dealer)
    assert [" ".join(hand(match, seat)) for seat in range(3)] == hands
    assert discard_pile(match) == ["R5/P2"]
    assert draw_pile(match)[:2] == ["Y3/T7", "G9/T8"]
    assert draw_pile(match)[:-3:-1] == ["G8/O8", "G7/O7"]
    assert len(deck_of(match)) == match.options.cards


def test_seat_0_plays_first_unless_a_dealer_is_named() -> None:
    assert table(["R7", "R8", "R9"]).to_act == 0
    assert table(["R7", "R8", "R9"], dealer=0).to_act == 1


def test_faces_left_open_are_plain_numbers_and_short_hands_are_filled_up() -> None:
    match = table(["R7 ?", "B1/VE"], players=3)
    assert [len(hand(match, seat)) for seat in range(3)] == [2, 2, 2]
    assert hand(match, 1)[0] == "B1/VE"
    open_faces = [hand(match, 0)[1], *hand(match, 2), *draw_pile(match)[:5], *draw_pile(match)[-5:]]
    assert all(face[1:].isdigit() for card in open_faces for face in card.split("/"))


def test_a_face_alone_is_the_one_that_shows_at_the_start() -> None:
    assert hand(table(["W"], players=2), 0)[0].startswith("W/")
    assert hand(table(["W"], top="P5", players=2, start_side="dark"), 0)[0].endswith("/W")


def test_a_table_that_asks_for_too_many_of_a_face_says_so() -> None:
    with pytest.raises(ValueError, match=r"the light side of splash has 2 × W; the table asks for 3"):
        table(["W W", "W R7"], edition="splash")


def test_moves_may_name_a_card_by_its_active_face() -> None:
    match = table(["R7/O1 G1", "W/P5 R8"])
    assert may_say(match, 0) == {"R7", "R7!", "draw"}
    say(match, "0: R7!", "1: W=G!")
    assert discard_pile(match)[:2] == ["W/P5", "R7/O1"]
    with pytest.raises(AssertionError, match="seat 0 has no Y9"):
        refused(match, 0, "Y9")
