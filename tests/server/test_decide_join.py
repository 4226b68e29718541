"""Sitting down: where, under which name, and once, however often it is asked for."""

from __future__ import annotations

import asyncio
import re

import pytest
from msgspec import ValidationError, convert

from flipdeck.server.identity import new_token
from flipdeck.wire import rest

from .sitting import Hall, at_once, hall, refused


async def five_seats(it: Hall) -> str:
    return (await it.make("Ann", settings={"seats": 5}, bots={"2": "casual"})).code


@at_once
async def test_who_joins_gets_the_seat_they_ask_for_or_the_first_free_one() -> None:
    async with hall() as it:
        code = await five_seats(it)
        assert (await it.join(code, "Ben", 4)).seat == 4
        assert (await it.join(code, "Cleo")).seat == 1
        assert (await it.join(code, "Dan")).seat == 3
        assert [seat.name for seat in it.table(code).info.seats] == ["Ann", "Cleo", "Celia", "Dan", "Ben"]


@at_once
async def test_a_taken_seat_and_a_full_table_are_refused_and_change_nothing() -> None:
    async with hall() as it:
        code = await five_seats(it)
        assert (await refused(it.join(code, "Ben", 9))).reason == "no-such-seat"
        for seat in (0, 2):  # a person, a bot
            refusal = await refused(it.join(code, "Ben", seat))
            assert (refusal.code, refusal.facts) == ("seat-taken", {"seat": seat})
        assert (await refused(it.join(code, "\n"))).code == "bad-name"
        for name in ("Ben", "Cleo", "Dan"):
            await it.join(code, name)
        version = it.table(code).state.version
        assert (await refused(it.join(code, "Eve"))).code == "table-full"
        assert (await refused(it.join(code, "Eve", 1))).code == "table-full"
        assert it.table(code).state.version == version


@at_once
async def test_nobody_joins_a_match_that_has_begun() -> None:
    async with hall() as it:
        seats = await it.sit(1, {1: "rookie"})
        refusal = await refused(it.join(seats[0].code, "Ben"))
        assert (refusal.code, refusal.reason) == ("not-now", "begun")


@at_once
async def test_names_of_the_same_look_get_numbers() -> None:
    async with hall() as it:
        code = (await it.make("Ann", settings={"seats": 4})).code
        for name in ("ann", "\uff21nn", "ANN"):
            await it.join(code, name)
        names = [seat.name or "" for seat in it.table(code).info.seats]
        assert names[0] == "Ann"
        assert len({name.casefold() for name in names}) == 4
        assert [name[-2:] for name in names[1:]] == [" 2", " 3", " 4"]


@at_once
async def test_nobody_takes_the_name_of_a_bot_nor_a_bot_that_of_a_person() -> None:
    async with hall() as it:
        made = await it.make("bruno", settings={"seats": 6}, bots={"1": "rookie", "2": "rookie"})
        await it.join(made.code, "CELIA", 3)
        await it.join(made.code, "Elena", 5)
        ann = it.seat(made.code, made.token)
        await ann.connect()
        await ann.do("seat_bot", seat=4)
        names = [seat["name"] for seat in ann.table["seats"]]
        assert names == ["bruno", "Alba", "Celia", "CELIA 2", "Diego", "Elena"]


@at_once
async def test_tokens_are_secret_and_open_one_seat_each() -> None:
    async with hall() as it:
        ann = await it.make()
        ben = await it.join(ann.code, "Ben")
        assert ann.token != ben.token
        assert all(re.fullmatch(r"[A-Za-z0-9_-]{22}", token) for token in (ann.token, ben.token))
        for seated in (ann, ben):
            assert (await it.seat(ann.code, seated.token).connect())["you"] == seated.seat
        wrong = await it.seat(ann.code, ann.token[::-1]).connect()
        assert (wrong["type"], wrong["code"]) == ("refused", "bad-token")
        written = str(await it.journal.load(ann.code))
        assert ann.token not in written
        assert ben.token not in written


# ---------------------------------------------------------------- asked again, as no answer came
async def joined(it: Hall, code: str, name: str, token: str) -> int | None:
    return (await it.lobby.join(code, rest.Join(name, token=token), "10.0.0.7")).seat


@at_once
async def test_who_asks_again_with_their_own_token_has_the_seat_they_got() -> None:
    async with hall() as it:
        code = await five_seats(it)
        mine, anothers = new_token(), new_token()
        assert await joined(it, code, "Ben", mine) == 1
        version = it.table(code).state.version
        assert await joined(it, code, "Ben", mine) == 1
        assert it.table(code).state.version == version, "nothing was written"
        assert await joined(it, code, "Ben", anothers) == 3
        assert [seat.name for seat in it.table(code).info.seats] == ["Ann", "Ben", "Celia", "Ben 2", None]
        assert (await it.seat(code, mine).connect())["you"] == 1


@at_once
async def test_who_asks_twice_at_once_gets_one_seat() -> None:
    async with hall() as it:
        code, mine = await five_seats(it), new_token()
        assert set(await asyncio.gather(*(joined(it, code, "Ben", mine) for _ in range(5)))) == {1}
        assert sum(seat.kind == "person" for seat in it.table(code).info.seats) == 2


@at_once
async def test_who_asks_again_is_let_in_though_the_table_is_full_the_match_has_begun_or_the_server_was_killed() -> None:
    async with hall() as it:
        made = await it.make("Ann", settings={"seats": 2})
        mine = new_token()
        assert await joined(it, made.code, "Ben", mine) == 1
        assert await joined(it, made.code, "Ben", mine) == 1
        ann = it.seat(made.code, made.token)
        await ann.connect()
        await ann.do("start")
        assert await joined(it, made.code, "Ben", mine) == 1
        it.fall_over()
        assert await joined(it, made.code, "Ben", mine) == 1
        assert (await refused(joined(it, made.code, "Cleo", new_token()))).reason == "begun"


@at_once
async def test_whoever_has_left_sits_down_anew() -> None:
    async with hall() as it:
        made = await it.make("Ann", settings={"seats": 3})
        mine = new_token()
        await joined(it, made.code, "Ben", mine)
        ben = it.seat(made.code, mine)
        await ben.connect()
        await ben.do("leave")
        assert await joined(it, made.code, "Ben", mine) == 1
        assert (await it.seat(made.code, mine).connect())["you"] == 1


@pytest.mark.parametrize("token", ["", "short", "a" * 21, "a" * 23, "a" * 21 + "!", "a" * 21 + "\n", "ä" * 22, 7])
def test_a_token_that_can_not_be_one_is_not_read(token: object) -> None:
    with pytest.raises(ValidationError):
        convert({"name": "Ben", "token": token}, rest.Join)
