"""Play bots against bots over many single rounds: who beats whom, with 95 % confidence intervals, and ratings.

With as many bots as seats, all sit at one table.  With more or fewer bots than seats, or with --league, every pair of
bots meets: head to head at 2 seats, and at more seats one bot against copies of the other, both ways.  Every deal is
played once per seat, and the bots move on by one seat each time.
"""

from __future__ import annotations

import argparse
import sys

from . import CommandError
from .runs.run_options import add_rule_arguments, add_work_arguments, count, options_in, run_options, setting_of

EXAMPLE = """examples:
  flipdeck arena --bots master,regular --seats 2 --rounds 1000 --option pairing=printed
  flipdeck arena --bots master,regular,regular,regular --rounds 2000 --out report
  flipdeck arena --bots rookie,casual,regular,sharp --seats 2 --rounds 10000 --out ladder
  flipdeck arena --bots regular --bot 'cmd:./mybot --fast' --json"""

MOST_ROUNDS, MOST_BOTS = 1_000_000, 64
NO_RATINGS = "Ratings need openskill: install it with  pip install 'flipdeck[lab]'"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--bots", action="extend", type=_names, metavar="B[,B…]", help="who plays, by name")
    add("--bot", action="append", dest="bots", metavar="B", help="one more, whose name may contain commas")
    add("--seats", metavar="N", help="per table, 2 to 10 (default: one for each bot)")
    add("--league", action="store_true", help="every pair of bots meets, even with as many bots as seats")
    add("--rounds", default="1000", metavar="N", help="per table (default 1000), rounded up to whole deals")
    add_rule_arguments(parser)
    add_work_arguments(
        parser,
        "worker processes",
        "folder for checkpoints and the report; the same command resumes a run that was stopped",
    )


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",")]


def run(args: argparse.Namespace) -> int:
    options = run_options(args)
    from ..bots.registry import bot_named
    from ..lab import ArenaExperiment
    from ..lab.run.checkpoint import seed_in
    from ..lab.stats.ratings import can_rate
    from .runs.progress import ROUNDS
    from .runs.runner import run

    if not can_rate():
        raise CommandError(NO_RATINGS)
    bots = bots_in(args.bots or [])
    rounds = count("--rounds", args.rounds, MOST_ROUNDS)
    seats = str(len(bots)) if args.seats is None else args.seats
    setting = setting_of(args.edition, seats, "random", {"scoring": "quick", **options_in(args.option)})
    league = args.league or len(bots) != setting.players
    if league and len(set(bots)) < len(bots):
        raise CommandError("Where every pair of bots meets, each is named once: name as many bots as seats, or others.")
    for name in dict.fromkeys(bots):
        bot_named(name).close()  # refuse unknown bots before anything is played
    seed = options.seed
    if args.seed is None and args.out is not None:
        seed = seed_in(args.out) or seed
    experiment = ArenaExperiment(setting, bots, rounds=rounds, seed=seed, league=league)
    if rounds % setting.players and not options.quiet:
        print(
            f"{rounds:,} rounds are no whole number of deals: {experiment.arena.deals * setting.players:,} are played, "
            "so that every bot sits in every seat equally often.",
            file=sys.stderr,
        )
    return run(experiment, options, ROUNDS)


def bots_in(names: list[str]) -> tuple[str, ...]:
    if not 2 <= len(names) <= MOST_BOTS:
        raise CommandError(f"Name 2 to {MOST_BOTS} bots, like --bots master,regular; not {len(names)}.")
    for name in names:
        if not name or not name.isprintable():
            raise CommandError(f"A bot has a name that can be printed and typed again, not {name[:40]!r}.")
    return tuple(names)
