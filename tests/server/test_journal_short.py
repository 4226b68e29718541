"""What every journal promises of snapshots and of entries that were compacted, whatever it writes on."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from flipdeck.server.journal import Fenced, Journal, SequenceConflict, StoredSnapshot, shortening
from flipdeck.server.journal.sqlite import SqliteJournal

from .journals import HOUR, Tell, WallClock, bodies, body, claim, tell, write

__all__ = ["tell"]


async def taken_up(journal: Journal, tail: int) -> tuple[StoredSnapshot | None, list[bytes]]:
    taken = await journal.take_up("AAAA", "one", tail)
    assert taken is not None
    return taken.snapshot, taken.entries


def test_a_table_is_taken_up_from_the_newest_snapshot_with_enough_entries_after_it(tell: Tell) -> None:
    async def story(journal: Journal, _: WallClock) -> None:
        epoch = await write(journal, "AAAA", 10)
        for seq in (3, 6, 9):
            await journal.keep_snapshot("AAAA", epoch, StoredSnapshot(seq, b"as of %d" % seq), 10)
        for tail, seq in ((0, 9), (1, 9), (2, 6), (4, 6), (5, 3), (7, 3)):
            assert await taken_up(journal, tail) == (StoredSnapshot(seq, b"as of %d" % seq), bodies("AAAA", 10)[seq:])
        assert await taken_up(journal, 8) == (None, bodies("AAAA", 10))
        assert await journal.load("AAAA") == bodies("AAAA", 10), "a snapshot is a cache: every entry is there"

    tell(story)


def test_snapshots_that_nobody_would_choose_any_more_are_deleted(tell: Tell) -> None:
    async def story(journal: Journal, _: WallClock) -> None:
        epoch = await write(journal, "AAAA", 10)
        for seq in (3, 6, 9):
            await journal.keep_snapshot("AAAA", epoch, StoredSnapshot(seq, b"old"), 4)
        await journal.keep_snapshot("AAAA", epoch, StoredSnapshot(9, b"new"), 4)
        assert (await taken_up(journal, 0))[0] == StoredSnapshot(9, b"new")
        assert (await taken_up(journal, 4))[0] == StoredSnapshot(6, b"old")
        assert (await taken_up(journal, 5))[0] is None

    tell(story)


def test_compacted_entries_are_one_and_the_numbers_go_on(tell: Tell) -> None:
    async def story(journal: Journal, _: WallClock) -> None:
        epoch = await write(journal, "AAAA", 8)
        await write(journal, "AAAB", 8)
        await journal.keep_snapshot("AAAA", epoch, StoredSnapshot(4, b"before"))
        await journal.keep_snapshot("AAAA", epoch, StoredSnapshot(7, b"after"), 9)
        await journal.compact("AAAA", epoch, 6, b"all of it")
        rest = bodies("AAAA", 8)[6:]
        assert await journal.load("AAAA") == [b"all of it", *rest]
        assert await journal.load("AAAA", after=6) == rest
        assert await journal.first("AAAA") == b"all of it"
        assert await taken_up(journal, 2) == (None, [b"all of it", *rest])
        assert await taken_up(journal, 1) == (StoredSnapshot(7, b"after"), rest[1:])
        taken = await journal.take_up("AAAA", "one")
        assert taken is not None
        for seq in (3, 8):
            with pytest.raises(SequenceConflict):
                await journal.append("AAAA", taken.epoch, seq, b"")
        await journal.append("AAAA", taken.epoch, 9, body("AAAA", 9))
        await journal.compact("AAAA", taken.epoch, 9, b"again")
        assert await journal.load("AAAA") == [b"again"]
        for seq in (5, 10):
            with pytest.raises(SequenceConflict):
                await journal.compact("AAAA", taken.epoch, seq, b"")
        assert await journal.load("AAAB") == bodies("AAAB", 8), "another table is another one"

    tell(story)


def test_an_old_owner_neither_compacts_nor_keeps_snapshots(tell: Tell) -> None:
    async def story(journal: Journal, watch: WallClock) -> None:
        old = await write(journal, "AAAA", 3)
        watch.time += HOUR
        await claim(journal, "AAAA", "two", HOUR)
        with pytest.raises(Fenced):
            await journal.compact("AAAA", old, 3, b"late")
        with pytest.raises(Fenced):
            await journal.keep_snapshot("AAAA", old, StoredSnapshot(3, b"late"))
        assert await journal.load("AAAA") == bodies("AAAA", 3)

    tell(story)


def test_a_server_that_dies_while_compacted_entries_are_deleted_has_compacted_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is left of them does not count, and goes with the next ones."""
    monkeypatch.setattr(shortening, "DELETED_AT_ONCE", 2)
    path = tmp_path / "tables.sqlite3"

    async def story() -> None:
        journal = SqliteJournal(path)
        await journal.open()
        epoch = await write(journal, "AAAA", 9)
        await journal._write(lambda db: shortening.compact(db, "AAAA", 8, b"all of it"))
        await journal._write(lambda db: shortening.delete_compacted(db, "AAAA"))
        assert await journal.load("AAAA") == [b"all of it", body("AAAA", 9)]
        assert await journal.first("AAAA") == b"all of it"
        await journal.compact("AAAA", epoch, 9, b"and more")
        seqs = "SELECT seq FROM entries WHERE code = 'AAAA'"
        left = await journal._open_writer().do(lambda db: db.execute(seqs).fetchall(), writes=False)
        assert left == [(9,)]
        await journal.close()

    asyncio.run(story())
