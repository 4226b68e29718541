"""Many matches from random legal play, thousands at full length: every one ends, and no card is lost."""

from __future__ import annotations

from random import Random

import pytest

from flipdeck.core import editions
from flipdeck.core.match import Match
from flipdeck.core.options import LOWEST, POINTS
from flipdeck.core.state import Game
from tests.random_matches import check_numbers, play_match_on_numbers, random_table
from tests.thorough import THOROUGH

PARTS, EACH = (5, 200) if THOROUGH else (4, 100)


@pytest.mark.parametrize("edition", editions.NAMES)
@pytest.mark.parametrize("part", range(PARTS))
def test_hundreds_of_matches_of_ten_players_end_in_every_edition(edition: str, part: int) -> None:
    dice = Random(f"ten at the table {edition} {part}")
    for number in range(EACH):
        match = Match(edition, 10, seed=f"{edition} {part} {number}")
        play_match_on_numbers(match._game, dice, check_numbers)
        assert match.over
        assert match.winners
        check_winners(match._game)


@pytest.mark.parametrize("part", range(10 if THOROUGH else 5))
def test_hundreds_of_matches_with_any_options_end(part: int) -> None:
    dice = Random(f"any options {part}")
    for _ in range(60):
        g = random_table(dice, most_moves=0).match()._game  # with a limit that is too low nobody ever goes out
        totals = [0] * g.players

        def add_up(g: Game, totals: list[int] = totals) -> None:
            check_numbers(g)
            for seat in range(g.players):
                totals[seat] += g.points[seat]
            assert totals == g.scores[: g.players]

        play_match_on_numbers(g, dice, add_up, rounds=5000)
        check_winners(g)


def check_winners(g: Game) -> None:
    """END-5 to END-7."""
    scores, winners = g.scores[: g.players], [seat for seat in range(g.players) if g.winners >> seat & 1]
    if g.scoring == POINTS:
        assert winners == [g.winner]
        assert scores[g.winner] == max(scores) >= g.target
    elif g.scoring == LOWEST:
        assert max(scores) >= g.target
        assert winners == [seat for seat in range(g.players) if scores[seat] == min(scores)]
    else:
        assert winners == [g.winner]
        assert sum(scores) == 0
