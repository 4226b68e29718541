"""``flipdeck train``: what it says, what it keeps, what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from flipdeck.bots.net import read_net
from flipdeck.bulk import MissingExtra
from flipdeck.cli import train as command
from flipdeck.lab.train import trainer, training_run
from flipdeck.lab.train.trainer import StepResult, Trainer
from flipdeck.lab.train.training_run import TrainingProgress
from tests.cli.terminal import Terminal, terminal

__all__ = ["terminal"]


@pytest.fixture(autouse=True)
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trainer, "ROUNDS", 2)
    monkeypatch.setattr(training_run, "A_STEP", 1)
    monkeypatch.setattr(training_run, "EVERY", 2)


def test_it_tells_the_curve_in_lines_and_what_came_of_it(terminal: Terminal, tmp_path: Path) -> None:
    out = str(tmp_path / "net")
    ran = terminal("train", "--out", out, "--steps", "4", "--seed=-x y", "--jobs", "1")
    assert ran.code == 0
    told = [line for line in ran.err.splitlines() if line.startswith("Step ")]
    assert [line.split(":")[0] for line in told] == ["Step 2 of 4", "Step 4 of 4"]
    assert "rounds/s" in told[0]
    assert ran.lines[0].startswith("4 steps, 64 rounds and ")
    assert ran.lines[-1] == f"Net: {tmp_path / 'net' / 'net.npz'}"
    _, about = read_net(tmp_path / "net" / "net.npz")
    assert about["command"] == f"flipdeck train --out {out} '--seed=-x y' --steps 4"
    assert about["seed"] == "-x y"
    assert [point[0] for point in about["curve"]] == [2, 4]
    assert {(score["players"], score["pairing"]) for score in about["evaluation"]} == set(training_run.FINAL)


def test_a_training_that_is_done_is_only_told_again(terminal: Terminal, tmp_path: Path) -> None:
    words = ("train", "--out", str(tmp_path / "net"), "--steps", "1", "--jobs", "1", "--quiet")
    first = terminal(*words)
    made = (tmp_path / "net" / "net.npz").stat().st_mtime_ns
    again = terminal(*words)
    assert (first.code, again.code, first.err, again.err) == (0, 0, "", "")
    assert again.out == first.out
    assert (tmp_path / "net" / "net.npz").stat().st_mtime_ns == made


def test_ctrl_c_keeps_what_was_learnt_and_says_how_to_go_on(
    terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    advance = Trainer.advance

    def advance_twice(trainer: Trainer) -> StepResult:
        if trainer.state.step == 2:
            raise KeyboardInterrupt
        return advance(trainer)

    monkeypatch.setattr(Trainer, "advance", advance_twice)
    words = ("train", "--out", str(tmp_path / "net"), "--steps", "3", "--seed", "a b", "--jobs", "1")
    ran = terminal(*words)
    assert (ran.code, ran.out) == (130, "")
    assert f"It goes on with:  flipdeck train --out {tmp_path / 'net'} --seed 'a b' --steps 3" in ran.err
    monkeypatch.setattr(Trainer, "advance", advance)
    assert "Going on after step 2 of 3." in terminal(*words).err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--steps", "0"), "--steps is a whole number from 1 to 1,000,000, not '0'."),
        (("--steps", "many"), "--steps is a whole number from 1 to 1,000,000, not 'many'."),
        (("--jobs", "-1"), "--jobs is a whole number from 1 to 1,024, not '-1'."),
        (("--seed", "a\nb"), "--seed is a text that can be printed and typed again, not 'a\\nb'."),
    ],
)
def test_bad_arguments_are_refused_in_a_sentence(
    terminal: Terminal, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    ran = terminal("train", "--out", str(tmp_path / "net"), *words)
    assert (ran.code, ran.out, ran.err) == (2, "", f"flipdeck train: {said}\n")
    assert not (tmp_path / "net").exists()


def test_the_folder_of_another_training_is_refused_and_left_alone(terminal: Terminal, tmp_path: Path) -> None:
    out = str(tmp_path / "net")
    assert terminal("train", "--out", out, "--steps", "1", "--jobs", "1", "--quiet").code == 0
    before = {path.name: path.read_bytes() for path in (tmp_path / "net").iterdir()}
    for words, what in ((("--steps", "2"), "steps"), (("--steps", "1", "--seed", "x"), "seed")):
        ran = terminal("train", "--out", out, *words)
        assert ran.code == 2
        assert ran.err == f"flipdeck train: {out!r} holds another training, with another {what}: name another folder.\n"
    assert {path.name: path.read_bytes() for path in (tmp_path / "net").iterdir()} == before


def test_what_is_no_training_of_ours_is_left_alone(terminal: Terminal, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear")
    assert "'letter.txt', which is no training of ours" in terminal("train", "--out", str(tmp_path)).err
    assert "is not a folder" in terminal("train", "--out", str(tmp_path / "letter.txt")).err
    assert "is not a folder" in terminal("train", "--out", "").err
    torn = tmp_path / "torn"
    torn.mkdir()
    (torn / "training.npz").write_bytes(b"PK torn")
    ran = terminal("train", "--out", str(torn))
    assert (ran.code, ran.out) == (2, "")
    assert "training.npz that is none of ours" in ran.err
    assert (torn / "training.npz").read_bytes() == b"PK torn"


def test_without_the_extra_it_says_what_to_install(
    terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> None:
        raise MissingExtra("NumPy is not here.")

    monkeypatch.setattr("flipdeck.bulk.require", refuse)
    ran = terminal("train", "--out", str(tmp_path / "net"))
    assert (ran.code, ran.err) == (2, "flipdeck train: NumPy is not here.\n")


def test_in_a_terminal_the_curve_is_drawn() -> None:
    story = TrainingProgress(seconds=60, rounds=7680, loss=0.61, curve=[[20, 0.6, 0.27], [40, 0.65, 0.3]])
    lines = command._picture(45, 90, story)
    assert any("2" in line[8:] for line in lines[1:11])
    assert any("4" in line[8:] for line in lines[1:11])
    assert lines[-1] == "Step 45 of 90: loss 0.6100; 128 rounds/s; 1 minutes left"
    assert command._picture(1, 90, TrainingProgress(seconds=1, rounds=8)) == [
        "Step 1 of 90: loss 0.0000; 8 rounds/s; 1 minutes left"
    ]
