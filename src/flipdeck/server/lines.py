"""uvicorn's protocols with bounds they don't have: on how long a request may take, on its length, on frames that are no
message.  A line that goes beyond is cut: there is nobody at its end to explain it to."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from .limits import Bucket

REQUEST_SECONDS = 10.0  # for a whole request, from the first byte or from the connection on
MOST_REQUEST = 64 * 1024  # bytes, head and all
_PIECES_RATE, _PIECES_BURST = 20, 400  # pings, pongs and pieces of messages


class PromptProtocol(HttpToolsProtocol):
    """HTTP: by itself uvicorn waits for a request as long as it takes, and keeps whatever comes."""

    _late: asyncio.TimerHandle | None = None
    _read = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._expect()

    def connection_lost(self, exc: Exception | None) -> None:
        self._expect_no_more()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._read += len(data)
        if self._read > MOST_REQUEST:
            self.transport.abort()
        else:
            super().data_received(data)

    def on_message_begin(self) -> None:
        if self._late is None:
            self._expect()
        super().on_message_begin()

    def on_message_complete(self) -> None:
        self._expect_no_more()
        super().on_message_complete()

    def _expect(self) -> None:
        self._late = self.loop.call_later(REQUEST_SECONDS, self.transport.abort)

    def _expect_no_more(self) -> None:
        self._read = 0
        if self._late is not None:
            self._late.cancel()
            self._late = None


class CuttableProtocol(WebSocketsSansIOProtocol):
    """Websockets, and a way to cut the line of a client that does not read: closing would wait for it.

    Pings are answered by uvicorn and pieces of messages kept by it, without the application and its limits.
    """

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self._pieces = Bucket(_PIECES_RATE, _PIECES_BURST)

    async def run_asgi(self) -> None:
        self.scope["flipdeck.cut"] = self.transport.abort  # type: ignore[typeddict-unknown-key]
        await super().run_asgi()

    def handle_ping(self) -> None:
        if self._may_go_on() and self.writable.is_set():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        if self._may_go_on():
            super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        if self._may_go_on():
            super().handle_cont(event)

    def _may_go_on(self) -> bool:
        if self.transport.is_closing():
            return False
        if self._pieces.take(self.loop.time()):
            return True
        self.transport.abort()
        return False
