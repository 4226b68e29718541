"""Round after round to the end of the match, what proves that it was fair, and the next match."""

from __future__ import annotations

import asyncio

import pytest

from flipdeck.core.record import parse
from flipdeck.core.seeds import commitment_of
from flipdeck.server.table import entries
from flipdeck.wire.parts import Settings

from .playing import play_on, play_out
from .seats import SeatClient
from .sitting import Ledger, at_once, hall, refused

SHORT = {"target": 60, "hand_size": 3}
LONG = {"target": 5000, "hand_size": 3}


async def play_to(seats: list[SeatClient], phase: str) -> None:
    await play_on(seats, lambda: bool(seats[0].table["phase"] == phase))


# ---------------------------------------------------------------- the next round
@at_once
async def test_the_next_round_is_dealt_as_soon_as_everybody_is_ready() -> None:
    async with hall() as it:
        ann, ben, cleo = seats = await it.sit(3, {3: "rookie"}, options=LONG, next_round_seconds=300)
        await play_to(seats, "between")
        loop = asyncio.get_running_loop()
        ended = loop.time()
        assert [seat["ready"] for seat in ann.table["seats"]] == [False, False, False, True]
        assert ann.table["next_round_ms"] == 300_000
        assert (ann.table["rounds"][0]["number"], len(ann.table["rounds"])) == (1, 1)
        assert ann.table["rounds"][0]["scores"] == ann.view["scores"]
        await ann.do("ready")
        await ben.do("ready")
        assert await ben.refusal_to("ready") == ("not-now", "already-ready")
        assert [seat["ready"] for seat in ben.table["seats"]] == [True, True, False, True]
        assert ben.table["phase"] == "between"
        version = await cleo.do("ready")
        for seat in seats:
            await seat.reach(version + 1)
            assert (seat.table["phase"], seat.view["round"]) == ("playing", 2)
            assert len(seat.view["hand"]) >= 3
        assert loop.time() == ended
        assert await ann.refusal_to("ready") == ("not-now", "not-between")


@at_once
async def test_the_next_round_is_dealt_anyway_when_the_countdown_is_over() -> None:
    async with hall() as it:
        seats = await it.sit(2, options=LONG, next_round_seconds=7)
        await play_to(seats, "between")
        loop = asyncio.get_running_loop()
        ended = loop.time()
        await asyncio.sleep(3)
        await seats[0].do("ready")
        assert seats[0].table["next_round_ms"] == 4000
        await seats[1].reach(seats[0].version + 1)
        assert loop.time() == ended + 7
        assert seats[1].table["phase"] == "playing"


@at_once
async def test_the_countdown_stands_while_nobody_is_there_and_over_a_restart() -> None:
    async with hall() as it:
        seats = await it.sit(2, options=LONG, next_round_seconds=5)
        await play_to(seats, "between")
        it.fall_over()
        await asyncio.sleep(100)
        welcome = await seats[0].connect(have=seats[0].version)
        assert (welcome["table"]["phase"], welcome["table"]["next_round_ms"]) == ("between", 5000)
        seats[0].hang_up()
        await asyncio.sleep(3600)
        welcome = await seats[0].connect(have=seats[0].version)
        assert (welcome["table"]["phase"], welcome["missed"]) == ("between", [])
        await seats[0].hear("update")
        assert seats[0].table["phase"] == "playing"


# ---------------------------------------------------------------- the end
@at_once
async def test_when_the_match_is_over_the_seed_opens_the_commitment_and_the_record_can_be_read() -> None:
    async with hall() as it:
        ann, ben = seats = await it.sit(2, {2: "casual"}, options=SHORT)
        commitment = ann.table["fairness"]["commitment"]
        replay = it.table(ann.code).state.replay
        await play_on(seats, lambda: ann.version > 6)
        for seat in seats:
            assert seat.table["fairness"]["commitment"] == commitment
            assert (seat.table["fairness"]["seed"], seat.table["fairness"]["secret"]) == (None, None)
            assert seat.table["replay"] is None
        assert (await refused(it.lobby.replay(replay, "a"))).code == "no-replay"
        await play_out(seats)
        fairness = ben.table["fairness"]
        assert fairness["commitment"] == commitment
        assert commitment_of(bytes.fromhex(fairness["seed"])) == commitment
        assert ben.table["replay"] == replay
        record = await it.lobby.replay(replay, "a")
        match = parse(record)
        assert match.seed.hex() == fairness["seed"]
        assert list(match.scores) == ben.view["scores"]
        assert list(match.winners) == ben.view["winners"]
        assert [(r["number"], r["scores"]) for r in ben.table["rounds"]][-1] == (match.round.number, list(match.scores))
        assert (await refused(it.lobby.replay("0" * 26, "a"))).code == "no-replay"


@at_once
async def test_a_record_outlives_its_table_in_memory_and_a_crash() -> None:
    async with hall(sleep_seconds=10) as it:
        seats = await it.sit(2, options=SHORT)
        await play_out(seats)
        record = it.table(seats[0].code).state.match.record()  # type: ignore[union-attr]
        replay = seats[0].table["replay"]
        it.fall_over()
        assert not it.lobby.tables  # nobody has come back
        assert await it.lobby.replay(replay, "a") == record
        await seats[0].connect()
        seats[0].hang_up()
        await asyncio.sleep(30)
        assert not it.lobby.tables
        assert await it.lobby.replay(replay, "a") == record


@at_once
async def test_guessing_the_names_of_records_is_slowed_down() -> None:
    async with hall() as it:
        for _ in range(11):
            assert (await refused(it.lobby.replay("x" * 26, "guesser"))).code == "no-replay"
        assert (await refused(it.lobby.replay("x" * 26, "guesser"))).code == "too-fast"


# ---------------------------------------------------------------- again
@at_once
async def test_a_rematch_is_with_the_same_people_and_committed_to_before_the_deal() -> None:
    async with hall() as it:
        ann, ben = seats = await it.sit(2, {2: "rookie"}, options=SHORT)
        assert await ben.refusal_to("rematch") == ("not-now", "not-over")
        await play_out(seats)
        before = ben.table
        version = await ben.do("rematch")
        await ann.reach(version)
        now = ann.table
        assert (now["phase"], now["match"], now["rounds"], now["replay"]) == ("waiting", 2, [], None)
        assert [seat["name"] for seat in now["seats"]] == [seat["name"] for seat in before["seats"]]
        assert now["fairness"]["commitment"] != before["fairness"]["commitment"]
        assert now["fairness"]["seed"] is None
        assert now["last"] == {"replay": before["replay"], **before["fairness"]}
        assert not ann.view
        assert await ann.refusal_to("rematch") == ("not-now", "not-over")
        committed = now["fairness"]["commitment"]
        await ann.do("start")
        assert ann.view["scores"] == [0, 0, 0]
        await play_out(seats)
        assert ann.table["fairness"]["commitment"] == committed
        assert commitment_of(bytes.fromhex(ann.table["fairness"]["seed"])) == committed
        assert ann.table["last"]["replay"] == before["replay"]


@at_once
async def test_the_record_names_the_dealer_whom_the_host_named_and_so_does_that_of_the_rematch() -> None:
    async with hall() as it:
        ann, _ = seats = await it.sit(2, {2: "rookie"}, edition="mild-wild", options={"hand_size": 3}, start=False)
        for dealer in (2, 0):
            await ann.do("start", dealer=dealer)
            await play_out(seats)
            record = await it.lobby.replay(ann.table["replay"], "a")
            assert f"\ndealer: {dealer}\n" in record
            again = parse(record)
            assert (again.given_dealer, again.history[0].dealer) == (dealer, dealer)
            assert list(again.winners) == ann.view["winners"]
            await ann.do("rematch")
        await ann.do("start")
        await play_out(seats)
        assert "\ndealer: " not in await it.lobby.replay(ann.table["replay"], "a")


@at_once
async def test_every_table_ends_a_round_that_goes_on_and_on_and_the_record_says_when() -> None:
    async with hall() as it:
        seats = await it.sit(2, {2: "rookie"}, options=SHORT)
        assert seats[0].table["settings"]["options"] == SHORT, "it is no house rule"
        match = it.table(seats[0].code).state.match
        assert match is not None
        assert match.options.most_moves == 2000
        await play_out(seats)
        record = await it.lobby.replay(seats[0].table["replay"], "a")
        assert "most_moves=2000" in next(line for line in record.splitlines() if line.startswith("options: "))
        assert parse(record).options.most_moves == 2000


@at_once
async def test_a_round_of_too_many_moves_is_void_and_the_next_one_is_dealt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entries, "MOST_MOVES", 20)
    async with hall() as it:
        seats = await it.sit(2, options=LONG, next_round_seconds=3)
        await play_on(seats, lambda: bool(seats[0].table["phase"] == "between"), choose=lambda legal: legal[-1])
        (done,) = seats[0].table["rounds"]
        assert (done["winner"], done["points"]) == (None, [0, 0])
        events = [event["event"] for event in seats[0].all("update")[-1]["events"]]
        assert events[-3:] == ["round_void", "laid_open", "laid_open"]
        await seats[1].hear("update")
        assert await seats[0].do("ready")


def test_a_draw_that_a_void_round_has_cut_short_is_forgotten_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock has drawn, and a catch is the move too many: the next round begins with time to think."""
    monkeypatch.setattr(entries, "MOST_MOVES", 2)
    settings = Settings(seats=2, options={"false_catch_penalty": 1})
    state = entries.Made(code="7K3MQ2XA", settings=settings, seed="11" * 32, replay="r").make_state()
    for seat in range(2):
        entries.apply(state, entries.BotSat(seat=seat, level="rookie"))
    entries.apply(state, entries.Started())
    on_turn = state.to_act
    assert on_turn is not None
    entries.apply(state, entries.Moved(seat=on_turn, move="draw", who="clock"))
    assert state.overdue
    entries.apply(state, entries.Moved(seat=1 - on_turn, move=f"catch {on_turn}"))
    assert state.phase == "between"
    entries.apply(state, entries.NextRound())
    assert (state.drawn, state.overdue) == (False, False)


@at_once
async def test_the_record_of_the_match_before_is_kept_when_the_rematch_comes_at_once() -> None:
    ledger = Ledger()
    async with hall(ledger) as it:
        ann, _ = seats = await it.sit(2, options=SHORT)
        await play_out(seats)
        record = it.table(ann.code).state.match.record()  # type: ignore[union-attr]
        ledger.failing = True
        assert await ann.refusal_to("rematch", cmd_id="r") == ("unavailable", "unavailable")
        ledger.failing = False
        await ann.do("rematch", cmd_id="r")
        assert await it.lobby.replay(ann.table["last"]["replay"], "a") == record
        assert parse(record).seed.hex() == ann.table["last"]["seed"]


@at_once
async def test_after_a_rematch_the_host_may_change_who_sits_there() -> None:
    async with hall() as it:
        ann, ben = seats = await it.sit(2, {2: "rookie"}, options=SHORT)
        await play_out(seats)
        await ann.do("rematch")
        await ann.do("clear_seat", seat=2)
        cleo = it.seat(ann.code, (await it.join(ann.code, "Cleo")).token)
        await cleo.connect()
        await ann.do("start")
        await cleo.hear("update")
        assert len(cleo.view["hand"]) >= 3
        assert ben.you == 1
