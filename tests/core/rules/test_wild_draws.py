"""ACT-6 to ACT-10: Wild Draw Two and Wild Draw Color, and who may play them."""

from __future__ import annotations

from typing import Any

import pytest

from flipdeck import Match
from tests.observing import color, draw_pile, drawn_by, hand, names, phase, sizes, told, turn_of
from tests.proofs import rule
from tests.tables import may_say, refused, say, table

SHOWN = ("splash", "argentina")
SILENT = ("classic", "mild-wild")


@rule("ACT-6")
def test_after_a_wild_draw_two_the_next_player_draws_two_and_misses_the_turn(edition: str) -> None:
    match = table(["W+2 G1 G2"], players=3, edition=edition)
    say(match, "0: W+2=B")
    assert (phase(match), match.to_act, color(match)) == ("challenge", 1, "B")
    assert may_say(match, 1) == {"accept", "challenge"}
    assert sizes(match) == [2, 3, 3]
    events = say(match, "1: accept")
    assert names(events) == ["accepted", "drew", "drew", "skipped"]
    assert sizes(match) == [2, 5, 3]
    assert turn_of(match, 2)
    assert color(match) == "B"


@rule("ACT-6")
def test_a_wild_draw_has_to_be_answered_first(edition: str) -> None:
    match = table(["W+2 G1 G2", "B1 W+2 W"], players=3, edition=edition)
    say(match, "0: W+2=B")
    assert refused(match, 1, "B1") == "answer-first"
    assert refused(match, 1, "draw") == "answer-first"
    assert refused(match, 1, "W+2=R") == "answer-first"
    assert refused(match, 2, "accept") == "not-your-turn"


@rule("ACT-7")
def test_after_a_wild_draw_color_the_next_player_draws_until_the_color_called(edition: str) -> None:
    draw = "P1 O2 W W+C V3 T4 T5"
    match = table(["W+C T1 T2"], top="P5", draw=draw, players=3, edition=edition, start_side="dark")
    say(match, "0: W+C=T")
    assert (phase(match), match.to_act) == ("challenge", 1)
    say(match, "1: accept")
    assert [card.split("/")[1] for card in hand(match, 1)[3:]] == draw.split()[:6]
    assert turn_of(match, 2)
    assert color(match) == "T"
    assert draw_pile(match)[0].endswith("/T5")


@rule("ACT-7")
def test_the_active_face_ends_the_drawing_and_not_the_other_one(edition: str) -> None:
    """On the dark side, a light face behind a card means nothing: only the dark face has the color."""
    match = table(["W+C T1 T2"], top="P5", draw="G1/P1 G2/O2 G3/T3", players=3, edition=edition, start_side="dark")
    say(match, "0: W+C=T")
    assert drawn_by(say(match, "1: accept"), 1) == 3


@rule("ACT-7")
def test_the_first_card_may_end_the_drawing_at_once(edition: str) -> None:
    match = table(["W+C T1 T2"], top="P5", draw="VE V2", players=3, edition=edition, start_side="dark")
    say(match, "0: W+C=V")
    assert drawn_by(say(match, "1: accept"), 1) == 1


def drawing_until_teal(edition: str, **options: Any) -> Match:
    match = table(["W+C O1 O2"], top="P5", draw="P1 V4 G7/T4", players=3, edition=edition, start_side="dark", **options)
    say(match, "0: W+C=T")
    return match


@rule("ACT-8", "reveal_draw_color", edition=SHOWN)
def test_the_card_that_ended_the_drawing_is_shown_to_all(edition: str) -> None:
    match = drawing_until_teal(edition)
    assert match.options.reveal_draw_color is True
    events = say(match, "1: accept")
    for seat in (0, 2, None):
        assert [str(event.card) for event in told(match.seen(events, seat), "revealed")] == ["G7/T4"]


@rule("ACT-8", "reveal_draw_color", edition=SILENT)
def test_the_card_that_ended_the_drawing_is_not_shown(edition: str) -> None:
    match = drawing_until_teal(edition)
    assert match.options.reveal_draw_color is False
    events = say(match, "1: accept")
    assert "revealed" not in names(events)
    for seat in (0, 2, None):
        assert "T4" not in " ".join(str(event.card) for event in match.seen(events, seat))


@rule("ACT-8", "reveal_draw_color")
@pytest.mark.parametrize("shown", [True, False])
def test_whether_the_card_is_shown_can_be_chosen(edition: str, shown: bool) -> None:
    match = drawing_until_teal(edition, reveal_draw_color=shown)
    assert ("revealed" in names(say(match, "1: accept"))) is shown


@rule("ACT-8", edition=SHOWN)
def test_whoever_does_the_drawing_shows_the_card(edition: str) -> None:
    """A guilty player draws until the color called, and shows the card in the challenger's place."""
    match = table(["W+C P1 O2"], top="P5", draw="V4 G7/T4", players=3, edition=edition, start_side="dark")
    events = say(match, "0: W+C=T", "1: challenge")
    assert [(event.seat, str(event.card)) for event in told(events, "revealed")] == [(0, "G7/T4")]


@rule("ACT-9", "bluffing")
@pytest.mark.parametrize(("side", "top", "wild", "held"), [("light", "R5", "W+2", "R1"), ("dark", "P5", "W+C", "P1")])
def test_a_wild_draw_with_the_color_in_hand_is_a_bluff_and_not_refused(
    edition: str, side: str, top: str, wild: str, held: str
) -> None:
    match = table([f"{wild} {held} ?"], top=top, players=3, edition=edition, start_side=side)
    call = "B" if side == "light" else "V"
    say(match, f"0: {wild}={call}")
    assert "challenge" in may_say(match, 1)


@rule("ACT-9", "bluffing")
@pytest.mark.parametrize(("side", "top", "wild", "held"), [("light", "R5", "W+2", "R1"), ("dark", "P5", "W+C", "P1")])
def test_with_bluffing_off_a_wild_draw_with_the_color_in_hand_is_refused(
    edition: str, side: str, top: str, wild: str, held: str
) -> None:
    match = table([f"{wild} {held} ?"], top=top, players=3, edition=edition, start_side=side, bluffing=False)
    assert not any(move.startswith(wild) for move in may_say(match, 0))
    call = "B" if side == "light" else "V"
    assert refused(match, 0, f"{wild}={call}") == "bluffing-off"


@rule("ACT-9", "bluffing")
def test_number_and_symbol_matches_do_not_matter(edition: str) -> None:
    match = table(["W+2 G5 B5"], top="R5", players=3, edition=edition, bluffing=False)
    assert "W+2=G" in may_say(match, 0)


@rule("ACT-9", "bluffing")
def test_with_bluffing_off_there_is_no_challenge(edition: str) -> None:
    match = table(["W+2 G1 G2"], players=3, edition=edition, bluffing=False)
    events = say(match, "0: W+2=B")
    assert sizes(match) == [2, 5, 3]
    assert turn_of(match, 2)
    assert names(events) == ["played", "called_color", "drew", "drew", "skipped"]


@rule("ACT-9")
def test_the_color_in_force_is_the_called_one_when_a_wild_lies_on_top(edition: str) -> None:
    match = table(["W ? ?", "W+2 R1 R2", "?"], top="R5", players=3, edition=edition, bluffing=False)
    say(match, "0: W=G")
    assert "W+2=G" in may_say(match, 1)
    other = table(["W ? ?", "W+2 G1 R2", "?"], top="R5", players=3, edition=edition, bluffing=False)
    say(other, "0: W=G")
    assert "W+2=G" not in may_say(other, 1)


@rule("ACT-10")
def test_a_wild_draw_just_drawn_may_be_played_and_challenged_over_the_whole_hand(edition: str) -> None:
    match = table(["R1 G2 G3"], top="R5", draw="W+2", players=3, edition=edition)
    say(match, "0: draw", "0: W+2=B")
    assert (phase(match), match.to_act) == ("challenge", 1)
    assert "found_guilty" in names(say(match, "1: challenge"))


@rule("ACT-10")
def test_a_wild_draw_just_drawn_is_innocent_if_no_other_card_has_the_color(edition: str) -> None:
    match = table(["G1 G2 G5"], top="R5", draw="W+2", players=3, edition=edition)
    say(match, "0: draw", "0: W+2=B")
    assert "found_innocent" in names(say(match, "1: challenge"))


@rule("ACT-10", "bluffing")
def test_with_bluffing_off_a_drawn_wild_draw_is_refused_under_the_same_restriction(edition: str) -> None:
    held = table(["R1 G2 G3"], top="R5", draw="W+2", players=3, edition=edition, bluffing=False)
    say(held, "0: draw")
    assert may_say(held, 0) == {"keep"}
    assert refused(held, 0, "W+2=R") == "bluffing-off"
    free = table(["G1 G2 G3"], top="R5", draw="W+2", players=3, edition=edition, bluffing=False)
    say(free, "0: draw")
    assert {"W+2=R", "W+2=B", "keep"} <= may_say(free, 0)
