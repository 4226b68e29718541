"""Bots.  A bot gets what its seat sees, a ``View``, and answers with a ``Move``: there is no other channel.

    player = BotPlayer(bot_named("sharp"), seat=1, players=3, options=match.options, rng=random.Random(7))
    player.see(match.seen(events, 1), match.view(1))    # after every deal and every move
    player.answer(match.view(1))                        # its move, on turn or not

``levels`` has the parameters of the ladder, ``registry`` the names, ``match_runner`` plays a match among players.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Protocol

from ..core.notation import Move
from ..core.view import View
from .belief.memory import Memory

__all__ = ["Bot", "Memory"]


class Bot(Protocol):
    """Deterministic given its arguments: the same view, memory and random numbers give the same answer."""

    @property
    def name(self) -> str: ...

    def choose(self, view: View, legal: Sequence[Move], memory: Memory, rng: random.Random) -> Move:
        """The move on turn: one of ``legal``."""
        ...

    def interrupt(self, view: View, legal: Sequence[Move], memory: Memory, rng: random.Random) -> Move | None:
        """The move out of turn (a catch, a late UNO, a jump-in): one of ``legal``, or None to let the moment go."""
        ...

    def close(self) -> None:
        """The match is over: release resources."""
        ...
