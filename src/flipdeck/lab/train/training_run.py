"""A training run: steps, evaluations in between, and at the end the net with its metadata."""

from __future__ import annotations

import platform
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from time import perf_counter
from typing import Any

import numpy as np

from ... import __version__
from ...bots.net import read_net, save_net
from ...bulk.arrays import numba
from ...bulk.features import FEATURES
from ...bulk.learning import FIRST, SECOND
from ..stats.intervals import wilson
from .trainer import TRUST, YARDSTICK, Evaluation, Trainer, measure
from .training_folder import NET, TrainingFolder

MEASURED = 2000  # rounds per point of the learning curve: ± 2.2 percentage points
EVERY = 20  # steps between two points
FINALLY = 20_000  # rounds per figure of the final evaluation; in a short run …
A_STEP = 50  # … this many per step
CURVE = ((2, "shuffled"), (4, "shuffled"))
FINAL = tuple((players, pairing) for pairing in ("shuffled", "printed") for players in (2, 3, 4))


@dataclass
class TrainingProgress:
    """The progress of a training."""

    seconds: float = 0.0  # of work, without interruptions
    rounds: int = 0
    positions: int = 0
    loss: float = 0.0  # of the last step, in nats per position
    curve: list[list[float]] = field(default_factory=list)  # step, then the win rate at each table of CURVE


OnStep = Callable[[int, TrainingProgress], None]


def train(folder: TrainingFolder, seed: str, steps: int, jobs: int, command: str, on_step: OnStep) -> dict[str, Any]:
    """Train to the end; the metadata of the net."""
    if folder.state and folder.state.step == steps and (folder.path / NET).exists():
        return read_net(folder.path / NET)[1]
    trainer = Trainer(seed, steps, jobs, folder.state)
    progress = TrainingProgress(**folder.progress)
    try:
        trainer.warm_up()
        while trainer.state.step < steps:
            _one_step(trainer, progress, jobs)
            folder.keep(trainer.state, asdict(progress))
            on_step(trainer.state.step, progress)
    finally:
        trainer.close()
    about = _about(trainer, progress, command, evaluation(trainer, jobs))
    save_net(folder.path / NET, trainer.state.weights, about)
    return about


def _one_step(trainer: Trainer, progress: TrainingProgress, jobs: int) -> None:
    began = perf_counter()
    result = trainer.advance()
    step = trainer.state.step
    if step % EVERY == 0 or step == trainer.steps:
        rounds = min(MEASURED, A_STEP * trainer.steps)
        scores = [measure(trainer.state.weights, *table, rounds, trainer.seed, jobs) for table in CURVE]
        progress.curve.append([step, *(score.rate for score in scores)])
    progress.loss = result.loss
    progress.rounds += result.rounds
    progress.positions += result.kept
    progress.seconds += perf_counter() - began


def evaluation(trainer: Trainer, jobs: int) -> list[dict[str, Any]]:
    """One net against steady players, on rounds it was not trained on."""
    rounds = min(FINALLY, A_STEP * trainer.steps)
    scores = [measure(trainer.state.weights, *table, rounds, trainer.seed + " at last", jobs) for table in FINAL]
    return [_to_dict(score) for score in scores]


def _to_dict(score: Evaluation) -> dict[str, Any]:
    interval = wilson(score.rate, score.rounds)
    return {**asdict(score), "against": YARDSTICK, "win_rate": score.rate, "low": interval.low, "high": interval.high}


def _about(trainer: Trainer, progress: TrainingProgress, command: str, scores: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "flipdeck": __version__,
        "command": command,
        "seed": trainer.seed,
        "steps": trainer.steps,
        "rounds": progress.rounds,
        "positions": progress.positions,
        "seconds": round(progress.seconds),
        "layers": [FEATURES, FIRST, SECOND, 2],
        "trust": TRUST,
        "made_with": {"python": platform.python_version(), "numpy": np.__version__, "numba": numba.__version__},
        "evaluation": scores,
        "curve": progress.curve,
    }
