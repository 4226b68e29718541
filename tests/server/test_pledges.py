"""Seats add values to the secret: pledged before the start, opened when nothing can be chosen, dealt from together."""

from __future__ import annotations

import asyncio
import json

import pytest

from flipdeck.core.record import parse
from flipdeck.core.seeds import commitment_of, pledge_of, seed_with_values
from flipdeck.server.table.opener import OPENING_SECONDS

from .playing import play_out
from .pledging import deal, freeze, open_value, pledge, pledge_for, value_for
from .seats import SeatClient
from .sitting import Ledger, at_once, hall

SHORT = {"hand_size": 3, "target": 1}


def fairness(seat: SeatClient) -> dict[str, object]:
    shown: dict[str, object] = seat.table["fairness"]
    return shown


# ---------------------------------------------------------------- the whole way
@at_once
async def test_the_seed_is_made_of_the_secret_and_all_values_and_everything_fits_at_the_end() -> None:
    async with hall() as it:
        ann, ben = seats = await it.sit(2, {2: "rookie"}, start=False, options=SHORT)
        committed = fairness(ben)["commitment"]
        mine, yours = await pledge(ann), await pledge(ben)
        await ann.reach(ben.version)
        pledges = [pledge_for(ann, mine), pledge_for(ben, yours), None]
        assert fairness(ann) == {
            "commitment": committed, "seed": None, "secret": None, "pledges": pledges, "values": [], "unopened": [],
        }  # fmt: skip
        loop = asyncio.get_running_loop()
        began = loop.time()
        await ann.do("start")
        assert (ann.table["phase"], ann.view) == ("starting", {})
        for seat, value in ((ann, mine), (ben, yours)):
            assert (await open_value(seat, value))["type"] == "ack"
        await ben.reach(ann.version + 1)
        assert loop.time() == began, "nobody has to wait when all values are in"
        assert (ben.table["phase"], len(ben.view["hand"])) == ("playing", 3)
        values = [mine.hex(), yours.hex(), None]
        assert (fairness(ben)["values"], fairness(ben)["unopened"]) == (values, [])
        assert (fairness(ben)["seed"], fairness(ben)["secret"]) == (None, None)
        await play_out(seats)
        over = fairness(ann)
        secret = bytes.fromhex(str(over["secret"]))
        assert commitment_of(secret) == committed == over["commitment"]
        assert (over["pledges"], over["values"]) == (pledges, values)
        assert seed_with_values(secret, {0: mine, 1: yours}).hex() == over["seed"]
        match = parse(await it.lobby.replay(ann.table["replay"], "a"))
        assert (match.seed.hex(), match.secret, dict(match.values)) == (over["seed"], secret, {0: mine, 1: yours})
        await ben.do("rematch")
        assert ben.table["last"].items() >= {name: over[name] for name in over if name != "replay"}.items()


@at_once
async def test_without_pledges_the_cards_are_dealt_at_once_and_the_seed_is_the_secret() -> None:
    async with hall() as it:
        seats = await it.sit(2, options=SHORT)
        assert (seats[0].table["phase"], fairness(seats[0])["values"]) == ("playing", [None, None])
        await play_out(seats)
        assert fairness(seats[0])["seed"] == fairness(seats[0])["secret"] is not None
        assert "values:" not in await it.lobby.replay(seats[0].table["replay"], "a")


@at_once
async def test_a_table_that_is_made_and_started_in_one_request_has_no_values() -> None:
    async with hall() as it:
        made = await it.make(settings={"seats": 2}, bots={"1": "rookie"}, start=True)
        ann = it.seat(made.code, made.token)
        await ann.connect()
        assert (ann.table["phase"], fairness(ann)["values"]) == ("playing", [None, None])


@at_once
async def test_a_pledge_that_is_not_opened_is_left_out_after_five_seconds_and_named_to_all() -> None:
    async with hall() as it:
        ann, ben, cleo = seats = await it.sit(3, start=False, options=SHORT)
        looking = await it.watcher(ann.code)
        await freeze(seats, ann, ben)
        began = asyncio.get_running_loop().time()
        await open_value(ann)
        version = ann.version + 1
        for seat in (*seats, looking):
            await seat.reach(version)
            assert fairness(seat)["unopened"] == [1]
            assert fairness(seat)["values"] == [value_for(ann).hex(), None, None]
        assert asyncio.get_running_loop().time() == began + OPENING_SECONDS == began + 5
        assert (await open_value(ben))["reason"] == "not-starting"
        await play_out(seats)
        assert parse(await it.lobby.replay(cleo.table["replay"], "a")).values == {0: value_for(ann)}
        assert fairness(cleo)["unopened"] == [1]


@at_once
async def test_if_nobody_opens_the_seed_is_the_secret_and_all_who_pledged_are_named() -> None:
    async with hall() as it:
        seats = await it.sit(2, start=False, options=SHORT)
        await freeze(seats, *seats)
        await seats[0].reach(seats[0].version + 1)
        assert fairness(seats[0])["unopened"] == [0, 1]
        await play_out(seats)
        assert fairness(seats[0])["seed"] == fairness(seats[0])["secret"]


@at_once
async def test_every_match_has_a_secret_and_pledges_of_its_own() -> None:
    async with hall() as it:
        ann, ben = seats = await it.sit(2, start=False, options=SHORT)
        await deal(seats, ann, ben)
        await play_out(seats)
        before = fairness(ann)
        version = await ann.do("rematch")
        await ben.reach(version)
        now = fairness(ben)
        assert (now["pledges"], now["values"], now["unopened"]) == ([None, None], [], [])
        assert now["commitment"] != before["commitment"]
        old = value_for(ben, "of the match before")
        await ben.do(
            "pledge", pledge=pledge_of(str(before["commitment"]), old)
        )  # of another commitment: no value opens it
        await freeze(seats)
        assert (await open_value(ben, old))["code"] == "wrong-value"
        await ann.reach(ann.version + 1)
        assert fairness(ann)["unopened"] == [1]


# ---------------------------------------------------------------- before the start
@at_once
async def test_a_later_pledge_replaces_the_one_before_it() -> None:
    async with hall() as it:
        ann, ben = seats = await it.sit(2, start=False)
        first = await pledge(ann, value_for(ann, "first"))
        second = await pledge(ann, value_for(ann, "second"))
        await freeze(seats)
        assert await ann.refusal_to("open", value=first.hex()) == ("wrong-value", "wrong-value")
        await open_value(ann, second)
        await ben.reach(ann.version + 1)
        assert fairness(ben)["values"] == [second.hex(), None]


@at_once
async def test_another_device_in_the_seat_pledges_anew() -> None:
    async with hall() as it:
        ann, ben = seats = await it.sit(2, start=False)
        await pledge(ben, value_for(ben, "telephone"))
        phone = it.seat(ben.code, ben.token)
        await phone.connect()
        await pledge(phone, value_for(phone, "laptop"))
        await freeze([ann, phone])
        assert (await open_value(phone, value_for(phone, "telephone")))["code"] == "wrong-value"
        assert (await open_value(phone, value_for(phone, "laptop")))["type"] == "ack"
        await seats[0].reach(ann.version + 1)
        assert fairness(ann)["values"] == [None, value_for(phone, "laptop").hex()]


@at_once
async def test_the_pledge_goes_with_its_person_and_moves_up_with_the_seat() -> None:
    async with hall() as it:
        ann, ben, cleo = await it.sit(3, start=False)
        kept = pledge_for(cleo, await pledge(cleo))
        await pledge(ben)
        await ben.do("leave")
        await ann.reach(ben.version + 1)
        assert fairness(ann)["pledges"] == [None, None, kept]
        dan = it.seat(ann.code, (await it.join(ann.code, "Dan")).token)
        await dan.connect()
        assert fairness(dan)["pledges"] == [None, None, kept], "whoever comes next pledges for themselves"
        await ann.do("clear_seat", seat=1)
        await ann.do("clear_seat", seat=1)
        assert fairness(ann)["pledges"] == [None, kept]
        await ann.do("clear_seat", seat=1)
        await ann.do("seat_bot", seat=1, level="rookie")
        assert fairness(ann)["pledges"] == [None, None]


@at_once
async def test_only_a_seat_pledges_and_only_before_the_start() -> None:
    async with hall() as it:
        ann, ben = seats = await it.sit(2, start=False)
        looking = await it.watcher(ann.code)
        digits = "0" * 64
        assert await looking.refusal_to("pledge", pledge=digits) == ("not-seated", "not-seated")
        assert await ann.refusal_to("open", value=digits) == ("not-now", "not-starting")
        await freeze(seats, ben)
        assert await ben.refusal_to("pledge", pledge=digits) == ("not-now", "begun")
        assert await ann.refusal_to("open", value=digits) == ("not-now", "no-pledge")
        assert await looking.refusal_to("open", value=digits) == ("not-seated", "not-seated")
        await open_value(ben)
        await ann.reach(ben.version + 1)
        assert await ann.refusal_to("pledge", pledge=digits) == ("not-now", "begun")
        assert await ann.refusal_to("open", value=digits) == ("not-now", "not-starting")


@pytest.mark.parametrize("digits", ["", "0" * 63, "0" * 65, "G" * 64, "A" * 64, "0" * 64 + "\n", 7, None])
@at_once
async def test_what_is_not_64_digits_is_no_pledge_and_no_value(digits: object) -> None:
    async with hall() as it:
        (ann,) = await it.sit(1, {1: "rookie"}, start=False)
        for kind, field in (("pledge", "pledge"), ("open", "value")):
            await ann.say(kind, cmd_id="c", **{field: digits})
            assert (await ann.hear("refused"))["code"] == "bad-message"
        assert fairness(ann)["pledges"] == [None, None]


# ---------------------------------------------------------------- while it is starting
@at_once
async def test_seats_and_pledges_are_frozen_and_no_value_is_shown_before_the_deal() -> None:
    async with hall() as it:
        ann, ben, cleo = seats = await it.sit(3, start=False)
        await freeze(seats, ann, ben, cleo)
        await open_value(ann)
        assert await ann.refusal_to("start") == ("not-now", "begun")
        assert await ann.refusal_to("clear_seat", seat=1) == ("not-now", "begun")
        assert await ann.refusal_to("seat_bot", seat=1) == ("not-now", "not-away")
        assert await ben.refusal_to("ready") == ("not-now", "not-between")
        assert await ben.refusal_to("rematch") == ("not-now", "not-over")
        assert await ben.refusal_to("move", version=ben.version, move="draw") == ("not-now", "not-begun")
        with pytest.raises(Exception, match="has begun"):
            await it.join(ann.code, "Dan")
        late = it.seat(ben.code, ben.token)
        welcome = await late.connect()
        assert (welcome["table"]["phase"], welcome["view"]) == ("starting", None)
        told = json.dumps([seat.told for seat in (*seats, late)])
        assert value_for(ann).hex() not in told
        assert it.table(ann.code).state.seed.hex() not in told
        assert value_for(ann).hex() not in json.dumps(await Ledger.written(it.journal, ann.code))  # type: ignore[arg-type]


@at_once
async def test_the_dealer_whom_the_host_has_named_deals_after_the_wait() -> None:
    async with hall() as it:
        ann, ben = seats = await it.sit(2, {2: "rookie"}, edition="mild-wild", start=False)
        await pledge(ben)
        await ann.do("start", dealer=2)
        await open_value(ben)
        await ann.reach(ann.version + 1)
        assert (seats[0].view["dealer"], it.table(ann.code).state.named_dealer) == (2, None)


@at_once
async def test_nobody_waits_for_whoever_leaves_and_what_they_have_opened_counts() -> None:
    async with hall() as it:
        ann, ben, cleo = await it.sit(3, start=False)
        await freeze([ann, ben, cleo], ann, ben, cleo)
        await open_value(cleo)
        await cleo.do("leave")
        await open_value(ann)
        began = asyncio.get_running_loop().time()
        await ben.do("leave")
        await ann.reach(ann.version + 1)
        assert asyncio.get_running_loop().time() == began
        assert fairness(ann)["values"] == [value_for(ann).hex(), None, value_for(cleo).hex()]
        assert fairness(ann)["unopened"] == [1]
        assert [seat["sits_in"] for seat in ann.table["seats"]] == [False, True, True]


@at_once
async def test_the_host_need_not_wait_for_somebody_who_is_away_and_they_may_come_back() -> None:
    async with hall() as it:
        ann, ben = seats = await it.sit(2, start=False)
        await freeze(seats, ann, ben)
        ben.hang_up()
        await ann.do("seat_bot", seat=1)
        await ben.connect()
        await ben.hear("update")  # they are back, and are waited for again
        assert not ben.table["seats"][1]["sits_in"]
        await open_value(ben)
        await open_value(ann)
        await ann.reach(ben.version + 1)
        assert fairness(ann)["unopened"] == []


@at_once
async def test_an_opened_value_that_is_sent_again_gets_its_acknowledgement_again() -> None:
    async with hall() as it:
        ann, ben = seats = await it.sit(2, start=False)
        await freeze(seats, ann, ben)
        for _ in range(2):
            answer = await ann.ask("open", cmd_id="o", value=value_for(ann).hex())
            assert (answer["type"], answer["cmd_id"]) == ("ack", "o")
        await open_value(ben)
        await ann.reach(ann.version + 1)
        assert (await ann.ask("open", cmd_id="o", value=value_for(ann).hex()))["type"] == "ack"
        assert await ann.refusal_to("open", value=value_for(ben).hex()) == ("not-now", "not-starting")
        assert (await ann.ask("start", cmd_id="s"))["type"] == "refused"


@at_once
async def test_commands_that_are_sent_again_are_carried_out_once() -> None:
    async with hall() as it:
        ann, ben = await it.sit(2, start=False)
        digits = pledge_for(ben, value_for(ben))
        first = await ben.ask("pledge", cmd_id="p", pledge=digits)
        assert await ben.ask("pledge", cmd_id="p", pledge=digits) == first
        first = await ann.ask("start", cmd_id="s")
        assert await ann.ask("start", cmd_id="s") == first
        await open_value(ben)
        await ann.reach(first["version"] + 1)
        assert await ann.ask("start", cmd_id="s") == first
        assert ann.version == first["version"] + 1
