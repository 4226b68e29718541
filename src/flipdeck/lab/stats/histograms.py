"""Histograms with fixed log-linear bins, so that histograms of parts add up to that of the whole.

Numbers below 64 have a bin each; above, every doubling has 32 bins: the relative error of a bin is at most 1/32, and
there are a few hundred bins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...bulk.batches import IntArray

_FINE = 64
_HALF = _FINE // 2
_LARGEST = 2**20 - 1  # larger ones are clipped
BINS = (20 - 6) * _HALF + _FINE
SHARES = 20  # bins of a histogram of shares


def bins_of(values: IntArray) -> IntArray:
    """The bin of each number."""
    whole = np.clip(values, 0, _LARGEST)
    shift = np.maximum(np.frexp(whole.astype(np.float64))[1].astype(np.int64) - 6, 0)
    bins: IntArray = shift * _HALF + (whole >> shift)
    return bins


def bin_of(value: int) -> int:
    """The bin of one number of any size."""
    shift = max(value.bit_length() - 6, 0)
    return shift * _HALF + (value >> shift)


def start_of(number: int) -> int:
    """The lower bound of a bin."""
    if number < _FINE:
        return number
    shift = number // _HALF - 1
    return (number - _HALF * shift) << shift


def count(values: IntArray) -> IntArray:
    return np.bincount(bins_of(values), minlength=BINS).astype(np.int64)


def count_shares(part: IntArray, whole: IntArray) -> IntArray:
    """Shares from 0 to 1 in equal bins; 1 falls into the last."""
    bins = np.minimum(part * SHARES // np.maximum(whole, 1), SHARES - 1)
    return np.bincount(bins, minlength=SHARES).astype(np.int64)


def quantile(counts: Sequence[int], share: float) -> int:
    """A quantile of binned numbers: the lower bound of its bin."""
    return start_of(quantile_of(dict(enumerate(counts)), share))


def quantile_of(counts: Mapping[int, int], share: float) -> int:
    """A quantile of counted numbers; 0 where nothing was counted."""
    wanted, seen = share * sum(counts.values()), 0
    for number, many in sorted(counts.items()):
        seen += many
        if many and seen >= wanted:
            return number
    return 0


@dataclass(frozen=True)
class Bars:
    """A histogram to draw: shares of bars of equal width from 0 on, and the share beyond the last bar."""

    width: int
    shares: list[float]
    beyond: float


def bar_width(counts: Sequence[int], most: int = 40) -> int:
    """The smallest power of two that shows 99.5 % in ``most`` bars."""
    width = 1
    while quantile(counts, 0.995) >= width * most:
        width *= 2
    return width


def bars(counts: Sequence[int], width: int, most: int = 40) -> Bars:
    """Bins merged into bars, up to the last visible one.  No bin is split: none is wider than a bar."""
    total, gathered = sum(counts) or 1, [0] * most
    for number, many in enumerate(counts):
        bar = start_of(number) // width
        if bar < most:
            gathered[bar] += many
    while len(gathered) > 1 and gathered[-1] * 1000 < total:
        gathered.pop()
    return Bars(width, [many / total for many in gathered], 1 - sum(gathered) / total)
