"""``flipdeck arena``: the same command gives the same result, on any number of workers and after any interruption."""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from flipdeck import __version__
from flipdeck.cli import arena, main
from flipdeck.lab import arena_experiment
from flipdeck.lab.run.checkpoint import NAME
from flipdeck.lab.run.shards import Shard
from flipdeck.lab.stats import ratings
from tests.cli.lab_commands import interrupted
from tests.lab.pages import Page
from tests.lab.process_tree import below, has_ended

from .lab_commands import LabTerminal, WatchedRun

SHORT = ("--option", "hand_size=3", "--seed", "abc")


@pytest.fixture
def terminal(capsys: pytest.CaptureFixture[str]) -> LabTerminal:
    return LabTerminal("arena", capsys)


def play_here(work: Any, shards: Sequence[Shard], _: int) -> Iterator[Any]:
    return (work.play(shard) for shard in shards)


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where workers are not what it is about, nobody waits for them to start."""
    monkeypatch.setattr(arena_experiment, "on_processes", play_here)


def printed(*arguments: str) -> str:
    """For a fixture that many tests share; played here."""
    with redirect_stdout(StringIO()) as out, pytest.MonkeyPatch.context() as patch:
        patch.setattr(arena_experiment, "on_processes", play_here)
        assert main(["arena", *arguments]) == 0
    return out.getvalue()


def lasting(found: dict[str, Any]) -> dict[str, Any]:
    """What does not depend on a clock, nor on where the report is."""
    return {name: value for name, value in found.items() if name not in ("timing", "command")}


# ---------------------------------------------------------------- the result
@pytest.mark.usefixtures("here")
def test_json_is_one_object_with_all_that_was_counted(terminal: LabTerminal) -> None:
    found = terminal.json("--bots", "casual,rookie", "--seats", 2, "--rounds", 40, *SHORT)
    assert terminal.err == ""
    assert found["bots"] == ["casual", "rookie"]
    assert (found["rounds"], found["asked"], found["deals"], found["complete"]) == (40, 40, 20, True)
    assert (found["flipdeck"], found["seed"], found["league"]) == (__version__, "abc", False)
    assert sum(found["wins"]) + found["void"] + found["given_up"] == 40
    for bot in range(2):
        low, high = found["interval"][bot]
        assert low < found["win_rate"][bot] == found["wins"][bot] / 40 < high
        assert found["entrants"][bot]["interval"] == [low, high]
        assert found["matrix"]["cells"][bot][1 - bot]["wins"] == found["wins"][bot]
        assert found["timing"]["microseconds"][bot]["mean"] > 0
    assert {rating["bot"] for rating in found["ratings"]} == {"casual", "rookie"}
    assert found["options"]["scoring"] == "quick"
    assert found["turns"]["p50"] <= found["turns"]["p95"] <= found["turns"]["most"]


@pytest.mark.usefixtures("here")
def test_one_bot_may_sit_in_several_seats(terminal: LabTerminal) -> None:
    found = terminal.json("--bots", "regular,rookie,rookie,rookie", "--rounds", 8, *SHORT)
    assert found["seats"] == 4
    assert len(found["wins"]) == len(found["interval"]) == 4
    assert [entrant["bot"] for entrant in found["entrants"]] == ["regular", "rookie", "rookie", "rookie"]
    assert found["matrix"]["columns"] == ["at this table"]
    assert len(found["ratings"]) == 2


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("arguments", [("--seats", 3), ("--seats", 2, "--league")])
def test_fewer_bots_than_seats_or_a_league_have_every_pair_meet(
    arguments: tuple[object, ...], terminal: LabTerminal
) -> None:
    found = terminal.json("--bots", "casual,rookie", *arguments, "--rounds", 6, *SHORT)
    assert found["league"] is True
    assert found["rounds"] == {3: 12, 2: 6}[found["seats"]]
    assert found["matrix"]["columns"] == ["casual", "rookie"]


def test_workers_do_not_change_the_result(terminal: LabTerminal) -> None:
    asked = ("--bots", "rookie,casual,regular", "--seats", 2, "--rounds", 10, *SHORT)
    one, two = (terminal.json(*asked, "--jobs", jobs) for jobs in (1, 2))
    assert lasting(one) == lasting(two)
    assert (one["timing"]["workers"], two["timing"]["workers"]) == (1, 2)


def test_the_command_that_is_told_gives_the_same_again(terminal: LabTerminal) -> None:
    first = terminal.json("--bots", "rookie", "--bot", "cmd:echo a,b", "--rounds", 2, "--option", "hand_size=3")
    words = shlex.split(first["command"])
    assert words[:6] == ["flipdeck", "arena", "--bot", "rookie", "--bot", "cmd:echo a,b"]
    again = terminal.json(*words[2:])
    assert again["wins"] == first["wins"]
    assert again["seed"] == first["seed"]
    assert first["entrants"][1]["faults"]


@pytest.mark.usefixtures("here")
def test_the_terminal_shows_the_matrix_before_the_ratings(terminal: LabTerminal) -> None:
    out = terminal("--bots", "rookie,casual,regular", "--seats", 2, "--rounds", 10, *SHORT)
    lines = out.splitlines()
    assert lines[0] == "Every pair of rookie, casual and regular"
    assert lines[1] == "Classic, 2 seats, single rounds; hand_size=3"
    assert lines[2].startswith("30 rounds (15 deals, each played with every bot in every seat) in ")
    assert re.search(r"\n  casual +\D*[\d.]+ % \([\d.]+ to [\d.]+ %\) +– +\D*[\d.]+ % \([\d.]+ to [\d.]+ %\)\n", out)
    order = [out.index(part) for part in ("row against column", "Rounds won", "Ratings", "not transitive", "Cost")]
    assert order == sorted(order)
    assert "A round took " in out
    assert lines[-1].startswith("Again: flipdeck arena --bots rookie,casual,regular --seats 2 --league --rounds 10 ")
    assert terminal.err == ""


@pytest.mark.usefixtures("here")
def test_rounds_that_are_no_whole_deals_are_rounded_up_and_it_is_said(terminal: LabTerminal) -> None:
    asked = ("--bots", "rookie,rookie,rookie", "--rounds", 4, *SHORT)
    assert terminal.json(*asked)["rounds"] == 6
    assert terminal.err.startswith("4 rounds are no whole number of deals: 6 are played, so that every bot sits ")
    terminal.json(*asked, "--quiet")
    assert terminal.err == ""


# ---------------------------------------------------------------- the folder
@pytest.mark.usefixtures("here")
def test_out_is_a_folder_with_page_table_object_and_what_is_needed_to_go_on(
    terminal: LabTerminal, tmp_path: Path
) -> None:
    place = tmp_path / "out"
    out = terminal("--bots", "rookie,casual", "--rounds", 8, *SHORT, "--out", place)
    assert out.endswith(f"Report: {place}/report.html\n")
    assert sorted(file.name for file in place.iterdir()) == [NAME, "report.html", "result.json", "rounds.csv"]
    assert list(tmp_path.iterdir()) == [place]
    found = json.loads((place / "result.json").read_text())
    assert found["command"] in Page((place / "report.html").read_text()).words
    assert len((place / "rounds.csv").read_text().splitlines()) == 9


@pytest.mark.usefixtures("here")
def test_a_torn_checkpoint_is_mended_and_a_whole_one_needs_no_play(
    terminal: LabTerminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("--bots", "rookie,casual", "--rounds", 20, "--option", "hand_size=3", "--out", tmp_path)
    whole = terminal.json(*asked)
    data = (tmp_path / NAME).read_bytes()
    (tmp_path / NAME).write_bytes(data[: len(data) // 2])
    assert lasting(terminal.json(*asked)) == lasting(whole)  # with the seed of the folder
    assert len((tmp_path / NAME).read_bytes().splitlines()) == len(data.splitlines())

    def nobody(_: object, shards: Sequence[Shard], __: int) -> Iterator[Any]:
        assert len(shards) == 0
        return iter(())

    monkeypatch.setattr(arena_experiment, "on_processes", nobody)
    assert lasting(terminal.json(*asked)) == lasting(whole)


RUN = ("--bots", "rookie,casual", "--rounds", "4", *SHORT)


@pytest.fixture(scope="module")
def a_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of one: none of those who come later changes anything in it."""
    folder = tmp_path_factory.mktemp("run")
    printed(*RUN, "--out", str(folder))
    return folder


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("other", "differs"),
    [
        (("--bots", "casual,rookie"), "bots"),
        (("--rounds", 6), "rounds"),
        (("--seed", "x"), "seed"),
        (("--edition", "splash"), "edition"),
        (("--option", "stacking=on"), "options"),
        (("--league",), "league"),
    ],
)
def test_a_folder_of_another_run_is_refused_and_left_as_it_is(
    other: tuple[object, ...], differs: str, terminal: LabTerminal, a_run: Path
) -> None:
    before = {file.name: file.read_bytes() for file in a_run.iterdir()}
    ours = RUN if differs != "bots" else RUN[2:]
    assert terminal(*ours, "--out", a_run, *other, code=2) == ""
    assert f"holds another run, which differs in {differs}: name another folder." in terminal.err
    assert {file.name: file.read_bytes() for file in a_run.iterdir()} == before


def test_a_folder_with_something_else_in_it_is_refused(terminal: LabTerminal, tmp_path: Path) -> None:
    asked = ("--bots", "rookie,casual", "--rounds", 2, *SHORT, "--out", tmp_path)
    (tmp_path / "report.html").write_text("of a simulation")
    terminal(*asked, code=2)
    assert "holds a report of another run" in terminal.err
    (tmp_path / "report.html").rename(tmp_path / "diary.txt")
    terminal(*asked, code=2)
    assert "holds 'diary.txt', which is no report of ours" in terminal.err
    assert [file.name for file in tmp_path.iterdir()] == ["diary.txt"]


# ---------------------------------------------------------------- interruptions
LONG = ("--bots", "rookie,casual,regular", "--seats", "2", "--rounds", "12", *SHORT, "--jobs", "2")
HELD = "tests.cli.held_process_worker"


@pytest.fixture(scope="module")
def uninterrupted() -> Any:
    return json.loads(printed(*LONG, "--json"))


def test_a_run_that_is_killed_goes_on_where_it_was(terminal: LabTerminal, tmp_path: Path, uninterrupted: Any) -> None:
    place = tmp_path / "out"
    run = WatchedRun("arena", *LONG, "--json", "--out", str(place), module=HELD)
    run.wait_for(r"4/36 rounds")
    workers = below(run.process.pid, "process_worker")
    run.kill()
    assert len(workers) == 2
    assert all(has_ended(pid) for pid in workers)
    assert len((place / NAME).read_bytes().splitlines()) == 1 + 1
    assert [file.name for file in place.iterdir()] == [NAME]
    resumed = terminal.json(*LONG, "--out", place)
    assert resumed["complete"] is True
    assert lasting(resumed) == lasting(uninterrupted)
    assert len((place / NAME).read_bytes().splitlines()) == 1 + 9


@pytest.mark.usefixtures("here")  # it goes on; what is interrupted has workers
def test_ctrl_c_ends_the_workers_and_gives_the_result_so_far(
    terminal: LabTerminal, tmp_path: Path, uninterrupted: Any
) -> None:
    place = tmp_path / "out"
    run = WatchedRun("arena", *LONG, "--json", "--out", str(place), module=HELD)
    run.wait_for(r"4/36 rounds .*rounds/s")
    workers = below(run.process.pid, "process_worker")
    out, code = run.interrupt()
    found = json.loads(out)
    assert code == 130
    assert found["complete"] is False
    assert (found["rounds"], found["asked"]) == (4, 36)
    assert all(has_ended(pid) for pid in workers)
    assert "Stopped after 4 of 36 rounds. The same command goes on from there." in run.seen
    assert "Traceback" not in run.seen
    assert "Stopped early" in Page((place / "report.html").read_text()).words
    resumed = terminal.json(*LONG, "--out", place)
    assert lasting(resumed) == lasting(uninterrupted)
    assert "Stopped early" not in (place / "report.html").read_text()


def test_stopped_before_the_first_result_there_is_none(
    terminal: LabTerminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arena_experiment, "on_processes", interrupted)
    asked = ("--bots", "rookie,casual", "--rounds", 4, *SHORT)
    assert terminal(*asked, "--out", tmp_path / "out", code=130) == ""
    assert "Stopped before the first result." in terminal.err
    assert list(tmp_path.iterdir()) == []
    found = terminal.json(*asked, "--quiet", code=130)
    assert (found["rounds"], found["complete"], found["win_rate"]) == (0, False, [None, None])
    assert terminal.err == ""


# ---------------------------------------------------------------- what can't be
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("", "Name 2 to 64 bots, like --bots master,regular; not 0."),
        ("--bots regular", "Name 2 to 64 bots, like --bots master,regular; not 1."),
        ("--bots regular,genius", "There is no bot 'genius'; there are random, rookie, "),
        ("--bots regular,", "A bot has a name that can be printed and typed again, not ''."),
        ("--bots regular --bot 'cmd:a\nb'", "A bot has a name that can be printed and typed again, not 'cmd:a\\nb'."),
        ("--bots regular --bot cmd:./nowhere", "'./nowhere' can't be started: there is no such program"),
        ("--bots rookie,casual --seats 11", "2 to 10 can play, not 11."),
        ("--bots rookie,casual --seats two", "2 to 10 can play, not 'two'."),
        ("--bots rookie,rookie,casual --seats 2", "Where every pair of bots meets, each is named once: "),
        ("--bots rookie,casual --rounds 0", "--rounds is a whole number from 1 to 1,000,000, not '0'."),
        ("--bots rookie,casual --rounds many", "--rounds is a whole number from 1 to 1,000,000, not 'many'."),
        ("--bots rookie,casual --jobs 0", "--jobs is a whole number from 1 to 1,024, not '0'."),
        ("--bots rookie,casual --edition deluxe", "There is no edition 'deluxe'; "),
        ("--bots rookie,casual --option wings=on", "There is no option 'wings'; there are "),
        ("--bots rookie,casual --option stacking", "An option is written NAME=VALUE, not 'stacking'."),
        ("--bots rookie,casual --out FILE", "is not a folder: name another one for the report."),
        ("--bots rookie,casual --out FILE/report", "can't be written: Not a directory."),
    ],
)
def test_bad_input_gets_one_sentence_and_exit_code_2(
    arguments: str, sentence: str, terminal: LabTerminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    terminal.refuses(arguments, sentence, tmp_path)
    assert not below(os.getpid(), "process_worker")


def test_a_bot_that_fails_in_play_is_told_in_a_sentence(
    terminal: LabTerminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("flipdeck.bots.registry.bot_named", lambda _: _Nobody())
    assert terminal("--bots", "rookie,genius", "--rounds", 2, "--out", tmp_path / "out", code=1) == ""
    assert "flipdeck arena: The worker that played shard 0 (matches 0 to 0) failed: " in terminal.err
    assert list(tmp_path.iterdir()) == []


class _Nobody:
    """Passes for a bot here, while the workers know better."""

    def close(self) -> None:
        pass


def test_without_openskill_the_extra_is_named(terminal: LabTerminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ratings, "find_spec", lambda name: None if name == "openskill" else find_spec(name))
    terminal("--bots", "rookie,casual", code=2)
    assert terminal.err == f"flipdeck arena: {arena.NO_RATINGS}\n"
