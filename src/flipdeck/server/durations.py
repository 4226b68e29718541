"""A histogram of durations: how many took how long, as Prometheus counts them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate


class Durations:
    __slots__ = ("_bounds", "_counts", "seconds")

    def __init__(self, bounds: Sequence[float]) -> None:
        """``bounds`` are the longest durations of all buckets but the last, the shortest first."""
        self._bounds = tuple(bounds)
        self._counts = [0] * (len(bounds) + 1)
        self.seconds = 0.0  # of all together

    def add(self, seconds: float) -> None:
        self._counts[bisect_left(self._bounds, seconds)] += 1
        self.seconds += seconds

    @property
    def count(self) -> int:
        return sum(self._counts)

    def buckets(self) -> list[tuple[str, float]]:
        """Each bound, and how many took at most so long."""
        bounds = [*map(str, self._bounds), "+Inf"]
        return list(zip(bounds, map(float, accumulate(self._counts)), strict=True))
