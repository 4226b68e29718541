"""Long journals wake in a thread that leaves the loop its time, and only once."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from typing import Any

import pytest

from flipdeck.server.config import Config
from flipdeck.server.journal import JournalError, StoredSnapshot
from flipdeck.server.journal.memory import MemoryJournal
from flipdeck.server.registry import Registry
from flipdeck.server.slices import finish_in_slices
from flipdeck.server.table import entries, snapshot, waking
from flipdeck.server.table.context import Context
from flipdeck.server.table.state import MOST_MISSED
from flipdeck.server.table.waking import LONG, Replayer, replay_long
from flipdeck.server.thinkers.inline import InlineThinkers

from .journals import HOUR, claim
from .test_snapshot import known
from .test_state import made, sat

CODE = "T"  # of the tables that test_state makes


def long_journal(count: int, playing: bool = False) -> list[bytes]:
    """The waiting room of a table where people come and go, and then play."""
    bodies = [entries.encode(made())]
    for number in range(count):
        seat = number // 2 % 4
        bodies.append(entries.encode(entries.Cleared(seat=seat) if number % 2 else sat(seat, f"N{number}")))
    if playing:
        bodies += [entries.encode(sat(seat, f"P{seat}")) for seat in range(4)]
        bodies.append(entries.encode(entries.Started()))
        state = entries.replay(bodies)
        assert state.match is not None
        while len(bodies) < count + MOST_MISSED + 50:
            actor = state.to_act
            assert actor is not None
            moved = entries.Moved(seat=actor, move=str(state.match.legal(actor)[-1]))
            entries.apply(state, moved)
            bodies.append(entries.encode(moved))
    return bodies


class Threads:
    """Which threads apply entries."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seen: dict[int, int] = {}
        real = entries.apply

        def apply(*of: Any) -> Any:
            me = threading.get_ident()
            self.seen[me] = self.seen.get(me, 0) + 1
            return real(*of)

        monkeypatch.setattr(waking, "apply", apply)


@pytest.mark.parametrize("from_state", [False, True])
def test_a_long_journal_takes_nothing_of_the_loop(from_state: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    bodies, threads = long_journal(LONG + 500), Threads(monkeypatch)
    start = entries.replay(bodies[:100]) if from_state else None
    state = asyncio.run(Replayer().replay(bodies[100:] if from_state else bodies, start)).state
    assert threading.get_ident() not in threads.seen
    assert sum(threads.seen.values()) == len(bodies) - (100 if from_state else 1)
    assert known(state) == known(entries.replay(bodies))


def test_a_short_journal_needs_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    bodies, threads = long_journal(LONG - 1), Threads(monkeypatch)
    assert asyncio.run(Replayer().replay(bodies)).snapshot is None
    assert set(threads.seen) == {threading.get_ident()}


@pytest.mark.parametrize(("count", "on_loop"), [(1499, True), (1500, True), (1501, False)])
def test_as_many_entries_as_a_good_journal_may_have_are_replayed_on_the_loop(
    count: int, on_loop: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """1,000 from one snapshot to the next, 400 for those who come back, and some more."""
    bodies, threads = long_journal(count - 1), Threads(monkeypatch)
    assert len(bodies) == count
    asyncio.run(Replayer().replay(bodies))
    assert (threading.get_ident() in threads.seen) == on_loop


def test_the_snapshot_of_a_long_replay_is_where_those_who_come_back_may_have_been() -> None:
    bodies = long_journal(LONG, playing=True)
    state, kept, _ = finish_in_slices(replay_long(bodies))
    assert kept is not None
    assert kept.seq == len(bodies) - MOST_MISSED
    start = snapshot.from_bytes(kept.body)
    assert start is not None
    again = asyncio.run(Replayer().replay(bodies[kept.seq :], start)).state
    assert known(again) == known(state) == known(entries.replay(bodies))


def test_a_large_snapshot_is_read_in_the_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    state = entries.replay(long_journal(10))
    readers: list[int] = []
    real = snapshot.from_bytes

    def noted(stored: bytes) -> Any:
        readers.append(threading.get_ident())
        return real(stored)

    monkeypatch.setattr(snapshot, "from_bytes", noted)
    for commands in (1, 10_000):
        state.seats[0].done.update({f"command {number}": number for number in range(commands)})
        stored = snapshot.to_bytes(snapshot.take(state))
        start = asyncio.run(Replayer().restore(stored))
        assert start is not None
        assert known(start) == known(state)
        assert (len(stored) > waking.LARGE) == (readers[-1] != threading.get_ident())


class NotingJournal(MemoryJournal):
    """What whoever wakes a table is given."""

    def __init__(self) -> None:
        super().__init__()
        self.given: list[int] = []
        self.loads = 0  # beside those of take_up

    async def take_up(self, table: str, node: str, tail: int = 0) -> Any:
        taken = await super().take_up(table, node, tail)
        self.given.append(0 if taken is None else len(taken.entries))
        return taken

    async def load(self, table: str, after: int = 0, epoch: int | None = None) -> list[bytes]:
        self.loads += 1
        return await super().load(table, after, epoch)


async def woken_twice(bodies: Sequence[bytes], damaged: bool) -> tuple[NotingJournal, list[tuple[Any, ...]]]:
    """The journal, and the table as it was each time.  Nothing happens in between."""
    journal = NotingJournal()
    await journal.open()
    epoch = await claim(journal, CODE, "another", HOUR)
    for seq, body in enumerate(bodies, 1):
        await journal.append(CODE, epoch, seq, body)
    if damaged:
        await journal.keep_snapshot(CODE, epoch, StoredSnapshot(len(bodies) - MOST_MISSED, b"of another version"))
    await journal.release(CODE, epoch)
    seen = []
    for _ in range(2):
        rooms = Registry(Context(journal, InlineThinkers()), Config())
        table = await rooms.wake(CODE)
        assert table is not None
        seen.append(known(table.state))
        await rooms.close()
    return journal, seen


@pytest.mark.parametrize("playing", [False, True])
@pytest.mark.parametrize("damaged", [False, True])
def test_a_long_journal_is_replayed_once(playing: bool, damaged: bool) -> None:
    """Looking at the table costs nobody anything again, even where nothing has happened at it since."""
    bodies = long_journal(LONG + 100, playing)
    journal, seen = asyncio.run(woken_twice(bodies, damaged))
    assert seen == [known(entries.replay(bodies))] * 2
    assert journal.given == [MOST_MISSED if damaged else len(bodies), MOST_MISSED if playing else 1]
    assert journal.loads == damaged, "the second time the snapshot could be read"


def test_a_journal_that_can_not_write_a_snapshot_wakes_its_table_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    async def refuse(*_: Any) -> None:
        raise JournalError("full")

    monkeypatch.setattr(MemoryJournal, "compact", refuse)
    monkeypatch.setattr(MemoryJournal, "keep_snapshot", refuse)
    for playing in (False, True):
        bodies = long_journal(LONG + 100, playing)
        _, seen = asyncio.run(woken_twice(bodies, damaged=False))
        assert seen == [known(entries.replay(bodies))] * 2
