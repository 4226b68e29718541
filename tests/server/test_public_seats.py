"""An address sits at few public tables at a time."""

from __future__ import annotations

import asyncio
from collections import Counter

from flipdeck.wire import rest
from flipdeck.wire.parts import Settings

from .running import running
from .seats import SeatClient, new_address
from .sitting import Hall, at_once, hall, refused
from .steered import live

HERE, THERE = "203.0.113.7", "198.51.100.8"


async def public_tables(it: Hall, count: int, seats: int = 3) -> list[SeatClient]:
    """The hosts of so many tables, each from an address of their own."""
    hosts = []
    for _ in range(count):
        made = await it.make(settings={"seats": seats, "public": True})
        hosts.append(it.seat(made.code, made.token))
        await hosts[-1].connect()
    return hosts


@live
async def test_one_address_does_not_get_all_the_free_public_seats() -> None:
    """Once it had all 37 in 0.7 seconds, without ever connecting."""
    async with running() as server:
        settings = Settings(seats=4, public=True)
        hosts = [
            await server.app.lobby.make(rest.NewTable("Ana", settings), f"203.0.113.{number}") for number in range(12)
        ]
        asked = [
            server.http.post(f"/api/tables/{host.code}/seats", json={"name": f"Taker {number}"})
            for number in range(3)
            for host in hosts
        ]
        answers = await asyncio.gather(*asked)
        told = Counter((answer.status_code, answer.json().get("code") == "limit") for answer in answers)
        assert told == {(201, False): 9, (503, True): 27}
        assert len({answer.json()["code"] for answer in answers if answer.status_code == 201}) == 3


@at_once
async def test_an_address_sits_at_three_public_tables_and_at_no_more() -> None:
    async with hall() as it:
        hosts = await public_tables(it, 5)
        for host in hosts[:3]:
            await it.enter(host.code, "Ben", address=HERE)
        refusal = await refused(it.join(hosts[3].code, "Ben", address=HERE))
        assert (refusal.code, refusal.facts) == ("limit", {"what": "public tables"})
        assert (await refused(it.make(settings={"public": True}, address=HERE))).code == "limit", "nor makes one"
        assert (await it.join(hosts[3].code, "Cleo", address=THERE)).seat == 1
        assert (await it.join(hosts[0].code, "Bea", address=HERE)).seat == 2, "at the same table, a family may sit"
        private = await it.make(settings={"public": False}, address=HERE)
        assert (await it.join(private.code, "Bob", address=HERE)).seat == 1, "private tables don't count"


@at_once
async def test_a_hundred_requests_at_once_get_no_more_than_one_after_the_other() -> None:
    async with hall() as it:
        hosts = await public_tables(it, 20)
        asked = (it.lobby.join(host.code, rest.Join("Ben"), HERE) for host in hosts for _ in range(2))
        answers = await asyncio.gather(*asked, return_exceptions=True)
        assert len({answer.code for answer in answers if isinstance(answer, rest.Seated)}) == 3
        made = await asyncio.gather(
            *(it.make(settings={"public": True}, address=THERE) for _ in range(9)), return_exceptions=True
        )
        assert sum(isinstance(answer, rest.Seated) for answer in made) == 3


@at_once
async def test_whoever_gets_up_may_sit_down_elsewhere() -> None:
    async with hall() as it:
        hosts = await public_tables(it, 5)
        bens = [await it.enter(host.code, "Ben", address=HERE) for host in hosts[:3]]
        assert (await refused(it.join(hosts[3].code, "Ben", address=HERE))).code == "limit"
        await bens[0].do("leave")
        assert (await it.join(hosts[3].code, "Ben", address=HERE)).seat == 1
        assert (await refused(it.join(hosts[4].code, "Ben", address=HERE))).code == "limit"
        await asyncio.sleep(21)  # a seat that nobody comes to counts as long as it is kept
        assert (await it.join(hosts[4].code, "Ben", address=HERE)).seat == 1


@at_once
async def test_a_seat_counts_for_the_address_that_plays_it_and_is_never_refused_to_its_player() -> None:
    async with hall() as it:
        hosts = await public_tables(it, 5)
        bens = [await it.enter(host.code, "Ben", address=new_address()) for host in hosts[:4]]
        for ben in bens:
            ben.address = HERE
            assert (await ben.connect())["type"] == "welcome"
        assert (await refused(it.join(hosts[4].code, "Ben", address=HERE))).code == "limit"
        for ben in bens[:2]:
            ben.address = THERE
            await ben.connect()
        assert (await it.join(hosts[4].code, "Ben", address=HERE)).seat == 1


@at_once
async def test_the_limit_is_a_setting() -> None:
    async with hall(most_public_seats=1) as it:
        hosts = await public_tables(it, 2)
        await it.enter(hosts[0].code, "Ben", address=HERE)
        assert (await refused(it.join(hosts[1].code, "Ben", address=HERE))).code == "limit"
