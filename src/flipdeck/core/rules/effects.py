"""What each card does when it is played (ACT-1 to ACT-7, FLIP-1 to FLIP-4): one function a symbol."""

from __future__ import annotations

from ..codes import (
    COLOR_AT,
    DARK,
    DARK_DRAWS,
    DRAW,
    FIRST_WILD,
    LIGHT,
    LIGHT_DRAWS,
    LIGHT_WILD_DRAWS,
    NO_COLOR,
    REVERSE,
    SKIP,
    WILD,
    WILD_DRAW,
)
from ..options import NEXT, SKIP_TURN
from ..state import CHALLENGE, FLIPPER_CALLS, STARTER_CALLS, Game
from .log import CALLED_COLOR, FLIPPED, REVERSED, tell
from .order import pass_turn, skip_player, top_face
from .piles import draw_cards, draw_until_color, turn_over


def take_effect(g: Game, seat: int, rank: int, out: bool) -> None:
    """The effect of the card just played; ``out`` when it was the last one (END-2, END-3)."""
    if rank < DRAW or rank == WILD:
        pass_turn(g, 1)
    elif rank in (DRAW, WILD_DRAW):
        make_next_draw(g, rank, out)
    elif rank == SKIP:
        skip(g)
    elif rank == REVERSE:
        reverse(g, seat)
    else:
        flip(g, seat)


def make_next_draw(g: Game, rank: int, out: bool) -> None:
    """ACT-1, ACT-6, ACT-7: the next player draws and misses the turn, or first gets to answer."""
    g.owed += 1
    pass_turn(g, 1)
    can_answer = g.stacking != 0 or (rank == WILD_DRAW and g.bluffing != 0)
    if can_answer and not out:
        g.phase = CHALLENGE
    else:
        pay(g, g.turn)
        skip_player(g)


def pay(g: Game, seat: int) -> None:
    """Draw all that is owed, card by card of the stack."""
    wild = top_face(g) >= FIRST_WILD
    for _ in range(g.owed):
        if not wild:
            draw_cards(g, seat, LIGHT_DRAWS if g.side == LIGHT else DARK_DRAWS)
        elif g.side == LIGHT:
            draw_cards(g, seat, LIGHT_WILD_DRAWS)
        else:
            draw_until_color(g, seat)
    g.owed = 0


def skip(g: Game) -> None:
    """ACT-2 on the light side; ACT-4 on the dark side: everyone else is skipped."""
    if g.side == DARK:
        pass_turn(g, 0)
    else:
        pass_turn(g, 1)
        skip_player(g)


def reverse(g: Game, seat: int) -> None:
    """ACT-3."""
    g.direction = -g.direction
    tell(g, REVERSED, seat, 0)
    pass_turn(g, 1)
    if g.players == 2 and g.two_player_reverse == SKIP_TURN:
        skip_player(g)


def flip(g: Game, seat: int) -> None:
    flip_everything(g, seat)
    if g.color != NO_COLOR:  # FLIP-3: whatever shows is not activated
        pass_turn(g, 1)
        return
    caller = g.wild_after_flip_to_dark if g.side == DARK else g.wild_after_flip_to_light
    if caller == NEXT:  # FLIP-4
        pass_turn(g, 1)
        g.phase = STARTER_CALLS
    else:
        g.phase = FLIPPER_CALLS


def flip_everything(g: Game, seat: int) -> None:
    """FLIP-1: the discard pile, the draw pile and, by the change of side, every hand."""
    turn_over(g.pile, g.pile_size)
    turn_over(g.stock, g.stock_size)
    g.side = DARK - g.side
    g.color = top_face(g) >> COLOR_AT
    tell(g, FLIPPED, seat, g.pile[g.pile_size - 1])


def call_color(g: Game, seat: int, color: int) -> None:
    """ACT-5."""
    g.color = color
    tell(g, CALLED_COLOR, seat, color)
