"""What is known of a hand's cards, when nobody can tell any more which of them is which.

One of several cards with the same back was played, and the hand doesn't show which: whatever was known of the others
may have moved up by one place.  A doubt keeps every way it can be; what is seen later leaves fewer of them, and a world
is dealt in one of them (``belief``).  The picture itself shows only what is so in all of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_
from typing import TYPE_CHECKING, NamedTuple

from ...bulk.acting import kind_of
from ...core.cards import Card
from ...core.codes import DARK, LIGHT
from .pools import UNKNOWN, Pair

if TYPE_CHECKING:
    from .memory import Memory

MOST = 24  # ways to remember; with more of them the picture has to do


class Known(NamedTuple):
    """What is known of one card."""

    light: int
    dark: int
    first: bool  # it was in a hand before the draw pile lay there, and that matters
    ban: int  # kinds that its front is certainly none of

    @property
    def pair(self) -> Pair | None:
        return None if UNKNOWN in (self.light, self.dark) else (self.light, self.dark)

    def may_show(self, side: int, face: int) -> bool:
        return (self.dark if side == DARK else self.light) in (UNKNOWN, face)

    def bans(self, face: int) -> bool:
        return bool(self.ban >> kind_of(face) & 1)

    def showing(self, side: int, face: int) -> Known:
        return self._replace(dark=face) if side == DARK else self._replace(light=face)


Way = tuple[Known, ...]


@dataclass(slots=True)
class Doubt:
    places: list[int]
    side: int  # in play when it began: bans are about its faces
    ways: dict[Way, float]  # each with the number of deals that lead to it

    def see(self, memory: Memory, card: int, side: int, face: int) -> None:
        """A card shows a face: what does not agree is out."""
        at = self.places.index(card)
        ways = defaultdict[Way, float](float)
        for way, number in self.ways.items():
            if not way[at].may_show(side, face) or (side == self.side and way[at].bans(face)):
                continue
            now = way[at].showing(side, face)
            if now.pair is not None and way[at].pair is None:
                number *= _copies(memory, self.places, way, card, now.pair)  # noqa: PLW2901
            if number > 0:
                ways[*way[:at], now, *way[at + 1 :]] += number
        self.ways = ways

    def ban(self, cards: Sequence[int], kinds: int) -> None:
        """These cards are none of these kinds, whichever they are."""
        if not set(cards) & set(self.places):
            return
        ways = defaultdict[Way, float](float)
        for way, number in self.ways.items():
            now = [
                one if one.pair or place not in cards else one._replace(ban=one.ban | kinds)
                for place, one in zip(self.places, way, strict=True)
            ]
            if all(
                one.pair is None or not kinds >> kind_of(one.pair[self.side == DARK]) & 1
                for one, place in zip(now, self.places, strict=True)
                if place in cards
            ):
                ways[tuple(now)] += number
        self.ways = ways


def known(memory: Memory, card: int) -> Known:
    faces, pool = memory.game.faces, memory.pools[memory.group[card]]
    light, dark = faces[LIGHT + card], faces[DARK + card]
    ban = memory.bans[memory.game.side + card] if UNKNOWN in (light, dark) else 0
    return Known(light, dark, memory.dealt_first[card] and pool.late.total() > 0, ban)


def card_leaves(memory: Memory, seat: int, hand: Sequence[int], fitting: Sequence[int], seen: Card) -> None:
    """One of the fitting cards of a hand is played; the first of them leaves the picture for it."""
    doubt = memory.doubts.get(seat)
    if len(fitting) == 1 and (doubt is None or fitting[0] not in doubt.places):
        return
    in_doubt = doubt.places if doubt else []
    at = [i for i, card in enumerate(hand) if card in fitting or card in in_doubt]
    span = hand[at[0] : at[-1] + 1]
    if len({memory.group[card] for card in span}) > 1:
        memory.merge_pools()
    ways = defaultdict[Way, float](float)
    for way, number in doubt.ways.items() if doubt else [((), 1.0)]:
        before = dict(zip(in_doubt, way, strict=True))
        then = {card: before.get(card) or known(memory, card) for card in span}
        for after, deals in _ways_on(memory, then, fitting, memory.faces_of(seen), number).items():
            ways[after] += deals
    rest = [card for card in span if card != fitting[0]]
    memory.doubts.pop(seat, None)
    if rest:
        _blur(memory, rest, list(ways) or [(Known(UNKNOWN, UNKNOWN, False, 0),) * len(rest)])
    if 1 < len(ways) <= MOST:
        memory.doubts[seat] = Doubt(rest, memory.game.side, ways)


def _ways_on(
    memory: Memory, hand: dict[int, Known], fitting: Sequence[int], played: Pair, number: float
) -> dict[Way, float]:
    """How it can be after the play, from one way that it could be before."""
    found = defaultdict[Way, float](float)
    cards, before = list(hand), tuple(hand.values())
    for at, one in enumerate(before):
        if cards[at] not in fitting or not _may_be(one, played, memory.game.side):
            continue
        deals = 1.0 if one.pair or UNKNOWN in played else _copies(memory, cards, before, cards[at], played)
        if deals > 0:
            found[before[:at] + before[at + 1 :]] += number * deals
        if one.pair:  # of cards that look the same the first is played
            break
    return found


def _may_be(one: Known, played: Pair, side: int) -> bool:
    front = played[side == DARK]
    fits = all(face == UNKNOWN or one.may_show(at, face) for at, face in zip((LIGHT, DARK), played, strict=True))
    return fits and (front == UNKNOWN or one.pair is not None or not one.bans(front))


def _copies(memory: Memory, places: Iterable[int], way: Way, card: int, pair: Pair) -> float:
    """How many cards with these faces there are for a place, as far as they are not elsewhere already."""
    pool = memory.pools[memory.group[card]]
    elsewhere = sum(
        one.pair == pair and memory.known_pair(place) is None
        for place, one in zip(places, way, strict=True)
        if place != card
    )
    singles = pool.lights[pair[0]] * pool.darks[pair[1]]
    return pool.pairs[pair] - elsewhere + (singles / pool.lights.total() if singles > 0 else 0)


def _blur(memory: Memory, cards: Sequence[int], ways: Sequence[Way]) -> None:
    """The picture keeps what is so in all ways."""
    note = reduce(and_, (memory.notes[memory.game.side + card] for card in cards))
    for card in cards:
        pair = memory.known_pair(card)
        if pair is not None:
            memory.pools[memory.group[card]].put_back(pair)
        memory.forget(card)
    for card, ones in zip(cards, zip(*ways, strict=True), strict=True):
        memory.dealt_first[card] = all(one.first for one in ones)
        memory.bans[memory.game.side + card] = reduce(and_, (one.ban for one in ones))
        memory.notes[memory.game.side + card] = note
        for side, faces in ((LIGHT, {one.light for one in ones}), (DARK, {one.dark for one in ones})):
            if len(faces) == 1 and UNKNOWN not in faces:
                memory.learn_face(card, side, faces.pop())
