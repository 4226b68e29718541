"""A server that is reached for a table of another, living one asks for it; clients only have to come back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from flipdeck.server.table.timers import RETURN_SECONDS
from flipdeck.wire.connection import CLOSE_CODES, ELSEWHERE_SECONDS, RECONNECT

from .playing import play_on
from .seats import SeatClient, print_of
from .sitting import Hall, Ledger, at_once, hall, stop_renewing


class DeafLedger(Ledger):
    """Nobody hears that a table is wanted before the next renewal."""

    def watch(self, asked: object) -> None:
        del asked


@asynccontextmanager
async def two_servers(ledger: Ledger | None = None, **config: float) -> AsyncIterator[tuple[Ledger, Hall, Hall]]:
    ledger = ledger or Ledger()
    config = {"lease_seconds": 6, **config}
    async with hall(ledger, **config) as first, hall(ledger, **config) as second:
        yield ledger, first, second


async def moves(seats: list[SeatClient], versions: int = 3) -> None:
    end = seats[0].version + versions
    await play_on(seats, lambda: seats[0].version >= end)


def there(seats: list[SeatClient], other: Hall) -> list[SeatClient]:
    """The same people, who reach another server."""
    return [other.seat(seat.code, seat.token) for seat in seats]


@pytest.mark.parametrize("ledger", [Ledger, DeafLedger])
@at_once
async def test_a_table_goes_over_to_the_server_that_is_reached_for_it(ledger: type[Ledger]) -> None:
    async with two_servers(ledger(), hold_seconds=10) as (journal, first, second):
        seats = await first.sit(2, turn_seconds=60)
        await moves(seats)
        await asyncio.sleep(10)
        before, epoch = print_of(first.table(seats[0].code)), first.table(seats[0].code).epoch
        others = there(seats, second)
        began = asyncio.get_running_loop().time()
        assert (await others[0].connect(have=seats[0].version))["missed"] == []
        assert asyncio.get_running_loop().time() - began < 2
        assert print_of(second.table(seats[0].code)) == before
        assert second.table(seats[0].code).epoch > epoch
        for seat in seats:
            assert (await seat.hear("bye"))["code"] == "shutting-down"
        assert CLOSE_CODES["shutting-down"] == 1012
        assert (first.lobby.handed_over, seats[0].code in first.lobby.tables) == (1, False)
        await others[1].connect()
        await moves(others)
        written = await journal.written(seats[0].code)
        assert len(written) == others[0].version


@at_once
async def test_a_table_that_was_taken_just_now_stays_and_whoever_asks_is_told_to_try_later() -> None:
    async with two_servers(hold_seconds=30) as (_, first, second):
        seats = await first.sit(2)
        ann = there(seats, second)[0]
        refusal = await ann.connect()
        assert (refusal["code"], refusal["facts"]) == ("table-elsewhere", {"retry_after": ELSEWHERE_SECONDS})
        assert ann._line.closing == CLOSE_CODES["table-elsewhere"] == 4012
        assert CLOSE_CODES["table-elsewhere"] in RECONNECT
        assert first.lobby.kept > 0
        await moves(seats)
        await asyncio.sleep(30)
        assert (await ann.connect())["type"] == "welcome"


@at_once
async def test_a_table_where_nobody_is_goes_at_once_so_that_it_can_be_made_anywhere() -> None:
    async with two_servers(hold_seconds=3600) as (_, first, second):
        seated = await first.make()
        ann = second.seat(seated.code, seated.token)
        assert (await ann.connect())["type"] == "welcome"
        assert (first.lobby.handed_over, first.lobby.kept) == (1, 0)


@at_once
async def test_whoever_comes_back_when_told_gets_the_table_when_the_holding_time_is_over() -> None:
    async with two_servers(hold_seconds=10) as (_, first, second):
        seats = await first.sit(2)
        ann = there(seats, second)[0]
        tries = 1
        while (answer := await ann.connect())["type"] != "welcome":
            assert answer["code"] == "table-elsewhere"
            tries += 1
            await asyncio.sleep(answer["facts"]["retry_after"])
        assert 2 <= tries <= 6
        for seat in seats:
            assert (await seat.hear("bye"))["code"] == "shutting-down"


@at_once
async def test_two_servers_that_are_both_reached_don_t_take_a_table_from_one_another_all_the_time() -> None:
    async with two_servers(hold_seconds=10) as (_, first, second):
        here = await first.sit(2)
        over = there(here, second)
        began = asyncio.get_running_loop().time()
        for _ in range(120):
            for seat in (here[0], over[1]):
                if not seat.on_line:
                    await seat.connect()
            await asyncio.sleep(0.5)
        passed = asyncio.get_running_loop().time() - began
        assert 1 <= first.lobby.handed_over + second.lobby.handed_over <= passed / 10 + 1


@at_once
async def test_a_claim_whose_answer_was_lost_keeps_no_table_from_another_server() -> None:
    async with two_servers() as (ledger, first, second):
        seats = await first.sit(2)
        code = seats[0].code
        await first.restart()
        await ledger.claim(code, await first.lobby.lease.hold())  # it does not know of this one
        assert (await there(seats, second)[0].connect())["type"] == "welcome"


@at_once
async def test_no_clock_is_charged_before_the_player_on_turn_is_back() -> None:
    async with two_servers(hold_seconds=0) as (_, first, second):
        seats = await first.sit(2, turn_seconds=60)
        await play_on(seats, lambda: seats[0].on_turn)
        await asyncio.sleep(15)
        ann, ben = there(seats, second)
        clock = (await ben.connect())["clock"]
        assert (clock["seat"], clock["left_ms"], clock["running"]) == (0, 45_000, False)
        await asyncio.sleep(RETURN_SECONDS - 4)
        clock = (await ann.connect())["clock"]
        assert (clock["left_ms"], clock["running"]) == (45_000, True)


@at_once
async def test_the_clock_runs_after_a_while_even_if_the_player_on_turn_does_not_come_back() -> None:
    async with two_servers(hold_seconds=0) as (_, first, second):
        seats = await first.sit(2, turn_seconds=60)
        await play_on(seats, lambda: seats[0].on_turn)
        _, ben = there(seats, second)
        version = (await ben.connect())["version"]
        await asyncio.sleep(RETURN_SECONDS + 59)
        assert second.table(ben.code).state.version == version
        await asyncio.sleep(3)
        assert second.table(ben.code).state.version > version


@at_once
async def test_a_server_that_is_asked_while_it_stops_hands_everything_over() -> None:
    async with two_servers(hold_seconds=0) as (_, first, second):
        seats = await first.sit(2, turn_seconds=60)
        ann = there(seats, second)[0]
        asked = asyncio.create_task(ann.connect())
        await asyncio.sleep(0)
        await first.lobby.close()
        assert (await asked)["type"] == "welcome"


@at_once
async def test_the_clock_waits_for_the_player_on_turn_even_if_a_server_died_before_it_noted_one() -> None:
    async with two_servers() as (ledger, first, second):
        seats = await first.sit(2, turn_seconds=60)
        await play_on(seats, lambda: seats[0].on_turn)
        for seat in seats:
            seat.hang_up()
        assert first.lobby._maintenance is not None
        first.lobby._maintenance.cancel()
        stop_renewing(first.lobby)
        ledger._tables[seats[0].code].clock = None
        ann, ben = there(seats, second)
        while (told := await ben.connect())["type"] != "welcome":
            await asyncio.sleep(1)
        assert (told["clock"]["left_ms"], told["clock"]["running"]) == (60_000, False)
        await asyncio.sleep(5)
        clock = (await ann.connect())["clock"]
        assert (clock["left_ms"], clock["running"]) == (60_000, True)
