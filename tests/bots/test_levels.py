"""The ladder plays by its table: what a level notices, forgets and dares is what ``levels`` says.

A position is laid, a player has seen how it came about, and many dice are thrown for the same decision.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import fields
from itertools import pairwise
from math import sqrt

import pytest

from flipdeck.bots.levels import LADDER, LEVELS, Eye, LadderLevel
from flipdeck.core.match import Match
from tests.bots.seats import answers
from tests.tables import say, table

TIMES = 400
BY_NAME = pytest.mark.parametrize("name", LEVELS)
BY_DICE = pytest.mark.parametrize("name", ["rookie", "casual", "regular"])  # the others weigh it


def is_near(count: int, chance: float | None, times: int = TIMES) -> bool:
    """So often as the chance says, within four standard deviations; always and never are exact."""
    assert chance is not None
    return abs(count - chance * times) <= 4 * sqrt(times * chance * (1 - chance))


def beginning(said: Counter[str], *texts: str) -> int:
    """How often something was said that begins so."""
    return sum(count for move, count in said.items() if move.startswith(texts))


# ---------------------------------------------------------------- the table itself
def test_each_level_pays_more_attention_than_the_one_below() -> None:
    for below, above in pairwise(LADDER):
        assert below.eye <= above.eye
        assert below.wanders >= above.wanders
        for name in ("says_uno", "says_it_late", "catches"):
            assert getattr(below, name) <= getattr(above, name), name


def test_chances_are_chances() -> None:
    assert [level.name for level in LADDER] == list(LEVELS) == ["rookie", "casual", "regular", "sharp", "master"]
    for level in LADDER:
        chances = [getattr(level, spec.name) for spec in fields(LadderLevel) if "float" in str(spec.type)]
        assert all(chance is None or 0 <= chance <= 1 for chance in chances)
        assert (level.eye is Eye.WORLDS) == bool(level.worlds or level.seconds)


# ---------------------------------------------------------------- UNO
@BY_NAME
def test_uno_is_said_as_often_as_the_table_says(name: str) -> None:
    said = answers(table(["R7 B2", "G5 G6"], top="R5"), name, TIMES)
    loud = sum(count for move, count in said.items() if move.endswith("!"))
    assert is_near(loud, LEVELS[name].says_uno, TIMES - said["draw"])


def somebody_was_silent() -> Match:
    """Seat 0 has one card and has not said UNO; seat 1 is on turn, and seat 2 listens."""
    match = table(["R7 B2", "G5 G6", "Y3 Y4"], top="R5")
    say(match, "0: R7")
    return match


@BY_NAME
@pytest.mark.parametrize("seat", [1, 2])
def test_the_silent_are_caught_as_often_as_the_table_says(name: str, seat: int) -> None:
    said = answers(somebody_was_silent(), name, TIMES, seat)
    assert is_near(said["catch 0"], LEVELS[name].catches)


@BY_NAME
def test_uno_is_said_late_as_often_as_the_table_says(name: str) -> None:
    said = answers(somebody_was_silent(), name, TIMES, seat=0)
    assert said.keys() <= {"uno", "None"}
    assert is_near(said["uno"], LEVELS[name].says_it_late)


@BY_NAME
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_nobody_is_caught_in_vain(name: str, seat: int) -> None:
    """Where it costs something a catch is legal at any time, and here it would always be in vain."""
    match = table(["R7 B2 B3", "G5 G6 G7", "Y3 Y4 Y5"], top="R5", false_catch_penalty=2)
    assert f"catch {(seat + 1) % 3}" in map(str, match.view(seat).legal)
    assert not beginning(answers(match, name, 50, seat), "catch")


@BY_DICE
def test_cards_are_jumped_in_with_as_often_as_the_table_says(name: str) -> None:
    match = table(["R7 B2 B3", "G5 G6 G7", "R5 Y4 Y5"], top="R5", jump_in=True)
    said = answers(match, name, TIMES, seat=2)
    assert is_near(beginning(said, "R5"), LEVELS[name].jumps_in)


# ---------------------------------------------------------------- what is noticed
@BY_DICE
def test_wilds_are_wasted_by_who_wanders_alone(name: str) -> None:
    """One card of the color, and a wild with its four colors: who takes any card that matches takes the wild mostly."""
    said = answers(table(["R2 W G9 G8", "G1 G2 G3 G4"], top="R5"), name, TIMES)
    assert is_near(beginning(said, "W"), LEVELS[name].wanders * 4 / 5)


@pytest.mark.parametrize("name", ["casual", "regular"])
def test_the_color_is_kept_that_there_is_most_of(name: str) -> None:
    match = table(["R5 B5 R2 R3 G9", "G1 G2 Y3 B4 B6"], top="Y5")
    said = answers(match, name, 200)
    assert beginning(said, "R") >= 200 * (1 - LEVELS[name].wanders)


@BY_NAME
def test_who_can_play_nothing_draws(name: str) -> None:
    assert answers(table(["G2 G3", "B1 B2"], top="R5"), name, 20).keys() == {"draw"}


def two_flips(backs: str) -> Match:
    """A Flip or a plain card; ``backs`` is what the other side of the next hand shows."""
    first, second, third = backs.split()
    return table(["RF/P1 R3/P2 B9/P3", f"G1/{first} G2/{second} G3/{third}"], top="R5/P7")


STUCK, FREE = "T1 T2 V3", "W W+C P5"  # what can't follow pink seven, and what can


@pytest.mark.parametrize("name", ["casual", "regular"])
def test_a_flip_is_weighed_by_what_the_others_show(name: str) -> None:
    """The own hand is the same in both; whether the next player can follow what is turned up makes the difference."""
    stuck, free = (beginning(answers(two_flips(backs), name, TIMES), "RF") for backs in (STUCK, FREE))
    assert stuck > 1.5 * free


def test_a_rookie_looks_at_no_backs() -> None:
    assert answers(two_flips(STUCK), "rookie", TIMES) == answers(two_flips(FREE), "rookie", TIMES)


def about_to_go_out() -> Match:
    """Seat 0 has a Skip, and a nine that goes on to another blue card; the next player has two cards left."""
    match = table(["R3 RS B9 B8", "R1 R4 G1 G2", "R2 R9 Y1 Y2"], top="R5", dealer=0)
    say(match, "1: R1", "2: R2", "0: R3", "1: R4", "2: R9")
    return match


def test_who_is_about_to_go_out_is_stopped_by_who_sees_it() -> None:
    assert beginning(answers(about_to_go_out(), "regular", TIMES), "RS") == TIMES
    assert is_near(beginning(answers(about_to_go_out(), "casual", TIMES), "RS"), LEVELS["casual"].wanders / 2)


# ---------------------------------------------------------------- Wild Draws
@pytest.mark.parametrize("name", ["rookie", "casual"])
def test_doubts_are_at_random_where_nothing_is_judged(name: str) -> None:
    match = table(["W+2 G7 G9 G8", "G1 G2 G3 G4"], top="R5")
    say(match, "0: W+2=G")
    assert is_near(answers(match, name, TIMES)["challenge"], LEVELS[name].challenges)


def bluff_or_color() -> Match:
    """A Wild Draw would leave all that is green: tempting, but for the red card in the same hand."""
    return table(["W+2 R1 G7 G9 G8 G6", "Y1 Y2 Y3 Y4 B1 B2"], top="R5")


def test_a_bluff_is_weighed_as_often_as_the_table_says() -> None:
    said = answers(bluff_or_color(), "regular", TIMES)
    assert is_near(beginning(said, "W+2"), LEVELS["regular"].bluffs)


def test_a_regular_doubts_a_large_hand_and_trusts_a_small_one() -> None:
    """A hand of nine cards hardly lacks the color; a hand of two often does."""
    large = table(["W+2 G7 G9 G8 G6 Y1 Y2 Y3 B1 B2", "G1 G2 G3 G4 Y4 Y5 Y6 B3 B4 B5"], top="R5")
    say(large, "0: W+2=G")
    small = table(["W+2 G7 G9", "G1 G2 G3"], top="R5")
    say(small, "0: W+2=G")
    assert answers(large, "regular", 20).keys() == {"challenge"}
    assert answers(small, "regular", 20).keys() == {"accept"}
