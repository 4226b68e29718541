"""Who comes back with the last version they have is told exactly what they missed, at any age."""

from __future__ import annotations

import asyncio

import pytest

from flipdeck.core.cards import Side
from flipdeck.core.events import Event, What
from flipdeck.server.table import state

from .outbox import Message
from .playing import play_on, play_out
from .seats import SeatClient
from .sitting import Hall, at_once, hall
from .test_state import made

SHORT = {"target": 100, "hand_size": 5}


def steps_seen(seat: SeatClient) -> list[Message]:
    """What a seat that was there all the time was told, step by step."""
    return [{"version": m["version"], "events": m["events"]} for m in seat.all("update") if m["events"]]


async def a_match(it: Hall) -> tuple[list[SeatClient], SeatClient]:
    """Two people, a bot and somebody looking on, from before the deal to the end."""
    seats = await it.sit(2, {2: "regular"}, options=SHORT, start=False)
    looking = await it.watcher(seats[0].code)
    await seats[0].do("start")
    for seat in seats:
        await seat.reach(seats[0].version)
    await play_out(seats)
    return seats, looking


async def missed_by(it: Hall, seat: SeatClient, have: int | None) -> list[Message] | None:
    """The same seat on another window."""
    window = it.seat(seat.code, seat.token)
    welcome = await window.connect(have=have)
    window.hang_up()
    assert welcome["type"] == "welcome"
    assert welcome["version"] == seat.version
    return welcome["missed"]  # type: ignore[no-any-return]


async def check_every_age(it: Hall, witness: SeatClient, ages: range) -> None:
    seen = steps_seen(witness)
    for have in ages:
        assert await missed_by(it, witness, have) == [step for step in seen if step["version"] > have], have


@at_once
async def test_every_seat_and_who_looks_on_hears_what_it_missed_since_any_version() -> None:
    async with hall() as it:
        seats, looking = await a_match(it)
        ends = seats[0].version
        assert ends > 30
        for witness, stride in ((looking, 1), (seats[0], 3), (seats[1], 5)):
            witness.hang_up()
            await check_every_age(it, witness, range(2, ends + 1, stride))
        assert steps_seen(seats[0]) != steps_seen(seats[1]) != steps_seen(looking)


@at_once
async def test_what_was_missed_is_the_same_after_a_restart_and_after_sleep() -> None:
    async with hall(sleep_seconds=10) as it:
        (ann, _), _ = await a_match(it)
        it.fall_over()
        await check_every_age(it, ann, range(2, ann.version + 1, 7))
        await asyncio.sleep(60)
        assert not it.lobby.tables
        await check_every_age(it, ann, range(3, ann.version + 1, 7))


@at_once
async def test_a_version_of_zero_asks_for_the_whole_match_and_none_for_nothing() -> None:
    async with hall() as it:
        (ann, _), looking = await a_match(it)
        for witness in (ann, looking):
            assert await missed_by(it, witness, 0) == steps_seen(witness)
            assert await missed_by(it, witness, None) is None
            assert await missed_by(it, witness, witness.version) == []


@at_once
async def test_a_version_from_before_this_match_or_from_the_future_can_not_be_told() -> None:
    async with hall() as it:
        (ann, ben), _ = await a_match(it)
        over = ann.version
        again = await ann.do("rematch")
        await ben.reach(again)
        assert await missed_by(it, ann, over) is None
        assert await missed_by(it, ann, 0) == []
        await ann.connect()
        await ann.do("start")
        assert await missed_by(it, ann, over) is None
        assert await missed_by(it, ann, 3) is None
        assert await missed_by(it, ann, ann.version + 1) is None
        assert await missed_by(it, ann, 2**53 - 1) is None
        dealt = ann.all("update")[-1]
        for have in (0, again):
            assert await missed_by(it, ann, have) == [{"version": ann.version, "events": dealt["events"]}]


@at_once
async def test_a_client_that_is_gone_every_other_moment_tells_the_same_story_as_one_that_stays() -> None:
    async with hall() as it:
        seats = await it.sit(2, {2: "casual"}, options=SHORT, speed="fast")
        ann, ben = seats
        looking = await it.watcher(ann.code)
        restless = it.seat(ann.code)
        story: list[Message] = (await restless.connect(have=0))["missed"]
        while ann.table["phase"] != "over":
            heard = len(restless.told)
            await play_on([ann, ben], lambda end=ann.version + 3: ann.version >= end or ann.table["phase"] == "over")  # type: ignore[misc]
            await restless.reach(ann.version)
            told = [m for m in restless.told[heard:] if m["type"] == "update" and m["events"]]
            story += [{"version": m["version"], "events": m["events"]} for m in told]
            restless.hang_up()
            await play_on([ann, ben], lambda end=ann.version + 2: ann.version >= end or ann.table["phase"] == "over")  # type: ignore[misc]
            story += (await restless.connect(have=restless.version))["missed"]
        await looking.reach(ann.version)
        whole = (await it.seat(ann.code).connect(have=0))["missed"]
        assert story == whole
        assert story[1:] == steps_seen(looking)


@at_once
async def test_of_a_long_match_who_asks_for_all_of_it_is_told_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "MOST_MISSED", 12)
    async with hall() as it:
        _, looking = await a_match(it)
        seen = steps_seen(looking)
        assert len(seen) > 12
        assert await missed_by(it, looking, 0) == seen[-12:]
        assert await missed_by(it, looking, seen[-14]["version"]) is None
        assert await missed_by(it, looking, seen[-13]["version"]) == seen[-12:]


def test_the_last_400_steps_can_be_caught_up_on_and_no_older_one() -> None:
    table = made().make_state()
    begin = table.version
    for steps, oldest in ((399, begin), (400, begin), (401, begin + 1), (402, begin + 2)):
        while table.version < begin + steps:
            add_step(table)
        missed = table.missed_since(oldest)
        assert missed is not None
        assert [version for version, _ in missed] == [*range(oldest + 1, table.version + 1)]
        assert table.missed_since(oldest - 1) is None or oldest == begin


def add_step(table: state.TableState) -> None:
    table.version += 1
    table.add_step([Event(What.FLIPPED, Side.DARK)])
