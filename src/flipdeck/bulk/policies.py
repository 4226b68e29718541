"""Simple players for bulk play: a policy picks one of the legal moves by dice of its own.  Compilable, like the rules.

The dice are apart from the shuffles of the game: 32 bits of xorshift, good enough to pick moves and far too weak to
be let near a card.
"""

from __future__ import annotations

from ..core.codes import CARDS
from ..core.rules.chance import MASK
from ..core.rules.moves import CATCH, SAY_UNO, UNO_SHIFT, WHAT_BITS
from ..core.state import FLIPPER_CALLS, Game

RANDOM, EAGER = 0, 1
NAMES = ("random", "eager")


def next_luck(x: int) -> int:
    x ^= (x << 13) & MASK
    x ^= x >> 17
    return x ^ (x << 5) & MASK


def first_luck(seed: int) -> int:
    """Dice for a game by its number; never 0, from which xorshift does not get away."""
    x = (seed * 2654435761 + 0x9E3779B9) & MASK | 1
    return next_luck(next_luck(next_luck(x)))


def pick(g: Game, seat: int, policy: int, out: list[int], n: int, x: int) -> int:
    """The place in ``out`` of the move that a seat makes; ``n`` is to let the moment go, for a seat not on turn."""
    if policy == EAGER:
        return pick_eagerly(g, seat, out, n, x)
    return x * (n if seat == g.turn else n + 1) >> 32


def pick_eagerly(g: Game, seat: int, out: list[int], n: int, x: int) -> int:
    """Catch, call and play whenever able, any of the cards that match; draw, keep and accept when none does."""
    plays = 0
    while plays < n and out[plays] & WHAT_BITS < CARDS:
        plays += 1
    if g.silent:
        for i in range(plays, n):
            what = out[i] & WHAT_BITS
            if what == SAY_UNO or (what >= CATCH and g.silent >> (what - CATCH) & 1):
                return i
    if plays > 0:
        choice = x * plays >> 32
        if g.counts[seat] == 2 and not out[choice] >> UNO_SHIFT:
            choice += 1  # the same play with UNO is the next one
        return choice
    if seat != g.turn:
        return n
    return x * 4 >> 32 if g.phase >= FLIPPER_CALLS else 0
