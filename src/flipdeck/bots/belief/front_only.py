"""Places that show a front and hide the back: drawn before the rest of a world, by counting what each choice leaves.

A card of the group has a front and a back.  Where only the back shows, any card with that back may lie; where only the
front shows, any card with that front.  A card can't lie in two places, so the two kinds of places depend on each other
through the cards they share.  With n faces without a known partner on either side, singles, of which x lie in places
with a front and y in places with a back, there are  (n - y)! (n - x)! / (n - x - y)!  ways to pair the rest.

Counting goes front by front.  What has been taken from a class matters until the last front that has a card in it; then
the places of the class are filled, and all that is left to know of it is how many of them took a single.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb, perm, prod

Pair = tuple[int, int]  # front, back
SINGLE = -1  # as a back: one without a known partner


@dataclass(frozen=True, slots=True)
class Asked:
    """A place that shows a front."""

    place: int
    front: int
    early: bool  # dealt before the draw pile lay there


Settled = tuple[Asked, int, bool]  # a place with its back, or SINGLE, and whether that card is a late one


@dataclass(slots=True)
class Class:
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
class Cards:
    """The cards of a group: known pairs, fronts without a partner, and the classes they fall into by their backs."""

    pairs: Counter[Pair]
    late: Counter[Pair]
    fronts: Counter[int]
    classes: dict[int, Class]

    @property
    def singles(self) -> int:
        return self.fronts.total()

    def backs_of(self, front: int) -> list[int]:
        """The backs of known pairs with a front, of classes that have places."""
        return [back for back in self._backs(front) if self.classes[back].places]

    def ways_to_take(self, asked: Sequence[Asked]) -> Iterator[tuple[int, tuple[Settled, ...]]]:
        """Backs for places that all show one front, and how often there are such cards."""

        def extend(number: int, taken: tuple[Settled, ...]) -> Iterator[tuple[int, tuple[Settled, ...]]]:
            if len(taken) == len(asked):
                yield number, taken
                return
            one, before = asked[len(taken)], Counter((back, late) for _, back, late in taken)
            for back, late, there in self._kinds(one):
                if (left := there - before[back, late]) > 0:
                    yield from extend(number * left, (*taken, (one, back, late)))

        return extend(1, ())

    def _backs(self, front: int) -> list[int]:
        return [back for (other, back), number in self.pairs.items() if other == front and number > 0]

    def _kinds(self, one: Asked) -> Iterator[tuple[int, bool, int]]:
        """What a place may take, and how many such cards there are."""
        yield SINGLE, False, self.fronts[one.front]
        for back in self._backs(one.front):
            late = self.late[one.front, back]
            yield back, False, self.pairs[one.front, back] - late
            if not one.early:
                yield back, True, late


Step = tuple[Asked, ...] | int  # of counting: all places with one front; or the back of a class, to fill its places
Taken = tuple[tuple[int, int, int], ...]  # of each class still to fill: its back, cards taken, late ones of them
Ways = dict[tuple[int, int], float]  # in how many ways, by the singles in places with a front and with a back


@dataclass(frozen=True, slots=True)
class Choice:
    ways: float
    taken: Taken  # after it
    settled: tuple[Settled, ...] = ()
    x: int = 0  # singles in places with a front
    y: int = 0  # singles in places with a back


class Settling:
    """All ways to give the places with a front their backs, counted once; ``draw`` takes one of them."""

    def __init__(self, asked: Sequence[Asked], cards: Cards) -> None:
        self._cards = cards
        self._steps = self._in_order(asked)
        self._found = {step: list(cards.ways_to_take(step)) for step in self._steps if isinstance(step, tuple)}
        several = [i for i, step in enumerate(self._steps) if isinstance(step, tuple) and len(self._found[step]) > 1]
        self._decided = several[-1] + 1 if several else 0  # from this step on there is nothing to choose for a front
        self._counted: dict[tuple[int, Taken], Ways] = {}
        self._weights: dict[tuple[int, Taken, int, int], tuple[list[Choice], list[float]]] = {}
        self._ends: dict[tuple[int, int], float] = {}

    def draw(self, rng: random.Random) -> list[Settled]:
        """Front by front; how many singles fill a class is drawn on the way and left to ``draw_singles`` in the end."""
        settled: list[Settled] = []
        taken: Taken = ()
        x = y = 0
        for number, step in enumerate(self._steps):
            if number >= self._decided:
                settled += self._found[step][0][1] if isinstance(step, tuple) else ()
                continue
            chosen = rng.choices(*self._weighed(number, taken, x, y))[0]
            settled += chosen.settled
            taken, x, y = chosen.taken, x + chosen.x, y + chosen.y
        return settled

    def draw_singles(self, settled: Sequence[Settled], rng: random.Random) -> dict[int, tuple[int, int]]:
        """For every class with pairs, singles and places: how many early and other places take a single."""
        taken = Counter(back for _, back, _ in settled)
        late_taken = Counter(back for _, back, late in settled if late)
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
        """In how many ways all of it can be, but for the classes in which nothing depends on a front."""
        return sum(ways * self._end(x, y) for (x, y), ways in self._ways(0, ()).items())

    def counts(self, back: int) -> bool:
        """A class is part of the total."""
        return back in self._steps or self._cards.classes[back].singles > 0

    # ------------------------------------------------------------ counting
    def _in_order(self, asked: Sequence[Asked]) -> list[Step]:
        """Fronts that share classes follow each other, so that few classes are open at a time."""
        by_front: dict[int, tuple[Asked, ...]] = {}
        for one in asked:
            by_front[one.front] = (*by_front.get(one.front, ()), one)
        left = {front: set(self._cards.backs_of(front)) for front in by_front}
        steps: list[Step] = []
        still_open: set[int] = set()
        while left:
            front = min(left, key=lambda front: len(left[front] - still_open))
            still_open |= left.pop(front)
            steps.append(by_front[front])
            closed = still_open.difference(*left.values())
            steps += sorted(closed)
            still_open -= closed
        return steps

    def _choices(self, number: int, taken: Taken) -> list[Choice]:
        step = self._steps[number]
        if isinstance(step, tuple):
            return [
                Choice(ways, self._and_take(taken, settled), settled, x=sum(back == SINGLE for _, back, _ in settled))
                for ways, settled in self._found[step]
            ]
        cards, late = next(((cards, late) for back, cards, late in taken if back == step), (0, 0))
        others = tuple(one for one in taken if one[0] != step)
        filled = self._cards.classes[step].ways(cards, late)
        return [Choice(ways, others, y=y) for y, ways in enumerate(filled) if ways]

    def _and_take(self, taken: Taken, settled: Sequence[Settled]) -> Taken:
        found = {back: (cards, late) for back, cards, late in taken}
        for _, back, is_late in settled:
            if back != SINGLE and self._cards.classes[back].places:
                cards, late = found.get(back, (0, 0))
                found[back] = cards + 1, late + is_late
        return tuple(sorted((back, cards, late) for back, (cards, late) in found.items()))

    def _weighed(self, number: int, taken: Taken, x: int, y: int) -> tuple[list[Choice], list[float]]:
        at = number, taken, x, y
        if at not in self._weights:
            choices = self._choices(number, taken)
            self._weights[at] = choices, [self._weight(number, one, x, y) for one in choices]
        return self._weights[at]

    def _weight(self, number: int, choice: Choice, x: int, y: int) -> float:
        """In how many worlds it is so, after what was chosen before."""
        later = self._ways(number + 1, choice.taken)
        x, y = x + choice.x, y + choice.y
        return choice.ways * sum(ways * self._end(x + more_x, y + more_y) for (more_x, more_y), ways in later.items())

    def _ways(self, number: int, taken: Taken) -> Ways:
        """In how many ways all steps from here on can be taken."""
        if number == len(self._steps):
            return {(0, 0): 1.0}
        if (number, taken) not in self._counted:
            found: Ways = {}
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
        """In how many ways the singles can be paired, as a part of all."""
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
