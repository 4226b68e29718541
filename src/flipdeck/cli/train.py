"""Teach the net from nothing: it plays against itself and against simpler players, and learns what its moves led to.

Ctrl-C stops it.  The same command goes on where it stood, and ends with the same net as if nothing had happened.
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
COMPILING = "Compiling what it plays and learns with; it takes about a minute, once."
EXAMPLE = """examples:
  flipdeck train --out net                          the net that is shipped, anew
  flipdeck train --out quick --steps 40 --seed abc  a weaker one, in a few minutes"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--out", required=True, metavar="DIR", help="a folder of its own, for the net and all that is needed to go on")
    add("--seed", default=SEED, metavar="TEXT", help=f"the same text gives the same net (default {SEED})")
    add("--steps", default=str(STEPS), metavar="N", help=f"how long it learns (default {STEPS}); 384 rounds a step")
    add("--jobs", metavar="N", help="threads (default: one a processor); the net does not depend on it")
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
                _say_first(folder.state.step if folder.state else 0, steps)
            with _shown(steps, quiet) as tell:
                about = train(folder, seed, steps, jobs, command, tell)
    except FolderRefused as refused:
        raise CommandError(str(refused)) from None
    except KeyboardInterrupt:
        if not quiet:
            print(f"\nStopped; what it has learnt is kept. It goes on with:  {command}", file=sys.stderr)
        return INTERRUPTED
    print("\n".join(_lines(about, os.path.join(out, "net.npz"))))
    return OK


def _say_first(step: int, steps: int) -> None:
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
    """A curve that grows, where somebody can see it; else a line for every point of it."""
    if quiet:
        yield _nothing
    elif not sys.stderr.isatty() or find_spec("rich") is None:
        yield lambda step, story: _tell_plainly(step, steps, story)
    else:
        from rich.console import Console
        from rich.live import Live
        from rich.text import Text

        with Live(Text("Playing the first rounds …"), console=Console(stderr=True), refresh_per_second=4) as live:
            yield lambda step, story: live.update(Text("\n".join(_picture(step, steps, story))))


def _nothing(step: int, story: TrainingProgress) -> None:
    del step, story


def _tell_plainly(step: int, steps: int, story: TrainingProgress) -> None:
    if story.curve and story.curve[-1][0] == step:
        _, two, four = story.curve[-1]
        shares = f"wins {two:.1%} at 2 seats, {four:.1%} at 4"
        print(f"Step {step:,} of {steps:,}: {shares}; {_pace(step, steps, story)}", file=sys.stderr, flush=True)


def _picture(step: int, steps: int, story: TrainingProgress) -> list[str]:
    from ..lab.train.learning_curve import curve

    series = {
        "4": [(int(at), four) for at, _, four in story.curve],
        "2": [(int(at), two) for at, two, _ in story.curve],
    }
    title = "Rounds won against steady players, at 2 and at 4 seats"
    lines = curve(series, steps)
    return [*([title, *lines, ""] if lines else []), f"Step {step:,} of {steps:,}: {_pace(step, steps, story)}"]


def _pace(step: int, steps: int, story: TrainingProgress) -> str:
    rate = story.rounds / max(story.seconds, 1e-9)
    left = story.seconds / step * (steps - step) / 60
    return f"loss {story.loss:.4f}; {rate:,.0f} rounds/s; {left:.0f} minutes left"
