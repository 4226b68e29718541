"""Intervals are right where the answer is known, and cover what they should where it is not."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, stdev

import numpy as np
import pytest

from flipdeck.lab.stats.intervals import CrossSums, Estimate, Sums, difference, mean, relative, share, student, wilson

Numbers = Sequence[int]


def sums(tops: Numbers, bottoms: Numbers) -> Sums:
    pairs = list(zip(map(int, tops), map(int, bottoms), strict=True))
    return Sums(
        len(pairs),
        sum(y for y, _ in pairs),
        sum(n for _, n in pairs),
        sum(y * y for y, _ in pairs),
        sum(y * n for y, n in pairs),
        sum(n * n for _, n in pairs),
    )


def cross(a: tuple[Numbers, Numbers], b: tuple[Numbers, Numbers]) -> CrossSums:
    products = [sum(int(x) * int(y) for x, y in zip(of_a, of_b, strict=True)) for of_a in a for of_b in b]
    return CrossSums(*products)


def covers(found: Estimate, value: float) -> bool:
    assert found.low is not None
    return not found.leaves_out(value)


@pytest.mark.parametrize(
    ("degrees", "quantile"), [(1, 12.706), (2, 4.303), (3, 3.182), (5, 2.571), (10, 2.228), (30, 2.042), (10**6, 1.96)]
)
def test_students_quantiles_are_those_of_the_tables(degrees: int, quantile: float) -> None:
    assert student(degrees) == pytest.approx(quantile, rel=0.002)


@pytest.mark.parametrize(
    ("wins", "trials", "low", "high"), [(1, 10, 0.0179, 0.4042), (0, 10, 0.0, 0.2775), (50, 100, 0.4038, 0.5962)]
)
def test_wilsons_interval_is_that_of_the_textbooks(wins: int, trials: int, low: float, high: float) -> None:
    found = wilson(wins / trials, trials)
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.0001)


def test_a_mean_over_single_trials_has_the_interval_of_the_textbooks() -> None:
    values = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5]
    found = mean(sums(values, [1] * len(values)))
    half = 2.228 * stdev(values) / len(values) ** 0.5
    assert (found.value, found.low, found.high) == pytest.approx(
        (fmean(values), fmean(values) - half, fmean(values) + half), rel=0.001
    )


def test_where_nothing_was_counted_there_is_no_figure() -> None:
    nothing = sums([0, 0], [0, 0])
    assert mean(nothing) == share(nothing) == Estimate(None, None, None)
    assert difference(nothing, nothing, cross(([0], [0]), ([0], [0]))) == Estimate()


def test_one_match_is_too_few_for_an_interval() -> None:
    one = sums([3], [4])
    assert mean(one) == share(one) == Estimate(0.75, None, None)


def test_what_never_happened_has_a_share_with_an_interval_and_a_mean_without() -> None:
    never = sums([0] * 50, [8] * 50)
    assert mean(never) == Estimate(0.0, None, None)
    found = share(never)
    assert found.low == 0
    assert found.high == pytest.approx(0.0747, abs=0.001)  # matches are counted, not rounds


def test_the_interval_for_several_at_once_is_wider() -> None:
    coins = sums([0, 1] * 100, [1] * 200)
    one, four = share(coins), share(coins, among=4)
    assert one.low is not None
    assert four.low is not None
    assert (0.5 - four.low) / (0.5 - one.low) == pytest.approx(2.498 / 1.960, rel=0.01)


def test_sums_too_large_for_a_machine_word_are_exact() -> None:
    tops, bottoms = [10**12 + i for i in range(100)], [10**12] * 100
    found = mean(sums(tops, bottoms))
    assert found.low is not None
    assert found.high is not None
    assert found.high - found.low == pytest.approx(2 * 1.984 * stdev(range(100)) / 10 / 10**12, rel=0.01)


def coverage(found: Sequence[Estimate], truth: float) -> float:
    return fmean(covers(each, truth) for each in found)


@pytest.mark.parametrize("p", [0.03, 0.25, 0.9])
def test_shares_of_independent_trials_are_covered_19_times_in_20(p: float) -> None:
    rng = np.random.default_rng(1)
    found = [share(sums(rng.binomial(1, p, 150).tolist(), [1] * 150)) for _ in range(1500)]
    assert 0.93 < coverage(found, p) < 0.98


def test_shares_of_dependent_rounds_are_covered_19_times_in_20() -> None:
    rng = np.random.default_rng(2)
    found, naive = [], []
    for _ in range(1500):
        rounds = rng.integers(4, 14, 100)
        counted = sums(rng.binomial(rounds, rng.beta(1, 3, 100)).tolist(), rounds.tolist())
        found.append(share(counted))
        naive.append(wilson(counted.top / counted.bottom, counted.bottom))
    assert 0.93 < coverage(found, 0.25) < 0.97
    assert coverage(naive, 0.25) < 0.85  # rounds taken for independent


def test_ratios_of_means_are_covered_19_times_in_20() -> None:
    rng = np.random.default_rng(3)
    found = []
    for _ in range(1500):
        rounds = rng.integers(1, 8, 80)
        found.append(mean(sums(rng.poisson(rounds * rng.gamma(4, 5, 80)).tolist(), rounds.tolist())))
    assert 0.93 < coverage(found, 20) < 0.97


def test_differences_of_paired_matches_are_covered_19_times_in_20_and_gain_by_pairing() -> None:
    rng = np.random.default_rng(4)
    found, relatives, gains = [], [], []
    for _ in range(1000):
        luck, rounds = rng.gamma(4, 5, 80), rng.integers(2, 6, 80).tolist()
        a = (rng.poisson(rounds * luck).tolist(), rounds)
        b = (rng.poisson(rounds * luck * 1.2).tolist(), rounds)
        counted = difference(sums(*a), sums(*b), cross(a, b))
        found.append(counted)
        relatives.append(relative(sums(*a), sums(*b), cross(a, b)))
        alone = difference(sums(*a), sums(*b), CrossSums(0, 0, 0, 0))
        gains.append(((counted.high or 0) - (counted.low or 0)) / ((alone.high or 0) - (alone.low or 0)))
    assert 0.93 < coverage(found, 4) < 0.97
    assert 0.93 < coverage(relatives, 0.2) < 0.97
    assert fmean(gains) < 0.6


def test_a_setting_does_not_differ_from_itself() -> None:
    a = ([3, 1, 4, 1, 5], [2, 2, 3, 1, 4])
    found = difference(sums(*a), sums(*a), cross(a, a))
    assert found.value == 0
    assert found.high == pytest.approx(0, abs=1e-7)
    assert not found.leaves_out(0)
