"""Websockets made by hand: clients that break the rules of the line itself, or don't read what they are sent."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from websockets.frames import Frame, Opcode

from tests.server.running import Running

KEY = "dGhlIHNhbXBsZSBub25jZQ=="


def framed(data: bytes, opcode: Opcode = Opcode.TEXT, *, fin: bool = True, mask: bool = True) -> bytes:
    return Frame(opcode, data, fin).serialize(mask=mask)


class ByHand:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def shake_hands(self, base: str) -> None:
        host = base.removeprefix("http://")
        asked = f"GET /ws HTTP/1.1\r\nHost: {host}\r\nOrigin: {base}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        self.writer.write(f"{asked}Sec-WebSocket-Key: {KEY}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        head = await self.reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 101 "), head

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def next_frame(self) -> tuple[Opcode, bytes]:
        """What a server sends: never masked, and from ours never in pieces."""
        first, size = await self.reader.readexactly(2)
        length = size
        if size >= 126:
            length = int.from_bytes(await self.reader.readexactly(2 if size == 126 else 8))
        return Opcode(first & 0x0F), await self.reader.readexactly(length)

    async def close_code(self) -> int:
        """Reads to the end; 1006 if it came without a word."""
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                opcode, data = await self.next_frame()
                if opcode is Opcode.CLOSE:
                    return int.from_bytes(data[:2])
        return 1006


@asynccontextmanager
async def line(server: Running, receive_buffer: int | None = None) -> AsyncIterator[ByHand]:
    """A TCP connection; its end takes in only so much of what is not read."""
    end = socket.socket()
    end.setblocking(False)
    if receive_buffer is not None:
        end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    await asyncio.get_running_loop().sock_connect(end, ("127.0.0.1", server.server.port))
    reader, writer = await asyncio.open_connection(sock=end, limit=receive_buffer or 2**16)
    try:
        yield ByHand(reader, writer)
    finally:
        writer.transport.abort()
        with suppress(ConnectionError):
            await writer.wait_closed()


@asynccontextmanager
async def by_hand(server: Running, receive_buffer: int | None = None) -> AsyncIterator[ByHand]:
    """The same after the handshake."""
    async with line(server, receive_buffer) as made:
        await made.shake_hands(server.base)
        yield made
