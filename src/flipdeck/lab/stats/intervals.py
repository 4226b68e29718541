"""Estimates with 95 % confidence intervals, from exact sums over matches.

The rounds of a match are not independent of each other: they share a deck, and the match ends when somebody has enough
points.  Matches are independent.  So every figure is the ratio r = Y / N of two sums over matches, of y and of n in
each, and its variance is that of the sum of the residuals y - r n (the linearised ratio estimator, clustered by match):

    var r = M / (M - 1) * sum (y - r n)^2 / N^2          for M matches

A mean gets r +- t * sqrt(var r), with t of Student for M - 1 degrees of freedom.  A share gets Wilson's interval, with
the number of independent trials that would have the same variance, r (1 - r) / var r, in place of n; where a share is
0 or 1, n is the number of matches.  A mean of what never happened has no interval.  The difference of two settings has
the sum of their variances minus twice the covariance of their residuals: both play match i with the same seed.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

Z = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True)
class Estimate:
    """A figure and its interval; None where nothing was counted, or too little for an interval."""

    value: float | None = None
    low: float | None = None
    high: float | None = None

    def leaves_out(self, value: float) -> bool:
        return self.low is not None and self.high is not None and not self.low <= value <= self.high

    def to_dict(self) -> dict[str, float | None]:
        return {"value": self.value, "low": self.low, "high": self.high}


@dataclass(frozen=True)
class Sums:
    """The sums behind one ratio, over all matches; whole numbers, so nothing is rounded."""

    matches: int
    top: int
    bottom: int
    top_top: int
    top_bottom: int
    bottom_bottom: int

    @property
    def residuals(self) -> int:
        """The sum of the squared residuals, times N^2."""
        y, n = self.top, self.bottom
        return n * n * self.top_top - 2 * y * n * self.top_bottom + y * y * self.bottom_bottom

    def variance(self) -> float:
        return self.matches / (self.matches - 1) * (self.residuals / self.bottom**4)


@dataclass(frozen=True)
class CrossSums:
    """Products of the two settings of a pair, match by match."""

    top_top: int
    top_bottom: int
    bottom_top: int
    bottom_bottom: int

    def covariance(self, a: Sums, b: Sums) -> float:
        residuals = (
            a.bottom * b.bottom * self.top_top
            - a.bottom * b.top * self.top_bottom
            - a.top * b.bottom * self.bottom_top
            + a.top * b.top * self.bottom_bottom
        )
        return a.matches / (a.matches - 1) * (residuals / (a.bottom * b.bottom) ** 2)


def student(degrees: int) -> float:
    """The 0.975 quantile of Student's distribution: Fisher's expansion about the normal one, good to 1/500."""
    if degrees < 3:
        return (12.706, 4.303)[degrees - 1]
    z = Z
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / float(degrees) ** power for power, term in enumerate(terms, start=1))


def mean(sums: Sums) -> Estimate:
    if not sums.bottom:
        return Estimate()
    value = sums.top / sums.bottom
    if sums.matches < 2 or not sums.top:
        return Estimate(value)
    half = student(sums.matches - 1) * sqrt(sums.variance())
    return Estimate(value, max(value - half, 0.0), value + half)  # counts are not negative


def share(sums: Sums, among: int = 1) -> Estimate:
    """A share; its interval holds for ``among`` of them simultaneously (Bonferroni)."""
    if not sums.bottom:
        return Estimate()
    value = sums.top / sums.bottom
    if sums.matches < 2:
        return Estimate(value)
    variance = sums.variance()
    trials = value * (1 - value) / variance if 0 < value < 1 and variance else float(sums.matches)
    wider = NormalDist().inv_cdf(1 - 0.025 / among) / Z
    return wilson(value, trials, wider * student(sums.matches - 1))


def wilson(value: float, trials: float, z: float = Z) -> Estimate:
    spread = z * z / trials
    middle = (value + spread / 2) / (1 + spread)
    half = sqrt(value * (1 - value) * spread + spread * spread / 4) / (1 + spread)
    return Estimate(value, min(max(middle - half, 0.0), value), max(min(middle + half, 1.0), value))


def difference(a: Sums, b: Sums, cross: CrossSums) -> Estimate:
    """B minus A, over the same matches."""
    if not a.bottom or not b.bottom:
        return Estimate()
    value = b.top / b.bottom - a.top / a.bottom
    if a.matches < 2 or not (a.top or b.top):
        return Estimate(value)
    variance = max(a.variance() + b.variance() - 2 * cross.covariance(a, b), 0.0)
    half = student(a.matches - 1) * sqrt(variance)
    return Estimate(value, value - half, value + half)


def relative(a: Sums, b: Sums, cross: CrossSums) -> Estimate:
    """B minus A, relative to A."""
    if not a.top or not a.bottom or not b.bottom:
        return Estimate()
    of_a, of_b = a.top / a.bottom, b.top / b.bottom
    ratio = of_b / of_a
    if a.matches < 2:
        return Estimate(ratio - 1)
    variance = b.variance() + ratio**2 * a.variance() - 2 * ratio * cross.covariance(a, b)
    half = student(a.matches - 1) * sqrt(max(variance, 0.0)) / of_a
    return Estimate(ratio - 1, ratio - 1 - half, ratio - 1 + half)
