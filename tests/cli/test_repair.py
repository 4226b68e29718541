"""``flipdeck repair``: it says what is lost, and goes on from before the damage when it is told so."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from flipdeck.cli import main
from flipdeck.server.identity import shown_code
from flipdeck.server.paths import database_in
from tests.server.damaging import change_stored, flip_bytes
from tests.server.running import Running, fingerprint, play
from tests.server.short_journals import short_journals
from tests.server.test_damaged_tables import body_of, folder, newest, play_two_tables, played, rows, served
from tests.server.test_routes import failure

__all__ = ["folder", "played"]


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
