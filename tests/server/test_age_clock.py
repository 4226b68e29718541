"""A clock of the system that is set wrong makes nothing older, and nothing younger: forward, backward, at any time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from flipdeck.server.journal import StoredReplay
from flipdeck.server.journal.age_clock import DAY
from flipdeck.server.journal.sqlite import SqliteJournal
from tests.server.running import running

from .damaging import change_stored
from .journals import HOUR, WallClock, body, claim, lease
from .steered import run, steered_loop

AgeStory = Callable[[SqliteJournal], Awaitable[int]]


class TwoClocks:
    """The wall clock of a system, and the one that only goes on."""

    def __init__(self) -> None:
        self.wall, self.steady = WallClock(), WallClock()

    def go_on(self, seconds: float) -> None:
        self.wall.time += seconds
        self.steady.time += seconds

    def jump(self, days: float) -> None:
        self.wall.time += days * DAY

    def restart(self) -> None:
        """A steady clock begins anywhere."""
        self.steady.time = 5.0


def with_server(path: Path, clocks: TwoClocks, story: AgeStory) -> int:
    async def whole() -> int:
        journal = SqliteJournal(path, now=clocks.wall, steady=clocks.steady)
        await journal.open()
        try:
            return await story(journal)
        finally:
            await journal.close()

    return run(whole())


async def use(journal: SqliteJournal) -> int:
    """A table with a match that is over, released at once."""
    epoch = await claim(journal, "AAAA", "one", 30)
    await journal.append("AAAA", epoch, 1, body("AAAA", 1), StoredReplay("r1", "record"))
    await journal.release("AAAA", epoch)
    return 0


async def prune(journal: SqliteJournal) -> int:
    return await journal.prune(30 * DAY)


@pytest.mark.parametrize("jump", [40.0, -40.0, 4000.0])
def test_a_clock_that_jumps_while_the_server_runs_deletes_nothing(tmp_path: Path, jump: float) -> None:
    path, clocks = tmp_path / "tables.sqlite3", TwoClocks()

    async def story(journal: SqliteJournal) -> int:
        await use(journal)
        clocks.go_on(HOUR)
        clocks.jump(jump)
        deleted = await prune(journal)
        clocks.jump(-jump)
        return deleted + await prune(journal)

    assert with_server(path, clocks, story) == 0
    for _ in range(2):
        clocks.restart()
        assert with_server(path, clocks, prune) == 0


@pytest.mark.parametrize("jump", [40.0, -40.0, 4000.0])
def test_a_clock_that_jumps_while_no_server_runs_deletes_nothing_that_was_just_used(
    tmp_path: Path, jump: float
) -> None:
    path, clocks = tmp_path / "tables.sqlite3", TwoClocks()
    with_server(path, clocks, use)
    for _ in range(5):  # there and back again: a day at most each time
        clocks.restart()
        clocks.jump(jump)
        assert with_server(path, clocks, prune) == 0
        clocks.restart()
        clocks.jump(-jump)
        assert with_server(path, clocks, prune) == 0


def test_what_is_really_old_is_deleted_though_the_clock_stands_wrong(tmp_path: Path) -> None:
    path, clocks = tmp_path / "tables.sqlite3", TwoClocks()

    async def story(journal: SqliteJournal) -> int:
        await use(journal)
        clocks.jump(-4000)
        clocks.go_on(29.9 * DAY)
        assert await prune(journal) == 0
        clocks.go_on(0.2 * DAY)
        return await prune(journal)

    assert with_server(path, clocks, story) == 2


def test_restarts_in_between_cost_no_age(tmp_path: Path) -> None:
    path, clocks = tmp_path / "tables.sqlite3", TwoClocks()
    with_server(path, clocks, use)

    async def some_days(journal: SqliteJournal) -> int:
        clocks.go_on(2.7 * DAY)
        await lease(journal)
        return 0

    for pause in range(11):
        with_server(path, clocks, some_days)
        clocks.restart()
        clocks.wall.time += 0.28 * DAY  # stopped for some hours
        assert with_server(path, clocks, prune) == (0 if pause < 10 else 2)


def test_a_server_that_was_killed_goes_on_where_it_renewed_its_leases_last(tmp_path: Path) -> None:
    path, clocks = tmp_path / "tables.sqlite3", TwoClocks()
    with_server(path, clocks, use)

    async def killed(journal: SqliteJournal) -> int:
        clocks.go_on(20 * DAY)
        await lease(journal)
        journal._age_clock.save = lambda db: None  # type: ignore[method-assign]  # noqa: ARG005  # it comes to no other
        return 0

    with_server(path, clocks, killed)
    clocks.restart()

    async def then(journal: SqliteJournal) -> int:
        clocks.go_on(9.9 * DAY)
        assert await prune(journal) == 0
        clocks.go_on(0.2 * DAY)
        return await prune(journal)

    assert with_server(path, clocks, then) == 2


def test_a_damaged_age_clock_begins_with_the_last_use(tmp_path: Path) -> None:
    path, clocks = tmp_path / "tables.sqlite3", TwoClocks()
    with_server(path, clocks, use)
    change_stored(path, "UPDATE age_clock SET age = age + 1e9")
    assert with_server(path, clocks, prune) == 0
    change_stored(path, "UPDATE age_clock SET age = 'old'")
    assert with_server(path, clocks, prune) == 0
    change_stored(path, "DELETE FROM age_clock")
    assert with_server(path, clocks, prune) == 0


def test_a_lease_lasts_as_long_as_it_should_whatever_the_clock_says(tmp_path: Path) -> None:
    path, clocks = tmp_path / "tables.sqlite3", TwoClocks()

    async def story(journal: SqliteJournal) -> int:
        epoch = await claim(journal, "AAAA", "one", HOUR)
        clocks.jump(40)
        await journal.append("AAAA", epoch, 1, body("AAAA", 1))
        assert await journal.prune(0.5 * HOUR) == 0
        clocks.jump(-80)
        clocks.go_on(2 * HOUR)
        assert await claim(journal, "AAAA", "two", HOUR) > epoch
        return 0

    with_server(path, clocks, story)


class Pruning(SqliteJournal):
    """Tells when it has pruned, and how much."""

    pruned: asyncio.Future[int]

    async def prune(self, older_seconds: float) -> int:
        deleted = await super().prune(older_seconds)
        self.pruned.set_result(deleted)
        return deleted


@pytest.mark.parametrize("jump", [40 * DAY, -40 * DAY])
def test_a_server_that_starts_with_a_wrong_clock_keeps_the_tables_in_use_and_those_that_sleep(
    tmp_path: Path, jump: float
) -> None:
    path = tmp_path / "tables.sqlite3"

    async def begin() -> tuple[str, str]:
        async with running(SqliteJournal(path)) as server:
            return (await server.make())["code"], (await server.make())["code"]

    async def start_anew(awake: str, asleep: str) -> None:
        journal = Pruning(path, now=lambda: time.time() + jump)
        journal.pruned = asyncio.get_running_loop().create_future()
        async with running(journal, prune_days=30) as server:
            await server.greet(awake)
            steered_loop().run_clock(10)
            assert await journal.pruned == 0
            assert (await server.http.get(f"/api/tables/{asleep}")).status_code == 200

    run(start_anew(*run(begin())))
