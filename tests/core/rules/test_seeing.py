"""SEE-1 to SEE-7: who sees what."""

from __future__ import annotations

from typing import Any

import pytest

from flipdeck import Match, View
from tests.observing import draw_pile, hand, names, told
from tests.proofs import rule
from tests.tables import draw_down, may_say, refused, say, table

HANDS = ["R1/P1 RF/P2 G1/W", "B1/VE W/T3 G9/O9", "Y1/O1 Y2/O2 Y3/O3"]


def laid(edition: str, **options: Any) -> Match:
    return table(HANDS, top="R5/V5", draw="B7/T7 B8/T8 B9/T9", bottom="Y9/V9", edition=edition, **options)


def backs(view: View, seat: int) -> list[str]:
    return [str(face) for other in view.others if other.seat == seat for face in other.backs]


def own(view: View) -> list[str]:
    return [str(card) for card in view.hand]


@rule("SEE-1")
def test_every_inactive_face_in_other_hands_is_public_card_by_card_in_hand_order(edition: str) -> None:
    match = laid(edition)
    for watcher in (0, 2, None):
        assert backs(match.view(watcher), 1) == ["VE", "T3", "O9"]
    assert [other.seat for other in match.view(1).others] == [0, 2]
    assert [other.seat for other in match.view(None).others] == [0, 1, 2]


@rule("SEE-1")
def test_the_inactive_face_of_the_top_of_the_draw_pile_is_public(edition: str) -> None:
    match = laid(edition)
    assert {str(match.view(seat).draw_back) for seat in (0, 1, 2, None)} == {"T7"}
    say(match, "0: draw")
    assert {str(match.view(seat).draw_back) for seat in (0, 1, 2, None)} == {"T8"}


@rule("SEE-1")
def test_on_the_dark_side_the_light_faces_are_public(edition: str) -> None:
    match = laid(edition)
    say(match, "0: RF")
    assert backs(match.view(0), 1) == ["B1", "W", "G9"]
    assert str(match.view(0).draw_back) == "Y9"
    assert own(match.view(1)) == HANDS[1].split()


@rule("SEE-1")
def test_a_drawn_card_joins_the_hand_at_its_end_with_its_back_to_all(edition: str) -> None:
    match = laid(edition)
    say(match, "0: draw")
    assert backs(match.view(1), 0) == ["P1", "P2", "W", "T7"]


@rule("SEE-2")
def test_active_faces_in_other_hands_and_the_draw_pile_below_its_top_are_hidden(edition: str) -> None:
    """Whatever is hidden is changed, every back kept: no view and no event may change by as much as a letter."""
    one = table(["R1/P1 R2/P2", "B1/VE W/T3", "G1/O1 G2/O2"], draw="B7/T7 B8/T8", edition=edition)
    two = table(["R1/P1 R2/P2", "W/VE RS/T3", "Y1/O1 BF/O2"], draw="Y9/T7 W+2/O3", edition=edition)
    seats = (0, None)
    assert [one.view(seat) for seat in seats] == [two.view(seat) for seat in seats]
    lines = ("0: R1!", "1: draw")
    first, second = say(one, *lines), say(two, *lines)
    for seat in seats:
        assert one.seen(first, seat) == two.seen(second, seat)


@rule("SEE-2")
def test_what_others_draw_is_seen_from_the_back_only(edition: str) -> None:
    match = laid(edition)
    events = say(match, "0: draw")
    seen = {seat: [str(event.card) for event in told(match.seen(events, seat), "drew")] for seat in (0, 1, None)}
    assert seen == {0: ["B7/T7"], 1: ["?/T7"], None: ["?/T7"]}


@rule("SEE-2")
def test_what_others_were_dealt_is_seen_from_the_back_only(edition: str) -> None:
    match = laid(edition)
    dealt = told(match.seen(match.history[0].dealt, 0), "dealt")
    shown = {event.seat: " ".join(map(str, event.cards or ())) for event in dealt}
    assert shown == {0: HANDS[0], 1: "?/VE ?/T3 ?/O9", 2: "?/O1 ?/O2 ?/O3"}


@rule("SEE-2")
def test_a_view_holds_no_face_that_is_hidden(edition: str) -> None:
    match = laid(edition)
    for seat in (0, 2, None):
        text = str({**match.view(seat).to_dict(), "hand": [], "legal": []})
        assert "B1" not in text
        assert "G9" not in text
        assert "T8" not in text
        assert "B7" not in text


@rule("SEE-2")
def test_a_spectator_has_no_hand_and_nothing_to_say(edition: str) -> None:
    view = laid(edition).view(None)
    assert (view.you, view.hand, view.legal) == (None, (), ())


@rule("SEE-3")
def test_top_color_direction_side_and_hand_sizes_are_public(edition: str) -> None:
    match = laid(edition)
    say(match, "0: R1", "1: W=B")
    for seat in (0, 1, 2, None):
        view = match.view(seat)
        assert (str(view.top), view.color and view.color.value) == ("W", "B")
        assert (view.direction, view.side.value, view.discard_count) == (1, "light", 3)
        assert {other.seat: len(other.backs) for other in view.others} == {
            other: size for other, size in enumerate((2, 2, 3)) if other != seat
        }
        assert view.draw_count == len(draw_pile(match))


@rule("SEE-3")
def test_a_card_is_public_when_played(edition: str) -> None:
    match = laid(edition)
    events = say(match, "0: R1")
    for seat in (1, 2, None):
        assert [str(event.card) for event in match.seen(events, seat)] == ["R1/P1"]


@rule("SEE-4", "own_backs")
def test_players_may_look_at_their_own_inactive_faces(edition: str) -> None:
    match = laid(edition)
    assert match.options.own_backs == "shown"
    assert own(match.view(0)) == HANDS[0].split()


@rule("SEE-4", "own_backs")
def test_with_own_backs_hidden_players_see_their_active_faces_alone(edition: str) -> None:
    match = laid(edition, own_backs="hidden")
    assert own(match.view(0)) == ["R1/?", "RF/?", "G1/?"]
    assert backs(match.view(1), 0) == ["P1", "P2", "W"]
    dealt = told(match.seen(match.history[0].dealt, 0), "dealt")
    assert next(str(event.cards[0]) for event in dealt if event.seat == 0 and event.cards) == "R1/?"
    say(match, "0: RF/?")
    assert own(match.view(0)) == ["?/P1", "?/W"]


@rule("SEE-4", "own_backs")
def test_with_own_backs_hidden_a_drawn_card_shows_its_owner_one_face(edition: str) -> None:
    match = laid(edition, own_backs="hidden")
    events = say(match, "0: draw")
    assert [str(event.card) for event in match.seen(events, 0)] == ["B7/?"]
    assert [str(event.card) for event in match.seen(events, 1)] == ["?/T7"]


@rule("SEE-4", "own_backs")
def test_with_own_backs_hidden_a_card_is_named_by_what_is_seen(edition: str) -> None:
    match = table(["R1/P1 R1/P2 G1/P3", "?"], edition=edition, own_backs="hidden")
    assert [str(move) for move in match.legal(0)] == ["R1/?", "draw"]
    assert refused(match, 0, "R1/P2") == "name-what-you-see"
    say(match, "0: R1/?")
    assert hand(match, 0) == ["R1/P2", "G1/P3"]  # the first copy in the hand was played


@rule("own_backs")
def test_with_own_backs_shown_a_card_is_named_in_full(edition: str) -> None:
    match = table(["R1/P1 R1/P2 G1/P3", "?"], edition=edition)
    assert refused(match, 0, "R1/?") == "name-what-you-see"
    say(match, "0: R1/P2")
    assert hand(match, 0) == ["R1/P1", "G1/P3"]


@rule("SEE-4", "own_backs")
def test_with_own_backs_hidden_the_drawn_card_is_played_and_not_its_twin(edition: str) -> None:
    match = table(["R1/P1 G1/P3", "?"], draw="R1/T9", edition=edition, own_backs="hidden")
    say(match, "0: draw")
    assert may_say(match, 0) == {"R1", "keep"}
    say(match, "0: R1/?")
    assert hand(match, 0) == ["R1/P1", "G1/P3"]


@rule("SEE-5")
def test_at_a_flip_what_everybody_saw_of_a_hand_becomes_the_hand(edition: str) -> None:
    match = laid(edition)
    seen = {seat: backs(match.view(0), seat) for seat in (1, 2)}
    say(match, "0: RF")
    for seat in (1, 2):
        view = match.view(seat)
        assert [str(card.face(view.side)) for card in view.hand] == seen[seat]


@rule("SEE-5")
def test_a_view_says_what_is_visible_now_and_does_not_remember(edition: str) -> None:
    """A hand seen from both sides shows one of them at a time."""
    match = laid(edition)
    say(match, "0: RF")
    text = str(match.view(0).to_dict()["others"])
    assert "B1" in text
    assert "VE" not in text


@rule("SEE-6")
def test_a_challenge_shows_a_hand_to_one_player(edition: str) -> None:
    match = table(["W+2 R1/P1 G2/P2", "? ? ?", "? ? ?"], edition=edition)
    events = say(match, "0: W+2=B", "1: challenge")
    for seat in (1, 2, None):
        cards = told(match.seen(events, seat), "challenged")[0].cards
        assert [str(card) for card in cards or ()] == (["R1/P1", "G2/P2"] if seat == 1 else ["?/P1", "?/P2"])


@rule("SEE-6")
def test_the_guilty_hand_is_not_in_the_view_of_the_challenger(edition: str) -> None:
    match = table(["W+2 R1/P1 G2/P2", "? ? ?", "? ? ?"], edition=edition)
    say(match, "0: W+2=B", "1: challenge")
    assert backs(match.view(1), 0)[:2] == ["P1", "P2"]


@rule("SEE-6", "reveal_draw_color")
def test_a_revealed_card_is_shown_to_all(edition: str) -> None:
    match = table(
        ["W+C O1 O2"],
        top="P5",
        draw="G6/V4 G7/T4",
        players=3,
        edition=edition,
        start_side="dark",
        reveal_draw_color=True,
    )
    events = say(match, "0: W+C=T", "1: accept")
    for seat in (0, 2, None):
        seen = match.seen(events, seat)
        assert [str(event.card) for event in told(seen, "drew")] == ["G6/?", "G7/?"]
        assert [str(event.card) for event in told(seen, "revealed")] == ["G7/T4"]


@rule("SEE-7")
def test_no_view_tells_in_which_order_hidden_cards_lie(edition: str) -> None:
    """Two cards of the draw pile change places: the same cards, other places, and nobody can tell."""
    one = table(["R1 R2"], draw="B7/T7 B8/T8 B9/T9 Y1/O1", players=3, edition=edition)
    two = table(["R1 R2"], draw="B7/T7 Y1/O1 B9/T9 B8/T8", players=3, edition=edition)
    for seat in (0, 1, 2, None):
        assert one.view(seat) == two.view(seat)


@rule("SEE-7")
def test_nothing_in_a_view_follows_a_card_through_a_shuffle(edition: str) -> None:
    """After a reshuffle a seat sees faces, counts and the back of the top card, and names no card by a number."""
    match = table(["R1 R2 R3 G8", "R4 R6 R7 G9"], edition=edition)
    say(match, "0: R1", "1: R4", "0: R2", "1: R6", "0: R3!", "1: R7!")
    draw_down(match, 0)
    assert match.to_act is not None
    other = 1 - match.to_act
    events = match.say(match.to_act, "draw")
    assert names(match.seen(events, other)) == ["reshuffled", "drew"]
    view = match.view(other)
    visible = view.to_dict()
    for name in ("hand", "legal", "others", "top", "color", "draw_back", "side", "phase"):
        visible.pop(name)
    assert visible == {
        "you": other,
        "direction": 1,
        "to_act": match.to_act,
        "draw_count": 5,
        "discard_count": 1,
        "catchable": [],
        "scores": [0, 0],
        "round": 1,
        "dealer": match.round.dealer,
        "owed": 0,
        "winners": [],
        "laid_open": None,
        "drawn": None,
    }
    assert {type(card).__name__ for card in view.hand} == {"Card"}
    assert {field for card in view.hand for field in type(card).__slots__} == {"light", "dark"}


@pytest.mark.parametrize("seat", [-1, 3, 99])
@rule("SEE-2")
def test_there_is_no_view_for_a_seat_that_is_not_there(edition: str, seat: int) -> None:
    with pytest.raises(ValueError, match="There is no seat"):
        laid(edition).view(seat)


@rule("SEE-8", "scoring")
@pytest.mark.parametrize("scoring", ["points", "lowest", "quick"])
@pytest.mark.parametrize("own_backs", ["shown", "hidden"])
def test_when_the_round_is_over_all_hands_are_laid_open(edition: str, scoring: str, own_backs: str) -> None:
    hands = ["R1/P1", "G2/P2 B3/T3", "Y4/V4 W/O9"]
    match = table(["R1/P1 R2/P3", *hands[1:]], edition=edition, scoring=scoring, own_backs=own_backs)
    assert match.view(1).laid_open is None
    face = "?" if own_backs == "hidden" else "P3"
    events = [*match.say(0, f"R2/{face}!"), *say(match, "1: draw", "1: keep", "2: draw", "2: keep", "0: R1")]
    left = [hand(match, seat) for seat in range(3)]
    assert [len(cards) for cards in left] == [0, 3, 3]
    for seat in (None, 0, 1, 2):
        view = match.view(seat)
        assert [[str(card) for card in cards] for cards in view.laid_open or ()] == left
        shown = told(match.seen(events, seat), "laid_open")
        assert [[str(card) for card in event.cards or ()] for event in shown] == left[1:]
        assert [event.seat for event in shown] == [1, 2]


@rule("SEE-8")
def test_a_void_round_is_laid_open_too_and_the_next_deal_hides_all_again(edition: str) -> None:
    match = table(["R1 R2", "G2 G3"], edition=edition, most_moves=1)
    say(match, "0: draw")
    assert [len(cards) for cards in match.view(None).laid_open or ()] == [3, 2]
    match.next_round()
    assert match.view(None).laid_open is None


@rule("SEE-8", "END-3")
def test_hands_are_laid_open_on_the_side_on_which_the_round_ended(edition: str) -> None:
    match = table(["RF/P1", "G2/P2"], edition=edition, scoring="points")
    events = say(match, "0: RF")
    assert [event.side.value for event in told(events, "laid_open")] == ["dark"]
