"""A group: the cards of one pool and the places they may be in, seen from the side in play."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cached_property
from math import inf, lgamma, log

from ...bulk.acting import kind_of
from ...core.codes import DARK
from .front_only import BackClass, FrontBack, FrontOnlyPlace, FrontOnlySampler, GroupCards
from .pools import UNKNOWN, FacePair, Pool


class Group:
    def __init__(
        self,
        pool: Pool,
        places: Sequence[int],
        side: int,
        faces: Sequence[int],
        dealt_first: Sequence[bool],
        bans: Sequence[int],
    ) -> None:
        """``side`` is in play; ``faces``, ``dealt_first`` and ``bans`` are those of all cards."""
        on_dark = side == DARK
        self.pairs = _by_front(pool.pairs, on_dark)
        self.late = _by_front(pool.late, on_dark)
        self.fronts_of: dict[int, list[int]] = defaultdict(list)  # by back: the fronts of its pairs
        for front_of, back_of in self.pairs:
            self.fronts_of[back_of].append(front_of)
        self.fronts = +(pool.darks if on_dark else pool.lights)
        self.backs = +(pool.lights if on_dark else pool.darks)
        front, back = side, DARK - side
        self.by_back: dict[int, list[int]] = defaultdict(list)
        self.by_front: list[tuple[int, int]] = []  # place, front
        self.blanks: list[int] = []
        for place in places:
            if faces[back + place] != UNKNOWN:
                self.by_back[faces[back + place]].append(place)
            elif faces[front + place] != UNKNOWN:
                self.by_front.append((place, faces[front + place]))
            else:
                self.blanks.append(place)
        for held in self.by_back.values():
            held.sort(key=lambda place: not dealt_first[place])
        self.dealt_first, self.bans = dealt_first, bans
        self.narrow = {place for place in places if bans[place]}  # places with a ban

    def can_be(self, place: int, front: int) -> bool:
        return not self.bans[place] >> kind_of(front) & 1

    def classes(self) -> dict[int, BackClass]:
        """By back: how many cards and places there are."""
        found = {back: BackClass(singles=number) for back, number in self.backs.items()}
        for (_, back), number in self.pairs.items():
            here = found.setdefault(back, BackClass())
            here.pairs += number
        for (_, back), number in self.late.items():
            found[back].late += number
        for back, places in self.by_back.items():
            here = found.setdefault(back, BackClass())
            here.early, here.places = sum(self.dealt_first[place] for place in places), len(places)
        return found

    def weight(self) -> float:
        """The logarithm of the number of ways to fill the places, up to a constant that all scenarios share."""
        classes = self.classes()
        total = lgamma(self.fronts.total() + 1)
        if self.by_front:
            ways = self.front_only.total()
            total += log(ways) if ways > 0 else -inf
            classes = {back: here for back, here in classes.items() if not self.front_only.counts(back)}
        for here in classes.values():
            if here.places:
                ways = sum(here.ways())
                total += log(ways) if ways > 0 else -inf
        return total

    @cached_property
    def front_only(self) -> FrontOnlySampler:
        places = [FrontOnlyPlace(place, front, self.dealt_first[place]) for place, front in self.by_front]
        return FrontOnlySampler(places, GroupCards(self.pairs, self.late, self.fronts, self.classes()))

    def front_chances(self, back: int) -> dict[int, float]:
        """How likely each front is behind a back, for one card by itself."""
        singles, weights = self.backs[back], defaultdict[int, float](float)
        for (front, other), number in self.pairs.items():
            if other == back:
                weights[front] += number
        total = sum(weights.values()) + singles
        chances = {front: number / total for front, number in weights.items()}
        fronts = self.fronts.total()
        if singles and fronts:
            for front, number in self.fronts.items():
                chances[front] = chances.get(front, 0) + singles / total * number / fronts
        return chances


def _by_front(pairs: Counter[FacePair], on_dark: bool) -> Counter[FrontBack]:
    """Light and dark faces as front and back."""
    return Counter({(dark, light) if on_dark else (light, dark): n for (light, dark), n in pairs.items() if n > 0})
