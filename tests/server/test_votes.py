"""Slow players: who takes nearly all of the clock three turns in a row can be voted out by all others who are there."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from flipdeck.server.identity import hash_token
from flipdeck.server.table import entries
from flipdeck.server.table.decide import decide
from flipdeck.server.table.requests import StandIn, TimeUp
from flipdeck.server.table.seats import SLOW_TURNS
from flipdeck.wire.client_messages import VoteOut
from flipdeck.wire.parts import Settings

from .playing import play_on, play_out
from .seats import SeatClient
from .sitting import Hall, Ledger, at_once, hall, refused

TURN = 30
LONG = {"target": 5000, "hand_size": 7}


async def sit(it: Hall, people: int = 3, bots: dict[int, str] | None = None, **settings: Any) -> list[SeatClient]:
    return await it.sit(people, bots, turn_seconds=TURN, **{"options": LONG, "grace_ms": 0, **settings})


def dull(legal: Sequence[str]) -> str:
    """Draw and keep: nobody is skipped, nothing flips, no round ends."""
    return next((move for move in ("keep", "draw", "accept") if move in legal), legal[0])


async def turns(seats: Sequence[SeatClient], slow: int, count: int, seconds: float = 0.81 * TURN) -> None:
    """So many turns of one seat, each that slow; everybody else plays at once."""
    done = 0
    while done < count:
        on_turn = next(seat for seat in seats if seat.on_turn)
        began = asyncio.get_running_loop().time()
        if on_turn.you == slow:
            await asyncio.sleep(seconds)
            done += 1
        while on_turn.on_turn:
            await asyncio.sleep(0.1)
            await on_turn.move(dull(on_turn.view["legal"]))
        assert asyncio.get_running_loop().time() - began < TURN
        for seat in seats:
            await seat.reach(on_turn.version)


def is_slow(watcher: SeatClient, seat: int) -> bool:
    return bool(watcher.table["seats"][seat]["slow"])


async def slow_ben(it: Hall, **settings: Any) -> list[SeatClient]:
    """Ann, Ben, who is slow, and Cleo."""
    seats = await sit(it, **settings)
    await turns(seats, slow=1, count=3)
    assert is_slow(seats[0], 1)
    return seats


# ---------------------------------------------------------------- who is slow
@at_once
@pytest.mark.parametrize(("taken", "slow"), [(23.0, False), (23.9, False), (24.1, True)])
async def test_a_turn_is_slow_from_24_of_30_seconds_on(taken: float, slow: bool) -> None:
    async with hall() as it:
        seats = await sit(it)
        await turns(seats, slow=1, count=3, seconds=taken - 0.2)  # to draw and to keep takes the rest
        assert is_slow(seats[0], 1) == slow


@at_once
async def test_slow_is_who_takes_more_than_eighty_percent_of_the_clock_three_turns_in_a_row() -> None:
    async with hall() as it:
        seats = await sit(it)
        await turns(seats, slow=1, count=2)
        assert not is_slow(seats[0], 1)
        await turns(seats, slow=1, count=1, seconds=0.7 * TURN)
        await turns(seats, slow=1, count=2)
        assert not is_slow(seats[0], 1), "one turn in between was quick enough"
        await turns(seats, slow=1, count=1)
        for seat in seats:
            assert [is_slow(seat, number) for number in range(3)] == [False, True, False]
        await turns(seats, slow=1, count=1, seconds=1)
        assert not is_slow(seats[2], 1)


@at_once
async def test_a_draw_and_the_word_about_the_card_are_one_turn_however_the_time_is_spread() -> None:
    async with hall() as it:
        ann, ben, cleo = seats = await sit(it)
        for drawn_after, kept_after in ((0.1, 25.0), (12.5, 12.5), (25.0, 0.1)):
            await play_on(seats, lambda: ben.on_turn, dull)
            count = it.table(ann.code).state.seats[1].slow_turns
            await asyncio.sleep(drawn_after)
            await ben.move("draw")
            assert it.table(ann.code).state.seats[1].slow_turns == count, "nothing is told before the word is said"
            await asyncio.sleep(kept_after)
            await ben.move("keep")
            assert it.table(ann.code).state.seats[1].slow_turns == count + 1
            for seat in seats:
                await seat.reach(ben.version)
        assert is_slow(cleo, 1)


@at_once
async def test_turns_that_the_clock_ends_count_and_those_of_the_bot_that_stands_in_do_not() -> None:
    async with hall() as it:
        ann, ben, cleo = await sit(it)

        async def others_play_until(done: Callable[[], bool]) -> None:
            while not done():
                await asyncio.sleep(0.2)
                for seat in (ann, cleo):
                    if seat.on_turn:
                        await seat.try_move(dull(seat.view["legal"]))

        state = it.table(ann.code).state
        await others_play_until(lambda: state.seats[1].sits_in)
        assert (state.seats[1].missed, state.seats[1].slow_turns) == (2, 2)
        for _ in range(20):
            await others_play_until(lambda: ann.on_turn)
        assert state.seats[1].slow_turns == 2
        await ben.do("back")
        await others_play_until(lambda: is_slow(ann, 1))


@at_once
async def test_without_a_clock_nobody_is_slow() -> None:
    async with hall() as it:
        seats = await it.sit(3, turn_seconds=0, options=LONG, grace_ms=0)
        await turns(seats, slow=1, count=4, seconds=25)
        assert not is_slow(seats[0], 1)


# ---------------------------------------------------------------- votes
@at_once
async def test_when_all_other_people_have_voted_a_bot_plays_on_and_there_is_no_way_back_in_this_match() -> None:
    ledger = Ledger()
    async with hall(ledger) as it:
        ann, ben, cleo = await slow_ben(it, options={"target": 60, "hand_size": 7})
        await ann.do("vote_out", seat=1)
        assert ann.table["seats"][1]["votes"] == [0]
        assert not ann.table["seats"][1]["sits_in"]
        version = await cleo.do("vote_out", seat=1)
        await ben.reach(version)
        for seat in (ann, ben, cleo):
            out = seat.table["seats"][1]
            assert (out["voted_out"], out["sits_in"], out["level"], out["votes"]) == (True, True, "regular", [])
            assert (out["kind"], out["name"], out["here"]) == ("person", "Ben", True)
        assert (await ledger.written(ann.code))[-1]["why"] == "voted"
        for command in ("back", "ready", "rematch"):
            assert await ben.refusal_to(command) == ("voted-out", "voted-out")
        assert await ben.refusal_to("move", move="draw", version=ben.version) == ("voted-out", "voted-out")
        it.fall_over()
        for seat in (ann, ben, cleo):
            await seat.connect()
        await asyncio.sleep(1)
        assert ben.table["seats"][1]["sits_in"], "nor does a new connection bring them back"
        assert await ben.refusal_to("back") == ("voted-out", "voted-out")
        assert "bye" not in [message["type"] for message in ben.told[-3:]], "they may watch"
        await play_out([ann, cleo])
        await ann.do("rematch")
        back = ann.table["seats"][1]
        assert (back["voted_out"], back["sits_in"], back["level"], back["slow"]) == (False, False, None, False)
        assert (back["kind"], back["name"]) == ("person", "Ben")
        version = await ann.do("start")
        await ben.reach(version)
        await play_on([ann, ben, cleo], lambda: ben.on_turn)
        await ben.move(dull(ben.view["legal"]))


@at_once
async def test_who_leaves_after_being_voted_out_does_not_come_back_by_that() -> None:
    async with hall() as it:
        ann, ben, cleo = await slow_ben(it)
        await ann.do("vote_out", seat=1)
        await cleo.do("vote_out", seat=1)
        await ben.do("leave")
        await ben.connect()
        await asyncio.sleep(1)
        assert it.table(ann.code).state.seats[1].sits_in
        assert await ben.refusal_to("back") == ("voted-out", "voted-out")


@at_once
async def test_only_those_who_are_there_have_to_agree_and_whoever_goes_is_no_longer_waited_for() -> None:
    async with hall() as it:
        ann, ben, cleo, dan = await sit(it, 4)
        await turns([ann, ben, cleo, dan], slow=1, count=3)
        dan.hang_up()
        await ann.do("vote_out", seat=1)
        assert not it.table(ann.code).state.seats[1].voted_out
        cleo.hang_up()
        await asyncio.sleep(0.1)
        assert it.table(ann.code).state.seats[1].voted_out


@at_once
async def test_the_vote_of_somebody_who_leaves_is_not_waited_for() -> None:
    async with hall() as it:
        ann, ben, cleo, dan = await sit(it, 4)
        await turns([ann, ben, cleo, dan], slow=1, count=3)
        for voter in (ann, dan):
            await voter.do("vote_out", seat=1)
        await cleo.do("leave")
        await asyncio.sleep(0.1)
        assert it.table(ann.code).state.seats[1].voted_out


@at_once
async def test_whoever_is_there_while_a_bot_plays_for_them_is_not_waited_for() -> None:
    """An accomplice who does nothing could keep a slow player at the table."""
    async with hall() as it:
        ann, _, cleo = await slow_ben(it)
        state = it.table(ann.code).state
        state.seats[2].missed = 2
        it.table(ann.code).submit(StandIn(state.seats[2]))
        await ann.reach(ann.version + 1)
        assert (ann.table["seats"][2]["sits_in"], cleo.on_line) == (True, True)
        await ann.do("vote_out", seat=1)
        assert ann.table["seats"][1]["voted_out"]


@at_once
async def test_whoever_was_voted_out_takes_no_seat_of_a_bot_in_this_match() -> None:
    async with hall() as it:
        seats = await sit(it, 3, {3: "rookie"}, takeover=True)
        ann, _, cleo = seats
        for seat, address in zip(seats, ("203.0.113.1", "203.0.113.2", "203.0.113.3"), strict=True):
            seat.hang_up()
            seat.address = address
            await seat.connect()
        it.table(ann.code).state.seats[1].slow_turns = SLOW_TURNS
        for voter in (ann, cleo):
            await voter.do("vote_out", seat=1)
        for _ in range(2):
            refusal = await refused(it.join(ann.code, "Bob", 3, address="203.0.113.2"))
            assert refusal.code == "voted-out"
            it.fall_over()
            for seat in (ann, cleo):
                await seat.connect()
        assert (await it.join(ann.code, "Dan", 3, address="203.0.113.4")).seat == 3


@at_once
async def test_one_other_person_among_bots_decides_alone() -> None:
    async with hall() as it:
        ann, ben = await sit(it, 2, {2: "rookie"}, speed="fast")
        while not is_slow(ann, 1):
            await play_on([ann], lambda: ben.on_turn, dull)
            await asyncio.sleep(25)
            await ben.move(dull(ben.view["legal"]))
            if ben.on_turn:
                await ben.move(dull(ben.view["legal"]))
            await ann.reach(ben.version)
        await ann.do("vote_out", seat=1)
        assert ann.table["seats"][1]["voted_out"]


@at_once
async def test_a_vote_is_taken_back_and_ends_with_a_quick_turn() -> None:
    async with hall() as it:
        ann, ben, cleo = seats = await slow_ben(it, options=LONG)
        await ann.do("vote_out", seat=1)
        await ann.do("vote_out", seat=1, on=False)
        assert ann.table["seats"][1]["votes"] == []
        await cleo.do("vote_out", seat=1)
        await ann.reach(cleo.version)
        await turns(seats, slow=1, count=1, seconds=1)
        assert (is_slow(ann, 1), ann.table["seats"][1]["votes"]) == (False, [])
        assert await ann.refusal_to("vote_out", seat=1) == ("not-now", "not-slow")
        assert ben.on_line


def test_a_vote_ends_with_the_round() -> None:
    """The clock plays for all three until somebody is out."""
    settings = Settings(seats=3, options={"hand_size": 2}, turn_seconds=TURN)
    state = entries.Made(code="T", settings=settings, seed="17" * 32, replay="first").make_state()
    for seat, name in enumerate(("Ann", "Ben", "Cleo")):
        entries.apply(state, entries.Sat(seat=seat, name=name, token=hash_token(name)))
    entries.apply(state, entries.Started())
    votes = []
    while state.phase == "playing":
        entry = decide(state, None, TimeUp(state.timed_since), ())
        assert entry is not None
        entries.apply(state, entry)
        if state.seats[1].slow and [0] not in votes:
            vote = decide(state, state.seats[0], VoteOut("v", 1), state.seats)
            assert isinstance(vote, entries.Voted)
            entries.apply(state, vote)
        votes.append(state.seats[1].votes)
    assert votes[-2:] == [[0], []]


@at_once
async def test_who_can_not_be_voted_out() -> None:
    async with hall() as it:
        ann, ben, cleo = await slow_ben(it)
        assert await ann.refusal_to("vote_out", seat=2) == ("not-now", "not-slow")
        assert await ben.refusal_to("vote_out", seat=1) == ("not-now", "own-seat")
        assert await ann.refusal_to("vote_out", seat=3) == ("not-now", "no-such-seat")
        watcher = await it.watcher(ann.code)
        assert await watcher.refusal_to("vote_out", seat=1) == ("not-seated", "not-seated")
        two = await sit(it, 2)
        await turns(two, slow=1, count=3)
        assert is_slow(two[0], 1)
        assert await two[0].refusal_to("vote_out", seat=1) == ("not-now", "not-slow"), "one against the other"
        waiting = await it.sit(3, start=False)
        assert await waiting[0].refusal_to("vote_out", seat=1) == ("not-now", "not-slow")
        assert cleo.on_line


@at_once
async def test_a_slow_host_who_is_voted_out_passes_the_table_on() -> None:
    async with hall() as it:
        ann, ben, cleo = seats = await sit(it)
        await turns(seats, slow=0, count=3)
        await ben.do("vote_out", seat=0)
        await cleo.do("vote_out", seat=0)
        assert [seat["host"] for seat in cleo.table["seats"]] == [False, True, False]
        assert ann.on_line


@at_once
async def test_a_repeated_vote_is_one_vote() -> None:
    async with hall() as it:
        ann, *_ = await slow_ben(it)
        first = await ann.ask("vote_out", seat=1, cmd_id="v")
        assert (await ann.ask("vote_out", seat=1, cmd_id="v")) == first
        await ann.do("vote_out", seat=1)
        assert ann.table["seats"][1]["votes"] == [0]
