"""Writing a draft: the cards and places of a group in the order that ``bulk.worlds`` deals them."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING

from ...bulk.determinize import NO_FRONT, Draft
from ...core.codes import CARDS
from .front_only import SINGLE, Pair

if TYPE_CHECKING:
    from .sampler import Group

SETTLINGS = 50  # tried, until what is settled leaves all places something they can have
Settled = tuple[int, int, int]  # a place, its front and its back


@dataclass(slots=True)
class Range:
    """Where the cards of a class are written: those left, those that were dealt on time, the end."""

    begin: int
    early: int
    end: int


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
            for _ in range(SETTLINGS):
                if left.leaves_enough():
                    break
                left = Left(group)
                fronted = left.settle(rng)
            self._fronted = _append(d.fronted, self._fronted, fronted)
            self.settled += left.settled
        narrow: list[tuple[int, Range, int]] = []  # places that can't have all, with how much they can have
        wide: list[tuple[Range, list[int]]] = []
        for back in left.backs():
            held, places = self._write_class(left, back)
            banned = [place for place in places if group.bans[place]] if group.narrow else []
            if held.early == held.end:
                narrow += [(self._room(group, held, place), held, place) for place in banned]
                places = [place for place in places if not group.bans[place]] if banned else places
            elif banned:  # those dealt first come first, whatever else they can't have
                places = sorted(places, key=lambda it: (not group.dealt_first[it], self._room(group, held, it)))
            if places:
                wide.append((held, places))
        for _, held, place in sorted(narrow, key=itemgetter(0)):
            self._write_places(left, held, [place])
        for held, places in wide:
            self._write_places(left, held, places)
        self._blanks = _append(d.blanks, self._blanks, group.blanks)
        self._singles = _append(d.singles, self._singles, left.fronts.elements())
        d.group_end[d.groups], d.blank_end[d.groups] = self._cards, self._blanks
        d.fronted_end[d.groups], d.single_end[d.groups] = self._fronted, self._singles
        d.groups += 1

    def _write_class(self, left: Left, back: int) -> tuple[Range, list[int]]:
        """All cards with one back, late ones last, and the places for them."""
        on_time, late = left.pairs_with(back)
        alone = left.only_singles.get(back)
        begin = self._cards
        if alone is None:
            self._write_cards([*on_time, *[NO_FRONT] * left.singles[back]], back)
            early = self._cards
            self._write_cards(late, back)
            return Range(begin, early, self._cards), left.places.get(back, [])
        # its pairs are settled or go to the draw pile; its places take singles
        self._write_cards([*on_time, *late], back)
        begin = self._cards
        self._write_cards([NO_FRONT] * left.singles[back], back)
        return Range(begin, self._cards, self._cards), alone

    def _room(self, group: Group, held: Range, place: int) -> int:
        """How many cards of a class a place can have; with a back that has no partner, how many kinds of cards."""
        fronts = self._draft.fronts[held.begin : held.end]
        if NO_FRONT in fronts:
            return CARDS - group.bans[place].bit_count()
        return sum(group.can_be(place, front) for front in fronts)

    def _write_places(self, left: Left, held: Range, places: Sequence[int]) -> None:
        """A class: places for the cards; what a class before it takes of them lies in front."""
        d, c = self._draft, self._draft.classes
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
        for front in self.group.fronts_of.get(back, ()):
            number = self.pairs[front, back]
            if number > 0:
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

    def leaves_enough(self) -> bool:
        """Every place that can't have all finds a card it can have, among those that are not settled."""
        if not self.group.narrow:
            return True
        if not all(self.group.can_be(place, front) for place, front, _ in self.settled):
            return False
        waiting = self.group.narrow - {place for place, _, _ in self.settled}
        for back, places in self.places.items() if waiting else ():
            asking = [place for place in places if place in waiting]
            on_time, late = self.pairs_with(back) if asking else ([], [])
            if not self.singles[back] and not _can_all_have(asking, [*on_time, *late], self.group):
                return False
        return True

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
                front, is_late = rng.choice([card for card in cards if self.group.can_be(place, card[0])] or cards)
                self._take((front, back), is_late)
                self.settled.append((place, front, back))

    def _take(self, pair: Pair, late: bool) -> None:
        self.pairs[pair] -= 1
        self.late[pair] -= late


def _can_all_have(places: list[int], fronts: list[int], group: Group) -> bool:
    """Each of the places one of the fronts, found along paths of exchanges."""
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
