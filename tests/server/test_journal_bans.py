"""What every journal promises of the operator's bans."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from flipdeck.server.journal import Journal, StoredBan, Unavailable
from flipdeck.server.journal.sqlite import SqliteJournal

from .journals import HOUR, Tell, WallClock, tell
from .steered import live

__all__ = ["tell"]


def test_bans_are_kept_with_the_time_that_is_left_and_end_by_themselves(tell: Tell) -> None:
    async def story(journal: Journal, watch: WallClock) -> None:
        assert await journal.kept_out() == []
        await journal.keep_out(StoredBan("long", 3 * HOUR, "insults – ñ"))
        await journal.keep_out(StoredBan("short", HOUR))
        assert await journal.kept_out() == [StoredBan("short", HOUR), StoredBan("long", 3 * HOUR, "insults – ñ")]
        watch.time += HOUR - 1
        assert [ban.seconds for ban in await journal.kept_out()] == [1, 2 * HOUR + 1]
        watch.time += 1
        assert await journal.kept_out() == [StoredBan("long", 2 * HOUR, "insults – ñ")]
        watch.time += 2 * HOUR
        assert await journal.kept_out() == []

    tell(story)


def test_of_two_bans_of_one_address_the_later_counts(tell: Tell) -> None:
    async def story(journal: Journal, _: WallClock) -> None:
        await journal.keep_out(StoredBan("a", 3 * HOUR, "first"))
        await journal.keep_out(StoredBan("a", HOUR, "second"))
        assert await journal.kept_out() == [StoredBan("a", HOUR, "second")]

    tell(story)


def test_a_ban_is_lifted_alone_and_an_unknown_one_without_harm(tell: Tell) -> None:
    async def story(journal: Journal, _: WallClock) -> None:
        for key in ("a", "b"):
            await journal.keep_out(StoredBan(key, HOUR))
        await journal.let_in("a")
        await journal.let_in("nobody")
        assert await journal.kept_out() == [StoredBan("b", HOUR)]

    tell(story)


def test_bans_outlive_a_restart_and_pruning(tell: Tell) -> None:
    async def story(journal: Journal, watch: WallClock) -> None:
        await journal.keep_out(StoredBan("a", 100 * HOUR, "why"))
        await journal.close()
        with pytest.raises(Unavailable):
            await journal.kept_out()
        with pytest.raises(Unavailable):
            await journal.keep_out(StoredBan("b", HOUR))
        await journal.open()
        watch.time += 50 * HOUR
        await journal.prune(HOUR)
        assert await journal.kept_out() == [StoredBan("a", 50 * HOUR, "why")]

    tell(story)


@live
async def test_bans_that_have_ended_take_no_room_in_the_file(tmp_path: Path) -> None:
    path, watch = tmp_path / "tables.sqlite3", WallClock()
    journal = SqliteJournal(path, now=watch, steady=watch)
    await journal.open()
    for key in "abc":
        await journal.keep_out(StoredBan(key, HOUR))
    watch.time += HOUR
    await journal.keep_out(StoredBan("d", HOUR))
    await journal.close()
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT key FROM bans").fetchall() == [("d",)]
