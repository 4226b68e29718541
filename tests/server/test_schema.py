"""Files that are new, of another version, or broken: given the schema, or refused in a sentence."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from flipdeck.server.journal import Damaged, Renewal, Unavailable
from flipdeck.server.journal.database_file import database
from flipdeck.server.journal.replay_rows import find_replay
from flipdeck.server.journal.schema import VERSION, prepare, version_of
from flipdeck.server.journal.shortening import entries_after, first_of
from flipdeck.server.journal.sqlite import SqliteJournal
from tests.server.running import run, running

from .damaging import overwrite_root_page
from .journals import claim

HOUR = 3600.0
OLD = [
    (Path(__file__).parent / f"version_{name}.sql").read_text(encoding="utf-8") for name in (1, 4)
]  # schemas 3 and 4
OLD_COLUMNS = {
    "tables": "code, epoch, touched",
    "entries": "code, seq, body",
    "clocks": "code, seq, left_ms",
    "replays": "name, record, names, levels, touched",
    "snapshots": "code, seq, body",
    "compactions": "code, seq",
    "counters": "name, value",
}


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


def test_damage_within_the_file_is_told_to_whom_it_concerns(path: Path) -> None:
    async def story() -> None:
        journal = SqliteJournal(path)
        await journal.open()
        await journal.append("T0", await claim(journal, "T0", "one", HOUR), 1, b"")
        await journal.close()
        overwrite_root_page(path, "entries")
        await journal.open()
        epoch = await claim(journal, "NEW", "one", HOUR)
        asked: list[Awaitable[object]] = [journal.claim("T0", "one"), journal.load("T0"), journal.take_up("T0", "one")]
        asked += [journal.renew("one", HOUR), journal.check()]  # with the others in one transaction
        asked.append(journal.append("NEW", epoch, 1, b""))
        *damaged, wanted, checked, _ = await asyncio.gather(*asked, return_exceptions=True)
        assert [str(each) for each in damaged if isinstance(each, Damaged)] == ["What is stored of T0 is damaged."] * 3
        assert isinstance(wanted, Renewal)
        assert (wanted.wanted, checked) == ([], None)
        await journal.close()

    asyncio.run(story())
    overwrite_root_page(path, "tables")
    assert refused(path) == f"The tables in {path} can't be opened: database disk image is malformed."


# ---------------------------------------------------------------- from one version to the next
def rows(path: Path, there: set[str]) -> dict[str, list[Any]]:
    """What an older server could read."""
    with closing(sqlite3.connect(path)) as db:
        return {
            table: db.execute(f"SELECT {columns} FROM {table} ORDER BY 1, 2").fetchall()  # noqa: S608
            for table, columns in OLD_COLUMNS.items()
            if table in there
        }


def write_old(path: Path, written: str) -> set[str]:
    """An old file, and the tables that are in it."""
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as db:
        db.executescript(written)
        return {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()}


@pytest.mark.parametrize("written", OLD, ids=["schema 3", "schema 4"])
def test_an_older_file_is_taken_over_with_all_that_is_in_it(path: Path, written: str) -> None:
    there = write_old(path, written)
    before = rows(path, there)
    for _ in range(2):
        with database(path) as db:
            assert version_of(db) == VERSION
            for code, _, _ in before["tables"]:
                last = before["entries"] and max(seq for at, seq, _ in before["entries"] if at == code)
                assert db.execute("SELECT newest FROM tables WHERE code = ?", (code,)).fetchone() == (last,)
                counted = [body for at, seq, body in before["entries"] if at == code and seq >= first_of(db, code)]
                assert entries_after(db, code, 0) == counted
            for name, record, *_ in before["replays"]:
                found = find_replay(db, name)
                assert found is not None
                assert found.record == record
        assert rows(path, there) == before


@pytest.mark.parametrize("written", OLD, ids=["schema 3", "schema 4"])
def test_an_older_file_that_can_not_be_taken_over_stays_as_it_was(path: Path, written: str) -> None:
    write_old(path, written)
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TRIGGER never BEFORE UPDATE ON replays BEGIN SELECT raise(ABORT, 'never'); END")
        db.commit()
        before = list(db.iterdump())
        version = version_of(db)
    assert refused(path) == f"The tables in {path} can't be opened: never."
    with closing(sqlite3.connect(path)) as db:
        assert list(db.iterdump()) == before
        assert version_of(db) == version < VERSION
        db.execute("DROP TRIGGER never")
    with database(path) as db:
        assert version_of(db) == VERSION


def test_tables_of_schema_4_are_played_on(path: Path) -> None:
    write_old(path, OLD[1])

    async def story() -> None:
        async with running(SqliteJournal(path)) as server:
            for code, version in (("P1AY1NG1", 24), ("C0MPACT1", 133)):
                looking = await server.greet(code)
                assert (looking.version, looking.table["phase"]) == (version, "playing")

    run(story())
