"""Carrying out one move (TURN-1 to TURN-4): ``apply`` is the one door into a round."""

from __future__ import annotations

from ..codes import CARDS, COLOR_AT, FIRST_WILD, RANK_BITS, WILD_DRAW
from ..scoring import finish, void_round
from ..state import DRAWN, FLIPPER_CALLS, OVER, TURN, Game
from .challenge import accept, breaks_restriction, challenge
from .effects import call_color, take_effect
from .hands import take_from_hand
from .legal import can_play
from .log import JUMPED_IN, KEPT, PASSED, PLAYED, tell
from .moves import ACCEPT, CALL, CATCH, COLOR_BITS, COLOR_SHIFT, DISPUTE, KEEP, SAY_UNO, TAKE, UNO_SHIFT, WHAT_BITS
from .order import pass_turn
from .piles import draw_card, put_on_pile
from .uno import came_down_to_one, catch, close_catch_window, say_uno


def apply(g: Game, seat: int, move: int) -> None:
    """Carry out one legal move of a seat, on turn or not."""
    what = move & WHAT_BITS
    color = move >> COLOR_SHIFT & COLOR_BITS
    g.log_size = 0
    g.heard = 0
    g.moves += 1
    if what < CARDS:
        play_card(g, seat, what, color, move >> UNO_SHIFT)
    elif what == TAKE:
        take_card(g, seat)
    elif what == KEEP:
        tell(g, KEPT, seat, 0)
        pass_turn(g, 1)
    elif what == ACCEPT:
        accept(g, seat)
    elif what == DISPUTE:
        challenge(g, seat)
    elif what == CALL:
        call_for_top(g, seat, color)
    elif what == SAY_UNO:
        say_uno(g, seat)
    else:
        catch(g, seat, what - CATCH)
    if g.moves == g.most_moves and g.phase != OVER:
        void_round(g)  # PILE-4


def play_card(g: Game, seat: int, card: int, color: int, uno: int) -> None:
    close_catch_window(g)
    if seat != g.turn:
        tell(g, JUMPED_IN, seat, 0)
        g.turn = seat  # the player who jumps in takes the turn
    g.passes = 0
    face = g.faces[g.side + card]
    take_from_hand(g, seat, card)
    put_on_pile(g, card)
    tell(g, PLAYED, seat, card)
    if face & RANK_BITS == WILD_DRAW:
        g.guilty = 1 if breaks_restriction(g, seat) else 0
        g.shown_until = g.arrivals
    if face >= FIRST_WILD:
        call_color(g, seat, color)
    else:
        g.color = face >> COLOR_AT
    if g.counts[seat] == 1:
        came_down_to_one(g, seat, uno)
    out = g.counts[seat] == 0
    take_effect(g, seat, face & RANK_BITS, out)
    if out:
        finish(g, seat)


def take_card(g: Game, seat: int) -> None:
    """TURN-2: draw one, then say what becomes of it; house rule ``draw_until_playable``: draw on."""
    close_catch_window(g)
    card = draw_card(g, seat)
    if card < 0:
        pass_without_card(g, seat)
        return
    g.passes = 0
    g.phase, g.drawn = DRAWN, card
    while g.draw_until_playable and card >= 0 and not can_play(g, seat, card):
        card = draw_card(g, seat)
        if card >= 0:
            g.drawn = card


def pass_without_card(g: Game, seat: int) -> None:
    """PILE-2 and PILE-4: who passes holds nothing that fits, so after a lap of passes nobody can go on."""
    tell(g, PASSED, seat, 0)
    g.passes += 1
    if g.passes == g.players:
        void_round(g)
    else:
        pass_turn(g, 1)


def call_for_top(g: Game, seat: int, color: int) -> None:
    """OPEN-5 and FLIP-4: the color of a wild that nobody played."""
    call_color(g, seat, color)
    if g.phase == FLIPPER_CALLS:
        pass_turn(g, 1)
    else:
        g.phase = TURN
