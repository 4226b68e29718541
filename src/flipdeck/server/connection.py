"""One client's connection as a table knows it: something that can be told things, and that never makes anybody wait.

What it is told goes into an outbox with a bound; a writer of its own empties it.  A client that reads too slowly for
that is sent away: when it comes back, it is told what it missed.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from ..wire import told
from ..wire.errors import SENTENCES, Code, TableCode
from .chairs import Chair
from .showing import frame

MOST_FRAMES = 256
MOST_BYTES = 256 * 1024
FLUSH_SECONDS = 5.0  # to take the last words

# why a connection is closed, as websockets number it
CLOSE_CODES: dict[Code, int] = {
    "shutting-down": 1012,
    "unavailable": 1011,
    "limit": 1013,
    "too-big": 1009,
    "replaced": 4000,
    "removed": 4001,
    "too-slow": 4002,
    "closed": 4003,
    "left": 4004,
}
POLICY = 1008


class Connection:
    __slots__ = ("_bytes", "_cut", "_cutting", "_frames", "_waiter", "address", "chair", "closing", "lag", "ping_sent")

    def __init__(self, address: str, cut: Callable[[], object]) -> None:
        self.address = address
        self.chair: Chair | None = None  # None: looks on
        self.lag = 0.0  # seconds there and back
        self.ping_sent: tuple[int, float] | None = None
        self.closing: int | None = None  # the close code, once it is to be closed
        self._frames: deque[bytes] = deque()
        self._bytes = 0
        self._waiter: asyncio.Future[None] | None = None
        self._cut = cut
        self._cutting: asyncio.TimerHandle | None = None

    def tell(self, message: bytes) -> None:
        if self.closing is not None:
            return
        self._frames.append(message)
        self._bytes += len(message)
        if len(self._frames) > MOST_FRAMES or self._bytes > MOST_BYTES:
            self._frames.clear()  # it would not read them anyway
            self.end("too-slow")
        self._wake()

    def end(self, code: TableCode, **facts: object) -> None:
        """Say why, then close; what was told before is still sent."""
        if self.closing is None:
            self._frames.append(frame(told.Bye(code, SENTENCES[code].format(**facts))))
            self.finish(CLOSE_CODES.get(code, POLICY))

    def finish(self, code: int = POLICY) -> None:
        """Close when all that was told is sent; a line that does not take it is cut after a while."""
        if self.closing is None:
            self.closing = code
            self._cutting = asyncio.get_running_loop().call_later(FLUSH_SECONDS, self._cut)
            self._wake()

    def hang_up(self) -> None:
        """The other side is gone: nothing more can be told."""
        self._frames.clear()
        self.closing = self.closing or POLICY
        if self._cutting is not None:
            self._cutting.cancel()
        self._wake()

    async def next_frame(self) -> bytes | None:
        """For the writer: the next message, or None when all was said and it is to close."""
        while not self._frames:
            if self.closing is not None:
                return None
            self._waiter = asyncio.get_running_loop().create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None
        message = self._frames.popleft()
        self._bytes -= len(message)
        return message

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
