"""A way that strays can be cards, as ``tracing`` draws it, carried out: after it the groups are as any others."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .front_only import SINGLE, Class
from .pools import Pool
from .tracing import Tracing
from .wants import Drawn, Got, Turned, Want

if TYPE_CHECKING:
    from .deal_plan import Settled
    from .sampler import Group


@dataclass(slots=True)
class Heap:
    """The cards of a group."""

    pairs: Counter[tuple[int, int]]
    late: Counter[tuple[int, int]]
    fronts: Counter[int]
    backs: Counter[int]

    @classmethod
    def of(cls, group: Group) -> Heap:
        return cls(group.pairs, group.late, group.fronts, group.backs).copy()

    def copy(self) -> Heap:
        return Heap(self.pairs.copy(), self.late.copy(), self.fronts.copy(), self.backs.copy())

    def take(self, front: int, back: int, late: bool = False) -> None:
        self.pairs[front, back] -= 1
        self.late[front, back] -= late

    def take_single(self, front: int, back: int) -> None:
        self.fronts[front] -= 1
        self.backs[back] -= 1

    def with_back(self, back: int, early: bool) -> list[tuple[int, bool]]:
        """The fronts of pairs with a back, each as often as it is there, and whether it is a late one."""
        found: list[tuple[int, bool]] = []
        for (front, other), number in self.pairs.items():
            if other == back and number > 0:
                late = self.late[front, back]
                found += [(front, False)] * (number - late) + [(front, True)] * (0 if early else late)
        return found

    def pool(self, on_dark: bool) -> Pool:
        pairs, late = (
            Counter({(pair[::-1] if on_dark else pair): n for pair, n in each.items() if n > 0})
            for each in (self.pairs, self.late)
        )
        lights, darks = (self.backs, self.fronts) if on_dark else (self.fronts, self.backs)
        return Pool(pairs, +lights, +darks, late)


@dataclass(slots=True)
class Traced:
    """How it is in one world: the groups without strays, places that are settled, places of another group."""

    pools: list[Pool] = field(default_factory=list)
    settled: list[Settled] = field(default_factory=list)
    moved: dict[int, bool] = field(default_factory=dict)  # to the first; whether it was dealt first


class Carrying:
    """Gives every stray its card, and the groups what is left."""

    def __init__(self, tracing: Tracing, drawn: Drawn, on_dark: bool, rng: random.Random) -> None:
        self.traced = Traced()
        self._tracing, self._rng = tracing, rng
        self._heaps = [Heap.of(group) for group in tracing.groups]
        self._taken: list[tuple[int, int, bool]] = []  # from the first group, by places of it: drawn again later
        self._waiting: dict[int, list[int]] = defaultdict(list)  # fronts of strays without a partner
        self._left = Counter(dict(enumerate(tracing.number)))
        for front, got in drawn.got.items():
            for i, want in enumerate(tracing.wants[front]):
                if all(one.stray != i for one in got):
                    self._hand_over(want, tracing.wants[front], got, i)
        for to, backs in drawn.given.items():
            self._rng.shuffle(backs)
            for front, back in zip(self._waiting[to], backs, strict=True):
                self._heaps[0].take_single(front, back)
                self._heaps[to].pairs[front, back] += 1
        self._turn_over(drawn)
        self.traced.pools = [heap.pool(on_dark) for heap in self._heaps]

    def _hand_over(self, want: Want, wants: Sequence[Want], got: Sequence[Got], i: int) -> None:
        """The card in the end of a chain to who wants it."""
        chain = self._tracing.chain(got, i)
        back, card = self._tracing.back(wants, got, i), got[chain[-1]]
        group, ways = self._tracing.base(wants[chain[-1]], card), [kind for at in chain for kind in got[at].way]
        self._left.subtract(ways)
        if want.place >= 0 and group == 0 and not ways:  # then it is one of the places of that group
            self._taken.append((want.front, back, card.late))
            if want.group != 0:
                self.traced.moved[want.place] = wants[chain[-1]].early
            return
        if back == SINGLE:
            self._waiting[want.to].append(want.front)
            return
        if card.back == SINGLE:
            self._heaps[group].take_single(want.front, back)
        else:
            self._heaps[group].take(want.front, back, card.late)
        if want.to >= 0:
            self._heaps[want.to].pairs[want.front, back] += 1
        elif want.place >= 0:
            self.traced.settled.append((want.place, want.front, back))

    # ------------------------------------------------------------ strays that show their backs
    def _turn_over(self, drawn: Drawn) -> None:
        """They are filled as places of their groups; these in their order, as a card may be a stray twice."""
        there = self._heaps[0].copy()
        for front, back, late in self._taken:
            if back == SINGLE:
                there.fronts[front] -= 1
            else:
                there.take(front, back, late)
        left = [self._tracing.turned[i] for i in self._left.elements()]
        for back in sorted({kind.back for kind in left if kind.group == 0}):
            kinds = [kind for kind in left if kind.group == 0 and kind.back == back]
            self._fill_first(kinds, *drawn.first[back], there)
        for kind in sorted(kind for kind in left if kind.group > 0):
            front, _ = self._rng.choice(self._heaps[kind.group].with_back(kind.back, early=False))
            self._heaps[kind.group].take(front, kind.back)
            self._heaps[kind.to].pairs[front, kind.back] += 1

    def _fill_first(self, kinds: Sequence[Turned], here: Class, singles: int, there: Heap) -> None:
        """All places of the first group with one back, those dealt first before the others."""
        splits = [(split, ways) for *split, ways in here.splits() if sum(split) == singles]
        alone = self._rng.choices(*zip(*splits, strict=True))[0]
        for early, places, number in ((True, here.early, alone[0]), (False, here.places - here.early, alone[1])):
            strays = [kind for kind in kinds if kind.early == early]
            single = self._rng.sample(range(places), number)
            for i in range(places):
                stray = strays[i] if i < len(strays) else None
                self._fill(kinds[0].back, stray, early, i in single, there)

    def _fill(self, back: int, stray: Turned | None, early: bool, single: bool, there: Heap) -> None:
        first = self._heaps[0]
        if single:
            if stray is None:
                return
            front = self._rng.choice(list(there.fronts.elements()))
            there.fronts[front] -= 1
            first.take_single(front, back)
        else:
            front, late = self._rng.choice(there.with_back(back, early))
            there.take(front, back, late)
            if stray is not None:
                first.take(front, back, late)
        if stray is not None:
            self._heaps[stray.to].pairs[front, back] += 1
