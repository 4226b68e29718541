"""Websockets: the door for ``Session``.  One task reads, one writes; neither waits for anybody else's."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import Counter
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from uvicorn.protocols.utils import ClientDisconnected

from ..wire.errors import SENTENCES, TableCode
from . import origins
from .connection import Connection
from .limits import address_key
from .lobby import Lobby
from .session import Session

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class Sockets:
    """An ASGI application for websocket connections only."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._by_address: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()  # websocket.connect
        address = address_key((scope.get("client") or ("",))[0])
        problem = self._problem(scope, address)
        if problem is not None:
            await _deny(send, *problem)
            return
        counts = self._lobby.around.counts
        counts.connections += 1
        self._by_address[address] += 1
        try:
            await send({"type": "websocket.accept"})
            await self._talk(Connection(address, scope["flipdeck.cut"]), receive, send)
        finally:
            counts.connections -= 1
            self._by_address[address] -= 1
            if not self._by_address[address]:
                del self._by_address[address]

    def _problem(self, scope: Scope, address: str) -> tuple[int, TableCode, dict[str, object]] | None:
        config = self._lobby.config
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        if not origins.allowed(headers.get("origin"), headers.get("host"), config.listed_origins):
            return 403, "bad-origin", {}
        if self._lobby.closing:
            return 503, "shutting-down", {}
        full = self._lobby.around.counts.connections >= config.most_connections
        if full or self._by_address[address] >= config.most_per_address:
            return 503, "limit", {"what": "connections"}
        return None

    async def _talk(self, connection: Connection, receive: Receive, send: Send) -> None:
        session = Session(self._lobby, connection)
        writer = asyncio.get_running_loop().create_task(_write(connection, send))
        try:
            while (message := await receive())["type"] == "websocket.receive":
                text = message.get("text")
                await session.receive(text if text is not None else message.get("bytes") or b"")
        finally:
            session.end()
            writer.cancel()
            with contextlib.suppress(asyncio.CancelledError, ClientDisconnected):
                await writer


async def _write(connection: Connection, send: Send) -> None:
    """When all is said, the socket is closed, and the reader hears of it."""
    with contextlib.suppress(ClientDisconnected):
        while (message := await connection.next_frame()) is not None:
            await send({"type": "websocket.send", "text": message.decode()})
        await send({"type": "websocket.close", "code": connection.closing or 1000})


async def _deny(send: Send, status: int, code: TableCode, facts: dict[str, object]) -> None:
    """An answer in HTTP, before it becomes a websocket."""
    told = {"code": code, "reason": code, "message": SENTENCES[code].format(**facts)}
    headers = [(b"content-type", b"application/json")]
    await send({"type": "websocket.http.response.start", "status": status, "headers": headers})
    await send({"type": "websocket.http.response.body", "body": json.dumps(told).encode()})
