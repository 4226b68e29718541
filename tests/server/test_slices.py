"""A thread that computes for long lets the loop have its time."""

from __future__ import annotations

import pytest

from flipdeck.server import slices
from flipdeck.server.slices import SlicedWork, finish_in_slices, work_in_slices

from .test_snapshot import StepClock


def counting(steps: int, done: list[int]) -> SlicedWork[str]:
    for number in range(steps):
        done.append(number)
        yield
    return "all"


def test_the_thread_rests_after_every_slice() -> None:
    """A thread that works on and on is made to let go only every 5 ms, and a loop that is busy stands still."""
    done: list[int] = []
    rests: list[tuple[int, float]] = []
    clock = StepClock()  # every look takes a millisecond
    assert finish_in_slices(counting(1000, done), clock, lambda seconds: rests.append((len(done), seconds))) == "all"
    assert done == [*range(1000)]
    between = [one[0] - other[0] for one, other in zip(rests[1:], rests, strict=False)]
    assert set(between) == {1}
    assert {seconds for _, seconds in rests} == {0.001}, "half of the time is everybody else's"


def test_a_slice_is_a_millisecond() -> None:
    """On a clock on which every look takes a tenth of it."""
    done: list[int] = []
    rests: list[int] = []
    clock = StepClock(0.0001)
    finish_in_slices(counting(300, done), clock, lambda _: rests.append(len(done)))
    between = [one - other for one, other in zip(rests[1:], rests, strict=False)]
    assert set(between) <= {10, 11}


def test_others_who_wait_for_the_thread_have_it_between_so_many_slices() -> None:
    done: list[int] = []
    work, rests = counting(1000, done), [0.0]
    assert work_in_slices(work, StepClock(), rests.append) is None
    assert len(rests) == 1 + slices.MOST_SLICES
    assert 0 < len(done) <= slices.MOST_SLICES
    while (result := work_in_slices(work, StepClock(), rests.append)) is None:
        pass
    assert result.value == "all"


def test_what_goes_wrong_is_raised() -> None:
    def failing() -> SlicedWork[None]:
        yield
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        finish_in_slices(failing())
