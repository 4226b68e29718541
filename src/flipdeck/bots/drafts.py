"""Writing a draft: the cards and places of a group in the order that ``bulk.worlds`` deals them."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..bulk.worlds import NO_FRONT, Draft
from .fronted import SINGLE, Pair

if TYPE_CHECKING:
    from .belief import Group

Settled = tuple[int, int, int]  # a place, its front and its back


class Writer:
    """Fills a draft, group after group."""

    def __init__(self, draft: Draft) -> None:
        self.settled: list[Settled] = []
        self._draft = draft
        self._cards = self._places = self._blanks = self._fronted = self._singles = 0

    def add(self, group: Group, rng: random.Random) -> None:
        d = self._draft
        left = Left(group)
        if group.by_front:
            fronted = left.settle(rng)
            self._fronted = _append(d.fronted, self._fronted, fronted)
            self.settled += left.settled
        for back in left.backs():
            self._write_class(left, back)
        self._blanks = _append(d.blanks, self._blanks, group.blanks)
        self._singles = _append(d.singles, self._singles, left.fronts.elements())
        d.group_end[d.groups], d.blank_end[d.groups] = self._cards, self._blanks
        d.fronted_end[d.groups], d.single_end[d.groups] = self._fronted, self._singles
        d.groups += 1

    def _write_class(self, left: Left, back: int) -> None:
        """All cards with one back, late ones last; a class where there are places for them."""
        d, c = self._draft, self._draft.classes
        on_time, late = left.pairs_with(back)
        alone = left.only_singles.get(back)
        begin = self._cards
        if alone is None:
            self._write_cards([*on_time, *[NO_FRONT] * left.singles[back]], back)
            early = self._cards
            self._write_cards(late, back)
            places = left.places.get(back, [])
        else:  # its pairs are settled or go to the draw pile; its places take singles
            self._write_cards([*on_time, *late], back)
            begin = self._cards
            self._write_cards([NO_FRONT] * left.singles[back], back)
            early, places = self._cards, alone
        if places:
            d.cards_begin[c], d.cards_early[c], d.cards_end[c] = begin, early, self._cards
            d.places_begin[c] = self._places
            first = sum(left.group.dealt_first[place] for place in places)
            self._places = _append(d.places, self._places, places)
            d.places_early[c], d.places_end[c] = d.places_begin[c] + first, self._places
            d.classes += 1

    def _write_cards(self, fronts: Iterable[int], back: int) -> None:
        for front in fronts:
            self._draft.fronts[self._cards], self._draft.backs[self._cards] = front, back
            self._cards += 1


class Left:
    """What is left of a group's cards and places while some are settled."""

    def __init__(self, group: Group) -> None:
        self.group = group
        self.pairs, self.late, self.fronts = group.pairs.copy(), group.late.copy(), group.fronts.copy()
        self.singles = group.backs
        self.places = group.by_back
        self.only_singles: dict[int, list[int]] = {}  # by back: places that are known to take a single
        self.settled: list[Settled] = []

    def backs(self) -> list[int]:
        return sorted({back for _, back in +self.pairs} | set(+self.singles))

    def pairs_with(self, back: int) -> tuple[list[int], list[int]]:
        """The fronts of the pairs with a back, each as often as it is there: those on time, and the late ones."""
        on_time: list[int] = []
        late: list[int] = []
        for (front, other), number in self.pairs.items():
            if other == back and number > 0:
                on_time += [front] * (number - self.late[front, back])
                late += [front] * self.late[front, back]
        return on_time, late

    def settle(self, rng: random.Random) -> list[int]:
        """Draw what the places with a front are; the places among them that take a back without a partner."""
        settling = self.group.settling
        fronted = []
        settled = settling.draw(rng)
        for asked, back, late in settled:
            if back == SINGLE:
                self.fronts[asked.front] -= 1
                fronted.append(asked.place)
            else:
                self._take((asked.front, back), late)
                self.settled.append((asked.place, asked.front, back))
        if fronted:
            for back, (first, then) in settling.draw_singles(settled, rng).items():
                self._settle_class(back, first, then, rng)
        return fronted

    def _settle_class(self, back: int, first: int, then: int, rng: random.Random) -> None:
        """Of the places with a back so many of the early and of the other ones take a single; the others get pairs."""
        places = self.places[back]
        early = [place for place in places if self.group.dealt_first[place]]
        others = [place for place in places if not self.group.dealt_first[place]]
        alone = rng.sample(early, first) + rng.sample(others, then)
        self.only_singles[back] = alone
        for place in (*early, *others):
            if place not in alone:
                on_time, late = self.pairs_with(back)
                cards = [(front, False) for front in on_time] + [(front, True) for front in late if place in others]
                front, is_late = rng.choice(cards)
                self._take((front, back), is_late)
                self.settled.append((place, front, back))

    def _take(self, pair: Pair, late: bool) -> None:
        self.pairs[pair] -= 1
        self.late[pair] -= late


def _append(row: list[int], at: int, values: Iterable[int]) -> int:
    for value in values:
        row[at] = value
        at += 1
    return at
