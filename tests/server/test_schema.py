"""Files of older, newer and broken kinds: brought up to date, or refused in a sentence."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from flipdeck.server.journal import Unavailable
from flipdeck.server.journal.schema import FIRST, MIGRATIONS, NAMES_OF_REPLAYS, migrate, version_of
from flipdeck.server.journal.sqlite import SqliteJournal, database

HOUR = 3600.0


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "tables.sqlite3"


def test_an_empty_file_and_an_older_schema_are_brought_up_to_date(path: Path) -> None:
    with database(path) as db:
        assert version_of(db) == len(MIGRATIONS)
        migrate(db)
        db.execute("INSERT INTO tables VALUES ('AAAA', 1, NULL, 0, 0)")
        db.execute("INSERT INTO entries VALUES ('AAAA', 1, x'01')")
        named, more = "ALTER TABLE tables ADD COLUMN name TEXT;", "CREATE TABLE more (a); CREATE INDEX i ON more (a);"
        migrate(db, (*MIGRATIONS, named, more))
        assert version_of(db) == len(MIGRATIONS) + 2
        assert db.execute("SELECT code, name, body FROM tables JOIN entries USING (code)").fetchall() == [
            ("AAAA", None, b"\x01")
        ]


def test_a_migration_that_fails_leaves_the_old_schema(path: Path) -> None:
    with database(path) as db:
        with pytest.raises(sqlite3.OperationalError):
            migrate(db, (*MIGRATIONS, "CREATE TABLE more (a);", "INSERT INTO nowhere VALUES (1);"))
        assert version_of(db) == len(MIGRATIONS)
        assert not db.in_transaction
        assert db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'more'").fetchone() == (0,)


def test_the_first_schema_is_as_it_was_when_the_first_tables_were_kept_in_it() -> None:
    with closing(sqlite3.connect(":memory:")) as db:
        migrate(db, (FIRST,))
        columns = {
            table: [column[1] for column in db.execute(f"PRAGMA table_info({table})")]
            for (table,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        }
    assert columns == {
        "tables": ["code", "epoch", "owner", "lease_until", "touched"],
        "entries": ["code", "seq", "body"],
        "clocks": ["code", "seq", "left_ms"],
        "replays": ["name", "record", "touched"],
        "counters": ["name", "value"],
    }


def test_replays_that_were_kept_without_names_are_still_there(path: Path) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as db:
        migrate(db, (FIRST,))
        db.execute("INSERT INTO replays VALUES ('r1', 'the record', 0)")
        db.commit()

    async def story() -> None:
        journal = SqliteJournal(path)
        await journal.open()
        assert (await journal.replay("r1"), await journal.replay_players("r1")) == ("the record", [])
        await journal.close()

    asyncio.run(story())


def test_replays_that_were_kept_without_levels_are_of_people(path: Path) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as db:
        migrate(db, (FIRST, NAMES_OF_REPLAYS))
        db.execute("""INSERT INTO replays VALUES ('r1', 'the record', 0, '["Ana", "Ben"]')""")
        db.commit()

    async def story() -> None:
        journal = SqliteJournal(path)
        await journal.open()
        assert await journal.replay_players("r1") == [("Ana", None), ("Ben", None)]
        await journal.close()

    asyncio.run(story())


def refused(path: Path) -> str:
    with pytest.raises(Unavailable) as told:
        asyncio.run(SqliteJournal(path).open())
    return str(told.value)


def test_tables_of_a_newer_flipdeck_are_left_alone(path: Path) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE tables (code, of_the_future)")
        db.execute("PRAGMA user_version = 99")
        db.commit()
    before = path.read_bytes()
    known = len(MIGRATIONS)
    assert (
        refused(path) == f"The tables were written by a newer Flipdeck (schema 99, this one knows {known}): update it."
    )
    assert path.read_bytes() == before


def test_a_file_that_is_no_database_and_a_place_that_is_none_are_refused_in_a_sentence(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"not a database, whatever it is " * 100)
    assert refused(path) == f"The tables in {path} can't be opened: file is not a database."
    assert refused(path.parent) == f"The tables in {path.parent} can't be opened: unable to open database file."
    assert refused(path / "below" / "x").startswith(f"The tables in {path / 'below' / 'x'} can't be opened: ")


def damage(path: Path, table: str) -> None:
    with closing(sqlite3.connect(path)) as db:
        (page,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()
        (size,) = db.execute("PRAGMA page_size").fetchone()
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)


def test_damage_within_the_file_is_told_to_whom_it_concerns(path: Path) -> None:
    async def story() -> None:
        journal = SqliteJournal(path)
        await journal.open()
        await journal.append("T0", await journal.claim("T0", "one", HOUR), 1, b"")
        await journal.close()
        damage(path, "entries")
        await journal.open()
        epoch = await journal.claim("T0", "one", HOUR)
        for ask in (journal.load("T0"), journal.append("T0", epoch, 2, b"")):
            with pytest.raises(Unavailable, match="malformed"):
                await ask
        await journal.check()
        await journal.close()

    asyncio.run(story())
    damage(path, "tables")
    assert refused(path) == f"The tables in {path} can't be opened: database disk image is malformed."
