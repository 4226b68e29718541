"""A run in the terminal: compile, play under a bar, write the report, print the result."""

from __future__ import annotations

import json
import os
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ...bulk import kernels
from ...bulk.batches import Setting
from ...bulk.batches import play as play_matches
from ...core.seeds import BYTES
from ...lab.report.report_folder import FolderRefused, ReportFolder
from ...lab.report.report_page import About
from ...lab.run.collect import Outcome
from ...lab.run.rounds_file import open_table
from ...lab.run.shards import Job, Result, on_threads
from ...lab.stats.summary import Summary
from .. import INTERRUPTED, OK, CommandError
from .progress import Gauge, play, results_of
from .run_options import Plan

COMPILING = "Compiling the rules for this machine; it takes about 20 seconds, once."
Each = Callable[[Result], None]


class Experiment(ABC):
    """What is played, and how its result is told."""

    before: tuple[str, ...] = ()  # columns of the raw table before the others

    @abstractmethod
    def job(self, plan: Plan) -> Job: ...

    @abstractmethod
    def command(self, plan: Plan, games: int) -> str:
        """The command that repeats so many matches of it."""

    @abstractmethod
    def result(self, about: About) -> dict[str, Any]: ...

    @abstractmethod
    def page(self, about: About) -> str: ...

    @abstractmethod
    def lines(self, about: About) -> list[str]: ...


def run(experiment: Experiment, plan: Plan) -> int:
    job = experiment.job(plan)
    if plan.out is None:
        about = _about(experiment, plan, _play(job, plan, _nothing))
    else:
        try:
            with ReportFolder(plan.out) as folder:
                about = _play_and_report(experiment, job, plan, folder)
        except FolderRefused as refused:
            raise CommandError(str(refused)) from None
    _print(experiment, plan, about)
    return OK if about.outcome.complete else INTERRUPTED


def _about(experiment: Experiment, plan: Plan, outcome: Outcome) -> About:
    command = experiment.command(plan, outcome.matches or plan.games)
    return About(outcome, plan.games, plan.threads, plan.seed, command, f"rounds.{plan.table}")


def _play_and_report(experiment: Experiment, job: Job, plan: Plan, folder: ReportFolder) -> About:
    table = open_table(folder.path, plan.table, experiment.before)
    try:
        outcome = _play(job, plan, table.keep)
    finally:
        table.close()
    about = _about(experiment, plan, outcome)
    if outcome.matches:
        files = {
            "report.html": experiment.page(about),
            "result.json": json.dumps(experiment.result(about), indent=1) + "\n",
        }
        for name, text in files.items():
            (folder.path / name).write_text(text, encoding="utf-8", errors="replace")
        folder.put_in_place()
    return about


def _print(experiment: Experiment, plan: Plan, about: About) -> None:
    matches = about.outcome.matches
    if plan.json:
        print(json.dumps(experiment.result(about)))
    elif matches:
        print("\n".join(experiment.lines(about)))
        print(f"\nAgain: {about.command}")
        if plan.out is not None:
            print(f"Report: {os.path.join(plan.out, 'report.html')}")
    if not about.outcome.complete and not plan.quiet:
        played = f"after {matches:,} of {plan.games:,} matches" if matches else "before the first result"
        print(f"\nStopped {played}.", file=sys.stderr)


# ---------------------------------------------------------------- playing
def _play(job: Job, plan: Plan, keep: Each) -> Outcome:
    if plan.cluster is None:
        warm_up(plan.quiet)
    gauge = Gauge[Summary](
        job.games,
        "matches",
        played=lambda result: result.shard.count,
        done=lambda result: result.summary.played()[2],
        rate=lambda decisions: f"{decisions / 1e6:.1f} M decisions/s",
    )
    return play(job, results_of(job, job.shards(), plan, on_threads), keep, gauge, plan.quiet)


def warm_up(quiet: bool) -> None:
    """Have the kernel compiled, or read it from the cache, before the clock starts."""
    if not quiet and not any(compiled_code().glob("kernels.play_matches*.nbi")):
        print(COMPILING, file=sys.stderr, flush=True)
    for _ in play_matches(Setting(options={"scoring": "quick"}), bytes(BYTES), 0, 1):
        pass


def compiled_code() -> Path:
    """Where Numba keeps it."""
    return Path(kernels.play_matches.stats.cache_path or os.devnull)


def _nothing(result: Result) -> None:
    del result
