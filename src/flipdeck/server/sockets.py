"""Websockets: who may come in, and a ``Session`` for each who does."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from ..wire.errors import SENTENCES, TableCode
from . import origins
from .connection import Connection
from .limits import address_key
from .lines import TableProtocol
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
            await self._talk(address, scope["flipdeck.line"], receive)
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


async def _deny(send: Send, status: int, code: TableCode, facts: dict[str, object]) -> None:
    """An answer in HTTP, before it becomes a websocket."""
    told = {"code": code, "reason": code, "message": SENTENCES[code].format(**facts)}
    headers = [(b"content-type", b"application/json")]
    await send({"type": "websocket.http.response.start", "status": status, "headers": headers})
    await send({"type": "websocket.http.response.body", "body": json.dumps(told).encode()})
