"""Lines whose other end has vanished without a word: no FIN, no answer, nothing is read any more.

That is all a server ever sees of a cable that was pulled out, or of a phone in a tunnel: so a socket that stays open
here, and on which nothing is done any more, is the real thing.
"""

from __future__ import annotations

import asyncio
import json
import random
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field

import httpx
import websockets
from websockets.frames import Opcode

from .by_hand import KEY, framed
from .impatient import MOST_PER_ADDRESS, impatient
from .running import PATIENCE, PLAIN, Client, Message, play

KEEPALIVE = 2.0  # seconds: those who are there answer in that time, on a busy machine too
SOON = 2 * KEEPALIVE + 4.0  # a ping, the wait for its answer, and a busy machine


@dataclass
class House:
    """A server in a process of its own, and those who come to it."""

    base: str
    http: httpx.AsyncClient
    stack: AsyncExitStack
    gone: list[socket.socket] = field(default_factory=list)

    async def make(self, **settings: object) -> Message:
        body = {"name": "Ana", "settings": {**PLAIN, "seats": 2, **settings}}
        return dict((await self.http.post("/api/tables", json=body)).json())

    async def join(self, code: str) -> Message:
        return dict((await self.http.post(f"/api/tables/{code}/seats", json={"name": "Ben"})).json())

    async def connect(self) -> Client:
        url = self.base.replace("http", "ws") + "/ws"
        return Client(
            await self.stack.enter_async_context(websockets.connect(url, origin=self.base, max_queue=None))  # type: ignore[arg-type]
        )

    async def greet(self, code: str, token: str | None) -> Client:
        client = await self.connect()
        await client.send("hello", protocol=1, table=code, token=token)
        await client.until("welcome")
        return client

    async def open_lines(self) -> int:
        """Websockets that count, as the server has it."""
        text = (await self.http.get("/metrics")).text
        return int(
            float(next(line for line in text.splitlines() if line.startswith("flipdeck_connections ")).split()[1])
        )

    async def come_to(self, lines: int) -> None:
        async with asyncio.timeout(SOON):
            while await self.open_lines() != lines:
                await asyncio.sleep(0.1)

    # ------------------------------------------------------------ by hand, and then no more
    async def plug_in(self) -> socket.socket:
        """A line that takes in little, kept open to the end of the test whatever happens."""
        end = socket.socket()
        end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        end.setblocking(False)
        self.gone.append(end)
        self.stack.callback(end.close)
        host, port = self.base.removeprefix("http://").split(":")
        await asyncio.get_running_loop().sock_connect(end, (host, int(port)))
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
        host = self.base.removeprefix("http://")
        asked = (
            f"GET /ws HTTP/1.1\r\nHost: {host}\r\nOrigin: {self.base}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        )
        return f"{asked}Sec-WebSocket-Key: {KEY}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()

    async def greet_by_hand(self, code: str, token: str | None) -> socket.socket:
        end = await self.plug_in()
        await self.shake_hands(end)
        await self.say(
            end, framed(json.dumps({"type": "hello", "protocol": 1, "table": code, "token": token}).encode())
        )
        return end

    async def is_cut(self, end: socket.socket) -> bool:
        """By the other side, in time; only now anything is read here."""
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(SOON):
                while await loop.sock_recv(end, 2**16):
                    pass
        except ConnectionError:
            return True
        except TimeoutError:
            return False
        return True


@asynccontextmanager
async def house() -> AsyncIterator[House]:
    async with (
        asyncio.timeout(90),
        impatient(KEEPALIVE) as base,
        httpx.AsyncClient(base_url=base, timeout=PATIENCE) as http,
        AsyncExitStack() as stack,
    ):
        yield House(base, http, stack)


CHAT = framed(b'{"type":"chat","text":"' + b"so long " * 20 + b'"}')
LAST_BYTES = {
    "between two messages": b"",
    "in the middle of a frame": CHAT[: len(CHAT) // 2],
    "in the middle of the head of a frame": CHAT[:3],
    "between two pieces of a message": framed(b'{"type":"chat",', fin=False),
    "after an answer to no ping at all": framed(b"?", Opcode.PONG),
}


async def is_missed(it: House, last: bytes) -> None:
    """At a table of their own: somebody who has said this, and then nothing any more."""
    host = await it.make()
    guest = await it.join(host["code"])
    ana = await it.greet(host["code"], host["token"])
    end = await it.greet_by_hand(host["code"], guest["token"])
    assert (await ana.until("presence"))["here"] == [0, 1]
    assert (await ana.command("start"))["type"] == "ack"
    await it.say(end, last)
    assert (await ana.command("seat_bot", seat=1))["reason"] == "not-away"
    before = ana.version
    async with asyncio.timeout(SOON):
        presence = await ana.until("presence")
    assert (presence["here"], presence["watching"]) == ([0], 0)
    assert ana.version == before, "half a message was taken for one"
    assert (await ana.command("seat_bot", seat=1))["type"] == "ack"


def test_who_vanishes_wherever_in_a_message_is_missed_soon_and_a_bot_can_have_the_seat() -> None:
    async def story() -> None:
        async with house() as it:
            waiting = {name: asyncio.create_task(is_missed(it, last)) for name, last in LAST_BYTES.items()}
            await asyncio.wait(waiting.values())
            assert {name: task.exception() for name, task in waiting.items() if task.exception()} == {}
            await it.come_to(len(waiting))

    asyncio.run(story())


def test_who_has_vanished_takes_nobodys_place_any_more() -> None:
    async def story() -> None:
        async with house() as it:
            code = (await it.make())["code"]
            for _ in range(MOST_PER_ADDRESS):
                await it.greet_by_hand(code, None)
            await it.come_to(MOST_PER_ADDRESS)
            turned_away = await it.connect()
            assert (await turned_away.end())[0] == "limit"
            await it.come_to(0)
            watchers = [await it.greet(code, None) for _ in range(MOST_PER_ADDRESS)]
            assert watchers[-1].table["watching"] == MOST_PER_ADDRESS

    asyncio.run(story())


def test_who_is_there_and_has_nothing_to_say_is_not_taken_for_gone() -> None:
    """The test of this test: it is the silence of the line that counts, not that of the player."""

    async def story() -> None:
        async with house() as it:
            host = await it.make()
            ana = await it.greet(host["code"], host["token"])
            reading = asyncio.get_running_loop().create_task(ana.end())
            await asyncio.sleep(3 * KEEPALIVE)
            assert not reading.done()
            assert await it.open_lines() == 1
            reading.cancel()

    asyncio.run(story())


def test_who_vanishes_before_the_greeting_is_cut_too() -> None:
    async def story() -> None:
        async with house() as it:
            half = it.handshake[: len(it.handshake) // 2]
            ends = [await it.plug_in() for _ in range(4)]
            for end, said in zip(
                ends[:3], (b"", half, it.handshake[:-2]), strict=True
            ):  # nothing, half, all but the end
                await it.say(end, said)
            await it.shake_hands(ends[3])  # and one who is let in, and never greets
            host = await it.make()
            ana = await it.greet(host["code"], host["token"])
            await asyncio.sleep(2 * KEEPALIVE + 1.0)
            assert all([await it.is_cut(end) for end in ends])
            assert (await ana.command("leave"))["type"] == "ack"
            await it.come_to(0)

    asyncio.run(story())


def test_who_vanishes_while_much_waits_to_be_sent_is_missed_as_soon() -> None:
    """The last words of the server never get through: it must not wait until they do."""

    async def story() -> None:
        async with house() as it:
            host = await it.make(options={"target": 1_000_000})
            guest = await it.join(host["code"])
            players = [await it.greet(host["code"], each["token"]) for each in (host, guest)]
            await it.greet_by_hand(host["code"], None)
            assert (await players[0].until("presence", watching=1))["here"] == [0, 1]
            await play(players, 60, random.Random(1))
            told = [message for message in players[0].told if message["type"] == "presence"]
            if told[-1]["watching"]:
                async with asyncio.timeout(SOON):
                    assert (await players[0].until("presence"))["watching"] == 0
            await it.come_to(2)

    asyncio.run(story())
