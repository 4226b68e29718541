"""The reinforcement-learning interface: observations, actions, legal masks.  Compilable, like the rules.

An action is a number below ACTIONS with the same meaning in every game.  A play is encoded by the active face, by which
of its copies in the hand (in order of arrival: they differ in their backs), by the color called and by UNO:

    0   colored face: ((color * 13 + rank - 1) * 2 + copy) * 2 + uno
    208 wild face: (((0 Wild, 1 Wild Draw) * 4 + copy) * 4 + color) * 2 + uno
    272 draw, keep, accept, challenge, call color 0..3, say UNO, catch the 1st..9th seat clockwise, let the moment go

An observation is what ``view`` shows the seat and no more: the sections below, with seats counted clockwise from it.
"""

from __future__ import annotations

from ..core.codes import CARDS, COLOR_AT, DARK, FIRST_WILD, RANK_BITS, WILD
from ..core.rules.hands import HALF, color_set, rank_set
from ..core.rules.legal import legal_moves
from ..core.rules.moves import CALL, CATCH, COLOR_BITS, COLOR_SHIFT, SAY_UNO, TAKE, UNO_SHIFT, WHAT_BITS
from ..core.rules.order import top_face
from ..core.state import DRAWN, FLIPPER_CALLS, Game

FIRST_WILD_PLAY, FIRST_WORD = 208, 272
FIRST_CALL, UNO_CALL, LET_GO = 276, 280, 290
CATCH_AT = UNO_CALL  # and as many more as the seat is away clockwise, one at least
ACTIONS = 291

KINDS = 54  # of faces on a side: 52 colored ones, Wild, Wild Draw
SEATS = 10
HAND = 0  # how many of each kind the observer holds, active faces
OWN_BACKS = HAND + KINDS  # … inactive faces, if they may be looked at
BACKS = OWN_BACKS + KINDS  # … inactive faces of the other seats, seat by seat
TOP = BACKS + 9 * KINDS  # the active face on the discard pile, one of KINDS
DRAW_BACK = TOP + KINDS  # the inactive face on the draw pile
DRAWN_CARD = DRAW_BACK + KINDS  # the card just drawn, to its owner
COLOR = DRAWN_CARD + KINDS  # color in force, one of 4
PHASE = COLOR + 4  # turn, drawn, challenge, color
TO_ACT = PHASE + 4
COUNTS = TO_ACT + SEATS
CATCHABLE = COUNTS + SEATS
SCORES = CATCHABLE + SEATS
ON_DARK = SCORES + SEATS
DIRECTION, DRAW_COUNT, DISCARD_COUNT, OWED, PLAYERS, DEALER = range(ON_DARK + 1, ON_DARK + 7)
OBSERVATION = DEALER + 1


def kind_of(face: int) -> int:
    if face >= FIRST_WILD:
        return 52 + (face & RANK_BITS) - WILD
    return (face >> COLOR_AT) * 13 + (face & RANK_BITS) - 1


def copy_of(g: Game, seat: int, card: int) -> int:
    """How many cards with the same active face came to the hand before this one."""
    face, before = g.faces[g.side + card], 0
    for half in range(2):
        same = g.sets[2 * seat + half] & color_set(g, face >> COLOR_AT, half) & rank_set(g, face & RANK_BITS, half)
        while same:
            lowest = same & -same
            same ^= lowest
            if g.arrived[HALF * half + lowest.bit_length() - 1] < g.arrived[card]:
                before += 1
    return before


def action_of(g: Game, seat: int, move: int) -> int:
    what, uno = move & WHAT_BITS, move >> UNO_SHIFT
    color = move >> COLOR_SHIFT & COLOR_BITS
    if what < CARDS:
        face, copy = g.faces[g.side + what], copy_of(g, seat, what)
        if face < FIRST_WILD:
            return (kind_of(face) * 2 + copy) * 2 + uno
        return FIRST_WILD_PLAY + (((kind_of(face) - 52) * 4 + copy) * 4 + color) * 2 + uno
    if what == CALL:
        return FIRST_CALL + color
    if what == SAY_UNO:
        return UNO_CALL
    if what >= CATCH:
        return CATCH_AT + (what - CATCH - seat) % g.players
    return FIRST_WORD + what - TAKE


def write_mask(g: Game, seat: int, out: list[int], mask: list[int]) -> None:
    """Which actions a seat may take now."""
    for action in range(ACTIONS):
        mask[action] = 0
    for i in range(legal_moves(g, seat, out)):
        mask[action_of(g, seat, out[i])] = 1
    if seat != g.turn:
        mask[LET_GO] = 1


def move_for(g: Game, seat: int, action: int, out: list[int]) -> int:
    """The move that an action means now; -1 where it is not legal."""
    for i in range(legal_moves(g, seat, out)):
        if action_of(g, seat, out[i]) == action:
            return out[i]
    return -1


def observe(g: Game, seat: int, own_backs: int, obs: list[int]) -> None:
    """All that a seat sees now (SEE-1 to SEE-4)."""
    for i in range(OBSERVATION):
        obs[i] = 0
    count_hand(g, seat, g.side, obs, HAND)
    if own_backs:
        count_hand(g, seat, DARK - g.side, obs, OWN_BACKS)
    for step in range(g.players):
        other = (seat + step) % g.players
        if step:
            count_hand(g, other, DARK - g.side, obs, BACKS + (step - 1) * KINDS)
        obs[COUNTS + step] = g.counts[other]
        obs[CATCHABLE + step] = g.silent >> other & 1
        obs[SCORES + step] = g.scores[other]
    obs[TOP + kind_of(top_face(g))] = 1
    if g.stock_size:
        obs[DRAW_BACK + kind_of(g.faces[DARK - g.side + g.stock[g.stock_size - 1]])] = 1
    if g.phase == DRAWN and seat == g.turn:
        obs[DRAWN_CARD + kind_of(g.faces[g.side + g.drawn])] = 1
    if g.color < 4:
        obs[COLOR + g.color] = 1
    obs[PHASE + (g.phase if g.phase < FLIPPER_CALLS else 3)] = 1
    obs[TO_ACT + (g.turn - seat) % g.players] = 1
    obs[ON_DARK] = 1 if g.side == DARK else 0
    obs[DIRECTION], obs[DRAW_COUNT], obs[DISCARD_COUNT] = g.direction, g.stock_size, g.pile_size
    obs[OWED], obs[PLAYERS], obs[DEALER] = g.owed, g.players, (g.dealer - seat) % g.players


def count_hand(g: Game, seat: int, side: int, obs: list[int], start: int) -> None:
    for half in range(2):
        cards = g.sets[2 * seat + half]
        while cards:
            lowest = cards & -cards
            cards ^= lowest
            obs[start + kind_of(g.faces[side + HALF * half + lowest.bit_length() - 1])] += 1
