"""Counts by size in bins that never change, so that histograms of parts add up to that of the whole.

Numbers below 64 have a bin each; above, every doubling has 32 bins: a bin is never wider than 1/32 of what is in it,
and all of them together are a few hundred.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...bulk.batches import IntArray

_FINE = 64
_HALF = _FINE // 2
_LARGEST = 2**20 - 1  # larger ones are counted as this
BINS = (20 - 6) * _HALF + _FINE
SHARES = 20  # bins of a histogram of shares


def bins_of(values: IntArray) -> IntArray:
    """The bin of each of these numbers."""
    whole = np.clip(values, 0, _LARGEST)
    shift = np.maximum(np.frexp(whole.astype(np.float64))[1].astype(np.int64) - 6, 0)
    bins: IntArray = shift * _HALF + (whole >> shift)
    return bins


def bin_of(value: int) -> int:
    """The bin of one number, which may be as large as it likes."""
    shift = max(value.bit_length() - 6, 0)
    return shift * _HALF + (value >> shift)


def start_of(number: int) -> int:
    """The smallest number in a bin."""
    if number < _FINE:
        return number
    shift = number // _HALF - 1
    return (number - _HALF * shift) << shift


def count(values: IntArray) -> IntArray:
    return np.bincount(bins_of(values), minlength=BINS).astype(np.int64)


def count_shares(part: IntArray, whole: IntArray) -> IntArray:
    """Shares from 0 to 1 in equal bins; all of it falls into the last."""
    bins = np.minimum(part * SHARES // np.maximum(whole, 1), SHARES - 1)
    return np.bincount(bins, minlength=SHARES).astype(np.int64)


def quantile(counts: Sequence[int], share: float) -> int:
    """The smallest number of the bin below whose end so large a share lies."""
    return start_of(quantile_of(dict(enumerate(counts)), share))


def quantile_of(counts: Mapping[int, int], share: float) -> int:
    """The smallest of the numbers counted here up to which so large a share lies; 0 where nothing was counted."""
    wanted, seen = share * sum(counts.values()), 0
    for number, many in sorted(counts.items()):
        seen += many
        if many and seen >= wanted:
            return number
    return 0


@dataclass(frozen=True)
class Bars:
    """A histogram to draw: shares of bars of one width from 0 on, and the share that lies beyond the last."""

    width: int
    shares: list[float]
    beyond: float


def bar_width(counts: Sequence[int], most: int = 40) -> int:
    """A power of two that shows all but the rarest in so many bars."""
    width = 1
    while quantile(counts, 0.995) >= width * most:
        width *= 2
    return width


def bars(counts: Sequence[int], width: int, most: int = 40) -> Bars:
    """The bins gathered into bars, up to the last that can be seen.  No bin is split: none is wider than a bar."""
    total, gathered = sum(counts) or 1, [0] * most
    for number, many in enumerate(counts):
        bar = start_of(number) // width
        if bar < most:
            gathered[bar] += many
    while len(gathered) > 1 and gathered[-1] * 1000 < total:
        gathered.pop()
    return Bars(width, [many / total for many in gathered], 1 - sum(gathered) / total)
