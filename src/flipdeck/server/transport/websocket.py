"""Websockets: who may come in, and a ``ClientSession`` for each who does.

A browser can't read why a handshake is refused.  So whoever is one too many is let in, told, and sent away at once, as
long as there are not too many of those either.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import msgspec

from ...wire import rest, server_messages
from ...wire.errors import TableRefusal
from .. import origins
from ..limits import KeyedCounts, address_key
from ..lobby import Lobby
from ..table.connection import CLOSE_CODES, POLICY, Connection
from ..table.frames import frame
from .protocols import WebSocketProtocol
from .session import ClientSession

MOST_TOLD, MOST_TOLD_HERE = 200, 10  # at a time, in all and from one address, why they can't come in
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class WebSocketEndpoint:
    """An ASGI application for websocket connections only."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._inside = KeyedCounts()  # of each address
        self._told = KeyedCounts()  # … and those who are told that they can't come in
        self._all_told = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()  # websocket.connect
        address = address_key((scope.get("client") or ("",))[0])
        socket: WebSocketProtocol = scope["flipdeck.socket"]
        if not self._is_ours(scope):
            await _deny(send, 403, TableRefusal("bad-origin"))
            return
        if not self._lobby.rate_limits.requests.take(address, asyncio.get_running_loop().time()):
            await _deny(send, 429, TableRefusal("too-fast"))
            return
        refusal = self._refusal(address)
        if refusal is None:
            await self._let_in(address, socket, receive, send)
        elif self._all_told < MOST_TOLD and self._told.of(address) < MOST_TOLD_HERE:
            await self._tell(refusal, address, socket, send)
        else:
            await _deny(send, 503, refusal)

    def _is_ours(self, scope: Scope) -> bool:
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        return origins.allowed(headers.get("origin"), headers.get("host"), self._lobby.config.listed_origins)

    def _refusal(self, address: str) -> TableRefusal | None:
        config = self._lobby.config
        if self._lobby.closing:
            return TableRefusal("shutting-down")
        full = self._lobby.context.counters.connections >= config.most_connections
        if full or self._inside.of(address) >= config.most_per_address:
            return TableRefusal("limit", what="connections")
        return None

    async def _let_in(self, address: str, socket: WebSocketProtocol, receive: Receive, send: Send) -> None:
        counters = self._lobby.context.counters
        counters.connections += 1
        self._inside.increment(address)
        try:
            await send({"type": "websocket.accept"})
            await self._talk(address, socket, receive)
        finally:
            counters.connections -= 1
            self._inside.decrement(address)

    async def _tell(self, refusal: TableRefusal, address: str, socket: WebSocketProtocol, send: Send) -> None:
        """Nothing is heard of them, and they have a moment to take it."""
        self._all_told += 1
        self._told.increment(address)
        try:
            await send({"type": "websocket.accept"})
            socket.listen(_to_nobody)
            socket.write(frame(server_messages.Bye(refusal.code, str(refusal))))
            socket.close(CLOSE_CODES.get(refusal.code, POLICY))
            await socket.let_go()
        finally:
            self._all_told -= 1
            self._told.decrement(address)

    async def _talk(self, address: str, socket: WebSocketProtocol, receive: Receive) -> None:
        session = ClientSession(self._lobby, Connection(address, socket))
        socket.listen(session.receive)
        try:
            while (message := await receive())["type"] == "websocket.receive":  # what came before it was listened to
                session.receive(message.get("text") or message.get("bytes") or b"")
        finally:
            socket.listen(None)
            session.end()
            await socket.let_go()  # it counts as long as it is there


def _to_nobody(_: str | bytes) -> None:
    """Whatever it is."""


async def _deny(send: Send, status: int, refusal: TableRefusal) -> None:
    """An answer in HTTP, before it becomes a websocket."""
    failure = rest.Failure(refusal.code, refusal.reason, str(refusal), refusal.facts)
    headers = [(b"content-type", b"application/json")]
    await send({"type": "websocket.http.response.start", "status": status, "headers": headers})
    await send({"type": "websocket.http.response.body", "body": msgspec.json.encode(failure)})
