"""The result of an arena: the result of a run, with standings and ratings."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from ...run.arena import Arena
from ...stats.ratings import Rating, rate
from ...stats.tally import Tally
from ..run_result import RunResult
from .standings import Standings


@dataclass(frozen=True)
class ArenaResult(RunResult[Tally]):
    arena: Arena = field(kw_only=True)

    @cached_property
    def standings(self) -> Standings:
        return Standings(self.arena, self.summary)

    @cached_property
    def ratings(self) -> list[Rating]:
        return rate(self.standings.rounds_in_order())

    @property
    def rounds(self) -> int:
        return self.summary.rounds
