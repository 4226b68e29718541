"""What a seat may believe: which cards can be where, from its memory.  ``bulk.worlds`` deals from the drafts made here.

A card in another hand shows its back, the face not in play; its front is any of the unseen cards with that back.  Few
places show a front and no back: cards low in the draw pile that were on top before a flip, and the own hand where own
backs are hidden.  They make the classes depend on each other, so a draft settles them first, by exact counting.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cached_property

from ..bulk.acting import kind_of
from ..bulk.worlds import GROUPS, Draft
from ..core.codes import CARDS, DARK
from ..core.reading import hand_in_order
from .drafts import Settled, Writer
from .fronted import Asked, Cards, Class, Settling
from .memory import UNKNOWN, Memory


class Group:
    """The cards of one pool and the places they may be in, as front and back of the side in play."""

    def __init__(self, memory: Memory, number: int, places: list[int]) -> None:
        g, pool = memory.game, memory.pools[number]
        on_dark = g.side == DARK
        self.pairs = _turned(pool.pairs, on_dark)
        self.late = _turned(pool.late, on_dark)
        self.fronts = +(pool.darks if on_dark else pool.lights)
        self.backs = +(pool.lights if on_dark else pool.darks)
        front, back = g.side, DARK - g.side
        self.by_back: dict[int, list[int]] = defaultdict(list)
        self.by_front: list[tuple[int, int]] = []  # place, front
        self.blanks: list[int] = []
        for place in places:
            if g.faces[back + place] != UNKNOWN:
                self.by_back[g.faces[back + place]].append(place)
            elif g.faces[front + place] != UNKNOWN:
                self.by_front.append((place, g.faces[front + place]))
            else:
                self.blanks.append(place)
        for held in self.by_back.values():
            held.sort(key=lambda place: not memory.dealt_first[place])
        self.dealt_first = memory.dealt_first

    def early(self, back: int) -> int:
        """How many of the places with a back were dealt before the draw pile lay there."""
        return sum(self.dealt_first[place] for place in self.by_back[back])

    def classes(self) -> dict[int, Class]:
        """By back: how many cards and places there are."""
        found = {back: Class(singles=number) for back, number in self.backs.items()}
        for (_, back), number in self.pairs.items():
            here = found.setdefault(back, Class())
            here.pairs += number
        for (_, back), number in self.late.items():
            found[back].late += number
        for back, places in self.by_back.items():
            found[back].early = self.early(back)
            found[back].places = len(places)
        return found

    @cached_property
    def settling(self) -> Settling:
        asked = [Asked(place, front, self.dealt_first[place]) for place, front in self.by_front]
        return Settling(asked, Cards(self.pairs, self.late, self.fronts, self.classes()))


class Belief:
    """What can be where, at one moment."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        by_group: dict[int, list[int]] = defaultdict(list)
        faces, deck = memory.game.faces, memory.game.deck
        for card in range(deck):
            if faces[card] == UNKNOWN or faces[DARK + card] == UNKNOWN:
                by_group[memory.group[card]].append(card)
        self.groups = [Group(memory, number, places) for number, places in sorted(by_group.items())]

    @property
    def certain(self) -> bool:
        """One draft serves for all worlds: no place has to be settled first."""
        return not any(group.by_front for group in self.groups)

    def draft(self, rng: random.Random, tries: int = 1) -> tuple[Draft, list[Settled]]:
        """What to deal worlds from, and what was settled for it.

        With one try every world is as likely as any other; with more, what was noted of the play weighs.
        """
        memory = self.memory
        draft = Draft(seat=memory.seat, color_before=memory.color_before, tries=tries)
        if tries > 1:
            draft.notes[:] = memory.notes[memory.game.side : memory.game.side + CARDS]
        writer = Writer(draft)
        for group in self.groups[:GROUPS]:
            writer.add(group, rng)
        return draft, writer.settled

    def fronts_in(self, seat: int) -> Iterator[dict[int, float]]:
        """For every card of another hand whose front is not known: how likely each front is.

        Each card by itself: that two of them can't be the same card is left out.  What was noted of the play weighs.
        """
        g = self.memory.game
        groups = {place: group for group in self.groups for held in group.by_back.values() for place in held}
        for place in hand_in_order(g, seat):
            if place in groups:
                chances = _chances(groups[place], g.faces[DARK - g.side + place])
                yield _weighed(chances, self.memory.notes[g.side + place])


def _chances(group: Group, back: int) -> dict[int, float]:
    singles, weights = group.backs[back], Counter[int]()
    for (front, other), number in group.pairs.items():
        if other == back:
            weights[front] += number
    total = weights.total() + singles
    chances = {front: number / total for front, number in weights.items()}
    fronts = group.fronts.total()
    if singles and fronts:
        for front, number in group.fronts.items():
            chances[front] = chances.get(front, 0) + singles / total * number / fronts
    return chances


def _weighed(chances: dict[int, float], note: int) -> dict[int, float]:
    """Without what the play speaks against, unless nothing would be left."""
    left = {front: chance for front, chance in chances.items() if not note >> kind_of(front) & 1}
    total = sum(left.values())
    return {front: chance / total for front, chance in left.items()} if total else chances


def _turned(pairs: Counter[tuple[int, int]], on_dark: bool) -> Counter[tuple[int, int]]:
    """Light and dark as front and back."""
    return Counter({(dark, light) if on_dark else (light, dark): n for (light, dark), n in pairs.items() if n > 0})
