"""Which card each stray is: drawn before the groups of a world are dealt, as often as there are worlds in which it is.

Whatever shows a front wants a card: a place that hides its back, a stray, a claim.  It takes a pair or a single of its
group, or a stray that was shuffled into it.  A stray that shows its back is like a place of its old group and like a
card of its new one.  Counting goes front by front, as in ``fronted``, for all groups at once; what was taken of the
cards with one back matters until the last front that has a card with it.  Then the places with that back are filled,
and some of the strays without a known partner get it.  Singles are in the first group only: the others were all seen.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import product
from math import factorial, inf, lgamma, log, perm, prod
from typing import TYPE_CHECKING

from .front_only import SINGLE, Class
from .pools import UNKNOWN
from .strays import Claim, Stray
from .wants import At, Change, Choice, Count, Drawn, Got, Open, Step, Turned, Want

if TYPE_CHECKING:
    from .sampler import Group


class Tracing:
    """All ways that strays can be cards, counted once; ``draw`` takes one of them."""

    def __init__(
        self, groups: Sequence[Group], strays: Sequence[Stray], claims: Sequence[Claim], on_dark: bool
    ) -> None:
        self.groups = groups
        self.wants: dict[int, list[Want]] = defaultdict(list)
        kinds = Counter[Turned]()
        for number, group in enumerate(groups):
            for place, front in group.by_front:
                self.wants[front].append(Want(number, front, group.dealt_first[place], place=place))
        for stray in strays:
            front, back = (stray.dark, stray.light) if on_dark else (stray.light, stray.dark)
            if front == UNKNOWN:
                kinds[Turned(stray.source, back, stray.early, stray.group)] += 1
            else:
                self.wants[front].append(Want(stray.source, front, stray.early, to=stray.group))
        for claim in claims:
            front, back = claim.pair[::-1] if on_dark else claim.pair
            self.wants[front].append(Want(claim.group, front, back=back))
        self.turned, self.number = list(kinds), list(kinds.values())
        self._classes = [group.classes() for group in groups]
        self._came: Counter[At] = Counter()
        for kind, number in kinds.items():
            here = self._classes[kind.group].setdefault(kind.back, Class())
            here.places += number
            here.early += number * kind.early
            self._came[kind.back, kind.to] += number
        self._singles = groups[0].fronts.total()
        to = Counter(want.to for wants in self.wants.values() for want in wants if want.to >= 0 and self._singles)
        self.to, self._most = list(to), list(to.values())
        self._none = (0,) * len(self.to)
        self._taking = {front: list(self._ways_to_take(wants)) for front, wants in self.wants.items()}
        self._steps = self._in_order()
        self._counted: dict[tuple[int, Open], dict[Count, float]] = {}
        self._weights: dict[tuple[int, Open, Count], tuple[list[Choice], list[float]]] = {}

    def weight(self) -> float:
        """The logarithm of the number of worlds."""
        total = sum(ways * self._end(count) for count, ways in self._later(0, ()).items())
        return log(total) + lgamma(self._singles + 1) if total > 0 else -inf

    # ------------------------------------------------------------ what a want can take
    def _ways_to_take(self, wants: Sequence[Want]) -> Iterator[Choice]:
        """Cards for all that show one front."""

        def extend(ways: int, got: tuple[Got, ...]) -> Iterator[tuple[int, tuple[Got, ...]]]:
            if len(got) == len(wants):
                yield ways, got
                return
            for one, there in self._kinds(wants, got):
                yield from extend(ways * there, (*got, one))

        for ways, got in extend(1, ()):
            if all(self._agree(wants, got, i) for i in range(len(wants))):
                changes, count = self._effect(wants, got)
                yield Choice(float(ways), count, changes, got)

    def _kinds(self, wants: Sequence[Want], got: Sequence[Got]) -> Iterator[tuple[Got, int]]:
        """What the next want may take, and how many such cards there are."""
        want = wants[len(got)]
        used = Counter((self.base(wants[i], one), one.back, one.late) for i, one in enumerate(got) if one.stray < 0)
        for way in self._ways_into(want.group, want.back):
            back = self.turned[way[0]].back if way else want.back
            early = self.turned[way[-1]].early if way else want.early
            group = self.turned[way[-1]].group if way else want.group
            for one, there in self._cards(group, want.front, back, early):
                left = there - used[group, one.back, one.late]
                if left > 0:
                    yield one._replace(way=way), left
            for i, other in enumerate(wants):
                if other.to == group and all(one.stray != i for one in got):
                    yield Got(SINGLE, stray=i, way=way), 1

    def _ways_into(self, group: int, back: int) -> Iterator[tuple[int, ...]]:
        """None, or strays turned over that were shuffled into a group, and maybe were strays before."""
        yield ()
        for i, kind in enumerate(self.turned):
            if kind.to == group and back in (UNKNOWN, kind.back):
                for before in self._ways_into(kind.group, kind.back):
                    yield (i, *before)

    def _cards(self, group: int, front: int, back: int, early: bool) -> Iterator[tuple[Got, int]]:
        """The cards of a group with a front, and with a back if it is known."""
        here = self.groups[group]
        yield Got(SINGLE), here.fronts[front]
        for pair, number in here.pairs.items():
            if pair[0] == front and back in (UNKNOWN, pair[1]):
                yield Got(pair[1]), number - here.late[pair]
                yield Got(pair[1], late=True), 0 if early else here.late[pair]

    def base(self, want: Want, one: Got) -> int:
        """The group that it takes a card from."""
        return self.turned[one.way[-1]].group if one.way else want.group

    @staticmethod
    def chain(got: Sequence[Got], i: int) -> list[int]:
        """A want, the one that it takes, and so on; the last takes a card."""
        found = [i]
        while got[found[-1]].stray >= 0:
            found.append(got[found[-1]].stray)
        return found

    def _backs(self, wants: Sequence[Want], got: Sequence[Got], i: int) -> set[int]:
        """All that is known of its back."""
        found = set[int]()
        for at in self.chain(got, i):
            found |= {wants[at].back, *(self.turned[kind].back for kind in got[at].way)}
            found |= {got[at].back} if got[at].stray < 0 else set()
        return found - {UNKNOWN, SINGLE}

    def _agree(self, wants: Sequence[Want], got: Sequence[Got], i: int) -> bool:
        return len(self._backs(wants, got, i)) <= 1

    def back(self, wants: Sequence[Want], got: Sequence[Got], i: int) -> int:
        """What its back is, or SINGLE."""
        return next(iter(self._backs(wants, got, i)), SINGLE)

    def _effect(self, wants: Sequence[Want], got: Sequence[Got]) -> tuple[Open, Count]:
        changes: dict[At, Change] = defaultdict(Change)
        fronts = known = 0
        strays = Counter[int]()
        for want, one in zip(wants, got, strict=True):
            for number in one.way:
                kind = self.turned[number]
                changes[kind.back, -1 - number] += Change(used=1)
                changes[kind.back, kind.to] += Change(came=-1)
                changes[kind.back, kind.group] += Change(places=-1, early=-kind.early)
            if one.back != SINGLE:
                changes[one.back, self.base(want, one)] += Change(pairs=-1, late=-one.late)
        for i, want in enumerate(wants):
            if any(one.stray == i for one in got):
                continue
            back, last = self.back(wants, got, i), self.chain(got, i)[-1]
            if back == SINGLE:
                fronts += want.place >= 0
                strays[want.to] += want.to >= 0
                continue
            if got[last].back == SINGLE:
                known += 1
                changes[back, self.base(wants[last], got[last])] += Change(singles=-1)
            if want.to >= 0:
                changes[back, want.to] += Change(came=1)
        count = Count(fronts, known, 0, tuple(strays[to] for to in self.to), self._none)
        return self._that_matter(changes), count

    def _that_matter(self, changes: dict[At, Change]) -> Open:
        return tuple(sorted((at, one) for at, one in changes.items() if any(one) and self._matters(at[0])))

    def _matters(self, back: int) -> bool:
        found = [classes[back] for classes in self._classes if back in classes]
        return any(here.places or here.singles for here in found)

    # ------------------------------------------------------------ counting
    def _in_order(self) -> list[Step]:
        """Fronts that share backs follow each other, so that few backs are open at a time."""
        left = {
            front: {back for choice in found for (back, _), _ in choice.changes}
            for front, found in self._taking.items()
        }
        steps: list[Step] = []
        still_open: set[int] = set()
        filled: set[int] = set()
        while left:
            front = min(left, key=lambda front: len(left[front] - still_open))
            still_open |= left.pop(front)
            steps.append((True, front))
            closed = still_open.difference(*left.values())
            steps += [(False, back) for back in sorted(closed)]
            still_open -= closed
            filled |= closed
        others = sorted({back for classes in self._classes for back in classes} - filled)
        return steps + [(False, back) for back in others if self._matters(back)]

    def _choices(self, number: int, changes: Open) -> list[Choice]:
        is_front, which = self._steps[number]
        if is_front:
            before = dict(changes)
            found = []
            for one in self._taking[which]:
                now = dict(before)
                for at, more in one.changes:
                    now[at] = now.get(at, Change()) + more
                found.append(Choice(one.ways, one.count, self._that_matter(now), one.got))
            return found
        here = {at[1]: one for at, one in changes if at[0] == which}
        others = tuple((at, one) for at, one in changes if at[0] != which)
        return [Choice(ways, count, others) for count, ways in self._ways_to_fill(which, here)]

    def _class_after(self, group: int, back: int, change: Change) -> Class | None:
        """The cards and places with a back, after what was taken; None if there is not as much."""
        was = self._classes[group].get(back, Class())
        now = Class(
            was.pairs + change.pairs + self._came[back, group] + change.came,
            was.late + change.late,
            was.singles + change.singles,
            was.places + change.places,
            was.early + change.early,
        )
        return now if min(now.pairs, now.late, now.singles, now.places, now.early) >= 0 else None

    def _ways_to_fill(self, back: int, changes: dict[int, Change]) -> Iterator[tuple[Count, float]]:
        first, *others = (
            self._class_after(group, back, changes.get(group, Change())) for group in range(len(self.groups))
        )
        if first is None:
            return
        seen = -changes.get(0, Change()).singles
        before = perm(first.singles + seen, seen)
        for at, change in changes.items():
            before *= perm(self.number[-1 - at], change.used) if at < 0 else 1
        for given in product(*(range(min(first.singles, most) + 1) for most in self._most)):
            if sum(given) > first.singles:
                continue
            came = dict(zip(self.to, given, strict=True))
            ways: float = before * perm(first.singles, sum(given)) / prod(map(factorial, given))
            for group, here in enumerate(others, 1):
                if here is None or here.pairs + came.get(group, 0) < here.places:
                    ways = 0
                    break
                ways *= perm(here.pairs + came.get(group, 0), here.places)
            if ways:
                rest = Class(first.pairs, first.late, first.singles - sum(given), first.places, first.early)
                for singles, filled in enumerate(rest.ways()):
                    if filled:
                        yield Count(0, 0, singles, self._none, given), ways * filled

    def _later(self, number: int, changes: Open) -> dict[Count, float]:
        """In how many ways all steps from here on can be taken, by where the singles are then."""
        if number == len(self._steps):
            return {Count(0, 0, 0, self._none, self._none): 1.0}
        if (number, changes) not in self._counted:
            found: dict[Count, float] = {}
            for choice in self._choices(number, changes):
                for count, ways in self._later(number + 1, choice.changes).items():
                    at = count + choice.count
                    if all(given <= most for given, most in zip(at.given, self._most, strict=True)):
                        found[at] = found.get(at, 0.0) + ways * choice.ways
            self._counted[number, changes] = found
        return self._counted[number, changes]

    def _end(self, count: Count) -> float:
        """In how many ways the singles can be paired then, as a part of all."""
        if count.wanted != count.given:
            return 0.0
        strays = sum(count.given)
        fronts = self._singles - count.known - strays - count.fronts
        backs = self._singles - count.known - strays - count.backs
        if fronts < 0 or backs < count.fronts:
            return 0.0
        pairings = perm(backs, count.fronts) * factorial(fronts) * prod(map(factorial, count.given))
        return pairings / factorial(self._singles)

    # ------------------------------------------------------------ drawing
    def draw(self, rng: random.Random) -> Drawn:
        """One of the ways; there has to be one."""
        changes: Open = ()
        count = Count(0, 0, 0, self._none, self._none)
        drawn = Drawn()
        for number, (is_front, which) in enumerate(self._steps):
            choices, weights = self._weighed(number, changes, count)
            one = choices[0] if len(choices) == 1 else rng.choices(choices, weights)[0]
            if is_front:
                drawn.got[which] = one.got
            else:
                here = self._class_after(0, which, dict(changes).get((which, 0), Change()))
                assert here is not None, "a way that there is"  # noqa: S101
                here.singles -= sum(one.count.given)
                drawn.first[which] = here, one.count.backs
                for to, given in zip(self.to, one.count.given, strict=True):
                    drawn.given[to] += [which] * given
            changes, count = one.changes, count + one.count
        return drawn

    def _weighed(self, number: int, changes: Open, count: Count) -> tuple[list[Choice], list[float]]:
        at = number, changes, count
        if at not in self._weights:
            choices = self._choices(number, changes)
            self._weights[at] = choices, [self._weight(number, one, count + one.count) for one in choices]
        return self._weights[at]

    def _weight(self, number: int, choice: Choice, count: Count) -> float:
        """In how many worlds it is so, after what was chosen before."""
        later = self._later(number + 1, choice.changes)
        return choice.ways * sum(ways * self._end(count + more) for more, ways in later.items())
