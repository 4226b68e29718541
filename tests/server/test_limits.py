"""Floods and guesses are held up; nobody else notices, and memory stays bounded."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flipdeck.server.limits import NO_ADDRESS, Backoff, TokenBucket, TokenBuckets, address_key

DAY = 86_400.0


def backoff(most: int = 1000) -> Backoff:
    return Backoff(free=5, base=1.0, longest=300.0, most=most)


def test_a_bucket_lets_a_burst_through_and_then_its_rate() -> None:
    bucket = TokenBucket(rate=2, burst=5)
    assert [bucket.take(100.0) for _ in range(7)] == [True] * 5 + [False] * 2
    assert [bucket.take(100.4), bucket.take(100.5), bucket.take(100.5)] == [False, True, False]
    assert [bucket.take(1000.0) for _ in range(6)] == [True] * 5 + [False]


def test_a_bucket_can_be_asked_for_more_than_one_and_takes_all_or_nothing() -> None:
    bucket = TokenBucket(rate=1, burst=10)
    assert bucket.take(0.0, 7)
    assert not bucket.take(0.0, 4)
    assert bucket.take(0.0, 3)
    assert not bucket.take(0.0, 0.5)
    assert not bucket.take(1e9, 11), "more than the burst never passes"


def test_a_bucket_gains_and_loses_nothing_by_a_clock_that_goes_back() -> None:
    full = TokenBucket(rate=1, burst=2)
    assert [full.take(now) for now in (10.0, 5.0, 10.0)] == [True, True, False]
    bucket = TokenBucket(rate=1, burst=2)
    assert [bucket.take(now) for now in (10.0, 10.0, 5.0, 10.0, 10.5, 5.0, 11.0)] == [True, True, *[False] * 4, True]


@settings(deadline=None, derandomize=True, database=None)
@given(st.lists(st.floats(0, 5), max_size=100), st.floats(0.1, 20), st.integers(1, 30))
def test_no_rhythm_gets_more_through_a_bucket_than_its_burst_and_its_rate(
    pauses: list[float], rate: float, burst: int
) -> None:
    bucket, now, passed = TokenBucket(rate, burst), 0.0, 0
    for pause in pauses:
        now += pause
        passed += bucket.take(now)
    assert passed <= burst + rate * now + 1e-6


@pytest.mark.parametrize(("rate", "burst"), [(0, 1), (-1, 1), (1, 0), (float("nan"), 1)])
def test_a_bucket_that_never_fills_is_a_mistake(rate: float, burst: float) -> None:
    with pytest.raises(ValueError, match="must be positive"):
        TokenBucket(rate, burst)
    with pytest.raises(ValueError, match="must be positive"):
        TokenBuckets(rate, burst, most=1)


def test_a_bucket_is_small() -> None:
    assert sys.getsizeof(TokenBucket(1, 1)) <= 72
    assert not hasattr(TokenBucket(1, 1), "__dict__")


def test_every_key_has_a_bucket_of_its_own() -> None:
    buckets = TokenBuckets(rate=1, burst=2, most=10)
    assert [buckets.take("a", 0.0) for _ in range(3)] == [True, True, False]
    assert buckets.take("b", 0.0)
    assert not buckets.take("a", 0.5)
    assert buckets.take("a", 1.0)
    assert not buckets.take("b", 0.0, 2)


def test_of_too_many_buckets_the_one_not_used_for_longest_is_dropped() -> None:
    buckets = TokenBuckets(rate=0.001, burst=1, most=3)
    for key in "abcad":  # b is the oldest when d comes
        buckets.take(key, 0.0)
    assert len(buckets) == 3
    assert not buckets.take("a", 0.0)
    assert buckets.take("b", 0.0)
    for number in range(1000):
        buckets.take(str(number), 0.0)
    assert len(buckets) == 3


def test_the_first_wrong_guesses_cost_nothing_and_then_each_costs_double() -> None:
    guesses, waits = backoff(), []
    now = 0.0
    for _ in range(16):
        guesses.note_failure("a", now)
        waits.append(guesses.wait("a", now))
        now += waits[-1]
    assert waits == [0.0] * 5 + [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 300.0, 300.0]
    assert guesses.wait("b", now) == 0


def test_the_wait_runs_off() -> None:
    guesses = backoff()
    for _ in range(8):
        guesses.note_failure("a", 10.0)
    assert [guesses.wait("a", now) for now in (10.0, 11.5, 14.0, 20.0)] == [4.0, 2.5, 0.0, 0.0]


def test_thousands_of_wrong_guesses_wait_no_longer_than_the_longest() -> None:
    guesses = backoff()
    for _ in range(5000):
        guesses.note_failure("a", 0.0)
    assert guesses.wait("a", 0.0) == 300.0


def test_all_is_forgotten_after_a_quiet_time() -> None:
    guesses = backoff()
    for _ in range(20):
        guesses.note_failure("a", 0.0)
    guesses.note_failure("b", guesses.quiet - 1)
    assert len(guesses) == 2
    guesses.note_failure("a", guesses.quiet)
    assert guesses.wait("a", guesses.quiet) == 0
    assert len(guesses) == 2


def test_a_right_guess_pardons_the_wrong_ones_once() -> None:
    guesses = backoff()
    guesses.note_success("a")
    for _ in range(6):
        guesses.note_failure("a", 0.0)
    guesses.note_success("a")
    assert guesses.wait("a", 0.0) == 0
    for _ in range(6):
        assert guesses.wait("a", 0.0) == 0
        guesses.note_failure("a", 0.0)
    guesses.note_success("a")
    assert guesses.wait("a", 0.0) == 1.0


def test_the_memory_for_guesses_is_bounded() -> None:
    guesses = backoff(most=3)
    for key in "abcad":
        for _ in range(6):
            guesses.note_failure(key, 0.0)
    assert len(guesses) == 3
    assert [guesses.wait(key, 0.0) > 0 for key in "abcd"] == [True, False, True, True]


def storm(way: str) -> Iterator[float]:
    """When an attacker guesses wrong, in a day."""
    guesses, now, made = backoff(), 0.0, 0
    while now < DAY:
        yield now
        guesses.note_failure("a", now)
        made += 1
        if way == "names a table of its own in between":
            guesses.note_success("a")
        now += guesses.wait("a", now)
        if way == "keeps quiet until all is forgotten" and made % guesses.free == 0:
            guesses.note_success("a")
            now += guesses.quiet if made % (2 * guesses.free) == 0 else 0


@pytest.mark.parametrize(
    "way", ["keeps on", "names a table of its own in between", "keeps quiet until all is forgotten"]
)
def test_no_storm_makes_many_more_guesses_than_one_in_the_longest_wait(way: str) -> None:
    at_first = 2 * 5 + 10  # free ones, and while the wait grows
    assert 10 <= sum(1 for _ in storm(way)) <= DAY / 300 + at_first


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("::FFFF:c000:207", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:0DB8:0001:0002::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("::1", "::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        *[
            (text, NO_ADDRESS)
            for text in ("", "localhost", "1.2.3", "1.2.3.4.5", "1", "01.2.3.4", "1.2.3.4:80", "[::1]")
        ],
        *[(text, NO_ADDRESS) for text in ("1.2.3.4\n", "\x00", "\ud800", "::" * 5000, "a/b.sock", "1.2.3.4, 5.6.7.8")],
        (None, NO_ADDRESS),
    ],
)
def test_an_address_counts_as_whoever_has_it(text: str | None, key: str) -> None:
    assert address_key(text) == key


@settings(deadline=None, derandomize=True, database=None)
@given(st.text())
def test_no_text_is_too_odd_for_an_address(text: str) -> None:
    assert len(address_key(text)) <= 64
