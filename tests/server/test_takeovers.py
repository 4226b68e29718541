"""Watchers: they take over a bot's seat with the next deal, and chat, where the table allows it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from flipdeck.server.identity import new_token

from .playing import play_on, play_out
from .seats import SeatClient
from .sitting import Hall, Ledger, at_once, hall, refused

SHORT = {"target": 5000, "hand_size": 2}


async def match_with_bots(it: Hall, **settings: Any) -> SeatClient:
    """Ann against two bots; rounds are short."""
    (ann,) = await it.sit(
        1, {1: "rookie", 2: "rookie"}, **{"takeover": True, "speed": "fast", "options": SHORT, **settings}
    )
    return ann


async def to_the_next_deal(ann: SeatClient) -> None:
    number = ann.view["round"]
    await play_on([ann], lambda: ann.view["round"] > number)


async def reserve(it: Hall, ann: SeatClient, name: str = "Ben", seat: int | None = 1) -> SeatClient:
    return await it.enter(ann.code, name, seat)


# ---------------------------------------------------------------- taking over
@at_once
async def test_a_watcher_takes_over_a_bots_seat_and_its_score_with_the_next_deal() -> None:
    ledger = Ledger()
    async with hall(ledger) as it:
        ann = await match_with_bots(it)
        ben = await reserve(it, ann)
        assert (ben.you, ben.view["hand"], ben.view["legal"]) == (None, [], []), "until then they watch"
        seat = ben.table["seats"][1]
        assert (seat["kind"], seat["next"], ben.table["watching"]) == ("bot", "Ben", 1)
        assert await ben.refusal_to("move", move="draw", version=ben.version) == ("not-seated", "not-seated")
        await to_the_next_deal(ann)
        await ben.reach(ann.version)
        assert ben.you == 1
        assert len(ben.view["hand"]) >= 2
        seat = ann.table["seats"][1]
        assert (seat["kind"], seat["name"], seat["next"], seat["here"]) == ("person", "Ben", None, True)
        assert (ann.table["players"], ann.table["watching"]) == (3, 0)
        assert ann.view["scores"] == ann.table["rounds"][-1]["scores"], "the score is the seat's"
        it.fall_over()
        await ann.connect()
        assert (await ben.connect())["you"] == 1
        assert ben.table["seats"][1]["name"] == "Ben"
        await play_on([ann, ben], lambda: ben.on_turn)
        await ben.move(ben.view["legal"][0])


@at_once
async def test_a_reservation_outlives_a_restart() -> None:
    async with hall() as it:
        ann = await match_with_bots(it)
        ben = await reserve(it, ann)
        it.fall_over()
        await ann.connect()
        await ben.connect()
        assert (ben.you, ben.table["seats"][1]["next"]) == (None, "Ben")
        await to_the_next_deal(ann)
        await ben.reach(ann.version)
        assert ben.you == 1


@at_once
async def test_only_the_seat_of_a_bot_that_plays_for_nobody_can_be_taken_and_only_where_the_host_allows_it() -> None:
    async with hall() as it:
        ann, ben = await it.sit(2, {2: "rookie"}, takeover=True, speed="fast")
        await ben.do("leave")
        refusal = await refused(it.join(ann.code, "Cleo", 1))
        assert (refusal.code, refusal.reason) == ("not-now", "bot-seats-only")
        assert (await refused(it.join(ann.code, "Cleo", 0))).reason == "bot-seats-only"
        assert (await refused(it.join(ann.code, "Cleo", 3))).reason == "no-such-seat"
        token = new_token()
        assert (await it.join(ann.code, "Cleo", token=token)).seat == 2, "any of them"
        assert (await it.join(ann.code, "Cleo", token=token)).seat == 2, "a repeated request"
        assert (await refused(it.join(ann.code, "Dan", 2))).code == "seat-taken"
        assert (await refused(it.join(ann.code, "Dan"))).reason == "bot-seats-only"
        await ann.do("lock", locked=True)
        assert (await refused(it.join(ann.code, "Dan"))).code == "locked"
        no_way = await match_with_bots(it, takeover=False)
        assert (await refused(it.join(no_way.code, "Dan", 1))).reason == "begun"


@pytest.mark.parametrize("settings", [{"watchers": False}, {"options": {"own_backs": "hidden"}}], ids=str)
@at_once
async def test_where_nobody_watches_nobody_takes_over(settings: dict[str, Any]) -> None:
    """Or a second window of a player, who waits for a seat, would show the backs of their own cards."""
    async with hall() as it:
        made = await it.make(settings={"seats": 3, "takeover": True, "watchers_chat": True, **settings})
        kept = it.table(made.code).info.settings
        assert (kept.watchers, kept.takeover, kept.watchers_chat) == (False, False, False)


@at_once
async def test_whoever_is_not_there_when_the_cards_are_dealt_has_no_seat_reserved_any_more() -> None:
    async with hall() as it:
        ann = await match_with_bots(it)
        ben = await reserve(it, ann)
        ben.hang_up()
        await to_the_next_deal(ann)
        seat = ann.table["seats"][1]
        assert (seat["kind"], seat["next"]) == ("bot", None)
        assert (await ben.connect())["code"] == "bad-token"


@at_once
async def test_a_reservation_lapses_without_a_greeting_and_can_be_given_up() -> None:
    async with hall() as it:
        ann = await match_with_bots(it)
        await it.join(ann.code, "Ben", 1)
        await asyncio.sleep(21)
        assert it.table(ann.code).state.seats[1].next is None
        cleo = await reserve(it, ann, "Cleo")
        await cleo.send("leave")
        assert (await cleo.hear("bye"))["code"] == "left"
        assert it.table(ann.code).state.seats[1].next is None


@at_once
async def test_with_a_rematch_the_seat_is_taken_too() -> None:
    async with hall() as it:
        ann = await match_with_bots(it, options={"target": 1, "hand_size": 2})
        ben = await reserve(it, ann, seat=2)
        await play_out([ann])
        await ann.do("rematch")
        await ben.reach(ann.version)
        assert (ben.you, ben.table["seats"][2]["kind"], ben.table["phase"]) == (2, "person", "waiting")
        await ann.do("start")
        await ben.reach(ann.version)
        assert ben.view["hand"]


@at_once
async def test_whoever_takes_a_seat_over_is_called_like_nobody_else() -> None:
    async with hall() as it:
        ann = await match_with_bots(it)
        ben = await reserve(it, ann, "Ann", 1)
        cleo = await reserve(it, ann, "Аnn", 2)  # Cyrillic
        assert [seat["next"] for seat in cleo.table["seats"]] == [None, "Ann 2", "Аnn 3"]
        assert ben.on_line


# ---------------------------------------------------------------- chat
async def watching(it: Hall, code: str, name: str | None, address: str | None = None) -> SeatClient:
    watcher = it.seat(code, None, address)
    watcher.name = name
    assert (await watcher.connect())["type"] == "welcome"
    return watcher


@at_once
async def test_watchers_chat_where_the_table_allows_it_and_under_a_name_of_their_own() -> None:
    async with hall() as it:
        ann, ben = await it.sit(2, watchers_chat=True)
        eve = await watching(it, ann.code, "  Аnn ")  # Cyrillic
        await eve.say("chat", text="Hello!")
        line = await ann.hear("said")
        assert line == {"type": "said", "seat": None, "name": "Аnn 2", "text": "Hello!"}
        second = await watching(it, ann.code, "Ann")
        await second.say("chat", text="Me too")
        assert (await ben.hear("said", text="Me too"))["name"] == "Ann 3"
        assert [said["seat"] for said in (await ben.connect())["chat"]] == [None, None]
        await second.say("emote", emote="hello")
        assert (await second.hear("refused"))["code"] == "not-seated", "emotes belong to seats"


@at_once
async def test_watchers_say_nothing_elsewhere_nor_without_a_name() -> None:
    async with hall() as it:
        (ann, _) = await it.sit(2)
        eve = await watching(it, ann.code, "Eve")
        await eve.say("chat", text="Hello!")
        assert (await eve.hear("refused"))["code"] == "not-seated"
        (bea, _) = await it.sit(2, watchers_chat=True)
        nobody = await watching(it, bea.code, None)
        await nobody.say("chat", text="Hello!")
        assert (await nobody.hear("refused"))["code"] == "bad-name"
        unseen = it.seat(bea.code)
        unseen.name = "\u200b"
        assert (await unseen.connect())["code"] == "bad-name"
        (cleo, _) = await it.sit(2, watchers_chat=True, chat=False)
        eve = await watching(it, cleo.code, "Eve")
        await eve.say("chat", text="Hello!")
        assert (await eve.hear("refused"))["code"] == "chat-off"


@at_once
async def test_a_watcher_who_talks_too_much_is_slowed_down_by_address_and_others_are_not() -> None:
    async with hall() as it:
        ann, _ = await it.sit(2, watchers_chat=True)
        windows = [await watching(it, ann.code, "Eve", "one address") for _ in range(3)]
        for number in range(9):
            await windows[number % 3].say("chat", text=f"line {number}")
        other = await watching(it, ann.code, "Fay")
        await other.say("chat", text="mine")
        await ann.hear("said", text="mine")
        assert len(ann.all("said")) == 6
        assert [window.all("refused")[-1]["code"] for window in windows] == ["too-fast"] * 3
        await ann.say("chat", text="and mine")
        await ann.hear("said", text="and mine")


@at_once
async def test_many_watchers_together_say_a_line_a_second_and_those_who_play_are_heard() -> None:
    """Each kept to the allowance of an address, and together they were as loud as there were addresses."""
    async with hall() as it:
        ann, _ = await it.sit(2, watchers_chat=True)
        crowd = [await watching(it, ann.code, f"Eve {number}") for number in range(12)]
        for number, one in enumerate(crowd):
            await one.say("chat", text=f"line {number}")
        for one in crowd[10:]:
            refused = await one.hear("refused")
            assert (refused["code"], refused["reason"]) == ("too-fast", "many-watchers")
        assert len(ann.all("said")) == 10
        await ann.say("chat", text="mine")
        await ann.hear("said", text="mine")
        await asyncio.sleep(1.0)
        for one in crowd[:2]:
            await one.say("chat", text="again")
        await crowd[1].hear("refused")
        assert len(ann.all("said")) == 12
        await asyncio.sleep(60.0)
        for number in range(5):
            await crowd[11].say("chat", text=f"at last {number}")
        await ann.hear("said", text="at last 4")  # what was refused for the others has cost nothing


@at_once
async def test_the_watchers_of_one_table_are_not_counted_at_another() -> None:
    async with hall() as it:
        ann, bea = (await it.sit(2, watchers_chat=True))[0], (await it.sit(2, watchers_chat=True))[0]
        for number in range(10):
            await (await watching(it, ann.code, f"Eve {number}")).say("chat", text="hello")
        await (await watching(it, bea.code, "Fay")).say("chat", text="hello")
        await bea.hear("said", text="hello")


@at_once
async def test_nobody_sits_down_under_the_name_of_a_watcher_who_chats() -> None:
    async with hall() as it:
        ann = (await it.sit(1, seats=3, start=False, watchers_chat=True))[0]
        eve = await watching(it, ann.code, "Eve")
        await it.enter(ann.code, "Еve")  # Cyrillic
        await eve.reach(it.table(ann.code).state.version)
        assert eve.table["seats"][1]["name"] == "Еve 2"
