"""Lines that are kept open, or kept busy, without ever saying anything: they are cut, and nobody else is."""

from __future__ import annotations

import json
import random
import socket
from contextlib import AsyncExitStack, suppress
from typing import Any

import pytest
from websockets.frames import Opcode

from flipdeck.server.transport import protocols
from tests.server.by_hand import ByHand, by_hand, framed, line
from tests.server.running import Running, eventually, fingerprint, play, run, running
from tests.server.steered import live, steered_loop

ENOUGH = 20_000  # frames: hundreds of times what a line may send of them at once


async def cut(bad: ByHand) -> bool:
    """Waits until the other side ends it; what it says meanwhile does not matter."""
    with suppress(ConnectionError):
        while await bad.reader.read(2**16):
            pass
    return bad.reader.at_eof() or bad.reader.exception() is not None


def is_open(server: Running, mine: ByHand) -> bool:
    """Whether the server still has this line."""
    here = mine.writer.get_extra_info("sockname")[:2]
    protocols: list[Any] = list(server.server.server_state.connections)
    return here in [protocol.client for protocol in protocols if not protocol.transport.is_closing()]


async def came(server: Running, mine: ByHand) -> None:
    """Waits until the server has let this line in."""
    await eventually(lambda: is_open(server, mine))


REQUEST = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: y",
        b"POST /api/tables HTTP/1.1\r\nHost: [::1]\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
        b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\nGET /hea",
        b"GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgr",
    ],
)
def test_a_request_that_never_ends_is_ended(said: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocols, "REQUEST_SECONDS", 3.0)

    async def story() -> None:
        async with running() as server:
            async with line(server) as slow:
                await slow.send(said)
                steered_loop().run_clock(100)
                assert await cut(slow)
            steered_loop().stop_clock()
            assert (await server.http.get("/health")).status_code == 200

    run(story())


@live
async def test_of_too_many_silent_lines_from_one_address_the_oldest_is_cut() -> None:
    """Whoever asks something, or becomes a websocket, is none of them."""
    async with running(most_per_address=40) as server, AsyncExitStack() as stack:
        _, _, clients = await server.seated()
        asked = await stack.enter_async_context(line(server))
        await asked.send(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert (await asked.reader.readuntil(b"\r\n")).startswith(b"HTTP/1.1 200")
        silent = []
        for _ in range(10):
            silent.append(await stack.enter_async_context(line(server)))
            await came(server, silent[-1])
        await silent[0].send(b"GET /health HT")
        assert all(is_open(server, each) for each in silent)
        await stack.enter_async_context(line(server))
        assert await cut(silent[0])
        assert all(is_open(server, each) for each in silent[1:])
        server.http.headers["connection"] = "close"
        assert (await server.http.get("/health")).status_code == 200
        assert (await server.http.get("/health")).status_code == 200  # it has come, and cost the oldest its place
        assert await cut(silent[1])
        await asked.send(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert (await asked.reader.readuntil(b"HTTP/1.1 200")).endswith(b"200")
        assert await play(clients, 3, random.Random(1)) == 3


@live
async def test_a_proxy_speaks_for_many_and_may_have_as_many_lines_as_it_needs() -> None:
    async with running(most_per_address=40, proxies="127.0.0.1") as server, AsyncExitStack() as stack:
        silent = [await stack.enter_async_context(line(server)) for _ in range(15)]
        for each in silent:
            await came(server, each)
        assert all(is_open(server, each) for each in silent)


@pytest.mark.parametrize(
    ("named", "are", "are_not"),
    [
        ("", [], ["127.0.0.1"]),
        ("*", ["127.0.0.1", "2001:db8::1"], []),
        ("10.0.0.0/8, 127.0.0.1", ["10.1.2.3", "127.0.0.1"], ["127.0.0.2", "::1"]),
        ("2001:db8::/32,/run/socket", ["2001:db8::7"], ["2001:db9::7"]),
    ],
)
def test_proxies_are_addresses_or_networks(named: str, are: list[str], are_not: list[str]) -> None:
    proxies = protocols.TrustedProxies(named)
    assert all(address in proxies for address in are)
    assert not any(address in proxies for address in are_not)


def test_those_who_ask_in_time_are_not_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocols, "REQUEST_SECONDS", 2.0)

    async def story() -> None:
        async with running() as server:
            _, _, clients = await server.seated()
            steered_loop().stop_clock()
            async with line(server) as prompt:
                for _ in range(2):
                    await prompt.send(REQUEST)
                    await prompt.reader.readuntil(b'"tables":1}')
                    async with line(server) as slow:
                        await came(server, slow)
                        steered_loop().advance(2.0)
                        assert await cut(slow), "so long have the others been idle, too"
                    assert is_open(server, prompt)
            assert await play(clients, 3, random.Random(1)) == 3

    run(story())


@pytest.mark.parametrize("endless", [b"X-More: " + b"y" * 992 + b"\r\n", b"y" * 1000])
@live
async def test_a_head_without_end_is_not_kept(endless: bytes) -> None:
    async with running() as server:
        async with line(server) as long:
            with suppress(ConnectionError):
                await long.send(b"GET /health HTTP/1.1\r\nHost: localhost\r\nX-Long: " + endless * 1000)
            assert await cut(long)
        assert (await server.http.get("/health")).status_code == 200


FLOODS = {
    "pings": framed(b"x" * 125, Opcode.PING) * ENOUGH,
    "pongs": framed(b"x" * 125, Opcode.PONG) * ENOUGH,
    "empty pieces": framed(b"", fin=False) + framed(b"", Opcode.CONT, fin=False) * ENOUGH,
}


@pytest.mark.parametrize("flood", FLOODS.values(), ids=FLOODS)
@live
async def test_frames_that_are_no_message_have_a_bound_too(flood: bytes) -> None:
    async with running(messages_per_second=100_000) as server:
        code, tokens, clients = await server.seated()
        before = fingerprint(server.table(code))
        async with by_hand(server, receive_buffer=4096) as bad:
            hello = {"type": "hello", "protocol": 1, "table": code}
            with suppress(ConnectionError):
                await bad.send(framed(json.dumps(hello).encode()) + flood)
            await eventually(lambda: server.app.lobby.context.counters.connections == 2)
        assert fingerprint(server.table(code)) == before
        assert await play(clients, 3, random.Random(1)) == 3
        assert (await server.greet(code, tokens[0])).view is not None


@live
async def test_pings_now_and_then_are_answered() -> None:
    async with running() as server:
        _, _, (ana, _) = await server.seated()
        for _ in range(50):
            assert await (await ana.socket.ping()) >= 0


GOOD_BYE = framed((1000).to_bytes(2), Opcode.CLOSE)


async def somebody_who_does_not_read(server: Running, slow: ByHand) -> None:
    """So much waits for them that it can't all be sent, and too little to be sent away for it."""
    code, _, clients = await server.seated(options={"target": 1_000_000})
    await slow.send(framed(json.dumps({"type": "hello", "protocol": 1, "table": code}).encode()))
    await eventually(lambda: len(server.table(code).connections) == 3)
    await play(clients, 40, random.Random(1))


def test_who_says_good_bye_and_does_not_read_is_cut_and_counts_until_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocols, "LAST_SECONDS", 3.0)
    wait_closed, leaving = protocols.WebSocketProtocol.wait_closed, []

    async def watched(protocol: protocols.WebSocketProtocol) -> None:
        leaving.append(protocol)
        await wait_closed(protocol)

    monkeypatch.setattr(protocols.WebSocketProtocol, "wait_closed", watched)

    async def story() -> None:
        async with running(messages_per_second=100_000) as server:
            server.server.servers[0].sockets[0].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
            counters = server.app.lobby.context.counters
            async with by_hand(server, receive_buffer=2048) as slow:
                await somebody_who_does_not_read(server, slow)
                steered_loop().stop_clock()
                await slow.send(GOOD_BYE)
                await eventually(lambda: bool(leaving))
                assert not leaving[0].gone.is_set()
                assert counters.connections == 3, "it is still there"
                steered_loop().advance(3.0)
                await eventually(lambda: counters.connections == 2)
                assert leaving[0].gone.is_set()

    run(story())


@live
async def test_a_server_stops_in_good_order_while_somebody_does_not_read_its_good_bye() -> None:
    async with running(messages_per_second=100_000, drain_seconds=1.0) as server:
        server.server.servers[0].sockets[0].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        async with by_hand(server, receive_buffer=2048) as slow:
            await somebody_who_does_not_read(server, slow)
            await slow.send(GOOD_BYE)
            server.server.should_exit = True
            await eventually(lambda: server.app.lobby.closing)


def test_an_answer_that_nobody_reads_is_not_kept_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocols, "RESPONSE_SECONDS", 3.0)

    async def story() -> None:
        async with running() as server:
            server.server.servers[0].sockets[0].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
            async with line(server, receive_buffer=2048) as slow:
                for _ in range(20):
                    await slow.send(b"GET /api/schema/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n")
                await came(server, slow)
                steered_loop().run_clock(50)
                await eventually(lambda: not server.server.server_state.connections)
            steered_loop().stop_clock()
            assert (await server.http.get("/health")).status_code == 200

    run(story())
