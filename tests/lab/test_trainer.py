"""Learning: the gradient is right, the net gets better, and neither threads nor interruptions change a bit of it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from flipdeck.bots.net import read_net
from flipdeck.bulk import self_play
from flipdeck.bulk.features import FEATURES
from flipdeck.bulk.learning import (
    B1,
    B3,
    B4,
    HIDDEN,
    W2,
    W3,
    W4,
    WEIGHTS,
    backward,
    chance_of,
    forward,
    forward_from,
    last,
    loss_of,
)
from flipdeck.lab.run.report_folder import FolderRefused
from flipdeck.lab.train import trainer as trainer_module
from flipdeck.lab.train import training_run
from flipdeck.lab.train.trainer import State, Trainer, measure
from flipdeck.lab.train.training_folder import CHECKPOINT, TrainingFolder
from tests.patience import HANG

SEED, STEPS = "abc", 6
# a training in a process of its own, of small steps: it says when a step is kept, and waits within the one it is told
CHILD = """
import os, signal, sys
from flipdeck.cli import main
from flipdeck.lab.train import trainer, training_folder, training_run
trainer.ROUNDS, training_run.A_STEP = 2, 1
advance, keep = trainer.Trainer.advance, training_folder.TrainingFolder.keep
def advance_and_wait(self):
    progress = advance(self)
    if str(self.state.step) == os.environ.get("WAIT_AT"):
        print("waiting", flush=True)
        signal.pause()
    return progress
def keep_and_say(self, state, story):
    keep(self, state, story)
    print("kept", state.step, flush=True)
trainer.Trainer.advance, training_folder.TrainingFolder.keep = advance_and_wait, keep_and_say
sys.exit(main(["train", *sys.argv[1:]]))
"""


@pytest.fixture(autouse=True)
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trainer_module, "ROUNDS", 2)
    monkeypatch.setattr(training_run, "A_STEP", 1)


def weights_after(steps: int, jobs: int = 1) -> Any:
    trainer = Trainer(SEED, STEPS, jobs)
    for _ in range(steps):
        trainer.advance()
    trainer.close()
    return trainer.state.weights


def nothing(step: int, story: training_run.TrainingProgress) -> None:
    del step, story


# ---------------------------------------------------------------- the gradient
def test_the_gradient_is_the_slope_of_the_loss() -> None:
    """Interpreted, in double precision: against differences of the loss itself."""
    dice = Random(1)
    w = [dice.gauss(0, 0.1) for _ in range(WEIGHTS)]
    x = [dice.random() if dice.random() < 0.3 else 0.0 for _ in range(FEATURES)]
    h, d, grad, target, time = [0.0] * HIDDEN, [0.0] * HIDDEN, [0.0] * WEIGHTS, 0.3, 0.1

    def loss(i: int) -> float:
        """Of the time for the weights that only the time goes by, else of the chance."""
        chance = loss_of(chance_of(forward(w, x, h)), target)
        return loss_of(chance_of(last(w, h, W4)), time) if i >= W4 else chance

    error, late = chance_of(forward(w, x, h)) - target, chance_of(last(w, h, W4)) - time
    backward(w, x, h, error, late, d, grad)
    checked = [*dice.sample(range(B1), 60), *dice.sample(range(B1, W2), 10), *dice.sample(range(W2, WEIGHTS), 60)]
    for i in [*checked, B3, B4]:
        before, step = w[i], 1e-5
        w[i] = before + step
        above = loss(i)
        w[i] = before - step
        slope = (above - loss(i)) / (2 * step)
        w[i] = before
        assert grad[i] == pytest.approx(slope, rel=1e-4, abs=1e-7)
    assert sum(1 for i in checked if grad[i]) > 30


def test_what_time_teaches_changes_nothing_of_the_chances() -> None:
    dice = Random(4)
    w = [dice.gauss(0, 0.1) for _ in range(WEIGHTS)]
    x = [dice.random() for _ in range(FEATURES)]
    h, d, one, other = [0.0] * HIDDEN, [0.0] * HIDDEN, [0.0] * WEIGHTS, [0.0] * WEIGHTS
    forward(w, x, h)
    backward(w, x, h, 0.2, 0.5, d, one)
    backward(w, x, h, 0.2, -0.5, d, other)
    assert one[:W4] == other[:W4]
    assert one[B4] == -other[B4] == 0.5


def test_compiled_and_interpreted_gradients_are_the_same() -> None:
    dice = np.random.default_rng(2)
    w = dice.normal(0, 0.1, WEIGHTS).astype(np.float32)
    x = (dice.random((3, FEATURES)) * (dice.random((3, FEATURES)) < 0.3)).astype(np.float32)
    targets, times = np.array([0.0, 1.0, 0.4], np.float32), np.array([0.1, 0.9, 0.3], np.float32)
    grad, total = [0.0] * WEIGHTS, 0.0
    for row, target, time in zip(x.tolist(), targets.tolist(), times.tolist(), strict=True):
        h, d = [0.0] * HIDDEN, [0.0] * HIDDEN
        chance = chance_of(forward(w.tolist(), row, h))
        total += loss_of(chance, target)
        backward(w.tolist(), row, h, chance - target, chance_of(last(w.tolist(), h, W4)) - time, d, grad)
    room = self_play.room(0)
    assert self_play.add_gradients(w, x, targets, times, np.arange(3), room) == pytest.approx(total, rel=1e-4)
    np.testing.assert_allclose(room.gradient, grad, rtol=1e-3, atol=1e-4)


def test_moves_may_be_weighed_one_from_the_other() -> None:
    dice = Random(3)
    w = [dice.gauss(0, 0.1) for _ in range(WEIGHTS)]
    one, other = ([dice.choice((0.0, 0.5, 1.0)) for _ in range(FEATURES)] for _ in range(2))
    h = [0.0] * HIDDEN
    wanted = forward(w, other, h)
    before = one[:]
    forward(w, before, h)
    assert forward_from(w, before, other, h) == pytest.approx(wanted)
    assert before == other


# ---------------------------------------------------------------- learning
def test_what_it_learns_lowers_the_loss_on_rounds_it_has_not_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trainer_module, "ROUNDS", 32)
    monkeypatch.setattr(trainer_module, "WATCHES", 0)
    monkeypatch.setattr(trainer_module, "_CLASSIC", {2: 1})
    monkeypatch.setattr(trainer_module, "_HOUSE", ())
    other, trainer = Trainer("another seed", STEPS, 1), Trainer(SEED, STEPS, 2)
    unseen = other.play()
    rows = np.arange(len(unseen[0]))
    seen = trainer.play()
    before = trainer.gradient(*unseen, rows)[0] / len(rows)
    for _ in range(6):
        trainer.learn(*seen)
    after = trainer.gradient(*unseen, rows)[0] / len(rows)
    assert before == pytest.approx(np.log(2), abs=1e-3), "at the start it knows nothing"
    assert after < before - 0.01
    other.close()
    trainer.close()


def test_targets_are_results_mixed_with_later_opinions() -> None:
    trainer = Trainer(SEED, STEPS, 1)
    x, targets, times = trainer.play()
    assert len(x) == len(targets) == len(times) > 100
    assert targets.min() >= 0
    assert targets.max() == 1.0
    assert np.isin([0.0, 1.0], targets).all(), "the last decision of a seat has the result itself"
    assert ((targets > 0) & (targets < 1)).any()
    assert times.min() == 0, "the last decision of a round takes no time"
    assert 0 < times.mean() < times.max() <= 1
    trainer.close()


def test_the_net_does_not_depend_on_threads() -> None:
    assert np.array_equal(weights_after(3, jobs=1), weights_after(3, jobs=2))


def test_other_seeds_give_other_nets() -> None:
    assert not np.array_equal(State.fresh("a").weights, State.fresh("b").weights)
    assert np.array_equal(State.fresh("a").weights, State.fresh("a").weights)
    assert not State.fresh("a").weights[W3:].any()


def test_measuring_moves_the_net_from_seat_to_seat() -> None:
    weights = State.fresh(SEED).weights
    score = measure(weights, 2, "printed", 40, SEED)
    assert score == measure(weights, 2, "printed", 40, SEED, jobs=2)
    assert (score.rounds, score.players, score.pairing) == (40, 2, "printed")
    assert 0 < score.wins < 40


# ---------------------------------------------------------------- interruptions
def test_a_training_that_was_stopped_goes_on_as_if_nothing_had_happened(tmp_path: Path) -> None:
    whole = weights_after(STEPS)
    with TrainingFolder(str(tmp_path / "net"), SEED, STEPS) as folder:
        assert folder.state is None
        trainer = Trainer(SEED, STEPS, 1)
        for _ in range(3):
            trainer.advance()
        trainer.close()
        folder.keep(trainer.state, {"rounds": 5})
    with TrainingFolder(str(tmp_path / "net"), SEED, STEPS) as folder:
        assert folder.state is not None
        assert folder.state.step == 3
        about = training_run.train(folder, SEED, STEPS, 1, "the command", nothing)
    assert about["rounds"] == 5 + 3 * trainer_module.PIECES * trainer_module.ROUNDS
    assert np.array_equal(read_net(tmp_path / "net" / "net.npz")[0], whole)


def test_a_training_that_is_killed_ends_with_the_same_net(tmp_path: Path) -> None:
    arguments = ["--out", str(tmp_path / "net"), "--seed", SEED, "--steps", str(STEPS), "--jobs", "1"]
    environment = {**os.environ, "WAIT_AT": "3"}
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, *arguments], stdout=subprocess.PIPE, text=True, env=environment
    )
    assert child.stdout is not None
    with child.stdout:
        assert [child.stdout.readline() for _ in range(3)] == ["kept 1\n", "kept 2\n", "waiting\n"]
        os.kill(child.pid, signal.SIGKILL)
    assert child.wait(timeout=HANG) == -signal.SIGKILL
    assert not (tmp_path / "net" / "net.npz").exists()
    again = subprocess.run(
        [sys.executable, "-c", CHILD, *arguments], capture_output=True, text=True, timeout=HANG, check=True
    )
    assert again.stdout.splitlines()[0] == "kept 3", "it went on where it stood"
    assert f"Going on after step 2 of {STEPS}." in again.stderr
    assert np.array_equal(read_net(tmp_path / "net" / "net.npz")[0], weights_after(STEPS))


def test_what_a_killed_training_left_half_written_is_no_hindrance(tmp_path: Path) -> None:
    (tmp_path / ".flipdeck-123").write_bytes(b"half")
    with TrainingFolder(str(tmp_path), SEED, STEPS) as folder:
        folder.keep(State.fresh(SEED), {})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["training.lock", CHECKPOINT]


def test_two_trainings_do_not_share_a_folder(tmp_path: Path) -> None:
    with TrainingFolder(str(tmp_path), SEED, STEPS), pytest.raises(FolderRefused, match="Another training is writing"):
        TrainingFolder(str(tmp_path), SEED, STEPS).__enter__()
