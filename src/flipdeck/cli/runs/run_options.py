"""The options that ``simulate``, ``compare`` and ``arena`` share, validated before anything is played."""

from __future__ import annotations

import argparse
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING

from ... import bulk
from .. import CommandError
from ..terminal.language import whole_number

if TYPE_CHECKING:
    from ...bulk.batches import Setting

MOST_GAMES, MOST_JOBS = 10_000_000_000, 1024
NO_PLOTS = "A report needs Matplotlib: install it with  pip install 'flipdeck[lab]'"
NO_PARQUET = "Parquet needs PyArrow: install it with  pip install pyarrow, or use  --table csv"


# ---------------------------------------------------------------- arguments
def add_setting_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add_rule_arguments(parser)
    add("--players", default="4", metavar="N", help="2 to 10 (default 4)")
    add(
        *("--policy", "--bots"),
        default="random",
        metavar="P[,P…]",
        help="who plays: random (default), eager or steady; one name for all, or one per seat",
    )


def add_rule_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--edition", default="classic", metavar="E", help="classic (default), splash, argentina or mild-wild")
    add("--option", action="append", default=[], metavar="NAME=VALUE", help="change a rule; may be repeated")


def add_run_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "--games",
        default="1000",
        metavar="N",
        help="how many matches to play (default 1000); with scoring=quick a match is one round",
    )
    add_work_arguments(parser, "threads", "folder for a report with plots, the table of rounds and the JSON object")
    add("--table", default="csv", metavar="KIND", help="format of the table of rounds: csv (default) or parquet")


def add_work_arguments(parser: argparse.ArgumentParser, workers: str, out: str) -> None:
    add = parser.add_argument
    add("--seed", metavar="TEXT", help="the same text gives the same result (default: a random one, which is printed)")
    add("--jobs", metavar="N", help=f"{workers} (default: one per processor); the result does not depend on it")
    add("--cluster", metavar="ADDRESS", help="play on a Ray cluster: auto, HOST:PORT or ray://HOST:PORT")
    add("--json", action="store_true", help="print one JSON object and nothing else")
    add("--out", metavar="DIR", help=out)
    add("--quiet", action="store_true", help="no progress bar and no remarks")


@dataclass(frozen=True)
class RunOptions:
    """Validated options of a run."""

    seed: str
    jobs: int
    cluster: str | None
    json: bool
    out: str | None
    quiet: bool


@dataclass(frozen=True)
class MatchRunOptions(RunOptions):
    """Validated options of a run of matches."""

    games: int
    table: str


def require_bulk() -> None:
    try:
        bulk.require()
    except bulk.MissingExtra as missing:
        raise CommandError(str(missing)) from None


def match_run_options(args: argparse.Namespace) -> MatchRunOptions:
    require_bulk()
    games = count("--games", args.games, MOST_GAMES)
    options = run_options(args)
    if args.out is not None:
        _check_table(args.table)
    return MatchRunOptions(**vars(options), games=games, table=args.table)


def run_options(args: argparse.Namespace) -> RunOptions:
    require_bulk()
    jobs = count("--jobs", args.jobs, MOST_JOBS) if args.jobs is not None else os.cpu_count() or 1
    if args.out is not None and find_spec("matplotlib") is None:  # before an hour of play, not after it
        raise CommandError(NO_PLOTS)
    seed = secrets.token_hex(8) if args.seed is None else args.seed
    if not seed.isprintable():
        raise CommandError(f"--seed is a text that can be printed and typed again, not {seed[:40]!r}.")
    return RunOptions(seed, jobs, args.cluster, args.json, args.out, args.quiet)


def count(name: str, text: str, most: int) -> int:
    digits = text.replace("_", "")
    if digits.isascii() and digits.isdigit() and len(digits) < 20 and 1 <= int(digits) <= most:
        return int(digits)
    raise CommandError(f"{name} is a whole number from 1 to {most:,}, not {text[:40]!r}.")


def _check_table(table: str) -> None:
    from ...lab.run.rounds_file import FORMATS, can_write

    if table not in FORMATS:
        raise CommandError(f"--table is {' or '.join(FORMATS)}, not {table[:40]!r}.")
    if not can_write(table):
        raise CommandError(NO_PARQUET)


def options_in(texts: list[str]) -> dict[str, str]:
    options = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise CommandError(f"An option is written NAME=VALUE, not {text[:40]!r}.")
        options[name.strip()] = value.strip()
    return options


def setting_of(edition: str, players: str, policy: str, options: Mapping[str, object]) -> Setting:
    """The setting that the arguments describe; the core refuses a bad one."""
    from ...bulk.batches import Setting
    from ...core import editions

    policies = tuple(name.strip() for name in policy.split(","))
    asked = Setting(edition, whole_number(players), options, policies)  # type: ignore[arg-type]  # refused if no number
    changed = asked.rules().differences(editions.edition(edition).options)
    return Setting(edition, asked.players, changed, policies[:1] if len(set(policies)) == 1 else policies)
