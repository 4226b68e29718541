"""Bots in worker processes: they answer as they would here, and whatever becomes of a worker, an answer comes."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from flipdeck.bots.player import BotPlayer
from flipdeck.bots.registry import bot_named
from flipdeck.core.match import Match
from flipdeck.core.notation import Draw
from flipdeck.server.thinkers.pool import WorkerPool, worker_environment
from tests.patience import HANG
from tests.server.asking import Desk, desk
from tests.server.houses import OddHouse, is_legal, is_there, need, opened, thoughtful
from tests.server.steered import run


# ---------------------------------------------------------------- when all goes well
def test_three_bots_play_whole_matches_at_two_tables_with_two_workers() -> None:
    async def play() -> None:
        async with opened(WorkerPool(workers=2, patience=HANG, search=False)) as house:
            tables = [
                Desk(Match(players=3, seed=name, options={"target": 60}), ("rookie", "casual", "regular"), name)
                for name in ("one", "other")
            ]
            await asyncio.gather(*(table.play(house) for table in tables))
            assert all(table.match.over for table in tables)
            assert (house.failures, house.restarts) == (0, 0)

    run(play())


def test_a_worker_says_what_a_player_here_says() -> None:
    """The net has no use for dice, so there is but one answer to what a seat has seen."""

    async def play() -> int:
        table = desk(level="net")
        players = [BotPlayer(bot_named("net"), seat, 3, table.match.options, Random(0)) for seat in range(3)]
        async with opened(WorkerPool(patience=HANG, search=False)) as house:
            said = await table.play_beside(house, players)
            assert (house.failures, house.restarts) == (0, 0)
        return said

    assert run(play()) > 10


def test_many_questions_at_a_time_get_their_own_answers() -> None:
    async def ask() -> None:
        async with opened(WorkerPool(workers=2, patience=HANG, search=False)) as house:
            tables = [desk(f"seed {number}", name=f"table {number}") for number in range(40)]
            questions = [table.question() for table in tables]
            answers = await asyncio.gather(*(house.ask(question) for question in questions))
            assert all(is_legal(answer.move, question) for answer, question in zip(answers, questions, strict=True))
            assert house.failures == 0

    run(ask())


def test_who_is_not_on_turn_and_has_nothing_to_say_lets_the_moment_go() -> None:
    async def ask() -> None:
        table = desk()
        async with opened(WorkerPool(patience=HANG, search=False)) as house:
            assert (await house.ask(table.question((table.on_turn + 1) % 3))).move is None
            assert house.failures == 0

    run(ask())


def test_the_event_loop_goes_on_while_a_bot_thinks() -> None:
    """If the loop waited for the bot, nobody could ever tell the bot to go on."""

    async def ask() -> None:
        async with thoughtful() as (house, thoughts):
            question = desk(level="waits").question()
            asked = asyncio.create_task(house.ask(question))
            thought = await thoughts.next()
            for _ in range(1000):
                await asyncio.sleep(0)
            assert not asked.done()
            thought.go_on()
            assert (await asked).move == need(question)
            assert house.failures == 0

    run(ask())


# ---------------------------------------------------------------- bots that go wrong
@pytest.mark.parametrize("level", ["broken", "cheat", "nobody", "cmd:true"])
def test_a_bot_that_fails_costs_its_own_move_alone(level: str) -> None:
    async def ask() -> None:
        table = desk(level=level)
        async with opened(OddHouse(patience=HANG)) as house:
            question = table.question()
            assert (await house.ask(question)).move == need(question)
            table.say(table.on_turn, Draw())
            good = table.question(question.shown[-1].view.you, "regular")
            await house.ask(good)
            assert (house.failures, house.restarts) == (1, 0), "its seat plays on with another"

    run(ask())


def test_what_a_bot_prints_is_no_answer() -> None:
    async def play() -> None:
        table = desk(level="loud")
        async with opened(OddHouse(patience=HANG)) as house:
            for _ in range(5):
                await table.one_move(house)
            assert (house.failures, house.restarts) == (0, 0)

    run(play())


# ---------------------------------------------------------------- houses
def test_two_houses_have_nothing_to_do_with_each_other() -> None:
    async def ask() -> None:
        async with (
            opened(WorkerPool(patience=HANG, search=False)) as one,
            opened(WorkerPool(patience=HANG, search=False)) as other,
        ):
            assert not set(one.pids) & set(other.pids)
            question = desk().question()
            for house in (one, other):
                assert is_legal((await house.ask(question)).move, question)
            await one.close()
            assert is_legal((await other.ask(question)).move, question)
            assert other.restarts == 0

    run(ask())


def test_closing_leaves_no_process_behind_and_answers_who_still_waits() -> None:
    async def ask() -> None:
        house = OddHouse(workers=2, patience=HANG)
        await house.start()
        pids = house.pids
        assert len(pids) == 2
        question = desk(level="endless").question()
        asked = asyncio.create_task(house.ask(question))
        await asyncio.sleep(0)
        await house.close()
        assert not any(map(is_there, pids))
        assert (await asked).move == need(question)
        assert (await house.ask(question)).move == need(question)
        await house.close()

    run(ask())


def test_a_house_that_is_not_open_yet_answers_too() -> None:
    house = WorkerPool(patience=HANG, search=False)
    question = desk().question()
    house.forget(question.who)
    assert run(house.ask(question)).move == need(question)


def test_a_worker_is_told_nothing_of_secrets_around_the_server() -> None:
    needed = {"HOME": "/home/us", "FLIPDECK_CACHE": "/cache", "NUMBA_NUM_THREADS": "1"}
    secret = {"FLIPDECK_DATABASE": "postgres://us:word@there", "AWS_SECRET_ACCESS_KEY": "word"}
    assert worker_environment(needed | secret) == needed
