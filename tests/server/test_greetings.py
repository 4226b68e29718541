"""A seat is for whoever connects: taken and not greeted, it is free again after a while."""

from __future__ import annotations

import asyncio

import pytest

from flipdeck.server.table import entries
from flipdeck.server.table.greetings import LAPSE_SECONDS, NOTED_SECONDS

from .sitting import Hall, Ledger, at_once, hall


def kinds(it: Hall, code: str) -> list[str]:
    return [seat_state.kind for seat_state in it.table(code).state.seats]


@at_once
async def test_a_seat_whose_person_never_connects_is_free_again() -> None:
    """Once a seat could be taken for ever by one request."""
    async with hall() as it:
        (ann,) = await it.sit(1, seats=3, start=False)
        ben = await it.join(ann.code, "Ben")
        await asyncio.sleep(19.9)
        assert kinds(it, ann.code) == ["person", "person", "empty"]
        await asyncio.sleep(0.2)
        assert kinds(it, ann.code) == ["person", "empty", "empty"]
        assert [seat["kind"] for seat in ann.table["seats"]] == ["person", "empty", "empty"]
        assert (await it.seat(ann.code, ben.token).connect())["code"] == "bad-token"
        assert (await it.join(ann.code, "Ben", token=ben.token)).seat == 1, "it is nobody's fault: they may come again"


@at_once
async def test_whoever_has_connected_once_keeps_the_seat() -> None:
    async with hall() as it:
        (ann,) = await it.sit(1, seats=3, start=False)
        ben = await it.enter(ann.code, "Ben")
        ben.hang_up()
        await asyncio.sleep(10 * LAPSE_SECONDS)
        assert kinds(it, ann.code) == ["person", "person", "empty"]


@at_once
async def test_a_greeting_that_comes_in_the_last_moment_is_not_overtaken() -> None:
    ledger = Ledger()
    async with hall(ledger) as it:
        (ann,) = await it.sit(1, seats=3, start=False)
        joined = await it.join(ann.code, "Ben")
        await asyncio.sleep(LAPSE_SECONDS - 0.05)
        ledger.slow = 0.2
        busy = asyncio.create_task(ann.do("seat_bot", seat=2))  # the table is busy when the time is up
        await asyncio.sleep(0.01)
        ben = it.seat(ann.code, joined.token)
        coming = asyncio.create_task(ben.connect())
        await busy
        assert (await coming)["type"] == "welcome"
        await asyncio.sleep(5)
        assert kinds(it, ann.code) == ["person", "person", "bot"]
        assert ben.on_line


@at_once
async def test_a_table_that_could_sleep_waits_until_the_seat_has_lapsed() -> None:
    """Otherwise the seat would be taken for ever."""
    async with hall(sleep_seconds=60) as it:
        (ann,) = await it.sit(1, seats=3, start=False)
        ann.hang_up()
        await asyncio.sleep(55)
        await it.join(ann.code, "Ben")
        await asyncio.sleep(2 * LAPSE_SECONDS)
        await ann.connect()
        assert [seat["kind"] for seat in ann.table["seats"]] == ["person", "empty", "empty"]


@at_once
async def test_in_a_match_no_seat_lapses() -> None:
    async with hall() as it:
        (ann,) = await it.sit(1, seats=2, start=False)
        await it.join(ann.code, "Ben")
        await ann.do("start")
        await asyncio.sleep(2 * LAPSE_SECONDS)
        assert kinds(it, ann.code) == ["person", "person"]


@at_once
async def test_a_host_who_is_alone_has_all_the_time_and_with_somebody_else_there_as_long_as_anybody() -> None:
    async with hall(sleep_seconds=3600) as it:
        made = await it.make(settings={"seats": 3})
        await asyncio.sleep(5 * LAPSE_SECONDS)
        assert kinds(it, made.code) == ["person", "empty", "empty"]
        ben = await it.enter(made.code, "Ben")
        await asyncio.sleep(LAPSE_SECONDS - 1)
        assert kinds(it, made.code)[0] == "person"
        await asyncio.sleep(2)
        assert kinds(it, made.code) == ["empty", "person", "empty"]
        assert ben.table["seats"][1]["host"]
        await ben.do("clear_seat", seat=0)


@at_once
async def test_seats_that_lapsed_leave_nothing_behind() -> None:
    async with hall() as it:
        (ann,) = await it.sit(1, seats=3, start=False)
        for _ in range(20):
            await it.join(ann.code, "Ben")
            await it.join(ann.code, "Cleo")
            await asyncio.sleep(LAPSE_SECONDS + 1)
        assert kinds(it, ann.code) == ["person", "empty", "empty"]
        assert len(it.table(ann.code)._greetings._awaited) <= 2


@at_once
async def test_after_a_restart_a_seat_whose_person_never_came_lapses_as_late_after_the_table_woke() -> None:
    """Once a restart made it theirs for ever."""
    async with hall(sleep_seconds=3600) as it:
        (ann,) = await it.sit(1, seats=3, start=False)
        await it.join(ann.code, "Ben")
        await asyncio.sleep(LAPSE_SECONDS - 1)
        it.fall_over()
        await asyncio.sleep(5)  # nobody wakes it
        await ann.connect()
        await asyncio.sleep(LAPSE_SECONDS - 0.1)
        assert kinds(it, ann.code) == ["person", "person", "empty"]
        await asyncio.sleep(0.2)
        assert kinds(it, ann.code) == ["person", "empty", "empty"]


@at_once
@pytest.mark.parametrize("story", ["stays", "goes at once", "gives a command"])
async def test_after_a_restart_whoever_had_connected_keeps_the_seat(story: str) -> None:
    async with hall(sleep_seconds=3600) as it:
        (ann,) = await it.sit(1, seats=3, start=False)
        ben = await it.enter(ann.code, "Ben")
        if story == "stays":
            await asyncio.sleep(NOTED_SECONDS + 0.1)
        elif story == "goes at once":
            ben.hang_up()
            await asyncio.sleep(0.1)
        else:
            await ben.do("pledge", pledge="ab" * 32)
        it.fall_over()
        await ann.connect()
        await asyncio.sleep(5 * LAPSE_SECONDS)
        assert kinds(it, ann.code) == ["person", "person", "empty"]


@at_once
async def test_who_gives_a_command_costs_no_further_entry() -> None:
    ledger = Ledger()
    async with hall(ledger) as it:
        (ann,) = await it.sit(1, seats=3, start=False)
        ben = await it.enter(ann.code, "Ben")
        await ben.do("pledge", pledge="ab" * 32)
        await asyncio.sleep(2 * NOTED_SECONDS)
        ben.hang_up()
        await asyncio.sleep(1)
        greeted = [entry["seat"] for entry in await ledger.written(ann.code) if entry["what"] == "greeted"]
        assert greeted == [0]


@at_once
async def test_after_a_restart_a_reserved_seat_whose_person_never_came_lapses() -> None:
    async with hall(sleep_seconds=3600) as it:
        (ann,) = await it.sit(1, bots={1: "rookie"}, takeover=True)
        await it.join(ann.code, "Ben")
        it.fall_over()
        await ann.connect()
        assert it.table(ann.code).state.reserved
        await asyncio.sleep(LAPSE_SECONDS + 0.1)
        assert not it.table(ann.code).state.reserved


def test_in_a_journal_from_before_no_seat_is_taken_for_one_without_a_greeting() -> None:
    old = b'{"what":"sat","seat":0,"name":"Ann","token":"t"}'
    entry = entries.decode(old)
    assert isinstance(entry, entries.Sat)
    assert not entry.newcomer().awaits_greeting


@at_once
async def test_a_journal_that_fails_puts_the_lapse_off_and_no_more() -> None:
    ledger = Ledger()
    async with hall(ledger) as it:
        (ann,) = await it.sit(1, seats=3, start=False)
        await it.join(ann.code, "Ben")
        ledger.failing = True
        await asyncio.sleep(LAPSE_SECONDS + 3)
        assert kinds(it, ann.code) == ["person", "person", "empty"]
        ledger.failing = False
        await asyncio.sleep(5)
        assert kinds(it, ann.code) == ["person", "empty", "empty"]
