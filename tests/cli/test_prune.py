"""``flipdeck prune``: what is old is forgotten, and what can't be done is said in a sentence."""

from __future__ import annotations

import argparse
import asyncio
import sqlite3
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

import pytest

from flipdeck.cli import OK, CommandError, prune
from flipdeck.server.journal import StoredReplay
from flipdeck.server.journal.sqlite import SqliteJournal
from flipdeck.server.paths import database_in
from tests.server.journals import claim

DAY = 24 * 3600


def run(*arguments: str) -> int:
    parser = argparse.ArgumentParser()
    prune.add_arguments(parser)
    return prune.run(parser.parse_args(arguments))


def refused(*arguments: str) -> str:
    with pytest.raises(CommandError) as told:
        run(*arguments)
    return str(told.value)


def with_journal(folder: Path, story: Callable[[SqliteJournal], Awaitable[None]], days_ago: int = 0) -> None:
    async def whole() -> None:
        journal = SqliteJournal(database_in(folder), now=lambda: time.time() - days_ago * DAY, long_pause="count")
        await journal.open()
        try:
            await story(journal)
        finally:
            await journal.close()

    asyncio.run(whole())


def keep(folder: Path, table: str, days_ago: int) -> None:
    async def story(journal: SqliteJournal) -> None:
        over = StoredReplay(f"replay of {table}", "record")
        await journal.append(table, await claim(journal, table, f"server of {table}"), 1, b"over", over)

    with_journal(folder, story, days_ago)


def tables(folder: Path, days_ago: int = 0) -> set[str]:
    found: set[str] = set()

    async def story(journal: SqliteJournal) -> None:
        found.update({table for table in ("OLD", "NEW") if await journal.first(table) is not None})
        found.update({name for name in ("replay of OLD", "replay of NEW") if await journal.replay(name)})

    with_journal(folder, story, days_ago)
    return found


def test_what_is_older_is_forgotten_and_the_rest_stays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    keep(tmp_path, "OLD", days_ago=31)
    keep(tmp_path, "NEW", days_ago=29)
    assert run("--older", "30d", "--data", str(tmp_path), "--trust-clock") == OK
    assert capsys.readouterr().out == "Tables and replays deleted: 2.\n"
    assert tables(tmp_path) == {"NEW", "replay of NEW"}
    assert run("--older", "30d", "--data", str(tmp_path)) == OK
    assert capsys.readouterr().out == "Tables and replays deleted: 0.\n"


def test_a_pause_that_may_be_a_clock_set_wrong_is_counted_only_when_somebody_says_that_it_is_right(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep(tmp_path, "OLD", days_ago=43)
    keep(tmp_path, "NEW", days_ago=40)
    everything = {"OLD", "NEW", "replay of OLD", "replay of NEW"}
    for _ in range(3):  # a refusal does not wear off
        assert refused("--older", "30d", "--data", str(tmp_path)) == (
            "By the clock of this computer no server has run here for 40 days. If that is right, add --trust-clock. "
            "Nothing was deleted."
        )
    assert tables(tmp_path, days_ago=40) == everything
    assert run("--older", "42d", "--data", str(tmp_path), "--trust-clock") == OK
    assert capsys.readouterr().out == "Tables and replays deleted: 2.\n"
    assert tables(tmp_path) == {"NEW", "replay of NEW"}


def test_without_a_folder_it_is_the_servers_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FLIPDECK_DATA", str(tmp_path))
    keep(tmp_path, "OLD", days_ago=2)
    assert run("--older", "25h", "--trust-clock") == OK
    assert capsys.readouterr().out == "Tables and replays deleted: 2.\n"
    assert tables(tmp_path) == set()


@pytest.mark.parametrize(("text", "seconds"), [("12h", 43_200), ("1d", 86_400), ("030d", 30 * DAY), ("8w", 56 * DAY)])
def test_ages_are_hours_days_and_weeks(text: str, seconds: int) -> None:
    assert prune.age(text) == seconds


@pytest.mark.parametrize("text", ["", "30", "d", "0d", "-3d", "1.5d", "3 d", "30D", "2y", "٣d", "9999999d", "30d\n"])
def test_another_age_is_refused_in_a_sentence(text: str, tmp_path: Path) -> None:
    assert refused(f"--older={text}", "--data", str(tmp_path)) == (
        f"--older is a number of hours, days or weeks such as 12h, 30d or 8w, not {text!r}."
    )


def test_a_folder_without_tables_is_left_as_it_is(tmp_path: Path) -> None:
    assert refused("--older", "1d", "--data", str(tmp_path)) == f"There are no tables in {tmp_path}."
    assert refused("--older", "1d", "--data", str(tmp_path / "none")) == f"There are no tables in {tmp_path / 'none'}."
    assert list(tmp_path.iterdir()) == []


def test_the_folder_of_a_running_server_is_left_to_it(tmp_path: Path) -> None:
    keep(tmp_path, "OLD", days_ago=31)

    async def story(journal: SqliteJournal) -> None:
        told = await asyncio.to_thread(refused, "--older", "30d", "--data", str(tmp_path))
        assert told == f"A Flipdeck server is using the folder {tmp_path} already."
        assert await journal.first("OLD") is not None

    with_journal(tmp_path, story)


def test_tables_of_another_version_are_not_touched(tmp_path: Path) -> None:
    keep(tmp_path, "OLD", days_ago=31)
    with closing(sqlite3.connect(database_in(tmp_path))) as db:
        db.execute("PRAGMA user_version = 99")
    assert "another version of Flipdeck" in refused("--older", "30d", "--data", str(tmp_path))
