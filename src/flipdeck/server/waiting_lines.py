"""Lines of those who may be guessing: a few of an address at a time, a few more wait, and the rest are refused."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class _Line:
    """The line of one key."""

    __slots__ = ("semaphore", "there")

    def __init__(self, width: int) -> None:
        self.semaphore = asyncio.Semaphore(width)
        self.there = 0  # those whose turn it is, and those who wait


class WaitingLines:
    """A line for each key, first come first served; a key without anybody is dropped."""

    def __init__(self, width: int, most_waiting: int) -> None:
        self._width = width
        self._most = width + most_waiting
        self._lines: dict[str, _Line] = {}

    def __len__(self) -> int:
        return len(self._lines)

    async def enter(self, key: str) -> Callable[[], None] | None:
        """Wait for one's turn, and get what ends it; whoever calls that twice ends it once.  None: the line is full."""
        line = self._lines.setdefault(key, _Line(self._width))
        if line.there >= self._most:
            return None
        line.there += 1
        try:
            await line.semaphore.acquire()
        except BaseException:
            self._leave(key, line)
            raise
        ended = False

        def end() -> None:
            nonlocal ended
            if not ended:
                ended = True
                line.semaphore.release()
                self._leave(key, line)

        return end

    def _leave(self, key: str, line: _Line) -> None:
        line.there -= 1
        if not line.there:
            del self._lines[key]
