"""Pledges outlive the server, values do not before the deal; the secret was there before anybody asked."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from flipdeck.core.seeds import commitment_of
from flipdeck.server import identity
from flipdeck.server.table import entries, shortener
from flipdeck.server.table.actor import Table
from flipdeck.server.table.snapshot import from_bytes, take, to_bytes

from .playing import play_out
from .pledging import deal, freeze, open_value, pledge, pledge_for, value_for
from .sitting import Ledger, at_once, hall

SHORT = {"hand_size": 3, "target": 1}


# ---------------------------------------------------------------- restarts and failures
@pytest.mark.parametrize("killed", [True, False])
@at_once
async def test_after_a_restart_while_it_is_starting_the_values_are_opened_again(killed: bool) -> None:
    async with hall() as it:
        ann, ben = seats = await it.sit(2, start=False)
        await freeze(seats, ann, ben)
        await open_value(ann)
        it.fall_over() if killed else await it.restart()
        await asyncio.sleep(100)
        began = asyncio.get_running_loop().time()
        welcome = await ben.connect()
        assert (welcome["table"]["phase"], welcome["view"]) == ("starting", None)
        await asyncio.sleep(4)  # the time began anew
        await ann.connect()
        for seat in seats:
            assert (await open_value(seat))["type"] == "ack"
        await ann.reach(ann.version + 1)
        assert asyncio.get_running_loop().time() == began + 4
        assert ann.table["fairness"]["values"] == [value_for(ann).hex(), value_for(ben).hex()]


@at_once
async def test_who_does_not_come_back_after_a_restart_is_waited_for_as_long_as_anybody() -> None:
    async with hall() as it:
        ann, ben = seats = await it.sit(2, start=False)
        await freeze(seats, ann, ben)
        it.fall_over()
        await asyncio.sleep(1000)
        await ann.connect()
        began = asyncio.get_running_loop().time()
        await open_value(ann)
        await ann.reach(ann.version + 1)
        assert asyncio.get_running_loop().time() == began + 5
        assert ann.table["fairness"]["unopened"] == [1]


@at_once
async def test_a_table_that_nobody_is_at_waits_with_the_values_that_it_has() -> None:
    async with hall() as it:
        ann, ben = seats = await it.sit(2, start=False)
        await freeze(seats, ann, ben)
        await open_value(ann)
        for seat in seats:
            seat.hang_up()
        await asyncio.sleep(30)
        await ben.connect()
        assert ben.table["phase"] == "starting"
        await open_value(ben)
        await ben.reach(ben.version + 1)
        assert ben.table["fairness"]["unopened"] == []


@at_once
async def test_a_deal_that_can_not_be_written_shows_no_value_and_comes_later_with_all_of_them() -> None:
    ledger = Ledger()
    async with hall(ledger) as it:
        ann, ben = seats = await it.sit(2, start=False)
        await freeze(seats, ann, ben)
        ledger.failing = True
        await open_value(ann)
        await open_value(ben)
        await asyncio.sleep(20)
        assert (ann.table["phase"], ann.table["fairness"]["values"]) == ("starting", [])
        ledger.failing = False
        await ann.reach(ann.version + 1)
        assert ann.table["fairness"]["values"] == [value_for(ann).hex(), value_for(ben).hex()]


@at_once
async def test_values_are_shown_when_they_are_durable_and_not_before() -> None:
    ledger = Ledger()
    async with hall(ledger) as it:
        ann, ben = seats = await it.sit(2, start=False)
        await freeze(seats, ann, ben)
        shown: list[int] = []
        it.heard = lambda _, frame: shown.append(len(ledger.order)) if value_for(ann).hex().encode() in frame else None
        ledger.slow = 1.0
        for seat in seats:
            await open_value(seat)
        written = len(ledger.order)
        await ben.reach(ben.version + 1)
        assert shown
        assert min(shown) == written + 1


@pytest.mark.parametrize("step", ["decided", "committed", "acknowledged"])
@at_once
async def test_a_server_that_dies_at_a_step_of_the_deal_has_dealt_it_once_or_asks_again(step: str) -> None:
    armed = [False]

    def die(at: str) -> None:
        if armed[0] and at == step:
            armed[0] = False
            raise RuntimeError("here the process ends")

    async with hall(step=die) as it:
        ann, ben = seats = await it.sit(2, start=False, options=SHORT)
        await freeze(seats, ann, ben)
        await open_value(ann)
        armed[0] = True
        await open_value(ben)
        await asyncio.sleep(10)
        it.fall_over()
        for seat in seats:
            await seat.connect()
        assert ann.table["phase"] == ("starting" if step == "decided" else "playing")
        if step == "decided":
            for seat in seats:
                await open_value(seat)
            await ann.reach(ann.version + 1)
            await ben.reach(ann.version)
        assert ann.table["fairness"]["values"] == [value_for(ann).hex(), value_for(ben).hex()]
        await play_out(seats)
        written = await Ledger.written(it.journal, ann.code)  # type: ignore[arg-type]
        assert [entry["what"] for entry in written].count("started") == 1


# ---------------------------------------------------------------- snapshots
@at_once
async def test_a_snapshot_has_the_pledges_the_start_and_the_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shortener, "FEWEST_ENTRIES", 1)
    async with hall() as it:
        ann, ben = seats = await it.sit(2, {2: "rookie"}, start=False, edition="mild-wild")
        await pledge(ann)
        await ann.do("start", dealer=1)

        def again(table: Table) -> Any:
            state = from_bytes(to_bytes(take(table.state)))
            assert state is not None
            assert state.fairness == table.state.fairness
            return state

        state = again(it.table(ann.code))
        assert (state.phase, state.named_dealer) == ("starting", 1)
        assert state.fairness.pledges == [pledge_for(ann, value_for(ann)), None, None]
        it.fall_over()
        for seat in seats:
            await seat.connect()
        await open_value(ann)
        await ben.reach(ann.version + 1)
        assert ben.view["dealer"] == 1
        assert again(it.table(ann.code)).fairness.values == [value_for(ann).hex(), None, None]


@at_once
async def test_a_waiting_room_that_was_compacted_has_its_pledges(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shortener, "MOST_ENTRIES", 3)
    async with hall() as it:
        seats = await it.sit(2, start=False)
        for seat in seats:
            await pledge(seat)
        await asyncio.sleep(1)
        it.fall_over()
        await seats[0].connect()
        kept = await Ledger.written(it.journal, seats[0].code)  # type: ignore[arg-type]
        assert kept[0]["what"] == "compacted"
        assert seats[0].table["fairness"]["pledges"] == [pledge_for(seat, value_for(seat)) for seat in seats]


def test_an_entry_of_a_start_from_before_there_were_values_is_read() -> None:
    assert entries.decode(b'{"what":"started","by":0,"cmd_id":"c"}') == entries.Started(by=0, cmd_id="c")
    assert entries.decode(entries.encode(entries.Started(values={1: "00" * 32}))) == entries.Started(
        values={1: "00" * 32}
    )


# ---------------------------------------------------------------- chosen ahead
@at_once
async def test_every_secret_was_drawn_before_the_request_that_it_answers_was_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn: list[bytes] = []

    def draw() -> bytes:
        drawn.append(len(drawn).to_bytes(32))
        return drawn[-1]

    monkeypatch.setattr(identity, "new_seed", draw)
    async with hall() as it:
        before = set(drawn)
        made = [await it.make(settings={"seats": 2, "options": SHORT}) for _ in range(3)]
        assert {each.commitment for each in made} <= {commitment_of(secret) for secret in before}
        seats = await it.sit(2, options=SHORT)
        await play_out(seats)
        before = set(drawn)
        await seats[0].do("rematch")
        assert it.table(seats[0].code).state.seed in before
        assert len(drawn) > len(before), "another one takes its place"


def test_requests_that_are_read_together_get_secrets_from_before_all_of_them() -> None:
    stock = identity.SecretStock()
    ready = list(stock._ready)
    assert [stock.take() for _ in range(identity.READY_SECRETS)] == ready
    assert len(set(ready)) == identity.READY_SECRETS


# ---------------------------------------------------------------- leaks
@at_once
async def test_the_secret_is_told_to_nobody_before_the_end_whatever_was_pledged() -> None:
    async with hall() as it:
        ann, ben = seats = await it.sit(2, {2: "rookie"}, start=False, options={"hand_size": 3, "target": 60})
        looking = await it.watcher(ann.code)
        told: list[tuple[str, bytes]] = []
        it.heard = lambda seat, frame: told.append((it.table(seat.code).state.phase, frame))
        await deal(seats, ann, ben)
        state = it.table(ann.code).state
        assert state.match is not None
        hidden = [digits.hex().encode() for digits in (state.seed, state.match.seed)]
        await play_out(seats)
        phases = {phase for phase, frame in told if any(digits in frame for digits in hidden)}
        assert phases == {"over"}
        assert {"waiting", "starting", "playing"} <= {phase for phase, _ in told}
        assert looking.table["fairness"]["secret"] == state.seed.hex()
