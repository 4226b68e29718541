"""Faults of our own: one in deciding costs a refusal, one in carrying out a reconnect; the table goes on."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from flipdeck.core.events import Event
from flipdeck.server.logs import JsonLines
from flipdeck.server.table import entries
from flipdeck.server.table.entries import AnyEntry
from flipdeck.server.table.state import TableState
from flipdeck.server.transport import session
from flipdeck.wire.errors import SENTENCES

from .playing import plain, play_on
from .seats import print_of
from .sitting import Ledger, at_once, hall


def break_apply(monkeypatch: pytest.MonkeyPatch, breaks: Callable[[TableState, AnyEntry], bool]) -> None:
    sound = entries.apply

    def apply(state: TableState, entry: AnyEntry) -> Sequence[Event]:
        if breaks(state, entry):
            raise ZeroDivisionError
        return sound(state, entry)

    monkeypatch.setattr(entries, "apply", apply)


# ---------------------------------------------------------------- before it is written
@at_once
async def test_what_can_not_be_carried_out_is_never_written_and_disturbs_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ledger = Ledger()
    async with hall(ledger) as it:
        ann, ben = await it.sit(2, seats=3, start=False)
        break_apply(monkeypatch, lambda _, entry: isinstance(entry, entries.BotSat))
        written = await ledger.load(ann.code)
        assert await ann.refusal_to("seat_bot", seat=2) == ("internal-error", "internal-error")
        assert await ledger.load(ann.code) == written
        monkeypatch.undo()
        await ann.do("seat_bot", seat=2)
        await ann.do("start")
        await play_on([ann, ben], lambda: ann.version > 12)
        assert ann.on_line
        assert ben.on_line


@at_once
async def test_the_level_of_a_bot_can_be_changed_where_every_name_is_taken() -> None:
    async with hall() as it:
        made = await it.make("Alba", settings={"seats": 10}, bots={str(seat): "rookie" for seat in range(1, 10)})
        alba = it.seat(made.code, made.token)
        await alba.connect()
        names = [seat["name"] for seat in alba.table["seats"]]
        for seat in range(1, 10):
            await alba.do("seat_bot", seat=seat, level="master")
        assert [seat["name"] for seat in alba.table["seats"]] == names
        it.fall_over()
        assert (await alba.connect())["type"] == "welcome"
        await alba.do("start")


# ---------------------------------------------------------------- what is said of it
@at_once
async def test_a_fault_of_ours_has_its_own_code_its_own_sentence_and_its_stack_in_the_log(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither player nor operator should look for a full disk."""
    async with hall() as it:
        ann, _ = await it.sit(2, seats=3, start=False)
        break_apply(monkeypatch, lambda _, entry: isinstance(entry, entries.BotSat))
        refused = await ann.ask("seat_bot", seat=2)
        assert (refused["code"], refused["message"]) == ("internal-error", SENTENCES["internal-error"])
        assert "written down" not in refused["message"]
    record = next(each for each in caplog.records if each.message == "entry-failed")
    [told] = json.loads(JsonLines().format(record))["errors"]
    assert told["type"] == "ZeroDivisionError"
    assert any(place.endswith(" try_out") for place in told["where"])
    assert any(place.endswith(" apply") for place in told["where"])


@at_once
async def test_a_fault_in_a_session_costs_its_connection_and_no_other(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(_: str) -> str:
        raise ZeroDivisionError

    async with hall() as it:
        ann, ben = await it.sit(2)
        monkeypatch.setattr(session, "clean_chat", broken)
        await ann.say("chat", text="hi")
        assert (await ann.hear("bye"))["code"] == "internal-error"
        assert ben.on_line
        assert any(record.message == "message-failed" for record in caplog.records)
        assert (await ann.connect())["type"] == "welcome"


# ---------------------------------------------------------------- after it
def once_on_the_table_itself(kind: type) -> Callable[[TableState, AnyEntry], bool]:
    """Trying it out goes well, carrying it out does not, and reading it again does."""
    struck = False

    def breaks(state: TableState, entry: AnyEntry) -> bool:
        nonlocal struck
        if struck or not isinstance(entry, kind) or not state.steps:  # what only tries something has none
            return False
        struck = True
        return True

    return breaks


@at_once
async def test_after_a_fault_nothing_more_is_decided_on_the_broken_table(monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = Ledger()
    async with hall(ledger) as it:
        ann, ben = seats = await it.sit(2, {2: "casual"}, turn_seconds=30)
        broken = it.table(ann.code)
        looking = it.seat(ann.code)
        ledger.slow = 0.2
        break_apply(monkeypatch, once_on_the_table_itself(entries.Moved))
        version = ann.version
        await ann.send("move", move=plain(ann.view["legal"]), version=version, cmd_id="broken")
        coming = asyncio.create_task(looking.connect())
        await ben.send("leave", cmd_id="behind it")
        await ann.send("leave", cmd_id="behind it")
        assert (await coming)["code"] == "internal-error"
        for seat in seats:
            assert (await seat.hear("bye"))["code"] == "internal-error"
        await asyncio.sleep(1)
        assert broken.lost
        assert not broken.connections
        assert len(await ledger.load(ann.code)) == version + 1  # what was written is kept, and nothing after it
        for seat in (*seats, looking):
            assert (await seat.connect(have=version))["version"] == version + 1
        again = it.table(ann.code)
        assert again is not broken
        answer = await ann.ask("move", move="draw", version=version, cmd_id="broken")
        assert (answer["type"], answer["version"]) == ("ack", version + 1)
        await play_on(seats, lambda: ann.version > version + 6)
        before = print_of(again)
        it.fall_over()
        await ann.connect()
        assert print_of(it.table(ann.code)) == before


@at_once
async def test_a_lost_table_has_no_clock_no_bots_and_no_worker_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    async with hall() as it:
        ann, _ = seats = await it.sit(2, {2: "casual"}, turn_seconds=15, speed="fast")
        broken = it.table(ann.code)
        break_apply(monkeypatch, once_on_the_table_itself(entries.Moved))
        await ann.send("move", move=plain(ann.view["legal"]), version=ann.version)
        await ann.hear("bye")
        for seat in seats:
            await seat.connect()
        asked: list[Any] = []
        monkeypatch.setattr(broken, "submit", lambda *request: asked.append(request))
        await asyncio.sleep(60)
        assert it.table(ann.code) is not broken
        assert (asked, broken._worker, broken._bot_driver._driven) == ([], None, {})


@at_once
async def test_an_entry_that_is_kept_while_its_table_is_lost_is_shown_by_the_next() -> None:
    ledger = Ledger()
    async with hall(ledger) as it:
        ann, ben = seats = await it.sit(2, {2: "casual"})
        broken, version = it.table(ann.code), ann.version
        ledger.slow = 0.5
        await ann.send("move", move=plain(ann.view["legal"]), version=version)
        await asyncio.sleep(0.1)
        broken.lose()
        await asyncio.sleep(1)
        assert broken.state.version == version + 1
        assert not any(message["version"] > version for seat in seats for message in seat.all("update"))
        assert not broken._bot_driver._driven, "nobody would ever tell them to forget"
        for seat in (ann, ben):
            assert (await seat.connect(have=version))["version"] == version + 1


@at_once
async def test_a_table_at_the_limit_that_was_lost_can_be_woken_at_once() -> None:
    async with hall(most_tables=1) as it:
        ann, _ = seats = await it.sit(2)
        it.table(ann.code).lose()
        for seat in seats:
            assert (await seat.connect())["type"] == "welcome"
