"""Time that passes only when nobody has anything to do: an event loop whose clock jumps to the next timer.

Whatever waits for seconds or hours is over at once, in the right order, and the same each time it is run.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class _NothingToWaitFor(selectors.SelectSelector):
    """Instead of waiting for a while, lets the clock of its loop go on by as much."""

    loop: VirtualLoop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if not ready:
            if timeout is None:
                raise RuntimeError("everybody waits, and nothing will ever happen")
            self.loop.now += timeout
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self.now = 1000.0
        selector = _NothingToWaitFor()
        selector.loop = self
        super().__init__(selector)

    def time(self) -> float:
        return self.now


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    """``asyncio.run`` over virtual time."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(coroutine)
