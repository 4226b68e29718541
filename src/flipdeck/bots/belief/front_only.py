"""Exact sampling of the places that show a front and hide the back, before the rest of a determinization is dealt.

A card of the group has a front and a back.  Where only the back shows, any card with that back may lie; where only the
front shows, any card with that front.  No card lies in two places, so the two kinds of places depend on each other.
With n single faces on either side, of which x lie in places with a front and y in places with a back, there are
(n - y)! (n - x)! / (n - x - y)!  ways to pair the rest.

Dynamic programming counts front by front.  What was taken from a class matters until the last front that has a card in
it; then the places of the class are filled, and only the number of them that took a single is kept.

A Markov chain of pairwise swaps was tried in its place and not kept: it can't leave a closed chain of fronts and backs,
costs ten times as much for each plan, and the weights of scenarios need the exact count anyway.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb, perm, prod

FrontBack = tuple[int, int]  # front, back
SINGLE = -1  # as a back: one without a known partner


@dataclass(frozen=True, slots=True)
class FrontOnlyPlace:
    """A place that shows a front."""

    place: int
    front: int
    early: bool  # dealt before the draw pile lay there


DrawnBack = tuple[FrontOnlyPlace, int, bool]  # a place with its back, or SINGLE, and whether that card is a late one


@dataclass(slots=True)
class BackClass:
    """The cards that show one back, and the places that show it."""

    pairs: int = 0
    late: int = 0  # of the pairs
    singles: int = 0
    places: int = 0
    early: int = 0  # of the places

    def ways(self, taken: int = 0, late_taken: int = 0) -> list[float]:
        """In how many ways the places can be filled, by how many of them take a single."""
        found = [0.0] * (self.places + 1)
        for first, then, ways in self.splits(taken, late_taken):
            found[first + then] += ways
        return found

    def splits(self, taken: int = 0, late_taken: int = 0) -> Iterator[tuple[int, int, float]]:
        """How many of the early places and of the others take a single, and in how many ways."""
        early_pairs = self.pairs - self.late - (taken - late_taken)
        others = self.places - self.early
        for first in range(self.early + 1):
            outside = comb(self.early, first) * _perm(self.singles, first) * _perm(early_pairs, self.early - first)
            left = early_pairs - (self.early - first) + self.late - late_taken
            for then in range(others + 1 if outside else 0):
                inside = comb(others, then) * _perm(self.singles - first, then) * _perm(left, others - then)
                if inside:
                    yield first, then, float(outside * inside)


@dataclass(slots=True)
class GroupCards:
    """The cards of a group: known pairs, fronts without a partner, and the classes they fall into by their backs."""

    pairs: Counter[FrontBack]
    late: Counter[FrontBack]
    fronts: Counter[int]
    classes: dict[int, BackClass]

    @property
    def singles(self) -> int:
        return self.fronts.total()

    def backs_of(self, front: int) -> list[int]:
        """The backs of known pairs with a front, of classes that have places."""
        return [back for back in self._backs(front) if self.classes[back].places]

    def ways_to_take(self, places: Sequence[FrontOnlyPlace]) -> Iterator[tuple[int, tuple[DrawnBack, ...]]]:
        """Backs for places that all show one front, and how often there are such cards."""

        def extend(number: int, taken: tuple[DrawnBack, ...]) -> Iterator[tuple[int, tuple[DrawnBack, ...]]]:
            if len(taken) == len(places):
                yield number, taken
                return
            one, before = places[len(taken)], Counter((back, late) for _, back, late in taken)
            for back, late, there in self._kinds(one):
                if (left := there - before[back, late]) > 0:
                    yield from extend(number * left, (*taken, (one, back, late)))

        return extend(1, ())

    def _backs(self, front: int) -> list[int]:
        return [back for (other, back), number in self.pairs.items() if other == front and number > 0]

    def _kinds(self, one: FrontOnlyPlace) -> Iterator[tuple[int, bool, int]]:
        """What a place may take, and how many such cards there are."""
        yield SINGLE, False, self.fronts[one.front]
        for back in self._backs(one.front):
            late = self.late[one.front, back]
            yield back, False, self.pairs[one.front, back] - late
            if not one.early:
                yield back, True, late


CountingStep = (
    tuple[FrontOnlyPlace, ...] | int
)  # of counting: all places with one front; or the back of a class, to fill its places
TakenCards = tuple[tuple[int, int, int], ...]  # of each class still to fill: its back, cards taken, late ones of them
WayCounts = dict[tuple[int, int], float]  # in how many ways, by the singles in places with a front and with a back


@dataclass(frozen=True, slots=True)
class CountedChoice:
    ways: float
    taken: TakenCards  # after it
    drawn: tuple[DrawnBack, ...] = ()
    x: int = 0  # singles in places with a front
    y: int = 0  # singles in places with a back


class FrontOnlySampler:
    """All ways to give the places with a front their backs, counted once; ``draw`` takes one of them."""

    def __init__(self, places: Sequence[FrontOnlyPlace], cards: GroupCards) -> None:
        self._cards = cards
        self._steps = self._in_order(places)
        self._found = {step: list(cards.ways_to_take(step)) for step in self._steps if isinstance(step, tuple)}
        several = [i for i, step in enumerate(self._steps) if isinstance(step, tuple) and len(self._found[step]) > 1]
        self._decided = several[-1] + 1 if several else 0  # from this step on there is nothing to choose for a front
        self._counted: dict[tuple[int, TakenCards], WayCounts] = {}
        self._weights: dict[tuple[int, TakenCards, int, int], tuple[list[CountedChoice], list[float]]] = {}
        self._ends: dict[tuple[int, int], float] = {}

    def draw(self, rng: random.Random) -> list[DrawnBack]:
        """Front by front; how many singles fill a class is drawn on the way and left to ``draw_singles`` in the end."""
        drawn: list[DrawnBack] = []
        taken: TakenCards = ()
        x = y = 0
        for number, step in enumerate(self._steps):
            if number >= self._decided:
                drawn += self._found[step][0][1] if isinstance(step, tuple) else ()
                continue
            chosen = rng.choices(*self._weighed(number, taken, x, y))[0]
            drawn += chosen.drawn
            taken, x, y = chosen.taken, x + chosen.x, y + chosen.y
        return drawn

    def draw_singles(self, drawn: Sequence[DrawnBack], rng: random.Random) -> dict[int, tuple[int, int]]:
        """For every class with pairs, singles and places: how many early and other places take a single."""
        taken = Counter(back for _, back, _ in drawn)
        late_taken = Counter(back for _, back, late in drawn if late)
        y, mixed = 0, []
        for back, here in self._cards.classes.items():
            if here.places and here.singles and here.pairs:
                mixed.append((back, list(here.splits(taken[back], late_taken[back]))))
            elif here.singles:
                y += here.places
        after = [[1.0]]
        for back, _ in mixed[:0:-1]:
            after.append(_product(after[-1], self._cards.classes[back].ways(taken[back], late_taken[back])))
        chosen: dict[int, tuple[int, int]] = {}
        for (back, splits), rest in zip(mixed, reversed(after), strict=False):
            weights = [
                ways * sum(w * self._pairings(taken[SINGLE], y + first + then + k) for k, w in enumerate(rest))
                for first, then, ways in splits
            ]
            first, then, _ = rng.choices(splits, weights)[0]
            chosen[back] = first, then
            y += first + then
        return chosen

    def total(self) -> float:
        """Number of ways to fill all places, without the classes that no front depends on."""
        return sum(ways * self._end(x, y) for (x, y), ways in self._ways(0, ()).items())

    def counts(self, back: int) -> bool:
        """A class is part of the total."""
        return back in self._steps or self._cards.classes[back].singles > 0

    # ------------------------------------------------------------ counting
    def _in_order(self, places: Sequence[FrontOnlyPlace]) -> list[CountingStep]:
        """Fronts that share classes follow each other, so that few classes are open at a time."""
        by_front: dict[int, tuple[FrontOnlyPlace, ...]] = {}
        for one in places:
            by_front[one.front] = (*by_front.get(one.front, ()), one)
        left = {front: set(self._cards.backs_of(front)) for front in by_front}
        steps: list[CountingStep] = []
        still_open: set[int] = set()
        while left:
            front = min(left, key=lambda front: len(left[front] - still_open))
            still_open |= left.pop(front)
            steps.append(by_front[front])
            closed = still_open.difference(*left.values())
            steps += sorted(closed)
            still_open -= closed
        return steps

    def _choices(self, number: int, taken: TakenCards) -> list[CountedChoice]:
        step = self._steps[number]
        if isinstance(step, tuple):
            return [
                CountedChoice(ways, self._and_take(taken, drawn), drawn, x=sum(back == SINGLE for _, back, _ in drawn))
                for ways, drawn in self._found[step]
            ]
        cards, late = next(((cards, late) for back, cards, late in taken if back == step), (0, 0))
        others = tuple(one for one in taken if one[0] != step)
        filled = self._cards.classes[step].ways(cards, late)
        return [CountedChoice(ways, others, y=y) for y, ways in enumerate(filled) if ways]

    def _and_take(self, taken: TakenCards, drawn: Sequence[DrawnBack]) -> TakenCards:
        found = {back: (cards, late) for back, cards, late in taken}
        for _, back, is_late in drawn:
            if back != SINGLE and self._cards.classes[back].places:
                cards, late = found.get(back, (0, 0))
                found[back] = cards + 1, late + is_late
        return tuple(sorted((back, cards, late) for back, (cards, late) in found.items()))

    def _weighed(self, number: int, taken: TakenCards, x: int, y: int) -> tuple[list[CountedChoice], list[float]]:
        at = number, taken, x, y
        if at not in self._weights:
            choices = self._choices(number, taken)
            self._weights[at] = choices, [self._weight(number, one, x, y) for one in choices]
        return self._weights[at]

    def _weight(self, number: int, choice: CountedChoice, x: int, y: int) -> float:
        """Number of determinizations with this choice, given the earlier ones."""
        later = self._ways(number + 1, choice.taken)
        x, y = x + choice.x, y + choice.y
        return choice.ways * sum(ways * self._end(x + more_x, y + more_y) for (more_x, more_y), ways in later.items())

    def _ways(self, number: int, taken: TakenCards) -> WayCounts:
        """In how many ways all steps from here on can be taken."""
        if number == len(self._steps):
            return {(0, 0): 1.0}
        if (number, taken) not in self._counted:
            found: WayCounts = {}
            for choice in self._choices(number, taken):
                for (x, y), ways in self._ways(number + 1, choice.taken).items():
                    at = x + choice.x, y + choice.y
                    found[at] = found.get(at, 0.0) + ways * choice.ways
            self._counted[number, taken] = found
        return self._counted[number, taken]

    def _end(self, x: int, y: int) -> float:
        """In how many ways the classes that share no card with a front are filled then, and the singles paired."""
        if (x, y) not in self._ends:
            self._ends[x, y] = sum(ways * self._pairings(x, y + more) for more, ways in enumerate(self._other_classes))
        return self._ends[x, y]

    @cached_property
    def _other_classes(self) -> list[float]:
        ways = [1.0]
        for back, here in self._cards.classes.items():
            if here.places and here.singles and back not in self._steps:
                ways = _product(ways, here.ways())
        return ways

    def _pairings(self, x: int, y: int) -> float:
        """Share of all pairings of the single faces."""
        n = self._cards.singles
        return prod((n - y - i) / (n - i) for i in range(x)) if x + y <= n else 0.0


def _perm(number: int, taken: int) -> int:
    return perm(number, taken) if 0 <= taken <= number else 0


def _product(one: Sequence[float], other: Sequence[float]) -> list[float]:
    found = [0.0] * (len(one) + len(other) - 1)
    for i, a in enumerate(one):
        for j, b in enumerate(other) if a else ():
            found[i + j] += a * b
    return found
