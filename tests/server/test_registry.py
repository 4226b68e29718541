"""Tables that nobody is at leave memory and come back whole; two servers never play one table."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, cast

import pytest

from flipdeck.server import registry
from flipdeck.server.journal import Journal, StoredReplay, Unavailable
from flipdeck.wire.connection import ELSEWHERE_SECONDS

from .journals import write_replay
from .playing import play_on, play_out
from .seats import SeatClient, print_of
from .sitting import Hall, Ledger, at_once, hall, refused


async def some_moves(seats: list[SeatClient], versions: int = 8) -> None:
    end = seats[0].version + versions
    await play_on(seats, lambda: seats[0].version >= end or seats[0].table["phase"] == "over")


# ---------------------------------------------------------------- sleeping
@at_once
async def test_a_table_that_nobody_is_at_leaves_memory_and_wakes_with_everything() -> None:
    async with hall(sleep_seconds=60) as it:
        ann, ben = seats = await it.sit(2, {2: "casual", 3: "regular"}, turn_seconds=30)
        await some_moves(seats)
        await play_on(seats, lambda: ann.on_turn)
        await asyncio.sleep(5)
        as_it_was, hand = print_of(it.table(ann.code)), ann.view["hand"]
        for seat in seats:
            seat.hang_up()
        await asyncio.sleep(50)
        assert ann.code in it.lobby.tables
        await asyncio.sleep(20)
        assert not it.lobby.tables
        welcome = await ann.connect(have=ann.version)
        assert print_of(it.table(ann.code)) == as_it_was
        assert (welcome["missed"], welcome["view"]["hand"]) == ([], hand)
        assert welcome["clock"] == {"seat": 0, "left_ms": 25_000, "of_ms": 30_000, "running": True}
        await ben.connect()
        await some_moves(seats)  # and the bots are there


@at_once
async def test_what_holds_a_table_awake_is_anybody_who_looks_at_it() -> None:
    async with hall(sleep_seconds=10) as it:
        (ann,) = await it.sit(1, seats=2, start=False)
        looking = await it.watcher(ann.code)
        ann.hang_up()
        await asyncio.sleep(600)
        assert ann.code in it.lobby.tables
        looking.hang_up()
        await asyncio.sleep(15)
        assert not it.lobby.tables


@at_once
async def test_a_table_that_everybody_has_left_stands_still_and_goes_to_sleep() -> None:
    async with hall(sleep_seconds=10) as it:
        (ann,) = await it.sit(1, {1: "rookie", 2: "rookie"}, speed="fast")
        version = await ann.do("leave")
        await asyncio.sleep(5)
        assert it.table(ann.code).state.version == version  # bots don't play for themselves
        await asyncio.sleep(30)
        assert not it.lobby.tables
        welcome = await ann.connect()
        assert (welcome["version"], welcome["table"]["seats"][0]["left"]) == (version, True)
        await ann.hear("update")
        assert not ann.table["seats"][0]["left"]


@at_once
async def test_people_who_do_nothing_for_hours_are_sent_home_and_the_table_is_kept() -> None:
    async with hall(idle_seconds=3600) as it:
        ann, ben = await it.sit(2)
        await asyncio.sleep(3000)
        await ben.say("chat", text="Still there?")
        await asyncio.sleep(3000)
        assert ann.on_line
        await asyncio.sleep(700)
        assert [seat.told[-1]["code"] for seat in (ann, ben)] == ["closed", "closed"]
        await asyncio.sleep(100)
        assert not it.lobby.tables
        assert (await ann.connect())["table"]["phase"] == "playing"


@at_once
async def test_a_table_is_not_woken_beyond_the_limit_and_is_not_lost_by_that() -> None:
    async with hall(most_tables=1, sleep_seconds=10) as it:
        (first,) = await it.sit(1, {1: "rookie"})
        first.hang_up()
        await asyncio.sleep(30)
        (second,) = await it.sit(1, {1: "rookie"})
        assert (await first.connect())["code"] == "limit"
        second.hang_up()
        await asyncio.sleep(30)
        assert (await first.connect())["type"] == "welcome"


@at_once
async def test_many_who_wake_a_table_at_once_wake_one_table() -> None:
    async with hall(sleep_seconds=10) as it:
        seats = await it.sit(4)
        for seat in seats:
            seat.hang_up()
        await asyncio.sleep(30)
        assert not it.lobby.tables
        welcomes = await asyncio.gather(*(seat.connect() for seat in seats))
        assert [welcome["you"] for welcome in welcomes] == [0, 1, 2, 3]
        assert len(it.table(seats[0].code).connections) == 4


@at_once
async def test_a_match_is_played_to_its_end_through_one_restart_after_another() -> None:
    async with hall() as it:
        seats = await it.sit(2, {2: "casual"}, options={"target": 120}, turn_seconds=60)
        ann = seats[0]
        while ann.table["phase"] != "over":
            await some_moves(seats, 5)
            await play_on(seats, lambda: bool(ann.table["phase"] != "between"))
            before = print_of(it.table(ann.code))
            await it.restart()
            assert [seat.told[-1]["code"] for seat in seats] == ["shutting-down", "shutting-down"]
            for seat in seats:
                assert (await seat.connect(have=seat.version))["missed"] == []
            assert print_of(it.table(ann.code)) == before
        assert (await refused(it.lobby.replay("x", "a"))).code == "no-replay"
        assert await it.lobby.replay(ann.table["replay"], "a")


@at_once
async def test_a_table_that_sleeps_is_freed_without_the_garbage_collector() -> None:
    """Once hundreds that slept stayed in memory for hours, until it looked at them."""
    async with hall(sleep_seconds=10) as it:
        seats = await it.sit(2, {2: "casual"}, turn_seconds=30)
        await some_moves(seats)
        code = seats[0].code
        gc.collect()
        gc.disable()
        for seat in seats:  # a refusal is remembered, and must not remember where it was raised
            await seat.refusal_to("rematch")
        try:
            table = it.table(code)
            parts = (table, table.state, table.presence, table._timers, table._bot_driver, table.state.match)
            alive = [weakref.ref(part) for part in parts if part is not None]
            del table, parts
            for seat in seats:
                seat.hang_up()
            await asyncio.sleep(60)
            assert not it.lobby.tables
            assert [type(part).__name__ for each in alive if (part := each()) is not None] == []
        finally:
            gc.enable()


# ---------------------------------------------------------------- forgetting
DAY = 24 * 3600.0


@pytest.fixture
def seldom(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables are looked after from time to time only: days are long."""
    monkeypatch.setattr(registry, "_MAINTENANCE_SECONDS", 600.0)


@pytest.mark.usefixtures("seldom")
@at_once
async def test_a_server_that_is_told_to_forgets_what_nobody_has_touched_for_so_long() -> None:
    ledger = Ledger()
    async with hall(ledger, prune_days=3, sleep_seconds=60, idle_seconds=604_800, lease_seconds=3600) as it:
        old, played = await it.make(), await it.sit(2)
        await write_replay(ledger, "OVER", StoredReplay("old", "record"))
        await asyncio.sleep(2.5 * DAY)
        assert await ledger.first(old.code) is not None
        assert await ledger.replay("old")
        await asyncio.sleep(2 * DAY)
        assert await ledger.first(old.code) is None
        assert await ledger.replay("old") is None
        await some_moves(played)  # what is played is there, however long somebody thinks


@pytest.mark.usefixtures("seldom")
@at_once
async def test_what_has_become_old_while_the_server_was_down_is_forgotten_when_it_starts() -> None:
    ledger = Ledger()
    async with hall(ledger) as it:
        old = await it.make()
    await asyncio.sleep(4 * DAY)
    async with hall(ledger, prune_days=3):
        await asyncio.sleep(601)
        assert await ledger.first(old.code) is None


@pytest.mark.usefixtures("seldom")
@at_once
async def test_a_server_that_is_not_told_to_forgets_nothing() -> None:
    ledger = Ledger()
    async with hall(ledger, lease_seconds=3600) as it:
        old = await it.make()
        await asyncio.sleep(5 * DAY)
        assert await ledger.first(old.code) is not None


@pytest.mark.usefixtures("seldom")
@at_once
async def test_a_clock_that_jumps_ahead_does_not_make_a_table_old_at_which_people_play() -> None:
    ledger = Ledger()
    async with hall(ledger, prune_days=3, idle_seconds=604_800, lease_seconds=3600) as it:  # renewed seldom too
        seats = await it.sit(2)
        await asyncio.sleep(DAY + 300)  # it is almost time
        real = ledger._now
        ledger._now = lambda: real() + 1e9
        await asyncio.sleep(1300)  # the lease has ended by that clock, and others could have taken the table
        for seat in seats:
            await seat.connect()
        await some_moves(seats)


# ---------------------------------------------------------------- two servers
class WayTo:
    """The way of one server to a journal that others use too; it can be cut."""

    def __init__(self, journal: Ledger) -> None:
        self.cut = False
        self._journal = journal

    def __getattr__(self, name: str) -> Any:
        if self.cut:
            raise Unavailable("The way is cut.")
        return getattr(self._journal, name)


async def played_at(first: Hall) -> list[SeatClient]:
    seats = await first.sit(2, options={"target": 5000})
    await some_moves(seats, 4)
    return seats


def over_there(seat: SeatClient, second: Hall) -> SeatClient:
    return second.seat(seat.code, seat.token)


@asynccontextmanager
async def two_servers() -> AsyncIterator[tuple[Ledger, WayTo, Hall, Hall, list[SeatClient]]]:
    """On one journal, to which the way of the first can be cut; a table is played at the first."""
    ledger = Ledger()
    way = WayTo(ledger)
    patient = {"lease_seconds": 30, "hold_seconds": 3600}  # the first lets it go only if it must
    async with hall(cast(Journal, way), **patient) as first, hall(ledger, **patient) as second:
        yield ledger, way, first, second, await played_at(first)


@at_once
async def test_a_second_server_gets_a_table_only_when_the_lease_of_the_first_has_run_out() -> None:
    async with two_servers() as (_, way, first, second, seats):
        ann = over_there(seats[0], second)
        for _ in range(4):  # the first renews its lease as long as it lives
            await asyncio.sleep(25)
            refusal = await ann.connect()
            assert (refusal["code"], refusal["facts"]) == ("table-elsewhere", {"retry_after": ELSEWHERE_SECONDS})
        assert (await refused(second.join(ann.code, "Zoe"))).code == "table-elsewhere"
        as_it_was = print_of(first.table(ann.code))
        way.cut = True
        await asyncio.sleep(35)
        welcome = await ann.connect(have=seats[0].version)
        assert (welcome["type"], welcome["missed"]) == ("welcome", [])
        assert print_of(second.table(ann.code)) == as_it_was
        way.cut = False


@at_once
async def test_the_server_that_lost_a_table_writes_nothing_more_and_tells_its_clients() -> None:
    async with two_servers() as (ledger, way, _, second, seats):
        way.cut = True
        await asyncio.sleep(35)
        others = [over_there(seat, second) for seat in seats]
        for seat in others:
            await seat.connect()
        await some_moves(others, 3)
        written = await ledger.load(seats[0].code)
        way.cut = False
        mover = next(seat for seat in seats if seat.on_turn)
        await mover.send("move", version=mover.version, move=mover.view["legal"][-1])
        for seat in seats:
            assert (await seat.hear("bye"))["code"] == "unavailable"
        assert await ledger.load(seats[0].code) == written
        assert (await mover.connect())["code"] == "table-elsewhere"
        await some_moves(others, 3)


@at_once
async def test_those_who_only_wait_are_told_too_when_their_server_has_lost_the_table() -> None:
    async with two_servers() as (_, way, first, second, seats):
        way.cut = True
        await asyncio.sleep(35)
        await over_there(seats[0], second).connect()
        way.cut = False
        for seat in seats:
            assert (await seat.hear("bye"))["code"] == "unavailable"
        await asyncio.sleep(5)
        assert not first.lobby.tables


@at_once
async def test_a_server_that_stops_hands_its_tables_over_at_once() -> None:
    ledger = Ledger()
    async with hall(ledger, lease_seconds=3600) as first, hall(ledger) as second:
        seats = await played_at(first)
        as_it_was = print_of(first.table(seats[0].code))
        await first.lobby.close()
        others = [over_there(seat, second) for seat in seats]
        for seat in others:
            assert (await seat.connect())["type"] == "welcome"
        assert print_of(second.table(seats[0].code)) == as_it_was
        await play_out(await second.sit(2, options={"target": 1}))
        assert (await refused(first.make())).code == "shutting-down"
