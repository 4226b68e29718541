"""Whether the compiled search is there, which two levels need: what a server can play, and who plays meanwhile."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Literal, get_args

from ...bots.registry import INSTEAD, can_search, needs_search
from ...wire.parts import BotLevel, Substitute
from ..logs import log_event

ALL_LEVELS: tuple[BotLevel, ...] = get_args(BotLevel)
PLAIN_LEVELS = tuple(level for level in ALL_LEVELS if not needs_search(level))
log = logging.getLogger("flipdeck.bots")


class SearchStatus:
    def __init__(self, *, warming: bool, wanted: bool = True) -> None:
        """``warming``: it has to be loaded first, and ``set_ready`` or ``set_unavailable`` will be called."""
        self.state: Literal["warming-up", "ready", "unavailable"]
        self.state = "warming-up" if warming else "ready"
        if not (wanted and can_search()):
            self.state = "unavailable"
        self._since: float | None = None
        self._watchers: list[Callable[[], None]] = []

    @property
    def levels(self) -> tuple[BotLevel, ...]:
        """What this server can play, once it is warm."""
        return PLAIN_LEVELS if self.state == "unavailable" else ALL_LEVELS

    def substitute_for(self, level: str) -> Substitute | None:
        """Who plays in the place of this level for now, whatever the question."""
        if self.state == "ready" or not needs_search(level):
            return None
        return Substitute(INSTEAD, self.state)

    def watch(self, changed: Callable[[], None]) -> None:
        """Call this whenever ``levels`` or ``substitute_for`` may have another answer."""
        self._watchers.append(changed)

    # ------------------------------------------------------------ for those who load it
    def begin(self) -> None:
        self._since = asyncio.get_running_loop().time()
        if self.state == "unavailable":
            log_event(log, "search-unavailable", logging.WARNING, reason="not-installed")

    def set_ready(self) -> None:
        if self.state != "ready":
            log_event(log, "search-ready", seconds=round(self._seconds(), 1))
            self._change("ready")

    def set_unavailable(self) -> None:
        if self.state != "unavailable":
            log_event(
                log, "search-unavailable", logging.ERROR, reason="not-compiled", seconds=round(self._seconds(), 1)
            )
            self._change("unavailable")

    def _seconds(self) -> float:
        now = asyncio.get_running_loop().time()
        return now - (now if self._since is None else self._since)

    def _change(self, state: Literal["ready", "unavailable"]) -> None:
        self.state = state
        for changed in self._watchers:
            changed()
