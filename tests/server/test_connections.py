"""Clients that take more than their share, or don't take what is theirs: others play on at their own pace."""

from __future__ import annotations

import asyncio
import gc
import json
import random
import socket

import pytest
from websockets.frames import Opcode

from flipdeck.server.table import connections
from flipdeck.server.table.connections import Connection
from flipdeck.server.transport import protocols
from tests.server.by_hand import ByHand, by_hand, framed
from tests.server.running import Message, Running, eventually, fingerprint, play, run, running
from tests.server.steered import advance_until, live, steered_loop


def hello(seated: Message) -> bytes:
    return framed(json.dumps({"type": "hello", "protocol": 1, **seated}).encode())


# ---------------------------------------------------------------- two tabs
@live
async def test_of_two_windows_with_one_seat_the_newest_plays_and_the_older_is_told() -> None:
    async with running() as server:
        code, tokens, (ana, ben) = await server.seated()
        before = fingerprint(server.table(code))
        newer = await server.greet(code, tokens[0], have=ana.version)
        assert await ana.end() == ("replaced", 4000)
        assert newer.version == ana.version
        assert fingerprint(server.table(code)) == before
        assert (await ben.until("presence"))["here"] == [0, 1]
        assert await play([newer, ben], 4, random.Random(1)) == 4
        newest = [await server.greet(code, tokens[0]) for _ in range(5)][-1]
        assert await newer.end() == ("replaced", 4000)
        assert len(server.table(code).connections) == 2
        await newest.up_to(ben.version)
        assert await play([newest, ben], 4, random.Random(1)) == 4


# ---------------------------------------------------------------- who does not read
def small_buffers(server: Running) -> None:
    """The system takes little off the server's hands, so that what is not read soon stays with the server."""
    server.server.servers[0].sockets[0].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)


def connections_kept() -> int:
    gc.collect()
    return sum(isinstance(thing, Connection) for thing in gc.get_objects())


def test_who_stops_reading_slows_nobody_is_cut_off_and_sees_later_what_was_missed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connections, "FLUSH_SECONDS", 300.0)
    monkeypatch.setattr(protocols, "LAST_SECONDS", 300.0)
    monkeypatch.setattr(connections, "MOST_WAITING", 32 * 1024)

    async def story() -> None:
        async with running(messages_per_second=100_000) as server:
            small_buffers(server)
            code, _, clients = await server.seated(options={"target": 1_000_000})
            before, counts = connections_kept(), server.app.lobby.context.counters
            async with by_hand(server, receive_buffer=2048) as slow:
                await slow.send(hello({"table": code}))
                table = server.table(code)
                await eventually(lambda: len(table.connections) == 3)
                (watcher,) = [each for each in table.connections if each.seat_state is None]
                have = table.state.version
                await play(clients, 60, random.Random(1))
                for _ in range(20):
                    if watcher.closing is not None:
                        break
                    await play(clients, 20, random.Random(2))
                assert watcher.closing == 4002
                steered_loop().stop_clock()
                assert counts.connections == 3, "it has time to take the last words"
                await advance_until(lambda: counts.connections == 2, 300.0)
                steered_loop().run_clock()
                del watcher
            assert connections_kept() == before
            again = await server.greet(code, have=have)
            await clients[0].up_to(again.version)
            shown = [told for told in clients[0].told if told["type"] == "update" and told["version"] > have]
            happened = [told["version"] for told in shown if told["events"]]
            assert [step["version"] for step in again.told[0]["missed"]] == happened

    run(story())


async def last_words(slow: ByHand) -> str:
    """The code of the last message before the close."""
    last = b"{}"
    while True:
        opcode, data = await slow.next_frame()
        if opcode is Opcode.CLOSE:
            return str(json.loads(last).get("code"))
        last = data if opcode is Opcode.TEXT else last


def test_who_reads_too_slowly_and_then_reads_on_is_told_why_it_was_sent_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MOST_WAITING", 32 * 1024)

    async def story() -> None:
        async with running(messages_per_second=100_000) as server:
            small_buffers(server)
            code, _, clients = await server.seated()
            async with by_hand(server, receive_buffer=2048) as slow:
                await slow.send(hello({"table": code}))
                table = server.table(code)
                await eventually(lambda: len(table.connections) == 3)
                (watcher,) = [each for each in table.connections if each.seat_state is None]
                while watcher.closing is None:
                    await play(clients, 20, random.Random(2))
                assert await last_words(slow) == "too-slow"

    run(story())


# ---------------------------------------------------------------- floods
@live
async def test_who_sends_too_fast_is_sent_away_and_told_so() -> None:
    async with running() as server:
        code, tokens, (_, ben) = await server.seated()
        before = fingerprint(server.table(code))
        steered_loop().stop_clock()
        for number in range(200):
            await ben.send("move", cmd_id=f"flood{number}", version=0, move="draw")
        assert await ben.end() == ("too-fast", 1008)
        refused = [message for message in ben.told if message["type"] == "refused"]
        assert {message["code"] for message in refused} <= {"stale-version"}
        assert len(refused) <= 40  # at once, and no time passes
        assert fingerprint(server.table(code)) == before
        assert (await server.greet(code, tokens[1])).view is not None


def test_a_table_plays_on_beside_a_flood_of_messages() -> None:
    """An attacker who comes again each time it is sent away, over and over while others play.

    How much longer a move takes then is measured in ``benchmarks/server.py``.
    """
    flood = b"".join(framed(json.dumps({"type": "pong", "n": n}).encode()) for n in range(5_000))

    async def attack(server: Running, seated: Message, codes: list[int]) -> None:
        while True:
            async with by_hand(server) as bad:
                await bad.send(hello({"table": seated["code"], "token": seated["token"]}) + flood)
                codes.append(await bad.close_code())

    async def story() -> None:
        async with running(messages_per_second=100_000) as server:
            seated = await server.make(bots={"1": "rookie"})
            code, _, clients = await server.seated()
            before, codes, moves = fingerprint(server.table(seated["code"])), list[int](), 0
            attacking = asyncio.create_task(attack(server, seated, codes))
            while moves < 60 or len(codes) < 6:
                moves += await play(clients, 10, random.Random(moves))
            assert not attacking.done(), "it goes on"
            attacking.cancel()
            assert set(codes) == {1008}
            assert fingerprint(server.table(seated["code"])) == before
            assert server.table(code).state.version == max(client.version for client in clients)

    run(story())
