"""Lines that are kept open, or kept busy, without ever saying anything: they are cut, and nobody else is."""

from __future__ import annotations

import asyncio
import json
import random
from contextlib import suppress

import pytest
from websockets.frames import Opcode

from flipdeck.server import lines
from tests.server.by_hand import ByHand, by_hand, framed, line
from tests.server.running import eventually, fingerprint, play, run, running

ENOUGH = 20_000  # frames: hundreds of times what a line may send of them at once


async def cut(bad: ByHand, seconds: float = 10.0) -> bool:
    """Whether the other side ends it, in that time; what it says meanwhile does not matter."""
    with suppress(TimeoutError, ConnectionError):
        async with asyncio.timeout(seconds):
            while await bad.reader.read(2**16):
                pass
    return bad.reader.at_eof() or bad.reader.exception() is not None


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"GET /health HTTP/1.1\r\nHost: x\r\nX-Slow: y",
        b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
        b"GET /health HTTP/1.1\r\nHost: x\r\n\r\nGET /hea",
        b"GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgr",
    ],
)
def test_a_request_that_never_ends_is_ended(said: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "REQUEST_SECONDS", 0.5)

    async def story() -> None:
        async with running() as server:
            async with line(server) as slow:
                await slow.send(said)
                assert await cut(slow)
            assert (await server.http.get("/health")).status_code == 200

    run(story())


def test_those_who_ask_in_time_are_not_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "REQUEST_SECONDS", 0.5)

    async def story() -> None:
        async with running() as server:
            _, _, clients = await server.seated()
            for _ in range(3):
                assert (await server.http.get("/health")).status_code == 200
                await asyncio.sleep(0.4)
            assert len(await play(clients, 3, random.Random(1))) == 3

    run(story())


@pytest.mark.parametrize("endless", [b"X-More: " + b"y" * 992 + b"\r\n", b"y" * 1000])
def test_a_head_without_end_is_not_kept(endless: bytes) -> None:
    async def story() -> None:
        async with running() as server:
            async with line(server) as long:
                with suppress(ConnectionError):
                    await long.send(b"GET /health HTTP/1.1\r\nHost: x\r\nX-Long: " + endless * 1000)
                assert await cut(long)
            assert (await server.http.get("/health")).status_code == 200

    run(story())


FLOODS = {
    "pings": framed(b"x" * 125, Opcode.PING) * ENOUGH,
    "pongs": framed(b"x" * 125, Opcode.PONG) * ENOUGH,
    "empty pieces": framed(b"", fin=False) + framed(b"", Opcode.CONT, fin=False) * ENOUGH,
}


@pytest.mark.parametrize("flood", FLOODS.values(), ids=FLOODS)
def test_frames_that_are_no_message_have_a_bound_too(flood: bytes) -> None:
    async def story() -> None:
        async with running(messages_per_second=1000) as server:
            code, tokens, clients = await server.seated()
            before = fingerprint(server.table(code))
            async with by_hand(server, receive_buffer=4096) as bad:
                hello = {"type": "hello", "protocol": 1, "table": code}
                with suppress(ConnectionError):
                    await bad.send(framed(json.dumps(hello).encode()) + flood)
                await eventually(lambda: server.app.lobby.around.counts.connections == 2)
            assert fingerprint(server.table(code)) == before
            assert len(await play(clients, 3, random.Random(1))) == 3
            assert (await server.greet(code, tokens[0])).view is not None

    run(story())


def test_pings_now_and_then_are_answered() -> None:
    async def story() -> None:
        async with running() as server:
            _, _, (ana, _) = await server.seated()
            for _ in range(50):
                assert await asyncio.wait_for(await ana.socket.ping(), 10) >= 0

    run(story())
