"""The history checker over real processes: servers that are killed and stopped by signals, and whose connections are
cut, held and slow, while clients play over real sockets and come back to any server.

``test_node_faults`` does ten times as much in one process, and quicker.
"""

from __future__ import annotations

import asyncio
import random
import signal
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import httpx
import pytest

from tests.thorough import THOROUGH

from .audits import AuditedDatabase
from .clusters import LEASE_SECONDS, Cluster, NodeProcess, cluster
from .databases import postgres
from .histories import SETTINGS, History, NodeWitness
from .node_faults import STEPS
from .steered import run

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")

ROUNDS = 25 if THOROUGH else 1  # of all faults


class ProcessHistory(History):
    def __init__(self, database: AuditedDatabase, it: Cluster) -> None:
        super().__init__(database, it.dice)
        self.it = it

    async def seat(self, tables: int) -> None:
        async with httpx.AsyncClient(timeout=None) as http:  # noqa: S113
            for _ in range(tables):
                base = f"http://127.0.0.1:{self.it.nodes[0].door.port}/api/tables"
                host = (await http.post(base, json={"name": "Ann", "settings": SETTINGS})).json()
                code = host["code"]
                guest = (await http.post(f"{base}/{code}/seats", json={"name": "Ben"})).json()
                there = [
                    NodeWitness(code, seat if token else None, token, random.Random(self.dice.random()))
                    for seat, token in enumerate((host["token"], guest["token"], None))
                ]
                self.add(code, there, [asyncio.create_task(self.it.play(witness)) for witness in there])

    def break_connections(self) -> None:
        """As a proxy does when a server does not answer."""
        for witness in self.everybody:
            if witness._socket is not None:
                witness._socket.transport.abort()

    def any_node(self) -> NodeProcess:
        return self.dice.choice(self.it.nodes)


ClusterFault = Callable[[ProcessHistory], Awaitable[None]]


async def replace(history: ProcessHistory, node: NodeProcess) -> None:
    history.it.forget(node)
    await history.it.start()


def kill_at(step: str) -> ClusterFault:
    async def fault(history: ProcessHistory) -> None:
        doomed = await meet(history, step, signal.SIGKILL)
        await history.until(lambda: not doomed.lives)
        await history.it.start()

    return fault


def stop_at(step: str) -> ClusterFault:
    """In the middle of an append, past the lease: what it writes when it goes on must be refused."""

    async def fault(history: ProcessHistory) -> None:
        doomed = await meet(history, step, signal.SIGSTOP)
        await history.until(lambda: doomed.stands_still)
        history.break_connections()
        await history.it.start()
        await history.go_on()
        doomed.signal(signal.SIGCONT)
        await asyncio.sleep(LEASE_SECONDS / 2)
        await history.check()
        doomed.signal(signal.SIGTERM)
        await history.until(lambda: not doomed.lives)

    return fault


async def meet(history: ProcessHistory, step: str, number: int) -> NodeProcess:
    """A server in place of one that is killed, which comes to its step soon: everybody is sent there."""
    doomed = await history.it.start(step, history.dice.randrange(1, 12), number)
    first = history.it.nodes[0]
    first.signal(signal.SIGKILL)
    history.it.forget(first)
    others, history.it.nodes = history.it.nodes, [doomed]
    history.break_connections()
    await history.until(lambda: not doomed.lives or doomed.stands_still)
    history.it.nodes = [node for node in others if node is not doomed]
    return doomed


async def kill_any(history: ProcessHistory) -> None:
    node = history.any_node()
    node.signal(signal.SIGKILL)
    await replace(history, node)


async def kill_and_split(history: ProcessHistory) -> None:
    """Several servers are reached for the same tables at once."""
    history.it.split = True
    await kill_any(history)
    await asyncio.sleep(2 * LEASE_SECONDS)
    history.it.split = False


async def stand_still(history: ProcessHistory) -> None:
    """Past the lease, then it goes on as if nothing had happened."""
    node = history.any_node()
    node.signal(signal.SIGSTOP)
    history.it.forget(node)
    history.break_connections()
    await asyncio.sleep(1.5 * LEASE_SECONDS)
    await history.go_on()
    node.signal(signal.SIGCONT)
    history.it.nodes.append(node)


async def stand_still_shortly(history: ProcessHistory) -> None:
    """Nobody breaks the connections: whoever sent something waits for an answer."""
    node = history.any_node()
    node.signal(signal.SIGSTOP)
    await asyncio.sleep(history.dice.choice((0.3, 1.5)) * LEASE_SECONDS)
    node.signal(signal.SIGCONT)


async def stop_one(history: ProcessHistory) -> None:
    node = history.any_node()
    history.it.forget(node)
    node.signal(signal.SIGTERM)
    await history.it.start()
    await history.until(lambda: not node.lives)


async def restart_database(history: ProcessHistory) -> None:
    await asyncio.to_thread(postgres().restart, history.dice.choice(("immediate", "fast")))


async def cut(history: ProcessHistory) -> None:
    """From the database."""
    history.any_node().wire.cut()


async def slow(history: ProcessHistory) -> None:
    wire = history.any_node().wire
    wire.delay = 0.05
    await history.go_on()
    wire.delay = 0.0


async def black_hole(history: ProcessHistory) -> None:
    """The database is silent past the lease; then all that was held arrives."""
    wire = history.any_node().wire
    wire.hold()
    await asyncio.sleep(1.5 * LEASE_SECONDS)
    wire.release()


async def cut_off_from_people(history: ProcessHistory) -> None:
    """The proxy sends everybody to another server; this one hears nothing of it until its lines break."""
    node = history.any_node()
    history.it.forget(node)
    node.door.hold()
    history.break_connections()
    await history.go_on()
    node.door.cut()
    node.door.release()
    history.it.nodes.append(node)


async def restart_all(history: ProcessHistory) -> None:
    for node in list(history.it.nodes):
        await history.it.start()
        history.it.forget(node)
        node.signal(signal.SIGTERM)
        await history.until(lambda node=node: not node.lives)  # type: ignore[misc]


FAULTS: dict[str, ClusterFault] = {
    **{f"killed when {step}": kill_at(step) for step in STEPS},
    **{f"stopped when {step}": stop_at(step) for step in ("decided", "journal:before-commit", "journal:after-commit")},
    "killed": kill_any,
    "killed, and two take over": kill_and_split,
    "stopped past its lease": stand_still,
    "stopped for a moment": stand_still_shortly,
    "terminated": stop_one,
    "all restarted, one after the other": restart_all,
    "database restarted": restart_database,
    "connection cut": cut,
    "database slow": slow,
    "database silent past the lease": black_hole,
    "cut off from people": cut_off_from_people,
}


async def befall(history: ProcessHistory, name: str) -> None:
    await history.go_on()
    await FAULTS[name](history)
    history.faults[name] += 1
    await history.go_on()
    await history.check()


def test_nothing_acknowledged_is_lost_whatever_befalls_the_processes(tmp_path: Path) -> None:
    dice = random.Random(20)

    async def story() -> None:
        database = AuditedDatabase()
        await database.open()
        async with cluster(database, tmp_path, 2, dice) as it:
            history = ProcessHistory(database, it)
            await history.seat(3)
            try:
                for _ in range(ROUNDS):
                    for name in dice.sample(sorted(FAULTS), len(FAULTS)):
                        await befall(history, name)
            finally:
                await history.end()
            await history.check()
            assert history.faults.total() == ROUNDS * len(FAULTS)
        await database.close()

    run(story())
