"""Legal moves of a seat, on turn or not, and whom to ask next."""

from __future__ import annotations

from ..codes import COLOR_AT, DRAW, FIRST_WILD, RANK_BITS, WILD_DRAW
from ..state import CHALLENGE, DRAWN, OVER, TURN, Game
from .challenge import may_play_wild_draw, wild_draw_is_a_bluff
from .hands import add_matching, add_of_face, add_of_rank, holds_face
from .moves import ACCEPT, CALL, COLOR_SHIFT, DISPUTE, KEEP, TAKE, add_move, add_plays, colors_to_call
from .order import seat_after, top_face
from .uno import add_uno_calls


def can_play(g: Game, seat: int, card: int) -> bool:
    """TURN-1 for one card; ACT-9 where bluffing is off."""
    face = g.faces[g.side + card]
    rank = face & RANK_BITS
    if rank == WILD_DRAW:
        return may_play_wild_draw(g, seat)
    return face >= FIRST_WILD or face >> COLOR_AT == g.color or rank == top_face(g) & RANK_BITS


def legal_moves(g: Game, seat: int, out: list[int]) -> int:
    """Write all that a seat may say now to ``out``; return how many moves there are."""
    if g.phase == OVER:
        return 0
    n = 0
    if seat == g.turn:
        n = add_turn_moves(g, seat, out)
    elif may_jump_in(g):
        n = add_of_face(g, seat, top_face(g), out, n)
    if g.silent or g.false_catch_penalty:
        n = add_uno_calls(g, seat, out, n)
    return n


def has_a_say(g: Game, seat: int) -> bool:
    """Whether there can be legal moves of a seat at all: there seldom are of one that is not on turn."""
    return g.phase != OVER and (seat == g.turn or g.silent != 0 or g.false_catch_penalty != 0 or may_jump_in(g))


def add_turn_moves(g: Game, seat: int, out: list[int]) -> int:
    n = 0
    if g.phase == TURN:
        n = add_matching(g, seat, top_face(g) & RANK_BITS, may_play_wild_draw(g, seat), out, n)
        if n == 0 or g.stock_size > 0 or g.pile_size > 1:  # PILE-2: with nothing left to draw it is a pass
            n = add_move(out, n, TAKE)
    elif g.phase == DRAWN:
        n = add_words_about_drawn(g, seat, out)
    elif g.phase == CHALLENGE:
        n = add_answers(g, seat, top_face(g) & RANK_BITS, out)
    else:
        for color in range(colors_to_call(g)):
            n = add_move(out, n, CALL | color << COLOR_SHIFT)
    return n


def add_words_about_drawn(g: Game, seat: int, out: list[int]) -> int:
    """TURN-2 and TURN-3: play the drawn card, if it fits, or keep it."""
    n = 0
    if can_play(g, seat, g.drawn):
        n = add_plays(g, seat, g.drawn, out, n)
        if g.forced_play and not (is_wild_draw(g, g.drawn) and wild_draw_is_a_bluff(g, seat)):
            return n
    return add_move(out, n, KEEP)


def is_wild_draw(g: Game, card: int) -> bool:
    return g.faces[g.side + card] & RANK_BITS == WILD_DRAW


def add_answers(g: Game, seat: int, rank: int, out: list[int]) -> int:
    n = 0
    if g.stacking and (rank == DRAW or may_play_wild_draw(g, seat)):
        n = add_of_rank(g, seat, rank, out, n)
    n = add_move(out, n, ACCEPT)
    if rank == WILD_DRAW and g.bluffing:
        n = add_move(out, n, DISPUTE)
    return n


def may_jump_in(g: Game) -> bool:
    """House rule ``jump_in``: before the player on turn acts, and never on a wild."""
    return g.jump_in != 0 and g.phase == TURN and top_face(g) < FIRST_WILD


def may_interrupt(g: Game, seat: int) -> bool:
    """A seat that is not on turn can catch, say UNO late or jump in."""
    if g.silent & ~(1 << seat) or (g.silent >> seat & 1 and g.late_uno):
        return True
    return may_jump_in(g) and holds_face(g, seat, top_face(g))


def speaker(g: Game) -> int:
    """Whom to ask, when seats are asked one by one: who may interrupt, in turn order, then the player on turn."""
    if (g.silent or g.jump_in) and g.phase != OVER:
        for step in range(1, g.players):
            seat = seat_after(g, step)
            if not g.heard >> seat & 1 and may_interrupt(g, seat):
                return seat
    return g.turn


def let_go(g: Game, seat: int) -> None:
    """A seat that was asked passes until the next move."""
    g.heard |= 1 << seat
