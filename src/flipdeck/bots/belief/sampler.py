"""What a seat may believe: which cards can be where, from its memory.  ``bulk.worlds`` deals from the drafts made here.

A card in another hand shows its back, the face not in play; its front is any of the unseen cards with that back.  Few
places show a front and no back: cards low in the draw pile that were on top before a flip, and the own hand where own
backs are hidden.  They make the classes depend on each other, so a draft settles them first, by exact counting.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import product
from math import exp, inf, lgamma, log, prod

from ...bulk.acting import kind_of
from ...bulk.determinize import GROUPS, Draft
from ...core.codes import CARDS, DARK
from ...core.reading import hand_in_order
from .ambiguity import MOST, Doubt, Known, Way
from .deal_plan import Settled, Writer
from .front_only import Asked, Cards, Class, Settling
from .memory import UNKNOWN, Memory

TRIES = 6  # at a card that agrees with how the others played


class Group:
    """The cards of one pool and the places they may be in, as front and back of the side in play."""

    def __init__(self, case: Case, number: int, places: list[int]) -> None:
        pool, faces = case.pools[number], case.faces
        on_dark = case.side == DARK
        self.pairs = _turned(pool.pairs, on_dark)
        self.late = _turned(pool.late, on_dark)
        self.fronts_of: dict[int, list[int]] = defaultdict(list)  # by back: the fronts of its pairs
        for front_of, back_of in self.pairs:
            self.fronts_of[back_of].append(front_of)
        self.fronts = +(pool.darks if on_dark else pool.lights)
        self.backs = +(pool.lights if on_dark else pool.darks)
        front, back = case.side, DARK - case.side
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
            held.sort(key=lambda place: not case.dealt_first[place])
        self.dealt_first, self.bans = case.dealt_first, case.bans
        self.narrow = {place for place in places if case.bans[place]}

    def early(self, back: int) -> int:
        """How many of the places with a back were dealt before the draw pile lay there."""
        return sum(self.dealt_first[place] for place in self.by_back[back])

    def can_be(self, place: int, front: int) -> bool:
        return not self.bans[place] >> kind_of(front) & 1

    def classes(self) -> dict[int, Class]:
        """By back: how many cards and places there are."""
        found = {back: Class(singles=number) for back, number in self.backs.items()}
        for (_, back), number in self.pairs.items():
            here = found.setdefault(back, Class())
            here.pairs += number
        for (_, back), number in self.late.items():
            found[back].late += number
        for back, places in self.by_back.items():
            here = found.setdefault(back, Class())
            here.early, here.places = self.early(back), len(places)
        return found

    def weight(self) -> float:
        """The logarithm of the number of ways to fill the places; what is the same in all cases is left out."""
        classes = self.classes()
        total = lgamma(self.fronts.total() + 1)
        if self.by_front:
            ways = self.settling.total()
            total += log(ways) if ways > 0 else -inf
            classes = {back: here for back, here in classes.items() if not self.settling.counts(back)}
        for here in classes.values():
            if here.places:
                ways = sum(here.ways())
                total += log(ways) if ways > 0 else -inf
        return total

    @cached_property
    def settling(self) -> Settling:
        asked = [Asked(place, front, self.dealt_first[place]) for place, front in self.by_front]
        return Settling(asked, Cards(self.pairs, self.late, self.fronts, self.classes()))


class Case:
    """One way that everything can be which the seat knows, and not of which card: mostly there is just one."""

    def __init__(self, memory: Memory, ways: Iterable[tuple[Doubt, Way]] = ()) -> None:
        g = memory.game
        self.side, self.faces, self.pools = g.side, g.faces, memory.pools
        self.group = memory.group
        self.dealt_first, self.bans = memory.dealt_first, memory.bans[g.side : g.side + CARDS]
        self.known: list[Settled] = []  # in this case, and not in all
        self.possible = True
        ways = list(ways)
        if ways:
            self.faces, self.dealt_first = self.faces[:], self.dealt_first[:]
            self.pools = [pool.copy() for pool in self.pools]
        for doubt, way in ways:
            for place, one in zip(doubt.places, way, strict=True):
                self._know(memory, place, one, doubt.side)
        self._deck = g.deck
        self.groups = self._groups()

    def _groups(self) -> list[Group]:
        by_group: dict[int, list[int]] = defaultdict(list)
        for card in range(self._deck):
            if self.faces[card] == UNKNOWN or self.faces[DARK + card] == UNKNOWN:
                by_group[self.group[card]].append(card)
        return [Group(self, number, places) for number, places in sorted(by_group.items())]

    def _know(self, memory: Memory, place: int, one: Known, side: int) -> None:
        self.dealt_first[place] = one.first
        if side == self.side:
            self.bans[place] = one.ban
        if one.pair and memory.known_pair(place) is None:
            pool = self.pools[self.group[place]]
            self.possible &= pool.has(one.pair)
            pool.take(one.pair)
            self.known.append((place, *(one.pair[::-1] if self.side == DARK else one.pair)))
        self.faces[place], self.faces[DARK + place] = one.light, one.dark

    def weight(self) -> float:
        """The logarithm of the number of worlds."""
        return sum(group.weight() for group in self.groups) if self.possible else -inf


class Belief:
    """What can be where, at one moment."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self._cases, self._weights = _cases_of(memory)
        self.groups = (self._cases[0] if len(self._cases) == 1 else Case(memory)).groups

    @property
    def certain(self) -> bool:
        """One draft serves for all worlds: no place has to be settled first."""
        return len(self._cases) == 1 and not any(group.by_front for group in self.groups)

    def draft(self, rng: random.Random, tries: int = 1) -> tuple[Draft, list[Settled]]:
        """What to deal worlds from, and what was settled for it.

        With one try every world is as likely as any other; with more, what was noted of the play weighs.
        """
        memory = self.memory
        draft = Draft(seat=memory.seat, color_before=memory.color_before, tries=tries)
        if tries > 1:
            draft.notes[:] = memory.notes[memory.game.side : memory.game.side + CARDS]
        case = self._cases[0] if len(self._cases) == 1 else rng.choices(self._cases, self._weights)[0]
        writer = Writer(draft)
        for group in case.groups[:GROUPS]:
            writer.add(group, rng)
        return draft, case.known + writer.settled

    def fronts_in(self, seat: int) -> Iterator[dict[int, float]]:
        """For every card of another hand whose front is not known: how likely each front is.

        Each card by itself: that two of them can't be the same card is left out.  What was noted of the play weighs.
        """
        g = self.memory.game
        groups = {place: group for group in self.groups for held in group.by_back.values() for place in held}
        for place in hand_in_order(g, seat):
            if place in groups:
                chances = _chances(groups[place], g.faces[DARK - g.side + place])
                certain = _without(chances, self.memory.bans[g.side + place])
                yield _weighed(certain, self.memory.notes[g.side + place])


def _cases_of(memory: Memory) -> tuple[list[Case], list[float]]:
    """Every way that all doubts can be, and how likely it is."""
    if not memory.doubts:
        return [Case(memory)], [1.0]
    doubts = sorted(memory.doubts.values(), key=lambda doubt: len(doubt.ways))
    while len(doubts) > 1 and prod(len(doubt.ways) for doubt in doubts) > MOST:
        doubts.pop()
    cases, weights = [], []
    for ways in product(*(doubt.ways.items() for doubt in doubts)):
        case = Case(memory, zip(doubts, (way for way, _ in ways), strict=True))
        weight = case.weight()
        if weight > -inf:
            cases.append(case)
            weights.append(weight + sum(log(number) for _, number in ways))
    if not cases:
        return [Case(memory)], [1.0]
    most = max(weights)
    return cases, [exp(weight - most) for weight in weights]


def _chances(group: Group, back: int) -> dict[int, float]:
    singles, weights = group.backs[back], defaultdict[int, float](float)
    for (front, other), number in group.pairs.items():
        if other == back:
            weights[front] += number
    total = sum(weights.values()) + singles
    chances = {front: number / total for front, number in weights.items()}
    fronts = group.fronts.total()
    if singles and fronts:
        for front, number in group.fronts.items():
            chances[front] = chances.get(front, 0) + singles / total * number / fronts
    return chances


def _without(chances: dict[int, float], ban: int) -> dict[int, float]:
    """Without what is certainly not so."""
    left = {front: chance for front, chance in chances.items() if not ban >> kind_of(front) & 1}
    total = sum(left.values())
    return {front: chance / total for front, chance in left.items()} if total else chances


def _weighed(chances: dict[int, float], note: int) -> dict[int, float]:
    """What the play speaks against is seldom, and not impossible: as in worlds that are dealt with so many tries."""
    against = {front for front in chances if note >> kind_of(front) & 1}
    share = sum(chances[front] for front in against)
    if not against or len(against) == len(chances):
        return chances
    seldom = share ** (TRIES - 1)
    often = (1 - share * seldom) / (1 - share)
    return {front: chance * (seldom if front in against else often) for front, chance in chances.items()}


def _turned(pairs: Counter[tuple[int, int]], on_dark: bool) -> Counter[tuple[int, int]]:
    """Light and dark as front and back."""
    return Counter({(dark, light) if on_dark else (light, dark): n for (light, dark), n in pairs.items() if n > 0})
