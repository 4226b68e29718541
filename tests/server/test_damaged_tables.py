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
from flipdeck.server.identity import shown_code
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


# ---------------------------------------------------------------- the operator
def repaired(folder: Path, *arguments: str) -> int:
    return main(["repair", "--data", str(folder), *arguments])


def test_the_command_says_what_is_lost_and_goes_on_from_before_it_when_told_so(
    folder: Path, played: list[tuple[str, str]], capsys: pytest.CaptureFixture[str]
) -> None:
    (code, _), (sound, look) = played
    assert repaired(folder) == 0
    assert capsys.readouterr().out == "Nothing is damaged.\n"
    flip_bytes(database_in(folder), body_of(folder, code, 7))
    shown, last, before = shown_code(code), newest(folder, code), rows(folder, code)
    report = (
        f"Table {shown}: entry 7 is damaged; it and what comes after it, {last - 6} of {last} entries, would be lost.\n"
        f"  To go on after entry 6: flipdeck repair --table {shown} --forget-after 6\n"
    )
    for _ in range(2):
        assert repaired(folder) == 1
        assert capsys.readouterr().out == report
    assert repaired(folder, "--table", shown, "--forget-after", "7") == 2
    assert capsys.readouterr().err == f"flipdeck repair: The last good entry of table {shown} is 6, not 7.\n"
    assert rows(folder, code) == before, "whoever only looks changes nothing"
    assert repaired(folder, "--table", shown, "--forget-after", "6") == 0
    cut = f"Table {shown} goes on after entry 6: {last - 6} entries are cut, and kept in cut_entries.\n"
    assert capsys.readouterr().out == cut
    assert repaired(folder) == 0
    with closing(sqlite3.connect(database_in(folder))) as db:
        kept = db.execute("SELECT * FROM cut_entries ORDER BY seq").fetchall()
    assert kept == before[1][6:], "nothing is destroyed"

    async def story(server: Running) -> None:
        again = await server.greet(code)
        assert again.version == 6
        await server.greet(sound)
        assert fingerprint(server.table(sound)) == look

    served(folder, story)


def test_a_table_that_was_cut_can_be_played_on_by_those_who_had_seen_more(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def begin(server: Running) -> tuple[str, list[str]]:
        code, tokens, clients = await server.seated()
        await play(clients, 12, random.Random(1))
        return code, tokens

    code, tokens = served(folder, begin)
    last = newest(folder, code)
    flip_bytes(database_in(folder), body_of(folder, code, 9))
    assert repaired(folder, "--table", code, "--forget-after", "8") == 0

    async def go_on(server: Running) -> None:
        clients = [await server.greet(code, token, have=last) for token in tokens]
        assert [client.version for client in clients] == [8, 8]
        assert all(client.told[0]["missed"] is None for client in clients), "a fresh view"
        assert await play(clients, 8, random.Random(1)) == 8

    served(folder, go_on)
    capsys.readouterr()


def test_a_table_whose_first_entry_is_damaged_can_only_be_removed(
    folder: Path, played: list[tuple[str, str]], capsys: pytest.CaptureFixture[str]
) -> None:
    (code, _), (sound, _) = played
    flip_bytes(database_in(folder), body_of(folder, code, 1))
    assert repaired(folder) == 1
    assert "its first entry is damaged, and nothing can be played on from" in capsys.readouterr().out
    assert repaired(folder, "--table", code, "--forget-after", "0") == 1
    assert "can only be removed (--remove)" in capsys.readouterr().err
    assert repaired(folder, "--table", code, "--remove") == 0
    assert repaired(folder) == 0
    assert rows(folder, code) == [[], []]

    async def story(server: Running) -> None:
        assert failure(await server.http.get(f"/api/tables/{code}"))[:2] == (404, "no-table")
        assert (await server.http.get(f"/api/tables/{sound}")).status_code == 200

    served(folder, story)


def test_a_damage_that_a_snapshot_covers_needs_no_repair(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with short_journals():
        looks: dict[str, str] = served(folder, play_two_tables)
        code = next(iter(looks))
        with closing(sqlite3.connect(database_in(folder))) as db:
            (taken,) = db.execute("SELECT max(seq) FROM snapshots WHERE code = ?", (code,)).fetchone()
        flip_bytes(database_in(folder), body_of(folder, code, taken - 1))
        assert repaired(folder) == 1
        assert f"but a snapshot taken after entry {taken} is good." in capsys.readouterr().out

        async def story(server: Running) -> None:
            await server.greet(code)
            assert fingerprint(server.table(code)) == looks[code]

        served(folder, story)


def test_entries_that_are_missing_are_accepted_in_so_many_words(
    folder: Path, played: list[tuple[str, str]], capsys: pytest.CaptureFixture[str]
) -> None:
    _, (code, _) = played
    last = newest(folder, code)
    change_stored(
        database_in(folder),
        f"DELETE FROM entries WHERE code = '{code}' AND seq > 9",  # noqa: S608
        f"UPDATE tables SET newest = 9 WHERE code = '{code}'",  # noqa: S608
    )  # as in an older copy
    assert repaired(folder) == 1
    said = capsys.readouterr().out
    assert f"Acknowledged entries are missing: table {shown_code(code)} had {last} and has 9;" in said
    assert repaired(folder, "--accept-missing") == 0
    assert repaired(folder) == 0
    assert repaired(folder, "--accept-missing") == 2
    served(folder, lambda server: server.greet(code))
    capsys.readouterr()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--remove"], "--forget-after and --remove need --table."),
        (["--table", "ABCDEFGH"], "--table needs either --forget-after or --remove."),
        (
            ["--table", "ABCDEFGH", "--remove", "--forget-after", "3"],
            "--table needs either --forget-after or --remove.",
        ),
        (["--table", "ABCDEFGH", "--remove", "--accept-missing"], "--accept-missing is about the whole file"),
        (["--table", "nonsense!", "--remove"], "Table 'nonsense!' is not damaged, or there is none."),
        (["--table", "ABCDEFGH", "--remove"], "Table 'ABCDEFGH' is not damaged, or there is none."),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence(
    folder: Path, arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    served(folder, lambda server: server.make())
    assert repaired(folder, *arguments) == 2
    assert capsys.readouterr().err.startswith(f"flipdeck repair: {sentence}")


def test_a_folder_without_tables_and_one_in_use_are_left_alone(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert repaired(folder / "none") == 2
    assert "There are no tables in" in capsys.readouterr().err

    async def story(_: Running) -> None:
        assert repaired(folder) == 1
        assert "A Flipdeck server is using the folder" in capsys.readouterr().err

    served(folder, story)
