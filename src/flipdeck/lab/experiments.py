"""Experiments as library calls: what to play, and a ``run`` that plays it and returns a report.

``Simulation`` plays matches of one setting, ``Comparison`` those of two with common random numbers.  The commands
``simulate``, ``compare`` and ``arena`` are arguments, a progress bar and printing around these classes.
"""

from __future__ import annotations

import json
import os
import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import numpy as np

from ..bulk.batches import IntArray, Setting, play
from ..core.seeds import seed_of
from .report import wording
from .report.match_report import ComparisonReport, SimulationReport
from .run.execution import Collected, Execution, NoProgress, Progress, on_threads
from .run.report_folder import ReportFolder
from .run.rounds_file import open_table
from .run.shards import Part, Shard, Shards
from .run.warm_up import warm_up
from .stats.pair_summary import PairSummary
from .stats.summary import Summary

SHARD = 1024  # rounds, at 125 points per round; some tenths of a second of random play
POINTS = 125


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


# ---------------------------------------------------------------- what is played
@dataclass(frozen=True)
class MatchJob:
    """Matches of one setting from a seed; ``keep`` the rows of all rounds, or only the counts."""

    setting: Setting
    seed: bytes
    games: int
    keep: bool = False

    def shards(self) -> Shards:
        return Shards(self.games, self.shard_size())

    def shard_size(self) -> int:
        """In matches.  It depends on the setting alone; long matches make small shards, which bounds memory."""
        options = self.setting.rules()
        rounds = 1 if options.scoring == "quick" else max(1, options.target // POINTS)
        return max(1, SHARD // rounds)

    def summary(self) -> Summary:
        """An empty summary."""
        return Summary(self.setting.players)

    def play(self, shard: Shard) -> Part[Summary]:
        table = whole_table(self.setting, self.seed, shard)
        summary = self.summary()
        summary.add(table)
        return Part(shard, summary, table if self.keep else None)


def whole_table(setting: Setting, seed: bytes, shard: Shard) -> IntArray:
    return np.concatenate(list(play(setting, seed, shard.first, shard.count)))


@dataclass(frozen=True)
class PairedJob(MatchJob):
    """The same matches of two settings, A (``setting``) and B (``other``); a leading column says which, 0 or 1."""

    other: Setting = field(kw_only=True)

    def shard_size(self) -> int:
        b = MatchJob(self.other, self.seed, self.games)
        return min(super().shard_size(), b.shard_size())

    def summary(self) -> PairSummary:
        return PairSummary(self.setting.players, self.other.players)

    def play(self, shard: Shard) -> Part[Summary]:
        table, other = (whole_table(setting, self.seed, shard) for setting in (self.setting, self.other))
        summary = self.summary()
        summary.add_pair(table, other)
        marked = (np.insert(part, 0, which, axis=1) for which, part in enumerate((table, other)))
        return Part(shard, summary, np.concatenate(list(marked)) if self.keep else None)


# ---------------------------------------------------------------- matches
@dataclass(frozen=True)
class MatchExperiment(Experiment[R]):
    """``games`` matches from ``seed``; ``table`` is the format of the file of rounds, csv or parquet."""

    unit = "matches"
    columns: ClassVar[tuple[str, ...]] = ()  # of the file of rounds, before the usual ones

    games: int = field(default=1000, kw_only=True)
    seed: str = field(default_factory=lambda: secrets.token_hex(8), kw_only=True)
    table: str = field(default="csv", kw_only=True)

    @abstractmethod
    def job(self, keep: bool) -> MatchJob:
        """What is played; ``keep`` the rows of all rounds, for the file."""

    @abstractmethod
    def command(self, games: int, out: str | None) -> str:
        """The command that repeats this many matches of it."""

    @abstractmethod
    def _report(self, facts: dict[str, Any]) -> R: ...

    def _run(self, execution: Execution) -> R:
        if execution.out is None:
            return self._make_report(execution, self._play(execution, lambda _: None))
        with ReportFolder(execution.out) as folder:
            rounds = open_table(folder.path, self.table, self.columns)
            try:
                outcome = self._play(execution, rounds.keep)
            finally:
                rounds.close()
            report = self._make_report(execution, outcome)
            if outcome.matches:
                write_report(folder.path, report)
                folder.put_in_place()
        return report

    def _play(self, execution: Execution, keep: Callable[[Part[Summary]], None]) -> Collected[Summary]:
        job = self.job(keep=execution.out is not None)
        if execution.cluster is None:
            warm_up(execution.progress.compiling)
        return execution.collect(job, execution.results(job, job.shards(), on_threads), keep)

    def _make_report(self, execution: Execution, outcome: Collected[Summary]) -> R:
        return self._report(
            {
                "outcome": outcome,
                "asked": self.games,
                "workers": execution.workers,
                "seed": self.seed,
                "command": self.command(outcome.matches or self.games, execution.out),
                "rounds_file": f"rounds.{self.table}",
            }
        )

    def _arguments(self, games: int, out: str | None) -> list[str]:
        seeded = ["--games", str(games), *wording.argument("--seed", self.seed)]
        return seeded if out is None else [*seeded, *wording.argument("--out", out), "--table", self.table]


@dataclass(frozen=True)
class Simulation(MatchExperiment[SimulationReport]):
    """Matches of one setting: who wins, how long rounds are, what happens in them."""

    setting: Setting

    def job(self, keep: bool) -> MatchJob:
        return MatchJob(self.setting, seed_of(self.seed), self.games, keep)

    def command(self, games: int, out: str | None) -> str:
        return wording.command("simulate", *wording.arguments(self.setting), *self._arguments(games, out))

    def _report(self, facts: dict[str, Any]) -> SimulationReport:
        return SimulationReport(**facts, setting=self.setting)


@dataclass(frozen=True)
class Comparison(MatchExperiment[ComparisonReport]):
    """Two settings side by side: what changes from A to B, with an interval for every difference."""

    columns: ClassVar[tuple[str, ...]] = ("setting",)

    a: Setting
    b: Setting

    def job(self, keep: bool) -> MatchJob:
        return PairedJob(self.a, seed_of(self.seed), self.games, keep, other=self.b)

    def command(self, games: int, out: str | None) -> str:
        settings = ("--a", wording.as_pairs(self.a), "--b", wording.as_pairs(self.b))
        return wording.command("compare", *settings, *self._arguments(games, out))

    def _report(self, facts: dict[str, Any]) -> ComparisonReport:
        return ComparisonReport(**facts, a=self.a, b=self.b)
