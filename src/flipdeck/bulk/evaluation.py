"""Evaluation by the net: priors and values for the moves of a seat in a determinization.  Compilable, like the rules.

The seat on turn evaluates by its own hand, by the backs of the others, and by the held cards of which both sides are
known: after a flip, all of them.
"""

from __future__ import annotations

from typing import Any

from ..core.state import Game
from .card_counts import look_around
from .features import write_features
from .learning import LONG, W4, chance_of, forward, forward_from, last

WIN = 1_000_000  # the value of a round that is won at once


def worth_of(chance: float, decisions: float, price: float, late: float) -> float:
    """The value of a chance to win after so many decisions: each costs the winner ``price`` and everybody ``late``, in
    millionths of a win.  The second has no limit: where all is lost, an end is still better than none."""
    return chance * (1.0 - min(price * decisions / WIN, 0.5)) - late * decisions / WIN


def logit_of_move(
    g: Game, seat: int, out: list[int], i: int, w: list[float], eyes: list[float], before: list[float], x: Any, h: Any
) -> float:
    """The net's logit for move ``i`` of a decision: the first in full, each later one from the features that differ."""
    if i == 0:
        write_features(g, seat, out[0], eyes, before)
        return forward(w, before, h)
    write_features(g, seat, out[i], eyes, x)
    return forward_from(w, before, x, h)


def weigh_moves(g: Game, seat: int, out: list[int], n: int, trail: Any, scales: Any) -> None:
    """For each move: the chance to win, the expected number of decisions after it, and its value on this path."""
    look_around(g, seat, trail.known[0], trail.known[1], scales.book, scales.eyes)
    for i in range(n):
        logit = logit_of_move(g, seat, out, i, scales.weights, scales.eyes, scales.before, scales.x, scales.hidden)
        chance = chance_of(logit)
        ahead = LONG * chance_of(last(scales.weights, scales.hidden, W4))
        scales.chances[i], scales.ahead[i] = chance, ahead
        scales.worths[i] = worth_of(chance, trail.decisions + ahead, trail.price, trail.late)
