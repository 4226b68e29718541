"""Floods from one address, in a process of their own: ``python -m benchmarks.server_floods``.

It does what it is told line by line: ``begin KIND PORT`` and ``end``, which is answered with how much was sent.
It is niced: on a machine that it shares with the server it is to take work, not the processor.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Coroutine
from contextlib import suppress
from time import perf_counter
from typing import Any

import msgspec

from flipdeck.server.identity import new_code

from .server_crowd import framed

ADDRESS = "127.9.9.9"  # of the attacker; players have others
_MESSAGES = framed(b'{"type":"pong","n":1}') * 100


class Flood:
    def __init__(self) -> None:
        self._sent = 0
        self._began = 0.0
        self._host = ""
        self._port = 0
        self._tasks: list[asyncio.Task[None]] = []

    async def begin(self, kind: str, port: int) -> None:
        self._port, self._host = port, f"127.0.0.1:{port}"
        ways: dict[str, tuple[int, Callable[[], Coroutine[Any, Any, None]]]] = {
            "http": (20, lambda: self._ask(lambda: self._request("GET", "/api/tables"))),
            "guess": (20, lambda: self._ask(lambda: self._request("GET", f"/api/tables/{new_code()}"))),
            "make": (20, lambda: self._ask(lambda: self._request("POST", "/api/tables", b'{"name":"Ann"}'))),
            "origin": (20, self._shake_hands_from_elsewhere),
            "ws": (20, self._greet_and_talk),
            "slowloris": (1000, self._drip),
        }
        count, way = ways[kind]
        self._sent, self._began = 0, perf_counter()
        self._tasks = [asyncio.create_task(_again_and_again(way)) for _ in range(count)]
        await asyncio.sleep(0.5)  # until they are all at it

    async def end(self) -> dict[str, float]:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        return {"sent": self._sent, "seconds": perf_counter() - self._began}

    # ------------------------------------------------------------ the ways
    async def _ask(self, request: Callable[[], bytes]) -> None:
        """One request after the other on a connection that is kept."""
        reader, writer = await self._connect()
        try:
            while True:
                writer.write(request())
                self._sent += 1
                head = await reader.readuntil(b"\r\n\r\n")
                length = head.lower().partition(b"content-length:")[2].split(b"\r\n")[0]
                await reader.readexactly(int(length or 0))
        finally:
            writer.transport.abort()

    async def _shake_hands_from_elsewhere(self) -> None:
        reader, writer = await self._connect()
        try:
            writer.write(self._handshake("http://elsewhere.example"))
            self._sent += 1
            await reader.read(2**16)
        finally:
            writer.transport.abort()

    async def _greet_and_talk(self) -> None:
        """A right handshake, a table that there is not, and messages without end."""
        reader, writer = await self._connect()
        try:
            writer.write(self._handshake(f"http://{self._host}"))
            await reader.readuntil(b"\r\n\r\n")
            hello = {"type": "hello", "protocol": 1, "table": new_code()}
            writer.write(framed(msgspec.json.encode(hello)) + _MESSAGES)
            self._sent += 101
            while await reader.read(2**16):
                pass
        finally:
            writer.transport.abort()

    async def _drip(self) -> None:
        """A request that never comes to its end."""
        _, writer = await self._connect()
        try:
            writer.write(b"GET /health HTTP/1.1\r\nX-Slow: ")
            while not writer.transport.is_closing():
                await asyncio.sleep(1)
                writer.write(b"a")
                self._sent += 1
        finally:
            writer.transport.abort()

    # ------------------------------------------------------------ what they send
    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection("127.0.0.1", self._port, local_addr=(ADDRESS, 0))

    def _request(self, method: str, path: str, body: bytes = b"") -> bytes:
        about = f"{method} {path} HTTP/1.1\r\nHost: {self._host}\r\nContent-Type: application/json\r\n"
        return f"{about}Content-Length: {len(body)}\r\n\r\n".encode() + body

    def _handshake(self, origin: str) -> bytes:
        return (
            f"GET /ws HTTP/1.1\r\nHost: {self._host}\r\nOrigin: {origin}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        ).encode()


async def _again_and_again(way: Callable[[], Coroutine[Any, Any, None]]) -> None:
    while True:
        with suppress(OSError, EOFError):  # turned away
            await way()
        await asyncio.sleep(0)


async def main() -> None:
    flood = Flood()
    while words := (await asyncio.to_thread(sys.stdin.readline)).split():
        if words[0] == "begin":
            await flood.begin(words[1], int(words[2]))
            print("{}", flush=True)
        else:
            print(msgspec.json.encode(await flood.end()).decode(), flush=True)


if __name__ == "__main__":
    os.nice(19)
    asyncio.run(main())
