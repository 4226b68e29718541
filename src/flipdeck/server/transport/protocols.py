"""uvicorn's protocols with bounds they don't have: on how long a request may take, on its length, on frames that are no
message.  A line that goes beyond is cut: there is nobody at its end to explain it to."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Any, ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.protocol import State

from ..limits import SilentConnections, TokenBucket, address_key

REQUEST_SECONDS = 10.0  # for a whole request, from the first byte or from the connection on
RESPONSE_SECONDS = 30.0  # until the client has taken the answer
LAST_SECONDS = 5.0  # after the end of a conversation, until its line is cut
MOST_REQUEST = 64 * 1024  # bytes, head and all
_PIECES_RATE, _PIECES_BURST = 20, 400  # pings, pongs and pieces of messages


class TrustedProxies:
    """Addresses whose lines are those of many, with commas between: addresses, networks, or * for all."""

    def __init__(self, text: str) -> None:
        names = [each.strip() for each in text.split(",") if each.strip()]
        self._all = "*" in names
        self._networks: list[IPv4Network | IPv6Network] = []
        for name in names:
            with contextlib.suppress(ValueError):  # uvicorn takes other names too; no line has one
                self._networks.append(ip_network(name, strict=False))

    def __contains__(self, address: str) -> bool:
        return self._all or any(ip_address(address) in network for network in self._networks)


class BoundedHttpProtocol(HttpToolsProtocol):
    """HTTP: by itself uvicorn waits for a request as long as it takes, and keeps whatever comes."""

    silent: ClassVar[SilentConnections]  # lines on which nothing whole has been asked yet
    proxies: ClassVar[TrustedProxies]
    _late: asyncio.TimerHandle | None = None
    _read = 0

    @classmethod
    def bounded(cls, most_silent: int, proxies: TrustedProxies) -> type[BoundedHttpProtocol]:
        """For one server: so many silent lines an address, but of proxies, who speak for many."""
        return type(cls.__name__, (cls,), {"silent": SilentConnections(most_silent), "proxies": proxies})

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._expect()

    def connection_lost(self, exc: Exception | None) -> None:
        self._expect_no_more()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._read += len(data)
        if self._read > MOST_REQUEST:
            self.transport.abort()
        else:
            super().data_received(data)

    def on_message_begin(self) -> None:
        if self._late is None:
            self._expect()
        super().on_message_begin()

    def on_message_complete(self) -> None:
        self._expect_no_more()
        self._answer_in_time()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        self._expect_no_more()
        if self.pipeline:  # the next is answered now
            self._answer_in_time()
        super().on_response_complete()

    def _answer_in_time(self) -> None:
        self._late = self.loop.call_later(RESPONSE_SECONDS, self.transport.abort)

    def handle_websocket_upgrade(self) -> None:
        self._expect_no_more()
        super().handle_websocket_upgrade()

    def timeout_keep_alive_handler(self) -> None:
        """Closing would wait for a client that does not read."""
        self.transport.abort()

    def _expect(self) -> None:
        self._late = self.loop.call_later(REQUEST_SECONDS, self.transport.abort)
        if self.client is not None and self.client[0] not in self.proxies:
            self.silent.add(address_key(self.client[0]), self, self.transport.abort)

    def _expect_no_more(self) -> None:
        self._read = 0
        if self.client is not None:
            self.silent.discard(address_key(self.client[0]), self)
        if self._late is not None:
            self._late.cancel()
            self._late = None


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """Websockets: a ``ClientSocket`` that is written to and heard without the detours of an application.

    What goes through ASGI passes a queue and a task each way, which took three times as long.  The handshake, the
    closing and all that is no message are uvicorn's; a bucket bounds what it answers and keeps without asking us.
    """

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self._pieces = TokenBucket(_PIECES_RATE, _PIECES_BURST)
        self._hear: Callable[[str | bytes], None] | None = None
        self._closing: asyncio.Task[None] | None = None
        self._between = True  # all that came ended with a whole frame, so that the next begins one
        self.gone = asyncio.Event()
        self._end: asyncio.TimerHandle | None = None

    def connection_lost(self, exc: Exception | None) -> None:
        if self._end is not None:
            self._end.cancel()
        self.gone.set()
        super().connection_lost(exc)

    def keepalive_timeout(self) -> None:
        """Nobody answers any more: what still waits to be sent would keep the line, and the seat, for minutes."""
        super().keepalive_timeout()
        self.transport.abort()

    def shutdown(self) -> None:
        """uvicorn would say good-bye once more to somebody who has said it, and fall over that."""
        if self.transport.is_closing():
            self.transport.abort()
        else:
            super().shutdown()

    def data_received(self, data: bytes) -> None:
        """What comes most is a short message in a frame of its own, and takes no parser."""
        if self._hear is not None and self._between and not self.frames and not self.close_sent:
            message = _short_message(data)
            if message is not None and self.conn.state is State.OPEN:
                self._hear(message)
                return
        if self.handshake_initiated:  # before it, there are no frames
            self._between = self._between and _whole_frames(data)
        super().data_received(data)

    async def run_asgi(self) -> None:
        self.scope["flipdeck.socket"] = self  # type: ignore[typeddict-unknown-key]
        await super().run_asgi()

    # ------------------------------------------------------------ the line
    def listen(self, hear: Callable[[str | bytes], None] | None) -> None:
        """Every message from now on goes there; None: nobody listens any more."""
        self._hear = hear

    def write(self, message: bytes) -> int:
        """uvloop sends what is told in one go, such as an acknowledgement and what came of it, in one go."""
        transport = self.transport
        if not transport.is_closing():
            transport.write(_head(len(message)) + message)
        return transport.get_write_buffer_size()

    def close(self, code: int) -> None:
        self._closing = self.loop.create_task(self._close(code))

    async def _close(self, code: int) -> None:
        with contextlib.suppress(ClientDisconnected):
            await self.send({"type": "websocket.close", "code": code, "reason": None})

    def cut(self) -> None:
        self.transport.abort()

    async def let_go(self) -> None:
        """Until the line is really gone: closing waits for a client that does not read, we don't."""
        if not self.gone.is_set():
            self._end = self.loop.call_later(LAST_SECONDS, self.transport.abort)
            await self.gone.wait()

    def send_receive_event_to_app(self) -> None:
        if self._hear is None or self.close_sent:
            super().send_receive_event_to_app()
            return
        data = self.frames[0] if len(self.frames) == 1 else b"".join(self.frames)
        try:
            message = bytes(data) if self.curr_msg_data_type == "bytes" else bytes(data).decode()
        except UnicodeDecodeError:
            super().send_receive_event_to_app()  # it knows how to end that
            return
        self.frames = []
        self._hear(message)

    # ------------------------------------------------------------ what is no message
    def handle_ping(self) -> None:
        if self._may_go_on() and self.writable.is_set():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        if self._may_go_on():
            super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        if self._may_go_on():
            super().handle_cont(event)

    def _may_go_on(self) -> bool:
        if self.transport.is_closing():
            return False
        if self._pieces.take(self.loop.time()):
            return True
        self.transport.abort()
        return False


def _short_message(data: bytes) -> bytes | None:
    """The text of a frame that is all there is: whole, masked, up to 125 signs of ASCII (RFC 6455, 5.2)."""
    size = len(data) - 6
    if not 0 < size < 126 or data[0] != 0x81 or data[1] != 0x80 | size:
        return None
    mask = (data[2:6] * (size // 4 + 1))[:size]
    text = (int.from_bytes(data[6:]) ^ int.from_bytes(mask)).to_bytes(size)
    return text if text.isascii() else None


def _whole_frames(data: bytes) -> bool:
    """Whether data that begins with a frame from a client ends with one too."""
    at = 0
    while at + 2 <= len(data):
        size, at = data[at + 1] & 0x7F, at + 2
        if size >= 126:
            more = 2 if size == 126 else 8
            size, at = int.from_bytes(data[at : at + more]), at + more
        at += 4 + size
    return at == len(data)


def _head(size: int) -> bytes:
    """Of a text message in one frame, from a server (RFC 6455, 5.2)."""
    if size < 126:
        return bytes((0x81, size))
    return b"\x81\x7e" + size.to_bytes(2) if size < 65536 else b"\x81\x7f" + size.to_bytes(8)
