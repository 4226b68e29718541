"""Hundreds of faults: whatever befalls several servers on one database, nothing acknowledged is lost, nothing was shown
that is not committed, entries have no gap, every command was carried out once, epochs rise, and only owners write.

The servers are in this process, and the database is a real one; ``test_clusters`` does some of the same to processes.
"""

from __future__ import annotations

import logging
import random
from collections import Counter
from collections.abc import Iterator

import pytest

from tests.thorough import THOROUGH

from .local_nodes import LocalHistory, local_cluster
from .node_faults import FAULTS, RARE, befall
from .short_journals import short_journals
from .steered import run

EVENINGS = 76 if THOROUGH else 8
FEWEST = 2_000 if THOROUGH else 200  # faults in all
NODES, TABLES = 3, 3


@pytest.fixture(autouse=True)
def nothing_is_logged() -> Iterator[None]:
    """Servers are killed all the time, and to write that down takes its time."""
    logging.disable()
    yield
    logging.disable(logging.NOTSET)


async def evening(seed: int) -> Counter[str]:
    """Every fault once, in any order; what has happened."""
    dice = random.Random(seed)
    order = dice.sample(sorted(FAULTS), len(FAULTS))
    if seed % 4 == 0:
        order.insert(dice.randrange(len(order)), dice.choice(sorted(RARE)))
    async with local_cluster(dice, NODES, TABLES) as history:
        for name in order:
            try:
                await befall(history, name)
            except BaseException as error:
                error.add_note(f"Evening {seed}: {name}, after {dict(history.faults)}")
                raise
        check_owners(history)
        return history.faults


def check_owners(history: LocalHistory) -> None:
    """The faults had an effect: tables went from server to server."""
    assert all(audit.owners > NODES for audit in history.audits.values())


def test_nothing_acknowledged_is_lost_whatever_befalls_the_servers() -> None:
    faults: Counter[str] = Counter()
    with short_journals():
        for seed in range(EVENINGS):
            faults += run(evening(seed))
    assert set(faults) == set(FAULTS | RARE)
    assert faults.total() >= FEWEST, faults
