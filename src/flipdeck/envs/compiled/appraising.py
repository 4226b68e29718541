"""A row of features for each choice (``bulk.features``), from what the seat may know.  Compilable."""

from __future__ import annotations

from math import floor
from typing import Any

from ...bulk.card_counts import look_around
from ...bulk.features import FEATURES, write_features
from ...core.codes import DARK
from ...core.rules.hands import HALF
from ...core.state import Game
from .episode import Episode

UNSEEN = -1  # a face that the seat may not know
STEPS = 1024  # of a unit, in features


def write_moves(
    g: Game, e: Episode, seat: int, picture: Game, book: list[int], eyes: list[float], rows: Any, actions: list[int]
) -> None:
    """``picture`` is a copy of the game; it becomes the game as the seat knows it.  ``rows`` is clear."""
    sort_choices(e)
    draw_picture(g, e, seat, picture)
    look_around(picture, seat, e.known[2 * seat], e.known[2 * seat + 1], book, eyes)
    for i in range(min(e.choices, len(actions))):
        write_features(picture, seat, e.moves[i], eyes, rows[i])
        round_off(rows[i])
        actions[i] = e.actions[i]


def round_off(row: list[float]) -> None:
    """Expected counts are sums over cards by their numbers, and the last bits of a sum tell its order (SEE-7).

    A little more than a half is added, so that values in the very middle of two steps are not at the border.
    """
    for i in range(FEATURES):
        if row[i] != 0.0:
            row[i] = floor(row[i] * STEPS + 0.503) / STEPS


def sort_choices(e: Episode) -> None:
    """By their actions: the rules list plays by the numbers of cards, which nobody may see (SEE-7)."""
    for i in range(1, e.choices):
        move, action, at = e.moves[i], e.actions[i], i
        while at > 0 and e.actions[at - 1] > action:
            e.moves[at], e.actions[at] = e.moves[at - 1], e.actions[at - 1]
            at -= 1
        e.moves[at], e.actions[at] = move, action


def draw_picture(g: Game, e: Episode, seat: int, picture: Game) -> None:
    """Only the faces that the seat may know (SEE-1 to SEE-5)."""
    for i in range(2 * DARK):
        picture.faces[i] = UNSEEN
    back = DARK - g.side
    for other in range(g.players):
        for half in range(2):
            cards = g.sets[2 * other + half]
            while cards:
                lowest = cards & -cards
                cards ^= lowest
                card = HALF * half + lowest.bit_length() - 1
                known = e.known[2 * seat + half] & lowest != 0
                if known or other == seat:
                    picture.faces[g.side + card] = g.faces[g.side + card]
                if known or other != seat or e.own_backs:
                    picture.faces[back + card] = g.faces[back + card]
    for i in range(g.pile_size):
        picture.faces[g.side + g.pile[i]] = g.faces[g.side + g.pile[i]]
        if e.own_backs:
            picture.faces[back + g.pile[i]] = g.faces[back + g.pile[i]]
    if g.stock_size:
        card = g.stock[g.stock_size - 1]
        picture.faces[back + card] = g.faces[back + card]
