"""A client connection as its table knows it: an outbox with backpressure that never blocks the table.

A message is written to the socket at once and buffered there.  A client whose buffer grows too large is disconnected;
after reconnecting it catches up.
"""

from __future__ import annotations

import asyncio
from typing import Protocol

from ...wire import server_messages
from ...wire.connection import CLOSE_CODES, POLICY
from ...wire.errors import SENTENCES, Code, ServerCode, TableRefusal
from .frames import frame
from .seats import SeatState

MOST_WAITING = 256 * 1024  # bytes in the outbox
FLUSH_SECONDS = 5.0  # for the last messages to be read


class ClientSocket(Protocol):
    """The socket of one client."""

    def write(self, message: bytes) -> int:
        """Send without waiting; the number of bytes that are buffered now."""
        ...

    def close(self, code: int) -> None:
        """Close after everything buffered was sent."""
        ...

    def cut(self) -> None:
        """Close now, and drop what is buffered."""
        ...


class Connection:
    __slots__ = ("_abort_timer", "_socket", "address", "closing", "lag", "ping_sent", "seat_state")

    def __init__(self, address: str, socket: ClientSocket) -> None:
        self.address = address
        self.seat_state: SeatState | None = None  # None: a spectator
        self.lag = 0.0  # round trip in seconds
        self.ping_sent: tuple[int, float] | None = None
        self.closing: int | None = None  # the close code, once it is being closed
        self._socket = socket
        self._abort_timer: asyncio.TimerHandle | None = None

    def send(self, message: bytes) -> None:
        if self.closing is None and self._socket.write(message) - len(message) > MOST_WAITING:
            self.end("too-slow")  # the message itself does not count

    def end(self, code: ServerCode, **facts: object) -> None:
        """Say ``bye`` with the reason, then close; earlier messages are still sent."""
        self._end(code, SENTENCES[code].format(**facts))

    def turn_away(self, refusal: TableRefusal) -> None:
        self._end(refusal.code, str(refusal))

    def _end(self, code: Code, sentence: str) -> None:
        if self.closing is None:
            self._socket.write(frame(server_messages.Bye(code, sentence)))
            self.finish(CLOSE_CODES.get(code, POLICY))

    def finish(self, code: int = POLICY) -> None:
        """Close after everything was sent; abort if the client does not read it in time."""
        if self.closing is None:
            self.closing = code
            self._abort_timer = asyncio.get_running_loop().call_later(FLUSH_SECONDS, self._socket.cut)
            self._socket.close(code)

    def hang_up(self) -> None:
        """The peer is gone: nothing more can be sent."""
        self.closing = self.closing or POLICY
        if self._abort_timer is not None:
            self._abort_timer.cancel()
