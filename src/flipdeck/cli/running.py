"""A run in the terminal: compile, play under a bar, write the report, print the result."""

from __future__ import annotations

import json
import os
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import Any

from ..bulk import kernels
from ..bulk.batches import Setting, play
from ..core.seeds import BYTES
from ..lab.folder import FolderRefused, ReportFolder
from ..lab.report import About
from ..lab.shards import Job, Result, on_threads
from ..lab.simulate import Outcome, collect
from ..lab.tables import open_table
from . import INTERRUPTED, OK, CommandError
from .laboratory import Plan

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
    if plan.cluster is not None:
        return _play_on_cluster(job, plan, plan.cluster, keep)
    warm_up(plan.quiet)
    with _bar(job.games, plan.quiet) as advance:
        return collect(job, on_threads(job, job.shards(), plan.jobs), _both(keep, advance))


def _play_on_cluster(job: Job, plan: Plan, address: str, keep: Each) -> Outcome:
    from ..lab.cluster import ClusterError, on_cluster

    try:
        with _bar(job.games, plan.quiet) as advance:
            return collect(job, on_cluster(job, job.shards(), address), _both(keep, advance))
    except ClusterError as error:
        raise CommandError(str(error)) from None


def warm_up(quiet: bool) -> None:
    """Have the kernel compiled, or read it from the cache, before the clock starts."""
    if not quiet and not any(compiled_code().glob("kernels.play_matches*.nbi")):
        print(COMPILING, file=sys.stderr, flush=True)
    for _ in play(Setting(options={"scoring": "quick"}), bytes(BYTES), 0, 1):
        pass


def compiled_code() -> Path:
    """Where Numba keeps it."""
    return Path(kernels.play_matches.stats.cache_path or os.devnull)


def _nothing(result: Result) -> None:
    del result


def _both(first: Each, second: Each) -> Each:
    def each(result: Result) -> None:
        first(result)
        second(result)

    return each


@contextmanager
def _bar(games: int, quiet: bool) -> Iterator[Each]:
    """A bar with the rate and the time left, where somebody can see it."""
    if quiet or not sys.stderr.isatty() or find_spec("rich") is None:
        yield _nothing
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (MofNCompleteColumn(), TextColumn("matches"), BarColumn(), TextColumn("{task.fields[rate]}"))
    started, decisions = perf_counter(), 0
    with Progress(*columns, TimeRemainingColumn(), TextColumn("left"), console=Console(stderr=True)) as progress:
        task = progress.add_task("", total=games, rate="")

        def advance(result: Result) -> None:
            nonlocal decisions
            decisions += result.summary.played()[2]
            rate = decisions / (perf_counter() - started) / 1e6
            progress.update(task, advance=result.shard.count, rate=f"{rate:.1f} M decisions/s")

        yield advance
