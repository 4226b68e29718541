"""A move as one number: what is said or played, the color called, UNO said with it."""

from __future__ import annotations

from ..codes import FIRST_WILD, MINI_CARDS
from ..state import Game

# what: a card 0..111, or one of these; CATCH + seat is 118..127
TAKE, KEEP, ACCEPT, DISPUTE, CALL, SAY_UNO, CATCH = 112, 113, 114, 115, 116, 117, 118
WHAT_BITS, COLOR_SHIFT, COLOR_BITS, UNO_SHIFT = 255, 8, 3, 10
MAX_MOVES = 256  # 8 wilds x 4 colors x 2, 104 other cards, and what can be said


def colors_to_call(g: Game) -> int:
    """ACT-5: all colors of a side; the mini deck has the first two of them (DECK-6)."""
    return 2 if g.deck == MINI_CARDS else 4


def add_move(out: list[int], n: int, move: int) -> int:
    out[n] = move
    return n + 1


def add_plays(g: Game, seat: int, card: int, out: list[int], n: int) -> int:
    """Every way to play a card: the color called (ACT-5), UNO said with it or not (UNO-1)."""
    colors = colors_to_call(g) if g.faces[g.side + card] >= FIRST_WILD else 1
    calls = 2 if g.counts[seat] == 2 else 1
    for color in range(colors):
        for uno in range(calls):
            out[n] = card | color << COLOR_SHIFT | uno << UNO_SHIFT
            n += 1
    return n
