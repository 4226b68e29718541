"""A snapshot is the table: whoever goes on from one is where whoever replays all entries is."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import Any

import pytest

from flipdeck.core import editions
from flipdeck.core.events import Event
from flipdeck.core.record import parse
from flipdeck.server.journal import StoredSnapshot
from flipdeck.server.table import entries, snapshot
from flipdeck.server.table.known_kinds import KnownKinds
from flipdeck.server.table.seats import SeatState
from flipdeck.server.table.shortener import Shortener
from flipdeck.server.table.snapshot import SeatSnapshot, TableSnapshot
from flipdeck.server.table.state import MOST_MISSED, TableState
from flipdeck.server.table.waking import Replayer
from flipdeck.wire.parts import TablePhase
from tests.server.short_journals import TAIL, short_journals

from .playing import play_on, play_out
from .seats import print_of
from .sitting import Ledger, at_once, hall
from .test_state import lived, made, now, sat
from .virtual import run

NOT_KEPT = {"steps", "steps_since"}  # they come from the entries after it


def known(state: TableState) -> tuple[Any, ...]:
    """All that a snapshot has to keep."""
    plain = now(state)[:-1]
    match = None if state.match is None else (state.match.secret_state(), state.match.record())
    return (*plain, state.rounds, [seat_state.done for seat_state in state.seats], match)


def told(missed: Iterable[tuple[int, Sequence[Event]]] | None) -> list[tuple[int, list[Event]]] | None:
    return None if missed is None else [(version, list(events)) for version, events in missed]


def test_a_table_goes_on_from_a_snapshot_at_any_version_as_from_its_entries() -> None:
    for seed in range(4):
        state, written = lived(seed, editions.NAMES[seed])
        followed = entries.begin(written[0])
        for at, entry in enumerate(written[1:], 2):
            entries.apply(followed, entry)
            if at % 40 == seed:
                start = snapshot.from_bytes(snapshot.to_bytes(snapshot.take(followed)))
                assert start is not None
                assert known(start) == known(followed)
                again = run(Replayer().replay([*map(entries.encode, written[at:])], start)).state
                assert known(again) == known(state)
                assert again.missed_since(at - 1) is None, "what was before the snapshot is not known"
                if state.since <= at and len(state.steps) < MOST_MISSED:
                    assert told(again.missed_since(at)) == told(state.missed_since(at))


def test_nothing_of_a_table_or_a_seat_is_forgotten() -> None:
    """A new field has to be kept, or named here."""
    assert {*vars(made().make_state())} - NOT_KEPT == {*TableSnapshot.__struct_fields__}
    assert {spec.name for spec in fields(SeatState)} == {*SeatSnapshot.__struct_fields__}


def test_a_compacted_table_is_an_entry_that_reads_back() -> None:
    state = made().make_state()
    entries.apply(state, sat(0, "Ann"))
    state.seats[0].note_done("c1", 2)
    again = entries.replay([entries.encode(entries.Compacted(state=snapshot.take(state)))])
    assert known(again) == known(state)
    assert again.host is again.seats[0]
    assert entries.version_of(entries.encode(entries.Compacted(state=snapshot.take(state)))) == entries.VERSION


@pytest.mark.parametrize("harm", ["cut", "bit", "version", "empty"])
def test_a_snapshot_that_is_damaged_or_of_another_version_is_not_read(harm: str) -> None:
    whole = snapshot.to_bytes(snapshot.take(made().make_state()))
    bit = bytes([*whole[:60], whole[60] ^ 4, *whole[61:]])
    other = whole.replace(b"snapshot 1", b"snapshot 0", 1)
    harmed = {"cut": whole[:-1], "bit": bit, "version": other, "empty": b""}[harm]
    assert snapshot.from_bytes(harmed) is None
    assert snapshot.from_bytes(whole) is not None


# ---------------------------------------------------------------- waking
class CountingJournal(Ledger):
    """How many entries whoever wakes a table was given."""

    given = 0

    async def take_up(self, table: str, node: str, tail: int = 0) -> Any:
        taken = await super().take_up(table, node, tail)
        self.given = 0 if taken is None else len(taken.entries)
        return taken


@at_once
async def test_waking_replays_few_entries_however_many_the_journal_has() -> None:
    """Once everything that had ever happened was replayed, while every other table stood still."""
    ledger = CountingJournal()
    async with hall(ledger, sleep_seconds=10) as it:
        ann, ben = await it.sit(2)
        table = it.table(ann.code)
        for _ in range(1500):
            await ben.do("leave")
            await ben.connect()
            await ben.reach(table.state.version)
        ann.hang_up()
        ben.hang_up()
        as_it_was = print_of(table)
        await asyncio.sleep(60)
        assert not it.lobby.tables
        assert (await ann.connect())["version"] == len(await ledger.load(ann.code)) > 3000
        assert ledger.given <= MOST_MISSED + 1000 + 1
        assert print_of(it.table(ann.code)) == as_it_was


class StepClock:
    """A clock on which every look takes a while."""

    def __init__(self, seconds: float = 0.001) -> None:
        self.now = 0.0
        self._seconds = seconds

    def __call__(self) -> float:
        self.now += self._seconds
        return self.now


def test_others_have_their_turn_while_a_long_journal_is_replayed(monkeypatch: pytest.MonkeyPatch) -> None:
    written = [entries.encode(made()), *(entries.encode(sat(seat % 4, f"N{seat}")) for seat in range(400))]

    async def story() -> tuple[int, TableState, TableState]:
        monkeypatch.setattr(asyncio.get_running_loop(), "time", StepClock(0.0001))
        replayer, turns = Replayer(), 0
        both = [asyncio.ensure_future(replayer.replay(written)) for _ in range(2)]
        while not all(each.done() for each in both):
            turns += 1
            await asyncio.sleep(0)
        return turns, both[0].result().state, both[1].result().state

    turns, one, other = asyncio.run(story())
    assert one.version == other.version == 401
    assert 75 <= turns <= 95, "two milliseconds at a time, some 20 entries, of all tables together, and then others"


# ---------------------------------------------------------------- whole tables
@at_once
async def test_a_match_goes_on_through_restarts_from_snapshots_and_rematches_are_compacted() -> None:
    ledger = Ledger()
    with short_journals():
        async with hall(ledger) as it:
            seats = await it.sit(2, {2: "casual"}, options={"target": 60, "hand_size": 3})
            ann = seats[0]
            for match in range(1, 4):
                while ann.table["phase"] != "over":
                    end = ann.version + 7
                    await play_on(seats, lambda end=end: ann.version >= end or ann.table["phase"] == "over")  # type: ignore[misc]
                    await play_on(seats, lambda: bool(ann.table["phase"] != "between"))
                    before = print_of(it.table(ann.code))
                    it.fall_over()
                    for seat in seats:
                        await seat.connect(have=seat.version)
                    assert print_of(it.table(ann.code)) == before
                assert ann.table["match"] == match
                await ann.do("rematch")
                first = entries.decode((await ledger.load(ann.code))[0])
                assert isinstance(first, entries.Compacted)
                assert first.state.version == ann.version
                version = await ann.do("start")
                for seat in seats:
                    await seat.reach(version)
                assert await it.lobby.replay(first.state.last.replay if first.state.last else "", "a")


@at_once
async def test_a_snapshot_that_can_not_be_read_costs_time_and_nothing_else() -> None:
    ledger = Ledger()
    with short_journals():
        async with hall(ledger) as it:
            seats = await it.sit(2, options={"target": 1000})
            ann = seats[0]
            await play_on(seats, lambda: ann.version >= 40)
            before, kept = print_of(it.table(ann.code)), ledger._tables[ann.code]
            assert kept.snapshots
            kept.snapshots = [StoredSnapshot(each.seq, each.body[:-1]) for each in kept.snapshots]
            it.fall_over()
            assert (await ann.connect())["type"] == "welcome"
            assert print_of(it.table(ann.code)) == before


@at_once
async def test_whoever_was_away_longer_than_the_steps_reach_gets_a_fresh_view() -> None:
    with short_journals():
        async with hall() as it:
            seats = await it.sit(2, options={"target": 1000})
            ann, ben = seats
            early = ann.version
            await play_on(seats, lambda: ann.version >= early + 40)
            it.fall_over()
            assert (await ann.connect(have=early))["missed"] is None
            assert len((await ben.connect(have=ben.version - TAIL))["missed"]) == TAIL


@at_once
async def test_a_waiting_room_is_compacted_too() -> None:
    ledger = Ledger()
    with short_journals():
        async with hall(ledger) as it:
            (ann,) = await it.sit(1, seats=3, start=False)
            for _ in range(10):
                await ann.do("seat_bot", seat=1, level="rookie")
                await ann.do("clear_seat", seat=1)
            assert len(await ledger.load(ann.code)) < 12
            assert ann.version > 20


@at_once
async def test_a_match_over_is_kept_whole_though_it_woke_in_the_middle() -> None:
    with short_journals():
        async with hall() as it:
            seats = await it.sit(2, options={"target": 60, "hand_size": 3})
            await play_on(seats, lambda: seats[0].version >= 20 or seats[0].table["phase"] == "over")
            it.fall_over()
            for seat in seats:
                await seat.connect()
            await play_out(seats)
            assert parse(await it.lobby.replay(seats[0].table["replay"], "a")).over


# ---------------------------------------------------------------- how often
class SnapshotSpy:
    """Where a table's snapshots go; and whether one is taken with a version that ends a round, or does not."""

    def __init__(self, state: TableState) -> None:
        self.state, self.seqs = state, list[int]()
        self.shortener = Shortener(state, self, 1, state.version, KnownKinds())  # type: ignore[arg-type]  # no more is asked of it

    async def keep_snapshot(self, table: str, epoch: int, kept: StoredSnapshot, tail: int) -> None:
        del table, epoch, tail
        self.seqs.append(kept.seq)

    async def reach(self, entries_later: int, phase: TablePhase) -> bool:
        self.state.version += entries_later
        self.state.phase = phase
        before = len(self.seqs)
        self.shortener.changed(entries.SaidReady(seat=0))
        await asyncio.sleep(0)
        return len(self.seqs) > before


def test_a_round_ends_with_a_snapshot_and_a_long_one_has_one_every_thousand_entries() -> None:
    async def story() -> None:
        spy = SnapshotSpy(made().make_state())
        assert not await spy.reach(39, "between")
        assert not await spy.reach(0, "over")
        assert await spy.reach(1, "between")
        assert not await spy.reach(999, "playing")
        assert await spy.reach(1, "playing")
        assert not await spy.reach(39, "between")
        assert await spy.reach(40, "over")

    asyncio.run(story())


def test_a_large_snapshot_is_not_taken_again_with_every_short_round() -> None:
    """So that entries make up for its size: 500 bytes each."""

    async def story() -> None:
        spy = SnapshotSpy(made().make_state())
        spy.state.seats[0].done.update({f"{number:095}": number for number in range(1000)})
        assert await spy.reach(40, "between")
        assert 195 * 500 < spy.shortener._size < 205 * 500
        assert not await spy.reach(194, "between")
        assert await spy.reach(11, "between")

    asyncio.run(story())
