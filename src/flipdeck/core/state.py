"""One round as plain data, with the options, the deck and the scores of its match.

The rules are plain functions over ``g``.  Interpreted, ``g`` is a ``Game``; compiled for bulk play it is one row of
a NumPy array made from this same declaration.  So every field is a whole number or a row of fixed length (``row``),
every value stays below 2**63, and a new field is added here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from .codes import CARDS, LIGHT, MAX_PLAYERS
from .options import OptionCodes

# phases: what the player on turn has to decide
TURN, DRAWN, CHALLENGE, FLIPPER_CALLS, STARTER_CALLS, OVER = 0, 1, 2, 3, 4, 5

LOG = 256  # more events than one move or one deal can cause


def row(size: int, kind: str = "i1") -> Any:
    """A row of whole numbers of fixed length; ``kind`` is its element in the compiled record."""
    return field(default_factory=lambda: [0] * size, metadata={"size": size, "kind": kind})


@dataclass(slots=True)
class Game(OptionCodes):
    players: int = 4

    # the match: both faces of every card, the secret of its shuffles, the totals
    faces: list[int] = row(2 * CARDS)
    with_color: list[int] = row(20, "i8")  # bit sets: the cards of each color of each side
    with_rank: list[int] = row(64, "i8")  # bit sets: the cards of each rank of each side
    key: list[int] = row(8, "i8")
    scores: list[int] = row(MAX_PLAYERS, "i4")
    round: int = 0
    dealer: int = 0
    winners: int = 0  # bit set of seats; not empty when the match is over

    # the stream of random words in use
    purpose: int = 0
    shuffles: int = 0  # the number of the stream among those of this purpose in this round
    block: int = 0
    words_used: int = 16
    words: list[int] = row(16, "i8")

    # the round
    side: int = LIGHT
    turn: int = 0
    direction: int = 1
    phase: int = OVER
    color: int = 0  # color in force; NO_COLOR while one has to be called
    drawn: int = -1  # the card just drawn, in phase DRAWN
    moves: int = 0  # applied in this round
    owed: int = 0  # draw cards to be answered, in phase CHALLENGE
    guilty: int = 0  # the last Wild Draw broke the restriction
    shown_until: int = 0  # a challenge shows the cards that had arrived by then
    silent: int = 0  # bit set: seats that can be caught without UNO
    heard: int = 0  # bit set: seats that let the present moment go
    passes: int = 0  # turns in a row in which there was nothing to draw
    winner: int = -1
    points: list[int] = row(MAX_PLAYERS, "i4")
    reshuffles: int = 0
    stock_size: int = 0
    pile_size: int = 0
    stock: list[int] = row(CARDS)  # draw pile, top last
    pile: list[int] = row(CARDS)  # discard pile, top last

    # the hands: bit sets, and when each card came; a hand in order is its cards in order of arrival
    counts: list[int] = row(MAX_PLAYERS)
    sets: list[int] = row(2 * MAX_PLAYERS, "i8")
    arrivals: int = 0
    arrived: list[int] = row(CARDS, "i4")

    # what the last move caused, if somebody listens
    logging: int = 0
    log_size: int = 0
    log: list[int] = row(LOG, "i4")

    def copy(self) -> Game:
        twin = Game.__new__(Game)
        for name in _NUMBERS:
            setattr(twin, name, getattr(self, name))
        for name in _ROWS:
            setattr(twin, name, getattr(self, name)[:])
        return twin

    def save(self) -> dict[str, int | list[int]]:
        """Every field by its name: ``restore`` makes an equal game of it."""
        return {name: getattr(self, name) for name in _NUMBERS} | {name: getattr(self, name)[:] for name in _ROWS}

    @staticmethod
    def restore(saved: Mapping[str, int | list[int]]) -> Game:
        """ValueError if it was saved by a version with other fields."""
        game = Game()
        if saved.keys() != {*_NUMBERS, *_ROWS}:
            raise ValueError("a game with other fields than this version has")
        for name, value in saved.items():
            plain = getattr(game, name)
            if (len(value) if isinstance(value, list) else None) != (len(plain) if isinstance(plain, list) else None):
                raise ValueError(f"{name} is not as long as in this version")
            setattr(game, name, value[:] if isinstance(value, list) else value)
        return game


_NUMBERS = tuple(f.name for f in fields(Game) if not f.metadata)
_ROWS = tuple(f.name for f in fields(Game) if f.metadata)
