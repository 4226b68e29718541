"""Writing a deal plan: the cards and places of a group in the order in which ``bulk.determinize`` deals them."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter

from ...bulk.determinize import NO_FRONT, DealPlan
from ...core.codes import CARDS
from .front_only import SINGLE, FrontBack
from .group import Group

ATTEMPTS = 50  # at drawing the front-only places so that every other place finds a card it can have
Placement = tuple[int, int, int]  # a place, its front and its back


@dataclass(slots=True)
class CardRange:
    """Where the cards of a class are written: the first that is left, the end of those dealt on time, the end."""

    begin: int
    early: int
    end: int


class PlanWriter:
    """Fills a plan, group after group."""

    def __init__(self, plan: DealPlan) -> None:
        self.placed: list[Placement] = []
        self._plan = plan
        self._cards = self._places = self._blanks = self._front_only = self._singles = 0

    def add(self, group: Group, rng: random.Random) -> None:
        d = self._plan
        left = Remaining(group)
        if group.by_front:
            front_only = left.draw_front_only(rng)
            for _ in range(ATTEMPTS):
                if left.is_enough():
                    break
                left = Remaining(group)
                front_only = left.draw_front_only(rng)
            self._front_only = _append(d.front_only, self._front_only, front_only)
            self.placed += left.placed
        narrow: list[tuple[int, CardRange, int]] = []  # places with bans, by how many cards they can have
        wide: list[tuple[CardRange, list[int]]] = []
        for back in left.backs():
            held, places = self._write_class(left, back)
            banned = [place for place in places if group.bans[place]] if group.narrow else []
            if held.early == held.end:
                narrow += [(self._choices(group, held, place), held, place) for place in banned]
                places = [place for place in places if not group.bans[place]] if banned else places
            elif banned:  # those dealt first come first, whatever else they can't have
                places = sorted(places, key=lambda it: (not group.dealt_first[it], self._choices(group, held, it)))
            if places:
                wide.append((held, places))
        for _, held, place in sorted(narrow, key=itemgetter(0)):
            self._write_places(left, held, [place])
        for held, places in wide:
            self._write_places(left, held, places)
        self._blanks = _append(d.blanks, self._blanks, group.blanks)
        self._singles = _append(d.singles, self._singles, left.fronts.elements())
        d.group_end[d.groups], d.blank_end[d.groups] = self._cards, self._blanks
        d.front_only_end[d.groups], d.single_end[d.groups] = self._front_only, self._singles
        d.groups += 1

    def _write_class(self, left: Remaining, back: int) -> tuple[CardRange, list[int]]:
        """All cards with one back, late ones last, and the places for them."""
        on_time, late = left.pairs_with(back)
        alone = left.only_singles.get(back)
        begin = self._cards
        if alone is None:
            self._write_cards([*on_time, *[NO_FRONT] * left.singles[back]], back)
            early = self._cards
            self._write_cards(late, back)
            return CardRange(begin, early, self._cards), left.places.get(back, [])
        # its pairs are placed or go to the draw pile; its places take singles
        self._write_cards([*on_time, *late], back)
        begin = self._cards
        self._write_cards([NO_FRONT] * left.singles[back], back)
        return CardRange(begin, self._cards, self._cards), alone

    def _choices(self, group: Group, held: CardRange, place: int) -> int:
        """How many cards of a class a place can have; with a back that has no partner, how many kinds of cards."""
        fronts = self._plan.fronts[held.begin : held.end]
        if NO_FRONT in fronts:
            return CARDS - group.bans[place].bit_count()
        return sum(group.can_be(place, front) for front in fronts)

    def _write_places(self, left: Remaining, held: CardRange, places: Sequence[int]) -> None:
        """Places for a class; those that an earlier entry uses come first."""
        d, c = self._plan, self._plan.classes
        d.cards_begin[c], d.cards_early[c], d.cards_end[c] = held.begin, held.early, held.end
        held.begin += len(places)
        d.places_begin[c] = self._places
        first = sum(left.group.dealt_first[place] for place in places)
        self._places = _append(d.places, self._places, places)
        d.places_early[c], d.places_end[c] = d.places_begin[c] + first, self._places
        d.classes += 1
        if left.group.narrow:
            for place in places:
                d.bans[place] = left.group.bans[place]

    def _write_cards(self, fronts: Iterable[int], back: int) -> None:
        for front in fronts:
            self._plan.fronts[self._cards], self._plan.backs[self._cards] = front, back
            self._cards += 1


class Remaining:
    """The cards and places of a group that are not placed yet."""

    def __init__(self, group: Group) -> None:
        self.group = group
        self.pairs, self.late, self.fronts = group.pairs.copy(), group.late.copy(), group.fronts.copy()
        self.singles = group.backs
        self.places = group.by_back
        self.only_singles: dict[int, list[int]] = {}  # by back: places that certainly take a single
        self.placed: list[Placement] = []

    def backs(self) -> list[int]:
        return sorted({back for _, back in +self.pairs} | set(+self.singles))

    def pairs_with(self, back: int) -> tuple[list[int], list[int]]:
        """The fronts of the pairs with a back, each as often as it is there: those on time, and the late ones."""
        on_time: list[int] = []
        late: list[int] = []
        for front in self.group.fronts_of.get(back, ()):
            number = self.pairs[front, back]
            if number > 0:
                on_time += [front] * (number - self.late[front, back])
                late += [front] * self.late[front, back]
        return on_time, late

    def draw_front_only(self, rng: random.Random) -> list[int]:
        """Draw the backs of the front-only places; the result: those that take a back without a known partner."""
        sampler = self.group.front_only
        singles = []
        drawn = sampler.draw(rng)
        for asked, back, late in drawn:
            if back == SINGLE:
                self.fronts[asked.front] -= 1
                singles.append(asked.place)
            else:
                self._take((asked.front, back), late)
                self.placed.append((asked.place, asked.front, back))
        if singles:
            for back, (first, then) in sampler.draw_singles(drawn, rng).items():
                self._place_class(back, first, then, rng)
        return singles

    def is_enough(self) -> bool:
        """Every place with a ban finds a card it can have, among those that are not placed."""
        if not self.group.narrow:
            return True
        if not all(self.group.can_be(place, front) for place, front, _ in self.placed):
            return False
        waiting = self.group.narrow - {place for place, _, _ in self.placed}
        for back, places in self.places.items() if waiting else ():
            asking = [place for place in places if place in waiting]
            on_time, late = self.pairs_with(back) if asking else ([], [])
            if not self.singles[back] and not _can_match(asking, [*on_time, *late], self.group):
                return False
        return True

    def _place_class(self, back: int, first: int, then: int, rng: random.Random) -> None:
        """Choose which places with this back get single faces; the rest get pairs."""
        places = self.places[back]
        early = [place for place in places if self.group.dealt_first[place]]
        others = [place for place in places if not self.group.dealt_first[place]]
        alone = rng.sample(early, first) + rng.sample(others, then)
        self.only_singles[back] = alone
        for place in (*early, *others):
            if place not in alone:
                on_time, late = self.pairs_with(back)
                cards = [(front, False) for front in on_time] + [(front, True) for front in late if place in others]
                front, is_late = rng.choice([card for card in cards if self.group.can_be(place, card[0])] or cards)
                self._take((front, back), is_late)
                self.placed.append((place, front, back))

    def _take(self, pair: FrontBack, late: bool) -> None:
        self.pairs[pair] -= 1
        self.late[pair] -= late


def _can_match(places: list[int], fronts: list[int], group: Group) -> bool:
    """Bipartite matching along augmenting paths: each of the places gets one of the fronts."""
    holder: dict[int, int] = {}

    def find(place: int, tried: set[int]) -> bool:
        for i, front in enumerate(fronts):
            if i not in tried and group.can_be(place, front):
                tried.add(i)
                if i not in holder or find(holder[i], tried):
                    holder[i] = place
                    return True
        return False

    return all(find(place, set()) for place in places)


def _append(row: list[int], at: int, values: Iterable[int]) -> int:
    for value in values:
        row[at] = value
        at += 1
    return at
