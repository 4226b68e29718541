"""Pools: the multisets of cards that have no known place, one for each shuffle.

A shuffle starts a group: the deck at the start of a round, the discard pile when it becomes the draw pile.  Cards of
different groups can't have changed places.  A pool holds known pairs, from the print or from an earlier sight of both
faces, and single faces whose partner is not known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ...core.codes import faces_in
from ...core.options import MINI, Options
from ...core.pairing import MINI_DARK, MINI_LIGHT, PRINTED_DARK, PRINTED_LIGHT

UNKNOWN = -1
FacePair = tuple[int, int]  # a light and a dark face


@dataclass(slots=True)
class Pool:
    """The cards of one group that are not known to be in a certain place."""

    pairs: Counter[FacePair] = field(default_factory=Counter)
    lights: Counter[int] = field(default_factory=Counter)  # without a known partner
    darks: Counter[int] = field(default_factory=Counter)
    late: Counter[FacePair] = field(default_factory=Counter)  # of the pairs: in the draw pile after the deal

    @property
    def size(self) -> int:
        return self.pairs.total() + self.lights.total()

    def take(self, pair: FacePair) -> bool:
        """Remove a card that was found; True if its pairing is new.

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

    def has(self, pair: FacePair) -> bool:
        """There is such a card, or there may be."""
        return self.pairs[pair] > 0 or (self.lights[pair[0]] > 0 and self.darks[pair[1]] > 0)

    def expected_copies(self, pair: FacePair, taken: int) -> float:
        """How many cards with these faces it holds, but for those taken: the mean over all pairings of single faces."""
        singles = self.lights[pair[0]] * self.darks[pair[1]]
        return self.pairs[pair] - taken + (singles / self.lights.total() if singles > 0 else 0)

    def copy(self) -> Pool:
        return Pool(self.pairs.copy(), self.lights.copy(), self.darks.copy(), self.late.copy())

    def put_back(self, pair: FacePair, late: bool = False) -> None:
        self.pairs[pair] += 1
        self.late[pair] += late


def merged(pools: Sequence[Pool]) -> Pool:
    """All pools in one."""
    first = pools[0].copy()
    for pool in pools[1:]:
        first.pairs += pool.pairs
        first.lights += pool.lights
        first.darks += pool.darks
    first.late.clear()
    return first


def public_pairs(options: Options) -> tuple[FacePair, ...]:
    """The pairs that everybody knows before the deal: those of the printed deck, and of the mini deck (DECK-6)."""
    if options.deck == MINI:
        return tuple(zip(MINI_LIGHT, MINI_DARK, strict=True))
    return tuple(zip(PRINTED_LIGHT, PRINTED_DARK, strict=True)) if options.pairing == "printed" else ()


class Deck:
    """What a seat knows of the deck of a match: its faces, and which of them are on one card."""

    def __init__(self, options: Options) -> None:
        faces = list(faces_in(options.cards))
        self._lights, self._darks = Counter(faces), Counter(faces)
        self._pairs: Counter[FacePair] = Counter()
        self.learn(public_pairs(options))

    def learn(self, pairs: Iterable[FacePair]) -> None:
        """Both faces of a card were seen: the pairing holds for the whole match."""
        for light, dark in pairs:
            self._pairs[light, dark] += 1
            self._lights[light] -= 1
            self._darks[dark] -= 1

    def pool(self) -> Pool:
        """All cards, none of them found yet."""
        return Pool(self._pairs.copy(), self._lights.copy(), self._darks.copy())
