"""``python -m tests.warm``: compile the kernels that only tests use, ahead of them.

Each is compiled by one process while the others wait for it: half a minute of processor time, once.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from filelock import FileLock

from flipdeck.bulk import kernels, searching, self_play, twin
from flipdeck.bulk.batches import Setting, run_key
from flipdeck.bulk.card_counts import EYES, printed_book
from flipdeck.bulk.features import FEATURES
from flipdeck.core.seeds import BYTES

NONE = np.zeros(0, np.int64)


def traces() -> None:
    setting = Setting()
    policies, out = setting.policy_numbers(), twin.move_list()
    kernels.trace_matches(setting.games(), run_key(bytes(BYTES)), 0, 1, 1, policies, out, NONE)


def features() -> None:
    x = np.zeros((0, FEATURES), np.float32)
    self_play.write_all(
        np.zeros(0, twin.GAME), NONE, NONE, np.zeros((0, 2), np.int64), np.array(printed_book()), np.zeros(EYES), x
    )


def worlds() -> None:
    searching.deal_worlds(np.zeros(1, twin.GAME), np.zeros(1, searching.DEAL_PLAN), np.zeros(0, twin.GAME), 1)


def environments() -> None:
    from flipdeck.envs.batch import GameBatch, Rules  # not every environment of the tests has what they need
    from flipdeck.envs.columns import OBSERVATIONS

    for observation in OBSERVATIONS:
        batch = GameBatch(Rules(players=2, observation=observation))
        batch.seed([0])
        batch.deal()
        batch.step(batch.masks.argmax(axis=1))


def compile_once(kernel: Callable[[], None]) -> None:
    folder = twin.cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    with FileLock(folder / f"{kernel.__name__}.lock"):
        kernel()


if __name__ == "__main__":
    for kernel in (traces, features, worlds, environments):
        compile_once(kernel)
