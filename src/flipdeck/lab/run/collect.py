"""A run from its first shard to its result, or to the moment it is interrupted.

Results are counted in the order of the matches, whoever played them first.  So a run that is stopped holds matches 0
to K - 1, whole, and can be repeated by asking for K.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter
from types import FrameType
from typing import Generic, TypeVar

from .shards import Part, S, Work

T = TypeVar("T")


@dataclass(frozen=True)
class Collected(Generic[S]):
    """What was counted; ``seconds`` is the time it took to play, with nothing compiled in it."""

    summary: S
    seconds: float
    complete: bool

    @property
    def matches(self) -> int:
        return self.summary.matches


class Interrupts:
    """Ctrl-C ends the wait for the next result at once, and is heeded after the step where something is counted."""

    def __init__(self) -> None:
        self.asked = False
        self._waiting = False

    @contextmanager
    def heeded(self) -> Generator[None]:
        if threading.current_thread() is not threading.main_thread():
            yield  # signals go to the main thread alone
            return
        before = signal.signal(signal.SIGINT, self._interrupt)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        del number, frame
        self.asked = True
        if self._waiting:
            raise KeyboardInterrupt

    def next_of(self, results: Iterator[T]) -> T | None:
        self._waiting = True
        try:
            return None if self.asked else next(results, None)
        finally:
            self._waiting = False


def collect(work: Work[S], results: Iterator[Part[S]], each: Callable[[Part[S]], None]) -> Collected[S]:
    """Count results as they come; ``each`` is shown every one that is counted, in order."""
    summary, early, due = work.summary(), dict[int, Part[S]](), 0
    interrupts = Interrupts()
    started = last = perf_counter()
    with interrupts.heeded():
        try:
            while (result := interrupts.next_of(results)) is not None:
                early[result.shard.number] = result
                while due in early:
                    counted = early.pop(due)
                    summary.merge(counted.summary)
                    each(counted)
                    due += 1
                last = perf_counter()
        except KeyboardInterrupt:
            pass  # what was counted so far is the result
        finally:
            if isinstance(results, Generator):
                results.close()  # nothing further is played
    return Collected(summary, last - started, summary.matches == work.games)
