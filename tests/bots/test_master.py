"""The Master: what it tries, what it leaves, and that it finds what can be known."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from flipdeck.bots.master import FIRST, Master, Tried
from flipdeck.bots.player import worth_trying
from flipdeck.core.match import Match
from flipdeck.core.notation import Draw, Play
from tests.bots.printed_hands import printed
from tests.bots.seats import answers, seated
from tests.tables import say, table

pytestmark = pytest.mark.usefixtures("compiled_rules")


def choice(match: Match, worlds: int = 200, seat: int | None = None) -> str:
    """What it says with one pair of dice."""
    return next(iter(answers(match, Master(worlds=worlds), 1, seat)))


def trials(match: Match, master: Master) -> list[Tried]:
    return master.tried(seated(match, "regular").memory, worth_trying(match.legal(0), match.view(0)), Random(1))


@pytest.mark.parametrize(("players", "weighs"), [(2, 1), (3, 0), (10, 0)])
def test_between_two_the_net_has_its_say(players: int, weighs: int) -> None:
    memory = seated(Match(players=players, seed="net"), "regular").memory
    assert Master()._workspace(memory).weighs == weighs
    assert Master(weighs=False)._workspace(memory).weighs == 0


def test_it_goes_out_when_it_can() -> None:
    match = table(["R7 R2", "G5 G6"], top="R5", draw="G9")
    say(match, "0: R7!", "1: draw", "1: keep")
    assert choice(match).startswith("R2")


def test_uno_is_never_left_out() -> None:
    match = table(["R7 B2", "G5 G6"], top="R5")
    for move in worth_trying(match.legal(0), match.view(0)):
        assert isinstance(move, Draw) or (isinstance(move, Play) and move.uno)
    assert all(said.endswith("!") or said == "draw" for said in answers(match, Master(worlds=8), 10))


def test_where_there_is_one_move_it_does_not_search() -> None:
    class Idle(Master):
        def tried(self, *args: object, **kwargs: object) -> list[object]:  # type: ignore[override]
            del args, kwargs
            raise AssertionError("nothing to search for")

    match = table(["G2 G3", "B1 B2"], top="R5", draw="G9")
    assert answers(match, Idle(worlds=1), 1) == {"draw": 1}
    say(match, "0: draw")
    assert answers(match, Idle(worlds=1), 1) == {"keep": 1}


def test_the_same_dice_give_the_same_answer_and_others_may_not() -> None:
    match = table(["R7 B5 Y2 W", "G5 G6 R1 R2"], top="R5")
    assert answers(match, Master(worlds=20), 20) == answers(match, Master(worlds=20), 20)


def test_every_move_is_tried_and_the_best_comes_first() -> None:
    match = table(["R7 B5 Y2 W", "G5 G6 R1 R2"], top="R5")
    tried = trials(match, Master(worlds=60))
    assert sorted(str(each.move) for each in tried) == sorted(map(str, worth_trying(match.legal(0), match.view(0))))
    assert len(tried) > 5
    for one, following in pairwise(tried):
        assert (one.worlds, one.value) >= (following.worlds, following.value), "given up later, or found better"
    assert tried[0].worlds > tried[-1].worlds > 0
    assert all(0 <= each.value <= each.chance <= 1 for each in tried)


def test_without_any_time_left_it_does_not_choose_blindly() -> None:
    match = table(["R7 B5 Y2 W", "G5 G6 R1 R2"], top="R5")
    assert all(each.worlds >= FIRST for each in trials(match, Master(seconds=0)))


def test_it_calls_no_color_that_the_next_player_surely_has() -> None:
    """As the cards are printed, whoever shows T8, V9 and T1 has yellow cards: to call yellow helps nobody else."""
    match = printed("W/P5 B1 B2", "Y5/T8 Y5/V9 Y2/T1", top="G3")
    player = seated(match, "regular")
    moves = [move for move in worth_trying(match.legal(0), match.view(0)) if isinstance(move, Play) and move.color]
    tried = Master(worlds=600).tried(player.memory, moves, Random(3))
    assert len(moves) == 4
    assert str(tried[0].move).endswith("=B")
    assert not any(str(each.move).endswith("=Y") for each in tried[:2])


@pytest.mark.parametrize(("theirs", "best"), [("G7/O6 G8/PR G4/T9", "B"), ("B1/VE B5/P9 B2/P6", "G")])
def test_it_calls_the_color_that_the_next_player_cannot_follow(theirs: str, best: str) -> None:
    """Green nine or blue nine, it is all the same to the own hand; but the backs of the other tell all its fronts."""
    match = printed("W/P5 G9 B9", theirs, top="R3")
    assert answers(match, Master(worlds=100), 5).keys() == {f"W/P5={best}"}


@pytest.mark.parametrize(("theirs", "answer"), [("R1/P3 B2/P6", "challenge"), ("B1/VE B5/P9", "accept")])
def test_it_doubts_where_the_backs_prove_a_bluff_and_trusts_where_they_prove_there_is_none(
    theirs: str, answer: str
) -> None:
    """Red was in force.  Behind P3 there are red cards only; behind VE and P9, blue ones."""
    match = printed(f"W+2/O4 {theirs}", "Y1 Y2 G1", top="R5")
    say(match, "0: W+2/O4=G")
    assert answers(match, Master(worlds=1000), 5).keys() == {answer}


def test_it_jumps_in_to_go_out() -> None:
    match = table(["R7 Y2", "Y9 G6", "R3 R7"], top="R5", draw="G1 G2", jump_in=True)
    say(match, "0: draw", "0: keep", "1: draw", "1: keep", "2: R3!", "0: R7")
    assert match.to_act == 1
    assert choice(match, seat=2).startswith("R7")


def test_after_a_search_the_room_is_as_good_as_new() -> None:
    """One Master is asked again and again in a match: what it found before must not tell."""
    first, other = table(["R7 B5 Y2 W", "G5 G6 R1 R2"], top="R5"), table(["Y7 B5 R2 W", "G5 G6 R1"], top="R5")
    used = Master(worlds=40)
    fresh = [each.value for each in trials(first, Master(worlds=40))]
    trials(first, used)
    trials(other, used)
    assert [each.value for each in trials(first, used)] == fresh


def test_somebody_silent_is_caught_at_once_and_nobody_in_vain() -> None:
    match = table(["R7 B2", "G5 G6", "Y3 Y4"], top="R5")
    say(match, "0: R7")
    assert choice(match, seat=1) == "catch 0"
    assert choice(match, seat=0) == "uno"
