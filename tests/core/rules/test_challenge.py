"""CHAL-1 to CHAL-6: the answer to a Wild Draw."""

from __future__ import annotations

from typing import Any

import pytest

from flipdeck import Match
from tests.observing import color, draw_pile, drawn_by, hand, names, phase, sizes, told, turn_of
from tests.proofs import rule
from tests.tables import may_say, refused, say, table

WILDS_COUNT = "mild-wild"
WILDS_DO_NOT = ("classic", "splash", "argentina")
GUILTY = "W+2/T1 R1/T2 G2/T3"
INNOCENT = "W+2/T1 B1/T2 G2/T3"


def challenged(edition: str, held: str, top: str = "R5", **options: Any) -> Match:
    """Seat 0 has played a Wild Draw Two on seat 1, calling blue."""
    match = table([held], top=top, draw="Y1 Y2 Y3 Y4 Y6", players=3, edition=edition, **options)
    say(match, "0: W+2=B")
    return match


def challenged_in_the_dark(edition: str, held: str, **options: Any) -> Match:
    """Seat 0 has played a Wild Draw Color on seat 1, calling teal."""
    draw = "O1 V1 T1 O2 O3 O4"
    match = table([held], top="P5", draw=draw, players=3, edition=edition, start_side="dark", **options)
    say(match, "0: W+C=T")
    return match


@rule("CHAL-1")
def test_only_the_player_who_would_draw_may_challenge(edition: str) -> None:
    match = challenged(edition, GUILTY)
    assert "challenge" in may_say(match, 1)
    assert "challenge" not in may_say(match, 2) | may_say(match, 0)
    assert refused(match, 2, "challenge") == "not-your-turn"
    assert refused(match, 0, "challenge") == "not-your-turn"


@rule("CHAL-1")
def test_nobody_may_challenge_after_drawing(edition: str) -> None:
    match = challenged(edition, GUILTY)
    say(match, "1: accept")
    assert refused(match, 1, "challenge") == "not-your-turn"
    assert refused(match, 2, "challenge") == "nothing-to-answer"


@rule("CHAL-1")
@pytest.mark.parametrize("card", ["R1", "R+1", "RS", "W=R"])
def test_nothing_but_a_wild_draw_can_be_challenged(edition: str, card: str) -> None:
    match = table([f"{card.partition('=')[0]} ? ?"], players=3, edition=edition)
    say(match, f"0: {card}")
    assert match.to_act is not None
    assert refused(match, match.to_act, "challenge") == "nothing-to-answer"


@rule("CHAL-1")
def test_with_two_players_the_other_one_may_challenge(edition: str) -> None:
    match = table([GUILTY, "? ? ?"], edition=edition)
    say(match, "0: W+2=B")
    assert "found_guilty" in names(say(match, "1: challenge"))
    assert sizes(match) == [4, 3]
    assert turn_of(match, 1)


@rule("CHAL-1")
def test_when_play_goes_right_the_right_neighbor_may_challenge(edition: str) -> None:
    match = table(["RR ? ?", "? ? ?", "W+2 R1 G2"], players=3, edition=edition)
    say(match, "0: RR", "2: W+2=B")
    assert match.to_act == 1
    assert "found_guilty" in names(say(match, "1: challenge"))
    assert len(hand(match, 2)) == 4


@rule("CHAL-2")
def test_the_hand_is_shown_to_the_challenger_only(edition: str) -> None:
    match = challenged(edition, GUILTY)
    events = say(match, "1: challenge")
    shown = {seat: told(match.seen(events, seat), "challenged")[0].cards for seat in (0, 1, 2, None)}
    assert [str(card) for card in shown[1] or ()] == ["R1/T2", "G2/T3"]
    assert [str(card) for card in shown[2] or ()] == ["?/T2", "?/T3"]
    assert [str(card) for card in shown[None] or ()] == ["?/T2", "?/T3"]


@rule("CHAL-2")
def test_accepting_shows_nothing(edition: str) -> None:
    match = challenged(edition, GUILTY)
    events = say(match, "1: accept")
    assert "challenged" not in names(events)
    for event in match.seen(events, 1):
        assert event.seat == 1


@rule("CHAL-2")
def test_the_hand_is_judged_and_shown_as_it_was_just_after_the_play(edition: str) -> None:
    """Caught between the play and the challenge: the penalty, red as it is, does not make the player guilty."""
    match = table(["W+2/T1 G2/T3"], top="R5", draw="R8 R9 Y1 Y2 Y3 Y4", players=3, edition=edition)
    say(match, "0: W+2=B", "2: catch 0")
    assert [card.split("/")[0] for card in hand(match, 0)] == ["G2", "R8", "R9"]
    events = say(match, "1: challenge")
    assert "found_innocent" in names(events)
    assert [str(card) for card in told(events, "challenged")[0].cards or ()] == ["G2/T3"]


@rule("CHAL-2")
def test_the_color_in_force_before_the_play_decides_and_not_the_one_called(edition: str) -> None:
    assert "found_innocent" in names(say(challenged(edition, INNOCENT), "1: challenge"))  # blue is called, blue is held
    match = table(["W ? ?", "W+2 R1 R2", "? ? ?"], top="R5", edition=edition)
    assert "found_innocent" in names(say(match, "0: W=G", "1: W+2=R", "2: challenge"))
    match = table(["W ? ?", "W+2 R1 G2", "? ? ?"], top="R5", edition=edition)
    assert "found_guilty" in names(say(match, "0: W=G", "1: W+2=R", "2: challenge"))


@rule("CHAL-2")
def test_the_same_number_in_another_color_is_no_guilt(edition: str) -> None:
    assert "found_innocent" in names(say(challenged(edition, "W+2 G5 B5"), "1: challenge"))


@rule("CHAL-2")
def test_on_the_dark_side_the_dark_color_decides(edition: str) -> None:
    guilty = challenged_in_the_dark(edition, "W+C P1 O9")
    assert "found_guilty" in names(say(guilty, "1: challenge"))
    innocent = challenged_in_the_dark(edition, "W+C R1/O8 R2/O9")
    assert "found_innocent" in names(say(innocent, "1: challenge"))


@rule("CHAL-3", "wilds_match_in_challenge", edition=WILDS_COUNT)
@pytest.mark.parametrize("other", ["W", "W+2"])
def test_another_wild_in_the_hand_counts_as_a_match(edition: str, other: str) -> None:
    match = challenged(edition, f"W+2 {other} G2")
    assert "found_guilty" in names(say(match, "1: challenge"))


@rule("CHAL-3", "wilds_match_in_challenge", edition=WILDS_DO_NOT)
@pytest.mark.parametrize("other", ["W", "W+2"])
def test_another_wild_in_the_hand_is_no_match(edition: str, other: str) -> None:
    match = challenged(edition, f"W+2 {other} G2")
    assert "found_innocent" in names(say(match, "1: challenge"))


@rule("CHAL-3", edition=WILDS_COUNT)
def test_the_wild_draw_itself_is_no_match(edition: str) -> None:
    assert "found_innocent" in names(say(challenged(edition, INNOCENT), "1: challenge"))
    assert "found_innocent" in names(say(challenged_in_the_dark(edition, "W+C O8 O9"), "1: challenge"))


@rule("CHAL-3", "wilds_match_in_challenge")
@pytest.mark.parametrize(("counts", "verdict"), [(True, "found_guilty"), (False, "found_innocent")])
def test_whether_wilds_match_can_be_chosen(edition: str, counts: bool, verdict: str) -> None:
    match = challenged(edition, "W+2 W G2", wilds_match_in_challenge=counts)
    assert verdict in names(say(match, "1: challenge"))
    dark = challenged_in_the_dark(edition, "W+C W O9", wilds_match_in_challenge=counts)
    assert verdict in names(say(dark, "1: challenge"))


@rule("CHAL-3", "bluffing")
@pytest.mark.parametrize("counts", [True, False])
def test_with_bluffing_off_a_wild_that_would_count_refuses_the_wild_draw(edition: str, counts: bool) -> None:
    match = table(["W+2 W G2"], players=3, edition=edition, bluffing=False, wilds_match_in_challenge=counts)
    assert ("W+2=B" in may_say(match, 0)) is not counts
    twice = table(["W+2 W+2 G2"], players=3, edition=edition, bluffing=False, wilds_match_in_challenge=counts)
    assert ("W+2=B" in may_say(twice, 0)) is not counts
    alone = table(["W+2 G1 G2"], players=3, edition=edition, bluffing=False, wilds_match_in_challenge=counts)
    assert "W+2=B" in may_say(alone, 0)


@rule("CHAL-4")
def test_the_guilty_draws_two_and_the_challenger_takes_a_normal_turn(edition: str) -> None:
    match = challenged(edition, GUILTY)
    events = say(match, "1: challenge")
    assert (drawn_by(events, 0), drawn_by(events, 1)) == (2, 0)
    assert sizes(match) == [4, 3, 3]
    assert turn_of(match, 1)
    assert "draw" in may_say(match, 1)
    say(match, "1: draw")
    assert len(hand(match, 1)) == 4


@rule("CHAL-4")
def test_the_guilty_draws_until_the_color_called(edition: str) -> None:
    match = challenged_in_the_dark(edition, "W+C P1 O9")
    say(match, "1: challenge")
    assert sizes(match) == [2 + 3, 3, 3]
    assert hand(match, 0)[-1].endswith("/T1")
    assert turn_of(match, 1)


@rule("CHAL-5")
def test_who_challenges_the_innocent_draws_two_and_two_more_and_misses_the_turn(edition: str) -> None:
    match = challenged(edition, INNOCENT)
    events = say(match, "1: challenge")
    assert (drawn_by(events, 0), drawn_by(events, 1)) == (0, 4)
    assert sizes(match) == [2, 7, 3]
    assert turn_of(match, 2)


@rule("CHAL-5")
def test_who_challenges_the_innocent_draws_until_the_color_called_and_two_more(edition: str) -> None:
    match = challenged_in_the_dark(edition, "W+C O8 O9")
    say(match, "1: challenge")
    assert sizes(match) == [2, 3 + 3 + 2, 3]
    assert draw_pile(match)[0].endswith("/O4")
    assert turn_of(match, 2)


@rule("CHAL-6")
@pytest.mark.parametrize("held", [GUILTY, INNOCENT])
def test_the_called_color_stands_whatever_the_outcome(edition: str, held: str) -> None:
    match = challenged(edition, held)
    say(match, "1: challenge")
    assert color(match) == "B"
    assert phase(match) == "turn"
    assert str(match.view(None).top) == "W+2"


@rule("CHAL-6")
@pytest.mark.parametrize("held", ["W+C P1 O9", "W+C O8 O9"])
def test_the_color_called_with_a_wild_draw_color_stands_too(edition: str, held: str) -> None:
    match = challenged_in_the_dark(edition, held)
    say(match, "1: challenge")
    assert color(match) == "T"
