"""An event loop whose clock a test steers, while sockets, threads and processes are real.

The clock runs like any other until it is stopped.  While it stands, no time limit runs out and no rate limit refills,
however slow the machine is; ``advance`` lets pass as much time as the test is about.  (Where nothing is real, the
clock of ``virtual`` needs no steering.)
"""

from __future__ import annotations

import asyncio
import functools
import selectors
import threading
import time
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from tests.patience import HANG

T = TypeVar("T")
_LOOK_AGAIN = 0.002  # seconds, real ones


class _Selector(selectors.DefaultSelector):
    """Waits for as long as it takes the clock of its loop."""

    loop: SteeredLoop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is not None and timeout > 0:
            timeout = timeout / self.loop.rate if self.loop.rate else None
        return super().select(timeout)


class SteeredLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self.rate = 1.0  # seconds of this clock in one real second
        self._shown, self._since = 1000.0, time.monotonic()
        selector = _Selector()
        selector.loop = self
        super().__init__(selector)

    def time(self) -> float:
        return self._shown + (time.monotonic() - self._since) * self.rate

    def run_clock(self, rate: float = 1.0) -> None:
        self._shown, self._since = self.time(), time.monotonic()
        self.rate = rate

    def stop_clock(self) -> None:
        self.run_clock(0.0)

    def advance(self, seconds: float) -> None:
        """What is due by then happens as soon as the loop is at it."""
        self._shown += seconds


def steered_loop() -> SteeredLoop:
    """The one that runs."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, SteeredLoop)
    return loop


async def eventually(true: Callable[[], bool]) -> None:
    """Looks again and again, by a real clock: the one of the loop may stand."""
    while not true():
        await asyncio.to_thread(time.sleep, _LOOK_AGAIN)


async def advance_until(true: Callable[[], bool], step: float) -> None:
    """Lets time pass step by step: one limit may begin where another ends."""
    while not true():
        steered_loop().advance(step)
        await asyncio.to_thread(time.sleep, _LOOK_AGAIN)


async def _guarded(story: Coroutine[Any, Any, T]) -> T:
    """Ends a story that hangs, by a real clock."""
    loop, task = asyncio.get_running_loop(), asyncio.create_task(story)
    hung = threading.Timer(HANG, loop.call_soon_threadsafe, [task.cancel])
    hung.daemon = True
    hung.start()
    try:
        return await task
    finally:
        hung.cancel()


def run(story: Coroutine[Any, Any, T]) -> T:
    """``asyncio.run`` over a steered clock; a story that hangs fails."""
    with asyncio.Runner(loop_factory=SteeredLoop) as runner:
        return runner.run(_guarded(story))


def live(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """A test over a steered clock, with real sockets."""

    @functools.wraps(test)
    def over_steered_time(*arguments: Any, **named: Any) -> None:
        run(test(*arguments, **named))

    return over_steered_time
