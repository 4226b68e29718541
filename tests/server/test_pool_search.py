"""The levels that search: loaded when the server starts; until then, or if they can't be, another one says so."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from itertools import count

import pytest

from flipdeck import bulk
from flipdeck.server.thinkers import pool
from flipdeck.server.thinkers.pool import WorkerPool
from flipdeck.server.thinkers.port import BotAnswer
from flipdeck.server.thinkers.queue import LONGEST_WAIT
from flipdeck.wire.parts import Substitute
from tests.patience import HANG
from tests.server.asking import ODD, desk
from tests.server.houses import OddHouse, is_legal, need, opened, thoughtful
from tests.server.odd_bots import BROKEN_COMPILER, LOST_COMPILER, SEARCHING
from tests.server.steered import eventually, run, steered_loop

PATIENCE = 10.0
numbers = count()


async def ask(house: WorkerPool, level: str = "master") -> BotAnswer:
    question = desk(name=f"{next(numbers)}", level=level).question()
    answer = await house.ask(question)
    assert is_legal(answer.move, question)
    return answer


def events(caplog: pytest.LogCaptureFixture) -> list[tuple[str, object, object]]:
    return [
        (record.msg, fields.get("reason"), fields.get("count"))
        for record in caplog.records
        if (fields := getattr(record, "fields", None)) is not None
    ]


# ---------------------------------------------------------------- warming up
def test_the_search_is_loaded_at_the_start_though_nobody_asks_and_the_master_plays_once_it_is_there() -> None:
    async def story() -> None:
        async with thoughtful() as (house, thoughts):
            told: list[str] = []
            house.search.watch(lambda: told.append(house.search.state))
            loading = await thoughts.next_load()
            assert house.search.state == "warming-up"
            assert house.search.levels[-1] == "master", "it will be there"
            for level in ("sharp", "master", "master:5ms"):
                assert (await ask(house, level)).substitute == Substitute("regular", "warming-up")
            assert (await ask(house, "casual")).substitute is None
            assert told == []
            loading.go_on()
            await eventually(lambda: bool(told))
            assert (told, house.search.substitute_for("master")) == (["ready"], None)
            asked = asyncio.create_task(ask(house))
            thought = await thoughts.next()
            assert thought.what == SEARCHING
            thought.go_on()
            assert (await asked).substitute is None
            assert (house.failures, house.restarts, dict(house.substituted)) == (0, 0, {"warming-up": 3})

    run(story())


def test_one_worker_compiles_and_the_others_follow_when_it_is_done() -> None:
    async def story() -> None:
        async with thoughtful(workers=3) as (house, thoughts):
            first = await thoughts.next_load()
            others = [asyncio.create_task(thoughts.next_load()) for _ in range(2)]
            for _ in range(20):
                await ask(house)  # the workers have had time to begin
            assert not any(other.done() for other in others)
            first.go_on()
            for other in others:
                assert house.search.state == "warming-up"
                (await other).go_on()
            await eventually(lambda: house.search.state == "ready")

    run(story())


def test_a_worker_that_was_replaced_loads_the_search_again_and_says_who_plays_meanwhile() -> None:
    async def story() -> None:
        async with thoughtful() as (house, thoughts):
            (await thoughts.next_load()).go_on()
            await eventually(lambda: house.search.state == "ready")
            os.kill(house.pids[0], signal.SIGKILL)
            again = await thoughts.next_load()
            assert (await ask(house)).substitute == Substitute("regular", "warming-up")
            assert house.search.state == "ready", "other workers may have it: this is told with the answer"
            again.go_on()
            asked = asyncio.create_task(thoughts.next())
            while not asked.done():
                answer = asyncio.create_task(ask(house))
                await asyncio.wait([answer, asked], return_when=asyncio.FIRST_COMPLETED)
            asked.result().go_on()
            assert (await answer).substitute is None

    run(story())


def test_the_real_search_is_loaded_by_a_real_worker(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)

    async def story() -> None:
        async with opened(WorkerPool(patience=HANG)) as house:
            await eventually(lambda: house.search.state != "warming-up")
            assert house.search.state == "ready"
            assert (await ask(house, "master:5worlds")).substitute is None

    run(story())
    assert ("search-ready", None, None) in events(caplog)


# ---------------------------------------------------------------- where it can't be loaded
class BrokenCompiler(WorkerPool):
    command = (*ODD, BROKEN_COMPILER)


class LostCompiler(WorkerPool):
    command = (*ODD, LOST_COMPILER)


@pytest.mark.parametrize(("house", "losses"), [(BrokenCompiler, 0), (LostCompiler, pool.LOADS)])
def test_a_compiler_that_fails_or_takes_its_worker_along_makes_its_levels_unavailable(
    house: type[WorkerPool], losses: int
) -> None:
    async def story() -> None:
        async with opened(house(patience=HANG)) as it:
            await eventually(lambda: it.search.state == "unavailable")
            assert it.search.levels == ("rookie", "casual", "regular")
            assert (await ask(it)).substitute == Substitute("regular", "unavailable")
            assert (await ask(it, "regular")).substitute is None
            assert (it.failures, it.restarts) == (0, losses)

    run(story())


def test_without_the_compiler_nobody_tries_and_its_levels_are_unavailable(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(bulk, "available", lambda: False)
    house = WorkerPool(patience=HANG)

    async def story() -> None:
        async with opened(house):
            assert (await ask(house)).substitute == Substitute("regular", "unavailable")

    run(story())
    assert house.search.levels == ("rookie", "casual", "regular")
    assert ("search-unavailable", "not-installed", None) in events(caplog)


# ---------------------------------------------------------------- other reasons
def test_a_search_that_waited_too_long_is_answered_by_another_who_says_so(caplog: pytest.LogCaptureFixture) -> None:
    """However many: one line of the log a second."""
    caplog.set_level(logging.INFO)

    async def story() -> None:
        async with thoughtful(10 * PATIENCE) as (house, thoughts):
            (await thoughts.next_load()).go_on()
            await eventually(lambda: house.search.state == "ready")
            steered_loop().stop_clock()
            slow = [asyncio.create_task(house.ask(desk(level="waits", name=f"s{n}").question())) for n in range(2)]
            first = await thoughts.next()  # and the other one is in flight behind it
            late = [asyncio.create_task(ask(house)) for _ in range(4)]
            await asyncio.sleep(0)
            steered_loop().advance(LONGEST_WAIT + 0.1)
            first.go_on()
            (await thoughts.next()).go_on()
            answers = await asyncio.gather(*late)
            assert [answer.substitute for answer in answers] == [Substitute("regular", "busy")] * 4
            assert [(await each).substitute for each in slow] == [None] * 2
            assert dict(house.substituted) == {"busy": 4}
            steered_loop().advance(1.0)
            house._substitutions.note("busy")

    run(story())
    assert [line for line in events(caplog) if line[0] == "bot-substituted"] == [
        ("bot-substituted", "busy", 1),
        ("bot-substituted", "busy", 4),
    ]


@pytest.mark.parametrize("level", ["broken", "cheat"])
def test_a_bot_that_finds_no_move_has_failed(level: str) -> None:
    async def story() -> None:
        async with opened(OddHouse(patience=HANG)) as house:
            question = desk(level=level).question()
            assert await house.ask(question) == BotAnswer(need(question), Substitute(None, "failed"))

    run(story())


def test_where_no_process_runs_that_is_the_reason_and_no_fault_of_a_bot() -> None:
    house = WorkerPool(patience=HANG)
    question = desk().question()
    assert run(house.ask(question)) == BotAnswer(need(question), Substitute(None, "down"))
