"""Bots at a live table: known as bots, never in a hurry, never alone, never stuck."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from flipdeck.core import editions
from flipdeck.core.notation import Move
from flipdeck.server.table.pauses import PAUSES
from flipdeck.server.thinkers.inline import InlineThinkers
from flipdeck.server.thinkers.port import BotAnswer, Question

from .playing import plain, play_on, play_out
from .seats import SeatClient
from .sitting import Ledger, at_once, hall

LONG: dict[str, Any] = {"target": 5000}
LEVELS = ("rookie", "casual", "regular")
HOUSE_RULES: list[dict[str, Any]] = [
    {"jump_in": True},
    {"stacking": True, "bluffing": False},
    {"draw_until_playable": True, "forced_play": True},
    {"false_catch_penalty": 2, "late_uno": False},
    {"hand_size": 1, "own_backs": "hidden"},
    {"start_side": "dark", "two_player_reverse": "turn"},
]


def now() -> float:
    return asyncio.get_running_loop().time()


def bots(seats: int, first: int = 0) -> dict[int, str]:
    return {seat: LEVELS[(first + seat) % 3] for seat in range(1, seats)}


async def until_a_bots_turn(ann: SeatClient) -> None:
    """Ann moves until it is somebody else's turn."""
    while ann.on_turn:
        await ann.move(plain(ann.view["legal"]))


# ---------------------------------------------------------------- who they are
@at_once
async def test_bots_are_marked_as_bots_and_have_names_of_their_own() -> None:
    async with hall() as it:
        (ann,) = await it.sit(1, {1: "rookie", 2: "master", 3: "sharp"}, start=False)
        for seat, level in ((1, "rookie"), (2, "master"), (3, "sharp")):
            told = ann.table["seats"][seat]
            assert (told["kind"], told["level"], told["sits_in"], told["host"]) == ("bot", level, False, False)
            assert (told["here"], told["ready"], told["left"]) == (False, True, False)
        assert len({seat["name"] for seat in ann.table["seats"]}) == 4


@at_once
async def test_the_journal_says_which_moves_were_a_bots() -> None:
    ledger = Ledger()
    async with hall(ledger) as it:
        (ann,) = await it.sit(1, bots(3), options=LONG, grace_ms=0)
        await play_on([ann], lambda: ann.version > 30)
        moves = [entry for entry in await ledger.written(ann.code) if entry["what"] == "moved"]
        assert {entry.get("who", "person") for entry in moves if entry["seat"] == 0} == {"person"}
        assert {entry.get("who", "person") for entry in moves if entry["seat"] != 0} == {"bot"}


@at_once
async def test_what_is_kept_of_a_match_says_who_was_a_bot() -> None:
    ledger = Ledger()
    async with hall(ledger) as it:
        ann, ben = await it.sit(2, {2: "rookie"}, options={"target": 1, "hand_size": 3}, grace_ms=0)
        await ben.do("leave")  # a bot sits in: he is still a person
        await play_out([ann])
        players = await ledger.replay_players(it.table(ann.code).state.replay)
        assert [player.level for player in players] == [None, None, "rookie"]
        assert [player.name for player in players[:2]] == ["Ann", "Ben"]


# ---------------------------------------------------------------- when they speak
@pytest.mark.parametrize("speed", PAUSES)
@at_once
async def test_a_bot_on_turn_takes_its_time_within_the_range_of_the_speed(speed: Any) -> None:
    async with hall() as it:
        (ann,) = await it.sit(1, {1: "casual"}, options={**LONG, "late_uno": False}, speed=speed, grace_ms=0)
        pauses: dict[str, list[float]] = {"turn": [], "drawn": []}
        while min(len(pauses["turn"]), len(pauses["drawn"])) < 15:
            if ann.table["phase"] == "between":
                await ann.do("ready")
            await until_a_bots_turn(ann)
            if ann.view["to_act"] == 1 and not ann.view["catchable"]:
                began, phase = now(), ann.view["phase"]
                await ann.reach(ann.version + 1)
                pauses.setdefault(phase, []).append(now() - began)
            elif ann.view["to_act"] == 1 or (ann.table["phase"] == "between" and ann.table["seats"][0]["ready"]):
                await ann.reach(ann.version + 1)
        for phase, taken in pauses.items():
            least, most = PAUSES[speed].after_draw if phase == "drawn" else PAUSES[speed].on_turn
            assert all(least <= pause <= most for pause in taken), phase
        assert min(len({round(pause, 3) for pause in pauses[phase]}) for phase in ("turn", "drawn")) > 5


@pytest.mark.parametrize("who", ["Ann", "somebody looking on"])
@at_once
async def test_bots_play_only_while_somebody_is_there(who: str) -> None:
    async with hall(sleep_seconds=10_000) as it:
        (ann,) = await it.sit(1, bots(4), options=LONG)
        await until_a_bots_turn(ann)
        version = ann.version
        ann.hang_up()
        await asyncio.sleep(60)
        assert it.table(ann.code).state.version == version
        seat = ann if who == "Ann" else it.seat(ann.code)
        began = now()
        await seat.connect()
        await seat.reach(version + 1)
        assert 0.6 <= now() - began <= 3.0


@at_once
async def test_bots_of_a_table_that_slept_go_on_where_they_were() -> None:
    async with hall(sleep_seconds=10) as it:
        (ann,) = await it.sit(1, bots(4), options=LONG)
        for _ in range(4):
            await until_a_bots_turn(ann)
            ann.hang_up()
            await asyncio.sleep(60)
            assert not it.lobby.tables
            await ann.connect(have=ann.version)
            await play_on([ann], lambda end=ann.version + 5: ann.version >= end)  # type: ignore[misc]


@at_once
async def test_a_bot_that_sat_in_says_nothing_more_when_the_person_is_back() -> None:
    ledger = Ledger()
    async with hall(ledger) as it:
        ann, ben = await it.sit(2, options=LONG, speed="slow")
        await ann.do("leave")
        await asyncio.sleep(1.0)  # the bot has thought, and not spoken yet
        await ann.connect()
        await asyncio.sleep(60)
        assert ann.on_turn
        assert not [entry for entry in await ledger.written(ann.code) if entry["what"] == "moved"]
        await ann.move("draw")
        await ben.reach(await ann.move("keep"))
        assert ben.on_turn


@at_once
async def test_a_bot_whose_move_could_not_be_written_says_it_again() -> None:
    ledger = Ledger()
    async with hall(ledger) as it:
        (ann,) = await it.sit(1, {1: "casual"}, options=LONG)
        await until_a_bots_turn(ann)
        ledger.failing = True
        await asyncio.sleep(10)
        assert it.table(ann.code).state.version == ann.version
        ledger.failing = False
        await ann.reach(ann.version + 1)


# ---------------------------------------------------------------- to the end
@pytest.mark.parametrize("edition", editions.NAMES)
@pytest.mark.parametrize("seats", range(2, 11))
@at_once
async def test_a_match_with_bots_comes_to_its_end(edition: str, seats: int) -> None:
    async with hall() as it:
        people = await it.sit(1, bots(seats, seats), edition=edition, options={"target": 1}, speed="fast")
        await play_out(people)
        assert people[0].view["winners"]


@pytest.mark.parametrize("options", HOUSE_RULES, ids="+".join)
@at_once
async def test_no_house_rule_makes_a_bot_stall(options: dict[str, Any]) -> None:
    async with hall() as it:
        made = await it.make(
            settings={"seats": 3, "options": {**options, "target": 1}}, bots={"1": "casual", "2": "regular"}
        )
        ann = it.seat(made.code, made.token)
        await ann.connect()
        await ann.do("start")
        await play_out([ann])
        assert ann.view["winners"]


@at_once
async def test_bots_play_a_match_of_many_rounds_for_one_who_left_while_somebody_looks_on() -> None:
    async with hall() as it:
        (ann,) = await it.sit(1, bots(3), options={"target": 150, "hand_size": 5}, speed="fast", next_round_seconds=3)
        looking = await it.watcher(ann.code)
        await ann.do("leave")
        while looking.table["phase"] != "over":
            await looking.reach(looking.version + 1)
        assert looking.table["rounds"][-1]["scores"] == looking.view["scores"]
        assert looking.table["seats"][0]["left"]


class Lost(InlineThinkers):
    """Whoever thinks here has always something to say that can't be said."""

    async def ask(self, question: Question) -> BotAnswer:
        await super().ask(question)
        return BotAnswer(Move.parse("catch 9"))


@at_once
async def test_a_bot_that_talks_nonsense_is_asked_again_and_then_a_plain_move_is_made_for_it() -> None:
    ledger = Ledger()
    async with hall(ledger, thinkers=Lost()) as it:
        (ann,) = await it.sit(1, {1: "casual"}, options=LONG)
        await until_a_bots_turn(ann)
        version, began = ann.version, now()
        await asyncio.sleep(5)
        assert it.table(ann.code).state.version == version
        await ann.say("chat", text="Well?")
        await ann.hear("said")
        await ann.reach(version + 1)
        assert 10 < now() - began < 20
        moved = (await ledger.written(ann.code))[version]
        assert (moved["seat"], moved["move"], moved["who"]) == (1, "draw", "bot")


class Stumbling(InlineThinkers):
    """Whoever thinks here falls over so many times before they do."""

    def __init__(self, times: int) -> None:
        super().__init__("stumbling")
        self.left = times
        self.asked = 0

    async def ask(self, question: Question) -> BotAnswer:
        self.asked += 1
        self.left -= 1
        if self.left >= 0:
            raise RuntimeError("fell over")
        return await super().ask(question)


@at_once
async def test_a_bot_that_falls_over_is_asked_again_after_a_pause_though_nothing_else_happens() -> None:
    thinkers = Stumbling(2)
    async with hall(thinkers=thinkers) as it:
        (ann,) = await it.sit(1, {1: "casual"}, options=LONG)
        await until_a_bots_turn(ann)
        began = now()
        await ann.reach(ann.version + 1)
        assert 3 <= now() - began <= 3 + PAUSES["normal"].on_turn[1]
        assert thinkers.asked >= 3
        await play_on([ann], lambda end=ann.version + 5: ann.version >= end)  # type: ignore[misc]


@at_once
async def test_a_bot_that_always_falls_over_gets_plain_moves_and_its_table_is_never_stuck() -> None:
    thinkers = Stumbling(10**9)
    ledger = Ledger()
    async with hall(ledger, thinkers=thinkers) as it:
        (ann,) = await it.sit(1, {1: "casual", 2: "rookie"}, options=LONG)
        await play_on([ann], lambda: ann.version > 20)
        moves = [entry for entry in await ledger.written(ann.code) if entry["what"] == "moved" and entry["seat"]]
        assert {entry["move"] for entry in moves} <= {"draw", "keep", "accept"}
        assert {entry["seat"] for entry in moves} == {1, 2}
        ann.hang_up()  # nobody is asked, and nothing is said, where nobody looks
        version, asked = it.table(ann.code).state.version, thinkers.asked
        await asyncio.sleep(50)
        assert (it.table(ann.code).state.version, thinkers.asked) == (version, asked)


@at_once
async def test_a_level_that_searches_plays_too() -> None:
    async with hall() as it:
        (ann,) = await it.sit(1, {1: "sharp"}, options={"target": 1, "hand_size": 2}, speed="fast")
        await play_out([ann])
        assert ann.view["winners"]
