"""uvicorn's protocols with limits that they lack: on the duration and size of a request, on control frames and
fragments.

A connection beyond a limit is aborted without an answer: such a client would not read it.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Any, ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode, Frame
from websockets.protocol import State

from ..limits import SilentConnections, TokenBucket, address_key

REQUEST_SECONDS = 10.0  # for a whole request, from its first byte or from the connection on
RESPONSE_SECONDS = 30.0  # until the client has read the response
LAST_SECONDS = 5.0  # after the end of a session, until its socket is aborted
MOST_REQUEST = 64 * 1024  # bytes, head included
_CONTROL_RATE, _CONTROL_BURST = 20, 400  # control frames and fragments a second, and at once


class TrustedProxies:
    """Addresses of trusted proxies, comma-separated: addresses, networks, or * for all."""

    def __init__(self, text: str) -> None:
        names = [each.strip() for each in text.split(",") if each.strip()]
        self._all = "*" in names
        self._networks: list[IPv4Network | IPv6Network] = []
        for name in names:
            with contextlib.suppress(ValueError):  # uvicorn accepts other names too; no peer has one
                self._networks.append(ip_network(name, strict=False))

    def __contains__(self, address: str) -> bool:
        return self._all or any(ip_address(address) in network for network in self._networks)


class BoundedHttpProtocol(HttpToolsProtocol):
    """HTTP with time and size limits: uvicorn waits for a request for ever, and buffers whatever comes."""

    silent: ClassVar[SilentConnections]  # connections without a complete request so far
    proxies: ClassVar[TrustedProxies]
    _timeout: asyncio.TimerHandle | None = None
    _read = 0

    @classmethod
    def limited_to(cls, most_silent: int, proxies: TrustedProxies) -> type[BoundedHttpProtocol]:
        """The class for one server: so many silent connections an address, proxies excepted."""
        return type(cls.__name__, (cls,), {"silent": SilentConnections(most_silent), "proxies": proxies})

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._start_timeout()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timeout()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._read += len(data)
        if self._read > MOST_REQUEST:
            self.transport.abort()
        else:
            super().data_received(data)

    def on_message_begin(self) -> None:
        if self._timeout is None:
            self._start_timeout()
        super().on_message_begin()

    def on_message_complete(self) -> None:
        self._stop_timeout()
        self._start_response_timeout()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        self._stop_timeout()
        if self.pipeline:  # the next pipelined request is answered now
            self._start_response_timeout()
        super().on_response_complete()

    def _start_response_timeout(self) -> None:
        self._timeout = self.loop.call_later(RESPONSE_SECONDS, self.transport.abort)

    def handle_websocket_upgrade(self) -> None:
        self._stop_timeout()
        super().handle_websocket_upgrade()
        self.parser = None  # type: ignore[assignment]  # it refers to this protocol, which nobody needs any more

    def timeout_keep_alive_handler(self) -> None:
        """Abort: closing would wait for a client that does not read."""
        self.transport.abort()

    def _start_timeout(self) -> None:
        self._timeout = self.loop.call_later(REQUEST_SECONDS, self.transport.abort)
        if self.client is not None and self.client[0] not in self.proxies:
            self.silent.add(address_key(self.client[0]), self, self.transport.abort)

    def _stop_timeout(self) -> None:
        self._read = 0
        if self.client is not None:
            self.silent.discard(address_key(self.client[0]), self)
        if self._timeout is not None:
            self._timeout.cancel()
            self._timeout = None


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """A websocket that bypasses ASGI for messages, and is the ``ClientSocket`` of its connection.

    Through ASGI every message passes a queue and a task each way, which took three times as long.  The handshake,
    closing and control frames are uvicorn's; a token bucket limits what it answers and buffers on its own.
    """

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self._control_frames = TokenBucket(_CONTROL_RATE, _CONTROL_BURST)
        self._on_message: Callable[[str | bytes], None] | None = None
        self._closing: asyncio.Task[None] | None = None
        self._at_frame_start = True  # the data so far ended with a whole frame
        self.gone = asyncio.Event()
        self._aborting: asyncio.TimerHandle | None = None

    def connection_lost(self, exc: Exception | None) -> None:
        if self._aborting is not None:
            self._aborting.cancel()
        self.gone.set()
        super().connection_lost(exc)

    def keepalive_timeout(self) -> None:
        """No pong: abort, as buffered data would keep the socket, and the seat, for minutes."""
        super().keepalive_timeout()
        self.transport.abort()

    def shutdown(self) -> None:
        """uvicorn would send a second close frame, and fail."""
        if self.transport.is_closing():
            self.transport.abort()
        else:
            super().shutdown()

    def data_received(self, data: bytes) -> None:
        """Fast path: a short message in a single frame needs no parser."""
        if self._on_message is not None and self._at_frame_start and not self.frames and not self.close_sent:
            message = _short_message(data)
            if message is not None and self.conn.state is State.OPEN:
                self._on_message(message)
                return
        if self.handshake_initiated:  # no frames before the handshake
            self._at_frame_start = self._at_frame_start and _whole_frames(data)
        super().data_received(data)

    async def run_asgi(self) -> None:
        self.scope["flipdeck.socket"] = self  # type: ignore[typeddict-unknown-key]
        try:
            await super().run_asgi()
        finally:
            self._break_cycles()

    def _break_cycles(self) -> None:
        """Nobody speaks any more.  What refers to itself would stay in memory until the collector comes, for hours."""
        del self.scope["flipdeck.socket"]  # type: ignore[typeddict-item]
        self.conn.parser.close()
        self.conn.parser_exc = None

    # ------------------------------------------------------------ the client socket
    def listen(self, on_message: Callable[[str | bytes], None] | None) -> None:
        """Deliver messages to this callback; None: to ASGI."""
        self._on_message = on_message

    def write(self, *messages: bytes) -> int:
        """One frame a message, and one system call for all: uvloop sends what is written at once."""
        transport = self.transport
        if not transport.is_closing():
            if len(messages) == 1:
                transport.write(_head(len(messages[0])) + messages[0])
            else:
                transport.write(b"".join([part for each in messages for part in (_head(len(each)), each)]))
        return transport.get_write_buffer_size()

    def close(self, code: int) -> None:
        self._closing = self.loop.create_task(self._close(code))

    async def _close(self, code: int) -> None:
        with contextlib.suppress(ClientDisconnected):
            await self.send({"type": "websocket.close", "code": code, "reason": None})

    def note_denied(self) -> None:
        """The handshake was answered with a refusal; uvicorn would log an error that it was not answered."""
        self.handshake_complete = True

    def cut(self) -> None:
        self.transport.abort()

    async def wait_closed(self) -> None:
        """Wait until the connection is closed; abort it if the client does not close in time."""
        if not self.gone.is_set():
            self._aborting = self.loop.call_later(LAST_SECONDS, self.transport.abort)
            await self.gone.wait()

    def send_receive_event_to_app(self) -> None:
        if self.close_sent:
            super().send_receive_event_to_app()
            return
        data = self.frames[0] if len(self.frames) == 1 else b"".join(self.frames)
        try:
            message = bytes(data) if self.curr_msg_data_type == "bytes" else bytes(data).decode()
        except UnicodeDecodeError:  # as uvicorn does, but without a stack in the log
            self.frames = []
            self.conn.send_close(CloseCode.INVALID_DATA)
            self.handle_parser_exception()
            return
        if self._on_message is None:
            super().send_receive_event_to_app()
            return
        self.frames = []
        self._on_message(message)

    # ------------------------------------------------------------ control frames and fragments
    def handle_ping(self) -> None:
        if self._within_limit() and self.writable.is_set():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        if self._within_limit():
            super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        if self._within_limit():
            super().handle_cont(event)

    def _within_limit(self) -> bool:
        if self.transport.is_closing():
            return False
        if self._control_frames.take(self.loop.time()):
            return True
        self.transport.abort()
        return False


def _short_message(data: bytes) -> bytes | None:
    """The text of a single masked frame of up to 125 ASCII characters (RFC 6455, 5.2); None for anything else."""
    size = len(data) - 6
    if not 0 < size < 126 or data[0] != 0x81 or data[1] != 0x80 | size:
        return None
    mask = (data[2:6] * (size // 4 + 1))[:size]
    text = (int.from_bytes(data[6:]) ^ int.from_bytes(mask)).to_bytes(size)
    return text if text.isascii() else None


def _whole_frames(data: bytes) -> bool:
    """Whether data that begins with a client frame also ends with one."""
    at = 0
    while at + 2 <= len(data):
        size, at = data[at + 1] & 0x7F, at + 2
        if size >= 126:
            more = 2 if size == 126 else 8
            size, at = int.from_bytes(data[at : at + more]), at + more
        at += 4 + size
    return at == len(data)


def _head(size: int) -> bytes:
    """The header of a server's text message in one frame (RFC 6455, 5.2)."""
    if size < 126:
        return bytes((0x81, size))
    return b"\x81\x7e" + size.to_bytes(2) if size < 65536 else b"\x81\x7f" + size.to_bytes(8)
