"""Compile the rules for this machine ahead of time, so that no later command waits for it.

The cache is valid until the rules, Python, Numba or NumPy change.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING, Any

from . import OK
from .runs.run_options import require_bulk

if TYPE_CHECKING:
    from ..bulk.batches import Setting

EXAMPLE = """example:
  flipdeck warm"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    del parser  # it has none


def run(args: argparse.Namespace) -> int:
    del args
    require_bulk()
    from ..bulk.batches import Setting
    from ..lab.run.warm_up import compiled_code

    setting, started = Setting(), perf_counter()
    for name, (use, used) in _kernels().items():
        print(f"{name}: ", end="", flush=True)
        begun = perf_counter()
        use(setting)
        compiled = any(kernel.stats.cache_misses for kernel in used)
        print(f"compiled in {perf_counter() - begun:.1f} s" if compiled else "ready", flush=True)
    print(f"Compiled ({perf_counter() - started:.1f} s) into {compiled_code().parent}")
    return OK


def _kernels() -> dict[str, tuple[Callable[[Setting], None], tuple[Any, ...]]]:
    """Name: the smallest call that compiles the kernels, and the kernels."""
    from ..bots.belief.memory import Memory
    from ..bots.master import Master
    from ..bulk import kernels, searching, self_play
    from ..bulk.batches import play, roll_out
    from ..bulk.playing import start_match
    from ..bulk.vector import VectorGames
    from ..core.cards import Seat
    from ..core.match import Match
    from ..core.seeds import BYTES, key_words
    from ..lab.train.trainer import Trainer

    def matches(setting: Setting) -> None:
        for _ in play(setting, bytes(BYTES), 0, 1):
            pass

    def rollouts(setting: Setting) -> None:
        game = setting.game()
        start_match(game, key_words(bytes(BYTES)), 0)
        roll_out([game], setting, 1)

    def side_by_side(setting: Setting) -> None:
        games = VectorGames(setting, 1)
        games.step(games.masks.argmax(axis=1))

    def search(setting: Setting) -> None:
        match = Match(setting.edition, 2, seed="warm")
        seat = Seat(match.to_act or 0)
        memory = Memory(match.options, 2, seat)
        memory.see((), match.view(seat))
        Master(worlds=1).tried(memory, match.legal(seat), random.Random(0))  # noqa: S311

    def training(setting: Setting) -> None:
        del setting  # it has tables of its own
        trainer = Trainer("warm", 1, 1)
        trainer.warm_up()
        trainer.close()

    return {
        "Matches": (matches, (kernels.play_matches,)),
        "Rollouts": (rollouts, (kernels.roll_out,)),
        "Games side by side": (side_by_side, (kernels.start_games, kernels.look, kernels.step_games)),
        "Search": (search, (searching.try_moves,)),
        "Training": (training, (self_play.play_rounds, self_play.add_gradients)),
    }
