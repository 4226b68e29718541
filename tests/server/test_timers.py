"""UNO, said or not: who can be caught, by whom, and how long the next move waits for it."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from flipdeck.bots.player import in_earnest
from flipdeck.core.notation import Catch
from flipdeck.server.thinkers.inline import InlineThinkers
from flipdeck.server.thinkers.port import BotAnswer, Question

from .outbox import Message
from .playing import DOWN_TO_ONE, dealt, first_goes_down_to_one, number_card, plain
from .seats import SeatClient
from .sitting import Hall, Ledger, at_once, hall


def now() -> float:
    return asyncio.get_running_loop().time()


async def about_to_go_down(
    it: Hall, people: int = 3, bots: dict[int, str] | None = None, **settings: Any
) -> list[SeatClient]:
    """Ann is on turn with two cards, one of them a number that can be played."""
    options = {**DOWN_TO_ONE, **settings.pop("options", {})}
    seed = dealt(first_goes_down_to_one, people + len(bots or {}), **options)
    return await it.sit(people, bots, seed=seed, options=options, **settings)


async def down_to_one(
    it: Hall, people: int = 3, bots: dict[int, str] | None = None, **settings: Any
) -> list[SeatClient]:
    """Ann has one card and has not said so; whoever sits next is on turn."""
    seats = await about_to_go_down(it, people, bots, **settings)
    version = await seats[0].move(number_card(seats[0]))
    for seat in seats:
        await seat.reach(version)
        assert seat.view["catchable"] == [0]
    return seats


def happened(seat: SeatClient, version: int) -> list[str]:
    update: Message = next(m for m in seat.all("update") if m["version"] == version)
    return [event["event"] for event in update["events"]]


# ---------------------------------------------------------------- saying it
@at_once
async def test_who_says_uno_with_the_play_can_not_be_caught_and_nobody_waits() -> None:
    async with hall() as it:
        ann, ben, cleo = await about_to_go_down(it, grace_ms=5000)
        version = await ann.move(number_card(ann) + "!")
        for seat in (ben, cleo):
            await seat.reach(version)
            assert seat.view["catchable"] == []
        assert "said_uno" in happened(ben, version)
        assert (await cleo.try_move("catch 0"))["code"] == "illegal-move"
        began = now()
        await ben.move(plain(ben.view["legal"]))
        assert (now(), ben.all("held")) == (began, [])


@at_once
async def test_uno_said_late_is_as_good_if_it_comes_before_the_catch() -> None:
    async with hall() as it:
        ann, ben, cleo = await down_to_one(it)
        version = await ann.move("uno")
        await cleo.reach(version)
        assert happened(cleo, version) == ["said_uno"]
        assert (await cleo.try_move("catch 0"))["code"] == "illegal-move"
        assert (await ben.try_move("uno"))["code"] == "illegal-move"
        assert len(ann.view["hand"]) == 1


@at_once
async def test_of_two_who_catch_the_first_to_arrive_has_caught() -> None:
    ledger = Ledger()
    async with hall(ledger) as it:
        ann, ben, cleo = await down_to_one(it)
        version = ann.version
        ledger.slow = 0.2  # all are on their way before the first is written
        ids = [await cleo.send("move", move="catch 0", version=version, cmd_id="c")]
        ids.append(await ben.send("move", move="catch 0", version=version, cmd_id="b"))
        ids.append(await ann.send("move", move="uno", version=version, cmd_id="a"))
        answers = [await seat.answer_to(cmd_id) for seat, cmd_id in zip((cleo, ben, ann), ids, strict=True)]
        assert [(answer["type"], answer.get("code")) for answer in answers] == [
            ("ack", None),
            ("refused", "illegal-move"),
            ("refused", "illegal-move"),
        ]
        await ann.reach(version + 1)
        caught = ann.all("update")[-1]["events"][0]
        assert (caught["event"], caught["seat"], caught["by"]) == ("caught", 0, 2)
        assert len(ann.view["hand"]) == 3


# ---------------------------------------------------------------- holding
@pytest.mark.parametrize("grace", [300, 1000, 5000])
@at_once
async def test_the_next_move_waits_for_the_grace_and_is_carried_out_then(grace: int) -> None:
    async with hall() as it:
        ann, ben, cleo = await down_to_one(it, grace_ms=grace)
        began, version = now(), ben.version
        await asyncio.sleep(0.1)
        cmd_id = await ben.send("move", move=plain(ben.view["legal"]), version=version)
        held = await ben.hear("held")
        assert (held["cmd_id"], held["ms"]) == (cmd_id, grace - 100)
        assert await cleo.answer_to(
            await cleo.send("move", move="draw", version=version)
        )  # refused, at the latest then
        answer = await ben.answer_to(cmd_id)
        assert (answer["type"], answer["version"]) == ("ack", version + 1)
        assert now() - began == pytest.approx(grace / 1000)
        await ann.reach(version + 1)
        assert ann.view["catchable"] == []
        assert (await cleo.try_move("catch 0"))["code"] == "illegal-move"


@pytest.mark.parametrize(("who", "said"), [(0, "uno"), (2, "catch 0"), (1, "catch 0")])
@at_once
async def test_a_held_move_goes_on_at_once_when_there_is_nobody_left_to_catch(who: int, said: str) -> None:
    async with hall() as it:
        seats = await down_to_one(it, grace_ms=5000)
        ben, began = seats[1], now()
        cmd_id = await ben.send("move", move=plain(ben.view["legal"]), version=ben.version)
        assert (await ben.hear("held"))["ms"] == 5000
        await asyncio.sleep(1)
        version = await seats[who].move(said)
        answer = await ben.answer_to(cmd_id)
        assert (answer["type"], answer["version"]) == ("ack", version + 1)
        assert now() - began == pytest.approx(1)


@at_once
async def test_without_grace_nothing_is_held() -> None:
    async with hall() as it:
        _, ben, cleo = await down_to_one(it, grace_ms=0)
        began = now()
        await ben.move(plain(ben.view["legal"]))
        assert (now(), ben.all("held")) == (began, [])
        assert (await cleo.try_move("catch 0"))["code"] == "illegal-move"


@at_once
async def test_a_held_move_sent_again_is_carried_out_once_and_answers_the_newest_line() -> None:
    async with hall() as it:
        ann, ben, _ = await down_to_one(it, grace_ms=2000)
        version = ben.version
        command = {"cmd_id": "held", "move": plain(ben.view["legal"]), "version": version}
        await ben.send("move", **command)
        ben.hang_up()
        await ben.connect(have=version)
        answer = await ben.ask("move", **command)
        assert (answer["type"], answer["version"]) == ("ack", version + 1)
        await asyncio.sleep(10)
        assert ann.version == version + 1


@at_once
async def test_nobody_gets_around_the_grace_by_saying_a_move_often() -> None:
    async with hall() as it:
        ann, ben, cleo = await down_to_one(it, grace_ms=1000)
        version = ann.version
        for _ in range(12):
            await ben.send("move", move=plain(ben.view["legal"]), version=version)
        await asyncio.sleep(0.9)
        assert ann.version == version
        await cleo.move("catch 0")
        assert len(ben.all("held")) == 4
        await ann.reach(version + 2)
        assert {message["code"] for message in ben.all("refused")} == {"too-fast", "stale-version"}


@at_once
async def test_the_grace_is_added_to_the_clock_of_who_has_to_wait() -> None:
    async with hall() as it:
        ann, ben, _ = await down_to_one(it, grace_ms=2000, turn_seconds=15)
        assert ben.clock == {"seat": 1, "left_ms": 17_000, "of_ms": 17_000, "running": True}
        began = now()
        await ann.reach(ann.version + 1)
        assert now() - began == pytest.approx(17)


@pytest.mark.parametrize("restarted", [False, True])
@at_once
async def test_a_draw_starts_no_new_grace_though_somebody_can_still_be_caught(restarted: bool) -> None:
    async with hall() as it:
        ann, ben, cleo = await down_to_one(
            it, grace_ms=2000, turn_seconds=15, options={"catch_window": "while_one_card"}
        )
        began = now()
        await ben.move("draw")
        assert now() - began == pytest.approx(2)
        assert ben.view["phase"] == "drawn"
        assert ben.clock == {"seat": 1, "left_ms": 15_000, "of_ms": 17_000, "running": True}
        if restarted:
            await it.restart()
            for seat in (ann, ben, cleo):
                await seat.connect()
        assert ben.view["catchable"] == [0]
        began = now()
        await ben.move("keep")
        assert (now(), len(ben.all("held"))) == (began, 1)
        await cleo.reach(ben.version)
        assert cleo.clock == {"seat": 2, "left_ms": 17_000, "of_ms": 17_000, "running": True}, "the next turn has one"


def is_left(it: Hall, seat: SeatClient) -> bool:
    seat_state = it.table(seat.code).state.seats[seat.you or 0]
    return seat_state.left and seat_state.played_by_bot


@at_once
async def test_a_held_move_does_not_bring_back_who_has_left_since() -> None:
    async with hall() as it:
        ann, ben, _ = await down_to_one(it, grace_ms=1000)
        held = await ben.send("move", move=plain(ben.view["legal"]), version=ben.version)
        await ben.hear("held")
        left = await ben.do("leave")
        await asyncio.sleep(0.99)
        assert is_left(it, ben)
        await ann.reach(left + 1)  # the bot plays on
        assert is_left(it, ben)
        assert [entry.get("cmd_id") for entry in (await written(it, ben))[left:]] == [None] * (ann.version - left)
        assert held not in it.table(ann.code).state.seats[1].done


@pytest.mark.parametrize("then", ["ready", "back", "leave", "move"])
@at_once
async def test_what_was_said_after_leaving_does_not_bring_anybody_back(then: str) -> None:
    ledger = Ledger()
    async with hall(ledger) as it:
        ann, ben, _ = await it.sit(3, grace_ms=0)
        ledger.slow = 0.2  # all is on its way before the first is written
        await ben.send("leave")
        await ben.send(then, **({"move": "draw", "version": ann.version} if then == "move" else {}))
        await asyncio.sleep(5)
        assert is_left(it, ben)
        assert [entry["what"] for entry in await ledger.written(ann.code)][-1] == "stoodin"


@at_once
async def test_who_comes_back_and_leaves_at_once_has_left() -> None:
    ledger = Ledger()
    async with hall(ledger) as it:
        ann, ben, _ = await it.sit(3)
        await ben.do("leave")
        ledger.slow = 0.2
        await asyncio.gather(ann.do("move", move="draw", version=ann.version), come_and_go(ben))
        await asyncio.sleep(5)
        assert is_left(it, ben)
        ledger.slow = 0
        await ben.connect()
        await ann.hear("update")
        await asyncio.sleep(1)
        assert not is_left(it, ben)


async def come_and_go(seat: SeatClient) -> None:
    """Both while the table is busy with something else."""
    coming = asyncio.create_task(seat.connect())
    await asyncio.sleep(0.1)
    await seat.send("leave")
    await coming


async def written(it: Hall, seat: SeatClient) -> list[Message]:
    return [json.loads(body) for body in await it.journal.load(seat.code)]


# ---------------------------------------------------------------- in vain
@at_once
async def test_a_catch_in_vain_is_refused_where_it_costs_nothing() -> None:
    async with hall() as it:
        ann, ben, _ = await about_to_go_down(it)
        assert await ben.refusal_to("move", move="catch 0", version=ann.version) == ("illegal-move", "cannot-be-caught")


@at_once
async def test_a_catch_in_vain_draws_the_penalty_where_there_is_one() -> None:
    async with hall() as it:
        ann, ben, cleo = await about_to_go_down(it, options={"false_catch_penalty": 3})
        chosen_from = ann.version
        version = await cleo.move("catch 1")
        assert happened(cleo, version)[0] == "caught_in_vain"
        assert len(cleo.view["hand"]) == 5
        assert cleo.view["to_act"] == 0
        await ann.move(number_card(ann), version=chosen_from)
        assert (await ben.try_move("catch 7"))["code"] == "illegal-move"


# ---------------------------------------------------------------- bots
class Watchful(InlineThinkers):
    """Bots that catch whoever can be caught; what else they say is their own."""

    async def ask(self, question: Question) -> BotAnswer:
        view = question.shown[-1].view
        own = (await super().ask(question)).move
        return BotAnswer(next((move for move in in_earnest(view.legal, view) if isinstance(move, Catch)), own))


@pytest.mark.parametrize(("speed", "share"), [("fast", 0.6), ("normal", 1.0), ("slow", 1.3)])
@pytest.mark.parametrize(
    ("level", "least", "most"), [("rookie", 2.0, 4.0), ("regular", 1.2, 2.4), ("master", 0.7, 1.4)]
)
@at_once
async def test_a_bot_catches_as_fast_as_people_of_its_level(
    level: str, least: float, most: float, speed: str, share: float
) -> None:
    async with hall(thinkers=Watchful()) as it:
        (ann, ben) = await down_to_one(it, 2, {2: level}, speed=speed, grace_ms=5000)
        began, version = now(), ann.version
        await ben.reach(version + 1)
        assert share * least <= now() - began <= share * most
        caught = ben.all("update")[-1]["events"][0]
        assert (caught["event"], caught["seat"], caught["by"]) == ("caught", 0, 2)


@pytest.mark.parametrize("grace", [0, 1000, 5000])
@pytest.mark.parametrize("bots", [{1: "casual"}, {1: "casual", 2: "regular"}])
@at_once
async def test_a_bot_on_turn_that_catches_still_plays_its_turn(grace: int, bots: dict[int, str]) -> None:
    ledger = Ledger()
    async with hall(ledger, thinkers=Watchful()) as it:
        seats = await about_to_go_down(it, 1, bots, grace_ms=grace)
        ann = seats[0]
        version = await ann.move(number_card(ann))
        while ann.view["to_act"] == 1:
            await ann.reach(ann.version + 1)
        said = [(entry["seat"], entry["move"]) for entry in (await ledger.written(ann.code))[version:]]
        assert [move for _, move in said].count("catch 0") == 1
        assert any(seat == 1 and move != "catch 0" for seat, move in said)


@at_once
async def test_bots_say_uno_as_often_as_they_should_and_never_stall_when_they_do_not() -> None:
    async with hall() as it:
        seats = await it.sit(1, {1: "rookie", 2: "rookie", 3: "casual"}, options=DOWN_TO_ONE, speed="fast")
        ann = seats[0]
        while ann.view["round"] == 1 and ann.table["phase"] == "playing":
            if ann.on_turn:
                await ann.try_move(plain(ann.view["legal"]))
            else:
                await ann.reach(ann.version + 1)
        assert ann.table["rounds"]
