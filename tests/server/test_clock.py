"""The turn clock of a live table: what it does when it runs out, what it waits for, and when it stands.

A draw and what becomes of the card are in ``test_clock_drawn``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from flipdeck.core.match import Match
from flipdeck.server.table.timers import RETURN_SECONDS

from .outbox import Message
from .playing import dealt
from .seats import SeatClient
from .sitting import Ledger, at_once, hall

LONG: dict[str, Any] = {"target": 5000}


def now() -> float:
    return asyncio.get_running_loop().time()


def phase(match: Match) -> str:
    return str(match.view(0).phase.value)


def has_to_answer(match: Match) -> bool:
    """Seat 1 begins with a Wild Draw Two, which seat 0 may challenge."""
    wild = [str(move) for move in match.legal(1) if str(move).startswith("W+2")] if match.to_act == 1 else []
    if not wild:
        return False
    match.say(1, wild[0])
    return match.to_act == 0 and phase(match) == "challenge"


def has_to_call(match: Match) -> bool:
    return match.to_act == 0 and phase(match) == "color"


async def last_entry(ledger: Ledger, seat: SeatClient) -> Message:
    return (await ledger.written(seat.code))[-1]


async def time_until(seat: SeatClient, version: int) -> float:
    began = now()
    await seat.reach(version)
    return now() - began


# ---------------------------------------------------------------- running out
@at_once
async def test_without_a_clock_nobody_is_hurried() -> None:
    async with hall() as it:
        ann, ben = await it.sit(2, turn_seconds=0)
        version = ann.version
        assert ann.clock is None
        await asyncio.sleep(3600)
        assert ann.version == ben.version == version


@pytest.mark.parametrize(
    ("deal", "before", "word"),
    [
        (has_to_answer, (1, "W+2"), "accept"),
        (has_to_call, None, "color"),
    ],
)
@at_once
async def test_the_clock_says_something_plain_in_every_phase(
    deal: Callable[[Match], bool], before: tuple[int, str] | None, word: str
) -> None:
    ledger = Ledger()
    async with hall(ledger) as it:
        seats = await it.sit(2, seed=dealt(deal, **LONG), options=LONG, turn_seconds=20)
        if before is not None:
            await asyncio.sleep(5)
            moves = [move for move in seats[before[0]].view["legal"] if move.startswith(before[1])]
            await seats[0].reach(await seats[before[0]].move(moves[0]))
        full = {"seat": 0, "left_ms": 20_000, "of_ms": 20_000, "running": True}
        assert seats[0].clock == full  # each decision has its own
        assert await time_until(seats[1], seats[0].version + 1) == pytest.approx(20)
        entry = await last_entry(ledger, seats[0])
        assert (entry["move"].split()[0], entry["who"], entry["seat"]) == (word, "clock", 0)


@pytest.mark.parametrize(("way", "credit"), [(None, 0.0), (0.4, 0.4), (1.0, 1.0), (3.0, 1.0)])
@at_once
async def test_a_slow_way_is_given_what_it_takes_but_never_more_than_a_second(way: float | None, credit: float) -> None:
    async with hall() as it:
        ann, ben = await it.sit(2, start=False, turn_seconds=15)
        ann.pongs_after, ben.pongs_after = way, 0.9
        await asyncio.sleep(5)
        await ann.do("start")
        on_turn = ann if ann.view["to_act"] == 0 else ben
        assert await time_until(ben, ann.version + 1) == pytest.approx(15 + (credit if on_turn is ann else 0.9))


@at_once
async def test_a_journal_that_fails_when_the_time_is_up_is_tried_again() -> None:
    ledger = Ledger()
    async with hall(ledger) as it:
        ann, ben = await it.sit(2, turn_seconds=15)
        await asyncio.sleep(14.5)
        ledger.failing = True
        await asyncio.sleep(3)
        assert ben.version == ann.version
        ledger.failing = False
        assert await time_until(ben, ann.version + 1) < 1.0
        assert (await last_entry(ledger, ann))["who"] == "clock"


# ---------------------------------------------------------------- a bot sits in
def dull(seat: SeatClient) -> str:
    """Whatever plays no card, if it can be said."""
    legal: list[str] = seat.view["legal"]
    return next((move for move in ("keep", "draw", "accept") if move in legal), legal[0])


async def miss_a_turn(ann: SeatClient, ben: SeatClient) -> None:
    """Ann's time runs out, whatever she has to decide, until it is Ben's turn; he draws until it is hers again."""
    while ben.view["to_act"] == 0:
        await ben.reach(ben.version + 1)
    while ben.on_turn:
        await ben.move(dull(ben))
    if ann.on_line:
        await ann.reach(ben.version)


def sits_in(seat: SeatClient, who: int = 0) -> bool:
    return bool(seat.table["seats"][who]["sits_in"])


async def until_a_bot_sits_in(ann: SeatClient, ben: SeatClient) -> None:
    for _ in range(2):
        await miss_a_turn(ann, ben)
    assert sits_in(ben)


@at_once
async def test_two_times_in_a_row_and_a_bot_sits_in() -> None:
    ledger = Ledger()
    async with hall(ledger) as it:
        ann, ben = await it.sit(2, turn_seconds=15, options=LONG)
        await ben.reach(ann.version + 1)
        assert not sits_in(ben)
        await until_a_bot_sits_in(ann, ben)
        seat = ben.table["seats"][0]
        assert (seat["kind"], seat["name"], seat["level"], seat["left"]) == ("person", "Ann", "regular", False)
        written = await ledger.written(ann.code)
        stood_in = next(n for n, entry in enumerate(written) if entry["what"] == "stoodin")
        assert written[stood_in]["why"] == "absent"
        hers = [entry for entry in written[:stood_in] if entry["what"] == "moved" and entry["seat"] == 0]
        assert {entry["who"] for entry in hers} == {"clock"}
        assert sum(entry["move"] != "keep" for entry in hers) == 2


@at_once
async def test_to_draw_and_to_keep_is_one_turn_missed_not_two() -> None:
    ledger = Ledger()
    async with hall(ledger) as it:
        rules = {**LONG, "draw_until_playable": True}
        first = dealt(lambda match: match.to_act == 0 and match.view(0).phase.value == "turn", 2, "classic", **rules)
        ann, ben = await it.sit(2, seed=first, turn_seconds=15, options=rules)
        await miss_a_turn(ann, ben)
        moves = [entry["move"] for entry in await ledger.written(ann.code) if entry.get("who") == "clock"]
        assert moves == ["draw", "keep"]
        assert not sits_in(ben)
        await miss_a_turn(ann, ben)
        assert sits_in(ben)


@at_once
async def test_who_leaves_and_comes_back_has_only_the_time_that_was_left() -> None:
    async with hall() as it:
        ann, _ = await it.sit(2, turn_seconds=30)
        await asyncio.sleep(20)
        await ann.do("leave")
        await ann.connect()
        while ann.table["seats"][0]["sits_in"]:
            await ann.reach(ann.version + 1)
        assert ann.on_turn
        assert ann.clock is not None
        assert 8_000 < ann.clock["left_ms"] <= 10_000


@at_once
async def test_a_move_in_between_begins_the_count_anew() -> None:
    ledger = Ledger()
    async with hall(ledger) as it:
        ann, ben = await it.sit(2, turn_seconds=15, options=LONG)
        for _ in range(5):
            await ben.reach(ann.version + 2)  # missed, once: drawn and kept
            await ann.reach(ben.version)
            while not ann.on_turn:
                await ann.reach(await ben.move(dull(ben)))
            while ann.on_turn:
                await ben.reach(await ann.move(dull(ann)))
            while ben.on_turn:
                await ann.reach(await ben.move(dull(ben)))
        written = await ledger.written(ann.code)
        assert [entry["move"] for entry in written if entry.get("who") == "clock"] == ["draw", "keep"] * 5
        assert not [entry for entry in written if entry["what"] == "stoodin"]


@pytest.mark.parametrize("how", ["connecting", "a command", "back"])
@at_once
async def test_whoever_is_there_again_has_the_seat_back_at_once(how: str) -> None:
    async with hall() as it:
        ann, ben = await it.sit(2, turn_seconds=15, options=LONG)
        if how == "connecting":
            ann.hang_up()
        await until_a_bot_sits_in(ann, ben)
        began = now()
        if how == "connecting":
            await ann.connect()
        elif how == "back":
            await ann.do("back")
        else:
            assert (await ann.ask("rematch"))["code"] == "not-now"
        await ben.reach(it.table(ann.code).state.version)
        while sits_in(ben):
            await ben.reach(ben.version + 1)
        assert now() == began
        assert ben.table["seats"][0]["level"] is None
        assert await ann.refusal_to("back") == ("not-now", "not-away")
        if ann.on_turn:
            assert ann.clock == {"seat": 0, "left_ms": 15_000, "of_ms": 15_000, "running": True}


# ---------------------------------------------------------------- standing still
@at_once
async def test_the_clock_stands_while_nobody_is_connected() -> None:
    async with hall() as it:
        ann, ben = await it.sit(2, turn_seconds=30)
        await asyncio.sleep(10)
        ann.hang_up()
        await asyncio.sleep(5)  # Ben is still there
        ben.hang_up()
        await asyncio.sleep(50)
        welcome = await ben.connect(have=ben.version)
        assert welcome["clock"] == {"seat": 0, "left_ms": 15_000, "of_ms": 30_000, "running": True}
        assert welcome["missed"] == []
        assert await time_until(ben, ben.version + 1) == pytest.approx(15)


@pytest.mark.parametrize("gently", [True, False])
@at_once
async def test_the_clock_stands_over_a_restart(gently: bool) -> None:
    async with hall() as it:
        ann, ben = await it.sit(2, turn_seconds=30)
        await asyncio.sleep(11)
        if gently:
            await it.restart()
        else:
            it.fall_over()
        await asyncio.sleep(1000)
        welcome = await ben.connect()
        left = welcome["clock"]["left_ms"]
        assert left == 19_000 if gently else 19_000 <= left <= 21_000  # it is noted every two seconds
        assert await time_until(ben, ann.version + 1) == pytest.approx(RETURN_SECONDS + left / 1000)  # Ann has not come


@at_once
async def test_a_note_of_an_earlier_decision_is_not_taken_for_this_one() -> None:
    async with hall() as it:
        ann, ben = await it.sit(2, turn_seconds=30)
        await asyncio.sleep(20.5)
        await ann.move("draw")
        await ben.reach(await ann.move("keep"))
        it.fall_over()  # before the clock of Ben was noted
        assert (await ben.connect())["clock"] == {"seat": 1, "left_ms": 30_000, "of_ms": 30_000, "running": True}


# ---------------------------------------------------------------- what is told of it
@at_once
async def test_updates_tell_whose_time_runs_and_how_much_is_left() -> None:
    async with hall() as it:
        ann, ben = await it.sit(2, {2: "rookie"}, turn_seconds=20, options=LONG)
        await asyncio.sleep(4)
        looking = await it.watcher(ann.code)
        assert looking.clock == {"seat": 0, "left_ms": 16_000, "of_ms": 20_000, "running": True}
        while ann.table["phase"] == "playing" and ann.version < 40:
            if ann.on_turn or ben.on_turn:
                mover = ann if ann.on_turn else ben
                await mover.move(dull(mover))
            await ann.reach(it.table(ann.code).state.version)
            await looking.reach(ann.version)
            await ben.reach(ann.version)
            to_act = ann.view["to_act"]
            assert ann.clock == ben.clock == looking.clock
            assert (ann.clock and ann.clock["seat"]) == (None if to_act == 2 else to_act)  # bots have no clock
            if to_act == 2:
                await ann.reach(ann.version + 1)
        assert ann.version > 20


@at_once
async def test_everybody_hears_who_comes_and_goes() -> None:
    async with hall() as it:
        ann, ben, cleo = await it.sit(3)
        ben.hang_up()
        heard = await cleo.hear("presence", here=[0, 2])
        assert heard == {"type": "presence", "here": [0, 2], "watching": 0, "substitutes": {}}
        looking = await it.watcher(ann.code)
        await ann.hear("presence", here=[0, 2], watching=1)
        assert [seat["here"] for seat in looking.table["seats"]] == [True, False, True]
        await ben.connect()
        await looking.hear("presence", here=[0, 1, 2], watching=1)
        looking.hang_up()
        await ben.hear("presence", here=[0, 1, 2], watching=0)
        assert ann.version == ben.version  # none of it is a version
