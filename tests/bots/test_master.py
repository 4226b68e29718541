"""The Master: what it tries, what it leaves, and that it finds what can be known."""

from __future__ import annotations

from random import Random

import pytest

from flipdeck.bots.master import Master, sensible
from flipdeck.core.match import Match
from flipdeck.core.notation import Draw, Play
from tests.bots.printed_hands import printed
from tests.bots.seats import answers, seated
from tests.tables import say, table

pytestmark = pytest.mark.usefixtures("compiled_rules")


def choice(match: Match, worlds: int = 200, seat: int | None = None) -> str:
    """What it says with one pair of dice."""
    return next(iter(answers(match, Master(worlds=worlds), 1, seat)))


def test_it_goes_out_when_it_can() -> None:
    match = table(["R7 R2", "G5 G6"], top="R5", draw="G9")
    say(match, "0: R7!", "1: draw")
    assert choice(match).startswith("R2")


def test_uno_is_never_left_out() -> None:
    match = table(["R7 B2", "G5 G6"], top="R5")
    for move in sensible(match.legal(0), match.view(0)):
        assert isinstance(move, Draw) or (isinstance(move, Play) and move.uno)
    assert all(said.endswith("!") or said == "draw" for said in answers(match, Master(worlds=8), 10))


def test_where_there_is_one_move_it_does_not_search() -> None:
    class Idle(Master):
        def tried(self, *args: object, **kwargs: object) -> list[object]:  # type: ignore[override]
            del args, kwargs
            raise AssertionError("nothing to search for")

    match = table(["G2 G3", "B1 B2"], top="R5")
    assert answers(match, Idle(worlds=1), 1) == {"draw": 1}


def test_the_same_dice_give_the_same_answer_and_others_may_not() -> None:
    match = table(["R7 B5 Y2 W", "G5 G6 R1 R2"], top="R5")
    assert answers(match, Master(worlds=20), 20) == answers(match, Master(worlds=20), 20)


def test_every_move_is_tried_and_the_best_comes_first() -> None:
    match = table(["R7 B5 Y2 W", "G5 G6 R1 R2"], top="R5")
    player = seated(match, "regular")
    moves = sensible(match.legal(0), match.view(0))
    tried = Master(worlds=60).tried(player.memory, moves, Random(1))
    assert {each.move for each in tried} == set(moves)
    assert max(each.worlds for each in tried) == tried[0].worlds
    assert all(0 <= each.value <= each.chance <= 1 for each in tried)


def test_it_calls_no_color_that_the_next_player_surely_has() -> None:
    """As the cards are printed, whoever shows T8, V9 and T1 has yellow cards: to call yellow helps nobody else."""
    match = printed("W/P5 B1 B2", "Y5/T8 Y5/V9 Y2/T1", top="G3")
    player = seated(match, "regular")
    moves = [move for move in sensible(match.legal(0), match.view(0)) if isinstance(move, Play) and move.color]
    tried = Master(worlds=600).tried(player.memory, moves, Random(3))
    assert len(moves) == 4
    assert str(tried[0].move).endswith("=B")
    assert not any(str(each.move).endswith("=Y") for each in tried[:2])


def test_somebody_silent_is_caught_at_once_and_nobody_in_vain() -> None:
    match = table(["R7 B2", "G5 G6", "Y3 Y4"], top="R5")
    say(match, "0: R7")
    assert choice(match, seat=1) == "catch 0"
    assert choice(match, seat=0) == "uno"
