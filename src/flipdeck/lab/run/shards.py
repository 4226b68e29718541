"""A run cut into shards: ranges of match numbers that any thread or machine can play on its own.

A match depends on the seed of the run and its number alone, and what is counted are whole numbers: so the result is
the same however many threads or machines there are, and a shard that is played twice is still counted once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar, overload

import numpy as np

from ...bulk.batches import IntArray, Setting, play
from ..stats.summary import Summary

SHARD = 1024  # rounds, if a round brings 125 points; some tenths of a second of random play
POINTS = 125


@dataclass(frozen=True)
class Shard:
    number: int
    first: int
    count: int

    @property
    def name(self) -> str:
        return f"shard {self.number} (matches {self.first} to {self.first + self.count - 1})"


class Shards(Sequence[Shard]):
    """All shards of a run, made when they are asked for: a run may have millions."""

    def __init__(self, games: int, size: int, start: int = 0) -> None:
        self._games, self._size, self._start = games, size, start

    def __len__(self) -> int:
        return max((self._games + self._size - 1) // self._size - self._start, 0)

    def after(self, many: int) -> Shards:
        """All but the first ones."""
        return Shards(self._games, self._size, self._start + many)

    @overload
    def __getitem__(self, index: int) -> Shard: ...
    @overload
    def __getitem__(self, index: slice) -> list[Shard]: ...
    def __getitem__(self, index: int | slice) -> Shard | list[Shard]:
        if isinstance(index, slice):
            return [self[i] for i in range(len(self))[index]]
        number = self._start + range(len(self))[index]
        first = number * self._size
        return Shard(number, first, min(self._size, self._games - first))


# ---------------------------------------------------------------- any kind of run
class WorkError(Exception):
    """Not all can be played; the message says why, in a sentence."""

    began = False  # or it was under way: then what was asked for is not at fault


class Counts(Protocol):
    """What is kept of some matches; the counts of parts add up to those of the whole."""

    @property
    def matches(self) -> int: ...
    def merge(self, other: Any) -> None: ...


S = TypeVar("S", bound=Counts)


@dataclass(frozen=True)
class Part(Generic[S]):
    """What a shard gave."""

    shard: Shard
    summary: S
    rows: IntArray | None


class Plays(Protocol[S]):
    """Whoever can play a shard."""

    def play(self, shard: Shard) -> Part[S]: ...


class Work(Plays[S], Protocol[S]):
    """A run of any kind: it can be cut into shards, and each of them played on its own."""

    @property
    def games(self) -> int: ...
    def shards(self) -> Shards: ...
    def summary(self) -> S:
        """Nothing counted yet."""
        ...


# ---------------------------------------------------------------- matches of a setting
@dataclass(frozen=True)
class Job:
    """So many matches of a setting, from a seed; ``keep`` the rows of all rounds, or only what is counted."""

    setting: Setting
    seed: bytes
    games: int
    keep: bool = False

    def shards(self) -> Shards:
        return Shards(self.games, self.shard_size())

    def shard_size(self) -> int:
        """In matches.  It depends on the setting alone; long matches make small shards, so memory stays flat."""
        options = self.setting.rules()
        rounds = 1 if options.scoring == "quick" else max(1, options.target // POINTS)
        return max(1, SHARD // rounds)

    def summary(self) -> Summary:
        """Nothing counted yet."""
        return Summary(self.setting.players)

    def play(self, shard: Shard) -> Result:
        table = whole_table(self.setting, self.seed, shard)
        summary = self.summary()
        summary.add(table)
        return Result(shard, summary, table if self.keep else None)


Result = Part[Summary]


def whole_table(setting: Setting, seed: bytes, shard: Shard) -> IntArray:
    return np.concatenate(list(play(setting, seed, shard.first, shard.count)))


# ---------------------------------------------------------------- playing
def play_shard(work: Plays[S], shard: Shard) -> Part[S]:
    return work.play(shard)


def on_threads(
    work: Plays[S], shards: Sequence[Shard], threads: int, stop: Callable[[], None] = lambda: None
) -> Iterator[Part[S]]:
    """Results as they come.  Closing the iterator (Ctrl-C, say) plays no further shard.

    ``stop`` is called when no more results are wanted, before the shards under way are waited for.
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
