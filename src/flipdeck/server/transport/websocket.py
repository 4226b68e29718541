"""The websocket endpoint: admission control, then a ``ClientSession`` for each connection.

Connections over the limit, and of addresses that the operator keeps out, are accepted, told why (``limit``,
``kept-out``) and closed, so that browsers can show the reason; a browser can't read why a handshake failed.  Their
number is limited too.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import msgspec

from ...wire import rest, server_messages
from ...wire.connection import CLOSE_CODES, POLICY
from ...wire.errors import TableRefusal
from ..limits import KeyedCounts, address_key
from ..lobby import Lobby
from ..table.connections import Connection
from ..table.frames import frame
from .protocols import WebSocketProtocol
from .session import ClientSession

MOST_REJECTED, MOST_REJECTED_PER_ADDRESS = 200, 10  # connections that are being told why they are rejected
_log = logging.getLogger("flipdeck.session")
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class WebSocketEndpoint:
    """The ASGI application for websocket connections."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._origin_policy = lobby.config.origin_policy
        self._accepted = KeyedCounts()  # connections of each address
        self._rejected = KeyedCounts()  # rejected ones of each address
        self._all_rejected = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()  # websocket.connect
        address = address_key((scope.get("client") or ("",))[0])
        socket: WebSocketProtocol = scope["flipdeck.socket"]
        now = asyncio.get_running_loop().time()
        if not self._lobby.rate_limits.requests.take(address, now):  # before anything else is done for it
            await _deny(socket, send, 429, TableRefusal("too-fast"))
            return
        foreign = self._origin_policy.refusal(scope["headers"])
        if foreign is not None:
            self._lobby.rare_events.log(_log, "handshake-refused", address, now, code=foreign.code)
            await _deny(socket, send, 421 if foreign.code == "bad-host" else 403, foreign)
            return
        refusal = self._refusal(address)
        if refusal is None:
            await self._accept(address, socket, receive, send)
        elif self._all_rejected < MOST_REJECTED and self._rejected.of(address) < MOST_REJECTED_PER_ADDRESS:
            await self._reject(refusal, address, socket, send)
        else:
            await _deny(socket, send, 403 if refusal.code == "kept-out" else 503, refusal)

    def _refusal(self, address: str) -> TableRefusal | None:
        config = self._lobby.config
        if self._lobby.closing:
            return TableRefusal("shutting-down")
        kept_out = self._lobby.kept_out.refusal(address)
        if kept_out is not None:
            return kept_out
        full = self._lobby.context.counters.connections >= config.most_connections
        if full or self._accepted.of(address) >= config.most_per_address:
            return TableRefusal("limit", what="connections")
        return None

    async def _accept(self, address: str, socket: WebSocketProtocol, receive: Receive, send: Send) -> None:
        counters = self._lobby.context.counters
        counters.connections += 1
        self._accepted.increment(address)
        try:
            await send({"type": "websocket.accept"})
            await self._run_session(address, socket, receive)
        finally:
            counters.connections -= 1
            self._accepted.decrement(address)

    async def _reject(self, refusal: TableRefusal, address: str, socket: WebSocketProtocol, send: Send) -> None:
        """Send ``bye`` and close; whatever the client sends is dropped."""
        self._all_rejected += 1
        self._rejected.increment(address)
        try:
            await send({"type": "websocket.accept"})
            socket.listen(_drop)
            socket.write(frame(server_messages.Bye(refusal.code, str(refusal), refusal.facts)))
            socket.close(CLOSE_CODES.get(refusal.code, POLICY))
            await socket.wait_closed()
        finally:
            self._all_rejected -= 1
            self._rejected.decrement(address)

    async def _run_session(self, address: str, socket: WebSocketProtocol, receive: Receive) -> None:
        session = ClientSession(self._lobby, Connection(address, socket))
        socket.listen(session.receive)
        try:
            while (message := await receive())[
                "type"
            ] == "websocket.receive":  # messages from before the callback was set
                session.receive(message.get("text") or message.get("bytes") or b"")
        finally:
            socket.listen(None)
            session.end()
            await socket.wait_closed()  # it counts as long as its socket is open


def _drop(_: str | bytes) -> None:
    """Drop the message."""


async def _deny(socket: WebSocketProtocol, send: Send, status: int, refusal: TableRefusal) -> None:
    """Reject the handshake with an HTTP response."""
    failure = rest.Failure(refusal.code, refusal.reason, str(refusal), refusal.facts)
    headers = [(b"content-type", b"application/json")]
    await send({"type": "websocket.http.response.start", "status": status, "headers": headers})
    await send({"type": "websocket.http.response.body", "body": msgspec.json.encode(failure)})
    socket.note_denied()
