"""One client's connection as a table knows it: something that can be told things, and that never makes anybody wait.

What it is told is written to its line at once, and waits there until the client takes it.  A client that lets too much
wait is sent away: when it comes back, it is told what it missed.
"""

from __future__ import annotations

import asyncio
from typing import Protocol

from ...wire import server_messages
from ...wire.errors import SENTENCES, Code, ServerCode
from .frames import frame
from .seats import Chair

MOST_WAITING = 256 * 1024  # bytes that a client has not taken yet
FLUSH_SECONDS = 5.0  # to take the last words

POLICY, TRY_LATER = 1008, 1013
# why a connection is closed, as websockets number it
CLOSE_CODES: dict[Code, int] = {
    "shutting-down": 1012,
    "unavailable": 1011,
    "limit": TRY_LATER,
    "too-big": 1009,
    "replaced": 4000,
    "removed": 4001,
    "too-slow": 4002,
    "closed": 4003,
    "left": 4004,
}


class Line(Protocol):
    """The way to one client."""

    def write(self, message: bytes) -> int:
        """Send a message, without waiting for anything; how many bytes wait to be taken now."""
        ...

    def close(self, code: int) -> None:
        """Close when all that was written has been taken."""
        ...

    def cut(self) -> None:
        """Close now, whatever waits."""
        ...


class Connection:
    __slots__ = ("_cutting", "_line", "address", "chair", "closing", "lag", "ping_sent")

    def __init__(self, address: str, line: Line) -> None:
        self.address = address
        self.chair: Chair | None = None  # None: looks on
        self.lag = 0.0  # seconds there and back
        self.ping_sent: tuple[int, float] | None = None
        self.closing: int | None = None  # the close code, once it is to be closed
        self._line = line
        self._cutting: asyncio.TimerHandle | None = None

    def tell(self, message: bytes) -> None:
        if self.closing is None and self._line.write(message) - len(message) > MOST_WAITING:
            self.end("too-slow")  # what counts is what was waiting before

    def end(self, code: ServerCode, **facts: object) -> None:
        """Say why, then close; what was told before is still sent."""
        if self.closing is None:
            self._line.write(frame(server_messages.Bye(code, SENTENCES[code].format(**facts))))
            self.finish(CLOSE_CODES.get(code, POLICY))

    def finish(self, code: int = POLICY) -> None:
        """Close when all that was told is sent; a line that does not take it is cut after a while."""
        if self.closing is None:
            self.closing = code
            self._cutting = asyncio.get_running_loop().call_later(FLUSH_SECONDS, self._line.cut)
            self._line.close(code)

    def hang_up(self) -> None:
        """The other side is gone: nothing more can be told."""
        self.closing = self.closing or POLICY
        if self._cutting is not None:
            self._cutting.cancel()
