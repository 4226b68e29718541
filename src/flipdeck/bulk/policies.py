"""Simple players for bulk play: a policy picks one of the legal moves by dice of its own.  Compilable, like the rules.

The dice are apart from the shuffles of the game: a congruential generator of 62 bits, good enough to pick moves and far
too weak to be let near a card.  They start from the secret of the match, so that another run throws other dice.
"""

from __future__ import annotations

from ..core.rules.moves import UNO_SHIFT
from ..core.state import FLIPPER_CALLS, Game
from .heuristic import call_among, pick_steadily, plays_among

NAMES = ("random", "eager", "steady")
EAGER, STEADY = 1, 2
DICE = (1 << 62) - 1


def next_luck(x: int) -> int:
    """The next state of the dice.  Compiled numbers overflow where Python's don't, but the bits that are kept agree."""
    return (x * 6364136223846793005 + 1442695040888963407) & DICE


def luck_of(x: int, number: int) -> int:
    """Dice of their own for the so-manieth use of a state: far away on the same long cycle."""
    return next_luck(next_luck((x + number * 2654435769) & DICE))


def pick(g: Game, seat: int, policy: int, out: list[int], n: int, x: int) -> int:
    """The place in ``out`` of the move that a seat makes; ``n`` is to let the moment go, for a seat not on turn."""
    word = x >> 30  # the high bits of the dice are the good ones
    if policy == STEADY:
        return pick_steadily(g, seat, out, n, word)
    if policy == EAGER:
        return pick_eagerly(g, seat, out, n, word)
    return word * (n if seat == g.turn else n + 1) >> 32


def pick_eagerly(g: Game, seat: int, out: list[int], n: int, word: int) -> int:
    """Catch, call and play whenever able, any of the cards that match; draw, keep and accept when none does."""
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
    return word * 4 >> 32 if g.phase >= FLIPPER_CALLS else 0
