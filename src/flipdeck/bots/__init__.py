"""Players that are programs.  A bot sees what its seat sees, a View, and answers with a Move: there is no other way."""

from __future__ import annotations

import random
from typing import Protocol

from ..core.notation import Move
from ..core.view import View


class Bot(Protocol):
    def choose(self, view: View, rng: random.Random) -> Move | None:
        """What to say now, one of ``view.legal``; None lets the moment go, where it is somebody else's turn.

        The dice are an argument: the same view and the same dice give the same answer.
        """
        ...
