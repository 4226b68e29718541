"""Players that are programs.  A bot sees what its seat sees, a View, and answers with a Move: there is no other way.

    player = Player(bot_named("sharp"), seat=1, players=3, options=match.options, rng=random.Random(7))
    player.see(match.seen(events, 1), match.view(1))    after every deal and every move: what its seat saw of it
    player.answer(match.view(1))                        what it says now, on turn or not

``levels`` has the table of the ladder, ``registry`` the names, ``table`` a whole match among players.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Protocol

from ..core.notation import Move
from ..core.view import View
from .belief.memory import Memory


class Bot(Protocol):
    """The dice are an argument: the same views, the same memory of them and the same dice give the same answer."""

    @property
    def name(self) -> str: ...

    def choose(self, view: View, legal: Sequence[Move], memory: Memory, rng: random.Random) -> Move:
        """What to say on turn: one of ``legal``."""
        ...

    def interrupt(self, view: View, legal: Sequence[Move], memory: Memory, rng: random.Random) -> Move | None:
        """What to say out of turn (catch somebody, say UNO late, jump in): one of ``legal``, or None to let it go."""
        ...

    def close(self) -> None:
        """The match is over; nothing more will be asked."""
        ...
