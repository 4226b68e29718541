"""Before the host has been there, nobody else has their rights; afterwards, while they are away, anybody has."""

from __future__ import annotations

import asyncio

import pytest

from .running import running
from .sitting import Ledger, at_once, hall
from .steered import live


@live
async def test_a_guest_who_is_there_before_the_host_can_not_clear_seats_seat_bots_or_start() -> None:
    async with running() as server:
        host = await server.make(seats=3, bots={"2": "rookie"})
        guest = await server.join(host["code"])
        ben = await server.greet(host["code"], guest["token"])
        assert ben.table["awaits_host"]
        for command, fields in (
            ("clear_seat", {"seat": 0}),
            ("clear_seat", {"seat": 2}),
            ("seat_bot", {"seat": 2}),
            ("start", {}),
        ):
            answer = await ben.command(command, **fields)
            assert (answer["type"], answer["code"]) == ("refused", "not-host")
        ana = await server.greet(host["code"], host["token"])
        assert not ana.table["awaits_host"]
        assert (await ana.command("start"))["type"] == "ack"


@pytest.mark.parametrize("guest_first", [True, False])
@pytest.mark.parametrize("restart", ["none", "graceful", "killed"])
@at_once
async def test_once_the_host_has_been_there_the_table_can_do_without_them(guest_first: bool, restart: str) -> None:
    async with hall() as it:
        made = await it.make(settings={"seats": 3})
        ann = it.seat(made.code, made.token)
        if guest_first:
            ben = await it.enter(made.code, "Ben")
            await ann.connect()
        else:
            await ann.connect()
            ben = await it.enter(made.code, "Ben")
        await asyncio.sleep(1)
        if restart == "none":
            ann.hang_up()
        elif restart == "graceful":
            await it.restart()
            await ben.connect()
        else:
            it.fall_over()
            await ben.connect()
        assert not ben.table["awaits_host"]
        await ben.do("seat_bot", seat=2)
        await ben.do("start")


@pytest.mark.parametrize("killed", [True, False])
@at_once
async def test_a_host_who_never_came_is_still_awaited_after_a_restart(killed: bool) -> None:
    async with hall() as it:
        made = await it.make(settings={"seats": 3})
        if killed:
            it.fall_over()
        else:
            await it.restart()
        ben = await it.enter(made.code, "Ben")
        assert ben.table["awaits_host"]
        assert await ben.refusal_to("seat_bot", seat=2) == ("not-host", "not-host")
        assert await ben.refusal_to("clear_seat", seat=2) == ("not-host", "not-host")


@at_once
async def test_a_host_who_came_alone_and_went_without_a_word_was_there() -> None:
    ledger = Ledger()
    async with hall(ledger, sleep_seconds=5) as it:
        made = await it.make(settings={"seats": 3})
        ann = it.seat(made.code, made.token)
        await ann.connect()
        ann.hang_up()
        await asyncio.sleep(30)
        assert not it.lobby.tables, "the table sleeps"
        ben = await it.enter(made.code, "Ben")
        await ben.do("seat_bot", seat=2)
        assert [entry["what"] for entry in await ledger.written(made.code)].count("hostcame") == 1
