"""Whose turn it is, and what lies on top."""

from __future__ import annotations

from ..state import TURN, Game
from .log import SKIPPED, tell


def top_face(g: Game) -> int:
    return g.faces[g.side + g.pile[g.pile_size - 1]]


def seat_after(g: Game, steps: int) -> int:
    """Counted in the direction of play, once around the table at most: no division is needed for that."""
    seat = g.turn + steps * g.direction
    if seat >= g.players:
        return seat - g.players
    return seat + g.players if seat < 0 else seat


def pass_turn(g: Game, steps: int) -> None:
    """TURN-4."""
    g.turn = seat_after(g, steps)
    g.phase = TURN


def skip_player(g: Game) -> None:
    """The player on turn misses it."""
    tell(g, SKIPPED, g.turn, 0)
    pass_turn(g, 1)
