"""The history checker finds what it is for: each guard is taken away in turn, and it must notice.

A guard that can be removed without anybody noticing is not known to work.
"""

from __future__ import annotations

import asyncio
import logging
import math
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from flipdeck.server.journal.postgres import appending
from flipdeck.server.lease import NodeLease
from flipdeck.server.table.actor import Table

from .local_nodes import LocalHistory, local_cluster
from .node_faults import befall
from .short_journals import short_journals
from .steered import run

Plant = Callable[[pytest.MonkeyPatch], None]
SEQUENCE = "b.seq - b.place = coalesce((SELECT max(e.seq) FROM entries e WHERE e.code = b.code), 0)"
TRIES = 6  # faults are random: the one that shows it may take some


@pytest.fixture(autouse=True)
def nothing_is_logged() -> Iterator[None]:
    logging.disable()
    yield
    logging.disable(logging.NOTSET)


def change(statement: str, old: str, new: str) -> str:
    assert statement.count(old) == 1, "the statement has changed, and this plant with it"
    return statement.replace(old, new)


def without_fencing(patch: pytest.MonkeyPatch) -> None:
    unfenced = change(appending.APPEND, "FROM b JOIN own USING (code, epoch)", "FROM b JOIN own USING (code)")
    patch.setattr(appending, "APPEND", change(unfenced, " AND own.epoch = b.epoch", ""))


def without_sequence(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(appending, "APPEND", change(appending.APPEND, SEQUENCE, "true"))


def without_giving_up(patch: pytest.MonkeyPatch) -> None:
    def extend(lease: NodeLease, _: float) -> None:
        lease._until = math.inf

    patch.setattr(NodeLease, "_extend", extend)


def acknowledged_too_early(patch: pytest.MonkeyPatch) -> None:
    async def append(queue: appending.AppendQueue, table: str, epoch: int, seq: int, *rest: Any) -> None:
        writing = asyncio.get_running_loop().create_task(usual(queue, table, epoch, seq, *rest))
        if seq == 1:  # or there would be no table at all
            await writing
        writing.add_done_callback(lambda done: done.cancelled() or done.exception())

    usual = appending.AppendQueue.append
    patch.setattr(appending.AppendQueue, "append", append)


def without_memory_of_commands(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Table, "_known", lambda *_: None)


async def tried(faults: tuple[str, ...]) -> None:
    async with local_cluster(random.Random(7), 3, 3) as history:
        for _ in range(TRIES):
            for fault in faults:
                await befall(history, fault)


@pytest.mark.parametrize(
    ("plant", "faults", "found"),
    [
        (without_fencing, ("an entry arrives late",), "an entry was written by a server that does not own the table"),
        (without_giving_up, ("cut off from the database",), "the table went back"),
        (acknowledged_too_early, ("killed when journal:before-commit",), "what was acknowledged was lost|went back"),
        (without_memory_of_commands, ("lines lost", "answer lost"), "acknowledged, then refused|carried out twice"),
    ],
    ids=lambda each: each.__name__ if callable(each) else "",
)
def test_a_guard_that_is_missing_is_noticed(
    plant: Plant, faults: tuple[str, ...], found: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    with short_journals(), pytest.raises(AssertionError, match=found):
        run(tried(faults))


# ---------------------------------------------------------------- a database that loses what it has acknowledged
async def forget_the_last_entries(history: LocalHistory) -> None:
    """As one does that was restored from a copy, or whose standby has taken over too early."""
    await history.go_on()
    last = "SELECT max(seq) - 2 FROM entries e WHERE e.code = entries.code"
    await history.database.fetch(f"DELETE FROM entries WHERE seq > ({last})")  # noqa: S608
    await asyncio.sleep(5.0)
    await history.check()


async def forgetting() -> None:
    async with local_cluster(random.Random(7), 2, 2) as history:
        await forget_the_last_entries(history)


def test_a_database_that_has_forgotten_entries_gets_no_gap() -> None:
    """Nothing is appended to it any more; what was acknowledged is lost, and only there."""
    run(forgetting())


def test_a_gap_that_nobody_prevents_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    without_sequence(monkeypatch)
    with pytest.raises(AssertionError, match="a gap between entries"):
        run(forgetting())
