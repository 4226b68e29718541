"""Files that are new, of another version, or broken: given the schema, or refused in a sentence."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from flipdeck.server.journal import Damaged, Unavailable
from flipdeck.server.journal.database_file import database
from flipdeck.server.journal.schema import VERSION, prepare, version_of
from flipdeck.server.journal.sqlite import SqliteJournal

HOUR = 3600.0


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "tables.sqlite3"


def test_a_new_file_gets_the_schema_once(path: Path) -> None:
    with database(path) as db:
        assert version_of(db) == VERSION
        db.execute("INSERT INTO tables VALUES ('AAAA', 1, NULL, 0, 0, 0)")
        prepare(db)
        assert db.execute("SELECT code FROM tables").fetchall() == [("AAAA",)]


def test_a_schema_that_can_not_be_created_leaves_nothing_behind(path: Path) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE counters (of_somebody_else)")
        with pytest.raises(sqlite3.OperationalError):
            prepare(db)
        assert version_of(db) == 0
        assert not db.in_transaction
        assert db.execute("SELECT name FROM sqlite_master").fetchall() == [("counters",)]


def refused(path: Path) -> str:
    with pytest.raises(Unavailable) as told:
        asyncio.run(SqliteJournal(path).open())
    return str(told.value)


@pytest.mark.parametrize("version", [2, VERSION + 1, 99])
def test_tables_of_another_version_are_left_alone(path: Path, version: int) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE tables (code, of_another_time)")
        db.execute(f"PRAGMA user_version = {version}")
        db.commit()
    before = path.read_bytes()
    assert refused(path) == (
        f"The tables were written by another version of Flipdeck (schema {version}, this one reads {VERSION}): "
        "use that version, or another folder."
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
            with pytest.raises(Damaged, match="What is stored of T0 is damaged"):
                await ask
        await journal.check()
        await journal.close()

    asyncio.run(story())
    damage(path, "tables")
    assert refused(path) == f"The tables in {path} can't be opened: database disk image is malformed."
