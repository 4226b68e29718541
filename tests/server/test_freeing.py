"""What a connection took is free as soon as it is over: the collector comes to the oldest objects once in hours."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator
from typing import Any

import pytest

from flipdeck.server.table.connections import Connection
from flipdeck.server.transport.session import ClientSession

from .running import Running, eventually, running
from .steered import live

KINDS = ("WebSocketProtocol", "BoundedHttpProtocol", "ServerProtocol", "RequestResponseCycle")
HANDSHAKE = (
    "GET /ws HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


@pytest.fixture(autouse=True)
def no_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def held() -> list[Any]:
    return [
        each for each in gc.get_objects() if type(each).__name__ in KINDS or type(each) in (ClientSession, Connection)
    ]


async def seen_by_nobody(server: Running, before: set[int]) -> None:
    """The last callbacks of a socket come after its end."""
    await server.http.aclose()
    looks = iter(range(200))  # and those that refer to themselves would stay for ever
    await eventually(lambda: not [each for each in held() if id(each) not in before] or next(looks, None) is None)
    assert not [each for each in held() if id(each) not in before]


@pytest.mark.parametrize("end", ["closed", "cut", "silent", "rubbish"])
@live
async def test_a_connection_that_is_over_is_freed_at_once(end: str) -> None:
    async with running(messages_per_second=100_000) as server:
        host = await server.make()
        before = {id(each) for each in held()}
        for _ in range(3):
            client = await server.connect()
            if end != "silent":
                await client.send("hello", protocol=1, table=host["code"], token=host["token"])
                await client.until("welcome")
            if end == "rubbish":
                await client.raw(b"\xff\xfe")
                await client.raw("{")
            if end == "cut":
                client.socket.transport.abort()
            await client.socket.close()
        await seen_by_nobody(server, before)


@live
async def test_a_refused_handshake_is_freed_at_once() -> None:
    async with running() as server:
        before = {id(each) for each in held()}
        for _ in range(3):
            reader, writer = await asyncio.open_connection("127.0.0.1", server.server.port)
            writer.write(HANDSHAKE.format(host="foreign.example").encode())
            assert b" 421 " in (await reader.read())[:20]
            writer.close()
        await seen_by_nobody(server, before)
