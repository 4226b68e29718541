"""A bot knows what its seat was shown, and nothing else: redraw the rest, and it says the same.

Every level plays at random tables; then, up to many a moment of its own, all is played again in another world with the
same history of views (``films``).  The Master gets a number of worlds in place of a time: no two runs have the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import pytest

from flipdeck.bots.player import Player
from flipdeck.bots.table import Table
from tests.bots.films import Film, Rerun, Seating, StrangeWorld, World
from tests.bots.seats import LEVELS, bot_of
from tests.random_matches import random_table

ENOUGH = 10_000
REDRAWS = 16  # of one match, for one seat


def seating(level: str) -> Seating:
    return lambda match, seat, dice: Player(bot_of(level), seat, match.players, match.options, dice)


@dataclass
class Redrawn:
    """How many answers were compared, how many of them out of turn, and how many faces changed, redraw by redraw."""

    compared: int = 0
    out_of_turn: int = 0
    redraws: int = 0
    changed: int = 0


def check_match(level: Seating, dice: Random, found: Redrawn, table: type[Table] = Table) -> None:
    """Film a match at a random table; then redraw it again and again for a seat or two."""
    at = random_table(dice)
    players = min(at.players, dice.randint(2, 10))  # smaller tables more often: a seat is asked more often there
    film = Film(at.edition, players, seed=at.seed, options=at.options, dealer=dice.randrange(players))
    film.table = table
    seed = f"{dice.getrandbits(64):x}"
    watched = dice.sample(range(players), 2)
    for seat, answers in film.play(level, watched, seed).items():
        moments = {place for place, _ in answers}
        ends = set(dice.sample(sorted(moments), min(REDRAWS, len(moments))))
        for last, known in enumerate(film.seen_by(seat)):
            if last in ends:
                kind = World if dice.random() < 0.9 else StrangeWorld
                world = kind(film.pictures[0].game, known, dice)
                found.compared += Rerun(film, seat, last, world).play(level, seed, answers)
                found.out_of_turn += sum(
                    film.pictures[place].game.turn != seat for place, _ in answers if place <= last
                )
                found.redraws += 1
                found.changed += world.changed


@pytest.mark.long
@pytest.mark.parametrize("level", LEVELS)
def test_redraw_what_a_seat_cannot_know_and_it_says_the_same_ten_thousand_times(level: str) -> None:
    dice, found = Random(f"honest {level}"), Redrawn()
    for _ in range(400):
        check_match(seating(level), dice, found)
        if found.compared >= ENOUGH:
            break
    assert found.compared >= ENOUGH
    assert found.out_of_turn > ENOUGH / 100
    assert found.changed > 40 * found.redraws, "a redraw that changes little proves little"
