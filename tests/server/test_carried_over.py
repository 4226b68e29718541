"""What goes with a table to another server, and what begins anew there."""

from __future__ import annotations

import asyncio

import pytest

from flipdeck.server.table.opener import OPENING_SECONDS
from flipdeck.server.thinkers.inline import InlineThinkers
from flipdeck.server.thinkers.port import BotAnswer, Question, Shown
from flipdeck.wire.connection import CLOSE_CODES

from .playing import play_on
from .pledging import freeze, open_value
from .seats import SeatClient
from .sitting import Hall, Ledger, at_once, hall
from .test_handover import there, two_servers
from .test_votes import slow_ben


async def hand_over(seats: list[SeatClient], first: Hall, second: Hall, stops: bool) -> list[SeatClient]:
    """The same people at the second server: the first was stopped, or was asked for the table."""
    if stops:
        await first.lobby.close()
    others = there(seats, second)
    for other in others:
        assert (await other.connect())["type"] == "welcome"
    for seat in seats:
        assert (await seat.hear("bye"))["code"] == "shutting-down"
        assert seat._line.closing == CLOSE_CODES["shutting-down"]
    return others


both_ways = pytest.mark.parametrize("stops", [True, False], ids=["stopped", "asked"])


# ---------------------------------------------------------------- votes and pledges
@both_ways
@at_once
async def test_votes_survive(stops: bool) -> None:
    async with two_servers(hold_seconds=0) as (ledger, first, second):
        seats = await slow_ben(first)
        assert (await seats[0].ask("vote_out", seat=1, on=True))["type"] == "ack"
        code = seats[0].code
        ann, ben, cleo = await hand_over(seats, first, second, stops)
        assert not [entry for entry in await ledger.written(code) if entry.get("why") == "voted"]
        assert ann.table["seats"][1]["votes"] == [0]
        assert ann.table["seats"][1]["slow"]
        assert (await cleo.ask("vote_out", seat=1, on=True))["type"] == "ack"
        await ben.reach(cleo.version)
        assert ben.table["seats"][1]["voted_out"]


@at_once
async def test_whoever_is_sent_to_another_server_has_not_gone_and_their_vote_is_waited_for() -> None:
    """Or somebody could be voted out because the others were sent away first."""
    async with hall() as it:
        ann, ben, cleo = await slow_ben(it)
        await ann.do("vote_out", seat=1, on=True)
        version = it.table(ann.code).state.version
        cleo._line.end("shutting-down")
        await asyncio.sleep(1)
        assert len(it.table(ann.code).connections) == 2
        assert it.table(ann.code).state.version == version
        assert (await cleo.connect())["type"] == "welcome"
        cleo.hang_up()
        await ben.reach(version + 1)
        assert ben.table["seats"][1]["voted_out"]


@both_ways
@at_once
async def test_pledges_survive_and_opened_values_are_opened_again(stops: bool) -> None:
    async with two_servers(hold_seconds=0) as (_, first, second):
        seats = await first.sit(2, start=False)
        await freeze(seats, *seats)
        assert (await open_value(seats[0]))["type"] == "ack"
        await asyncio.sleep(OPENING_SECONDS - 1)
        before = seats[0].table["fairness"]["pledges"]
        ann, ben = await hand_over(seats, first, second, stops)
        assert (ann.table["phase"], ann.table["fairness"]["pledges"]) == ("starting", before)
        await asyncio.sleep(OPENING_SECONDS - 1)
        assert ann.table["phase"] == "starting", "the wait has begun anew"
        assert (await open_value(ben))["type"] == "ack"
        await asyncio.sleep(0.5)
        assert ann.table["phase"] == "starting", "the value that was opened elsewhere is not known here"
        assert (await open_value(ann))["type"] == "ack"
        await ann.hear("update")
        assert all(ann.table["fairness"]["values"])
        assert ann.table["fairness"]["unopened"] == []


@both_ways
@at_once
async def test_who_was_ready_for_the_next_round_stays_ready(stops: bool) -> None:
    async with two_servers(hold_seconds=0) as (_, first, second):
        seats = await first.sit(2, options={"hand_size": 2, "target": 5000}, next_round_seconds=300)
        await play_on(seats, lambda: bool(seats[0].table["phase"] == "between"))
        await seats[0].do("ready")
        ann, ben = await hand_over(seats, first, second, stops)
        assert [seat["ready"] for seat in ann.table["seats"]] == [True, False]
        await ann.reach(await ben.do("ready") + 1)
        assert second.table(ann.code).state.phase == "playing"


# ---------------------------------------------------------------- chat and requests to hurry
@both_ways
@at_once
async def test_the_last_lines_of_chat_are_lost_and_the_next_are_heard(stops: bool) -> None:
    async with two_servers(hold_seconds=0) as (_, first, second):
        seats = await first.sit(2)
        await seats[0].say("chat", text="Good luck!")
        assert (await seats[1].hear("said"))["text"] == "Good luck!"
        ann, ben = await hand_over(seats, first, second, stops)
        assert ben.all("welcome")[0]["chat"] == []
        await ann.say("chat", text="Still here?")
        assert (await ben.hear("said"))["text"] == "Still here?"


@both_ways
@at_once
async def test_a_command_that_was_carried_out_before_is_not_carried_out_again(stops: bool) -> None:
    async with two_servers(hold_seconds=0) as (ledger, first, second):
        seats = await first.sit(2)
        await play_on(seats, lambda: seats[0].on_turn)
        move = {"version": seats[0].version, "move": seats[0].view["legal"][-1], "cmd_id": "once"}
        done = await seats[0].ask("move", **move)
        ann, _ = await hand_over(seats, first, second, stops)
        written = len(await ledger.written(ann.code))
        assert await ann.ask("move", **move) == done
        assert len(await ledger.written(ann.code)) == written


# ---------------------------------------------------------------- bots
class Questions(InlineThinkers):
    """Keeps what every bot was shown, by seat."""

    def __init__(self) -> None:
        super().__init__("questions")
        self.shown: dict[int | None, list[Shown]] = {}
        self.first: dict[int | None, int] = {}

    async def ask(self, question: Question) -> BotAnswer:
        seat = question.shown[-1].view.you
        self.first.setdefault(seat, question.first)
        self.shown.setdefault(seat, []).extend(question.shown)
        return await super().ask(question)

    def of_round(self, seat: int) -> list[Shown]:
        """What a seat saw from the last deal on; of what was shown twice, one."""
        kept: list[Shown] = []
        for shown in self.shown.get(seat, []):
            if any(event.what.name == "DEALT" for event in shown.events):
                kept = []
            if shown.events and (not kept or kept[-1] != shown):
                kept.append(shown)
        return kept


@both_ways
@at_once
async def test_bots_remember_what_they_saw_at_another_server(stops: bool) -> None:
    ledger, config = Ledger(), {"lease_seconds": 6.0, "hold_seconds": 0.0, "drain_seconds": 300.0}
    before, after = Questions(), Questions()
    async with hall(ledger, thinkers=before, **config) as first, hall(ledger, thinkers=after, **config) as second:
        seats = await first.sit(1, {1: "regular", 2: "regular"}, speed="fast", options={"target": 5000})
        await play_on(seats, lambda: seats[0].on_turn and seats[0].version > 25)
        (ann,) = await hand_over(seats, first, second, stops)
        await play_on([ann], lambda: ann.on_turn and all(seat in after.first for seat in (1, 2)))
        for seat in (1, 2):
            known, again = before.of_round(seat), after.of_round(seat)
            assert after.first[seat] == 0, "it begins with the deal"
            assert len(known) > 5
            assert again[: len(known)] == known


@at_once
async def test_a_bot_that_has_taken_over_from_somebody_remembers_too() -> None:
    ledger = Ledger()
    thinkers = Questions()
    async with hall(ledger, thinkers=thinkers) as it:
        seats = await it.sit(2, speed="fast", options={"target": 5000})
        await play_on(seats, lambda: seats[0].version > 12)
        await seats[1].do("leave")
        await play_on(seats[:1], lambda: seats[0].on_turn and len(thinkers.of_round(1)) > 2)
        known = thinkers.of_round(1)
        await it.restart()
        thinkers.first.clear()
        thinkers.shown.clear()
        assert (await seats[0].connect())["type"] == "welcome"
        await play_on(seats[:1], lambda: 1 in thinkers.first)
        assert thinkers.first[1] == 0
        assert len(known) > 1
        assert thinkers.of_round(1)[: len(known)] == known
