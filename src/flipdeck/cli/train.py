"""Train the net from scratch: it plays against itself and against simpler players, and learns from the results.

Ctrl-C stops it.  The same command resumes, and ends with the same net as an uninterrupted run.
"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from . import INTERRUPTED, OK, CommandError
from .runs.run_options import MOST_JOBS, count, require_bulk

if TYPE_CHECKING:
    from ..lab.train.training_run import OnStep, TrainingProgress

STEPS, SEED = 900, "flipdeck"  # the net that is shipped
MOST_STEPS = 1_000_000
COMPILING = "Compiling for this machine; it takes about a minute, once."
EXAMPLE = """examples:
  flipdeck train --out net                          the net that is shipped, anew
  flipdeck train --out quick --steps 40 --seed abc  a weaker one, in a few minutes"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--out", required=True, metavar="DIR", help="folder for the net and the checkpoint")
    add("--seed", default=SEED, metavar="TEXT", help=f"the same text gives the same net (default {SEED})")
    add("--steps", default=str(STEPS), metavar="N", help=f"training steps of 384 rounds (default {STEPS})")
    add("--jobs", metavar="N", help="threads (default: one per processor); the net does not depend on it")
    add("--quiet", action="store_true", help="no curve and no remarks")


def run(args: argparse.Namespace) -> int:
    require_bulk()
    steps = count("--steps", args.steps, MOST_STEPS)
    jobs = count("--jobs", args.jobs, MOST_JOBS) if args.jobs is not None else os.cpu_count() or 1
    if not args.seed.isprintable():
        raise CommandError(f"--seed is a text that can be printed and typed again, not {args.seed[:40]!r}.")
    from ..lab.report.wording import argument

    words = ["flipdeck", "train", *argument("--out", args.out), *argument("--seed", args.seed), "--steps", str(steps)]
    return _train(args.out, args.seed, steps, jobs, shlex.join(words), args.quiet)


def _train(out: str, seed: str, steps: int, jobs: int, command: str, quiet: bool) -> int:
    from ..lab.run.report_folder import FolderRefused
    from ..lab.train.training_folder import TrainingFolder
    from ..lab.train.training_run import train

    try:
        with TrainingFolder(out, seed, steps) as folder:
            if not quiet:
                _announce(folder.state.step if folder.state else 0, steps)
            with _shown(steps, quiet) as on_step:
                about = train(folder, seed, steps, jobs, command, on_step)
    except FolderRefused as refused:
        raise CommandError(str(refused)) from None
    except KeyboardInterrupt:
        if not quiet:
            print(f"\nStopped; what it has learnt is kept. It goes on with:  {command}", file=sys.stderr)
        return INTERRUPTED
    print("\n".join(_lines(about, os.path.join(out, "net.npz"))))
    return OK


def _announce(step: int, steps: int) -> None:
    from ..bulk import self_play

    if step:
        print(f"Going on after step {step:,} of {steps:,}.", file=sys.stderr)
    kept = self_play.play_rounds.stats.cache_path
    if not any(name.startswith("self_play.play_rounds") for name in (os.listdir(kept) if os.path.isdir(kept) else ())):
        print(COMPILING, file=sys.stderr, flush=True)


def _lines(about: dict[str, Any], net: str) -> list[str]:
    done = f"{about['steps']:,} steps, {about['rounds']:,} rounds and {about['positions']:,} positions"
    lines = [f"{done} in {about['seconds'] / 60:.1f} minutes.", ""]
    for score in about["evaluation"]:
        lines.append(
            f"{score['players']} seats, {score['pairing']:8} against {score['against']}: {score['win_rate']:6.1%}"
            f"  ({score['low']:.1%} to {score['high']:.1%}; fair is {1 / score['players']:.0%})"
        )
    return [*lines, "", f"Net: {net}"]


# ---------------------------------------------------------------- while it learns
@contextmanager
def _shown(steps: int, quiet: bool) -> Iterator[OnStep]:
    """A live learning curve on a terminal; else a line for every point of it."""
    if quiet:
        yield _nothing
    elif not sys.stderr.isatty() or find_spec("rich") is None:
        yield lambda step, progress: _print_point(step, steps, progress)
    else:
        from rich.console import Console
        from rich.live import Live
        from rich.text import Text

        with Live(Text("Playing the first rounds …"), console=Console(stderr=True), refresh_per_second=4) as live:
            yield lambda step, progress: live.update(Text("\n".join(_picture(step, steps, progress))))


def _nothing(step: int, progress: TrainingProgress) -> None:
    del step, progress


def _print_point(step: int, steps: int, progress: TrainingProgress) -> None:
    if progress.curve and progress.curve[-1][0] == step:
        _, two, four = progress.curve[-1]
        shares = f"wins {two:.1%} at 2 seats, {four:.1%} at 4"
        print(f"Step {step:,} of {steps:,}: {shares}; {_pace(step, steps, progress)}", file=sys.stderr, flush=True)


def _picture(step: int, steps: int, progress: TrainingProgress) -> list[str]:
    from ..lab.train.learning_curve import curve

    series = {
        "4": [(int(at), four) for at, _, four in progress.curve],
        "2": [(int(at), two) for at, two, _ in progress.curve],
    }
    title = "Rounds won against steady players, at 2 and at 4 seats"
    lines = curve(series, steps)
    return [*([title, *lines, ""] if lines else []), f"Step {step:,} of {steps:,}: {_pace(step, steps, progress)}"]


def _pace(step: int, steps: int, progress: TrainingProgress) -> str:
    rate = progress.rounds / max(progress.seconds, 1e-9)
    left = progress.seconds / step * (steps - step) / 60
    return f"loss {progress.loss:.4f}; {rate:,.0f} rounds/s; {left:.0f} minutes left"
