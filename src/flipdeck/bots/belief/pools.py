"""The cards whose place a seat doesn't know, in groups that can't have changed places with each other.

A group begins with a shuffle: the deck at the start of a round, the discard pile when it becomes the draw pile.  Its
cards are pairs that are known, from the print or from an earlier sight of both faces, and faces whose partner is not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ...core.codes import nth_face
from ...core.options import Options
from ...core.pairing import PRINTED_DARK, PRINTED_LIGHT

UNKNOWN = -1
Pair = tuple[int, int]  # a light and a dark face


@dataclass(slots=True)
class Pool:
    """What the places of one group hold that is not known to be in one of them."""

    pairs: Counter[Pair] = field(default_factory=Counter)
    lights: Counter[int] = field(default_factory=Counter)  # without a known partner
    darks: Counter[int] = field(default_factory=Counter)
    late: Counter[Pair] = field(default_factory=Counter)  # of the pairs: in the draw pile after the deal

    @property
    def size(self) -> int:
        return self.pairs.total() + self.lights.total()

    def take(self, pair: Pair) -> bool:
        """A card of the group has been found.  Whether it is a pair that was not known before.

        A card that looks like a known one is taken for that one: two that look the same are the same to everybody.
        """
        if self.pairs[pair] > 0:
            self.pairs[pair] -= 1
            self.late[pair] = min(self.late[pair], self.pairs[pair])
            return False
        light, dark = pair
        self.lights[light] -= 1
        self.darks[dark] -= 1
        return True

    def has(self, pair: Pair) -> bool:
        """There is such a card, or there may be."""
        return self.pairs[pair] > 0 or (self.lights[pair[0]] > 0 and self.darks[pair[1]] > 0)

    def copy(self) -> Pool:
        return Pool(self.pairs.copy(), self.lights.copy(), self.darks.copy(), self.late.copy())

    def put_back(self, pair: Pair, late: bool = False) -> None:
        self.pairs[pair] += 1
        self.late[pair] += late


def merged(pools: Sequence[Pool]) -> Pool:
    """All in one."""
    first = pools[0].copy()
    for pool in pools[1:]:
        first.pairs += pool.pairs
        first.lights += pool.lights
        first.darks += pool.darks
    first.late.clear()
    return first


class Deck:
    """What a seat knows of the deck of a match: its faces, and which of them belong together."""

    def __init__(self, options: Options) -> None:
        faces = [nth_face(index) for index in range(options.deck)]
        self._lights, self._darks = Counter(faces), Counter(faces)
        self._pairs: Counter[Pair] = Counter()
        if options.pairing == "printed":
            self.learn(zip(PRINTED_LIGHT, PRINTED_DARK, strict=True))

    def learn(self, pairs: Iterable[Pair]) -> None:
        """Both faces of a card have been seen: they stay together for the whole match."""
        for light, dark in pairs:
            self._pairs[light, dark] += 1
            self._lights[light] -= 1
            self._darks[dark] -= 1

    def pool(self) -> Pool:
        """All cards, none of them found yet."""
        return Pool(self._pairs.copy(), self._lights.copy(), self._darks.copy())
