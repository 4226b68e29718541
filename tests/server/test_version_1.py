"""A database from before the rules of version 2: its tables and matches are refused in a sentence, all else works.

``version_1.sql`` is what the last server of version 1 wrote.
"""

from __future__ import annotations

import asyncio
import random
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from flipdeck.core.record import parse
from flipdeck.server.journal.schema import VERSION, version_of
from flipdeck.server.journal.sqlite import SqliteJournal
from flipdeck.server.table import entries
from flipdeck.server.table.entries import replay
from flipdeck.wire.parts import Settings
from tests.server.running import Running, play, run, running
from tests.server.test_routes import failure

WRITTEN = (Path(__file__).parent / "version_1.sql").read_text(encoding="utf-8")
TABLES = ("RVNN1NG1", "WA1T1NG1", "F1N1SHED")
TOKENS = ("secretsecretsecretsec2", "secretsecretsecretsec3", None)
REPLAY = "f" * 26
OLD_TABLE = "This table was made for an earlier version of the rules, and can't be played on: make a new one."
OLD_REPLAY = "This match was played by an earlier version of the rules, which this server can't replay."
DAY = 24 * 3600.0


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The database."""
    path = tmp_path / "tables.sqlite3"
    with closing(sqlite3.connect(path)) as db:
        db.executescript(WRITTEN)
    return path


def rows(path: Path) -> dict[str, list[Any]]:
    """What is kept of version 1."""
    with closing(sqlite3.connect(path)) as db:
        return {
            "tables": db.execute("SELECT code, touched FROM tables WHERE code IN (?, ?, ?)", TABLES).fetchall(),
            "entries": db.execute(
                "SELECT code, seq, body FROM entries WHERE code IN (?, ?, ?) ORDER BY code, seq", TABLES
            ).fetchall(),
            "clocks": db.execute("SELECT code, seq, left_ms FROM clocks WHERE code IN (?, ?, ?)", TABLES).fetchall(),
            "replays": db.execute("SELECT name, record FROM replays WHERE name = ?", (REPLAY,)).fetchall(),
        }


def told(path: Path, story: Callable[[Running], Any], **settings: Any) -> None:
    async def whole() -> None:
        async with running(SqliteJournal(path), messages_per_second=100_000, **settings) as server:
            await story(server)

    run(whole())


def test_a_table_of_version_1_is_refused_at_every_door_and_nothing_of_it_changes(path: Path) -> None:
    before = rows(path)
    assert [len(kept) for kept in before.values()] == [3, 14, 1, 1]

    async def story(server: Running) -> None:
        for code in TABLES * 5:  # whoever asks often has not guessed
            asked = await server.http.get(f"/api/tables/{code}")
            assert (*failure(asked), asked.json()["message"]) == (410, "old-table", "old-table", OLD_TABLE)
            assert failure(await server.http.get(f"/api/tables/{code}/invite.svg"))[:2] == (410, "old-table")
            joined = await server.http.post(f"/api/tables/{code}/seats", json={"name": "Cleo"})
            assert failure(joined)[:2] == (410, "old-table")
        for token in TOKENS:
            client = await server.connect()
            await client.send("hello", protocol=1, table="RVNN-1NG1", token=token, have=6)
            refused = await client.until("refused")
            assert (refused["code"], refused["message"]) == ("old-table", OLD_TABLE)
            assert await client.end() == (None, 1008), "a client does not come back by itself"
        assert not server.app.lobby.tables

    told(path, story)
    assert rows(path) == before


@pytest.mark.parametrize("asked", ["", "/match", "/rounds/1", "/rounds/1?seat=0"])
def test_a_replay_of_version_1_is_refused_and_not_replayed_otherwise(path: Path, asked: str) -> None:
    async def story(server: Running) -> None:
        for _ in range(12):
            answer = await server.http.get(f"/api/replays/{REPLAY}{asked}")
            assert (*failure(answer), answer.json()["message"]) == (410, "old-replay", "old-replay", OLD_REPLAY)

    told(path, story)


def test_beside_them_new_tables_are_played_kept_and_shown(path: Path) -> None:
    codes: list[str] = []

    async def play_a_match(server: Running) -> None:
        assert (await server.http.get("/health")).status_code == 200
        code, _, clients = await server.seated(2, options={"hand_size": 2, "scoring": "quick"})
        codes.append(code)
        while clients[0].table["phase"] != "over":
            await play(clients, 1, random.Random(1))
            await clients[0].up_to(server.table(code).state.version)
        name = clients[0].table["replay"]
        assert parse((await server.http.get(f"/api/replays/{name}")).text).over
        assert (await server.http.get(f"/api/replays/{name}/rounds/1?seat=0")).status_code == 200

    async def come_back(server: Running) -> None:
        assert (await server.http.get(f"/api/tables/{codes[0]}")).json()["phase"] == "over"
        assert failure(await server.http.get(f"/api/tables/{TABLES[0]}"))[:2] == (410, "old-table")

    told(path, play_a_match)
    told(path, come_back)


def test_what_is_pruned_by_its_age_is_version_1_too_though_somebody_has_looked_at_it(path: Path) -> None:
    async def look(server: Running) -> None:
        assert failure(await server.http.get(f"/api/tables/{TABLES[0]}"))[:2] == (410, "old-table")

    told(path, look)  # from now on its age is counted, and it is at most a day older than when it was last used

    async def prune(now: float) -> int:
        journal = SqliteJournal(path, now=lambda: now, long_pause="count")
        await journal.open()
        try:
            return await journal.prune(30 * DAY)
        finally:
            await journal.close()

    assert asyncio.run(prune(time.time() + 28 * DAY)) == 0
    assert asyncio.run(prune(time.time() + 31 * DAY)) == 4
    assert not any(rows(path).values())


def test_the_file_is_then_one_that_a_server_of_version_1_refuses(path: Path) -> None:
    """It would replay the new tables by its own rules."""

    async def look(server: Running) -> None:
        await server.make()

    told(path, look)
    with closing(sqlite3.connect(path)) as db:
        assert version_of(db) == VERSION > 3


# ---------------------------------------------------------------- the versions of a journal
def test_a_table_says_its_version_in_its_first_entry() -> None:
    made = entries.Made(code="T", settings=Settings(), seed="17" * 32, replay="first")
    body = entries.encode(made)
    assert entries.version_of(body) == entries.VERSION == 2
    assert entries.decode(body) == made


@pytest.mark.parametrize("code", TABLES)
def test_a_first_entry_without_a_version_is_of_version_1(path: Path, code: str) -> None:
    bodies = [body for at, _, body in rows(path)["entries"] if at == code]
    assert entries.version_of(bodies[0]) == 1


def test_by_the_rules_of_version_2_a_journal_of_version_1_would_be_another_match(path: Path) -> None:
    """The check is needed: two draws in a row were two turns, and would now be a draw and nothing that can be said."""
    bodies = [body for at, _, body in rows(path)["entries"] if at == TABLES[0]]
    state = replay(bodies[:-1])
    assert state.match is not None
    assert state.match.to_act == 0, "it was the turn of seat 1"
