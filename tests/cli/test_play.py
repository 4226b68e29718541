"""``flipdeck play --text``: whole matches over a pipe, how they stop, what can't be asked for."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import repeat
from pathlib import Path

import pytest

from flipdeck.cli import main
from flipdeck.core import editions
from flipdeck.core.record import parse
from flipdeck.i18n import LANGUAGES, catalogue
from tests.cli.terminal import Terminal, Typist, assert_refused, terminal
from tests.patience import HANG

__all__ = ["terminal"]  # a fixture


def numbers(seed: int) -> Iterator[str]:
    """Somebody who types small numbers, most of them choices that there are."""
    dice = random.Random(seed)
    while True:
        yield f"{dice.choice((1, 1, 1, 2, 2, 3, 4, 5))}{dice.choice(('', '', '!'))}\n"


# ---------------------------------------------------------------- whole matches
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("edition", editions.NAMES)
def test_a_match_is_played_to_the_end_by_always_answering_one(
    terminal: Terminal, tmp_path: Path, edition: str, language: str
) -> None:
    file = tmp_path / "match.txt"
    arguments = ("--text", "--edition", edition, "--players", "3", "--lang", language, "--seed", "ones")
    ran = terminal("play", *arguments, "--record", str(file), "--option", "target=150", typed=repeat("1\n"))
    words = catalogue(language, edition)
    match = parse(file.read_text(encoding="utf-8"))
    assert (ran.code, ran.err) == (0, "")
    assert match.over
    assert match.commitment in ran.lines[1]
    assert ran.lines[-1] == words.text("play.seed", seed=match.seed.hex())
    winner = {"event": "won", "side": "light", "winners": list(match.winners)}
    assert words.event(winner, 0, words.text("seat.names").split()) in ran.lines


@pytest.mark.parametrize("players", [2, 10])
def test_a_match_with_every_house_rule_is_played_to_the_end_by_somebody_random(
    terminal: Terminal, tmp_path: Path, players: int
) -> None:
    file = tmp_path / "match.txt"
    house = ["stacking=on", "jump_in=on", "draw_until_playable=on", "false_catch_penalty=1", "own_backs=hidden"]
    options = [part for option in (*house, "hand_size=5", "target=60") for part in ("--option", option)]
    where = ("--players", str(players), "--seat", "1", "--seed", "random", "--record", str(file))
    ran = terminal("play", "--text", *where, *options, typed=numbers(players))
    assert (ran.code, ran.err) == (0, "")
    assert "end: won by" in file.read_text(encoding="utf-8")


def test_the_same_seed_and_the_same_input_give_the_same_output(terminal: Terminal) -> None:
    arguments = ("play", "--text", "--seed", "again", "--option", "target=100")
    first, second = (terminal(*arguments, typed=numbers(5)) for _ in range(2))
    assert first == second
    other = terminal("play", "--text", "--seed", "another", "--option", "target=100", typed=numbers(5))
    assert other.out != first.out


def test_without_a_seed_every_match_is_another(terminal: Terminal) -> None:
    assert terminal("play", "--text", typed="").out != terminal("play", "--text", typed="").out


def test_watching_needs_no_input_and_shows_no_hidden_card(terminal: Terminal) -> None:
    ran = terminal("play", "--text", "--watch", "--seed", "watch", "--option", "scoring=quick", "--lang", "en")
    assert ran.code == 0
    assert "Ada got 7 cards." in ran.lines
    assert any(re.fullmatch(r"\w+ won the match\.", line) for line in ran.lines)
    assert not any(re.search(r"\b[Yy]ou\b|^\w+ (drew|got) .*\(", line) for line in ran.lines)


def test_it_works_over_a_real_pipe() -> None:
    arguments = ["play", "--text", "--edition", "mild-wild", "--lang", "es", "--seed", "1"]
    ran = subprocess.run(  # our own program
        [sys.executable, "-m", "flipdeck", *arguments],
        input=b"1\n" * 3 + b"\xff\xfe\n",
        capture_output=True,
        timeout=HANG,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert "No hay más entrada, así que la partida termina aquí." in ran.stdout.decode()


def test_plain_lines_have_no_colors_and_no_drawing(terminal: Terminal) -> None:
    ran = terminal("play", "--text", "--seed", "plain", "--option", "scoring=quick", typed=repeat("1\n"))
    assert re.search(r"[\x00-\x09\x0b-\x1f\u2500-\u259f]", ran.out) is None
    assert all(line == line.rstrip() for line in ran.lines)


@pytest.mark.parametrize("language", ["es", "es-AR"])
def test_a_spanish_match_speaks_no_english(terminal: Terminal, language: str) -> None:
    script = [
        "help",
        "hand",
        "table",
        "rules FLIP-4",
        "rules X",
        "99",
        "draw draw",
        "1!",
        "R7/O1",
        "color P",
        *["1"] * 400,
    ]
    ran = terminal(
        "play",
        "--text",
        "--lang",
        language,
        "--seed",
        "español",
        "--option",
        "target=60",
        typed=[f"{line}\n" for line in script],
    )
    typed = r"'[^']*'|R7/O1|W/P5=G|draw, keep|color G|accept, challenge|catch 2|--seed|--record|flipdeck \w+|mild-wild"
    english = (
        r"\b(the|you|your|card|cards|hand|play|played|drew|turn|seat|with|is|and|of|choose|press|wild|light|dark)\b"
    )
    assert re.findall(english, re.sub(typed, "", ran.out), flags=re.IGNORECASE) == []


# ---------------------------------------------------------------- stopping
def test_the_end_of_input_ends_the_match_politely(terminal: Terminal) -> None:
    ran = terminal("play", "--text", "--seed", "end", "--lang", "en", typed="1\n1")
    assert (ran.code, ran.err) == (0, "")
    assert ran.lines[-3:-1] == [
        "There is no more input, so the match stops here.",
        "It was not recorded; --record FILE keeps a match.",
    ]


@pytest.mark.parametrize(("language", "word"), [("en", "quit"), ("es", "salir"), ("es-AR", "quit")])
def test_quitting_keeps_the_record(terminal: Terminal, tmp_path: Path, language: str, word: str) -> None:
    file = tmp_path / "match.txt"
    ran = terminal("play", "--text", "--seed", "q", "--lang", language, "--record", str(file), typed=f"1\n{word}\n1\n")
    words = catalogue(language)
    assert ran.code == 0
    assert ran.lines[-3:-1] == [words.text("play.stopped"), words.text("play.record", path=str(file))]
    match = parse(file.read_text(encoding="utf-8"))
    assert not match.over
    assert match.history[0].said
    assert os.listdir(tmp_path) == ["match.txt"]


def test_an_interrupt_keeps_the_record(terminal: Terminal, tmp_path: Path) -> None:
    def impatient() -> Iterator[str]:
        yield "1\n"
        raise KeyboardInterrupt

    file = tmp_path / "match.txt"
    ran = terminal("play", "--text", "--seed", "q", "--record", str(file), typed=impatient())
    assert ran.code == 130
    assert "The match stops here." in ran.lines
    assert parse(file.read_text(encoding="utf-8")).history[0].said


def test_between_rounds_one_can_look_or_quit(terminal: Terminal) -> None:
    arguments = ("play", "--text", "--seed", "rounds", "--option", "hand_size=2", "--lang", "en")
    ran = terminal(*arguments, typed=repeat("1\n"))
    first_round = ran.out.split("Press Enter to deal the next round.\n")[0]
    assert first_round.splitlines()[-1].startswith("Scores: ")
    assert ran.out.removeprefix(first_round).splitlines()[1:3] == ["", "Round 2."]
    answers = sum(first_round.count(question) for question in (", or help.\n", "let it go.\n", "Which color?"))
    stopped = terminal(*arguments, typed=["1\n"] * answers + ["table\n", "quit\n"])
    assert stopped.out.startswith(first_round)
    assert stopped.out.count("Press Enter to deal the next round.") == 2
    assert "The match stops here." in stopped.lines


# ---------------------------------------------------------------- arguments
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("--edition nope", "There is no edition 'nope'; there are classic, splash, argentina, mild-wild."),
        ("--players 11", "2 to 10 can play, not 11."),
        ("--players many", "2 to 10 can play, not 'many'."),
        ("--option nope=1", "There is no option 'nope'; there are "),
        ("--option stacking", "An option is written name=value, like stacking=on, not 'stacking'."),
        ("--option most_moves=-1", "most_moves is a whole number from 0 to 1000000, not '-1'."),
        ("--option opening_ignored=lost", "opening_ignored can't be 'lost'; choose stays or goes_back."),
        ("--players 2 --option deck=mini", "The mini deck needs hand_size from 1 to 2 and most_moves from 1 to 20"),
        ("--option deck=mini --option hand_size=2 --option most_moves=9", "The mini deck is for 2 players, not 4."),
        ("--option target=0", "target is a whole number from 1 to 1000000, not 0."),
        ("--option target=0 --lang es", "target es un número entero de 1 a 1000000, no 0."),
        (
            "--players 10 --option hand_size=10 --edition splash",
            "10 players with 10 cards each can't be dealt from 108",
        ),
        ("--seat 4", "There is no seat 4: seats are 0 to 3."),
        ("--seat x", "There is no seat 'x': seats are 0 to 3."),
        ("--seat 0 --watch", "With --watch nobody has a seat; leave out --seat."),
        ("--lang fr", "There is no language 'fr'; there are en, es, es-AR."),
        ("--names Ana,Beto", "3 names are needed, all different and without commas, not 'Ana,Beto'."),
        ("--names Ana,Ana,Beto", "3 names are needed, all different"),
        ("--names Ana,,Beto", "3 names are needed, all different"),
        ("--names Ana,Be\x1bto,Cleo", "3 names are needed, all different"),
        ("--record /nowhere/at/all.txt", "/nowhere/at/all.txt can't be written: there is no such file or folder."),
        ("--record /", "/ can't be written: it is a folder."),
        ("--record /dev/null", "/dev/null can't be written: it is not a plain file."),
    ],
)
def test_what_can_not_be_is_refused_in_one_sentence(terminal: Terminal, arguments: str, sentence: str) -> None:
    assert_refused(terminal("play", "--text", *arguments.split(" ")), f"flipdeck play: {sentence}")


def test_what_is_for_research_is_accepted_here(terminal: Terminal) -> None:
    options = ("deck=mini", "hand_size=2", "most_moves=12")
    arguments = [part for option in options for part in ("--option", option)]
    ran = terminal("play", "--text", "--watch", "--players", "2", "--seed", "r", *arguments, "--bots", "rookie")
    assert (ran.code, ran.err) == (0, "")
    assert ran.lines[-1].startswith("The seed was ")


def test_the_bots_can_be_named(terminal: Terminal) -> None:
    ran = terminal("play", "--text", "--names", "Zoe, Yan, Xu", "--seat", "2", "--lang", "en", "--seed", "n")
    assert ran.lines[0] == "Flipdeck, Classic: 4 players. You are seat 2, against Zoe, Yan and Xu."


def test_a_record_replaces_what_a_link_points_to(terminal: Terminal, tmp_path: Path) -> None:
    file, link = tmp_path / "old.txt", tmp_path / "link.txt"
    file.write_text("old", encoding="utf-8")
    link.symlink_to(file)
    assert terminal("play", "--text", "--seed", "link", "--record", str(link)).code == 0
    assert link.is_symlink()
    assert file.read_text(encoding="utf-8").startswith("flipdeck record 2")


def test_the_language_is_that_of_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LC_ALL", "es_AR.UTF-8")
    monkeypatch.setattr(sys, "stdin", Typist([], 1))
    assert main(["play", "--text", "--seed", "l"]) == 0
    assert "Tenés el asiento 0" in capsys.readouterr().out
