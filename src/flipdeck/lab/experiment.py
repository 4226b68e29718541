"""Experiments as library calls: what to play, and a ``run`` that plays it and returns a report.

The commands ``simulate``, ``compare`` and ``arena`` are arguments, a progress bar and printing around these classes.
"""

from __future__ import annotations

import json
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from .run.collect import Collected, collect
from .run.shards import Part, S, Shard, ShardPlayer, Work

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


class Report(Protocol):
    """What an experiment found, in every form in which it can be had."""

    @property
    def complete(self) -> bool:
        """Whether all was played: Ctrl-C ends a run early, with the result so far."""

    @property
    def played(self) -> int:
        """Matches, or rounds in an arena."""

    @property
    def asked(self) -> int: ...
    @property
    def command(self) -> str:
        """The command that repeats what was played."""

    def to_dict(self) -> dict[str, Any]:
        """The JSON object."""

    def lines(self) -> list[str]:
        """Plain text."""

    def page(self) -> str:
        """A self-contained HTML page; it needs Matplotlib."""


R = TypeVar("R", bound=Report)


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
        from .run.cluster import on_cluster

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


class Experiment(ABC, Generic[R]):
    """What is played, from which seed; the same experiment gives the same result on any number of workers."""

    unit: str  # what ``Report.played`` counts
    resumes = False  # whether a run into the same folder goes on where it was stopped

    def run(
        self,
        *,
        jobs: int | None = None,
        cluster: str | None = None,
        out: str | None = None,
        progress: Progress | None = None,
    ) -> R:
        """Play it on ``jobs`` workers (default: one per processor) or on a Ray cluster, and report.

        ``out`` names a folder for the page, the JSON object and the table of rounds.  Ctrl-C ends the run with the
        result so far.  A ``RunError`` or a ``FolderRefused`` says in a sentence what failed.
        """
        return self._run(Execution(jobs or os.cpu_count() or 1, cluster, out, progress or NoProgress()))

    @abstractmethod
    def _run(self, execution: Execution) -> R: ...


def write_report(folder: Path, report: Report) -> None:
    """The page and the JSON object."""
    files = {"report.html": report.page(), "result.json": json.dumps(report.to_dict(), indent=1) + "\n"}
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8", errors="replace")
