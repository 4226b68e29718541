"""Long computations in a thread, in slices with rests between them.

While a thread computes it holds the interpreter's lock, and is made to let go only every 5 ms: a loop that is busy
would wait as long after each of its system calls.  So a thread works for a millisecond and then rests for another: the
loop waits for at most the one, and has at least half of the time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")
SlicedWork = Generator[None, None, T]  # it yields wherever it can be interrupted, and returns its result

SLICE_SECONDS, REST_SECONDS = 0.001, 0.001
MOST_SLICES = 50  # at a time, where others wait for the same thread


class Result(NamedTuple, Generic[T]):
    value: T


def finish_in_slices(
    work: SlicedWork[T], clock: Callable[[], float] = time.perf_counter, rest: Callable[[float], None] = time.sleep
) -> T:
    while True:
        result = work_in_slices(work, clock, rest)
        if result is not None:
            return result.value


def work_in_slices(
    work: SlicedWork[T], clock: Callable[[], float] = time.perf_counter, rest: Callable[[float], None] = time.sleep
) -> Result[T] | None:
    """So many slices of it; None if there is more to do."""
    for _ in range(MOST_SLICES):
        end = clock() + SLICE_SECONDS
        try:
            next(work)
            while clock() < end:
                next(work)
        except StopIteration as done:
            return Result(done.value)
        rest(REST_SECONDS)
    return None
