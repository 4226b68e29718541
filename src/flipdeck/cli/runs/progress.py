"""Playing under a bar, here or on a cluster: what every command of the laboratory does between arguments and result."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from time import perf_counter
from typing import Generic

from ...lab.run.collect import Collected, collect
from ...lab.run.shards import Part, Plays, S, Shard, Work, WorkError
from .. import CommandError, FailedError
from .run_options import Effort

Here = Callable[[Plays[S], Sequence[Shard], int], Iterator[Part[S]]]


def results_of(work: Plays[S], shards: Sequence[Shard], effort: Effort, here: Here[S]) -> Iterator[Part[S]]:
    """Results as they come, from the cluster that was asked for, or played here."""
    if effort.cluster is None:
        return here(work, shards, effort.jobs)
    from ...lab.run.cluster import on_cluster

    return on_cluster(work, shards, effort.cluster)


@dataclass(frozen=True)
class Gauge(Generic[S]):
    """What a bar shows: how far it is and how fast, of what a result holds."""

    total: int
    unit: str
    played: Callable[[Part[S]], int]
    done: Callable[[Part[S]], int]  # what the rate is of
    rate: Callable[[float], str]


def play(
    work: Work[S], results: Iterator[Part[S]], keep: Callable[[Part[S]], None], gauge: Gauge[S], quiet: bool
) -> Collected[S]:
    """All results under a bar; ``keep`` is shown every one that is counted, in order."""
    with _bar(gauge, quiet) as advance:

        def each(part: Part[S]) -> None:
            keep(part)
            advance(part)

        try:
            return collect(work, results, each)
        except WorkError as error:
            raise (FailedError if error.began else CommandError)(str(error)) from None


@contextmanager
def _bar(gauge: Gauge[S], quiet: bool) -> Iterator[Callable[[Part[S]], None]]:
    """A bar with the rate and the time left, where somebody can see it."""
    if quiet or not sys.stderr.isatty() or find_spec("rich") is None:
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (MofNCompleteColumn(), TextColumn(gauge.unit), BarColumn(), TextColumn("{task.fields[rate]}"))
    started, done = perf_counter(), 0
    with Progress(*columns, TimeRemainingColumn(), TextColumn("left"), console=Console(stderr=True)) as progress:
        task = progress.add_task("", total=gauge.total, rate="")

        def advance(part: Part[S]) -> None:
            nonlocal done
            done += gauge.done(part)
            progress.update(task, advance=gauge.played(part), rate=gauge.rate(done / (perf_counter() - started)))

        yield advance
