"""Play many matches and report statistics of them, with 95 % confidence intervals.

Ctrl-C ends the run early with the result so far.
"""

from __future__ import annotations

import argparse

from .runs.run_options import add_run_arguments, add_setting_arguments, match_run_options, options_in, setting_of

EXAMPLE = """examples:
  flipdeck simulate --games 10000 --policy eager
  flipdeck simulate --edition splash --players 3 --option stacking=on --out report
  flipdeck simulate --players 2 --policy eager,random --seed abc --json"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_setting_arguments(parser)
    add_run_arguments(parser)


def run(args: argparse.Namespace) -> int:
    options = match_run_options(args)
    setting = setting_of(args.edition, args.players, args.policy, options_in(args.option))
    from ..lab import Simulation
    from .runs.progress import MATCHES
    from .runs.runner import run

    simulation = Simulation(setting, games=options.games, seed=options.seed, table=options.table)
    return run(simulation, options, MATCHES)
