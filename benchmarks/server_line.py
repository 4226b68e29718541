"""One websocket of the load: just enough of the protocol, so that the load takes little of the machine it measures."""

from __future__ import annotations

import asyncio
import base64
import os
import struct
from collections.abc import Callable

import msgspec

_TEXT, CLOSE, _PING, _PONG = 1, 8, 9, 10


class View(msgspec.Struct):
    phase: str
    to_act: int | None
    round: int
    legal: list[str]


class TablePhase(msgspec.Struct):
    phase: str


class TurnClock(msgspec.Struct):
    left_ms: int
    running: bool


class Welcome(msgspec.Struct, tag="welcome"):
    version: int
    you: int | None
    view: View | None
    table: TablePhase
    clock: TurnClock | None


class Update(msgspec.Struct, tag="update"):
    version: int
    you: int | None
    view: View | None
    table: TablePhase | None
    clock: TurnClock | None


class Ack(msgspec.Struct, tag="ack"):
    cmd_id: str


class Refused(msgspec.Struct, tag="refused"):
    message: str


class Bye(msgspec.Struct, tag="bye"):
    message: str


class Ping(msgspec.Struct, tag="ping"):
    n: int


class Presence(msgspec.Struct, tag="presence"):
    """Of no interest here."""


ServerMessage = Welcome | Update | Ack | Refused | Bye | Ping | Presence
_decode = msgspec.json.Decoder(ServerMessage).decode


class Line(asyncio.Protocol):
    """A socket that has greeted, or is about to."""

    def __init__(self, host: str, hello: bytes, hear: Callable[[Line, ServerMessage], None]) -> None:
        self.welcomed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.bytes_heard = 0
        self.round_seen = 0  # the last for whose end it has said that it is ready
        self._host = host
        self._hello = hello
        self._hear = hear
        self._rest = b""
        self._open = False
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)  # noqa: S101  # of a TCP connection
        self._transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        transport.write(
            f"GET /ws HTTP/1.1\r\nHost: {self._host}\r\nOrigin: http://{self._host}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def connection_lost(self, error: Exception | None) -> None:
        if not self.welcomed.done():
            self.welcomed.set_exception(error or ConnectionError("closed before the welcome"))

    def data_received(self, data: bytes) -> None:
        self.bytes_heard += len(data)
        rest = self._rest + data if self._rest else data
        if not self._open:
            head, end, rest = rest.partition(b"\r\n\r\n")
            if not end:
                self._rest = head
                return
            if b" 101 " not in head[:20]:
                raise ConnectionError(head.decode())
            self._open = True
            self.say(self._hello)
        self._rest = self._take_frames(rest)

    def _take_frames(self, data: bytes) -> bytes:
        """Whatever is whole; what is left of it."""
        at = 0
        while len(data) - at >= 2:
            size, start = data[at + 1], at + 2
            if size == 126:
                size, start = int.from_bytes(data[at + 2 : at + 4], "big"), at + 4
            elif size == 127:
                size, start = int.from_bytes(data[at + 2 : at + 10], "big"), at + 10
            if len(data) < start + size:
                break
            self._frame(data[at] & 15, data[start : start + size])
            at = start + size
        return data[at:]

    def _frame(self, kind: int, payload: bytes) -> None:
        if kind == _PING:
            self._send(_PONG, payload)
        elif kind == _TEXT:
            told = _decode(payload)
            if isinstance(told, Ping):
                self.say(b'{"type":"pong","n":%d}' % told.n)
                return
            if isinstance(told, Welcome):
                self.welcomed.set_result(None)
            self._hear(self, told)

    def say(self, text: bytes) -> None:
        self._send(_TEXT, text)

    def _send(self, kind: int, payload: bytes) -> None:
        size = len(payload)
        length = bytes([0x80 | size]) if size < 126 else struct.pack("!BH", 0x80 | 126, size)
        # masked with zeros: that leaves it as it is here, and is as much work as any mask for the server
        self._transport.write(bytes([0x80 | kind]) + length + bytes(4) + payload)

    def close(self) -> None:
        self._send(CLOSE, b"")
        self._transport.close()


async def connect(
    port: int, table: str, token: str, hear: Callable[[Line, ServerMessage], None], address: str = "127.0.0.1"
) -> Line:
    """A line that has been welcomed; it comes from this address of the loopback."""
    hello = msgspec.json.encode({"type": "hello", "protocol": 1, "table": table, "token": token})
    loop = asyncio.get_running_loop()
    _, line = await loop.create_connection(
        lambda: Line(f"127.0.0.1:{port}", hello, hear), "127.0.0.1", port, local_addr=(address, 0)
    )
    await line.welcomed
    return line
