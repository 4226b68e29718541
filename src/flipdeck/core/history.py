"""The present round, and the history of a match: every deal and every move, with the events that they caused; a match
as plain data.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypedDict

from .cards import Seat, Side
from .events import Event
from .notation import Move


@dataclass(frozen=True, slots=True)
class Round:
    """How the present round stands."""

    number: int
    dealer: Seat
    side: Side
    over: bool
    winner: Seat | None
    points: tuple[int, ...]

    @property
    def void(self) -> bool:
        return self.over and self.winner is None


class Said(NamedTuple):
    """One move of the history, in the notation."""

    seat: Seat
    text: str
    happened: Sequence[Event]

    @property
    def move(self) -> Move:
        return Move.parse(self.text)

    @property
    def events(self) -> tuple[Event, ...]:
        return tuple(self.happened)


@dataclass(frozen=True, slots=True)
class Played:
    """One round of the history: its deal and its moves."""

    number: int
    dealer: Seat
    dealt: tuple[Event, ...]  # empty: the deal and the first moves were archived
    said: list[Said]


class SavedMatch(TypedDict):
    """A match as plain data (``Match.save``), with every hidden card in it."""

    edition: str
    players: int
    options: dict[str, object]  # changed from the edition
    secret: bytes
    values: dict[int, bytes]
    dealer: int | None  # as somebody named them
    deck: list[str] | None  # as somebody laid it
    game: dict[str, int | list[int]]
    archive: str  # the history as it stands in the record
