"""A server that is reached for a table of another, living one asks for it; clients only have to come back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from flipdeck.server.table.timers import RETURN_SECONDS
from flipdeck.server.takeover import ASK_AGAIN_SECONDS, LONGEST_HOLD, QUIET_SECONDS, Holds
from flipdeck.wire.connection import CLOSE_CODES, ELSEWHERE_SECONDS, RECONNECT

from .playing import play_on
from .seats import SeatClient, print_of
from .sitting import Hall, Ledger, at_once, hall, refused, stop_renewing


class DeafLedger(Ledger):
    """Nobody hears that a table is wanted before the next renewal."""

    def watch(self, asked: object) -> None:
        del asked


class AskedLedger(Ledger):
    """Notes when a table was asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[float] = []

    async def ask_for(self, table: str, seconds: float) -> None:
        self.asked.append(asyncio.get_running_loop().time())
        await super().ask_for(table, seconds)


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


# ---------------------------------------------------------------- those who ask for no good reason
async def keep_coming(seat: SeatClient) -> None:
    """A client that does as it is told, for ever."""
    while True:
        if not seat.on_line:
            answer = await seat.connect()
            await asyncio.sleep(answer.get("facts", {}).get("retry_after", 0))
        await asyncio.sleep(0.25)


@at_once
async def test_a_spectator_who_asks_at_the_wrong_server_all_the_time_keeps_no_player_off() -> None:
    """In an hour the players lose the table 16 times: after 10, 20, 40, 80, 160 and then every 300 seconds."""
    async with two_servers(hold_seconds=10) as (_, first, second):
        seats = await first.sit(2)
        hostile = second.seat(seats[0].code)
        coming = [asyncio.create_task(keep_coming(seat)) for seat in (*seats, hostile)]
        seconds_off = 0
        for _ in range(3600):
            await asyncio.sleep(1)
            seconds_off += not all(seat.on_line for seat in seats)
        for each in coming:
            each.cancel()
        assert 5 <= first.lobby.handed_over <= 16
        assert second.lobby.handed_over <= first.lobby.handed_over
        assert seconds_off <= 4 * first.lobby.handed_over


@at_once
async def test_a_table_of_spectators_alone_goes_to_its_players_at_once() -> None:
    async with two_servers(hold_seconds=3600) as (_, first, second):
        seats = await first.sit(2)
        for seat in seats:
            seat.hang_up()
        await second.watcher(seats[0].code)
        assert (await seats[0].connect())["type"] == "welcome"
        assert (second.lobby.handed_over, second.lobby.kept) == (1, 0)


def test_the_holding_time_doubles_up_to_a_bound_and_is_the_usual_one_after_a_quiet_time() -> None:
    holds, times = Holds(10), []
    for _ in range(40):
        times.append(holds.seconds("A", 50))
        holds.note_given("A", 50)
    assert times[:7] == [10, 20, 40, 80, 160, LONGEST_HOLD, LONGEST_HOLD]
    assert times[-1] == LONGEST_HOLD < QUIET_SECONDS
    assert holds.seconds("B", 50) == 10
    assert holds.seconds("A", 50 + QUIET_SECONDS) == LONGEST_HOLD
    assert holds.seconds("A", 51 + QUIET_SECONDS) == 10
    holds.note_given("A", 51 + QUIET_SECONDS)
    assert holds.seconds("A", 51 + QUIET_SECONDS) == 20
    never, long = Holds(0), Holds(3600)
    for hold in (never, long):
        hold.note_given("A", 50)
    assert (never.seconds("A", 50), long.seconds("A", 50)) == (0, 3600)


@at_once
async def test_whoever_only_looks_takes_no_table_from_another_server() -> None:
    async with two_servers(hold_seconds=0) as (_, first, second):
        seats = await first.sit(2)
        for _ in range(3):
            assert (await refused(second.lobby.find(seats[0].code, "looker", asks=False))).code == "table-elsewhere"
        await asyncio.sleep(10)
        assert (first.lobby.handed_over, first.lobby.kept) == (0, 0)
        assert all(seat.on_line for seat in seats)
        await first.lobby.close()
        table = await second.lobby.find(seats[0].code, "looker", asks=False)
        assert table.state.code == seats[0].code, "it belongs to nobody now"


@at_once
async def test_whoever_wants_a_table_while_another_looks_at_it_asks_for_it() -> None:
    async with two_servers(hold_seconds=0) as (_, first, second):
        code = (await first.sit(2))[0].code
        looking, asking = second.lobby.find(code, "looker", asks=False), second.lobby.find(code, "player")
        assert list(await asyncio.gather(looking, asking)) == [second.table(code)] * 2


@at_once
async def test_however_many_want_a_table_its_server_is_asked_every_other_second() -> None:
    ledger = AskedLedger()
    async with two_servers(ledger, hold_seconds=3600) as (_, first, second):
        seats = await first.sit(2)
        coming = [asyncio.create_task(keep_coming(second.seat(seats[0].code))) for _ in range(5)]
        await asyncio.sleep(60)
        for each in coming:
            each.cancel()
        assert 10 <= len(ledger.asked) <= 60 / ASK_AGAIN_SECONDS + 1


@pytest.mark.parametrize("steps", range(6))
@at_once
async def test_whoever_is_on_the_way_in_when_a_table_goes_is_told_to_come_back(steps: int) -> None:
    """Once they were welcomed at a table that was not there any more, and heard nothing from then on."""
    ledger, halls = Ledger(), list[Hall]()

    def let_go(later: int) -> None:
        if later:
            asyncio.get_running_loop().call_soon(let_go, later - 1)
        else:
            halls[0].lobby._let_go(list(halls[0].lobby.tables))

    def step(name: str) -> None:
        if name == "woken":
            let_go(steps)

    async with hall(ledger, lease_seconds=6) as first, hall(ledger, step=step, lease_seconds=6) as second:
        halls.append(second)
        looking = second.seat((await first.make()).code)
        await looking.connect()
        await asyncio.sleep(1)
        assert looking.on_line == (looking.code in second.lobby.tables)


@at_once
async def test_whoever_comes_to_a_table_that_has_just_gone_is_told_to_come_back() -> None:
    async with hall() as it:
        seats = await it.sit(2)
        it.table(seats[0].code).close()
        looking = it.seat(seats[0].code)
        assert (await looking.connect())["code"] == "shutting-down"
