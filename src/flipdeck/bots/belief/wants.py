"""What ``tracing`` counts with: who wants a card and what it got, what changes by that, and one way through it all."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import NamedTuple

from .front_only import Class
from .pools import UNKNOWN


class Want(NamedTuple):
    """Something that shows a front, and wants a card of its group."""

    group: int
    front: int
    early: bool = False
    back: int = UNKNOWN  # of a claim
    place: int = -1  # of a place
    to: int = -1  # of a stray: where it lies now


class Turned(NamedTuple):
    """A stray that shows its back."""

    group: int
    back: int
    early: bool
    to: int


class Got(NamedTuple):
    """What a want takes: a card, or another want that is a stray.  It may have come by way of strays turned over."""

    back: int  # or SINGLE
    late: bool = False
    stray: int = -1  # which of the wants with this front
    way: tuple[int, ...] = ()  # kinds of strays turned over, the last to be shuffled first


class Change(NamedTuple):
    """What was taken from the cards and places with one back, or came to them."""

    pairs: int = 0
    late: int = 0
    singles: int = 0
    places: int = 0
    early: int = 0
    came: int = 0  # strays, to the cards
    used: int = 0  # of a kind of strays turned over

    def __add__(self, other: Change) -> Change:  # type: ignore[override]
        return Change(*(one + more for one, more in zip(self, other, strict=True)))


class Count(NamedTuple):
    """Singles, by what has them."""

    fronts: int = 0  # places with a front
    known: int = 0  # cards of which both faces are seen
    backs: int = 0  # places with a back
    wanted: tuple[int, ...] = ()  # strays, by the group they lie in …
    given: tuple[int, ...] = ()  # … and those that have a back

    def __add__(self, other: Count) -> Count:  # type: ignore[override]
        wanted, given = (
            tuple(map(sum, zip(*each, strict=True))) for each in ((self[3], other[3]), (self[4], other[4]))
        )
        return Count(self.fronts + other.fronts, self.known + other.known, self.backs + other.backs, wanted, given)


At = tuple[int, int]  # a back and a group; for strays turned over: a back and, counted down from -1, their kind
Open = tuple[tuple[At, Change], ...]  # of the backs that are not filled yet
Step = tuple[bool, int]  # a front, or a back to fill


@dataclass(frozen=True, slots=True)
class Choice:
    ways: float
    count: Count
    changes: Open = ()
    got: tuple[Got, ...] = ()


@dataclass(slots=True)
class Drawn:
    """One way: what the wants have got, by front; by back, the class of the first group and how many of its places take
    a single; and the backs of strays that had no partner, by the group they lie in."""

    got: dict[int, tuple[Got, ...]] = field(default_factory=dict)
    first: dict[int, tuple[Class, int]] = field(default_factory=dict)
    given: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
