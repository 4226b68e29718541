"""A bot that plays in the place of another level says so: at the table, to everybody, and nothing about cards."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any

import pytest

from flipdeck.server.http.routes import editions_info
from flipdeck.server.metrics import Metrics
from flipdeck.server.thinkers.inline import InlineThinkers
from flipdeck.server.thinkers.port import BotAnswer, Question
from flipdeck.server.thinkers.search_status import SearchStatus
from flipdeck.wire.errors import TableRefusal
from flipdeck.wire.parts import Substitute

from .playing import plain, play_on
from .seats import SeatClient
from .sitting import Hall, Ledger, at_once, hall

LONG: dict[str, Any] = {"target": 5000}
BUSY, FAILED = Substitute("regular", "busy"), Substitute(None, "failed")
BUSY_ON_THE_WIRE = {"level": "regular", "reason": "busy"}
WARMING = {"level": "regular", "reason": "warming-up"}
UNAVAILABLE = {"level": "regular", "reason": "unavailable"}


class Acted(InlineThinkers):
    """Regular plays for everybody; the answers say what a test has put here, and then nothing."""

    def __init__(self, *said: Substitute | None, state: str = "ready") -> None:
        super().__init__("acted")
        self.said = deque(said)
        self.search = SearchStatus(warming=True)
        self.search.state = state  # type: ignore[assignment]

    async def ask(self, question: Question) -> BotAnswer:
        status, self.search = self.search, SearchStatus(warming=False, wanted=False)
        try:
            move = (await super().ask(question)).move
        finally:
            self.search = status
        if move is None:
            return BotAnswer(None)
        return BotAnswer(move, self.said.popleft() if self.said else None)


def substitutes(seat: SeatClient) -> dict[int, Mapping[str, Any]]:
    """As it was told last, with the table or by itself."""
    found: dict[int, Mapping[str, Any]] = {}
    for message in seat.told:
        if message["type"] == "presence":
            found = {int(number): each for number, each in message["substitutes"].items()}
        elif message.get("table"):
            found = {each["seat"]: each["substitute"] for each in message["table"]["seats"] if each["substitute"]}
    return found


async def bot_moves(ann: SeatClient) -> None:
    """Until a bot has made one move."""
    while ann.on_turn:
        await ann.move(plain(ann.view["legal"]))
    await ann.reach(ann.version + 1)


async def alone_with(it: Hall, level: str = "master", **settings: Any) -> SeatClient:
    (ann,) = await it.sit(1, {1: level}, options={**LONG, "late_uno": False}, grace_ms=0, **settings)
    return ann


# ---------------------------------------------------------------- while a match is played
@at_once
async def test_everybody_is_told_before_the_move_is_shown_and_again_when_the_level_plays_itself() -> None:
    async with hall(thinkers=Acted(BUSY, BUSY, None)) as it:
        ann = await alone_with(it)
        watcher = await it.watcher(ann.code)
        for expected in ({1: BUSY_ON_THE_WIRE}, {1: BUSY_ON_THE_WIRE}, {}):
            await bot_moves(ann)
            await watcher.reach(ann.version)
            assert substitutes(ann) == substitutes(watcher) == expected
        told = [message for message in watcher.told if message["type"] in ("presence", "update")]
        changes = [n for n, message in enumerate(told) if message["type"] == "presence"][-2:]
        assert [told[n]["substitutes"] for n in changes] == [{"1": BUSY_ON_THE_WIRE}, {}]
        assert all(told[n + 1]["events"] for n in changes), "the move follows at once"


@at_once
async def test_who_comes_later_is_told_with_the_welcome() -> None:
    async with hall(thinkers=Acted(*[BUSY] * 9)) as it:
        ann = await alone_with(it)
        await bot_moves(ann)
        watcher = await it.watcher(ann.code)
        assert substitutes(watcher) == {1: BUSY_ON_THE_WIRE}


@at_once
async def test_a_thought_that_failed_is_told_when_the_round_is_over_and_no_sooner() -> None:
    """Whether a bot finds a move may depend on its cards: nobody is to learn of it while they are hidden."""
    async with hall(thinkers=Acted(FAILED)) as it:
        ann = await alone_with(it, next_round_seconds=300)
        await play_on([ann], lambda: ann.table["phase"] != "playing")
        before = [m for m in ann.told if m["type"] in ("presence", "welcome") and "failed" in str(m)]
        assert not before
        assert substitutes(ann) == {1: {"level": None, "reason": "failed"}}
        await ann.do("ready")
        await ann.reach(ann.version + 1)
        while ann.table["phase"] != "playing":
            await ann.reach(ann.version + 1)
        assert substitutes(ann) == {}, "a new round, a new bot"


@at_once
async def test_nothing_of_it_is_journaled_and_a_table_that_slept_knows_nothing_of_it() -> None:
    ledger = Ledger()
    async with hall(ledger, thinkers=Acted(*[BUSY] * 9), sleep_seconds=10_000) as it:
        ann = await alone_with(it)
        await bot_moves(ann)
        assert "busy" not in str(await ledger.written(ann.code))
        await it.restart()
        again = it.seat(ann.code, ann.token)
        await again.connect()
        assert substitutes(again) == {}


# ---------------------------------------------------------------- while the compiler works
@at_once
async def test_the_table_shows_that_a_level_warms_up_from_the_waiting_room_on_until_it_is_ready() -> None:
    thinkers = Acted(state="warming-up")
    async with hall(thinkers=thinkers) as it:
        (ann,) = await it.sit(1, {1: "sharp", 2: "master", 3: "casual"}, start=False)
        assert substitutes(ann) == {1: WARMING, 2: WARMING}
        thinkers.search.set_ready()
        await ann.hear("presence")
        assert substitutes(ann) == {}


@at_once
async def test_what_was_said_of_warming_up_ends_with_it() -> None:
    thinkers = Acted(Substitute("regular", "warming-up"), BUSY, state="warming-up")
    async with hall(thinkers=thinkers) as it:
        ann = await alone_with(it)
        await bot_moves(ann)
        assert substitutes(ann) == {1: WARMING}
        thinkers.search.set_ready()
        await ann.hear("presence")
        assert substitutes(ann) == {}


# ---------------------------------------------------------------- where a level can't be played
@at_once
async def test_a_level_that_can_not_be_played_is_neither_offered_nor_seated() -> None:
    async with hall(thinkers=Acted(state="unavailable")) as it:
        levels = it.context.thinkers.search.levels
        assert editions_info(levels).levels == ["rookie", "casual", "regular"]
        with pytest.raises(TableRefusal) as refused:
            await it.make(settings={"seats": 2}, bots={"1": "master"})
        assert refused.value.code == "level-unavailable"
        assert not it.lobby.tables
        (ann,) = await it.sit(1, {1: "casual"}, start=False)
        version = ann.version
        answer = await ann.ask("seat_bot", seat=1, level="sharp")
        assert (answer["type"], answer["code"]) == ("refused", "level-unavailable")
        assert it.table(ann.code).state.version == version
        assert ann.table["seats"][1]["level"] == "casual"


@at_once
async def test_a_table_with_a_master_from_a_server_that_could_plays_on_and_says_who_plays() -> None:
    ledger = Ledger()
    thinkers = Acted()
    async with hall(ledger, thinkers=thinkers) as it:
        ann = await alone_with(it)
        thinkers.search.set_unavailable()
        await it.restart()
        again = it.seat(ann.code, ann.token)
        await again.connect()
        assert substitutes(again) == {1: UNAVAILABLE}
        await bot_moves(again)
        assert substitutes(again) == {1: UNAVAILABLE}


# ---------------------------------------------------------------- metrics
@at_once
async def test_the_metrics_say_whether_the_search_is_there_and_who_was_replaced_and_why() -> None:
    thinkers = Acted(state="warming-up")
    thinkers.substituted.update({"busy": 3, "failed": 1})
    async with hall(thinkers=thinkers) as it:
        text = Metrics(it.lobby).text()
        assert "flipdeck_bot_search_ready 0.0" in text
        for reason, count in (("busy", 3), ("failed", 1), ("warming-up", 0), ("unavailable", 0), ("down", 0)):
            assert f'flipdeck_bot_substituted_total{{reason="{reason}"}} {count}.0' in text
        thinkers.search.set_ready()
        assert "flipdeck_bot_search_ready 1.0" in Metrics(it.lobby).text()
