"""``flipdeck replay``: a record told again, open or as one seat saw it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from flipdeck.core import editions
from flipdeck.core.match import Match
from flipdeck.i18n import LANGUAGES
from tests.cli.terminal import Terminal, terminal
from tests.random_matches import play_round, random_table
from tests.tables import table

__all__ = ["terminal"]  # a fixture


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A match that breaks off soon after a flip."""
    match = table(["RF/P1 B2/T3", "G5/V1 G6/V2"], top="R5/T5", draw="Y9/V9 Y8/V8", scoring="quick")
    match.say(0, "RF/P1!")
    match.say(1, "draw")
    path = tmp_path / "match.txt"
    path.write_text(match.record(), encoding="utf-8")
    return path


def test_an_open_replay_shows_every_card(terminal: Terminal, record: Path) -> None:
    ran = terminal("replay", str(record), "--lang", "en")
    assert (ran.code, ran.err) == (0, "")
    assert ran.lines[:9] == [
        "Flipdeck, Classic: 2 players. All cards are face up.",
        "",
        "Round 1.",
        "Seat 0 got red Flip (pink 1) and blue 2 (teal 3).",
        "Seat 1 got green 5 (purple 1) and green 6 (purple 2).",
        "The discard pile shows red 5.",
        "Seat 0 played red Flip.",
        "Seat 0 said UNO!",
        "Seat 0 flipped everything to the Dark side. On top now: teal 5.",
    ]
    assert ran.lines[9].startswith("Seat 1 drew ")
    assert ran.lines[-1] == "The record ends here; the match was not finished."


def test_a_seat_sees_its_own_cards_only(terminal: Terminal, record: Path) -> None:
    ran = terminal("replay", str(record), "--seat", "0", "--lang", "en")
    assert "You got red Flip (pink 1) and blue 2 (teal 3)." in ran.lines
    assert "Seat 1 drew a card." in ran.lines
    assert not any("green 5" in line for line in ran.lines)
    other = terminal("replay", str(record), "--seat", "1", "--lang", "es")
    assert "Recibiste un 5 verde (1 morado) y un 6 verde (2 morado)." in other.lines
    assert "Asiento 0 volteó todo: ahora se juega el lado oscuro. Arriba ahora: 5 verde azulado." in other.lines


def test_standard_input_is_a_record_too(terminal: Terminal, record: Path) -> None:
    assert terminal("replay", "-", typed=record.read_bytes()).out == terminal("replay", str(record)).out


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("edition", editions.NAMES)
def test_whole_matches_of_every_edition_are_replayed_in_every_language(
    terminal: Terminal, tmp_path: Path, edition: str, language: str
) -> None:
    match, dice = Match(edition, 3, seed="whole", options={"target": 100}), random.Random(1)
    while not match.over:
        if match.round.over:
            match.next_round()
        play_round(match, dice, eager=True)
    path = tmp_path / "match.txt"
    path.write_text(match.record(), encoding="utf-8")
    for seat in ([], ["--seat", "2"]):
        ran = terminal("replay", str(path), "--lang", language, *seat)
        assert (ran.code, ran.err) == (0, "")
        rounds = sum(line.startswith(("Round ", "Ronda ")) for line in ran.lines)
        assert rounds == match.round.number


@pytest.mark.parametrize("number", range(8))
def test_any_table_can_be_replayed(terminal: Terminal, tmp_path: Path, number: int) -> None:
    dice = random.Random(number)
    match = random_table(dice).match()
    play_round(match, dice, eager=True)
    path = tmp_path / "match.txt"
    path.write_text(match.record(), encoding="utf-8")
    assert terminal("replay", str(path)).code == 0
    assert terminal("replay", str(path), "--seat", "1").code == 0


def test_a_draw_and_the_word_about_it_are_one_step(terminal: Terminal, tmp_path: Path) -> None:
    match = table(["B2/T3 B4/T4", "G5/V1 G6/V2"], top="R5/T5", draw="Y9/V9 R8/V8 Y7/V7")
    for seat, move in ((0, "draw"), (0, "keep"), (1, "draw"), (1, "R8/V8"), (0, "draw")):
        match.say(seat, move)
    path = tmp_path / "match.txt"
    path.write_text(match.record(), encoding="utf-8")
    told = [
        "Seat 0 drew yellow 9 (purple 9) and kept it.",
        "Seat 1 drew red 8 (purple 8).",
        "Seat 1 played red 8.",
        "Seat 0 drew yellow 7 (purple 7).",
        "The record ends here; the match was not finished.",
    ]
    assert terminal("replay", str(path), "--lang", "en").lines[-5:] == told
    stepped = terminal("replay", str(path), "--lang", "en", "--step", typed="\n\nquit\n")
    assert stepped.lines[-3:] == told[:3]
    as_others_saw = terminal("replay", str(path), "--lang", "en", "--seat", "1").lines
    assert "Seat 0 drew a card and kept it." in as_others_saw


def test_the_hands_that_were_left_are_told(terminal: Terminal, tmp_path: Path) -> None:
    match = table(["R2/T3", "G5/V1"], top="R5/T5")
    match.say(0, "R2/T3")
    path = tmp_path / "match.txt"
    path.write_text(match.record(), encoding="utf-8")
    assert "Seat 1 still held green 5 (purple 1)." in terminal("replay", str(path), "--lang", "en").lines
    assert "You still held green 5 (purple 1)." in terminal("replay", str(path), "--seat", "1", "--lang", "en").lines
    assert (
        "Todavía tenías un 5 verde (1 violeta)."
        in terminal("replay", str(path), "--seat", "1", "--lang", "es-AR").lines
    )


def test_stepping_waits_for_enter_and_the_end_of_input_lets_it_run(terminal: Terminal, record: Path) -> None:
    whole = terminal("replay", str(record), "--lang", "en")
    stepped = terminal("replay", str(record), "--step", "--lang", "en", typed="\n")
    assert [line for line in stepped.lines if line != "Press Enter for the next move."] == whole.lines
    stopped = terminal("replay", str(record), "--step", "--lang", "en", typed="\nquit\n")
    assert stopped.code == 0
    assert stopped.lines[-1].endswith("On top now: teal 5.")


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("missing.txt", None, "can't be read: there is no such file or folder."),
        (".", None, "can't be read: it is a folder."),
        ("bytes.txt", b"\xff\xfe\x00\x01", "is not a record: it is not text."),
        ("zeros.txt", b"flipdeck record 2\n\x00", "is not a record: it is not text."),
        ("empty.txt", b"", "is not a valid record. Line 1: "),
        ("other.txt", b"hello\n", "is not a valid record. Line 1: "),
    ],
)
def test_what_is_no_record_is_refused_in_one_sentence(
    terminal: Terminal, tmp_path: Path, name: str, content: bytes | None, sentence: str
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    ran = terminal("replay", str(path), "--lang", "en")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"flipdeck replay: {path} {sentence}")
    assert ran.err.count("\n") == 1


def test_a_damaged_record_is_refused_at_its_first_bad_line(terminal: Terminal, record: Path) -> None:
    lines = record.read_text(encoding="utf-8").splitlines()
    bad = next(number for number, line in enumerate(lines, start=1) if line.startswith("0 RF/P1"))
    lines[bad - 1] = "0 B2/T3"
    record.write_text("\n".join(lines), encoding="utf-8")
    ran = terminal("replay", str(record), "--lang", "es")
    assert ran.code == 2
    assert f"no es un registro válido. Línea {bad}: B2/T3 no coincide con R5: el color de ahora es R." in ran.err


@pytest.mark.parametrize("command", ["replay", "hint"])
def test_a_record_of_version_1_gets_one_sentence(terminal: Terminal, record: Path, command: str) -> None:
    record.write_text(record.read_text(encoding="utf-8").replace("record 2", "record 1"), encoding="utf-8")
    arguments = ["--record", str(record)] if command == "hint" else [str(record)]
    ran = terminal(command, *arguments, "--lang", "en")
    sentence = f"{record} is a record of version 1; this program reads version 2, which has other rules."
    assert (ran.code, ran.out, ran.err) == (2, "", f"flipdeck {command}: {sentence}\n")
    spanish = terminal(command, *arguments, "--lang", "es")
    assert "es un registro de la versión 1; este programa lee la versión 2" in spanish.err


def test_a_seat_that_is_not_there_is_refused(terminal: Terminal, record: Path) -> None:
    ran = terminal("replay", str(record), "--seat", "2", "--lang", "en")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "flipdeck replay: There is no seat 2: seats are 0 to 1.\n"


def test_windows_line_ends_do_no_harm(terminal: Terminal, record: Path) -> None:
    whole = terminal("replay", str(record)).out
    record.write_bytes(b"\xef\xbb\xbf" + record.read_bytes().replace(b"\n", b"\r\n"))
    assert terminal("replay", str(record)).out == whole
