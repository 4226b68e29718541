"""Hints: every legal move of a seat with its estimated chance to win the round, and one short reason.

    for hint in hints(match.view(1), match.options, rng=random.Random(7)):
        print(hint.move, hint.chance, hint.reason.kind)

They are as honest as the bots: they know what the view shows, and what a memory remembers if there is one.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from .. import bulk
from ..bulk.heuristic import BLUFF, followers, likely_guilty, worth_of_play
from ..core.codes import CARDS
from ..core.errors import BadRequest
from ..core.notation import CallColor, Catch, Challenge, Move, Play, SayUno
from ..core.options import Options
from ..core.reading import moves_of
from ..core.rules.moves import COLOR_BITS, COLOR_SHIFT
from ..core.view import View
from .belief.memory import Memory
from .player import is_forced_keep, worth_trying
from .reasons import Reason, Reasons

if TYPE_CHECKING:
    from .master import Tried

SECONDS = 0.25
PASS = "pass"  # noqa: S105  # how letting the moment go is written


@dataclass(frozen=True, slots=True)
class Hint:
    """``move`` is None for letting the moment go, out of turn.

    ``chance`` is None for moves that were not searched: a play without the UNO that is due, a catch in vain, a forced
    keep, and every move where ``flipdeck[bulk]`` is missing.
    """

    move: Move | None
    chance: float | None
    reason: Reason
    worlds: int = 0  # determinizations in which it was tried

    def to_dict(self) -> dict[str, object]:
        """The JSON form."""
        return {
            "move": PASS if self.move is None else str(self.move),
            "chance": None if self.chance is None else round(self.chance, 4),
            "worlds": self.worlds,
            "reason": self.reason.to_dict(),
        }


def hints(
    view: View,
    options: Options,
    memory: Memory | None = None,
    *,
    rng: random.Random,
    seconds: float = SECONDS,
    worlds: int | None = None,
) -> list[Hint]:
    """A hint for every legal move, the best first; out of turn, one more for letting the moment go.

    ``memory`` has seen this view last; without it, the view is all that is known.  ``worlds`` instead of ``seconds``
    gives the same hints on every machine.
    """
    if view.you is None:
        raise BadRequest("view-spectator")
    if not view.legal:
        return []
    if memory is None:
        memory = Memory(options, view.players, view.you)
        memory.see((), view)
    why = Reasons(view, memory).why
    moves: list[Move | None] = [*worth_trying(view.legal, view), *([] if view.to_act == view.you else [None])]
    left = [Hint(move, None, why(move)) for move in view.legal if move not in moves]
    if is_forced_keep(view):
        return [*(Hint(move, None, why(move)) for move in moves), *left]
    if not bulk.available():
        return [*(Hint(move, None, why(move)) for move in by_judgement(memory, moves)), *left]
    tried = _try_moves(memory, moves, rng, seconds, worlds)
    # a dropped move had done worse in the same worlds; later luck of the others must not put it in front
    chances = accumulate((each.chance for each in tried), min)
    return [*(Hint(it.move, chance, why(it.move), it.worlds) for it, chance in zip(tried, chances, strict=True)), *left]


def _try_moves(
    memory: Memory, moves: Sequence[Move | None], rng: random.Random, seconds: float, worlds: int | None
) -> list[Tried]:
    from .master import Master

    if worlds is None:  # loading and compiling must not count as thinking time
        Master(worlds=1).tried(memory, moves[:1], random.Random(0))  # noqa: S311
    return Master(seconds, worlds).tried(memory, moves, rng)


def by_judgement(memory: Memory, moves: Sequence[Move | None]) -> list[Move | None]:
    """The order of the Regular's heuristic, without search: free calls, honest plays, plain answers, bluffs, and last
    letting the moment go."""
    g, seat = memory.game, memory.seat
    numbers = moves_of(g, seat, memory.options.own_backs)

    def worth(move: Move | None) -> tuple[int, float]:
        if move is None:
            return 0, 0
        if isinstance(move, SayUno | Catch):
            return 4, 0
        if isinstance(move, Play):
            worth = worth_of_play(g, seat, numbers[move])
            return 1 if worth < -BLUFF // 2 else 3, worth
        if isinstance(move, CallColor):
            return 3, followers(g, seat, g.side, numbers[move] >> COLOR_SHIFT & COLOR_BITS, 0, CARDS)
        return 2, likely_guilty(g) if isinstance(move, Challenge) else 0.5

    return sorted(moves, key=worth, reverse=True)
