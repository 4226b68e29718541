"""Clients that take more than their share, in a process of their own: ``python -m benchmarks.server_crowd FILE``.

It reads codes and tokens from the file and does what it is told line by line: ``begin KIND PORT`` and ``end``, which is
answered with how much was sent meanwhile.  Kinds: ``flood`` sends messages without end and comes again each time it is
sent away, ``nonsense`` does so with what can't be read, ``unread`` looks on and never reads, ``silent`` says nothing.
"""

from __future__ import annotations

import asyncio
import itertools
import sys
from collections.abc import Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from time import perf_counter
from typing import Any

import msgspec

from .server_process import Seats, read_seats

KINDS = ("flood", "nonsense", "unread", "silent")
_AT_ONCE = 5_000  # messages, before it looks whether it was sent away
_LOOK_ON, _SILENT = 20, 200  # lines


def framed(text: bytes) -> bytes:
    """Masked with zeros, as ``server_line`` does it; up to 125 bytes."""
    return bytes((0x81, 0x80 | len(text))) + bytes(4) + text


class Crowd:
    def __init__(self, table: Seats) -> None:
        self._table = table
        self._sent = 0
        self._began = 0.0
        self._tasks: list[asyncio.Task[None]] = []

    async def begin(self, kind: str, port: int) -> None:
        ways: dict[str, tuple[int, Callable[[int], Coroutine[Any, Any, None]]]] = {
            "flood": (1, lambda port: self._flood(port, b'{"type":"pong","n":1}')),
            "nonsense": (1, lambda port: self._flood(port, b'{"type":"shuffle"}')),
            "unread": (_LOOK_ON, self._look_on),
            "silent": (_SILENT, self._say_nothing),
        }
        count, way = ways[kind]
        self._sent, self._began = 0, perf_counter()
        self._tasks = [asyncio.create_task(way(port)) for _ in range(count)]
        await asyncio.sleep(0.5)  # until they are all there

    async def end(self) -> dict[str, float]:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        return {"sent": self._sent, "seconds": perf_counter() - self._began}

    # ------------------------------------------------------------ the ways
    async def _flood(self, port: int, message: bytes) -> None:
        flood = framed(message) * _AT_ONCE
        for _ in itertools.count():
            reader, writer = await self._look_in(port)
            with suppress(ConnectionError):
                writer.write(flood)
                self._sent += _AT_ONCE
                await writer.drain()
                while await reader.read(2**16):
                    pass
            writer.transport.abort()

    async def _look_on(self, port: int) -> None:
        reader, writer = await self._look_in(port)
        del reader
        await _for_ever(writer)

    async def _say_nothing(self, port: int) -> None:
        _, writer = await asyncio.open_connection("127.0.0.1", port, limit=4096)
        await _for_ever(writer)

    async def _look_in(self, port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """As a spectator of the first table, who has greeted."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=4096)
        host = f"127.0.0.1:{port}"
        writer.write(
            f"GET /ws HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        await reader.readuntil(b"\r\n\r\n")
        hello = {"type": "hello", "protocol": 1, "table": self._table.code}
        writer.write(framed(msgspec.json.encode(hello)))
        return reader, writer


async def _for_ever(writer: asyncio.StreamWriter) -> None:
    try:
        await asyncio.Event().wait()
    finally:
        writer.transport.abort()


async def main(file: Path) -> None:
    crowd = Crowd(read_seats(file)[0])
    while words := (await asyncio.to_thread(sys.stdin.readline)).split():
        if words[0] == "begin":
            await crowd.begin(words[1], int(words[2]))
            print("{}", flush=True)
        else:
            print(msgspec.json.encode(await crowd.end()).decode(), flush=True)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
