"""Histograms of parts add up, and no number falls between two bins."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from flipdeck.lab.stats.histograms import (
    BINS,
    SHARES,
    bar_width,
    bars,
    bin_of,
    bins_of,
    count,
    count_shares,
    quantile,
    quantile_of,
    start_of,
)


def test_every_number_is_in_the_bin_that_begins_at_or_below_it() -> None:
    numbers = np.arange(70_000)
    starts = np.array([start_of(number) for number in range(BINS + 1)])
    bins = bins_of(numbers)
    assert (starts[bins] <= numbers).all()
    assert (numbers < starts[bins + 1]).all()


def test_one_number_is_in_the_bin_that_many_are_and_may_be_larger() -> None:
    numbers = [*range(5000), 2**20 - 1]
    assert [bin_of(number) for number in numbers] == bins_of(np.array(numbers)).tolist()
    assert start_of(bin_of(10**12)) == pytest.approx(10**12, rel=1 / 32)


def test_a_bin_is_never_wider_than_a_32nd_of_its_numbers() -> None:
    starts = [start_of(number) for number in range(BINS)]
    for low, high in pairwise(starts):
        assert high - low <= max(1, low // 32)


def test_numbers_beyond_the_last_bin_are_counted_in_it() -> None:
    counted = count(np.array([-1, 10**12]))
    assert counted[0] == counted[-1] == 1
    assert len(counted) == BINS


def test_shares_fall_into_equal_bins_and_all_of_it_into_the_last() -> None:
    counted = count_shares(np.array([0, 1, 10, 19, 20, 0]), np.array([20, 20, 20, 20, 20, 0]))
    assert counted.tolist() == [2, 1, *[0] * 8, 1, *[0] * 8, 2]
    assert len(counted) == SHARES


@pytest.mark.parametrize(("share", "number"), [(0.5, 50), (0.95, 94), (1, 100)])
def test_a_quantile_is_good_to_the_bin(share: float, number: int) -> None:
    assert quantile(count(np.arange(1, 101)).tolist(), share) == pytest.approx(number, abs=1)


def test_a_quantile_of_numbers_is_one_of_them() -> None:
    counts = {30: 50, 7: 45, 900: 5}
    assert [quantile_of(counts, share) for share in (0.45, 0.5, 0.95, 1)] == [7, 30, 30, 900]
    assert quantile_of({}, 0.5) == 0


def test_bars_hold_all_that_can_be_seen_and_tell_what_is_beyond() -> None:
    counts = count(np.array([*range(1, 1000), 50_000])).tolist()
    width = bar_width(counts)
    shown = bars(counts, width)
    assert width == 32
    assert len(shown.shares) == 32
    assert shown.beyond == pytest.approx(0.001)
    assert sum(shown.shares) + shown.beyond == pytest.approx(1)


def test_nothing_at_all_is_drawn_as_nothing() -> None:
    empty = [0] * BINS
    assert bar_width(empty) == 1
    assert bars(empty, 1).shares == [0]
