"""Common random numbers: match i of both settings has the same seed, so the same shuffles and dice.

The variance that both share drops out of their difference: the more alike the settings, the narrower its interval.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from ...bulk.batches import IntArray
from . import intervals
from .intervals import CrossSums, Estimate, Sums
from .measures import Measure, sums_of
from .summary import Summary, products


class PairSummary(Summary):
    """The summaries of A and B, and the cross products of their matches, from which the covariance comes."""

    def __init__(self, players: int, other_players: int) -> None:
        super().__init__(players)
        self.other = Summary(other_players)
        self.common = [measure for measure in self.measures if measure in self.other.measures]
        self._mine = [self.measures.index(measure) for measure in self.common]
        self._others = [self.other.measures.index(measure) for measure in self.common]
        self._cross = np.zeros((4, len(self.common)), object)

    def add_pair(self, table: IntArray, other: IntArray) -> None:
        """Add the same matches of both settings."""
        self.add(table)
        self.other.add(other)
        top_a, bottom_a = (part[self._mine] for part in self.divide(sums_of(table, self.players)))
        theirs = self.other.divide(sums_of(other, self.other.players))
        top_b, bottom_b = (part[self._others] for part in theirs)
        pairs = ((top_a, top_b), (top_a, bottom_b), (bottom_a, top_b), (bottom_a, bottom_b))
        for i, (of_a, of_b) in enumerate(pairs):
            self._cross[i] += products(of_a, of_b)

    def merge(self, other: Summary) -> None:
        if not isinstance(other, PairSummary):
            raise ValueError("a pair can only be added to a pair")
        super().merge(other)
        self.other.merge(other.other)
        self._cross += other._cross

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PairSummary):
            return NotImplemented
        return super().__eq__(other) is True and self.other == other.other and bool((self._cross == other._cross).all())

    __hash__ = None

    def played(self) -> tuple[int, int, int]:
        """Matches, rounds and decisions of both settings."""
        a, b = self, self.other
        return a.matches + b.matches, a.rounds + b.rounds, a.decisions + b.decisions

    def difference(self, measure: Measure) -> Estimate:
        """B minus A; empty where only one of them has such a seat."""
        return intervals.difference(*self._of(measure)) if measure in self.common else Estimate()

    def relative(self, measure: Measure) -> Estimate:
        """B minus A, relative to A."""
        return intervals.relative(*self._of(measure)) if measure in self.common else Estimate()

    def correlation(self, measure: Measure) -> float | None:
        """The correlation of the residuals of A and B, from -1 to 1."""
        if measure not in self.common or self.matches < 2:
            return None
        a, b, cross = self._of(measure)
        if not (a.residuals and b.residuals):
            return None
        return cross.covariance(a, b) / sqrt(a.variance() * b.variance())

    def _of(self, measure: Measure) -> tuple[Sums, Sums, CrossSums]:
        products = (int(number) for number in self._cross[:, self.common.index(measure)])
        return self.sums(measure), self.other.sums(measure), CrossSums(*products)
