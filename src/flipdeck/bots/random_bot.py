"""Uniformly random legal play that never forgets UNO: the baseline."""

from __future__ import annotations

import random
from collections.abc import Sequence

from ..core.notation import Move, Play, SayUno
from ..core.view import View
from .belief.memory import Memory
from .player import in_earnest


class RandomBot:
    name = "random"

    def choose(self, view: View, legal: Sequence[Move], memory: Memory, rng: random.Random) -> Move:
        del memory
        return _with_uno(rng.choice(in_earnest(legal, view)), legal)

    def interrupt(self, view: View, legal: Sequence[Move], memory: Memory, rng: random.Random) -> Move | None:
        """Its own UNO if it is late; else any move, or none, at random."""
        del memory
        if SayUno() in legal:
            return SayUno()
        move = rng.choice([*in_earnest(legal, view), None])
        return None if move is None else _with_uno(move, legal)

    def close(self) -> None:
        pass


def _with_uno(move: Move, legal: Sequence[Move]) -> Move:
    if isinstance(move, Play) and (loud := Play(move.card, move.color, True)) in legal:
        return loud
    return move
