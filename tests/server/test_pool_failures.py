"""Workers that are lost, and workers that are none: an answer comes all the same, and nobody else waits for it."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from dataclasses import replace

import pytest

from flipdeck.server.thinkers import pool
from flipdeck.server.thinkers.pool import WorkerPool
from flipdeck.server.thinkers.port import Question
from flipdeck.server.thinkers.worker import ANSWER, READY
from tests.server.asking import desk
from tests.server.houses import OddHouse, is_legal, is_there, need, opened


# ---------------------------------------------------------------- workers that are lost
def test_a_worker_killed_between_questions_is_replaced_and_the_match_goes_on() -> None:
    async def play() -> None:
        table = desk()
        async with opened(WorkerPool()) as house:
            for _ in range(3):
                for _ in range(4):
                    await table.one_move(house)
                for pid in house.pids:
                    os.kill(pid, signal.SIGKILL)
            await table.play(house, rounds=1)
            assert (house.failures, house.restarts) == (0, 3)

    asyncio.run(play())


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM])
def test_a_worker_lost_in_the_middle_of_a_question_costs_nothing_but_time(how: signal.Signals) -> None:
    async def ask() -> None:
        async with opened(OddHouse(patience=1.5)) as house:
            questions = [desk(level="slow").question(), desk(name="other").question()]
            asks = [asyncio.create_task(house.ask(question)) for question in questions]
            await asyncio.sleep(0.2)
            lost = house.pids
            os.kill(lost[0], how)
            moves = await asyncio.gather(*asks)
            assert all(is_legal(move, question) for move, question in zip(moves, questions, strict=True))
            assert (house.failures, house.restarts) == (0, 1)
            assert not is_there(lost[0])
            assert house.pids != lost

    asyncio.run(ask())


@pytest.mark.parametrize("level", ["fatal", "endless"])
def test_a_bot_that_ends_its_worker_twice_is_answered_for(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "LIMIT", 50)

    async def ask() -> None:
        async with opened(OddHouse(patience=0.4)) as house:
            question, off_turn = desk(level=level).question(), desk(level=level, name="z")
            assert await house.ask(question) == need(question)
            assert (house.failures, house.restarts) == (1, 2)
            assert await house.ask(off_turn.question((off_turn.on_turn + 1) % 3)) is None, "it has nothing to say"
            good = desk().question()
            assert is_legal(await house.ask(good), good)
            assert (house.failures, house.restarts) == (1, 2)

    asyncio.run(ask())


def test_a_worker_with_much_to_do_is_not_taken_for_one_that_hangs() -> None:
    """The last of three waits longer than the patience, and the worker is well all the time."""

    async def ask() -> None:
        async with opened(OddHouse(patience=1.5)) as house:
            questions = [desk(name=f"{number}", level="slow").question() for number in range(3)]
            begun = time.monotonic()
            await asyncio.gather(*(house.ask(question) for question in questions))
            assert time.monotonic() - begun > 1.5
            assert (house.failures, house.restarts) == (0, 0)

    asyncio.run(ask())


def test_who_waits_too_long_behind_others_is_answered_for_and_no_worker_is_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pool, "LIMIT", 0.5)

    async def ask() -> None:
        async with opened(OddHouse(patience=2.2)) as house:
            questions = [desk(name=f"{number}", level="slow").question() for number in range(2)]
            assert await asyncio.gather(*map(house.ask, questions)) == [need(question) for question in questions]
            assert (house.failures, house.restarts) == (1, 0)
            good = desk().question()
            assert is_legal(await house.ask(good), good), "the late answer is nobody else's"

    asyncio.run(ask())


def test_a_question_that_nobody_waits_for_any_more_harms_no_other() -> None:
    async def ask() -> None:
        async with opened(OddHouse()) as house:
            asked = asyncio.create_task(house.ask(desk(level="slow").question()))
            await asyncio.sleep(0)
            asked.cancel()
            good = desk(name="other").question()
            assert is_legal(await house.ask(good), good)
            assert (house.failures, house.restarts) == (0, 0)

    asyncio.run(ask())


def test_ctrl_c_is_not_for_the_workers() -> None:
    async def ask() -> None:
        async with opened(WorkerPool()) as house:
            os.kill(house.pids[0], signal.SIGINT)
            question = desk().question()
            assert is_legal(await house.ask(question), question)
            assert house.restarts == 0

    asyncio.run(ask())


def test_one_table_with_many_questions_keeps_no_other_waiting() -> None:
    async def ask() -> list[str]:
        order: list[str] = []

        async def answered(name: str, question: Question) -> None:
            await house.ask(question)
            order.append(name)

        async with opened(OddHouse(patience=5.0)) as house:
            greedy = desk(name="greedy", level="slow")
            many = [answered("greedy", greedy.question(greedy.on_turn)) for _ in range(6)]
            await asyncio.gather(*many, answered("small", desk(name="small").question()))
            assert (house.failures, house.restarts) == (0, 0)
        return order

    assert "small" in asyncio.run(ask())[:4], "after what is thought about, what comes next, and one more"


def test_a_question_that_can_not_be_sent_costs_nobody_else_anything() -> None:
    async def ask() -> None:
        async with opened(OddHouse()) as house:
            odd = replace(desk().question(), level=Unsendable())
            assert await house.ask(odd) == need(odd)
            good = desk(name="other").question()
            assert is_legal(await house.ask(good), good)
            assert (house.failures, house.restarts) == (1, 0)

    asyncio.run(ask())


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


@pytest.mark.parametrize("data", [ANSWER.pack(*READY), ANSWER.pack(7, 7), b"", b"what?"])
def test_a_worker_that_talks_nonsense_is_replaced_and_answered_for(
    data: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "START", 0.5)

    async def ask() -> None:
        async with opened(saying(data)(patience=0.5)) as house:
            question = desk().question()
            assert await house.ask(question) == need(question)
            assert house.failures == 1
            assert house.restarts >= 1

    asyncio.run(ask())


@pytest.mark.parametrize("command", [("/nowhere/at/all",), ("/bin/false",)])
def test_a_worker_that_can_not_start_is_tried_again_with_pauses(
    command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "START", 0.35)

    async def ask() -> None:
        house = type("Nobody", (WorkerPool,), {"command": command})(patience=1.0)
        async with opened(house):
            assert 1 <= house.restarts <= 3
            question = desk().question()
            assert await house.ask(question) == need(question)
            assert house.failures == 1

    asyncio.run(ask())
