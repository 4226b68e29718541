"""Ambiguity: hypotheses about a hand in which nobody can tell any more which card is which.

One of several cards with the same back was played, and the hand doesn't show which: whatever was known of the others
may have moved up by one place.  An ambiguity keeps every hypothesis with the number of deals that lead to it; what is
seen later rules some of them out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ...bulk.acting import kind_of
from ...core.codes import DARK, LIGHT
from .pools import UNKNOWN, FacePair

MAX_HYPOTHESES = 24  # with more of them, only what holds in all is kept


class Known(NamedTuple):
    """What is known of one card."""

    light: int
    dark: int
    first: bool  # it was in a hand before the draw pile lay there, and that matters
    ban: int  # bit set: kinds that its front is certainly none of

    @property
    def pair(self) -> FacePair | None:
        return None if UNKNOWN in (self.light, self.dark) else (self.light, self.dark)

    def may_show(self, side: int, face: int) -> bool:
        return (self.dark if side == DARK else self.light) in (UNKNOWN, face)

    def bans(self, face: int) -> bool:
        return bool(self.ban >> kind_of(face) & 1)

    def showing(self, side: int, face: int) -> Known:
        return self._replace(dark=face) if side == DARK else self._replace(light=face)

    def may_be(self, played: FacePair, side: int) -> bool:
        """It can be the card that was played when ``side`` was in play."""
        front = played[side == DARK]
        fits = all(face == UNKNOWN or self.may_show(at, face) for at, face in zip((LIGHT, DARK), played, strict=True))
        return fits and (front == UNKNOWN or self.pair is not None or not self.bans(front))


Hypothesis = tuple[Known, ...]  # for the places of an ambiguity, in their order
# how many cards with these faces there are for a place, given what the hypothesis has in the other places
CountCopies = Callable[[Sequence[int], Hypothesis, int, FacePair], float]


@dataclass(slots=True)
class Ambiguity:
    places: list[int]
    side: int  # in play when it began: bans are about its faces
    hypotheses: dict[Hypothesis, float]  # each with the number of deals that lead to it

    def see(self, card: int, side: int, face: int, copies: CountCopies) -> None:
        """A card shows a face: drop the hypotheses that disagree, reweight the others."""
        at = self.places.index(card)
        left = defaultdict[Hypothesis, float](float)
        for hypothesis, deals in self.hypotheses.items():
            one = hypothesis[at]
            if not one.may_show(side, face) or (side == self.side and one.bans(face)):
                continue
            now = one.showing(side, face)
            if now.pair is not None and one.pair is None:
                deals *= copies(self.places, hypothesis, card, now.pair)  # noqa: PLW2901
            if deals > 0:
                left[*hypothesis[:at], now, *hypothesis[at + 1 :]] += deals
        self.hypotheses = left

    def ban(self, cards: Sequence[int], kinds: int) -> None:
        """These cards are none of these kinds, whichever they are."""
        if not set(cards) & set(self.places):
            return
        left = defaultdict[Hypothesis, float](float)
        for hypothesis, deals in self.hypotheses.items():
            now = [
                one if one.pair or place not in cards else one._replace(ban=one.ban | kinds)
                for place, one in zip(self.places, hypothesis, strict=True)
            ]
            if all(
                one.pair is None or not kinds >> kind_of(one.pair[self.side == DARK]) & 1
                for one, place in zip(now, self.places, strict=True)
                if place in cards
            ):
                left[tuple(now)] += deals
        self.hypotheses = left
