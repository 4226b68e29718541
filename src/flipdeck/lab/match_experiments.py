"""Experiments over whole matches: one setting (``Simulation``), or two with common random numbers (``Comparison``)."""

from __future__ import annotations

import secrets
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

from ..bulk.batches import Setting
from ..core.seeds import seed_of
from .experiment import Execution, Experiment, R, write_report
from .report import pair_page, report_page, result_json, text_report, wording
from .report.run_result import RunResult
from .run.collect import Collected
from .run.compare import PairedJob
from .run.report_folder import ReportFolder
from .run.rounds_file import open_table
from .run.shards import MatchJob, Part, on_threads
from .run.warm_up import warm_up
from .stats.summary import Summary


# ---------------------------------------------------------------- reports
@dataclass(frozen=True, kw_only=True)
class MatchReport(RunResult[Summary]):
    @property
    def played(self) -> int:
        return self.outcome.matches


@dataclass(frozen=True, kw_only=True)
class SimulationReport(MatchReport):
    setting: Setting

    def to_dict(self) -> dict[str, Any]:
        return result_json.simulation_result(self.setting, self)

    def page(self) -> str:
        return report_page.simulation(self.setting, self)

    def lines(self) -> list[str]:
        return text_report.simulation(self.setting, self)


@dataclass(frozen=True, kw_only=True)
class ComparisonReport(MatchReport):
    a: Setting
    b: Setting

    def to_dict(self) -> dict[str, Any]:
        return result_json.comparison_result(self.a, self.b, self)

    def page(self) -> str:
        return pair_page.comparison(self.a, self.b, self)

    def lines(self) -> list[str]:
        return text_report.comparison(self.a, self.b, self)


# ---------------------------------------------------------------- experiments
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
            return self._reported(execution, self._play(execution, lambda _: None))
        with ReportFolder(execution.out) as folder:
            rounds = open_table(folder.path, self.table, self.columns)
            try:
                outcome = self._play(execution, rounds.keep)
            finally:
                rounds.close()
            report = self._reported(execution, outcome)
            if outcome.matches:
                write_report(folder.path, report)
                folder.put_in_place()
        return report

    def _play(self, execution: Execution, keep: Callable[[Part[Summary]], None]) -> Collected[Summary]:
        job = self.job(keep=execution.out is not None)
        if execution.cluster is None:
            warm_up(execution.progress.compiling)
        return execution.collect(job, execution.results(job, job.shards(), on_threads), keep)

    def _reported(self, execution: Execution, outcome: Collected[Summary]) -> R:
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
