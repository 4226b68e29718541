"""A server lives as long as its lease: it renews it whatever else fails, and gives up its tables before others may."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping

import pytest

from flipdeck.server.journal import Clock, LeaseEnded, Renewal, Unavailable
from flipdeck.server.journal.memory import MemoryJournal
from flipdeck.server.lease import NodeLease

from .playing import play_on
from .seats import SeatClient
from .sitting import Hall, Ledger, at_once, hall


class WatchedLedger(Ledger):
    """Notes when leases were renewed; what a test names fails, or never answers."""

    def __init__(self) -> None:
        super().__init__()
        self.renewals: list[float] = []
        self.broken: set[str] = set()
        self.hanging: set[str] = set()

    async def renew(self, node: str, seconds: float) -> Renewal:
        self.renewals.append(asyncio.get_running_loop().time())
        await self._way("renew")
        return await super().renew(node, seconds)

    async def begin_lease(self, node: str, seconds: float, kinds: Collection[str] = ()) -> Renewal:
        await self._way("renew")
        return await super().begin_lease(node, seconds, kinds)

    async def note_clocks(self, node: str, clocks: Mapping[str, Clock]) -> None:
        await self._way("note_clocks")
        await super().note_clocks(node, clocks)

    async def _way(self, what: str) -> None:
        if what in self.broken:
            raise Unavailable("As the test asked.")
        if what in self.hanging:
            await asyncio.get_running_loop().create_future()


async def moves(seats: list[SeatClient], versions: int = 3) -> None:
    end = seats[0].version + versions
    await play_on(seats, lambda: seats[0].version >= end)


async def come_to(seats: list[SeatClient], other: Hall) -> list[SeatClient]:
    """The same people at another server."""
    there = [other.seat(seat.code, seat.token) for seat in seats]
    for seat in there:
        assert (await seat.connect())["type"] == "welcome"
    return there


@pytest.mark.parametrize("how", ["broken", "hanging"])
@at_once
async def test_clocks_that_can_not_be_noted_keep_no_lease_from_being_renewed(how: str) -> None:
    ledger = WatchedLedger()
    async with hall(ledger, lease_seconds=6) as it:
        seats = await it.sit(2, turn_seconds=300)
        getattr(ledger, how).add("note_clocks")
        await asyncio.sleep(120)
        assert all(seat.on_line for seat in seats)
        assert it.lobby.lease.losses == 0
        await moves(seats)
        getattr(ledger, how).clear()


@at_once
async def test_one_renewal_is_enough_however_many_tables_there_are() -> None:
    ledger = WatchedLedger()
    async with hall(ledger, lease_seconds=6) as it:
        for _ in range(20):
            await it.make()
        ledger.renewals.clear()
        await asyncio.sleep(60)
        assert len(ledger.renewals) in (39, 40)


@pytest.mark.parametrize("how", ["broken", "hanging"])
@at_once
async def test_a_node_that_can_not_renew_gives_up_its_tables_before_another_may_take_them(how: str) -> None:
    ledger = WatchedLedger()
    loop = asyncio.get_running_loop()
    async with hall(ledger, lease_seconds=6) as it:
        seats = await it.sit(2)
        node = it.lobby.lease.node
        await asyncio.sleep(0.1)
        ends = ledger._leases[node]
        while ledger._leases[node] == ends:  # a renewal begins and ends
            await asyncio.sleep(0.01)
        ends = ledger._leases[node]
        getattr(ledger, how).add("renew")
        for seat in seats:
            assert (await seat.hear("bye"))["code"] == "unavailable"
        assert ends - 1 < loop.time() < ends
        assert it.lobby.lease.node != node
        assert (await seats[0].connect())["code"] == "unavailable"
        getattr(ledger, how).clear()
        await asyncio.sleep(6)
        assert it.lobby.lease.losses == 1
        for seat in seats:
            assert (await seat.connect(have=seat.version))["missed"] == []
        await moves(seats)


@at_once
async def test_a_server_that_stood_still_past_its_lease_writes_nothing_and_begins_as_a_new_node() -> None:
    """Another has its table; the journal's answer comes when the process goes on."""
    ledger = Ledger()
    async with hall(ledger, lease_seconds=6) as first, hall(ledger, lease_seconds=6) as second:
        seats = await first.sit(2)
        await moves(seats)
        ledger._leases[first.lobby.lease.node] = 0.0  # as if it had stood still
        others = await come_to(seats, second)
        await moves(others)
        written = await ledger.load(seats[0].code)
        mover = next(seat for seat in seats if seat.on_turn)
        await mover.send("move", version=mover.version, move=mover.view["legal"][-1])
        for seat in seats:
            assert (await seat.hear("bye"))["code"] == "unavailable"
        assert await ledger.load(seats[0].code) == written
        await asyncio.sleep(6)
        assert first.lobby.lease.losses == 1
        assert (await first.make()).code


@at_once
async def test_in_doubt_a_server_that_lost_its_table_shows_nothing_of_the_next() -> None:
    """An append whose answer is lost, and another server that plays on before the journal is asked what is there."""
    ledger = Ledger()
    async with hall(ledger, lease_seconds=6) as first, hall(ledger, lease_seconds=6) as second:
        seats = await first.sit(2)
        await moves(seats)
        mover = next(seat for seat in seats if seat.on_turn)
        ledger.losing_answers = True
        await mover.send("move", version=mover.version, move=mover.view["legal"][-1])
        assert (await mover.hear("refused"))["code"] == "unavailable"
        ledger.losing_answers = False
        ledger._leases[first.lobby.lease.node] = 0.0
        others = await come_to(seats, second)
        await moves(others)
        heard = [len(seat.told) for seat in seats]
        await mover.send("move", version=mover.version, move=mover.view["legal"][-1])
        for seat, count in zip(seats, heard, strict=True):
            assert (await seat.hear("bye"))["code"] == "unavailable"
            assert "update" not in [message["type"] for message in seat.told[count:]]


class LateJournal(MemoryJournal):
    """Answers about leases when the test says so, and what it says."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[str, asyncio.Future[Renewal]]] = []

    async def renew(self, node: str, seconds: float) -> Renewal:
        del seconds
        return await self._answer(node)

    async def begin_lease(self, node: str, seconds: float, kinds: Collection[str] = ()) -> Renewal:
        del seconds, kinds
        return await self._answer(node)

    async def _answer(self, node: str) -> Renewal:
        answer: asyncio.Future[Renewal] = asyncio.get_running_loop().create_future()
        self.asked.append((node, answer))
        return await answer

    async def next_asked(self, task: asyncio.Task[object]) -> asyncio.Future[Renewal]:
        before = len(self.asked)
        while len(self.asked) == before and not task.done():
            await asyncio.sleep(0)
        return self.asked[-1][1]


async def leased() -> tuple[LateJournal, NodeLease]:
    """A node whose lease runs."""
    journal = LateJournal()
    lease = NodeLease(journal, 6, lambda: None, lambda _: None)
    beginning = asyncio.create_task(lease.hold())
    (await journal.next_asked(beginning)).set_result(Renewal())
    await beginning
    return journal, lease


@at_once
async def test_a_late_answer_about_a_node_that_was_given_up_does_not_give_up_the_next_one() -> None:
    journal, lease = await leased()
    renewing = [asyncio.create_task(lease.renew()) for _ in range(2)]
    await asyncio.sleep(0)
    (_, first), (_, late) = journal.asked[-2:]
    first.set_exception(LeaseEnded("Too late."))
    with pytest.raises(LeaseEnded):
        await renewing[0]
    beginning = asyncio.create_task(lease.hold())
    (await journal.next_asked(beginning)).set_result(Renewal())
    node = await beginning
    late.set_exception(LeaseEnded("Too late."))
    with pytest.raises(LeaseEnded):
        await renewing[1]
    assert (lease.node, lease.runs, lease.losses) == (node, True, 1)
    await lease.stop()


@at_once
async def test_a_lease_that_began_for_a_node_that_was_given_up_meanwhile_is_nobody_s() -> None:
    journal, lease = await leased()
    renewing = asyncio.create_task(lease.renew())
    renewal = await journal.next_asked(renewing)
    lease._until = 0.0  # as if the process had stood still
    beginning = asyncio.create_task(lease.hold())
    begun = await journal.next_asked(beginning)
    renewal.set_exception(LeaseEnded("Too late."))
    with pytest.raises(LeaseEnded):
        await renewing
    begun.set_result(Renewal())
    with pytest.raises(LeaseEnded):
        await beginning
    assert not lease.runs
    await lease.stop()
