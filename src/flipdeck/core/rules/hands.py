"""The hands: bit sets of cards, and for every card when it came.

A bit set of all cards is two halves of 56, so that no sign bit is ever touched.
"""

from __future__ import annotations

from ..codes import COLOR_AT, DARK, LIGHT, MAX_PLAYERS, NO_COLOR, RANK_BITS, WILD_DRAW, points_of
from ..state import Game
from .moves import add_plays

HALF = 56
DARK_COLORS, DARK_RANKS = 10, 32  # where the dark side begins in with_color and with_rank


def empty_hands(g: Game) -> None:
    for seat in range(MAX_PLAYERS):
        g.counts[seat] = g.sets[2 * seat] = g.sets[2 * seat + 1] = 0
    g.arrivals = 0


def index_faces(g: Game) -> None:
    """Which cards have which color and rank on which side: once a match."""
    for i in range(20):
        g.with_color[i] = 0
    for i in range(64):
        g.with_rank[i] = 0
    for card in range(g.deck):
        half = card // HALF
        bit = 1 << (card - HALF * half)
        light, dark = g.faces[LIGHT + card], g.faces[DARK + card]
        g.with_color[2 * (light >> COLOR_AT) + half] |= bit
        g.with_color[DARK_COLORS + 2 * (dark >> COLOR_AT) + half] |= bit
        g.with_rank[2 * (light & RANK_BITS) + half] |= bit
        g.with_rank[DARK_RANKS + 2 * (dark & RANK_BITS) + half] |= bit


def put_in_hand(g: Game, seat: int, card: int) -> None:
    half = card // HALF
    g.sets[2 * seat + half] |= 1 << (card - HALF * half)
    g.counts[seat] += 1
    g.arrivals += 1
    g.arrived[card] = g.arrivals


def take_from_hand(g: Game, seat: int, card: int) -> None:
    half = card // HALF
    g.sets[2 * seat + half] ^= 1 << (card - HALF * half)
    g.counts[seat] -= 1


def color_set(g: Game, color: int, half: int) -> int:
    return g.with_color[(DARK_COLORS if g.side else 0) + 2 * color + half]


def rank_set(g: Game, rank: int, half: int) -> int:
    return g.with_rank[(DARK_RANKS if g.side else 0) + 2 * rank + half]


def holds_color(g: Game, seat: int, color: int) -> bool:
    return (g.sets[2 * seat] & color_set(g, color, 0) | g.sets[2 * seat + 1] & color_set(g, color, 1)) != 0


def holds_two_wilds(g: Game, seat: int) -> bool:
    low = g.sets[2 * seat] & color_set(g, NO_COLOR, 0)
    high = g.sets[2 * seat + 1] & color_set(g, NO_COLOR, 1)
    return (low != 0 and high != 0) or low & (low - 1) != 0 or high & (high - 1) != 0


def holds_face(g: Game, seat: int, face: int) -> bool:
    color, rank = face >> COLOR_AT, face & RANK_BITS
    return (
        g.sets[2 * seat] & color_set(g, color, 0) & rank_set(g, rank, 0)
        | g.sets[2 * seat + 1] & color_set(g, color, 1) & rank_set(g, rank, 1)
    ) != 0


def add_set(g: Game, seat: int, half: int, cards: int, out: list[int], n: int) -> int:
    while cards:
        lowest = cards & -cards
        cards ^= lowest
        n = add_plays(g, seat, HALF * half + lowest.bit_length() - 1, out, n)
    return n


def add_matching(g: Game, seat: int, rank: int, wild_draws: bool, out: list[int], n: int) -> int:
    """TURN-1: the plays of wilds, of the color in force and of the rank on top."""
    for half in range(2):
        cards = g.sets[2 * seat + half] & (
            color_set(g, g.color, half) | color_set(g, NO_COLOR, half) | rank_set(g, rank, half)
        )
        if not wild_draws:
            cards &= ~rank_set(g, WILD_DRAW, half)
        n = add_set(g, seat, half, cards, out, n)
    return n


def add_of_rank(g: Game, seat: int, rank: int, out: list[int], n: int) -> int:
    for half in range(2):
        n = add_set(g, seat, half, g.sets[2 * seat + half] & rank_set(g, rank, half), out, n)
    return n


def add_of_face(g: Game, seat: int, face: int, out: list[int], n: int) -> int:
    color, rank = face >> COLOR_AT, face & RANK_BITS
    for half in range(2):
        cards = g.sets[2 * seat + half] & color_set(g, color, half) & rank_set(g, rank, half)
        n = add_set(g, seat, half, cards, out, n)
    return n


def hand_points(g: Game, seat: int) -> int:
    total = 0
    for half in range(2):
        cards = g.sets[2 * seat + half]
        while cards:
            lowest = cards & -cards
            cards ^= lowest
            total += points_of(g.side, g.faces[g.side + HALF * half + lowest.bit_length() - 1])
    return total
