"""Training by self-play: the net plays rounds against itself and simpler players, and fits the results.

A run resumes from its ``State`` alone.  The rounds of a step depend on the seed of the run, the number of the step and
the weights at its start, and are split into pieces of fixed size: neither an interruption nor the number of threads
changes a bit of the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np

from ...bots.net import FloatArray
from ...bulk import policies, self_play
from ...bulk.batches import Setting, run_key
from ...bulk.card_counts import printed_book
from ...bulk.learning import B1, B2, FIRST, W1, W2, WEIGHTS
from ...bulk.self_play import Lesson, Room, room
from ...core.seeds import derived_seed, seed_of

PIECES, ROUNDS = 8, 48  # pieces per step, rounds per piece
ROOM = 8192  # decisions kept per piece; a round has some 60
BATCH, PARTS = 1024, 2  # positions per update of the weights, and in how many parts they are summed
FASTEST, SLOWEST = 1e-3, 2e-5  # learning rate at the start of a run and at its end
WANDERS, SETTLES = 0.10, 0.02  # exploration: share of random moves, at the start and at the end
WATCHES = 5  # steps at the start with random moves only: an untrained net would draw for ever
TRUST = 0.2  # bootstrapping: share of a target that is the net's own later estimate; the rest is the result
RIVALS = ("eager", "steady")
YARDSTICK = "steady"

# players: how often, out of 64
_CLASSIC = {2: 18, 3: 8, 4: 14, 5: 3, 6: 2, 7: 1, 8: 1, 10: 1}  # … with either pairing in turn
_HOUSE: tuple[tuple[int, dict[str, object]], ...] = (
    (2, {"stacking": True}),
    (3, {"stacking": True, "jump_in": True}),
    (4, {"jump_in": True}),
    (2, {"draw_until_playable": True}),
    (4, {"draw_until_playable": True, "forced_play": True}),
    (2, {"two_player_reverse": "turn"}),
    (3, {"bluffing": False}),
    (4, {"wilds_match_in_challenge": True}),
)


def tables() -> tuple[Any, Any]:
    """Undealt games with their options set, and the lottery: which of them is played in round i."""
    settings: list[Setting] = []
    lottery: list[int] = []
    for players, share in _CLASSIC.items():
        for pairing in ("shuffled", "printed"):
            lottery += [len(settings)] * share
            settings.append(Setting("classic", players, {"scoring": "quick", "pairing": pairing}))
    for players, options in _HOUSE:
        lottery += [len(settings)] * 2
        settings.append(Setting("classic", players, {"scoring": "quick", **options}))
    games = np.concatenate([setting.games() for setting in settings])
    games["logging"] = 0
    spread = [lottery[i * 37 % len(lottery)] for i in range(len(lottery))]  # neighbors differ
    return games, np.array(spread, np.int64)


@dataclass
class State:
    """The state of a run between two steps."""

    step: int
    corrections: int
    weights: FloatArray
    mean: FloatArray  # of the gradients
    square: FloatArray  # of their squares

    @classmethod
    def fresh(cls, seed: str) -> State:
        """Random weights from the seed; the last layer is zero, so that the first moves are plays."""
        dice = np.random.default_rng(list(derived_seed(seed_of(seed), "weights")))
        weights = np.zeros(WEIGHTS, np.float32)
        weights[W1:B1] = dice.standard_normal(B1 - W1) * sqrt(2 / 88)  # some 88 features are not 0
        weights[W2:B2] = dice.standard_normal(B2 - W2) * sqrt(2 / FIRST)
        return cls(0, 0, weights, np.zeros(WEIGHTS, np.float32), np.zeros(WEIGHTS, np.float32))


@dataclass(frozen=True)
class StepResult:
    """The loss and the counts of one step."""

    loss: float
    rounds: int
    decisions: int
    kept: int


class Trainer:
    def __init__(self, seed: str, steps: int, jobs: int, state: State | None = None) -> None:
        self.seed, self.steps = seed, steps
        self.state = state or State.fresh(seed)
        self._lesson = Lesson(
            *tables(),
            key=run_key(derived_seed(seed_of(seed), "training")),
            rivals=_numbers(RIVALS),
            book=np.array(printed_book(), np.int64),
            weights=self.state.weights,
            learning=1,
            wander=0.0,
            trust=TRUST,
        )
        self._rooms = [room(ROOM) for _ in range(PIECES)]
        self._pool = ThreadPoolExecutor(jobs)

    def warm_up(self) -> None:
        """Compile, or read the cache, before the clock starts; nothing is learnt."""
        self_play.play_rounds(self._lesson._replace(weights=self.state.weights), 0, 1, self._rooms[0])
        room = self._rooms[0]
        self.gradient(room.x, room.targets, room.times, np.arange(1))

    def close(self) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)

    def between(self, first: float, last: float) -> float:
        """A linear schedule from ``first`` at the start of the run to ``last`` at its end."""
        return first + (last - first) * self.state.step / self.steps

    def advance(self) -> StepResult:
        """One step: self-play with the current weights, then updates from its positions."""
        x, targets, times = self.play()
        loss = self.learn(x, targets, times)
        self.state.step += 1
        tally = sum((room.tally for room in self._rooms), np.zeros(4, np.int64))
        return StepResult(loss, int(tally[self_play.ROUNDS]), int(tally[self_play.DECISIONS]), len(x))

    def play(self) -> tuple[Any, Any, Any]:
        """Self-play of this step: features, targets and times of every kept decision."""
        wander = 1.0 if self.state.step < WATCHES else self.between(WANDERS, SETTLES)
        lesson = self._lesson._replace(weights=self.state.weights, wander=wander)
        first = self.state.step * PIECES * ROUNDS

        def piece(number: int) -> None:
            self_play.play_rounds(lesson, first + number * ROUNDS, ROUNDS, self._rooms[number])

        list(self._pool.map(piece, range(PIECES)))
        kept = [int(room.tally[self_play.KEPT]) for room in self._rooms]
        rooms = list(zip(self._rooms, kept, strict=True))
        x = np.concatenate([room.x[:n] for room, n in rooms])
        targets = np.concatenate([room.targets[:n] for room, n in rooms])
        return x, targets, np.concatenate([room.times[:n] for room, n in rooms])

    def learn(self, x: Any, targets: Any, times: Any) -> float:
        """Update the weights with each position once; batch k has every nth position from k.  The mean loss before."""
        batches = max(1, len(x) // BATCH)
        rate = self.between(FASTEST, SLOWEST)
        total = 0.0
        for batch in range(batches):
            rows = np.arange(batch, len(x), batches)
            loss, gradient = self.gradient(x, targets, times, rows)
            correct(self.state, gradient, rate)
            total += loss
        return total / max(len(x), 1)

    def gradient(self, x: Any, targets: Any, times: Any, rows: Any) -> tuple[float, FloatArray]:
        """The sum of the losses, and the mean gradient: parts of fixed size, added in a fixed order."""
        rooms, parts = self._rooms[:PARTS], np.array_split(rows, PARTS)

        def add(room: Room, part: Any) -> float:
            return float(self_play.add_gradients(self.state.weights, x, targets, times, part, room))

        loss = sum(self._pool.map(add, rooms, parts))
        gradient = sum((room.gradient for room in rooms), np.zeros(WEIGHTS, np.float32))
        return loss, gradient / np.float32(max(len(rows), 1))


def correct(state: State, gradient: FloatArray, rate: float) -> None:
    """One step of Adam."""
    state.corrections += 1
    state.mean += (gradient - state.mean) * np.float32(0.1)
    state.square += (gradient * gradient - state.square) * np.float32(0.001)
    mean = state.mean / np.float32(1 - 0.9**state.corrections)
    square = state.square / np.float32(1 - 0.999**state.corrections)
    state.weights -= np.float32(rate) * mean / (np.sqrt(square) + np.float32(1e-8))


def _numbers(names: Sequence[str]) -> Any:
    return np.array([policies.NAMES.index(name) for name in names], np.int64)


# ---------------------------------------------------------------- measuring
@dataclass(frozen=True)
class Evaluation:
    players: int
    pairing: str
    rounds: int
    wins: int

    @property
    def rate(self) -> float:
        return self.wins / self.rounds


def measure(
    weights: FloatArray, players: int, pairing: str, rounds: int, seed: str, jobs: int = 1, rival: str = YARDSTICK
) -> Evaluation:
    """Evaluate one net against rivals in all other seats; the net's seat rotates from round to round."""
    games = Setting("classic", players, {"scoring": "quick", "pairing": pairing}).games()
    games["logging"] = 0
    lesson = Lesson(
        templates=games,
        lottery=np.zeros(1, np.int64),
        key=run_key(derived_seed(seed_of(seed), f"measuring {players} {pairing}")),
        rivals=_numbers((rival,)),
        book=np.array(printed_book(), np.int64),
        weights=weights,
        learning=0,
        wander=0.0,
        trust=0.0,
    )

    def some(first: int) -> int:
        here = room(0)
        self_play.play_rounds(lesson, first, min(ROUNDS, rounds - first), here)
        return int(here.tally[self_play.WINS])

    with ThreadPoolExecutor(jobs) as pool:
        wins = sum(pool.map(some, range(0, rounds, ROUNDS)))
    return Evaluation(players, pairing, rounds, wins)
