"""A server that is stopped drains: its tables go on at another one, and no clock is charged for the way.

Two real servers in processes of their own, on a real database.
"""

from __future__ import annotations

import asyncio
import random
import signal
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import httpx
import pytest
import websockets

from flipdeck.wire.connection import CLOSE_CODES, RECONNECT

from .audits import AuditedDatabase
from .clusters import Cluster, NodeProcess, cluster
from .running import Client
from .sitting import Ledger, at_once, hall
from .steered import run

processes = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")
TURN = 300  # seconds
SETTINGS = {"seats": 2, "turn_seconds": TURN, "grace_ms": 0}


def tell_cluster(data: Path, count: int, story: Callable[[Cluster], Awaitable[None]]) -> None:
    async def whole() -> None:
        database = AuditedDatabase()
        await database.open()
        async with cluster(database, data, count, random.Random(5)) as it:
            await story(it)
        await database.close()

    run(whole())


async def greet(node: NodeProcess, code: str, token: str) -> Client | None:
    """None if it is to be tried again."""
    socket = await websockets.connect(f"ws://127.0.0.1:{node.door.port}/ws", compression=None, open_timeout=None)
    client = Client(socket)
    await client.send("hello", protocol=1, table=code, token=token)
    first = await client.until("welcome", "refused", "bye")
    if first["type"] == "welcome":
        return client
    assert (await client.end())[1] in RECONNECT, first
    return None


async def come_back(node: NodeProcess, code: str, token: str) -> Client:
    while (client := await greet(node, code, token)) is None:
        await asyncio.sleep(0.05)
    return client


def clock_of(client: Client) -> dict[str, int]:
    told = [message["clock"] for message in client.told if message["type"] in ("welcome", "update")]
    return dict(told[-1])


async def started_table(it: Cluster) -> tuple[str, list[str], list[Client]]:
    """At the first server."""
    node = it.nodes[0]
    base = f"http://127.0.0.1:{node.door.port}/api/tables"
    async with httpx.AsyncClient(timeout=None) as http:  # noqa: S113
        made = (await http.post(base, json={"name": "Ann", "settings": SETTINGS})).json()
        code = made["code"]
        guest = (await http.post(f"{base}/{code}/seats", json={"name": "Ben"})).json()
    tokens = [made["token"], guest["token"]]
    clients = [await come_back(node, code, token) for token in tokens]
    answer = await clients[0].command("start")
    assert answer["type"] == "ack"
    for client in clients:
        await client.up_to(answer["version"])
    return code, tokens, clients


@processes
def test_a_server_that_is_terminated_hands_its_tables_over_and_no_clock_is_charged_for_it(tmp_path: Path) -> None:
    async def story(it: Cluster) -> None:
        began = time.monotonic()
        code, tokens, clients = await started_table(it)
        first, second = it.nodes
        on_turn = next(number for number, client in enumerate(clients) if client.on_turn)
        version = clients[0].version
        first.signal(signal.SIGTERM)
        for client in clients:
            assert await client.end() == ("shutting-down", CLOSE_CODES["shutting-down"])
        most_charged = 1000 * (time.monotonic() - began)
        waiting = await come_back(second, code, tokens[1 - on_turn])
        left = clock_of(waiting)
        assert not left["running"], "the player on turn is not back"
        assert left["left_ms"] >= 1000 * TURN - most_charged
        assert waiting.version == version
        await asyncio.sleep(0.3)
        player = await come_back(second, code, tokens[on_turn])
        clock = clock_of(player)
        assert (clock["left_ms"], clock["running"]) == (left["left_ms"], True)
        assert player.view is not None
        move = {"version": player.version, "move": player.view["legal"][-1]}
        assert (await player.command("move", **move))["type"] == "ack"
        while first.lives:
            await asyncio.sleep(0.02)

    tell_cluster(tmp_path, 2, story)


@processes
def test_all_servers_are_replaced_one_after_the_other_under_a_table_that_is_played(tmp_path: Path) -> None:
    """A rolling restart: the table is at four servers, one after the other, and goes on at each."""

    async def story(it: Cluster) -> None:
        code, tokens, clients = await started_table(it)
        for _ in range(3):
            (old,) = it.nodes
            new = await it.start()
            it.forget(old)
            old.signal(signal.SIGTERM)
            for client in clients:
                assert (await client.end())[1] == CLOSE_CODES["shutting-down"]
            before = clock_of(clients[0])["left_ms"]
            clients[:] = [await come_back(new, code, token) for token in tokens]
            assert clock_of(clients[1])["left_ms"] <= before, "it is not set back to the whole turn"
            player = next(client for client in clients if client.on_turn)
            assert player.view is not None
            answer = await player.command("move", version=player.version, move=player.view["legal"][-1])
            assert answer["type"] == "ack"
            for client in clients:
                await client.up_to(answer["version"])

    tell_cluster(tmp_path, 1, story)


# ---------------------------------------------------------------- what others can see of it
@at_once
async def test_a_server_that_drains_says_so_in_its_row_before_it_lets_go() -> None:
    ledger = Ledger()
    async with hall(ledger, drain_seconds=5) as it:
        ann, _ = await it.sit(2)
        node, version = it.lobby.lease.node, ann.version
        assert not it.lobby.draining
        ledger.slow = 0.5
        await ann.send("lock", locked=True)
        closing = asyncio.create_task(it.lobby.close())
        await asyncio.sleep(0.1)
        assert it.lobby.draining
        assert node in ledger.draining
        assert ledger._tables[ann.code].node == node, "what was begun is finished first"
        await closing
        assert ledger._tables[ann.code].node is None
        assert len(await ledger.written(ann.code)) == version + 1
