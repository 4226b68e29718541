"""Compare two settings: what a rule changes, with 95 % confidence intervals of every difference.

--a and --b take settings as NAME=VALUE,NAME=VALUE…: edition, players, policy and every option of the rules.  The other
arguments set what they leave out.  Match i of both is played with the same seed (common random numbers).
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from . import CommandError
from .runs.run_options import add_run_arguments, add_setting_arguments, match_run_options, options_in, setting_of

if TYPE_CHECKING:
    from ..bulk.batches import Setting

EXAMPLE = """examples:
  flipdeck compare --a edition=classic --b edition=splash
  flipdeck compare --policy eager --b stacking=on,jump_in=on --games 20000 --out report
  flipdeck compare --players 2 --a policy=eager,random --b policy=random,eager"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--a", default="", metavar="N=V[,N=V…]", help="the first setting")
    parser.add_argument("--b", default="", metavar="N=V[,N=V…]", help="the second setting")
    add_setting_arguments(parser)
    add_run_arguments(parser)


def run(args: argparse.Namespace) -> int:
    options = match_run_options(args)
    a, b = setting_in("--a", args.a, args), setting_in("--b", args.b, args)
    if a == b:
        raise CommandError("--a and --b are the same setting: there is nothing to compare.")
    from ..lab import Comparison
    from .runs.progress import MATCHES
    from .runs.runner import run

    comparison = Comparison(a, b, games=options.games, seed=options.seed, table=options.table)
    return run(comparison, options, MATCHES)


def setting_in(name: str, text: str, args: argparse.Namespace) -> Setting:
    """Parse ``--a`` or ``--b``; a part without = continues the value before it."""
    parts: list[str] = []
    for part in text.split(",") if text.strip() else []:
        if "=" in part:
            parts.append(part)
        elif parts:
            parts[-1] += f",{part}"
        else:
            raise CommandError(f"{name} is written NAME=VALUE,NAME=VALUE…, not {text[:40]!r}.")
    values = options_in(parts)
    edition = values.pop("edition", args.edition)
    players = values.pop("players", args.players)
    policy = values.pop("policy", values.pop("policies", args.policy))
    return setting_of(edition, players, policy, {**options_in(args.option), **values})
