"""Websockets: who may come in, and a ``Session`` for each who does.

A browser can't read why a handshake is refused.  So whoever is one too many is let in, told, and sent away at once, as
long as there are not too many of those either.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import msgspec

from ...wire import rest, server_messages
from ...wire.connection import CLOSE_CODES, POLICY
from ...wire.errors import TableRefusal
from .. import origins
from ..limits import Heads, address_key
from ..lobby import Lobby
from ..table.connection import Connection
from ..table.frames import frame
from .protocols import TableProtocol
from .session import Session

MOST_TOLD, MOST_TOLD_HERE = 200, 10  # at a time, in all and from one address, why they can't come in
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class Sockets:
    """An ASGI application for websocket connections only."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._inside = Heads()  # of each address
        self._told = Heads()  # … and those who are told that they can't come in
        self._all_told = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()  # websocket.connect
        address = address_key((scope.get("client") or ("",))[0])
        line: TableProtocol = scope["flipdeck.line"]
        if not self._is_ours(scope):
            await _deny(send, 403, TableRefusal("bad-origin"))
            return
        if not self._lobby.allowances.requests.take(address, asyncio.get_running_loop().time()):
            await _deny(send, 429, TableRefusal("too-fast"))
            return
        refusal = self._refusal(address)
        if refusal is None:
            await self._let_in(address, line, receive, send)
        elif self._all_told < MOST_TOLD and self._told.of(address) < MOST_TOLD_HERE:
            await self._tell(refusal, address, line, send)
        else:
            await _deny(send, 503, refusal)

    def _is_ours(self, scope: Scope) -> bool:
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        return origins.allowed(headers.get("origin"), headers.get("host"), self._lobby.config.listed_origins)

    def _refusal(self, address: str) -> TableRefusal | None:
        config = self._lobby.config
        if self._lobby.closing:
            return TableRefusal("shutting-down")
        full = self._lobby.around.counts.connections >= config.most_connections
        if full or self._inside.of(address) >= config.most_per_address:
            return TableRefusal("limit", what="connections")
        return None

    async def _let_in(self, address: str, line: TableProtocol, receive: Receive, send: Send) -> None:
        counts = self._lobby.around.counts
        counts.connections += 1
        self._inside.come(address)
        try:
            await send({"type": "websocket.accept"})
            await self._talk(address, line, receive)
        finally:
            counts.connections -= 1
            self._inside.go(address)

    async def _tell(self, refusal: TableRefusal, address: str, line: TableProtocol, send: Send) -> None:
        """Nothing is heard of them, and they have a moment to take it."""
        self._all_told += 1
        self._told.come(address)
        try:
            await send({"type": "websocket.accept"})
            line.listen(_to_nobody)
            line.write(frame(server_messages.Bye(refusal.code, str(refusal))))
            line.close(CLOSE_CODES.get(refusal.code, POLICY))
            await line.let_go()
        finally:
            self._all_told -= 1
            self._told.go(address)

    async def _talk(self, address: str, line: TableProtocol, receive: Receive) -> None:
        session = Session(self._lobby, Connection(address, line))
        line.listen(session.hear)
        try:
            while (message := await receive())["type"] == "websocket.receive":  # what came before it was listened to
                session.hear(message.get("text") or message.get("bytes") or b"")
        finally:
            line.listen(None)
            session.end()
            await line.let_go()  # it counts as long as it is there


def _to_nobody(_: str | bytes) -> None:
    """Whatever it is."""


async def _deny(send: Send, status: int, refusal: TableRefusal) -> None:
    """An answer in HTTP, before it becomes a websocket."""
    failure = rest.Failure(refusal.code, refusal.reason, str(refusal), refusal.facts)
    headers = [(b"content-type", b"application/json")]
    await send({"type": "websocket.http.response.start", "status": status, "headers": headers})
    await send({"type": "websocket.http.response.body", "body": msgspec.json.encode(failure)})
