"""Saying UNO, saying it late, catching a player who did not (UNO-1 to UNO-7)."""

from __future__ import annotations

from ..options import NEXT_TURN
from ..state import Game
from .log import CAUGHT, CAUGHT_IN_VAIN, SAID_UNO, tell
from .moves import CATCH, SAY_UNO, add_move
from .piles import draw_cards


def came_down_to_one(g: Game, seat: int, uno: int) -> None:
    """UNO-1: said with the play of the next-to-last card, or the player can be caught."""
    if uno:
        tell(g, SAID_UNO, seat, 0)
    else:
        g.silent |= 1 << seat


def close_catch_window(g: Game) -> None:
    """UNO-3 and UNO-7: somebody begins a turn by playing or drawing."""
    if g.catch_window == NEXT_TURN:
        g.silent = 0


def add_uno_calls(g: Game, seat: int, out: list[int], n: int) -> int:
    """UNO-2, UNO-4; and UNO-6 where a false catch has a penalty."""
    if g.silent >> seat & 1 and g.late_uno:
        n = add_move(out, n, SAY_UNO)
    for other in range(g.players):
        if other != seat and (g.silent >> other & 1 or g.false_catch_penalty):
            n = add_move(out, n, CATCH + other)
    return n


def say_uno(g: Game, seat: int) -> None:
    g.silent &= ~(1 << seat)
    tell(g, SAID_UNO, seat, 0)


def catch(g: Game, seat: int, other: int) -> None:
    if g.silent >> other & 1:
        tell(g, CAUGHT, other, seat)
        g.silent &= ~(1 << other)
        draw_cards(g, other, g.uno_penalty)
    else:
        tell(g, CAUGHT_IN_VAIN, other, seat)
        draw_cards(g, seat, g.false_catch_penalty)
