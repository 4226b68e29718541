"""Cards that were shuffled again before both of their faces were seen: own ones, where own backs are hidden.

Such a card is a stray.  It is one of the cards of its old group, with the face that was seen; and now it lies somewhere
among the places of a new one.  So what the old places can have and what the new ones can have depend on each other, and
a card that is seen in a new place may be a known one of that group or a stray: if both can be, that is a claim.

``tracing`` draws which card each stray is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from .pools import UNKNOWN, Pair, Pool


@dataclass(frozen=True, slots=True)
class Stray:
    source: int  # the group of its card
    group: int  # where it was shuffled into
    light: int
    dark: int
    early: bool  # dealt before the draw pile lay there

    def may_be(self, pair: Pair) -> bool:
        return self.light in (UNKNOWN, pair[0]) and self.dark in (UNKNOWN, pair[1])


@dataclass(frozen=True, slots=True)
class Claim:
    """A card that was seen on both sides, and came from a group or is a stray there."""

    group: int
    pair: Pair
    learnt: bool  # no such pair had been known


# ---------------------------------------------------------------- as cards are seen
def may_hold(pools: Sequence[Pool], strays: Iterable[Stray], group: int, pair: Pair) -> bool:
    """There may be such a card in a group."""
    return pools[group].has(pair) or any(_candidates(pools, strays, group, pair))


def _candidates(pools: Sequence[Pool], strays: Iterable[Stray], group: int, pair: Pair) -> Iterator[Stray]:
    for stray in strays:
        if stray.group == group and stray.may_be(pair) and may_hold(pools, strays, stray.source, pair):
            yield stray


def take(pools: Sequence[Pool], strays: list[Stray], claims: list[Claim], group: int, pair: Pair) -> bool:
    """A card of a group has been found.  Whether it is a pair that was not known before."""
    found = set(_candidates(pools, strays, group, pair))
    if not found:
        return pools[group].take(pair)
    if len(found) == 1 and not pools[group].has(pair):
        stray = found.pop()
        strays.remove(stray)
        return take(pools, strays, claims, stray.source, pair)
    new = not any(pool.pairs[pair] for pool in pools)
    claims.append(Claim(group, pair, new))
    return new


def decide_claims(pools: Sequence[Pool], strays: list[Stray], claims: list[Claim]) -> list[Pair]:
    """What was seen since may tell where a card came from; the pairs that were not known before."""
    new = []
    for claim in claims[:]:
        claims.remove(claim)
        if take(pools, strays, claims, claim.group, claim.pair) and not claim.learnt:
            new.append(claim.pair)
        elif claim.learnt and claims and claims[-1] == replace(claim, learnt=claims[-1].learnt):
            claims[-1] = claim
    return new


def expected(pools: Sequence[Pool], strays: Iterable[Stray], group: int) -> dict[Pair, float]:
    """The pairs that strays may bring to a group, each by itself, and how likely."""
    found: dict[Pair, float] = {}
    for stray in strays:
        if stray.group == group:
            cards = {pair: copies for pair, copies in _copies_in(pools[stray.source]).items() if stray.may_be(pair)}
            for pair, copies in cards.items():
                found[pair] = found.get(pair, 0.0) + copies / sum(cards.values())
    return found


def _copies_in(pool: Pool) -> dict[Pair, float]:
    """Every pair that there can be, and how many of it."""
    found: dict[Pair, float] = {pair: float(number) for pair, number in pool.pairs.items() if number > 0}
    singles = pool.lights.total()
    for (light, lights), (dark, darks) in product((+pool.lights).items(), (+pool.darks).items()):
        found[light, dark] = found.get((light, dark), 0.0) + lights * darks / singles
    return found
