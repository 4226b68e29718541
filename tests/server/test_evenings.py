"""Friends on bad lines: hundreds of matches over virtual time, each with another seed; a seed that fails fails again.

python -m tests.server.evenings 217

plays one evening alone; an evening that fails prints this line with its seed.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.bots.seats import THOROUGH
from tests.patience import HANG

from .evenings import Evening, all_chance_from, command_for, evening
from .short_journals import short_journals
from .virtual import run

SEEDS = 520 if THOROUGH else 180
ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def nothing_is_logged() -> Iterator[None]:
    """The journal fails often, and to write that down takes its time; the command writes it."""
    logging.disable()
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.parametrize("seed", range(SEEDS))
def test_nothing_is_lost_doubled_or_shown_too_early_on_any_line(seed: int) -> None:
    assert evening(seed).notes > 20


AGAIN = (7, 217, 3)  # two with bots, one without


def in_a_new_process(hash_seed: str) -> list[str]:
    """What the command for a seed prints, in a process where hashes and addresses are others."""
    command = [sys.executable, *command_for(AGAIN[0]).split()[1:], *map(str, AGAIN[1:])]
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=HANG, check=True)
    return done.stdout.splitlines()


def test_an_evening_of_a_seed_is_the_same_to_the_last_byte_whenever_and_wherever_it_is_played() -> None:
    here = [f"{seed} {evening(seed)}" for seed in AGAIN]
    assert [f"{seed} {evening(seed)}" for seed in AGAIN] == here, "the second time in a process is another"
    with ThreadPoolExecutor(2) as both:
        for there in both.map(in_a_new_process, ("1", "4242")):
            assert there == here
    assert len({line.split()[2] for line in here}) == len(AGAIN), "each seed is an evening of its own"


def test_an_evening_that_fails_says_how_to_play_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(_: Evening) -> None:
        raise AssertionError("as it was told")

    monkeypatch.setattr(Evening, "play", fail)
    with pytest.raises(AssertionError) as failed:
        evening(217)
    assert "python -m tests.server.evenings 217" in failed.value.__notes__[0]


def test_storage_fails_in_evenings_in_every_way() -> None:
    """What the evenings above have lived through, some of them."""

    async def harms(seed: int) -> Counter[str]:
        it = Evening(seed)
        await it.open()
        await it.play()
        await it.settle()
        return it.harms

    seen, wanted = (
        Counter[str](),
        {"bit flipped", "entry torn", "snapshot torn", "write torn", "died with the write done"},
    )
    for seed in range(1, SEEDS, 2):
        with all_chance_from(seed), short_journals():
            seen += run(harms(seed))
        if wanted <= set(seen):
            return
    raise AssertionError(seen)
