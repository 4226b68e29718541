"""A folder is copied into a database and back: everything is there, and as old as it was."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from flipdeck import cli
from flipdeck.server.journal import Clock, Damaged, Journal, ReplayPlayer, StoredBan, StoredReplay, StoredSnapshot
from flipdeck.server.journal.copying import COLUMNS
from flipdeck.server.journal.postgres import PostgresJournal
from flipdeck.server.journal.sqlite import SqliteJournal
from flipdeck.server.paths import database_in, key_in

from .damaging import flip_stored
from .databases import postgres
from .journals import HOUR, bodies, body, claim, write


async def fill(journal: Journal) -> int:
    await journal.open()
    epoch = await write(journal, "AAAA", 12)
    over = StoredReplay("r1", "the record – ñ", [ReplayPlayer("Ñandú"), ReplayPlayer("Bot", "sharp")])
    await journal.append("AAAA", epoch, 13, body("AAAA", 13), over)
    await journal.keep_snapshot("AAAA", epoch, StoredSnapshot(9, b"as of 9"))
    await journal.note_clocks("one", {"AAAA": Clock(13, 4321)})
    short = await write(journal, "AAAB", 6)
    await journal.compact("AAAB", short, 4, b"all of it")
    await journal.keep_out(StoredBan("key", HOUR, "why"))
    await journal.end_lease("one")
    await journal.close()
    return epoch


async def check(journal: Journal, epoch: int) -> None:
    await journal.open()
    assert await journal.load("AAAA") == bodies("AAAA", 13)
    assert await journal.load("AAAB") == [b"all of it", *bodies("AAAB", 6)[4:]]
    assert await journal.clock("AAAA") == Clock(13, 4321)
    assert await journal.replay("r1") == "the record – ñ"
    assert await journal.replay_players("r1") == [ReplayPlayer("Ñandú"), ReplayPlayer("Bot", "sharp")]
    (ban,) = await journal.kept_out()
    assert (ban.key, ban.why) == ("key", "why")
    assert HOUR - 600 < ban.seconds <= HOUR
    assert await journal.prune(600) == 0
    assert await claim(journal, "AAAA") > epoch
    taken = await journal.take_up("AAAA", "one")
    assert taken is not None
    assert taken.snapshot == StoredSnapshot(9, b"as of 9")
    await journal.end_lease("one")
    await journal.close()


def copy(*ends: str) -> int:
    return cli.main(["journal", "copy", *ends])


def test_a_folder_goes_into_a_database_and_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    url = postgres().url(postgres().new())
    epoch = asyncio.run(fill(SqliteJournal(database_in(first))))
    assert copy(str(first), url) == 0
    assert capsys.readouterr().out == "Copied: 2 tables with 16 entries, 1 replays.\n"
    asyncio.run(check(PostgresJournal(url), epoch))
    assert copy(url, str(second)) == 0
    asyncio.run(check(SqliteJournal(database_in(second)), epoch))


def test_the_key_goes_with_the_bans_and_one_that_is_there_stays(tmp_path: Path) -> None:
    first, second, third = tmp_path / "first", tmp_path / "second", tmp_path / "third"
    url = postgres().url(postgres().new())
    asyncio.run(fill(SqliteJournal(database_in(first))))
    key_in(first).write_bytes(b"k" * 32)
    assert copy(str(first), url) == 0
    third.mkdir()
    key_in(third).write_bytes(b"t" * 32)
    for folder, key in ((second, b"k"), (third, b"t")):
        assert copy(url, str(folder)) == 0
        assert key_in(folder).read_bytes() == key * 32


def test_what_is_damaged_is_damaged_there_too(tmp_path: Path) -> None:
    url = postgres().url(postgres().new())
    asyncio.run(fill(SqliteJournal(database_in(tmp_path))))
    flip_stored(database_in(tmp_path), "entries", "body", "code = 'AAAA' AND seq = 5")
    assert copy(str(tmp_path), url) == 0

    async def look() -> None:
        journal = PostgresJournal(url)
        await journal.open()
        with pytest.raises(Damaged):
            await journal.load("AAAA")
        await journal.close()

    asyncio.run(look())


def test_a_copy_is_refused_in_a_sentence_and_changes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url = postgres().url(postgres().new())
    asyncio.run(fill(SqliteJournal(database_in(tmp_path))))

    def refused(*ends: str) -> str:
        assert copy(*ends) == 2
        told = capsys.readouterr().err
        assert told.count("\n") == 1
        return told.removeprefix("flipdeck journal: ").strip()

    assert refused(str(tmp_path / "none"), url) == f"There are no tables in {tmp_path / 'none'}."
    assert refused(str(tmp_path), "mysql://x:secret@y").startswith("A database is given as postgresql://")
    assert refused(url, url) == "FROM and TO are the same."
    assert refused(str(tmp_path), "postgresql://x:secret@127.0.0.1:1/y").startswith("The database can't be opened: ")
    assert copy(str(tmp_path), url) == 0
    capsys.readouterr()
    assert refused(str(tmp_path), url).startswith("There are tables already where they are to be copied to")
    assert refused(url, str(tmp_path)).startswith("There are tables already where they are to be copied to")

    async def while_it_runs() -> None:
        journal = PostgresJournal(url)
        await journal.open()
        await journal.begin_lease("one", HOUR)
        await journal.close()

    asyncio.run(while_it_runs())
    assert refused(url, str(tmp_path / "x")) == "A Flipdeck server is using the database; stop it first."


def test_every_table_of_the_schema_is_copied_or_is_about_servers_alone(tmp_path: Path) -> None:
    asyncio.run(fill(SqliteJournal(database_in(tmp_path))))
    with closing(sqlite3.connect(database_in(tmp_path))) as db:
        there = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()}
    assert there == {*COLUMNS, "nodes", "counters", "age_clock"}
