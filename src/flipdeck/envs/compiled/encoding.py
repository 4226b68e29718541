"""Observations as rows of numbers: what ``columns`` declares.  Compilable.

``at`` has where each section begins.  A seat gets what ``view`` shows it (SEE-1 to SEE-8) and what it remembers of
cards in hands (``knowing``); ``write_state`` alone shows what is hidden.
"""

from __future__ import annotations

from ...bulk.acting import KINDS, copy_of
from ...core.codes import CARDS, DARK, LIGHT
from ...core.rules.hands import HALF
from ...core.state import DRAWN, FLIPPER_CALLS, OVER, Game
from .episode import Episode
from .events import next_card
from .knowing import knows

# the sections of ``columns.FLAT``, in order; those of TABLE come first
(
    TOP, COLOR, PHASE, TO_ACT, DEALER, COUNTS, CATCHABLE, SCORES, ON_DARK, CLOCKWISE, DRAW_COUNT, DISCARD_COUNT, OWED,
    PASSES, MOVES,
    HAND, OWN_BACKS, BEHIND, JUST_DRAWN, BACKS, KNOWN, DISCARD, DISCARD_BACKS, DRAW_BACK,
) = range(24)  # fmt: skip
COLORED_PLAYS = 104  # then those of wilds
TARGET, MOST = 200, 255
DISCARD_PILE, DRAW_PILE = 11, 12  # as owners


def distance(g: Game, seat: int, other: int) -> int:
    """How far a seat is away clockwise."""
    step = other - seat
    return step if step >= 0 else step + g.players


def write_table(g: Game, e: Episode, seat: int, at: list[int], obs: list[int]) -> None:
    obs[at[TOP] + e.kinds[g.side + g.pile[g.pile_size - 1]]] = 1
    if g.color < 4:
        obs[at[COLOR] + g.color] = 1
    obs[at[PHASE] + (g.phase if g.phase < FLIPPER_CALLS else 4 if g.phase == OVER else 3)] = 1
    obs[at[TO_ACT] + distance(g, seat, g.turn)] = 1
    obs[at[DEALER] + distance(g, seat, g.dealer)] = 1
    for other in range(g.players):
        step = distance(g, seat, other)
        obs[at[COUNTS] + step] = g.counts[other]
        obs[at[CATCHABLE] + step] = g.silent >> other & 1
        if g.scores[other]:
            obs[at[SCORES] + step] = min(g.scores[other] * TARGET // g.target, MOST)
    obs[at[ON_DARK]] = 1 if g.side == DARK else 0
    obs[at[CLOCKWISE]] = 1 if g.direction > 0 else 0
    obs[at[DRAW_COUNT]], obs[at[DISCARD_COUNT]] = g.stock_size, g.pile_size
    obs[at[OWED]], obs[at[PASSES]], obs[at[MOVES]] = g.owed, g.passes, min(g.moves, MOST)


def write_flat(g: Game, e: Episode, seat: int, at: list[int], obs: list[int]) -> None:
    """``obs`` is clear."""
    write_table(g, e, seat, at, obs)
    write_own_hand(g, e, seat, at, obs)
    for other in range(g.players):
        if other != seat:
            write_other_hand(g, e, seat, other, at, obs)
    discard, backs = at[DISCARD], at[DISCARD_BACKS]
    for kind in range(KINDS):
        obs[discard + kind] = e.pile_kinds[kind]
    if e.own_backs:
        for kind in range(KINDS):
            obs[backs + kind] = e.pile_kinds[KINDS + kind]
    if g.stock_size:
        obs[at[DRAW_BACK] + e.kinds[DARK - g.side + g.stock[g.stock_size - 1]]] = 1
    if g.phase == DRAWN and seat == g.turn:
        obs[at[JUST_DRAWN] + e.kinds[g.side + g.drawn]] = 1


def write_own_hand(g: Game, e: Episode, seat: int, at: list[int], obs: list[int]) -> None:
    hand = at[HAND]
    for half in range(2):
        cards = g.sets[2 * seat + half]
        while cards:
            lowest = cards & -cards
            cards ^= lowest
            obs[hand + e.kinds[g.side + HALF * half + lowest.bit_length() - 1]] += 1
    write_own_backs(g, e, seat, hand, at, obs)


def write_own_backs(g: Game, e: Episode, seat: int, hand: int, at: list[int], obs: list[int]) -> None:
    """The backs of the own cards, as far as they may be known; copies of a face by arrival, as actions have them."""
    backs, behind = at[OWN_BACKS], at[BEHIND]
    for half in range(2):
        cards = g.sets[2 * seat + half]
        known = cards if e.own_backs else e.known[2 * seat + half]
        while cards:
            lowest = cards & -cards
            cards ^= lowest
            card = HALF * half + lowest.bit_length() - 1
            kind, value = e.kinds[g.side + card], 1
            if known & lowest:
                value = e.kinds[DARK - g.side + card] + 2
                obs[backs + value - 2] += 1
            place = 2 * kind if kind < 52 else COLORED_PLAYS + 4 * (kind - 52)
            if obs[hand + kind] > 1:
                place += copy_of(g, seat, card)
            obs[behind + place] = value


def write_other_hand(g: Game, e: Episode, seat: int, other: int, at: list[int], obs: list[int]) -> None:
    step = (distance(g, seat, other) - 1) * KINDS
    backs, fronts = at[BACKS] + step, at[KNOWN] + step
    for half in range(2):
        cards = g.sets[2 * other + half]
        known = cards & e.known[2 * seat + half]
        while cards:
            lowest = cards & -cards
            cards ^= lowest
            obs[backs + e.kinds[DARK - g.side + HALF * half + lowest.bit_length() - 1]] += 1
        while known:
            lowest = known & -known
            known ^= lowest
            obs[fronts + e.kinds[g.side + HALF * half + lowest.bit_length() - 1]] += 1


# ---------------------------------------------------------------- tokens
def write_cards(g: Game, e: Episode, seat: int, rows: list[list[int]]) -> None:
    """``rows`` is clear.  Hands in their order, the discard pile from its top, the top of the draw pile."""
    n = 0
    for step in range(g.players):
        owner = (seat + step) % g.players
        place, card = 0, next_card(g, owner, 0)
        while card < CARDS:
            known = knows(e, seat, card)
            front, back = known or step == 0, known or step != 0 or e.own_backs != 0
            write_card(g, e, rows[n], card, front, back, step + 1, place)
            if step == 0 and g.phase == DRAWN and seat == g.turn and card == g.drawn:
                rows[n][4] = 1
            n, place, card = n + 1, place + 1, next_card(g, owner, g.arrived[card])
    for i in range(g.pile_size):
        write_card(g, e, rows[n], g.pile[g.pile_size - 1 - i], True, e.own_backs != 0, DISCARD_PILE, i)
        n += 1
    if g.stock_size:
        write_card(g, e, rows[n], g.stock[g.stock_size - 1], False, True, DRAW_PILE, 0)


def write_card(
    g: Game, e: Episode, token: list[int], card: int, front: bool, back: bool, owner: int, place: int
) -> None:
    token[0] = 1 + e.kinds[g.side + card] if front else 0
    token[1] = 1 + e.kinds[DARK - g.side + card] if back else 0
    token[2], token[3] = owner, place


def write_state(g: Game, e: Episode, seat: int, rows: list[list[int]]) -> None:
    """Every card where it is: hidden from players."""
    n = 0
    for step in range(g.players):
        owner = (seat + step) % g.players
        place, card = 0, next_card(g, owner, 0)
        while card < CARDS:
            write_hidden(e, rows[n], card, step + 1, place)
            n, place, card = n + 1, place + 1, next_card(g, owner, g.arrived[card])
    for i in range(g.pile_size):
        write_hidden(e, rows[n], g.pile[g.pile_size - 1 - i], DISCARD_PILE, i)
        n += 1
    for i in range(g.stock_size):
        write_hidden(e, rows[n], g.stock[g.stock_size - 1 - i], DRAW_PILE, i)
        n += 1


def write_hidden(e: Episode, token: list[int], card: int, owner: int, place: int) -> None:
    token[0], token[1] = 1 + e.kinds[LIGHT + card], 1 + e.kinds[DARK + card]
    token[2], token[3] = owner, place
