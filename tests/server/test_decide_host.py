"""What the host does before the start: seats bots, takes seats away, sends people off, deals; and who is host next."""

from __future__ import annotations

from typing import Any

import pytest

from .seats import SeatClient
from .sitting import Hall, Ledger, at_once, hall, refused


async def four_seats(it: Hall, people: int = 2) -> list[SeatClient]:
    return await it.sit(people, seats=4, start=False)


def kinds(seat: SeatClient) -> list[str]:
    return [each["kind"] for each in seat.table["seats"]]


def host_of(seat: SeatClient) -> list[int]:
    return [each["seat"] for each in seat.table["seats"] if each["host"]]


# ---------------------------------------------------------------- starting
@at_once
async def test_the_host_alone_starts_and_only_when_every_seat_is_taken() -> None:
    async with hall() as it:
        ann, ben = await four_seats(it)
        assert await ben.refusal_to("start") == ("not-host", "not-host")
        assert await ann.refusal_to("start") == ("seats-empty", "seats-empty")
        await ann.do("seat_bot", seat=2)
        await ann.do("seat_bot", seat=3, level="rookie")
        version = await ann.do("start")
        for seat in (ann, ben):
            await seat.reach(version)
            assert seat.table["phase"] == "playing"
            assert len(seat.view["hand"]) >= 7
        assert await ann.refusal_to("start") == ("not-now", "begun")
        assert await ann.refusal_to("clear_seat", seat=1) == ("not-now", "begun")


@at_once
async def test_a_table_for_one_and_bots_can_be_dealt_at_once() -> None:
    async with hall() as it:
        made = await it.make(settings={"seats": 3}, bots={"1": "rookie", "2": "casual"}, start=True)
        ann = it.seat(made.code, made.token)
        welcome = await ann.connect(have=0)
        assert welcome["table"]["phase"] == "playing"
        assert [step["version"] for step in welcome["missed"]] == [welcome["version"]]
        for cmd_id in ("start", "0", "-"):  # whatever a client calls its first command, it is its own
            assert await ann.refusal_to("start", cmd_id=cmd_id) == ("not-now", "begun")


@pytest.mark.parametrize("settings", [{"edition": "mild-wild"}, {"options": {"first_dealer": "chosen"}}], ids=str)
@at_once
async def test_where_the_first_dealer_is_chosen_the_host_may_name_the_seat(settings: dict[str, Any]) -> None:
    ledger = Ledger()
    async with hall(ledger) as it:
        for dealer in range(3):
            ann, ben, cleo = await it.sit(3, start=False, **settings)
            assert await ann.refusal_to("start", dealer=3) == ("not-now", "no-such-seat")
            await ann.do("start", dealer=dealer)
            events = ann.all("update")[-1]["events"]
            assert ann.view["dealer"] == dealer
            assert not [event for event in events if event["event"].startswith("dealer")]
            assert (await ledger.written(ann.code))[-1]["dealer"] == dealer
            it.fall_over()
            assert (await ben.connect())["view"]["dealer"] == dealer, "a restart deals the same"
            for seat in (ann, cleo):
                await seat.connect()


@at_once
async def test_where_the_highest_card_finds_the_dealer_the_host_names_nobody() -> None:
    async with hall() as it:
        ann, _ = await it.sit(2, start=False)
        refusal = await ann.ask("start", dealer=1)
        assert (refusal["code"], refusal["reason"]) == ("not-now", "dealer-not-chosen")
        assert refusal["message"] == "This can't be done now: at this table the highest card finds the dealer."
        assert await ann.refusal_to("start", dealer=2) == ("not-now", "no-such-seat")
        await ann.do("start", dealer=None)
        assert [e["event"] for e in ann.all("update")[-1]["events"]][:2] == ["dealer_card", "dealer_card"]


# ---------------------------------------------------------------- bots
@at_once
async def test_no_two_bots_have_one_name_even_if_seats_move_up() -> None:
    async with hall() as it:
        made = await it.make(settings={"seats": 4}, bots={"2": "rookie"})
        ann = it.seat(made.code, made.token)
        await ann.connect()
        await ann.do("clear_seat", seat=1)
        await ann.do("seat_bot", seat=2)
        names = [seat["name"] for seat in ann.table["seats"]]
        assert len(set(names)) == len(names) == 3


@at_once
async def test_the_host_seats_bots_changes_their_level_and_removes_them() -> None:
    async with hall() as it:
        ann, ben = await four_seats(it)
        assert await ben.refusal_to("seat_bot", seat=2) == ("not-host", "not-host")
        assert await ann.refusal_to("seat_bot", seat=0) == ("not-now", "own-seat")
        assert await ann.refusal_to("seat_bot", seat=4) == ("not-now", "no-such-seat")
        await ann.do("seat_bot", seat=2, level="master")
        assert (ann.table["seats"][2]["kind"], ann.table["seats"][2]["level"]) == ("bot", "master")
        await ann.do("seat_bot", seat=2, level="rookie")
        assert ann.table["seats"][2]["level"] == "rookie"
        await ann.do("clear_seat", seat=2)
        assert kinds(ann) == ["person", "person", "empty", "empty"]
        assert (await it.join(ann.code, "Cleo")).seat == 2


@at_once
async def test_a_bot_takes_the_place_of_someone_away_and_of_nobody_else() -> None:
    async with hall() as it:
        ann, ben = await it.sit(2, {2: "rookie"})
        assert await ann.refusal_to("seat_bot", seat=1) == ("not-now", "not-away")  # Ben is there
        assert await ann.refusal_to("seat_bot", seat=2) == ("not-now", "not-away")  # a bot is one already
        assert await ben.refusal_to("seat_bot", seat=0) == ("not-host", "not-host")
        ben.hang_up()
        await ann.do("seat_bot", seat=1, level="casual")
        sitting_in = ann.table["seats"][1]
        assert (sitting_in["kind"], sitting_in["name"], sitting_in["level"]) == ("person", "Ben", "casual")
        assert sitting_in["sits_in"]
        assert not sitting_in["left"]
        await ben.connect()
        await ann.hear("update", events=[])
        while ann.table["seats"][1]["sits_in"]:
            await ann.hear("update")
        assert ann.table["seats"][1]["level"] is None


# ---------------------------------------------------------------- a seat less
@at_once
async def test_an_empty_seat_is_taken_away_and_everybody_after_it_moves_up() -> None:
    async with hall() as it:
        ann = (await it.sit(1, seats=5, start=False))[0]
        others = []
        for name, place in (("Ben", 2), ("Cleo", 4)):
            others.append(it.seat(ann.code, (await it.join(ann.code, name, place)).token))
            await others[-1].connect()
        ben, cleo = others
        looking = await it.watcher(ann.code)
        version = await ann.do("clear_seat", seat=1, cmd_id="fewer")
        for seat in (ben, cleo, looking):
            await seat.reach(version)
        assert (ann.you, ben.you, cleo.you, looking.you) == (0, 1, 3, None)
        assert [seat["name"] for seat in cleo.table["seats"]] == ["Ann", "Ben", None, "Cleo"]
        assert cleo.table["players"] == 4
        await ann.do("clear_seat", seat=2)
        await cleo.reach(version + 1)
        assert cleo.you == 2
        again = await cleo.connect()  # the token still opens the right chair
        assert (again["you"], again["table"]["seats"][2]["name"]) == (2, "Cleo")
        await ann.do("start")
        await cleo.hear("update")
        assert (cleo.you, cleo.view["you"]) == (2, 2)
        assert it.table(ann.code).state.match.players == 3  # type: ignore[union-attr]


@at_once
async def test_commands_are_still_known_after_seats_have_moved_up_and_after_a_restart() -> None:
    async with hall() as it:
        ann, ben, cleo = await it.sit(3, seats=4, start=False)
        await ann.do("leave")  # the host goes, and Ben is host, in seat 1
        assert await ben.do("clear_seat", seat=0, cmd_id="fewer") == ben.version
        assert (ben.you, host_of(ben)) == (0, [0])
        first = await ben.do("seat_bot", seat=2, cmd_id="bot")
        it.fall_over()
        for seat in (cleo, ben):
            await seat.connect()
        assert (ben.you, cleo.you) == (0, 1)
        for cmd_id, version in (("fewer", first - 1), ("bot", first)):
            answer = await ben.ask("clear_seat", seat=2, cmd_id=cmd_id)
            assert (answer["type"], answer["version"]) == ("ack", version)
        other = await cleo.ask("seat_bot", seat=2, cmd_id="bot")  # the same words of another seat are other words
        assert other["code"] == "not-host"
        assert ben.table["players"] == 3


@at_once
async def test_two_seats_are_the_fewest_and_nobody_takes_away_their_own() -> None:
    async with hall() as it:
        (ann,) = await it.sit(1, seats=2, start=False)
        assert await ann.refusal_to("clear_seat", seat=1) == ("not-now", "two-seats")
        assert await ann.refusal_to("clear_seat", seat=0) == ("not-now", "own-seat")
        assert await ann.refusal_to("clear_seat", seat=2) == ("not-now", "no-such-seat")


# ---------------------------------------------------------------- going
@at_once
async def test_whoever_the_host_removes_is_told_and_can_not_come_back() -> None:
    async with hall() as it:
        ann, ben, cleo = await it.sit(3, seats=3, start=False)
        assert await ben.refusal_to("clear_seat", seat=2) == ("not-host", "not-host")
        version = await ann.do("clear_seat", seat=1)
        assert (await ben.hear("bye"))["code"] == "removed"
        await cleo.reach(version)
        assert kinds(cleo) == ["person", "empty", "person"]
        assert ben.version < version  # what comes after is none of Ben's business
        assert (await ben.connect())["code"] == "banned"
        assert (await it.join(ann.code, "Dan")).seat == 1


@at_once
async def test_who_leaves_before_the_start_frees_the_seat() -> None:
    async with hall() as it:
        ann, ben = await four_seats(it)
        answer = await ben.ask("leave")
        assert answer["type"] == "ack"
        assert (await ben.hear("bye"))["code"] == "left"
        await ann.reach(answer["version"])
        assert kinds(ann) == ["person", "empty", "empty", "empty"]
        assert (await ben.connect())["code"] == "bad-token"


@at_once
async def test_the_host_who_leaves_passes_the_table_on() -> None:
    async with hall() as it:
        ann, ben, cleo = await it.sit(3, seats=3, start=False)
        await ann.do("leave")
        await cleo.hear("update")
        assert host_of(cleo) == [1]
        await ben.do("seat_bot", seat=0)
        version = await ben.do("start")
        await cleo.reach(version)
        await ben.do("leave")  # in the middle, too
        while host_of(cleo) != [2]:
            await cleo.hear("update")
        assert cleo.table["seats"][1]["left"]


@at_once
async def test_while_the_host_is_away_the_others_need_not_wait() -> None:
    async with hall() as it:
        ann, ben = await four_seats(it)
        assert await ben.refusal_to("seat_bot", seat=2) == ("not-host", "not-host")
        ann.hang_up()
        assert await ben.refusal_to("clear_seat", seat=0) == ("not-host", "not-host")  # a reload is no resignation
        await ben.do("seat_bot", seat=2)
        await ben.do("clear_seat", seat=3)
        await ben.do("start")
        assert ben.table["phase"] == "playing"
        assert ben.table["seats"][0]["host"]


@at_once
async def test_when_everybody_has_left_whoever_comes_next_is_host() -> None:
    async with hall() as it:
        (ann,) = await it.sit(1, seats=2, start=False)
        await ann.do("leave")
        assert (await it.lobby.find(ann.code, "a")).state.host is None
        ben = it.seat(ann.code, (await it.join(ann.code, "Ben")).token)
        await ben.connect()
        assert host_of(ben) == [0]
        assert (await refused(it.join(ann.code, "Cleo", 0))).code == "seat-taken"


@at_once
async def test_people_who_look_on_have_nothing_to_say() -> None:
    async with hall() as it:
        (ann,) = await it.sit(1, seats=2, start=False)
        looking = await it.watcher(ann.code)
        for kind, fields in (
            ("start", {}),
            ("seat_bot", {"seat": 1}),
            ("leave", {}),
            ("back", {}),
            ("ready", {}),
            ("rematch", {}),
            ("transfer", {}),
            ("move", {"move": "draw", "version": 2}),
        ):
            assert await looking.refusal_to(kind, **fields) == ("not-seated", "not-seated")
