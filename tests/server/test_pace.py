"""The pace of bots is in the hands of people: the host sets their speed, and whoever has seen enough hurries them."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from flipdeck.server.table.pauses import HURRIED, PAUSES

from .playing import plain
from .seats import SeatClient
from .sitting import Hall, Ledger, at_once, hall

LONG: dict[str, Any] = {"target": 5000, "two_player_reverse": "turn"}


def now() -> float:
    return asyncio.get_running_loop().time()


async def until_a_bots_turn(seat: SeatClient) -> None:
    while seat.on_turn:
        await seat.move(plain(seat.view["legal"]))


async def step_takes(seat: SeatClient) -> float:
    """Seconds until the next thing happens."""
    began = now()
    await seat.reach(seat.version + 1)
    return now() - began


# ---------------------------------------------------------------- the speed
@at_once
async def test_the_host_sets_the_speed_for_everybody_and_for_good() -> None:
    ledger = Ledger()
    async with hall(ledger) as it:
        ann, ben = await it.sit(2, {2: "casual"}, options=LONG)
        assert await ben.refusal_to("speed", speed="slow") == ("not-host", "not-host")
        version = await ann.do("speed", speed="slow")
        for seat in (ann, ben):
            await seat.reach(version)
            assert seat.table["settings"]["speed"] == "slow"
        assert (await ledger.written(ann.code))[-1] == {
            "what": "speedset",
            "by": 0,
            "cmd_id": (await ledger.written(ann.code))[-1]["cmd_id"],
            "speed": "slow",
        }
        it.fall_over()
        assert (await ben.connect())["table"]["settings"]["speed"] == "slow", "a restart keeps it"


@at_once
async def test_a_speed_there_is_not_is_refused_and_changes_nothing() -> None:
    async with hall() as it:
        (ann,) = await it.sit(1, {1: "casual"})
        version = ann.version
        await ann.say("speed", cmd_id="s1", speed="furious")
        assert (await ann.hear("refused"))["code"] == "bad-message"
        assert (ann.version, ann.table["settings"]["speed"]) == (version, "normal")


@pytest.mark.parametrize("speed", ["slow", "fast"])
@at_once
async def test_bots_think_at_the_speed_that_was_set(speed: Any) -> None:
    async with hall() as it:
        (ann,) = await it.sit(1, {1: "casual", 2: "casual"}, options=LONG, grace_ms=0)
        await ann.do("speed", speed=speed)
        await until_a_bots_turn(ann)
        await ann.reach(ann.version + 1)  # the first was asked before, perhaps
        while ann.on_turn or ann.view["catchable"] or ann.view["phase"] != "turn":
            if ann.on_turn:
                await until_a_bots_turn(ann)
            else:
                await ann.reach(ann.version + 1)
        low, high = PAUSES[speed].on_turn
        assert low <= await step_takes(ann) <= high


# ---------------------------------------------------------------- hurrying
async def ten_seats(it: Hall, people: int = 1, **more: Any) -> list[SeatClient]:
    bots = dict.fromkeys(range(people, 10), "casual")
    seats = await it.sit(people, bots, options=LONG, speed="slow", grace_ms=0, **more)
    for seat in seats:
        await until_a_bots_turn(seat)
    return seats


async def lap(seat: SeatClient) -> list[tuple[float, bool]]:
    """How long each step takes until it is somebody's turn, and whether somebody could be caught meanwhile."""
    taken = []
    while not seat.on_turn and seat.table["phase"] == "playing":
        catchable = bool(seat.view["catchable"])
        taken.append((await step_takes(seat), catchable))
    return taken


@at_once
async def test_whoever_plays_with_bots_alone_hurries_them_to_their_own_turn() -> None:
    async with hall() as it:
        (ann,) = await ten_seats(it)
        assert (await step_takes(ann)) > HURRIED[1]
        await ann.say("hurry")
        first, *rest = await lap(ann)
        assert first[0] <= HURRIED[1]
        assert len(rest) > 3
        assert all(HURRIED[0] <= taken <= HURRIED[1] for taken, catchable in rest if not catchable)


@at_once
async def test_a_hurry_is_over_with_the_turn_of_a_person() -> None:
    async with hall() as it:
        (ann,) = await ten_seats(it)
        await ann.say("hurry")
        await lap(ann)
        await until_a_bots_turn(ann)
        assert (await step_takes(ann)) > HURRIED[1]


@at_once
async def test_bots_hurry_when_everybody_who_plays_asks_and_not_before() -> None:
    async with hall() as it:
        ann, ben = await ten_seats(it, 2)
        while ann.on_turn or ben.on_turn:
            await until_a_bots_turn(ann)
            await until_a_bots_turn(ben)
        await ann.say("hurry")
        await ann.say("hurry")  # … twice is not two people
        assert (await step_takes(ben)) > HURRIED[1]
        await ben.say("hurry")
        assert (await step_takes(ben)) <= HURRIED[1]


@at_once
async def test_a_person_who_is_away_has_not_asked_but_one_for_whom_a_bot_plays_has_no_say() -> None:
    async with hall() as it:
        ann, ben = await ten_seats(it, 2)
        while ann.on_turn or ben.on_turn:
            await until_a_bots_turn(ann)
            await until_a_bots_turn(ben)
        ben.hang_up()
        await ann.say("hurry")
        assert (await step_takes(ann)) > HURRIED[1]
        await ann.do("seat_bot", seat=1)
        await ann.say("hurry")
        assert (await step_takes(ann)) <= HURRIED[1]


@at_once
async def test_spectators_hurry_nobody() -> None:
    async with hall() as it:
        (ann,) = await ten_seats(it)
        watcher = it.seat(ann.code)
        await watcher.connect()
        await watcher.say("hurry")
        refused = await watcher.hear("refused")
        assert refused["code"] == "not-seated"
        assert (await step_takes(ann)) > HURRIED[1]


# ---------------------------------------------------------------- is anybody there?
@at_once
async def test_a_probe_is_answered_at_once_by_everybody_s_connection() -> None:
    async with hall() as it:
        (ann,) = await it.sit(1, {1: "casual"})
        watcher = it.seat(ann.code)
        await watcher.connect()
        for seat in (ann, watcher):
            version = seat.version
            await seat.say("probe", n=7)
            assert (await seat.hear("echo"))["n"] == 7
            assert seat.version == version
