"""Counts the questions that another level answered, and logs them: a line a second at most for each reason."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter

from ...wire.parts import SubstituteReason
from ..logs import log_event

LOG_SECONDS = 1.0
log = logging.getLogger("flipdeck.bots")


class Substitutions:
    def __init__(self) -> None:
        self.counts: Counter[SubstituteReason] = Counter()
        self._logged: Counter[SubstituteReason] = Counter()
        self._next_line: dict[SubstituteReason, float] = {}

    def note(self, reason: SubstituteReason) -> None:
        """One more; the next line has all that came since the last."""
        self.counts[reason] += 1
        now = asyncio.get_running_loop().time()
        if now >= self._next_line.get(reason, now):
            self._next_line[reason] = now + LOG_SECONDS
            new = self.counts[reason] - self._logged[reason]
            self._logged[reason] = self.counts[reason]
            log_event(log, "bot-substituted", reason=reason, count=new)
