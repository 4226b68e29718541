"""Bots in this process, with seeded randomness: for simulations over virtual time, and for small tests.

While one thinks, nothing else happens.  The same questions get the same answers at every level that needs no clock:
only Master does, unless it is given a number of determinizations.
"""

from __future__ import annotations

import logging
import random

from ...core.notation import Move
from ..default_move import default_move
from .memories import MOST_MEMORIES, Memories
from .port import Question

log = logging.getLogger(__name__)


class InlineThinkers:
    def __init__(self, seed: int | str = 0, room: int = MOST_MEMORIES) -> None:
        self.failures = 0
        self.restarts = 0  # there is no process to replace
        self.hurried = 0  # and no queue
        self._memories = Memories(lambda who: random.Random(f"{seed}/{who}"), room=room)  # noqa: S311  # it decides no card

    async def start(self) -> None:
        """Nothing to start."""

    async def ask(self, question: Question) -> Move | None:
        view = question.shown[-1].view
        try:
            move = self._memories.answer(question)
        except Exception:
            log.exception("a bot failed")
        else:
            if move in view.legal or (move is None and view.to_act != view.you):
                return move
        self.failures += 1
        return default_move(view) if view.to_act == view.you else None

    def forget(self, who: str) -> None:
        self._memories.forget(who)

    async def close(self) -> None:
        """Nothing to close."""
