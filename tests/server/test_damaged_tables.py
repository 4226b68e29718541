"""A damaged entry closes its own table, until an operator has said that what comes after it may be forgotten."""

from __future__ import annotations

import io
import logging
import random
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from websockets import ConnectionClosed

from flipdeck.cli import main
from flipdeck.server import logs
from flipdeck.server.journal.checksums import checksum
from flipdeck.server.journal.sqlite import SqliteJournal
from flipdeck.server.paths import database_in
from tests.server.running import Client, Running, fingerprint, play, run, running
from tests.server.test_routes import failure

from .damaging import change_stored, flip_bytes, flip_stored, overwrite_root_page
from .short_journals import short_journals

DAMAGED = "A part of this table's journal is damaged; whoever runs the server can repair it."


def served(folder: Path, story: Callable[[Running], Awaitable[Any]]) -> Any:
    async def whole() -> Any:
        async with running(SqliteJournal(database_in(folder)), messages_per_second=100_000) as server:
            return await story(server)

    return run(whole())


async def play_two_tables(server: Running) -> dict[str, str]:
    """Their codes, and what they look like."""
    looks = {}
    for seed in (1, 2):
        code, _, clients = await server.seated()
        await play(clients, 12, random.Random(seed))
        looks[code] = fingerprint(server.table(code))
    return looks


def body_of(folder: Path, code: str, seq: int) -> bytes:
    with closing(sqlite3.connect(database_in(folder))) as db:
        found = db.execute("SELECT body FROM entries WHERE code = ? AND seq = ?", (code, seq)).fetchone()
        return bytes(found[0])


def rows(folder: Path, code: str) -> list[Any]:
    with closing(sqlite3.connect(database_in(folder))) as db:
        return [
            db.execute("SELECT * FROM tables WHERE code = ?", (code,)).fetchall(),
            db.execute("SELECT * FROM entries WHERE code = ? ORDER BY seq", (code,)).fetchall(),
        ]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


@pytest.fixture
def played(folder: Path) -> list[tuple[str, str]]:
    """Two tables that were played at: their codes and looks."""
    looks: dict[str, str] = served(folder, play_two_tables)
    return list(looks.items())


def newest(folder: Path, code: str) -> int:
    return int(rows(folder, code)[1][-1][1])


async def refused(server: Running, code: str) -> None:
    """At every door."""
    for _ in range(12):  # whoever asks often has not guessed
        asked = await server.http.get(f"/api/tables/{code}")
        assert (*failure(asked), asked.json()["message"]) == (503, "damaged-table", "damaged-table", DAMAGED)
    joined = await server.http.post(f"/api/tables/{code}/seats", json={"name": "Cleo"})
    assert failure(joined)[:2] == (503, "damaged-table")
    client = await server.connect()
    await client.send("hello", protocol=1, table=code, token=None)
    told = await client.until("refused")
    assert (told["code"], told["message"]) == ("damaged-table", DAMAGED)
    assert await client.end() == (None, 1008), "a client does not come back by itself"


def test_a_damaged_entry_closes_its_table_and_no_other_and_the_log_says_it_once(
    folder: Path, played: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    (code, _), (sound, look) = played
    flip_bytes(database_in(folder), body_of(folder, code, 7))
    before, out = rows(folder, code), io.StringIO()
    handler = logging.StreamHandler(out)
    handler.setFormatter(logs.JsonLines())
    monkeypatch.setattr(logging.getLogger(), "handlers", [handler])

    async def story(server: Running) -> None:
        await refused(server, code)
        await server.greet(sound)
        assert fingerprint(server.table(sound)) == look
        assert (await server.http.get("/health")).json()["ok"]
        assert "flipdeck_damaged 1.0" in (await server.http.get("/metrics")).text
        assert code not in server.app.lobby.tables

    served(folder, story)
    assert rows(folder, code) == before, "it is not claimed, and nothing of it is written"
    assert out.getvalue().count('"event":"damaged"') == 1
    assert '"seq":7' in out.getvalue()
    assert code not in out.getvalue()


def test_a_page_that_sqlite_can_not_read_is_refused_in_the_same_sentence(
    folder: Path, played: list[tuple[str, str]], capsys: pytest.CaptureFixture[str]
) -> None:
    (code, _), _ = played
    overwrite_root_page(database_in(folder), "entries")

    async def story(server: Running) -> None:
        await refused(server, code)
        assert (await server.http.get("/health")).json()["ok"]

    served(folder, story)
    assert main(["repair", "--data", str(folder)]) == 1
    said = capsys.readouterr()
    assert "pages of the file are damaged (database disk image is malformed), and can't be cut out." in said.out
    assert main(["repair", "--data", str(folder), "--table", code, "--forget-after", "3"]) == 1
    assert "Traceback" not in said.err + capsys.readouterr().err


def test_an_entry_that_was_damaged_before_it_had_a_checksum_is_found_by_who_replays_it(
    folder: Path, played: list[tuple[str, str]], capsys: pytest.CaptureFixture[str]
) -> None:
    (code, _), _ = played
    for seq, body in ((7, b'{"what":"moved","seat":0,"move":"no move"}'), (8, b"{")):
        total = checksum(code, seq, body)
        with closing(sqlite3.connect(database_in(folder))) as db:
            db.execute("UPDATE entries SET body = ?, sum = ? WHERE code = ? AND seq = ?", (body, total, code, seq))
            db.commit()
    served(folder, lambda server: refused(server, code))
    assert main(["repair", "--data", str(folder)]) == 1
    assert "entry 7 is damaged" in capsys.readouterr().out


def test_a_damage_that_shows_itself_in_play_closes_the_table_too(folder: Path) -> None:
    async def story(server: Running) -> None:
        code, _, clients = await server.seated()
        sound, _, others = await server.seated()
        actor: Client = next(client for client in clients if client.on_turn)
        assert actor.view is not None
        server.table(code)._in_doubt = True
        change_stored(database_in(folder), f"UPDATE tables SET newest = 99 WHERE code = '{code}'")  # noqa: S608
        with pytest.raises(ConnectionClosed):
            await actor.command("move", version=actor.version, move=actor.view["legal"][0])
        await refused(server, code)
        assert await play(others, 5, random.Random(1)) == 5
        assert sound in server.app.lobby.tables

    served(folder, story)


# ---------------------------------------------------------------- snapshots and replays
def test_a_damaged_snapshot_or_one_of_another_table_is_a_cache_miss(folder: Path) -> None:
    with short_journals():
        looks: dict[str, str] = served(folder, play_two_tables)
    first, second = looks
    path = database_in(folder)
    last = "seq = (SELECT max(seq) FROM snapshots AS other WHERE other.code = snapshots.code)"
    flip_stored(path, "snapshots", "body", f"code = '{first}' AND {last}")
    of_the_first = f"SELECT body FROM snapshots AS other WHERE code = '{first}' ORDER BY seq LIMIT 1"  # noqa: S608
    change_stored(path, f"UPDATE snapshots SET body = ({of_the_first}) WHERE code = '{second}'")  # noqa: S608

    async def story(server: Running) -> None:
        for code, look in looks.items():
            await server.greet(code)
            assert fingerprint(server.table(code)) == look

    with short_journals():
        served(folder, story)


def test_a_damaged_replay_has_its_own_refusal(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def play_a_match(server: Running) -> str:
        code, _, clients = await server.seated(2, options={"hand_size": 2, "scoring": "quick"})
        while clients[0].table["phase"] != "over":
            await play(clients, 1, random.Random(1))
            await clients[0].up_to(server.table(code).state.version)
        return str(clients[0].table["replay"])

    name = served(folder, play_a_match)
    flip_stored(database_in(folder), "replays", "record", f"name = '{name}'", "TEXT")

    async def story(server: Running) -> None:
        for asked in ("", "/match", "/rounds/1") * 5:
            answer = await server.http.get(f"/api/replays/{name}{asked}")
            assert failure(answer) == (503, "damaged-replay", "damaged-replay")

    served(folder, story)
    assert main(["repair", "--data", str(folder)]) == 1
    assert f"Replay {name}: its record is damaged." in capsys.readouterr().out
