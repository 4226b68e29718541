"""Sharding: a run is split into ranges of match numbers that any thread, process or machine can play on its own.

A match depends only on the seed of the run and its number, and counts are whole numbers: the result does not depend on
how many workers there are, and a shard that is played twice is counted once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar, overload

from ...bulk.batches import IntArray


@dataclass(frozen=True)
class Shard:
    number: int
    first: int
    count: int

    @property
    def name(self) -> str:
        return f"shard {self.number} (matches {self.first} to {self.first + self.count - 1})"


class Shards(Sequence[Shard]):
    """All shards of a run, a lazy sequence: a run may have millions."""

    def __init__(self, games: int, size: int, start: int = 0) -> None:
        self._games, self._size, self._start = games, size, start

    def __len__(self) -> int:
        return max((self._games + self._size - 1) // self._size - self._start, 0)

    def after(self, many: int) -> Shards:
        """All but the first ``many``."""
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
class RunError(Exception):
    """The run can't be finished; the message is one sentence that says why."""

    began = False  # True where it failed during play: then the arguments are not at fault


class Mergeable(Protocol):
    """Counts of some matches; merging the counts of all parts gives those of the whole."""

    @property
    def matches(self) -> int: ...
    def merge(self, other: Any) -> None: ...


S = TypeVar("S", bound=Mergeable)


@dataclass(frozen=True)
class Part(Generic[S]):
    """The result of a shard."""

    shard: Shard
    summary: S
    rows: IntArray | None


class ShardPlayer(Protocol[S]):
    """Something that can play a shard: a run, or a pool of workers."""

    def play(self, shard: Shard) -> Part[S]: ...


class Work(ShardPlayer[S], Protocol[S]):
    """A run of any kind: its shards, and how one is played."""

    @property
    def games(self) -> int: ...
    def shards(self) -> Shards: ...
    def summary(self) -> S:
        """An empty summary."""
        ...


def play_shard(work: ShardPlayer[S], shard: Shard) -> Part[S]:
    return work.play(shard)
