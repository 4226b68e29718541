"""Commit, then acknowledge, then show; every command exactly once; what can't be written was never done."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from flipdeck.core.match import Match

from .outbox import Message, Outbox
from .playing import DOWN_TO_ONE, dealt, first_goes_down_to_one, number_card, plain, play_on, play_out
from .seats import SeatClient, print_of
from .sitting import Hall, Ledger, at_once, hall

SHORT = {"target": 60, "hand_size": 5}


def news_of(seat: SeatClient, start: int) -> list[str]:
    """The kinds of what it heard since, but for what is always going on."""
    return [message["type"] for message in seat.told[start:] if message["type"] not in ("ping", "presence")]


# ---------------------------------------------------------------- commit, acknowledge, show
@at_once
async def test_whatever_is_told_was_durable_before_and_the_sender_is_acknowledged_first() -> None:
    ledger = Ledger()
    ledger.slow = 0.01
    async with hall(ledger) as it:
        it.heard = lambda _, message: ledger.order.append(("told", json.loads(message)))
        seats = await it.sit(2, {2: "rookie"}, options={"target": 300})
        await it.watcher(seats[0].code)
        await play_out(seats)
        durable: set[int] = set()
        shown: set[int] = set()
        acknowledged = 0
        for what, it_was in ledger.order:
            if what == "durable":
                durable.add(it_was)
                continue
            kind, version = it_was["type"], it_was.get("version")
            if kind in ("update", "welcome", "ack"):
                assert version in durable, f"{kind} {version} was told before it was written"
            if kind == "update":
                shown.add(version)
            elif kind == "ack":
                acknowledged += 1
                assert version not in shown, "shown before it was acknowledged"
        assert acknowledged > 10
        assert shown > set(range(6, seats[0].version + 1))


@at_once
async def test_the_acknowledgement_and_the_update_of_whoever_moved_are_one_write(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    writes: list[list[str]] = []
    honest = Outbox.write

    def write(self: Outbox, *messages: bytes) -> int:
        writes.append([json.loads(message)["type"] for message in messages])
        return honest(self, *messages)

    async with hall() as it:
        seats = await it.sit(2)
        mover = next(seat for seat in seats if seat.on_turn)
        monkeypatch.setattr(Outbox, "write", write)
        await mover.move("draw")
        assert [kinds for kinds in writes if kinds != ["ping"]] == [["ack", "update"], ["update"]]


@at_once
async def test_the_steps_of_a_move_come_in_their_order() -> None:
    steps: list[str] = []
    async with hall(step=steps.append) as it:
        mover, _ = await it.sit(2)
        steps.clear()
        await mover.move("draw")
        assert steps == ["received", "decided", "committed", "acknowledged", "shown"]
        steps.clear()
        await mover.refusal_to("start")
        assert steps == ["received"]


@at_once
async def test_nobody_hears_of_a_move_while_it_is_being_written() -> None:
    ledger = Ledger()
    async with hall(ledger) as it:
        seats = await it.sit(2)
        looking = await it.watcher(seats[0].code)
        mover = next(seat for seat in seats if seat.on_turn)
        everybody = [*seats, looking]
        await asyncio.sleep(1)
        ledger.slow = 5.0
        heard = [len(seat.told) for seat in everybody]
        before = print_of(it.table(mover.code))
        cmd_id = await mover.send("move", version=mover.version, move="draw")
        late = it.seat(mover.code)
        coming = asyncio.get_running_loop().create_task(late.connect())
        await asyncio.sleep(4.9)
        assert [news_of(seat, start) for seat, start in zip(everybody, heard, strict=True)] == [[], [], []]
        assert print_of(it.table(mover.code)) == before
        assert not coming.done()  # who comes now is shown what is true when it is written
        await asyncio.sleep(0.2)
        assert (await coming)["version"] == mover.version
        assert news_of(mover, heard[seats.index(mover)]) == ["ack", "update"]
        assert (await mover.answer_to(cmd_id))["version"] == mover.version


# ---------------------------------------------------------------- exactly once
@at_once
async def test_a_command_sent_again_and_again_is_carried_out_once() -> None:
    ledger = Ledger()
    ledger.slow = 0.5
    async with hall(ledger) as it:
        mover, _ = await it.sit(2)
        command = {"cmd_id": "once", "version": mover.version, "move": "draw"}
        for _ in range(3):  # before the first is written
            await mover.send("move", **command)
        first = await mover.ask("move", **command)
        await mover.reach(first["version"])
        version = mover.version
        assert [ack["version"] for ack in mover.all("ack") if ack["cmd_id"] == "once"] == [version] * 4
        for way in (it.restart, it.restart):
            await way()
            await mover.connect()
            assert await mover.ask("move", **command) == first
        it.fall_over()
        await mover.connect()
        assert await mover.ask("start", cmd_id="once") == first  # it is known by its id, whatever it says now
        assert it.table(mover.code).state.version == version
        draws = [entry for entry in await ledger.written(mover.code) if entry.get("cmd_id") == "once"]
        assert len(draws) == 1


@at_once
async def test_the_same_id_from_another_seat_is_another_command() -> None:
    async with hall() as it:
        mover, other = await it.sit(2)
        await mover.move("draw")
        first = await mover.move("keep", cmd_id="same")
        await other.reach(first)
        assert await other.move("draw", cmd_id="same") == first + 1


@at_once
async def test_a_refused_command_gets_the_same_refusal_even_when_it_would_be_right_by_now() -> None:
    async with hall() as it:
        mover, other = await it.sit(2)
        refusal = await other.try_move("draw", cmd_id="early")
        assert (refusal["code"], refusal["version"]) == ("not-your-turn", mover.version)
        await play_on([mover], lambda: not mover.on_turn)
        await other.reach(mover.version)
        again = await other.try_move("draw", cmd_id="early")
        assert {**again, "version": 0} == {**refusal, "version": 0}
        assert await other.move("draw", cmd_id="in-time")


# ---------------------------------------------------------------- versions
@at_once
async def test_a_move_chosen_from_an_older_or_a_future_view_is_stale() -> None:
    async with hall() as it:
        seats = await it.sit(2, options={"target": 5000})
        await play_on(seats, lambda: seats[0].version > 12)
        mover = next(seat for seat in seats if seat.on_turn)
        for version in (0, 1, mover.version - 1, mover.version + 1, 2**53 - 1):
            fields = {"version": version, "move": "draw"}
            assert await mover.refusal_to("move", **fields) == ("stale-version", "stale-version")
        refusal = await mover.try_move("draw", version=1)
        assert refusal["facts"] == {"now": mover.version}
        await mover.move(mover.view["legal"][-1])


async def one_is_silent(it: Hall, **more: Any) -> list[SeatClient]:
    """Three people; Ann has played down to one card without a word, and Ben is on turn."""
    seed = dealt(first_goes_down_to_one, players=3, **DOWN_TO_ONE)
    seats = await it.sit(3, seed=seed, options=DOWN_TO_ONE, grace_ms=0, **more)
    version = await seats[0].move(number_card(seats[0]))
    for seat in seats:
        await seat.reach(version)
    assert seats[1].on_turn
    assert seats[1].view["catchable"] == [0]
    return seats


@pytest.mark.parametrize(("who", "said"), [(0, "uno"), (2, "catch 0")])
@at_once
async def test_a_late_uno_or_a_catch_of_others_makes_nobodys_move_stale(who: int, said: str) -> None:
    async with hall() as it:
        seats = await one_is_silent(it)
        chosen_from, move = seats[1].version, plain(seats[1].view["legal"])
        assert await seats[who].move(said) == chosen_from + 1
        assert await seats[1].move(move, version=chosen_from) == chosen_from + 2


@at_once
async def test_a_catch_is_judged_when_it_arrives_however_old_its_view_is() -> None:
    async with hall() as it:
        ann, ben, cleo = await one_is_silent(it)
        assert await cleo.move("catch 0", version=it.table(ann.code).state.since) == cleo.version
        too_late = await ben.try_move("catch 0")
        assert too_late["code"] == "illegal-move"


@at_once
async def test_cards_drawn_on_turn_for_being_caught_make_an_older_choice_stale() -> None:
    def caught_on_turn(match: Match) -> bool:
        if not first_goes_down_to_one(match):
            return False
        match.say(1, next(str(move) for move in match.legal(1) if str(move) == "draw"))
        if str(match.view(1).phase.value) == "drawn":
            match.say(1, "keep")
        return match.to_act == 0 and bool(match.catchable)

    async with hall() as it:
        seed = dealt(caught_on_turn, edition="argentina", **DOWN_TO_ONE)
        ann, ben = await it.sit(2, seed=seed, edition="argentina", options=DOWN_TO_ONE, grace_ms=0)
        await ben.reach(await ann.move(number_card(ann)))
        await ben.move("draw")
        if ben.on_turn:
            await ben.move("keep")
        await ann.reach(ben.version)
        chosen_from = ann.version
        await ann.reach(await ben.move("catch 0"))
        assert (await ann.try_move("draw", version=chosen_from))["code"] == "stale-version"
        await ann.move("draw")


# ---------------------------------------------------------------- the journal fails
@pytest.mark.parametrize("late", [False, True])
@at_once
async def test_a_journal_that_fails_changes_nothing_and_the_same_command_is_carried_out_once_later(late: bool) -> None:
    ledger = Ledger()
    async with hall(ledger) as it:
        seats = await it.sit(2)
        mover, other = seats
        table = it.table(mover.code)
        before, version, heard = print_of(table), mover.version, len(other.told)
        ledger.failing, ledger.losing_answers = not late, late
        command: Message = {"cmd_id": "again", "version": version, "move": "draw"}
        answer = await mover.ask("move", **command)
        assert (answer["type"], answer["code"], answer["version"]) == ("refused", "unavailable", version)
        assert print_of(table) == before
        assert news_of(other, heard) == []
        ledger.failing = ledger.losing_answers = False
        await asyncio.sleep(10)  # nobody does anything: nothing happens by itself
        assert print_of(table) == before
        assert await mover.do("move", **command) == version + 1
        assert await mover.do("move", **command) == version + 1
        await other.reach(version + 1)
        assert [update["version"] for update in other.told[heard:] if update["type"] == "update"] == [version + 1]
        assert len(await ledger.load(mover.code)) == version + 1


@at_once
async def test_an_entry_that_was_written_although_the_journal_failed_is_shown_before_anything_else() -> None:
    ledger = Ledger()
    async with hall(ledger) as it:
        mover, other = await it.sit(2)
        version = mover.version
        ledger.losing_answers = True
        assert (await mover.try_move("draw", cmd_id="lost"))["code"] == "unavailable"
        ledger.losing_answers = False
        assert (await other.ask("start"))["code"] in ("not-host", "not-now")
        await other.reach(version + 1)
        assert await mover.do("move", cmd_id="lost", version=version, move="draw") == version + 1
        welcome = await it.seat(mover.code).connect(have=0)
        assert welcome["missed"][-1]["version"] == welcome["version"] == version + 1
