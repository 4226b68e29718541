"""Actions: who is asked, and what may be answered.  Compilable.

The full action space is that of ``bulk.acting``.  The compact one has an action for each face and each word, and leaves
UNO, catches and the choice among cards with the same active face to the environment:

    0    colored face: color * 13 + rank - 1
    52   wild face: (0 Wild, 1 Wild Draw) * 4 + color called
    60   draw, keep, accept, challenge, call color 0..3
    68   let the moment go
"""

from __future__ import annotations

from ...bulk.acting import ACTIONS, KINDS, LET_GO, action_of, kind_of
from ...core.codes import CARDS, FIRST_WILD
from ...core.rules.legal import legal_moves, may_jump_in
from ...core.rules.moves import (
    CALL,
    CATCH,
    COLOR_BITS,
    COLOR_SHIFT,
    SAY_UNO,
    TAKE,
    UNO_SHIFT,
    WHAT_BITS,
)
from ...core.rules.order import seat_after
from ...core.state import OVER, Game
from .episode import LEFT_ALONE, Episode

COLORED = KINDS - 2
COMPACT_WORD = COLORED + 8
COMPACT_CALL = COMPACT_WORD + 4
COMPACT_LET_GO = COMPACT_CALL + 4
COMPACT_ACTIONS = COMPACT_LET_GO + 1
FULL_ACTIONS = ACTIONS
NO_MOVE = -2


def may_be_asked(g: Game, seat: int) -> bool:
    """Whether a seat out of turn is asked: by what everybody can see.  Who holds a card to jump in with is hidden."""
    return g.silent & ~(1 << seat) != 0 or (g.silent >> seat & 1 and g.late_uno != 0) or may_jump_in(g)


def seat_to_ask(g: Game, e: Episode) -> int:
    """Those who may interrupt, in turn order from the player on turn, and then the player on turn.

    The order is fixed: nobody races.
    """
    if not e.auto and (g.silent or g.jump_in) and g.phase != OVER:
        for step in range(1, g.players):
            seat = seat_after(g, step)
            if not g.heard >> seat & 1 and may_be_asked(g, seat):
                return seat
    return g.turn


def automatic_catch(g: Game) -> int:
    """The move of ``catcher`` when interrupts are automatic and somebody kept silent; NO_MOVE if nobody did."""
    for seat in range(g.players):
        if g.silent >> seat & 1:
            return CATCH + seat
    return NO_MOVE


def catcher(g: Game, move: int) -> int:
    """Who catches: the player on turn, or the next one where that is the silent player."""
    return g.turn if g.turn != move - CATCH else seat_after(g, 1)


def list_choices(g: Game, e: Episode, seat: int, out: list[int]) -> int:
    """Write the choices of a seat to ``e.moves`` and ``e.actions``; their number."""
    n = legal_moves(g, seat, out)
    if e.compact:
        return list_compact(g, e, seat, out, n)
    for i in range(n):
        e.moves[i], e.actions[i] = out[i], action_of(g, seat, out[i])
    if seat != g.turn:
        e.moves[n], e.actions[n] = LEFT_ALONE, LET_GO
        n += 1
    return n


def list_compact(g: Game, e: Episode, seat: int, out: list[int], n: int) -> int:
    """UNO is said when it is due, a catch or a late UNO leaves no choice, and one card stands for all with its face."""
    kept = 0
    for i in range(n):
        what = out[i] & WHAT_BITS
        if what == SAY_UNO or (what >= CATCH and g.silent >> (what - CATCH) & 1):
            e.moves[0], e.actions[0] = out[i], COMPACT_LET_GO
            return 1
        if what >= CATCH or (what < CARDS and g.counts[seat] == 2 and not out[i] >> UNO_SHIFT):
            continue
        kept = add_choice(g, e, kept, out[i], compact_action_of(g, out[i]))
    if seat != g.turn:
        e.moves[kept], e.actions[kept] = LEFT_ALONE, COMPACT_LET_GO
        kept += 1
    return kept


def add_choice(g: Game, e: Episode, n: int, move: int, action: int) -> int:
    """Of several cards with one active face, the one that came first is played."""
    for i in range(n):
        if e.actions[i] == action:
            if g.arrived[move & WHAT_BITS] < g.arrived[e.moves[i] & WHAT_BITS]:
                e.moves[i] = move
            return n
    e.moves[n], e.actions[n] = move, action
    return n + 1


def compact_action_of(g: Game, move: int) -> int:
    what, color = move & WHAT_BITS, move >> COLOR_SHIFT & COLOR_BITS
    if what < CARDS:
        face = g.faces[g.side + what]
        if face < FIRST_WILD:
            return kind_of(face)
        return COLORED + (kind_of(face) - COLORED) * 4 + color
    if what == CALL:
        return COMPACT_CALL + color
    return COMPACT_WORD + what - TAKE


def move_of_action(e: Episode, action: int) -> int:
    """The move that an action means now; NO_MOVE where it is not legal."""
    for i in range(e.choices):
        if e.actions[i] == action:
            return e.moves[i]
    return NO_MOVE
