"""The net bot: greedy play by a net that was trained in self-play; one evaluation per move, no search.

It reads its memory's picture of the table through ``bulk.card_counts`` and ``bulk.features``, the very functions it was
trained with.  It needs NumPy and no random numbers.  ``flipdeck train`` made its weights, and the file says how.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from ..bulk.arrays import np
from ..bulk.card_counts import EYES, look_around, printed_book
from ..bulk.features import FEATURES, LET_GO, sound_moves, write_features
from ..bulk.learning import B1, B2, B3, FIRST, SECOND, W1, W2, W3, WEIGHTS
from ..core.notation import Move
from ..core.reading import hand_in_order, move_named
from ..core.rules.hands import HALF
from ..core.rules.legal import legal_moves
from ..core.rules.moves import MAX_MOVES
from ..core.state import Game
from ..core.view import View
from .belief.memory import Memory

SHIPPED = Path(__file__).parent / "weights" / "net.npz"
FloatArray = np.ndarray[Any, np.dtype[np.float32]]


class Net:
    def __init__(self, weights: FloatArray) -> None:
        if weights.shape != (WEIGHTS,):
            raise ValueError(f"a net has {WEIGHTS} weights, not {weights.size}")
        self.weights = weights
        self._first, self._first_bias = weights[W1:B1].reshape(FEATURES, FIRST), weights[B1:W2]
        self._second, self._second_bias = weights[W2:B2].reshape(FIRST, SECOND), weights[B2:W3]
        self._last, self._last_bias = weights[W3:B3], weights[B3]

    def chances(self, x: FloatArray) -> FloatArray:
        """The chance to win after each of some moves; ``x`` has one row of features per move."""
        first = np.maximum(x @ self._first + self._first_bias, 0)
        second = np.maximum(first @ self._second + self._second_bias, 0)
        chances: FloatArray = 1 / (1 + np.exp(-(second @ self._last + self._last_bias)))
        return chances


def save_net(path: Path, weights: FloatArray, about: dict[str, Any]) -> None:
    """Save weights with their provenance: the command, the seed, the evaluation."""
    beside = path.with_name(f".flipdeck-{path.name}")  # then an atomic rename: there is never half a net
    with beside.open("wb") as file:
        np.savez_compressed(file, weights=weights, about=np.array(json.dumps(about)))
    beside.replace(path)


def read_net(path: Path) -> tuple[FloatArray, dict[str, Any]]:
    with np.load(path, allow_pickle=False) as file:
        return file["weights"].astype(np.float32), json.loads(str(file["about"]))


@cache
def shipped_net() -> Net:
    return Net(read_net(SHIPPED)[0])


class NetBot:
    name = "net"

    def __init__(self, net: Net | None = None) -> None:
        self._net = net or shipped_net()

    def choose(self, view: View, legal: Sequence[Move], memory: Memory, rng: random.Random) -> Move:
        del view, legal, rng
        move = self._best(memory)
        assert move is not None  # noqa: S101  # on turn there is no letting go
        return move

    def interrupt(self, view: View, legal: Sequence[Move], memory: Memory, rng: random.Random) -> Move | None:
        del view, legal, rng
        return self._best(memory)

    def close(self) -> None:
        pass

    def _best(self, memory: Memory) -> Move | None:
        g, seat = memory.game, memory.seat
        out = [0] * MAX_MOVES
        moves = out[: sound_moves(g, seat, out, legal_moves(g, seat, out))]
        best = moves[0]
        if len(moves) > 1:
            best = moves[int(np.argmax(self._net.chances(positions(g, seat, moves, known_cards(g, seat)))))]
        return None if best == LET_GO else move_named(g, best, memory.options.own_backs)


def positions(g: Game, seat: int, moves: Sequence[int], known: tuple[int, int]) -> FloatArray:
    """The features of some moves of a seat; ``known`` are the held cards of others whose fronts it knows."""
    eyes, x = [0.0] * EYES, [0.0] * FEATURES
    look_around(g, seat, *known, _book(), eyes)
    rows = np.empty((len(moves), FEATURES), np.float32)
    for row, move in zip(rows, moves, strict=True):
        write_features(g, seat, move, eyes, x)
        row[:] = x
    return rows


def known_cards(g: Game, seat: int) -> tuple[int, int]:
    """The held cards of others whose fronts are in the picture, as a bit set in two halves."""
    known = [0, 0]
    for other in range(g.players):
        for card in hand_in_order(g, other) if other != seat else ():
            if g.faces[g.side + card] >= 0:
                known[card // HALF] |= 1 << card % HALF
    return known[0], known[1]


def open_cards(memory: Memory) -> tuple[int, int]:
    """The held cards of others that this seat knows, and its own that everybody has known since a flip.

    With two seats, that is what each knows of the other.
    """
    low, high = known_cards(memory.game, memory.seat)
    for card in hand_in_order(memory.game, memory.seat):
        if memory.game.arrived[card] <= memory.flipped_at:
            low, high = (low | 1 << card, high) if card < HALF else (low, high | 1 << card - HALF)
    return low, high


@cache
def _book() -> list[int]:
    return printed_book()
