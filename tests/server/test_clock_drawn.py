"""The turn clock over a draw: one clock for the draw and for what becomes of the card, whatever it is (TURN-2)."""

from __future__ import annotations

import asyncio

import pytest

from flipdeck.core.match import Match
from flipdeck.server.journal import StoredReplay, Unavailable

from .playing import calm, dealt
from .sitting import Ledger, at_once, hall
from .test_clock import LONG, last_entry, now, phase, time_until


def draws_a_playable_card(match: Match) -> bool:
    if match.to_act != 0 or phase(match) != "turn":
        return False
    match.say(0, "draw")
    return phase(match) == "drawn" and any("/" in str(move) for move in match.legal(0))


DRAWN = {"one that fits": draws_a_playable_card, "one that doesn't": calm}


@pytest.mark.parametrize("drawn", DRAWN)
@pytest.mark.parametrize("seconds", [15, 60, 300])
@at_once
async def test_when_the_time_is_up_the_clock_draws_and_keeps_at_once_whatever_the_card_is(
    seconds: int, drawn: str
) -> None:
    ledger = Ledger()
    async with hall(ledger) as it:
        ann, ben = await it.sit(2, seed=dealt(DRAWN[drawn], **LONG), options=LONG, turn_seconds=seconds)
        began, version = now(), ann.version
        full = {"seat": 0, "left_ms": 1000 * seconds, "of_ms": 1000 * seconds, "running": True}
        assert ann.clock == ben.clock == full
        await ben.reach(version + 2)
        assert now() - began == pytest.approx(seconds)
        said = [(entry["seat"], entry["move"], entry["who"]) for entry in (await ledger.written(ann.code))[version:]]
        assert said == [(0, "draw", "clock"), (0, "keep", "clock")]
        assert [message["clock"] for message in ben.all("update")[-2:]] == [{**full, "left_ms": 0}, {**full, "seat": 1}]


@pytest.mark.parametrize("drawn", DRAWN)
@at_once
async def test_a_draw_gives_no_new_time_and_when_it_is_up_the_card_is_kept(drawn: str) -> None:
    ledger = Ledger()
    async with hall(ledger) as it:
        ann, ben = await it.sit(2, seed=dealt(DRAWN[drawn], **LONG), options=LONG, turn_seconds=20)
        await asyncio.sleep(5)
        version = await ann.move("draw")
        await ben.reach(version)
        assert ann.clock == ben.clock == {"seat": 0, "left_ms": 15_000, "of_ms": 20_000, "running": True}
        assert await time_until(ben, version + 1) == pytest.approx(15)
        entry = await last_entry(ledger, ann)
        assert (entry["move"], entry["who"], entry["seat"]) == ("keep", "clock", 0)


@at_once
async def test_a_penalty_after_the_draw_gives_no_new_time_either() -> None:
    rules = {**LONG, "false_catch_penalty": 2}
    async with hall() as it:
        ann, ben = await it.sit(2, options=rules, turn_seconds=20)
        await asyncio.sleep(5)
        await ann.move("draw")
        await ben.reach(await ann.move("catch 1"))
        assert len(ann.view["hand"]) == 7 + 1 + 2
        assert ben.clock == {"seat": 0, "left_ms": 15_000, "of_ms": 20_000, "running": True}


@at_once
async def test_who_draws_and_says_nothing_more_has_missed_a_turn() -> None:
    async with hall() as it:
        ann, ben = await it.sit(2, turn_seconds=15, options=LONG)
        version = await ann.move("draw")
        await ben.reach(version + 1)
        assert it.table(ann.code).state.seats[0].missed == 1


@at_once
async def test_what_was_on_its_way_when_the_clock_drew_is_not_about_the_card() -> None:
    """Who sends a card of their hand in the last moment has not seen the drawn one."""
    ledger = Ledger()
    async with hall(ledger) as it:
        ann, ben = await it.sit(2, seed=dealt(draws_a_playable_card, **LONG), options=LONG, turn_seconds=15)
        version = ann.version
        await asyncio.sleep(14.95)
        ledger.slow = 0.1  # the clock draws, and that is still being written
        await asyncio.sleep(0.1)
        late = [await ann.send("move", move=move, version=version) for move in ("keep", "draw")]
        assert [(await ann.answer_to(cmd_id))["code"] for cmd_id in late] == ["stale-version"] * 2
        await ben.reach(version + 2)
        moves = [(entry["move"], entry["who"]) for entry in (await ledger.written(ann.code))[version:]]
        assert moves == [("draw", "clock"), ("keep", "clock")]


class Losing(Ledger):
    """It takes no ``keep`` while ``losing``."""

    losing = False

    async def append(self, table: str, epoch: int, seq: int, body: bytes, replay: StoredReplay | None = None) -> None:
        if self.losing and b'"keep"' in body:
            raise Unavailable("not now")
        await super().append(table, epoch, seq, body, replay)


@pytest.mark.parametrize("drawn", DRAWN)
@at_once
async def test_a_server_that_dies_between_the_draw_and_the_keep_of_the_clock_keeps_when_it_is_back(drawn: str) -> None:
    ledger = Losing()
    async with hall(ledger) as it:
        ann, ben = await it.sit(2, seed=dealt(DRAWN[drawn], **LONG), options=LONG, turn_seconds=15)
        ledger.losing = True
        await ben.reach(ann.version + 1)
        it.fall_over()
        ledger.losing = False
        began = now()
        welcome = await ann.connect()
        assert welcome["clock"] == {"seat": 0, "left_ms": 0, "of_ms": 15_000, "running": True}
        await ann.reach(welcome["version"] + 1)
        entry = await last_entry(ledger, ann)
        assert (entry["move"], entry["who"], now() - began) == ("keep", "clock", 0)


@at_once
async def test_a_note_from_before_the_draw_is_good_for_what_becomes_of_the_card() -> None:
    async with hall() as it:
        ann, ben = await it.sit(2, turn_seconds=30)
        await asyncio.sleep(20.5)
        await ben.reach(await ann.move("draw"))
        it.fall_over()  # noted last after 20 seconds
        assert (await ben.connect())["clock"] == {"seat": 0, "left_ms": 10_000, "of_ms": 30_000, "running": False}
        assert (await ann.connect())["clock"] == {"seat": 0, "left_ms": 10_000, "of_ms": 30_000, "running": True}
