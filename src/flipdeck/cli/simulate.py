"""Play many matches and tell what happened in them, with 95 % confidence intervals.

Ctrl-C ends it early with the result so far.
"""

from __future__ import annotations

import argparse

from .runs.run_options import add_run_arguments, add_setting_arguments, options_in, plan_of, setting_of

EXAMPLE = """examples:
  flipdeck simulate --games 10000 --policy eager
  flipdeck simulate --edition splash --players 3 --option stacking=on --out report
  flipdeck simulate --players 2 --policy eager,random --seed abc --json"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_setting_arguments(parser)
    add_run_arguments(parser)


def run(args: argparse.Namespace) -> int:
    plan = plan_of(args)
    setting = setting_of(args.edition, args.players, args.policy, options_in(args.option))
    from .runs.experiments import Simulation
    from .runs.run import run

    return run(Simulation(setting), plan)
