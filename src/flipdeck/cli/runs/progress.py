"""The progress bar of a run, on a terminal: how far it is, how fast, and the time left."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from time import perf_counter
from typing import Any

from ...lab.run.execution import Advance
from ...lab.run.shards import Part, Work

COMPILING = "Compiling the rules for this machine; it takes about 20 seconds, once."


@dataclass(frozen=True)
class Gauge:
    """What a bar counts, and the unit of its rate."""

    unit: str
    total: Callable[[Any], int]  # of a run
    played: Callable[[Part[Any]], int]
    done: Callable[[Part[Any]], int]  # what the rate counts
    rate: Callable[[float], str]


MATCHES = Gauge(
    "matches",
    total=lambda job: int(job.games),
    played=lambda part: part.shard.count,
    done=lambda part: int(part.summary.played()[2]),
    rate=lambda decisions: f"{decisions / 1e6:.1f} M decisions/s",
)
ROUNDS = Gauge(
    "rounds",
    total=lambda arena: int(arena.games * arena.seats),
    played=lambda part: int(part.summary.rounds),
    done=lambda part: int(part.summary.rounds),
    rate=lambda rounds: f"{rounds:.3g} rounds/s",
)


class ProgressBar:
    """A ``lab.Progress`` on standard error; without a terminal or without Rich it shows no bar."""

    def __init__(self, gauge: Gauge, quiet: bool) -> None:
        self._gauge = gauge
        self._quiet = quiet

    def compiling(self) -> None:
        if not self._quiet:
            print(COMPILING, file=sys.stderr, flush=True)

    @contextmanager
    def playing(self, work: Work[Any], resumed: int) -> Iterator[Advance]:
        if self._quiet or not sys.stderr.isatty() or find_spec("rich") is None:
            yield lambda _: None
            return
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        gauge = self._gauge
        columns = (MofNCompleteColumn(), TextColumn(gauge.unit), BarColumn(), TextColumn("{task.fields[rate]}"))
        started, done = perf_counter(), 0
        with Progress(*columns, TimeRemainingColumn(), TextColumn("left"), console=Console(stderr=True)) as bar:
            task = bar.add_task("", total=gauge.total(work), rate="")

            def advance(part: Part[Any]) -> None:
                nonlocal done
                if part.shard.number >= resumed:  # a checkpoint is read faster than anything is played
                    done += gauge.done(part)
                bar.update(task, advance=gauge.played(part), rate=gauge.rate(done / (perf_counter() - started)))

            yield advance
