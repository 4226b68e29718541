"""How the net weighs the moves of somebody in an imagined world.  Compilable, like the rules.

Whoever is on turn there weighs by their own hand, by the backs of the others, and by what is known of the cards that
are held: after a flip, both sides of all of them.
"""

from __future__ import annotations

from typing import Any

from ..core.state import Game
from .card_counts import look_around
from .features import write_features
from .learning import LONG, W4, chance_of, forward, forward_from, last

WIN = 1_000_000  # what a round that is won at once is worth


def worth_of(chance: float, decisions: float, price: float, late: float) -> float:
    """A chance to win after so many decisions: each costs who wins its ``price``, and everybody what it costs when it
    is ``late``, in millionths of a win.  That has no limit: where all is lost, an end is still better than none."""
    return chance * (1.0 - min(price * decisions / WIN, 0.5)) - late * decisions / WIN


def weigh_moves(g: Game, seat: int, out: list[int], n: int, trail: Any, scales: Any) -> None:
    """The chance of each move, how many decisions are ahead after it, and what it is worth at the end of this way."""
    look_around(g, seat, trail.known[0], trail.known[1], scales.book, scales.eyes)
    write_features(g, seat, out[0], scales.eyes, scales.before)
    logit = forward(scales.weights, scales.before, scales.hidden)
    for i in range(n):
        if i:
            write_features(g, seat, out[i], scales.eyes, scales.x)
            logit = forward_from(scales.weights, scales.before, scales.x, scales.hidden)
        chance = chance_of(logit)
        ahead = LONG * chance_of(last(scales.weights, scales.hidden, W4))
        scales.chances[i], scales.ahead[i] = chance, ahead
        scales.worths[i] = worth_of(chance, trail.decisions + ahead, trail.price, trail.late)
