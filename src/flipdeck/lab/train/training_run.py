"""A training from where it stands to its end: steps, measurements in between, the net and its story at last."""

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

MEASURED = 2000  # rounds a point of the curve: good to ± 2.2 points
EVERY = 20  # steps between two points
FINALLY = 20_000  # rounds a figure of the final evaluation, or in a short run so many …
A_STEP = 50  # … for each of its steps
CURVE = ((2, "shuffled"), (4, "shuffled"))
FINAL = tuple((players, pairing) for pairing in ("shuffled", "printed") for players in (2, 3, 4))


@dataclass
class TrainingProgress:
    """What is told of a training."""

    seconds: float = 0.0  # of work, interruptions left out
    rounds: int = 0
    positions: int = 0
    loss: float = 0.0  # of the last step, in nats a position
    curve: list[list[float]] = field(default_factory=list)  # step, then the share won at each table of CURVE


OnStep = Callable[[int, TrainingProgress], None]


def train(folder: TrainingFolder, seed: str, steps: int, jobs: int, command: str, tell: OnStep) -> dict[str, Any]:
    """Go on to the end; what the file of the net says about it."""
    if folder.state and folder.state.step == steps and (folder.path / NET).exists():
        return read_net(folder.path / NET)[1]
    trainer = Trainer(seed, steps, jobs, folder.state)
    story = TrainingProgress(**folder.story)
    try:
        trainer.warm_up()
        while trainer.state.step < steps:
            _one_step(trainer, story, jobs)
            folder.keep(trainer.state, asdict(story))
            tell(trainer.state.step, story)
    finally:
        trainer.close()
    about = _about(trainer, story, command, evaluation(trainer, jobs))
    save_net(folder.path / NET, trainer.state.weights, about)
    return about


def _one_step(trainer: Trainer, story: TrainingProgress, jobs: int) -> None:
    began = perf_counter()
    progress = trainer.advance()
    step = trainer.state.step
    if step % EVERY == 0 or step == trainer.steps:
        rounds = min(MEASURED, A_STEP * trainer.steps)
        scores = [measure(trainer.state.weights, *table, rounds, trainer.seed, jobs) for table in CURVE]
        story.curve.append([step, *(score.rate for score in scores)])
    story.loss = progress.loss
    story.rounds += progress.rounds
    story.positions += progress.kept
    story.seconds += perf_counter() - began


def evaluation(trainer: Trainer, jobs: int) -> list[dict[str, Any]]:
    """One net against steady players, on rounds that it has not learnt from."""
    rounds = min(FINALLY, A_STEP * trainer.steps)
    scores = [measure(trainer.state.weights, *table, rounds, trainer.seed + " at last", jobs) for table in FINAL]
    return [_told(score) for score in scores]


def _told(score: Evaluation) -> dict[str, Any]:
    interval = wilson(score.rate, score.rounds)
    return {**asdict(score), "against": YARDSTICK, "win_rate": score.rate, "low": interval.low, "high": interval.high}


def _about(trainer: Trainer, story: TrainingProgress, command: str, scores: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "flipdeck": __version__,
        "command": command,
        "seed": trainer.seed,
        "steps": trainer.steps,
        "rounds": story.rounds,
        "positions": story.positions,
        "seconds": round(story.seconds),
        "layers": [FEATURES, FIRST, SECOND, 2],
        "trust": TRUST,
        "made_with": {"python": platform.python_version(), "numpy": np.__version__, "numba": numba.__version__},
        "evaluation": scores,
        "curve": story.curve,
    }
