"""Commits of the SQLite journal: nobody is assured too early, what waits shares one, and closing finishes them."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from flipdeck.server.journal import Unavailable
from flipdeck.server.journal.sqlite import SqliteJournal
from flipdeck.server.journal.writer import AFTER_COMMIT, BEFORE_COMMIT, MOST_AT_ONCE
from tests.server import dying

from .journals import claim
from .sqlite_files import Gate, kept, path, run
from .steered import live, steered_loop

__all__ = ["path"]

HOUR = 3600.0


@pytest.mark.parametrize(("step", "there"), [(BEFORE_COMMIT, 0), (AFTER_COMMIT, 1)])
def test_when_a_commit_fails_load_tells_what_is_there_and_the_next_one_works(path: Path, step: str, there: int) -> None:
    failing = False

    def fail(at: str) -> None:
        if failing and at == step:
            raise sqlite3.OperationalError("disk I/O error")

    async def story() -> None:
        nonlocal failing
        journal = SqliteJournal(path, step=fail)
        await journal.open()
        epochs = {table: await claim(journal, table, "one", HOUR) for table in dying.TABLES}
        failing = True
        asked = [journal.append(table, epoch, 1, b"") for table, epoch in epochs.items()]
        for outcome in await asyncio.gather(*asked, return_exceptions=True):
            assert isinstance(outcome, Unavailable)
            assert str(outcome) == "The journal can't write: disk I/O error."
        failing = False
        for table, epoch in epochs.items():
            assert len(await journal.load(table)) == there
            await journal.append(table, epoch, there + 1, b"")
        await journal.close()

    run(story())


@live
async def test_nobody_is_assured_of_an_entry_before_it_is_committed(path: Path) -> None:
    gate = Gate()
    journal = SqliteJournal(path, step=gate)
    await journal.open()
    append = await gate.shut_at(journal, "AAAA", await claim(journal, "AAAA", "one", HOUR))
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as outside:
        seen = "SELECT count(*) FROM entries"
        assert outside.execute(seen).fetchone() == (0,)
        assert not append.done()
        gate.open.set()
        await append
        assert outside.execute(seen).fetchone() == (1,)
    await journal.close()


@live
async def test_what_waits_shares_one_commit(path: Path) -> None:
    gate = Gate()
    journal = SqliteJournal(path, step=gate)
    await journal.open()
    tables = [f"T{number:04}" for number in range(MOST_AT_ONCE + 90)]
    epochs = dict(zip(tables, await asyncio.gather(*(claim(journal, it, "one", HOUR) for it in tables)), strict=True))
    first = await gate.shut_at(journal, tables[0], epochs[tables[0]])
    others = [asyncio.ensure_future(journal.append(it, epochs[it], 1, b"")) for it in tables[1:]]
    await asyncio.sleep(0)
    gate.open.set()
    await asyncio.gather(first, *others)
    assert gate.steps[AFTER_COMMIT] == 3  # the first alone, as many as may, and the rest
    await journal.close()


def test_a_lone_entry_is_written_at_once_and_a_second_one_waits_for_others(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("flipdeck.server.journal.writer.PAUSE_SECONDS", 10.0)

    async def story() -> None:
        gate, clock = Gate(), steered_loop()
        clock.stop_clock()
        journal = SqliteJournal(path, step=gate)
        await journal.open()
        await journal.begin_lease("one", HOUR)
        clock.advance(10.0)
        epochs = dict(
            zip(
                dying.TABLES,
                await asyncio.gather(*(journal.claim(it, "one") for it in dying.TABLES)),
                strict=True,
            )
        )
        clock.advance(10.0)
        gate.steps.clear()
        await journal.append("T0", epochs["T0"], 1, b"")  # at once: no time passes
        assert gate.steps[AFTER_COMMIT] == 1
        others = []
        for table in dying.TABLES[1:]:
            others.append(asyncio.ensure_future(journal.append(table, epochs[table], 1, b"")))
            await asyncio.sleep(0)
            clock.advance(1.0)
        assert gate.steps[AFTER_COMMIT] == 1, "they wait for each other"
        clock.advance(10.0)
        await asyncio.gather(*others)
        assert gate.steps[AFTER_COMMIT] == 2
        await journal.close()

    run(story())


def test_closing_finishes_what_was_begun_also_for_those_who_stopped_waiting(path: Path) -> None:
    async def story() -> None:
        gate = Gate()
        journal = SqliteJournal(path, step=gate)
        await journal.open()
        epochs = {table: await claim(journal, table, "one", HOUR) for table in dying.TABLES}
        first = await gate.shut_at(journal, "T0", epochs["T0"])
        others = {
            table: asyncio.ensure_future(journal.append(table, epochs[table], 1, b"other"))
            for table in dying.TABLES[1:]
        }
        await asyncio.sleep(0)
        others["T3"].cancel()
        closing_down = asyncio.create_task(journal.close())
        await asyncio.sleep(0)
        gate.open.set()
        await closing_down
        assert first.done()
        outcomes = await asyncio.gather(*others.values(), return_exceptions=True)
        assert [type(outcome) for outcome in outcomes].count(asyncio.CancelledError) == 1
        assert outcomes.count(None) == len(others) - 1

    run(story())
    entries = kept(path)
    assert entries.pop("T0") == [b"first"]
    assert set(map(tuple, entries.values())) == {(b"other",)}
