"""Ratings sort bots by what they won, whatever their names and seats."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from flipdeck.lab.stats import ratings
from flipdeck.lab.stats.ratings import rate

STRENGTH = {"strong": 4.0, "fair": 2.0, "weak": 1.0}


def rounds(seats: int, many: int, dice: random.Random) -> list[tuple[list[str], int | None]]:
    """A league, one against the others, won by luck in proportion to strength."""
    told: list[tuple[list[str], int | None]] = []
    for _ in range(many):
        for one in STRENGTH:
            for other in STRENGTH:
                if one != other:
                    names = [one, *[other] * (seats - 1)]
                    dice.shuffle(names)
                    told.append((names, dice.choices(range(seats), [STRENGTH[name] for name in names])[0]))
    return told


@pytest.mark.parametrize("seats", [2, 4, 10])
def test_the_stronger_is_rated_higher_and_known_better_with_time(seats: int) -> None:
    few, many = (rate(rounds(seats, n, random.Random(seats))) for n in (5, 150))
    assert [rating.bot for rating in many] == ["strong", "fair", "weak"]
    for better, worse in pairwise(many):
        assert better.mu - worse.mu > better.sigma + worse.sigma
    assert max(rating.sigma for rating in many) < min(rating.sigma for rating in few)
    assert all(rating.ordinal == rating.mu - 3 * rating.sigma for rating in many)


def test_whoever_always_wins_is_rated_above_whoever_always_loses() -> None:
    best, worst = rate([(["b", "a"], 1)] * 10)
    assert (best.bot, worst.bot) == ("a", "b")
    assert best.mu - 25 == pytest.approx(25 - worst.mu)


def test_seats_do_not_matter_and_names_decide_nothing() -> None:
    told = [(["a", "b", "b"], 0), (["b", "a", "b"], 0), (["b", "b", "a"], 2)]
    turned = [(["b", "a", "b"], 1), (["a", "b", "b"], 1), (["a", "b", "b"], 0)]
    renamed = [([{"a": "x", "b": "a"}[name] for name in names], winner) for names, winner in told]
    assert rate(told) == rate(turned)
    assert [(r.mu, r.sigma) for r in rate(renamed)] == [(r.mu, r.sigma) for r in rate(told)]


def test_a_draw_between_equals_moves_nobody() -> None:
    assert {rating.mu for rating in rate([(["a", "b", "c"], None)])} == {25.0}


def test_a_bot_against_itself_learns_nothing_about_its_strength() -> None:
    (rating,) = rate([(["a", "a", "a"], seat % 3) for seat in range(9)])
    assert rating.mu == pytest.approx(25.0)


def test_without_rounds_there_are_no_ratings() -> None:
    assert rate([]) == []


def test_whether_ratings_can_be_had_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ratings.can_rate()
    monkeypatch.setattr(ratings, "find_spec", lambda _: None)
    assert not ratings.can_rate()
