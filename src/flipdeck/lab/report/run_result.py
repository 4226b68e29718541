"""The result of a run: its counts, and what a report says about the run besides them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic

from ..run.execution import Collected
from ..run.shards import S


@dataclass(frozen=True)
class RunResult(Generic[S]):
    """A finished run, or an interrupted one as far as it got."""

    outcome: Collected[S]
    asked: int  # matches, or rounds in an arena
    workers: int | None  # threads or processes; None on a cluster
    seed: str
    command: str  # repeats what was played
    rounds_file: str = "rounds.csv"

    @property
    def summary(self) -> S:
        return self.outcome.summary

    @property
    def complete(self) -> bool:
        return self.outcome.complete
