"""``flipdeck simulate``: one command, one result, the same every time; what can't be is refused in a sentence."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from flipdeck import __version__
from flipdeck.bulk import MissingExtra
from flipdeck.lab import experiments
from flipdeck.lab.run.cluster import LostClusterError
from flipdeck.lab.stats.measures import measures
from tests.cli.lab_commands import interrupted
from tests.lab.pages import Page

from .lab_commands import LabTerminal, WatchedRun

pytestmark = pytest.mark.usefixtures("compiled_rules")

QUICK = ("--option", "scoring=quick", "--policy", "eager")


@pytest.fixture
def terminal(capsys: pytest.CaptureFixture[str]) -> LabTerminal:
    return LabTerminal("simulate", capsys)


# ---------------------------------------------------------------- the result
def test_json_is_one_object_with_all_that_was_counted(terminal: LabTerminal) -> None:
    found = terminal.json("--games", 300, "--players", 3, "--policy", "eager", "--seed", "abc", "--jobs", 2)
    assert terminal.err == ""
    assert (found["matches"], found["games"], found["threads"], found["complete"]) == (300, 300, 2, True)
    assert found["flipdeck"] == __version__
    assert found["seed"] == "abc"
    assert found["seconds"] > 0
    assert found["decisions"] > found["rounds"] > 300
    assert len(found["win_rate"]) == 3
    assert sum(found["win_rate"]) == pytest.approx(1)
    assert found["setting"]["policies"] == ["eager"] * 3
    assert found["setting"]["options"]["scoring"] == "points"
    assert set(found["statistics"]) == {measure.key for measure in measures(3)}
    for seat, figure in enumerate(found["statistics"]["match_win_rate"]):
        assert figure["low"] < figure["value"] < figure["high"]
        assert figure["value"] == found["win_rate"][seat]
    assert sum(many for _, many in found["histograms"]["decisions_of_round"]) == found["rounds"]


def test_the_command_that_is_told_gives_the_same_again(terminal: LabTerminal) -> None:
    def played(*arguments: str) -> Any:
        found = terminal.json(*arguments)
        return {name: value for name, value in found.items() if "seconds" not in name and "per_second" not in name}

    first = played(
        "--games", "20", "--edition", "argentina", "--option", "target=100", "--seed=-x y", "--bots", "eager"
    )
    words = shlex.split(first["command"])
    assert words[:2] == ["flipdeck", "simulate"]
    assert played(*words[2:]) == first


def test_threads_do_not_change_the_result(terminal: LabTerminal) -> None:
    runs = [terminal.json("--games", 3000, *QUICK, "--seed", "x", "--jobs", jobs) for jobs in (1, 2, 3)]
    assert runs[0]["statistics"] == runs[1]["statistics"] == runs[2]["statistics"]
    assert [run["threads"] for run in runs] == [1, 2, 3]


def test_without_a_seed_each_run_has_its_own_and_tells_it(terminal: LabTerminal) -> None:
    first, second = (terminal.json("--games", 5, *QUICK) for _ in range(2))
    assert first["seed"] != second["seed"]
    assert terminal.json("--games", 5, *QUICK, "--seed", first["seed"])["statistics"] == first["statistics"]


def test_the_terminal_shows_a_sentence_first_and_every_figure_with_its_interval(terminal: LabTerminal) -> None:
    out = terminal("--games", 200, "--policy", "eager,random,random,eager", "--seed", "abc")
    lines = out.splitlines()
    assert lines[0] == "Classic, 4 players (eager, random, random, eager)"
    assert lines[1].startswith("200 matches, ")
    assert re.match(r"Seat \d \(eager\) won most: [\d.]+ % of 200 matches", lines[3])
    assert re.search(r"flips a round +[\d.]+   [\d.]+ to [\d.]+\n", out)
    assert re.search(r"decisions on the dark side +[\d.]+ %   [\d.]+ to [\d.]+ %\n", out)
    assert lines[-1].startswith("Again: flipdeck simulate --edition classic --players 4 --policy eager,random,random,")
    assert terminal.err == ""


def test_with_quick_scoring_what_says_nothing_is_left_out(terminal: LabTerminal) -> None:
    out = terminal("--games", 50, *QUICK, "--option", "bluffing=off")
    assert "Matches won, by seat" in out
    assert "Rounds won, by seat" not in out
    assert "Challenges" not in out
    assert "points" not in out


# ---------------------------------------------------------------- the report
@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_out_is_a_folder_with_page_table_and_object(kind: str, terminal: LabTerminal, tmp_path: Path) -> None:
    place = tmp_path / "report"
    out = terminal("--games", 30, "--policy", "eager", "--seed", "abc", "--out", place, "--table", kind)
    assert out.endswith(f"Report: {place}/report.html\n")
    assert sorted(file.name for file in place.iterdir()) == ["report.html", "result.json", f"rounds.{kind}"]
    assert list(tmp_path.iterdir()) == [place]
    found = json.loads((place / "result.json").read_text())
    page = Page((place / "report.html").read_text())
    assert found["command"] in page.words
    assert found["command"].endswith(f"--games 30 --seed abc --out {place} --table {kind}")
    if kind == "csv":
        assert len((place / "rounds.csv").read_text().splitlines()) == found["rounds"] + 1


def test_a_report_can_be_made_again_in_its_place(terminal: LabTerminal, tmp_path: Path) -> None:
    for games in (3, 4):
        terminal("--games", games, *QUICK, "--out", tmp_path / "report", "--quiet")
    assert json.loads((tmp_path / "report" / "result.json").read_text())["games"] == 4


# ---------------------------------------------------------------- what can't be
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("--games 0", "--games is a whole number from 1 to 10,000,000,000, not '0'."),
        ("--games=-5", "--games is a whole number from 1 to 10,000,000,000, not '-5'."),
        ("--games many", "--games is a whole number from 1 to 10,000,000,000, not 'many'."),
        ("--games 99999999999", "--games is a whole number from 1 to 10,000,000,000, not '99999999999'."),
        ("--jobs 0", "--jobs is a whole number from 1 to 1,024, not '0'."),
        ("--players 11", "2 to 10 can play, not 11."),
        ("--players two", "2 to 10 can play, not 'two'."),
        ("--edition deluxe", "There is no edition 'deluxe'; there are classic, splash, argentina, mild-wild."),
        ("--option wings=on", "There is no option 'wings'; there are "),
        ("--option stacking", "An option is written NAME=VALUE, not 'stacking'."),
        ("--option stacking=maybe", "stacking is on or off, not 'maybe'."),
        (
            "--edition splash --players 10 --option hand_size=10",
            "10 players with 10 cards each can't be dealt from 108",
        ),
        ("--policy genius", "policy can't be 'genius'; choose random or eager or steady."),
        ("--policy eager,random", "Name one policy for all or one a seat: 4 seats, not 2 names."),
        ("--policy ''", "policy can't be ''; choose random or eager or steady."),
        ("--seed 'a\nb'", "--seed is a text that can be printed and typed again, not 'a\\nb'."),
        ("--out FILE", "is not a folder: name another one for the report."),
        ("--out FILE/report", "can't be written: Not a directory."),
        ("--out ''", "'' is not a folder: name another one for the report."),
        ("--out new --table xlsx", "--table is csv or parquet, not 'xlsx'."),
    ],
)
def test_bad_input_gets_one_sentence_and_exit_code_2(
    arguments: str, sentence: str, terminal: LabTerminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    terminal.refuses(arguments, sentence, tmp_path)


def missing(*names: str) -> Callable[[str], object]:
    return lambda name: None if name in names else name


def test_what_is_not_installed_is_told_before_anything_is_played(
    terminal: LabTerminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("flipdeck.cli.runs.run_options.find_spec", missing("matplotlib"))
    terminal("--games", 1, "--out", tmp_path / "report", code=2)
    assert "pip install 'flipdeck[lab]'" in terminal.err
    monkeypatch.undo()
    monkeypatch.setattr("flipdeck.lab.run.rounds_file.find_spec", missing("pyarrow"))
    terminal("--games", 1, "--out", tmp_path / "report", "--table", "parquet", code=2)
    assert "pip install pyarrow" in terminal.err
    monkeypatch.undo()

    def refuse() -> None:
        raise MissingExtra("Numba is not here.")

    monkeypatch.setattr("flipdeck.bulk.require", refuse)
    terminal("--games", 1, code=2)
    assert terminal.err == "flipdeck simulate: Numba is not here.\n"
    assert list(tmp_path.iterdir()) == []


def test_without_ray_the_extra_is_named(terminal: LabTerminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flipdeck.lab.run.cluster.find_spec", lambda _: None)
    assert terminal("--games", 5, "--out", tmp_path / "report", "--cluster", "auto", code=2) == ""
    assert "pip install 'flipdeck[cluster]'" in terminal.err
    assert list(tmp_path.iterdir()) == []


def test_a_cluster_that_fails_while_it_plays_is_no_fault_of_the_arguments(
    terminal: LabTerminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(*_: object) -> Iterator[object]:
        raise LostClusterError("The cluster went away.")
        yield

    monkeypatch.setattr("flipdeck.lab.run.cluster.on_cluster", lost)
    assert terminal("--games", 5, "--cluster", "127.0.0.1:1", code=1) == ""
    assert terminal.err == "flipdeck simulate: The cluster went away.\n"


# ---------------------------------------------------------------- compiling
def test_the_first_run_says_what_it_waits_for(
    terminal: LabTerminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("flipdeck.lab.run.warm_up.compiled_code", lambda: tmp_path)
    terminal("--games", 1, *QUICK, "--json")
    assert terminal.err == "Compiling the rules for this machine; it takes about 20 seconds, once.\n"
    terminal("--games", 1, *QUICK, "--json", "--quiet")
    assert terminal.err == ""


# ---------------------------------------------------------------- Ctrl-C
def test_ctrl_c_gives_the_result_so_far_and_says_so(tmp_path: Path, terminal: LabTerminal) -> None:
    place = tmp_path / "report"
    run = WatchedRun("simulate", "--games", "90000000", *QUICK, "--seed", "abc", "--json", "--out", str(place))
    run.wait_for(r"[1-9]\d*/90000000 matches.*M decisions/s .*\d:\d\d:\d\d.* left")
    assert not place.exists()
    out, code = run.interrupt()
    found = json.loads(out)
    assert code == 130
    assert found["complete"] is False
    assert 0 < found["matches"] < found["games"] == 90_000_000
    assert f"Stopped after {found['matches']:,} of 90,000,000 matches." in run.seen
    assert "Stopped early" in Page((place / "report.html").read_text()).words
    assert len((place / "rounds.csv").read_text().splitlines()) == found["rounds"] + 1
    assert [file.name for file in tmp_path.iterdir()] == ["report"]
    again = terminal.json(*QUICK, "--seed", "abc", "--games", found["matches"])
    assert again["complete"] is True
    assert again["statistics"] == found["statistics"]


def test_stopped_before_the_first_result_there_is_none(
    terminal: LabTerminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(experiments, "on_threads", interrupted)
    assert terminal("--games", 5, *QUICK, "--out", tmp_path / "report", code=130) == ""
    assert "Stopped before the first result." in terminal.err
    assert list(tmp_path.iterdir()) == []
    found = terminal.json("--games", 5, *QUICK, "--quiet", code=130)
    assert (found["matches"], found["complete"], found["win_rate"]) == (0, False, [None] * 4)
    assert terminal.err == ""
