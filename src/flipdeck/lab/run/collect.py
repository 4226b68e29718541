"""Collecting a run: results are merged in order until the last shard, or until Ctrl-C.

Merging in the order of matches makes an interrupted run a prefix: it holds matches 0 to K - 1, and a run of K matches
repeats it.
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
    """The merged summary; ``seconds`` is the time of play, without compilation."""

    summary: S
    seconds: float
    complete: bool

    @property
    def matches(self) -> int:
        return self.summary.matches


class Interrupts:
    """Ctrl-C interrupts the wait for a result at once; while a result is merged, it is deferred to the next wait."""

    def __init__(self) -> None:
        self.asked = False
        self._waiting = False

    @contextmanager
    def handled(self) -> Generator[None]:
        if threading.current_thread() is not threading.main_thread():
            yield  # only the main thread gets signals
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
    """Merge results as they come; ``each`` is called with every merged result, in order."""
    summary, early, due = work.summary(), dict[int, Part[S]](), 0
    interrupts = Interrupts()
    started = last = perf_counter()
    with interrupts.handled():
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
            pass  # what was merged so far is the result
        finally:
            if isinstance(results, Generator):
                results.close()  # stops playing
    return Collected(summary, last - started, summary.matches == work.games)
