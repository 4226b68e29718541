"""The arena as an experiment: bots against bots over single rounds, resumable where it writes into a folder."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from .. import __version__
from ..bulk.batches import Setting
from ..core.seeds import seed_of
from .experiments import Experiment, write_report
from .report import wording
from .report.arena.report import ArenaReport
from .run.arena import DEALS, Arena
from .run.checkpoint import NAME, Checkpoint
from .run.cluster_worker import fingerprint
from .run.execution import Collected, Execution
from .run.processes import on_processes
from .run.report_folder import FILES, FolderRefused, ReportFolder
from .run.shards import Part
from .stats.tally import Tally


@dataclass(frozen=True)
class ArenaExperiment(Experiment[ArenaReport]):
    """``rounds`` at each table, rounded up to whole deals: all bots at one table, or in a league every pair.

    A match of an arena is a single round, unless the setting has another ``scoring``.
    """

    unit = "rounds"
    resumes = True

    setting: Setting
    bots: tuple[str, ...]
    rounds: int = field(default=1000, kw_only=True)
    seed: str = field(default_factory=lambda: secrets.token_hex(8), kw_only=True)
    league: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        setting = replace(self.setting, options={"scoring": "quick", **self.setting.options})
        object.__setattr__(self, "setting", setting)

    @cached_property
    def arena(self) -> Arena:
        return Arena(self.setting, self.bots, self.rounds, seed_of(self.seed), self.league)

    def _run(self, execution: Execution) -> ArenaReport:
        if execution.out is None:
            return self._make_report(execution, self._play(execution))
        _check_folder(execution.out)
        with Checkpoint(execution.out, self._identity(), self.arena.part_of) as checkpoint:
            report = self._make_report(execution, self._play(execution, checkpoint))
            if report.rounds:
                with ReportFolder(execution.out, beside=(NAME,)) as folder:
                    write_report(folder.path, report)
                    table = "\n".join(report.standings.lines_of_table()) + "\n"
                    (folder.path / "rounds.csv").write_text(table, encoding="utf-8")
                    folder.put_in_place()
        return report

    def _play(self, execution: Execution, checkpoint: Checkpoint | None = None) -> Collected[Tally]:
        arena = self.arena
        kept: list[Part[Tally]] = checkpoint.kept if checkpoint else []

        def keep(part: Part[Tally]) -> None:
            if checkpoint and part.shard.number >= len(kept):
                checkpoint.keep(part.shard.number, part.summary.to_dict())

        def every() -> Iterator[Part[Tally]]:
            yield from kept
            yield from execution.results(arena, arena.shards().after(len(kept)), on_processes)

        return execution.collect(arena, every(), keep, resumed=len(kept))

    def _make_report(self, execution: Execution, outcome: Collected[Tally]) -> ArenaReport:
        arena = self.arena
        command = self.command(execution.out)
        return ArenaReport(
            outcome, arena.games * arena.seats, execution.workers, self.seed, command, "rounds.csv", arena=arena
        )

    def command(self, out: str | None) -> str:
        """The command that repeats it."""
        rules = [word for change in wording.changes(self.setting) for word in ("--option", change)]
        seats = ["--seats", self.setting.players, *(["--league"] if self.league else [])]
        folder = [] if out is None else wording.argument("--out", out)
        return wording.command(
            *("arena", *_name_bots(self.bots), *seats, "--rounds", self.rounds),
            *("--edition", self.setting.edition, *rules, *wording.argument("--seed", self.seed), *folder),
        )

    def _identity(self) -> dict[str, Any]:
        """What must be the same for a run to go on."""
        return {
            "version of Flipdeck": f"{__version__} {fingerprint()}",
            "bots": self.bots,
            "seats": self.setting.players,
            "league": self.league,
            "rounds": self.rounds,
            "edition": self.setting.edition,
            "options": wording.changes(self.setting),
            "seed": self.seed,
            "deals a line": DEALS,
        }


def _name_bots(bots: tuple[str, ...]) -> list[str]:
    if any("," in name for name in bots):
        return [word for name in bots for word in wording.argument("--bot", name)]
    return wording.argument("--bots", ",".join(bots))


def _check_folder(out: str) -> None:
    """Refuse a folder before an hour of play, not after it."""
    with ReportFolder(out, beside=(NAME,)):
        there = os.listdir(out) if os.path.isdir(out) else []
    if NAME not in there and any(name in there for name in FILES):
        raise FolderRefused(f"{out!r} holds a report of another run: name another folder.")
