"""Lines whose other end has vanished without a word: no FIN, no answer, nothing is read any more.

That is all a server ever sees of a cable that was pulled out, or of a phone in a tunnel: so a socket that stays open
here, and on which nothing is done any more, is the real thing.  The clock stands unless a test lets it go on, so that
whoever is there has all the time it needs to answer a ping.
"""

from __future__ import annotations

import asyncio
import json
import random
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest
from websockets.frames import Frame, Opcode

from flipdeck.server import app
from flipdeck.server.table import connections
from flipdeck.server.transport import protocols, session
from flipdeck.server.transport.protocols import WebSocketProtocol

from .by_hand import KEY, framed
from .running import Client, Running, eventually, play, run, running
from .steered import advance_until, live, steered_loop

KEEPALIVE = 10.0
MOST_PER_ADDRESS = 10


class ServerWithGuests:
    """A server, those who come to it, and those who vanish."""

    def __init__(self, server: Running, stack: AsyncExitStack) -> None:
        self.server, self.stack = server, stack
        self.living: list[Client] = []
        self.pongs: list[Any] = []  # the addresses of who has answered the server's pings

    async def greet(self, code: str, token: str | None) -> Client:
        self.living.append(await self.server.greet(code, token))
        return self.living[-1]

    async def miss_the_vanished(self) -> None:
        """A ping to everybody; when all who are there have answered it, the time for an answer is over."""
        here = {client.socket.local_address[:2] for client in self.living}
        protocols: list[Any] = [each for each in self.connections if isinstance(each, WebSocketProtocol)]
        self.pongs.clear()
        steered_loop().advance(KEEPALIVE)
        now = steered_loop().time()
        await eventually(lambda: not any(each.ping_timer and each.ping_timer.when() <= now for each in protocols))
        await eventually(lambda: here <= set(self.pongs))
        steered_loop().advance(KEEPALIVE)

    async def come_to(self, count: int) -> None:
        """So many websockets count."""
        await eventually(lambda: self.open_lines == count)

    @property
    def connections(self) -> set[Any]:
        """All that the server has, websockets or not."""
        return self.server.server.server_state.connections

    @property
    def open_lines(self) -> int:
        return self.server.app.lobby.context.counters.connections

    # ------------------------------------------------------------ by hand, and then no more
    async def plug_in(self) -> socket.socket:
        """A line that takes in little, kept open to the end of the test whatever happens."""
        end = socket.socket()
        end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        end.setblocking(False)
        self.stack.callback(end.close)
        await asyncio.get_running_loop().sock_connect(end, ("127.0.0.1", self.server.server.port))
        return end

    async def say(self, end: socket.socket, data: bytes) -> None:
        await asyncio.get_running_loop().sock_sendall(end, data)

    async def shake_hands(self, end: socket.socket) -> None:
        await self.say(end, self.handshake)
        head = b""
        while b"\r\n\r\n" not in head:
            head += await asyncio.get_running_loop().sock_recv(end, 1)
        assert head.startswith(b"HTTP/1.1 101 "), head

    @property
    def handshake(self) -> bytes:
        base = self.server.base
        asked = f"GET /ws HTTP/1.1\r\nHost: {base.removeprefix('http://')}\r\nOrigin: {base}\r\n"
        asked += "Connection: Upgrade\r\nUpgrade: websocket\r\n"
        return f"{asked}Sec-WebSocket-Key: {KEY}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()

    async def greet_by_hand(self, code: str, token: str | None) -> socket.socket:
        end = await self.plug_in()
        await self.shake_hands(end)
        hello = {"type": "hello", "protocol": 1, "table": code, "token": token}
        await self.say(end, framed(json.dumps(hello).encode()))
        return end

    async def is_cut(self, end: socket.socket) -> bool:
        """Waits until it is, by the other side; only now anything is read here."""
        try:
            while await asyncio.get_running_loop().sock_recv(end, 2**16):
                pass
        except ConnectionError:
            pass
        return True


@asynccontextmanager
async def house() -> AsyncIterator[ServerWithGuests]:
    async with (
        running(messages_per_second=100_000, most_connections=100, most_per_address=MOST_PER_ADDRESS) as server,
        AsyncExitStack() as stack,
    ):
        it = ServerWithGuests(server, stack)
        # what the system takes off the server's hands for a line is little: what a client does not take stays here
        server.server.servers[0].sockets[0].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        with pytest.MonkeyPatch.context() as patched:
            heard = WebSocketProtocol.handle_pong

            def noted(protocol: WebSocketProtocol, event: Frame) -> None:
                it.pongs.append(protocol.client)
                heard(protocol, event)

            patched.setattr(WebSocketProtocol, "handle_pong", noted)
            patched.setattr(session, "_BURST", 1000)  # as no time passes, none of it is given back
            steered_loop().stop_clock()
            yield it


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "KEEPALIVE_SECONDS", KEEPALIVE)


CHAT = framed(b'{"type":"chat","text":"' + b"so long " * 20 + b'"}')
LAST_BYTES = {
    "between two messages": b"",
    "in the middle of a frame": CHAT[: len(CHAT) // 2],
    "in the middle of the head of a frame": CHAT[:3],
    "between two pieces of a message": framed(b'{"type":"chat",', fin=False),
    "after an answer to no ping at all": framed(b"?", Opcode.PONG),
}


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("last", LAST_BYTES.values(), ids=LAST_BYTES)
@live
async def test_who_vanishes_wherever_in_a_message_is_missed_and_a_bot_can_have_the_seat(last: bytes) -> None:
    async with house() as it:
        host = await it.server.make()
        guest = await it.server.join(host["code"])
        ana = await it.greet(host["code"], host["token"])
        end = await it.greet_by_hand(host["code"], guest["token"])
        assert (await ana.until("presence"))["here"] == [0, 1]
        assert (await ana.command("start"))["type"] == "ack"
        await it.say(end, last)
        assert (await ana.command("seat_bot", seat=1))["reason"] == "not-away"
        before = ana.version
        await it.miss_the_vanished()
        presence = await ana.until("presence")
        assert (presence["here"], presence["watching"]) == ([0], 0)
        assert ana.version == before, "half a message was taken for one"
        assert (await ana.command("seat_bot", seat=1))["type"] == "ack"
        await it.come_to(1)


@pytest.mark.usefixtures("impatient")
@live
async def test_who_has_vanished_takes_nobodys_place_any_more() -> None:
    async with house() as it:
        code = (await it.server.make())["code"]
        for _ in range(MOST_PER_ADDRESS):
            await it.greet_by_hand(code, None)
        await it.come_to(MOST_PER_ADDRESS)
        turned_away = await it.server.connect()
        assert (await turned_away.end())[0] == "limit"
        await it.miss_the_vanished()
        await it.come_to(0)
        watchers = [await it.greet(code, None) for _ in range(MOST_PER_ADDRESS)]
        assert watchers[-1].table["watching"] == MOST_PER_ADDRESS


@pytest.mark.usefixtures("impatient")
@live
async def test_who_is_there_and_has_nothing_to_say_is_not_taken_for_gone() -> None:
    """The test of this test: it is the silence of the line that counts, not that of the player."""
    async with house() as it:
        host = await it.server.make()
        ana = await it.greet(host["code"], host["token"])
        for _ in range(5):
            await it.miss_the_vanished()  # who has been cut answers no further ping
        assert it.open_lines == 1
        assert (await ana.command("leave"))["type"] == "ack"


def test_who_vanishes_before_the_greeting_is_cut_too(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name in (
        (protocols, "REQUEST_SECONDS"),
        (protocols, "LAST_SECONDS"),
        (connections, "FLUSH_SECONDS"),
        (session, "GREETING_SECONDS"),
    ):
        monkeypatch.setattr(module, name, 3.0)

    async def story() -> None:
        async with house() as it:
            host = await it.server.make()
            ana = await it.greet(host["code"], host["token"])
            half = it.handshake[: len(it.handshake) // 2]
            ends = [await it.plug_in() for _ in range(4)]
            for end, said in zip(
                ends[:3], (b"", half, it.handshake[:-2]), strict=True
            ):  # nothing, half, all but the end
                await it.say(end, said)
            await it.shake_hands(ends[3])  # and one who is let in, and never greets
            mine = {end.getsockname() for end in ends}
            await eventually(lambda: mine <= {each.client for each in it.connections})
            await advance_until(lambda: not mine & {each.client for each in it.connections}, 3.0)
            assert all([await it.is_cut(end) for end in ends])
            assert (await ana.command("leave"))["type"] == "ack"
            await it.come_to(0)

    run(story())


@pytest.mark.usefixtures("impatient")
@live
async def test_who_vanishes_while_much_waits_to_be_sent_is_missed_as_soon() -> None:
    """The last words of the server never get through: it must not wait until they do."""
    async with house() as it:
        host = await it.server.make(options={"target": 1_000_000})
        guest = await it.server.join(host["code"])
        players = [await it.greet(host["code"], each["token"]) for each in (host, guest)]
        gone = await it.greet_by_hand(host["code"], None)
        assert (await players[0].until("presence", watching=1))["here"] == [0, 1]
        await play(players, 40, random.Random(1))
        (line,) = [each for each in it.connections if each.client == gone.getsockname()]
        assert line.transport.get_write_buffer_size() > 0, "much waits"
        await it.miss_the_vanished()
        assert (await players[0].until("presence"))["watching"] == 0
        await it.come_to(2)
