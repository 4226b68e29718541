"""The present round, and the history of a match: every deal and every move, with the events that they caused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

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
    dealt: tuple[Event, ...]
    said: list[Said]
