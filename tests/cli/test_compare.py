"""``flipdeck compare``: two settings, their difference with an interval, in the terminal, as JSON and as a page."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from flipdeck.cli import main
from flipdeck.lab.stats.measures import measures
from tests.lab.pages import Page

from .lab_commands import LabTerminal

pytestmark = pytest.mark.usefixtures("compiled_rules")

EAGER = ("--policy", "eager", "--seed", "abc")


def compare(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    assert main(["compare", *map(str, arguments)]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def as_json(capsys: pytest.CaptureFixture[str], *arguments: object) -> Any:
    return json.loads(compare(capsys, *arguments, "--json"))


def test_json_has_both_sides_and_their_differences(capsys: pytest.CaptureFixture[str]) -> None:
    found = as_json(capsys, *EAGER, "--a", "edition=classic", "--b", "edition=splash,stacking=on", "--games", 300)
    assert (found["matches"], found["complete"], found["seed"]) == (300, True, "abc")
    assert found["a"]["setting"]["edition"] == "classic"
    assert found["b"]["setting"]["edition"] == "splash"
    assert found["b"]["setting"]["options"]["stacking"] is True
    assert found["rounds"] == found["a"]["rounds"] + found["b"]["rounds"]
    assert found["decisions"] == found["a"]["decisions"] + found["b"]["decisions"]
    assert set(found["differences"]) == {measure.key for measure in measures(4)}
    length = found["differences"]["decisions_per_round"]
    a, b = (found[side]["statistics"]["decisions_per_round"]["value"] for side in "ab")
    assert length["value"] == pytest.approx(b - a)
    assert length["low"] < length["value"] < length["high"]
    assert length["differs"] == (length["low"] > 0 or length["high"] < 0)
    assert len(found["differences"]["match_win_rate"]) == 4


def test_a_side_of_a_comparison_is_the_simulation_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    found = as_json(capsys, *EAGER, "--b", "jump_in=on", "--games", 100)
    assert main(["simulate", *EAGER, "--option", "jump_in=on", "--games", "100", "--json"]) == 0
    alone = json.loads(capsys.readouterr().out)
    assert found["b"]["statistics"] == alone["statistics"]
    assert found["b"]["win_rate"] == alone["win_rate"]


def test_the_command_that_is_told_gives_the_same_again(capsys: pytest.CaptureFixture[str]) -> None:
    settings = ("--players", 2, "--option", "target=200", "--a", "policy=eager,random", "--b", "policies=random,eager")
    first = as_json(capsys, *settings, "--games", 20)
    again = as_json(capsys, *shlex.split(first["command"])[2:])
    assert again["differences"] == first["differences"]
    assert again["a"] == first["a"]
    assert first["a"]["setting"]["policies"] == ["eager", "random"]


def test_the_terminal_marks_what_differs(capsys: pytest.CaptureFixture[str]) -> None:
    out = compare(capsys, *EAGER, "--b", "jump_in=on", "--games", 300)
    assert out.startswith("A: Classic, 4 players (all eager)\nB: Classic, 4 players (all eager); jump_in=on\n")
    assert re.search(r"Over 300 matches each, A and B differ in \d+ of \d+ figures", out)
    assert re.search(r"jump-ins a round +0 +[\d.]+ +\+[\d.]+ \*  \+[\d.]+ to \+[\d.]+\n", out)
    assert re.search(r"decisions on the dark side .* pp . {2}\S+ to \S+ pp\n", out)
    assert "Again: flipdeck compare --a edition=classic,players=4,policy=eager --b " in out


def test_a_seat_that_only_one_has_is_left_blank(capsys: pytest.CaptureFixture[str]) -> None:
    out = compare(capsys, *EAGER, "--a", "players=2", "--b", "players=3", "--games", 20)
    assert re.search(r"seat 2 +– +[\d.]+ % +– +–\n", out)


def test_out_is_a_folder_with_page_table_and_object(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    place = tmp_path / "report"
    compare(capsys, *EAGER, "--b", "stacking=on", "--games", 40, "--out", place)
    found = json.loads((place / "result.json").read_text())
    assert found["command"] in Page((place / "report.html").read_text()).words
    lines = (place / "rounds.csv").read_text().splitlines()
    assert lines[0].startswith("setting,match,round,")
    assert [sum(line.startswith(f"{which},") for line in lines) for which in "01"] == [
        found["a"]["rounds"],
        found["b"]["rounds"],
    ]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("", "--a and --b are the same setting: there is nothing to compare."),
        ("--a stacking=off", "--a and --b are the same setting: there is nothing to compare."),
        ("--b stacking", "--b is written NAME=VALUE,NAME=VALUE…, not 'stacking'."),
        ("--a wings=on", "There is no option 'wings'; there are "),
        ("--b players=11", "2 to 10 can play, not 11."),
        ("--b edition=deluxe", "There is no edition 'deluxe'"),
        ("--b policy=eager,random", "Name one policy for all or one a seat: 4 seats, not 2 names."),
        ("--b stacking=on --games 0", "--games is a whole number from 1"),
        ("--b stacking=on --out FILE", "is not a folder"),
    ],
)
def test_bad_input_gets_one_sentence_and_exit_code_2(
    arguments: str,
    sentence: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    LabTerminal("compare", capsys).refuses(arguments, sentence, tmp_path)
