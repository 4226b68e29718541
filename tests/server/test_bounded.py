"""A dictionary with a bound: who goes first, and that nobody can grow it."""

from __future__ import annotations

from flipdeck.server.bounded import BoundedDict


def test_the_oldest_item_goes_first() -> None:
    kept: BoundedDict[str, int] = BoundedDict(3)
    for number, key in enumerate("abcd"):
        kept[key] = number
    assert list(kept) == ["b", "c", "d"]
    kept["b"] = 7
    kept["e"] = 8
    assert kept == {"c": 2, "d": 3, "e": 8}, "to assign a key again does not make it younger"


def test_where_every_lookup_is_recent_the_least_recently_used_goes_first() -> None:
    kept: BoundedDict[str, int] = BoundedDict(3)
    for number, key in enumerate("abc"):
        kept[key] = number
    assert kept.recent("a") == 0
    assert kept.recent("x") is None
    kept["d"] = 3
    assert list(kept) == ["c", "a", "d"]


def test_with_sizes_their_sum_is_bounded_and_the_newest_stays_however_large_it_is() -> None:
    kept: BoundedDict[str, str] = BoundedDict(10, len)
    kept["a"], kept["b"] = "aaaa", "bbbbb"
    assert list(kept) == ["a", "b"]
    kept["c"] = "cc"
    assert list(kept) == ["b", "c"]
    kept["d"] = "d" * 100
    assert list(kept) == ["d"]
    kept["e"] = "e"
    assert list(kept) == ["e"]


def test_many_keys_take_no_more_room_than_the_bound() -> None:
    kept: BoundedDict[int, int] = BoundedDict(100)
    for number in range(10_000):
        kept[number] = number
        kept.recent(number // 2)
        assert len(kept) <= 100
