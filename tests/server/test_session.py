"""Chat and emotes, seats that move to another device, and people who leave in the middle and come back."""

from __future__ import annotations

import asyncio

import pytest

from flipdeck.wire import rest
from flipdeck.wire.client_messages import EMOTES

from .outbox import Message
from .playing import play_on
from .seats import SeatClient
from .sitting import Hall, Ledger, at_once, hall, refused


async def said(seat: SeatClient, text: str) -> Message:
    seat.turn_a_page()
    await seat.say("chat", text=text)
    return await seat.hear("said", "refused")


# ---------------------------------------------------------------- talking
@at_once
async def test_everybody_hears_chat_and_emotes_and_who_looks_on_has_no_voice() -> None:
    async with hall() as it:
        ann, ben = await it.sit(2)
        looking = await it.watcher(ann.code)
        await ben.say("chat", text="  Hello <b>there</b> ")
        for seat in (ann, ben, looking):
            assert await seat.hear("said") == {"type": "said", "seat": 1, "name": "Ben", "text": "Hello <b>there</b>"}
        await ann.say("emote", emote="wow")
        for seat in (ann, ben, looking):
            assert await seat.hear("emoted") == {"type": "emoted", "seat": 0, "emote": "wow"}
        for kind, fields in (("chat", {"text": "me too"}), ("emote", {"emote": "hello"})):
            await looking.say(kind, **fields)
            assert (await looking.hear("refused"))["code"] == "not-seated"
        assert ann.version == ben.version == looking.version


@at_once
async def test_chat_is_cleaned_and_shortened() -> None:
    async with hall() as it:
        ann, _ = await it.sit(2)
        assert (await said(ann, "a\x00b\x1b[31mc\u202ed\r\ne"))["text"] == "ab[31mcd e"
        assert len((await said(ann, "x" * 1000))["text"]) == 300
        await ann.say("chat", text="\u200b\u200b")  # nothing is left of it: nobody hears anything
        assert (await said(ann, "after"))["text"] == "after"
        for text in ("", "y" * 1001):
            await ann.say("chat", text=text)
            assert (await ann.hear("refused"))["code"] == "bad-message"
        await ann.say("emote", emote="shrug")
        assert (await ann.hear("refused"))["code"] == "bad-message"


@at_once
async def test_who_talks_too_much_is_refused_for_a_while_and_nothing_worse() -> None:
    async with hall() as it:
        ann, ben = await it.sit(2)
        for number in range(5):
            assert (await said(ann, f"line {number}"))["type"] == "said"
        assert (await said(ann, "too much"))["code"] == "too-fast"
        await ann.say("emote", emote="laugh")
        assert (await ann.hear("refused"))["code"] == "too-fast"
        assert (await said(ben, "it's quiet"))["type"] == "said"  # everybody has their own allowance
        await asyncio.sleep(2)
        assert (await said(ann, "again"))["type"] == "said"
        assert (await said(ann, "and again"))["code"] == "too-fast"
        await ann.move("draw")


@at_once
async def test_every_emote_is_shown() -> None:
    async with hall() as it:
        ann, ben = await it.sit(2)
        for emote in EMOTES:
            await asyncio.sleep(3)
            await ann.say("emote", emote=emote)
            assert (await ben.hear("emoted"))["emote"] == emote


@at_once
async def test_there_are_tables_without_chat() -> None:
    async with hall() as it:
        ann, ben = await it.sit(2, chat=False)
        assert (await said(ann, "hello"))["code"] == "chat-off"
        await ann.say("emote", emote="hello")
        assert (await ann.hear("refused"))["code"] == "chat-off"
        assert not ben.all("said") + ben.all("emoted")


@at_once
async def test_who_comes_is_told_the_last_lines_and_no_more() -> None:
    async with hall() as it:
        ann, _ = await it.sit(2)
        for number in range(35):
            await asyncio.sleep(2)
            await said(ann, f"line {number}")
        lines = (await it.seat(ann.code).connect())["chat"]
        assert [line["text"] for line in lines] == [f"line {number}" for number in range(5, 35)]


@at_once
async def test_there_are_tables_for_their_players_only_and_never_too_many_who_look_on() -> None:
    async with hall(most_watchers=2) as it:
        alone = await it.sit(2, watchers=False)
        assert (await it.seat(alone[0].code).connect())["code"] == "no-watchers"
        (ann, *_) = await it.sit(2)
        first, _ = [await it.watcher(ann.code) for _ in range(2)]
        refusal = await it.seat(ann.code).connect()
        assert (refusal["code"], refusal["facts"]) == ("limit", {"what": "spectators"})
        first.hang_up()
        await it.watcher(ann.code)


# ---------------------------------------------------------------- another device
async def redeem(it: Hall, secret: str, address: str = "phone") -> rest.Seated:
    return await it.lobby.redeem(rest.Redeem(secret), address)


@at_once
async def test_a_seat_moves_to_another_device_and_the_old_token_ends() -> None:
    async with hall() as it:
        ann, ben = await it.sit(2)
        told = await ben.ask("transfer", cmd_id="t")
        assert (told["type"], told["cmd_id"], told["seconds"]) == ("transfer", "t", 300)
        seated = await redeem(it, told["secret"])
        assert (seated.code, seated.seat) == (ben.code, 1)
        assert seated.token != ben.token
        phone = it.seat(seated.code, seated.token)
        welcome = await phone.connect(have=0)
        assert (welcome["you"], welcome["view"]["hand"]) == (1, ben.view["hand"])
        assert (await ben.hear("bye"))["code"] == "moved"
        assert (await ben.connect())["code"] == "bad-token"
        it.fall_over()
        assert (await phone.connect())["you"] == 1
        assert (await ben.connect())["code"] == "bad-token"
        assert (await ann.connect())["you"] == 0


@at_once
async def test_a_secret_is_good_once_for_five_minutes_and_only_the_newest() -> None:
    async with hall() as it:
        ann, _ = await it.sit(2)
        first = (await ann.ask("transfer"))["secret"]
        second = (await ann.ask("transfer"))["secret"]
        assert (await refused(redeem(it, first))).code == "bad-token"
        ann = it.seat(ann.code, (await redeem(it, second)).token)
        await ann.connect()
        assert (await refused(redeem(it, second))).code == "bad-token"
        third = (await ann.ask("transfer"))["secret"]
        await asyncio.sleep(301)
        assert (await refused(redeem(it, third))).code == "bad-token"
        answers = [(await refused(redeem(it, "x" * 22, "guesser"))).code for _ in range(12)]
        assert answers == ["bad-token"] * 11 + ["too-fast"]
        await redeem(it, (await ann.ask("transfer"))["secret"], "guesser")  # somebody else behind that address


@pytest.mark.parametrize("also_the_seat", [False, True])
@at_once
async def test_a_secret_given_before_a_seat_changed_hands_never_seats_a_stranger(also_the_seat: bool) -> None:
    async with hall() as it:
        ann, ben, _ = await it.sit(3, seats=4, start=False)
        secret = (await ben.ask("transfer"))["secret"]
        await ann.do("clear_seat", seat=1)
        if also_the_seat:
            await ann.do("clear_seat", seat=1)
        await it.join(ann.code, "Dan")
        assert (await refused(redeem(it, secret))).code == "bad-token"


@at_once
async def test_a_secret_follows_its_person_to_the_seat_they_have_moved_up_to() -> None:
    async with hall() as it:
        ann, _, cleo = await it.sit(3, seats=5, start=False)
        secret = (await cleo.ask("transfer"))["secret"]
        for _ in range(2):  # Ben goes, and his seat
            await ann.do("clear_seat", seat=1)
        await it.join(ann.code, "Dan", 2)
        seated = await redeem(it, secret)
        assert (seated.seat, it.table(ann.code).state.seats[1].name) == (1, "Cleo")


@at_once
async def test_a_secret_is_good_while_its_table_sleeps() -> None:
    async with hall(sleep_seconds=10) as it:
        ann, ben = await it.sit(2)
        secret = (await ben.ask("transfer"))["secret"]
        for seat in (ann, ben):
            seat.hang_up()
        await asyncio.sleep(60)
        assert not it.lobby.tables
        seated = await redeem(it, secret)
        assert (await it.seat(seated.code, seated.token).connect())["view"]["hand"] == ben.view["hand"]


@at_once
async def test_the_newest_connection_plays_the_seat_and_the_older_is_told() -> None:
    async with hall() as it:
        ann, ben = await it.sit(2)
        windows = [ann]
        for _ in range(3):
            windows.append(it.seat(ann.code, ann.token))
            await windows[-1].connect()
            assert (await windows[-2].hear("bye"))["code"] == "replaced"
        await windows[-1].move("draw")
        assert len(it.table(ann.code).connections) == 2
        assert all(told["here"] == [0, 1] for told in ben.all("presence"))


# ---------------------------------------------------------------- leaving in the middle
@at_once
async def test_who_leaves_in_the_middle_is_played_on_by_a_bot_and_may_come_back() -> None:
    async with hall() as it:
        ann, ben, cleo = await it.sit(3, options={"target": 5000})
        hand = ann.view["hand"]
        version = await ann.do("leave")
        assert (await ann.hear("bye"))["code"] == "left"
        await ben.reach(version)
        left = ben.table["seats"][0]
        assert (left["left"], left["sits_in"], left["level"], left["here"]) == (True, True, "regular", False)
        assert not left["host"]
        assert ben.table["seats"][1]["host"]
        await play_on([ben, cleo], lambda: ben.version >= version + 6)  # the bot plays Ann's turns
        welcome = await ann.connect(have=version)
        assert welcome["you"] == 0
        assert [step["version"] for step in welcome["missed"]] == list(range(version + 1, welcome["version"] + 1))
        assert ann.view["hand"] != hand
        await ben.reach(it.table(ann.code).state.version)
        while ben.table["seats"][0]["left"]:
            await ben.reach(ben.version + 1)
        back = ben.table["seats"][0]
        assert (back["sits_in"], back["level"], back["here"], back["host"]) == (False, None, True, False)


@at_once
async def test_who_comes_back_after_leaving_stays_whatever_else_happens_in_that_moment() -> None:
    ledger = Ledger()
    async with hall(ledger) as it:
        ann, ben, cleo = await it.sit(3)
        secrets = [(await seat.ask("transfer"))["secret"] for seat in (ben, cleo)]
        await ann.do("leave")
        ledger.slow = 0.2
        start = asyncio.get_running_loop().create_task
        first = start(redeem(it, secrets[0]))
        await asyncio.sleep(0.1)  # while that is being written, Ann comes, and something else after her
        coming = start(ann.connect())
        await asyncio.sleep(0.01)
        second = start(redeem(it, secrets[1]))
        await asyncio.gather(first, coming, second)
        await asyncio.sleep(1)
        assert coming.result()["type"] == "welcome"
        assert ann.on_line, ann.told[-1]
        assert not it.table(ann.code).state.seats[0].left


@at_once
async def test_when_the_match_is_over_those_who_left_keep_their_seats_for_the_rematch() -> None:
    async with hall() as it:
        ann, ben = await it.sit(2, options={"target": 1, "hand_size": 3})
        await ben.do("leave")
        await play_on([ann], lambda: bool(ann.table["phase"] == "over"))
        await ann.do("rematch")
        assert ann.table["seats"][1]["left"]
        ann.turn_a_page()
        await ben.connect()
        await ann.hear("update")
        assert not ann.table["seats"][1]["left"]
        await ben.reach(await ann.do("start"))
        assert ben.view["hand"]
