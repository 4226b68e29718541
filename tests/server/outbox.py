"""A line that keeps what it is told until somebody takes it, for clients that live in the same process."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any

from flipdeck.server.table.connections import Connection

Message = dict[str, Any]  # as a client reads it


class Outbox:
    def __init__(self, cut: Callable[[], object]) -> None:
        self._on_cut = cut
        self._frames: deque[bytes] = deque()
        self._waiting = 0
        self._closed = False
        self._waiter: asyncio.Future[None] | None = None

    def write(self, *messages: bytes) -> int:
        self._frames.extend(messages)
        self._waiting += sum(map(len, messages))
        self._wake()
        return self._waiting

    def close(self, code: int) -> None:
        del code
        self._closed = True
        self._wake()

    async def next_frame(self) -> bytes | None:
        """The next message, or None when all was said and it is closed."""
        while not self._frames:
            if self._closed:
                return None
            self._waiter = asyncio.get_running_loop().create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None
        message = self._frames.popleft()
        self._waiting -= len(message)
        return message

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def cut(self) -> None:
        self._on_cut()


class LocalConnection(Connection):
    """A connection whose other end is in this process."""

    __slots__ = ("_box",)

    def __init__(self, address: str, cut: Callable[[], object]) -> None:
        self._box = Outbox(cut)
        super().__init__(address, self._box)

    async def next_frame(self) -> bytes | None:
        return await self._box.next_frame()

    def hang_up(self) -> None:
        super().hang_up()
        self._box.close(0)
