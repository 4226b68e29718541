"""The restriction on Wild Draws, and the challenge of the player who would draw (ACT-9, CHAL-1 to CHAL-6)."""

from __future__ import annotations

from ..codes import NO_COLOR
from ..state import TURN, Game
from .effects import pay
from .hands import holds_color, holds_two_wilds
from .log import ACCEPTED, CHALLENGED, FOUND_GUILTY, FOUND_INNOCENT, tell
from .order import seat_after, skip_player
from .piles import draw_cards

INNOCENCE_COSTS = 2  # CHAL-5


def breaks_restriction(g: Game, seat: int) -> bool:
    """ACT-9 and CHAL-3, for the hand as it is just after the play and the color before it."""
    return holds_color(g, seat, g.color) or (g.wilds_match_in_challenge != 0 and holds_color(g, seat, NO_COLOR))


def may_play_wild_draw(g: Game, seat: int) -> bool:
    """ACT-9 and ACT-10: a bluff is no refusal, unless the house says ``bluffing=off``."""
    return g.bluffing != 0 or not wild_draw_is_a_bluff(g, seat)


def wild_draw_is_a_bluff(g: Game, seat: int) -> bool:
    """ACT-9 for a hand that still has the Wild Draw in it: it holds another card that matches."""
    return holds_color(g, seat, g.color) or (g.wilds_match_in_challenge != 0 and holds_two_wilds(g, seat))


def accept(g: Game, seat: int) -> None:
    tell(g, ACCEPTED, seat, 0)
    pay(g, seat)
    skip_player(g)


def challenge(g: Game, seat: int) -> None:
    """The player of the Wild Draw shows the hand; one of the two draws all that is owed."""
    challenged = seat_after(g, -1)
    tell(g, CHALLENGED, challenged, seat)
    if g.guilty:
        tell(g, FOUND_GUILTY, challenged, seat)
        pay(g, challenged)
        g.phase = TURN  # CHAL-4: the challenger plays on
    else:
        tell(g, FOUND_INNOCENT, challenged, seat)
        pay(g, seat)
        draw_cards(g, seat, INNOCENCE_COSTS)
        skip_player(g)
