"""Running an experiment: its shards are played on threads, processes or a cluster, and merged until the last of them,
or until Ctrl-C.

Merging in the order of matches makes an interrupted run a prefix: it holds matches 0 to K - 1, and a run of K matches
repeats it.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from time import perf_counter
from types import FrameType
from typing import Any, Generic, Protocol, TypeVar

from .shards import Part, S, Shard, ShardPlayer, Work, play_shard

T = TypeVar("T")
Advance = Callable[[Part[Any]], None]
LocalPlay = Callable[[ShardPlayer[S], Sequence[Shard], int], Iterator[Part[S]]]


class Progress(Protocol):
    """An observer of a run."""

    def compiling(self) -> None:
        """The rules have to be compiled first; it takes some 20 seconds."""

    def playing(self, work: Work[Any], resumed: int) -> AbstractContextManager[Advance]:
        """Entered while shards are played; the function is called with every result, in order.

        The first ``resumed`` results come from a checkpoint.
        """


class NoProgress:
    """Nobody watches."""

    def compiling(self) -> None:
        pass

    def playing(self, work: Work[Any], resumed: int) -> AbstractContextManager[Advance]:
        del work, resumed
        return nullcontext(lambda _: None)


@dataclass(frozen=True)
class Execution:
    """How an experiment is run: on how many workers, where, into which folder, watched by whom."""

    jobs: int
    cluster: str | None
    out: str | None
    progress: Progress

    @property
    def workers(self) -> int | None:
        return None if self.cluster else self.jobs

    def results(self, work: ShardPlayer[S], shards: Sequence[Shard], local: LocalPlay[S]) -> Iterator[Part[S]]:
        """Results as they come, from the cluster or from this machine."""
        if self.cluster is None:
            return local(work, shards, self.jobs)
        from .cluster import on_cluster

        return on_cluster(work, shards, self.cluster)

    def collect(
        self, work: Work[S], results: Iterator[Part[S]], keep: Callable[[Part[S]], None], resumed: int = 0
    ) -> Collected[S]:
        """Count all results under the eyes of the observer; ``keep`` is called with each, in order."""
        with self.progress.playing(work, resumed) as advance:

            def each(part: Part[S]) -> None:
                keep(part)
                advance(part)

            return collect(work, results, each)


# ---------------------------------------------------------------- playing
def on_threads(
    work: ShardPlayer[S], shards: Sequence[Shard], threads: int, stop: Callable[[], None] = lambda: None
) -> Iterator[Part[S]]:
    """Results as they come.  Closing the iterator starts no further shard.

    ``stop`` is called when no more results are wanted, before the join of the shards under way.
    """
    waiting = iter(shards)
    pool = ThreadPoolExecutor(threads)
    running: set[Future[Part[S]]] = set()
    try:
        while True:
            while len(running) < threads and (shard := next(waiting, None)) is not None:
                running.add(pool.submit(play_shard, work, shard))
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    finally:
        stop()
        pool.shutdown(wait=True, cancel_futures=True)


# ---------------------------------------------------------------- merging
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
    def handle(self) -> Generator[None]:
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
    with interrupts.handle():
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
