"""However long a table is, whoever commits at another one waits for a page of it at most, and what is read is whole."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from flipdeck.server.journal import Damaged, Fenced, Journal, StoredSnapshot, paging
from flipdeck.server.journal.memory import MemoryJournal
from flipdeck.server.journal.paging import EntryPage, read_in_pages
from flipdeck.server.journal.sqlite import SqliteJournal

from .damaging import flip_entry, rot_unseen
from .databases import postgres
from .journals import Tell, WallClock, bodies, body, claim, tell, write
from .steered import run

__all__ = ["rot_unseen", "tell"]
ReadTable = Callable[[Journal], Awaitable[list[bytes]]]


@pytest.fixture(autouse=True)
def short_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paging, "MOST_ROWS", 5)


async def load(journal: Journal) -> list[bytes]:
    return await journal.load("AAAA")


async def take_up(journal: Journal) -> list[bytes]:
    taken = await journal.take_up("AAAA", "one")
    assert taken is not None
    return taken.entries


reading = pytest.mark.parametrize("read", [load, take_up], ids=lambda read: read.__name__)


@reading
@pytest.mark.parametrize("count", [4, 5, 6, 9, 10, 11, 23])
def test_all_entries_are_read_whether_or_not_the_last_page_is_full(tell: Tell, read: ReadTable, count: int) -> None:
    async def story(journal: Journal, _: WallClock) -> None:
        await write(journal, "AAAA", count)
        assert await read(journal) == bodies("AAAA", count)
        assert await journal.load("AAAA", 3) == bodies("AAAA", count)[3:]

    tell(story)


def in_turn(journal: Journal) -> bool:
    """Whether all that is written and read waits in one line; entries of PostgreSQL have a connection of their own."""
    return isinstance(journal, SqliteJournal) or (isinstance(journal, MemoryJournal) and journal._delay is None)


@reading
def test_what_others_append_is_committed_between_the_pages_of_a_long_table(tell: Tell, read: ReadTable) -> None:
    async def story(journal: Journal, _: WallClock) -> None:
        await write(journal, "AAAA", 60)
        epoch, done = await claim(journal, "BBBB"), 0
        whole = asyncio.ensure_future(read(journal))
        await asyncio.sleep(0)
        while not whole.done():
            await journal.append("BBBB", epoch, done + 1, body("BBBB", done + 1))
            done += 1
            await asyncio.sleep(0)
        assert await whole == bodies("AAAA", 60)
        assert done >= 3 or not in_turn(journal), "they waited for all of it"

    tell(story)


@reading
def test_a_table_that_is_compacted_between_two_pages_is_read_as_before_or_as_after(tell: Tell, read: ReadTable) -> None:
    async def story(journal: Journal, _: WallClock) -> None:
        epoch = await write(journal, "AAAA", 60)
        other = await claim(journal, "BBBB")
        whole = asyncio.ensure_future(read(journal))
        await asyncio.sleep(0)
        await journal.append("BBBB", other, 1, body("BBBB", 1))
        with contextlib.suppress(Fenced):  # it was claimed before
            await journal.compact("AAAA", epoch, 50, b"compacted")
        after = [b"compacted", *bodies("AAAA", 60)[50:]]
        found = await whole
        assert found == after or (not in_turn(journal) and found == bodies("AAAA", 60))

    tell(story)


@reading
def test_damage_on_a_later_page_names_its_entry_and_nothing_is_claimed_by_it(tell: Tell, read: ReadTable) -> None:
    async def story(journal: Journal, _: WallClock) -> None:
        epoch = await write(journal, "AAAA", 23)
        flip_entry(journal, "AAAA", 18)
        with pytest.raises(Damaged) as found:
            await read(journal)
        assert found.value.seq == 18
        await journal.append("AAAA", epoch, 24, body("AAAA", 24))

    tell(story)


def test_a_snapshot_after_the_damage_of_a_later_page_saves_the_table(tell: Tell) -> None:
    async def story(journal: Journal, _: WallClock) -> None:
        epoch = await write(journal, "AAAA", 23)
        for seq in (2, 19):
            await journal.keep_snapshot("AAAA", epoch, StoredSnapshot(seq, b"as of %d" % seq), 20)
        flip_entry(journal, "AAAA", 18)
        taken = await journal.take_up("AAAA", "one", 20)
        assert taken is not None
        assert (taken.snapshot, taken.entries) == (StoredSnapshot(19, b"as of 19"), bodies("AAAA", 23)[19:])

    tell(story)


def test_a_database_is_asked_for_no_more_than_a_page_at_a_time() -> None:
    from flipdeck.server.journal.postgres import PostgresJournal

    rows: list[int] = []

    class CountingDatabase(PostgresJournal):
        async def _state(self, *about: Any, **named: Any) -> Any:
            found = await super()._state(*about, **named)
            rows.append(len(found["seqs"] or ()) if found else 0)
            return found

    async def story() -> None:
        journal = CountingDatabase(postgres().url(postgres().new()))
        await journal.open()
        await write(journal, "AAAA", 23)
        assert await load(journal) == await take_up(journal) == bodies("AAAA", 23)
        await journal.close()

    run(story())
    assert max(rows) == 5
    assert sum(rows) == 46


def test_pages_with_another_mark_are_not_put_together() -> None:
    async def story() -> None:
        told = iter(
            [
                EntryPage((1, 1), 5, [b"old"] * 5),
                EntryPage((2, 1), 10, [b"other"] * 5),
                EntryPage((2, 1), 5, [b"new"] * 5),
                EntryPage((2, 1), 6, [b"end"]),
            ]
        )
        asked: list[int] = []

        async def read(after: int) -> EntryPage:
            asked.append(after)
            return next(told)

        assert await read_in_pages(read, 0) == ((2, 1), 6, [b"new"] * 5 + [b"end"])
        assert asked == [0, 5, 0, 5]

    run(story())
