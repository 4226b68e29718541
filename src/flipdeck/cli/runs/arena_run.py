"""An arena in the terminal: go on where it was stopped, play under a bar, write the report, print the result."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ... import __version__
from ...lab.report import wording
from ...lab.report.arena_wording import Finished, result
from ...lab.report.report_folder import FILES, FolderRefused, ReportFolder
from ...lab.run.arena import DEALS, Arena
from ...lab.run.checkpoint import NAME, Checkpoint
from ...lab.run.cluster_worker import fingerprint
from ...lab.run.collect import Collected
from ...lab.run.processes import on_processes
from ...lab.run.shards import Part
from ...lab.stats.tally import Tally
from .. import INTERRUPTED, OK, CommandError
from .arena_table import lines
from .progress import Gauge, play, results_of
from .run_options import Effort, argument


def run(arena: Arena, effort: Effort) -> int:
    if arena.rounds % arena.seats and not effort.quiet:
        print(
            f"{arena.rounds:,} rounds are no whole number of deals: {arena.deals * arena.seats:,} are played, "
            "so that every bot sits in every seat equally often.",
            file=sys.stderr,
        )
    if effort.out is None:
        told = _finished(arena, effort, _play(arena, effort))
    else:
        try:
            told = _play_and_report(arena, effort, effort.out)
        except FolderRefused as refused:
            raise CommandError(str(refused)) from None
    _print(told, effort)
    return OK if told.outcome.complete else INTERRUPTED


def _finished(arena: Arena, effort: Effort, outcome: Collected[Tally]) -> Finished:
    rules = [word for change in wording.changes(arena.setting) for word in ("--option", change)]
    seats = ["--seats", arena.seats, *(["--league"] if arena.league else [])]
    out = [] if effort.out is None else argument("--out", effort.out)
    command = wording.command(
        *("arena", *_named(arena.bots), *seats, "--rounds", arena.rounds),
        *("--edition", arena.setting.edition, *rules, *argument("--seed", effort.seed), *out),
    )
    return Finished(arena, outcome, effort.threads, effort.seed, command)


def _named(bots: tuple[str, ...]) -> list[str]:
    if any("," in name for name in bots):
        return [word for name in bots for word in argument("--bot", name)]
    return argument("--bots", ",".join(bots))


def _print(told: Finished, effort: Effort) -> None:
    if effort.json:
        print(json.dumps(result(told)))
    elif told.rounds:
        print("\n".join(lines(told)))
        print(f"\nAgain: {told.command}")
        if effort.out is not None:
            print(f"Report: {os.path.join(effort.out, 'report.html')}")
    if not told.outcome.complete and not effort.quiet:
        played = f"after {told.rounds:,} of {told.asked:,} rounds" if told.rounds else "before the first result"
        on = " The same command goes on from there." if effort.out is not None and told.rounds else ""
        print(f"\nStopped {played}.{on}", file=sys.stderr)


# ---------------------------------------------------------------- playing
def _play(arena: Arena, effort: Effort, checkpoint: Checkpoint | None = None) -> Collected[Tally]:
    kept: list[Part[Tally]] = checkpoint.kept if checkpoint else []

    def is_new(part: Part[Tally]) -> bool:
        return part.shard.number >= len(kept)

    def keep(part: Part[Tally]) -> None:
        if checkpoint and is_new(part):
            checkpoint.keep(part.shard.number, part.summary.to_dict())

    def every() -> Iterator[Part[Tally]]:
        yield from kept
        yield from results_of(arena, arena.shards().after(len(kept)), effort, on_processes)

    gauge = Gauge[Tally](
        arena.games * arena.seats,
        "rounds",
        played=lambda part: part.summary.rounds,
        done=lambda part: part.summary.rounds if is_new(part) else 0,
        rate=lambda rounds: f"{rounds:.3g} rounds/s",
    )
    return play(arena, every(), keep, gauge, effort.quiet)


# ---------------------------------------------------------------- the folder
def _play_and_report(arena: Arena, effort: Effort, out: str) -> Finished:
    _check_folder(out)
    with Checkpoint(out, _about(arena, effort), arena.part_of) as checkpoint:
        told = _finished(arena, effort, _play(arena, effort, checkpoint))
        if told.rounds:
            with ReportFolder(out, beside=(NAME,)) as folder:
                _write(told, folder.path)
                folder.put_in_place()
    return told


def _check_folder(out: str) -> None:
    """Said before an hour of play, not after it."""
    with ReportFolder(out, beside=(NAME,)):
        there = os.listdir(out) if os.path.isdir(out) else []
    if NAME not in there and any(name in there for name in FILES):
        raise FolderRefused(f"{out!r} holds a report of another run: name another folder.")


def _about(arena: Arena, effort: Effort) -> dict[str, Any]:
    """What must be the same for a run to go on."""
    return {
        "version of Flipdeck": f"{__version__} {fingerprint()}",
        "bots": arena.bots,
        "seats": arena.seats,
        "league": arena.league,
        "rounds": arena.rounds,
        "edition": arena.setting.edition,
        "options": wording.changes(arena.setting),
        "seed": effort.seed,
        "deals a line": DEALS,
    }


def _write(told: Finished, path: Path) -> None:
    from ...lab.report.arena_page import arena_page

    files = {
        "report.html": arena_page(told),
        "result.json": json.dumps(result(told), indent=1) + "\n",
        "rounds.csv": "\n".join(told.standings.lines_of_table()) + "\n",
    }
    for name, text in files.items():
        (path / name).write_text(text, encoding="utf-8", errors="replace")
