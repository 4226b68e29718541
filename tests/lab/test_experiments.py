"""Experiments are library calls: the commands add arguments, a progress bar and printing, and nothing else."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from flipdeck import lab
from flipdeck.lab import ArenaExperiment, Comparison, FolderRefused, Setting, Simulation
from flipdeck.lab.experiments import Experiment, Report
from flipdeck.lab.run.execution import Advance
from flipdeck.lab.run.shards import Part, Work

EAGER = Setting("classic", players=3, policies=("eager",))
QUICK = Setting("classic", players=2, options={"hand_size": 3})
EXPERIMENTS: dict[str, Experiment[Any]] = {
    "simulation": Simulation(EAGER, games=40, seed="abc"),
    "comparison": Comparison(EAGER, Setting("splash", players=3, policies=("eager",)), games=20, seed="abc"),
    "arena": ArenaExperiment(QUICK, ("rookie", "casual"), rounds=6, seed="abc"),
}


class Observer:
    """Notes what it is told."""

    def __init__(self) -> None:
        self.resumed = -1
        self.parts: list[Part[Any]] = []
        self.left = False

    def compiling(self) -> None:
        raise AssertionError("the tests begin with compiled rules")

    @contextmanager
    def playing(self, work: Work[Any], resumed: int) -> Iterator[Advance]:
        del work
        self.resumed = resumed
        yield self.parts.append
        self.left = True


def lasting(report: Report) -> dict[str, Any]:
    """All that is the same in every run."""
    clock = ("timing", "seconds", "threads", "decisions_per_second", "command")
    return {key: value for key, value in report.to_dict().items() if key not in clock}


def test_the_public_names_are_those_that_can_be_had() -> None:
    assert sorted(name for names in lab._HOMES.values() for name in names) == lab.__all__ == dir(lab)
    for home, names in lab._HOMES.items():
        for name in names:
            assert getattr(lab, name) is getattr(importlib.import_module(home, "flipdeck.lab"), name)
    with pytest.raises(AttributeError, match="no attribute 'Guess'"):
        _ = lab.Guess


@pytest.mark.parametrize("kind", EXPERIMENTS)
def test_an_experiment_is_run_by_a_call_and_told_in_every_form(kind: str, tmp_path: Path) -> None:
    experiment, observer = EXPERIMENTS[kind], Observer()
    report = experiment.run(jobs=1, out=str(tmp_path / "out"), progress=observer)
    assert report.complete
    assert report.played == report.asked
    assert report.to_dict()["kind"] == kind
    assert report.command in report.page()
    assert json.loads((tmp_path / "out" / "result.json").read_text())["command"] == report.command
    assert {"report.html", "rounds.csv"} <= {file.name for file in (tmp_path / "out").iterdir()}
    assert [part.shard.number for part in observer.parts] == list(range(len(observer.parts)))
    assert (observer.resumed, observer.left) == (0, True)
    again = experiment.run(jobs=2)
    assert lasting(again) == lasting(report)
    assert again.lines()[0] == report.lines()[0]


def test_an_arena_goes_on_in_its_folder_and_says_how_much_was_there(tmp_path: Path) -> None:
    experiment = EXPERIMENTS["arena"]
    experiment.run(jobs=1, out=str(tmp_path))
    observer = Observer()
    report = experiment.run(jobs=1, out=str(tmp_path), progress=observer)
    assert observer.resumed == len(observer.parts) == 2
    assert report.complete


def test_a_match_of_an_arena_is_one_round_unless_the_setting_says_otherwise() -> None:
    assert ArenaExperiment(QUICK, ("rookie", "casual")).setting.rules().scoring == "quick"
    scored = Setting("classic", players=2, options={"scoring": "points"})
    assert ArenaExperiment(scored, ("rookie", "casual")).setting.rules().scoring == "points"


def test_every_experiment_has_a_seed_of_its_own_unless_one_is_given() -> None:
    assert Simulation(EAGER).seed != Simulation(EAGER).seed


@pytest.mark.parametrize("kind", EXPERIMENTS)
def test_a_folder_that_is_not_ours_is_refused_before_anything_is_played(kind: str, tmp_path: Path) -> None:
    (tmp_path / "diary.txt").write_text("mine")
    observer = Observer()
    with pytest.raises(FolderRefused, match=r"holds 'diary\.txt'"):
        EXPERIMENTS[kind].run(out=str(tmp_path), progress=observer)
    assert not observer.left
    assert [file.name for file in tmp_path.iterdir()] == ["diary.txt"]
