"""What an address or a seat may do does not begin anew with a new connection."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from flipdeck.core.match import Match
from flipdeck.server.config import Config
from flipdeck.server.limits import KeyedCounts, RateLimits, SilentConnections
from flipdeck.server.table import state
from flipdeck.server.table.frames import welcome

from .playing import play_on
from .seats import SeatClient
from .sitting import Hall, at_once, hall

USUAL: dict[str, Any] = {"messages_per_second": 20}


async def said(seat: SeatClient, text: str) -> str:
    seat.turn_a_page()
    await seat.say("chat", text=text)
    return str((await seat.hear("said", "refused"))["type"])


# ---------------------------------------------------------------- chat
@at_once
async def test_coming_back_gives_nobody_more_to_say() -> None:
    async with hall(**USUAL) as it:
        ann, ben = await it.sit(2)
        heard = 0
        for _ in range(5):
            for number in range(10):
                heard += await said(ann, f"line {number}") == "said"
            ann.hang_up()
            await ann.connect()
        assert heard == 5
        assert await said(ben, "it's quiet") == "said"
        await asyncio.sleep(4)
        assert [await said(ann, "again") for _ in range(3)] == ["said", "said", "refused"]


@at_once
async def test_two_devices_of_one_seat_have_one_voice() -> None:
    async with hall(**USUAL) as it:
        ann, _ = await it.sit(2)
        other = it.seat(ann.code, ann.token)
        assert [await said(ann, "one") for _ in range(3)] == ["said"] * 3
        await other.connect()
        assert [await said(other, "two") for _ in range(3)] == ["said", "said", "refused"]


# ---------------------------------------------------------------- messages
@at_once
async def test_many_connections_of_one_address_say_no_more_than_one_in_ten_of_them_may() -> None:
    async with hall(messages_per_second=20, most_per_address=50) as it:
        (ann, _) = await it.sit(2)
        crowd = [await it.watcher(ann.code) for _ in range(20)]
        for each in crowd:
            each.address = each._line.address = "crowd"
        heard = 0
        for each in crowd:
            for _ in range(15):  # of the 40 that one may say at once
                await each.say("pong", n=1)
                heard += each._line.closing is None
        assert 200 <= heard < 210  # twice five times twenty at once, as no time passes
        await asyncio.sleep(0.01)
        sent_away = [each for each in crowd if not each.on_line]
        assert sent_away
        assert {each._line.closing for each in sent_away} == {1013}  # they may come again: it may be others' doing
        assert {each.told[-1]["code"] for each in sent_away} == {"too-fast"}
        await ann.move("draw")


# ---------------------------------------------------------------- greetings
async def greeted(it: Hall, seat: SeatClient, address: str, have: int | None = None) -> str:
    window = it.seat(seat.code, seat.token)
    window.address = address
    answer = await window.connect(have=have)
    window.hang_up()
    return str(answer.get("code", answer["type"]))


@at_once
async def test_one_address_greets_so_often_and_then_has_to_wait() -> None:
    async with hall(most_watchers=10_000, **USUAL) as it:
        (ann, _) = await it.sit(2)
        looking = it.seat(ann.code)
        answers = [await greeted(it, looking, "busy") for _ in range(250)]
        assert answers[:200] == ["welcome"] * 200
        assert set(answers[210:]) == {"too-fast"}
        assert await greeted(it, looking, "another") == "welcome"
        assert await greeted(it, ann, "busy") == "too-fast"
        await asyncio.sleep(1)
        assert [await greeted(it, ann, "busy") for _ in range(10)] == ["welcome"] * 10


@at_once
async def test_who_is_told_to_wait_may_come_again() -> None:
    async with hall(most_per_address=1, **USUAL) as it:
        (ann, _) = await it.sit(2)
        looking = it.seat(ann.code)
        looking.address = "busy"
        while (await looking.connect())["type"] == "welcome":
            looking.hang_up()
        assert looking._line.closing == 1013
        await asyncio.sleep(2)
        assert (await looking.connect())["type"] == "welcome"


@at_once
async def test_a_seat_is_greeted_so_often_from_wherever_and_others_are_not_held_up() -> None:
    async with hall(**USUAL) as it:
        ann, ben = await it.sit(2)
        answers = [await greeted(it, ann, f"address {number}") for number in range(70)]
        assert answers[:40] == ["welcome"] * 40
        assert answers[-1] == "too-fast"
        assert await greeted(it, ben, "elsewhere") == "welcome"
        assert await greeted(it, it.seat(ann.code), "elsewhere") == "welcome"
        await asyncio.sleep(2)
        assert await greeted(it, ann, "address 1") == "welcome"


@at_once
async def test_who_asks_for_the_whole_story_over_and_over_is_shown_how_things_stand() -> None:
    async with hall(most_per_address=10, **USUAL) as it:
        (ann,) = await it.sit(1, {1: "regular"}, options={"target": 5000})
        await play_on([ann], lambda: ann.version >= 120)  # far fewer steps than are told again
        story = len(it.table(ann.code).state.missed_since(0) or ())
        assert 100 < story < 130
        missed = []
        for _ in range(9):
            looking = it.seat(ann.code)
            looking.address = "curious"
            told = await looking.connect(have=0)
            looking.hang_up()
            assert (told["type"], told["version"]) == ("welcome", ann.version)
            missed.append(told["missed"])
        assert [steps is not None for steps in missed] == [number < 500 // story for number in range(9)]
        assert len(missed[0]) == story
        other = await it.seat(ann.code).connect(have=0)
        assert len(other["missed"]) == story
        again = it.seat(ann.code)
        again.address = "curious"
        assert (await again.connect(have=ann.version))["missed"] == []  # what costs nothing is told


def test_a_greeting_takes_little_room_however_long_the_match() -> None:
    match = Match("classic", 10, seed="long", options={"target": 5000})
    steps = [(1, match.history[-1].dealt)]
    while len(steps) < state.MOST_MISSED:
        seat = match.to_act
        events = match.next_round() if seat is None else match.say(seat, str(match.view(seat).legal[-1]))
        steps.append((len(steps) + 1, events))
    told = welcome("1", None, len(steps), None, match, None, steps, ())  # type: ignore[arg-type]
    assert len(json.loads(told)["missed"]) == state.MOST_MISSED
    assert len(told) <= 64 * 1024


# ---------------------------------------------------------------- how they follow from the settings
def test_a_family_has_enough_and_a_benchmark_too() -> None:
    usual, bench = RateLimits(Config()), RateLimits(Config(most_per_address=100_000, messages_per_second=100_000))
    assert (usual.messages.rate, usual.messages.burst) == (400, 800)
    assert (usual.requests.rate, usual.requests.burst) == (40, 1200)
    assert (usual.address_hellos.rate, usual.address_hellos.burst) == (20, 200)
    assert (usual.seat_hellos.rate, usual.seat_hellos.burst) == (1, 50)
    assert (usual.catch_up.rate, usual.catch_up.burst) == (1000, 10_000)
    assert bench.messages.rate > 1e6
    assert bench.address_hellos.burst > 1e5
    smallest = RateLimits(Config(most_per_address=1, messages_per_second=1, most_watchers=0))
    assert smallest.requests.burst >= 200, "a page has many files"
    assert smallest.address_hellos.burst >= 10
    assert smallest.seat_hellos.burst >= 10


def test_of_a_crowd_the_first_has_to_go_and_who_spoke_is_none_of_it() -> None:
    crowd, gone = SilentConnections(most=2), []
    for name in "abc":
        crowd.add("here", name, lambda name=name: gone.append(name))  # type: ignore[misc]
    assert gone == ["a"]
    crowd.discard("here", "b")
    crowd.add("here", "d", lambda: gone.append("d"))
    crowd.add("there", "e", lambda: gone.append("e"))
    assert gone == ["a"]
    for key, name in (("here", "a"), ("here", "c"), ("here", "d"), ("there", "e"), ("nowhere", "f")):
        crowd.discard(key, name)
    assert len(crowd) == 0
    assert not crowd._there


def test_of_whom_there_is_none_nothing_is_kept() -> None:
    heads = KeyedCounts()
    heads.increment("a")
    heads.increment("a")
    heads.decrement("a")
    assert (heads.of("a"), heads.of("b")) == (1, 0)
    heads.decrement("a")
    assert not heads._counts


@pytest.mark.parametrize("key", ["requests", "messages", "address_hellos", "catch_up", "seat_hellos", "talk"])
def test_no_more_is_kept_than_so_many_however_many_come(key: str) -> None:
    buckets = getattr(RateLimits(Config()), key)
    for number in range(buckets.most + 10):
        buckets.take(str(number), 0.0)
    assert len(buckets) == buckets.most <= 10_000
