"""Features: the position after a move, as far as the mover knows it, as a vector for the net.  Compilable.

The move is not applied: a draw is described as a draw, not by what it would bring, and a flip by what is known of the
other side.  Colors are anonymous: the color in force comes first, then the others by how many of them the mover holds.
Seats are counted from the mover in the direction of play after the move.
"""

from __future__ import annotations

from ..core.codes import CARDS, COLOR_AT, DARK, DRAW, FIRST_WILD, FLIP, NO_COLOR, RANK_BITS, REVERSE, SKIP, WILD_DRAW
from ..core.options import NEXT, SKIP_TURN
from ..core.rules.moves import (
    ACCEPT,
    CALL,
    CATCH,
    COLOR_BITS,
    COLOR_SHIFT,
    DISPUTE,
    SAY_UNO,
    TAKE,
    UNO_SHIFT,
    WHAT_BITS,
)
from ..core.rules.order import seat_after
from ..core.state import CHALLENGE, STARTER_CALLS, Game
from .card_counts import (
    BACK,
    COLORS,
    FRONT,
    KINDS,
    NO_WILD,
    NONE_OF,
    ORDER,
    RANKS,
    ROW,
    SIDE,
    STOCK_ROW,
    WILDS,
    count_own,
)

LET_GO = -1  # as a move: a seat out of turn lets the moment go

NEIGHBORS = 3  # the next player, the one after, and the one who comes last
# what is said: play, draw, keep, accept, challenge, call a color, let it go; the kind of card played; bluff, jump in
SAID = 0
PLAYED_KIND, BLUFF, JUMPS_IN = SAID + 7, SAID + 14, SAID + 15
TABLE = SAID + 16
(
    ON_DARK,
    AGAIN,  # the mover plays on
    NEXT_MISSES,
    NEXT_ANSWERS,
    NEXT_DRAWS,
    ALL_MISS,
    MOVER_CALLS,
    OTHER_CALLS,
    NO_COLOR_YET,
    OWED,
    GUILT,  # the chance that the Wild Draw to be answered was a bluff
    GUILT_UNKNOWN,
    FEW_TO_DRAW,
) = range(TABLE, TABLE + 13)
TOP_KIND = TABLE + 13
PLAYERS = TOP_KIND + 7
OWN_SIZE = PLAYERS + 5
OWN = OWN_SIZE + 10  # both sides of the mover's hand
OWN_SIDE = 23
OTHERS = OWN + 2 * OWN_SIDE
SEAT = 9 + 2 * SIDE
ALL = OTHERS + NEIGHBORS * SEAT
DRAW_PILE = ALL + 13
FEATURES = DRAW_PILE + 11


def sound_moves(g: Game, seat: int, out: list[int], n: int) -> int:
    """Keep the moves worth evaluating; their number.  A forced one (UNO, a catch, the last card) stays alone."""
    kept = 0
    for i in range(n):
        move = out[i]
        what = move & WHAT_BITS
        if what < CARDS:
            if g.counts[seat] == 1:
                out[0] = move
                return 1
            if g.counts[seat] == 2 and not move >> UNO_SHIFT:
                continue
        elif what == SAY_UNO or (what >= CATCH and g.silent >> (what - CATCH) & 1):
            out[0] = move
            return 1
        elif what >= CATCH:
            continue
        out[kept] = move
        kept += 1
    if seat != g.turn:
        out[kept] = LET_GO
        kept += 1
    return kept


def write_features(g: Game, seat: int, move: int, eyes: list[float], x: list[float]) -> None:
    """The features of one legal move; ``card_counts.look_around`` has filled ``eyes`` for this seat."""
    for i in range(FEATURES):
        x[i] = 0.0
    what = move & WHAT_BITS if move >= 0 else LET_GO
    card = what if 0 <= what < CARDS else -1
    face = g.faces[g.side + card] if card >= 0 else 0
    flips = card >= 0 and face & RANK_BITS == FLIP
    size = g.counts[seat]
    if card >= 0:
        size -= 1
        count_own(g, seat, card, -1.0, eyes)
    top, color = top_after(g, what, face, flips, move)
    direction = -g.direction if card >= 0 and face & RANK_BITS == REVERSE else g.direction
    front, back = (BACK, FRONT) if flips else (FRONT, BACK)
    sort_colors(eyes, seat * ROW + front, color, ORDER)
    sort_colors(eyes, seat * ROW + back, NO_COLOR, ORDER + 4)
    write_said(g, seat, what, face, eyes, x)
    if card >= 0:
        write_effect(g, face, color, size, x)
    write_table(g, seat, what, top, color, flips, eyes, x)
    write_size(size, x)
    write_own(eyes, seat * ROW + front, ORDER, x, OWN)
    write_own(eyes, seat * ROW + back, ORDER + 4, x, OWN + OWN_SIDE)
    write_followers(eyes, seat * ROW + front, RANKS + 16 if flips else RANKS, top, color, x)
    write_others(g, seat, direction, front, back, color, eyes, x)
    if not flips:
        write_draw_pile(g, color, eyes, x)
    if card >= 0:
        count_own(g, seat, card, 1.0, eyes)


def top_after(g: Game, what: int, face: int, flips: bool, move: int) -> tuple[int, int]:
    """The face on the discard pile and the color in force."""
    top = g.faces[g.side + g.pile[g.pile_size - 1]]
    color = g.color
    if flips:
        top = g.faces[DARK - g.side + g.pile[0]]  # the pile is turned over; everybody saw its first card
        color = top >> COLOR_AT if top >= 0 else NO_COLOR
    elif 0 <= what < CARDS:
        top = face
        color = move >> COLOR_SHIFT & COLOR_BITS if face >= FIRST_WILD else face >> COLOR_AT
    elif what == CALL:
        color = move >> COLOR_SHIFT & COLOR_BITS
    return top, color


def sort_colors(eyes: list[float], at: int, first: int, order: int) -> None:
    """The place of each color: ``first``, if it is one, then those held most."""
    for color in range(4):
        place = 0
        for other in range(4):
            more = eyes[at + COLORS + other] - eyes[at + COLORS + color]
            before = more > 0.0 or (more == 0.0 and other < color)
            if other != color and color != first and (other == first or before):
                place += 1
        eyes[order + color] = place * 1.0


def kind_of_rank(rank: int) -> int:
    """0 a number, then Draw, Reverse, Skip, Flip, Wild, Wild Draw."""
    return rank - DRAW + 1 if rank >= DRAW else 0


# ---------------------------------------------------------------- what is said and what it does
def write_said(g: Game, seat: int, what: int, face: int, eyes: list[float], x: list[float]) -> None:
    if what == LET_GO:
        x[SAID + 6] = 1.0
    elif what < CARDS:
        rank = face & RANK_BITS
        x[SAID] = 1.0
        x[PLAYED_KIND + kind_of_rank(rank)] = 1.0
        if rank == WILD_DRAW and g.color != NO_COLOR and eyes[seat * ROW + FRONT + COLORS + g.color] > 0.0:
            x[BLUFF] = 1.0
        if seat != g.turn:
            x[JUMPS_IN] = 1.0
    elif what <= CALL:
        x[SAID + 1 + what - TAKE] = 1.0  # draw, keep, accept, challenge, call


def write_effect(g: Game, face: int, color: int, size: int, x: list[float]) -> None:
    """What a card does to the next player, and who goes on."""
    rank = face & RANK_BITS
    if rank in (DRAW, WILD_DRAW):
        x[NEXT_MISSES] = 1.0
        light = 1 if rank == DRAW else 2
        x[NEXT_DRAWS] = (light if g.side != DARK else 5) * (g.owed + 1) / 5
        if (g.stacking != 0 or (rank == WILD_DRAW and g.bluffing != 0)) and size > 0:
            x[NEXT_ANSWERS] = 1.0
    elif rank == SKIP:
        x[NEXT_MISSES] = 1.0
        if g.side == DARK:
            x[ALL_MISS] = 1.0
    elif rank == REVERSE and g.players == 2 and g.two_player_reverse == SKIP_TURN:
        x[NEXT_MISSES] = 1.0
    elif rank == FLIP and color == NO_COLOR:
        caller = g.wild_after_flip_to_light if g.side == DARK else g.wild_after_flip_to_dark
        x[OTHER_CALLS if caller == NEXT else MOVER_CALLS] = 1.0
    if x[ALL_MISS] > 0.0 or (g.players == 2 and x[NEXT_MISSES] > 0.0 and x[NEXT_ANSWERS] == 0.0):
        x[AGAIN] = 1.0


def write_table(
    g: Game, seat: int, what: int, top: int, color: int, flips: bool, eyes: list[float], x: list[float]
) -> None:
    dark = g.side == DARK
    x[ON_DARK] = 1.0 if dark != flips else 0.0
    if color == NO_COLOR:
        x[NO_COLOR_YET] = 1.0
    if g.phase == STARTER_CALLS and what == CALL:
        x[AGAIN] = 1.0
    if g.phase == CHALLENGE and seat == g.turn:
        x[OWED] = g.owed * 1.0
        if what in (ACCEPT, DISPUTE):
            write_guilt(g, eyes, x)
    x[FEW_TO_DRAW] = 1.0 if g.stock_size < 10 else 0.0
    if top >= 0:
        x[TOP_KIND + kind_of_rank(top & RANK_BITS)] = 1.0
    crowd = g.players - 2 if g.players < 5 else 3
    if g.players > 6:
        crowd = 4
    x[PLAYERS + crowd] = 1.0


def write_guilt(g: Game, eyes: list[float], x: list[float]) -> None:
    """The chance that the player of a Wild Draw held the color before it: that of the card under it, if it has one."""
    under = g.faces[g.side + g.pile[g.pile_size - 2]] if g.pile_size > 1 else FIRST_WILD
    if under < 0 or under >= FIRST_WILD:
        x[GUILT_UNKNOWN] = 1.0
    else:
        x[GUILT] = 1.0 - eyes[seat_after(g, -1) * ROW + FRONT + NONE_OF + (under >> COLOR_AT)]


# ---------------------------------------------------------------- hands
def write_size(size: int, x: list[float]) -> None:
    step = size if size < 8 else 8
    x[OWN_SIZE + step] = 1.0
    x[OWN_SIZE + 9] = size / 10


def write_own(eyes: list[float], row: int, order: int, x: list[float], at: int) -> None:
    held = 0
    for color in range(4):
        count = eyes[row + COLORS + color]
        place = at + int(eyes[order + color])
        x[place] = count / 4
        x[place + 4] = 1.0 if count >= 1.0 else 0.0
        x[place + 8] = 1.0 if count >= 2.0 else 0.0
        held += 1 if count >= 1.0 else 0
    for kind in range(WILDS, KINDS):
        x[at + 12 + kind - WILDS] = eyes[row + kind] / 2
    wilds = eyes[row + WILDS] + eyes[row + WILDS + 1]
    x[at + 18] = 1.0 if wilds > 0.0 else 0.0
    x[at + 19] = held / 4


def write_followers(eyes: list[float], row: int, ranks: int, top: int, color: int, x: list[float]) -> None:
    """How many cards of the hand could follow."""
    count = eyes[row + WILDS] + eyes[row + WILDS + 1]
    if color != NO_COLOR:
        count += eyes[row + COLORS + color]
    if 0 < top < FIRST_WILD:
        same = eyes[ranks + (top & RANK_BITS)]
        x[OWN + 20] = 1.0 if same > 0.0 else 0.0
        count += same
    x[OWN + 21] = 1.0 if count > 0.0 else 0.0
    x[OWN + 22] = count / 5


def write_others(
    g: Game, seat: int, direction: int, front: int, back: int, color: int, eyes: list[float], x: list[float]
) -> None:
    fewest, cards = 100, 0
    for step in range(1, g.players):
        other = (seat + step * direction) % g.players
        row = other * ROW
        count = g.counts[other]
        fewest = count if count < fewest else fewest
        cards += count
        for k in range(4):
            x[ALL + 5 + int(eyes[ORDER + k])] += eyes[row + front + COLORS + k]
            x[ALL + 9 + int(eyes[ORDER + 4 + k])] += eyes[row + back + COLORS + k]
        x[ALL + 4] += eyes[row + front + WILDS] + eyes[row + front + WILDS + 1]
        if step < NEIGHBORS:
            write_seat(count, row, front, back, color, eyes, x, OTHERS + (step - 1) * SEAT)
        elif step == g.players - 1:
            write_seat(count, row, front, back, color, eyes, x, OTHERS + (NEIGHBORS - 1) * SEAT)
    if fewest <= 3:
        x[ALL + fewest - 1] = 1.0
    x[ALL + 3] = cards / (g.players - 1) / 10
    for i in range(ALL + 4, ALL + 13):
        x[i] /= cards


def write_seat(
    count: int, row: int, front: int, back: int, color: int, eyes: list[float], x: list[float], at: int
) -> None:
    step = count if count < 6 else 6 if count < 8 else 7
    x[at + step - 1] = 1.0
    x[at + 7] = count / 10
    if color != NO_COLOR:
        x[at + 8] = 1.0 - eyes[row + front + NONE_OF + color] * eyes[row + front + NO_WILD]
    write_side(eyes, row + front, ORDER, x, at + 9)
    write_side(eyes, row + back, ORDER + 4, x, at + 9 + SIDE)


def write_side(eyes: list[float], row: int, order: int, x: list[float], at: int) -> None:
    for color in range(4):
        place = int(eyes[order + color])
        x[at + place] = eyes[row + COLORS + color] / 4
        x[at + NONE_OF + place] = eyes[row + NONE_OF + color]
    for kind in range(WILDS, KINDS):
        x[at + kind] = eyes[row + kind] / 2
    x[at + NO_WILD] = eyes[row + NO_WILD]


def write_draw_pile(g: Game, color: int, eyes: list[float], x: list[float]) -> None:
    """The card that would be drawn next: its back, and what its front may be."""
    if g.stock_size == 0:
        return
    for k in range(4):
        x[DRAW_PILE + int(eyes[ORDER + k])] = eyes[STOCK_ROW + FRONT + COLORS + k]
        x[DRAW_PILE + 4 + int(eyes[ORDER + 4 + k])] = eyes[STOCK_ROW + BACK + COLORS + k]
    x[DRAW_PILE + 8] = eyes[STOCK_ROW + FRONT + WILDS] + eyes[STOCK_ROW + FRONT + WILDS + 1]
    x[DRAW_PILE + 9] = eyes[STOCK_ROW + BACK + WILDS] + eyes[STOCK_ROW + BACK + WILDS + 1]
    if color != NO_COLOR:
        x[DRAW_PILE + 10] = x[DRAW_PILE + 8] + eyes[STOCK_ROW + FRONT + COLORS + color]
