"""Policies for bulk play: a policy picks one of the legal moves, with random numbers of its own.  Compilable.

These are apart from the shuffles of the game: a linear congruential generator of 62 bits, good enough to pick moves and
far too weak to be let near a card.  It is seeded from the key of the match, so that another run draws other numbers.
"""

from __future__ import annotations

from ..core.rules.legal import can_play
from ..core.rules.moves import UNO_SHIFT, colors_to_call
from ..core.state import DRAWN, FLIPPER_CALLS, Game
from .heuristic import call_among, pick_steadily, plays_among

NAMES = ("random", "eager", "steady")
EAGER, STEADY = 1, 2
DICE = (1 << 62) - 1  # the bits of a generator state


def next_rng(x: int) -> int:
    """The next generator state.  Compiled integers overflow where Python's don't, but the bits that are kept agree."""
    return (x * 6364136223846793005 + 1442695040888963407) & DICE


def rng_stream(x: int, number: int) -> int:
    """The state of stream ``number`` of a generator: far away on the same long cycle."""
    return next_rng(next_rng((x + number * 2654435769) & DICE))


def keeps_by_force(g: Game) -> bool:
    """TURN-2: the drawn card doesn't fit and there is nobody to catch, so there is nothing to decide.

    A forced keep is a move, and no decision: no policy is asked for it, and no limit counts it.
    """
    return g.phase == DRAWN and g.silent == 0 and not can_play(g, g.turn, g.drawn)


def pick(g: Game, seat: int, policy: int, out: list[int], n: int, x: int) -> int:
    """The index in ``out`` of the move that a seat makes; ``n``, out of turn, lets the moment go."""
    word = x >> 30  # the high bits of the generator are the good ones
    if policy == STEADY:
        return pick_steadily(g, seat, out, n, word)
    if policy == EAGER:
        return pick_eagerly(g, seat, out, n, word)
    return word * (n if seat == g.turn else n + 1) >> 32


def pick_eagerly(g: Game, seat: int, out: list[int], n: int, word: int) -> int:
    """The eager policy: catch, call and play whenever able, any card that matches; else draw, keep and accept."""
    plays = plays_among(out, n)
    call = call_among(g, out, plays, n)
    if call < n:
        return call
    if plays > 0:
        choice = word * plays >> 32
        if g.counts[seat] == 2 and not out[choice] >> UNO_SHIFT:
            choice += 1  # the same play with UNO is the next one
        return choice
    if seat != g.turn:
        return n
    return word * colors_to_call(g) >> 32 if g.phase >= FLIPPER_CALLS else 0
