"""Bots in this process, with seeded randomness: for simulations over virtual time, and for small tests.

While one thinks, nothing else happens.  The same questions get the same answers at every level that needs no clock:
only Master does, unless it is given a number of determinizations.
"""

from __future__ import annotations

import logging
import random
from collections import Counter
from dataclasses import replace

from ...bots.registry import INSTEAD
from ...wire.parts import Substitute, SubstituteReason
from ..default_move import default_move
from .memories import MOST_MEMORIES, Memories
from .port import BotAnswer, Question
from .search_status import SearchStatus

log = logging.getLogger(__name__)


class InlineThinkers:
    def __init__(self, seed: int | str = 0, room: int = MOST_MEMORIES) -> None:
        self.failures = 0
        self.restarts = 0  # there is no process to replace
        self.substituted: Counter[SubstituteReason] = Counter()
        self.search = SearchStatus(warming=False)  # what has to be compiled is waited for
        self._memories = Memories(lambda who: random.Random(f"{seed}/{who}"), room=room)  # noqa: S311  # it decides no card

    async def start(self) -> None:
        """Nothing to start."""

    async def ask(self, question: Question) -> BotAnswer:
        view = question.shown[-1].view
        substitute = self.search.substitute_for(question.level)
        if substitute is not None:
            question = replace(question, level=INSTEAD)
            self.substituted[substitute.reason] += 1
        try:
            move = self._memories.answer(question)
        except Exception:
            log.exception("a bot failed")
        else:
            if move in view.legal or (move is None and view.to_act != view.you):
                return BotAnswer(move, substitute)
        self.failures += 1
        self.substituted["failed"] += 1
        return BotAnswer(default_move(view) if view.to_act == view.you else None, Substitute(None, "failed"))

    def forget(self, who: str) -> None:
        self._memories.forget(who)

    async def close(self) -> None:
        """Nothing to close."""
