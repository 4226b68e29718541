"""Workers that are lost, and workers that are none: an answer comes all the same, and nobody else waits for it."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from dataclasses import replace

import pytest

from flipdeck.server.thinkers import pool
from flipdeck.server.thinkers.pool import WorkerPool
from flipdeck.server.thinkers.port import BotAnswer, Question
from flipdeck.server.thinkers.worker import ANSWER, READY
from flipdeck.wire.parts import Substitute
from tests.patience import HANG
from tests.server.asking import desk
from tests.server.houses import OddHouse, is_legal, is_there, need, opened, thoughtful
from tests.server.steered import advance_until, eventually, run, steered_loop

PATIENCE = 10.0  # of a clock that goes on only when a test says so


# ---------------------------------------------------------------- workers that are lost
def test_a_worker_killed_between_questions_is_replaced_and_the_match_goes_on() -> None:
    async def play() -> None:
        table = desk()
        async with opened(WorkerPool(patience=HANG, search=False)) as house:
            for _ in range(3):
                for _ in range(4):
                    await table.one_move(house)
                for pid in house.pids:
                    os.kill(pid, signal.SIGKILL)
            await table.play(house, rounds=1)
            assert (house.failures, house.restarts) == (0, 3)

    run(play())


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM])
def test_a_worker_lost_in_the_middle_of_a_question_costs_nothing_but_time(how: signal.Signals) -> None:
    async def ask() -> None:
        async with thoughtful(PATIENCE) as (house, thoughts):
            steered_loop().stop_clock()
            questions = [desk(level="waits").question(), desk(name="other").question()]
            asks = [asyncio.create_task(house.ask(question)) for question in questions]
            await thoughts.next()
            lost = house.pids
            os.kill(lost[0], how)
            if how == signal.SIGSTOP:
                steered_loop().advance(PATIENCE)
            await eventually(lambda: house.restarts == 1)
            steered_loop().advance(pool.FIRST_PAUSE)  # it had answered nothing yet
            (await thoughts.next()).go_on()
            answers = await asyncio.gather(*asks)
            assert all(is_legal(answer.move, question) for answer, question in zip(answers, questions, strict=True))
            assert (house.failures, house.restarts) == (0, 1)
            assert not is_there(lost[0])
            assert house.pids != lost

    run(ask())


@pytest.mark.parametrize("level", ["fatal", "endless"])
def test_a_bot_that_ends_its_worker_twice_is_answered_for(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "LIMIT", 50)

    async def ask() -> None:
        async with thoughtful(PATIENCE) as (house, thoughts):
            steered_loop().stop_clock()
            question, off_turn = desk(level=level).question(), desk(level=level, name="z")
            asked = asyncio.create_task(house.ask(question))
            for times in (1, 2):
                (await thoughts.next()).go_on()
                if level == "endless":
                    steered_loop().advance(PATIENCE)
                await eventually(lambda times=times: house.restarts == times)  # type: ignore[misc]
                steered_loop().advance(pool.LONGEST_PAUSE)
            assert (await asked).move == need(question)
            assert (house.failures, house.restarts) == (1, 2)
            assert (await house.ask(off_turn.question((off_turn.on_turn + 1) % 3))).move is None, (
                "it has nothing to say"
            )
            good = desk().question()
            assert is_legal((await house.ask(good)).move, good)
            assert (house.failures, house.restarts) == (1, 2)

    run(ask())


def test_a_worker_with_much_to_do_is_not_taken_for_one_that_hangs() -> None:
    """The last of three waits longer than the patience, and the worker is well all the time."""

    async def ask() -> None:
        async with thoughtful(PATIENCE) as (house, thoughts):
            steered_loop().stop_clock()
            questions = [desk(name=f"{number}", level="waits").question() for number in range(3)]
            for asked in [asyncio.create_task(house.ask(question)) for question in questions]:
                thought = await thoughts.next()
                steered_loop().advance(0.9 * PATIENCE)
                thought.go_on()
                await eventually(lambda asked=asked: asked.done() or house.restarts > 0)  # type: ignore[misc]
                assert (house.failures, house.restarts) == (0, 0)

    run(ask())


def test_who_waits_too_long_behind_others_is_answered_for_and_no_worker_is_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pool, "LIMIT", 0.5)

    async def ask() -> None:
        async with thoughtful(PATIENCE) as (house, thoughts):
            steered_loop().stop_clock()
            questions = [desk(name=f"{number}", level="waits").question() for number in range(2)]
            asks = [asyncio.create_task(house.ask(question)) for question in questions]
            (await thoughts.next()).go_on()
            assert (await asks[0]).move == need(questions[0])
            assert house.failures == 0
            late = await thoughts.next()
            steered_loop().advance(0.6 * PATIENCE)
            assert (await asks[1]).move == need(questions[1])
            assert (house.failures, house.restarts) == (1, 0)
            late.go_on()
            good = desk().question()
            assert is_legal((await house.ask(good)).move, good), "the late answer is nobody else's"

    run(ask())


def test_a_question_that_nobody_waits_for_any_more_harms_no_other() -> None:
    async def ask() -> None:
        async with thoughtful() as (house, thoughts):
            asked = asyncio.create_task(house.ask(desk(level="waits").question()))
            thought = await thoughts.next()
            asked.cancel()
            good = desk(name="other").question()
            asked = asyncio.create_task(house.ask(good))
            thought.go_on()
            assert is_legal((await asked).move, good)
            assert (house.failures, house.restarts) == (0, 0)

    run(ask())


def test_ctrl_c_is_not_for_the_workers() -> None:
    async def ask() -> None:
        async with opened(WorkerPool(patience=HANG, search=False)) as house:
            os.kill(house.pids[0], signal.SIGINT)
            question = desk().question()
            assert is_legal((await house.ask(question)).move, question)
            assert house.restarts == 0

    run(ask())


def test_one_table_with_many_questions_keeps_no_other_waiting() -> None:
    async def ask() -> list[str]:
        order: list[str] = []

        async def answered(name: str, question: Question) -> None:
            await house.ask(question)
            order.append(name)

        async with thoughtful() as (house, thoughts):
            going_on = asyncio.create_task(thoughts.let_all_go_on())
            greedy = desk(name="greedy", level="waits")
            many = [answered("greedy", greedy.question(greedy.on_turn)) for _ in range(6)]
            await asyncio.gather(*many, answered("small", desk(name="small").question()))
            going_on.cancel()
            assert (house.failures, house.restarts) == (0, 0)
        return order

    assert "small" in run(ask())[:4], "after what is thought about, what comes next, and one more"


def test_a_question_that_can_not_be_sent_costs_nobody_else_anything() -> None:
    async def ask() -> None:
        async with opened(OddHouse(patience=HANG)) as house:
            odd = replace(desk().question(), level=Unsendable())
            assert (await house.ask(odd)).move == need(odd)
            good = desk(name="other").question()
            assert is_legal((await house.ask(good)).move, good)
            assert (house.failures, house.restarts) == (1, 0)

    run(ask())


class Unsendable(str):
    __slots__ = ()

    def __reduce__(self) -> str:
        raise TypeError("not to be sent")


# ---------------------------------------------------------------- workers that are none
def saying(data: bytes) -> type[WorkerPool]:
    script = f"import os, sys; os.write(1, {data!r}); sys.stdin.buffer.read(1); os.write(1, bytes(range(256)) * 500)"

    class Nonsense(WorkerPool):
        command = (sys.executable, "-S", "-c", script)

    return Nonsense


NEVER_BEGUN = (b"", b"what?")


@pytest.mark.parametrize("data", [ANSWER.pack(*READY), ANSWER.pack(7, 7), *NEVER_BEGUN])
def test_a_worker_that_talks_nonsense_is_replaced_and_answered_for(
    data: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that says too little is waited for; the others are found out by what they say."""
    if data in NEVER_BEGUN:
        monkeypatch.setattr(pool, "START", 0.01)
    monkeypatch.setattr(pool, "FIRST_PAUSE", 0.01)

    async def ask() -> None:
        house = saying(data)(patience=HANG)
        starting = asyncio.create_task(house.start())  # which may never be
        question = desk().question()
        await eventually(lambda: bool(house._tasks))
        assert (await house.ask(question)).move == need(question)
        assert house.failures == 1
        assert house.restarts >= 1
        starting.cancel()
        await house.close()

    run(ask())


@pytest.mark.parametrize("command", [("/nowhere/at/all",), ("/bin/false",)])
def test_a_worker_that_can_not_start_is_tried_again_with_pauses(command: tuple[str, ...]) -> None:
    async def ask() -> None:
        steered_loop().stop_clock()
        house = type("Nobody", (WorkerPool,), {"command": command})(patience=HANG)
        starting, pause = asyncio.create_task(house.start()), pool.FIRST_PAUSE
        for times in range(1, 9):
            await eventually(lambda times=times: house.restarts >= times)  # type: ignore[misc]
            steered_loop().advance(0.99 * pause)
            for _ in range(100):
                await asyncio.sleep(0)
            assert house.restarts == times, "it is not the time yet"
            steered_loop().advance(0.02 * pause)
            pause = min(2 * pause, pool.LONGEST_PAUSE)
        question = desk().question()
        asked = asyncio.create_task(house.ask(question))
        await advance_until(asked.done, pool.LONGEST_PAUSE)
        assert asked.result() == BotAnswer(need(question), Substitute(None, "down"))
        assert house.failures == 1
        await advance_until(starting.done, pool.START)
        await house.close()

    run(ask())
