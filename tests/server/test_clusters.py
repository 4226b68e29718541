"""A history checker: whatever befalls several servers on one database, nothing acknowledged is lost, nothing was shown
that is not committed, entries have no gap, every command was carried out once, and epochs rise.

Clients play over real sockets and come back to any server; after every fault they and the journal are compared.
"""

from __future__ import annotations

import asyncio
import random
import signal
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from flipdeck.server.journal.postgres import PostgresJournal
from tests.thorough import THOROUGH

from .clusters import LEASE_SECONDS, Cluster, NodeProcess, NodeWitness, cluster
from .databases import postgres
from .steered import run
from .witnesses import CommittedTable, agree

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")

ROUNDS = 25 if THOROUGH else 1  # of all faults
PROGRESS = 4  # acknowledgements of every table after each fault
STEPS = ("received", "decided", "journal:before-commit", "journal:after-commit", "committed", "acknowledged", "shown")
SETTINGS: dict[str, Any] = {
    "seats": 2,
    "options": {"target": 5000},
    "grace_ms": 0,
    "speed": "fast",
    "turn_seconds": 300,
}


class History:
    """Tables, those who play at them, and what the journal has of each."""

    def __init__(self, it: Cluster, journal: PostgresJournal, dice: random.Random) -> None:
        self.it, self.journal, self.dice = it, journal, dice
        self.witnesses: dict[str, list[NodeWitness]] = {}
        self.ledgers: dict[str, CommittedTable] = {}
        self.epochs: dict[str, int] = {}
        self.tasks: list[asyncio.Task[None]] = []

    async def seat(self, tables: int) -> None:
        async with httpx.AsyncClient(timeout=None) as http:  # noqa: S113
            for _ in range(tables):
                base = f"http://127.0.0.1:{self.it.nodes[0].port}/api/tables"
                host = (await http.post(base, json={"name": "Ann", "settings": SETTINGS})).json()
                code = host["code"]
                guest = (await http.post(f"{base}/{code}/seats", json={"name": "Ben"})).json()
                tokens = (host["token"], guest["token"], None)
                self.witnesses[code] = [
                    NodeWitness(code, seat if token else None, token, random.Random(self.dice.random()))
                    for seat, token in enumerate(tokens)
                ]
                self.ledgers[code] = CommittedTable()
        everybody = [witness for there in self.witnesses.values() for witness in there]
        self.tasks = [asyncio.create_task(self.it.play(witness)) for witness in everybody]

    def acks(self, code: str) -> int:
        return sum(len(witness.acks) for witness in self.witnesses[code])

    async def go_on(self) -> None:
        """Every table is played on."""
        goals = {code: self.acks(code) + PROGRESS for code in self.witnesses}
        await self.until(lambda: all(self.acks(code) >= goal for code, goal in goals.items()))

    async def until(self, happened: Callable[[], bool]) -> None:
        """Or one of the clients has found fault with what it was told."""
        while not happened():
            for task in self.tasks:
                if task.done():
                    task.result()
            await asyncio.sleep(0.02)

    def break_connections(self) -> None:
        """As a proxy does when a server does not answer."""
        for witness in (witness for there in self.witnesses.values() for witness in there):
            if witness._socket is not None:
                witness._socket.transport.abort()

    async def check(self) -> None:
        for code, ledger in self.ledgers.items():
            for _ in range(50):  # until the journal was read after the last word that anybody has heard
                ledger.read(await self.journal.load(code))
                if all(newest(witness) <= ledger.version for witness in self.witnesses[code]):
                    break
            for witness in self.witnesses[code]:
                agree(witness, ledger)
            (row,) = await self.journal._fetch("SELECT epoch FROM tables WHERE code = $1", code)
            assert row["epoch"] >= self.epochs.get(code, 0), "an epoch has fallen"
            self.epochs[code] = row["epoch"]

    async def end(self) -> None:
        self.it.playing = False
        for task in self.tasks:
            task.cancel()
        for task in self.tasks:
            with suppress(asyncio.CancelledError):
                await task


def newest(witness: NodeWitness) -> int:
    return max(witness.version or 0, *witness.acks.values(), 0)


ClusterFault = Callable[[History], Awaitable[None]]


async def replace(history: History, node: NodeProcess) -> None:
    history.it.forget(node)
    await history.it.start()


def kill_at(step: str) -> ClusterFault:
    async def fault(history: History) -> None:
        doomed = await meet(history, step, signal.SIGKILL)
        await history.until(lambda: not doomed.lives)
        await history.it.start()

    return fault


def stop_at(step: str) -> ClusterFault:
    """In the middle of an append, past the lease: what it writes when it goes on must be refused."""

    async def fault(history: History) -> None:
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


async def meet(history: History, step: str, number: int) -> NodeProcess:
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


async def kill_any(history: History) -> None:
    node = history.dice.choice(history.it.nodes)
    node.signal(signal.SIGKILL)
    await replace(history, node)


async def kill_and_split(history: History) -> None:
    """Several servers are reached for the same tables at once."""
    history.it.split = True
    await kill_any(history)
    await asyncio.sleep(2 * LEASE_SECONDS)
    history.it.split = False


async def stand_still(history: History) -> None:
    """Past the lease, then it goes on as if nothing had happened."""
    node = history.dice.choice(history.it.nodes)
    node.signal(signal.SIGSTOP)
    history.it.forget(node)
    history.break_connections()
    await asyncio.sleep(1.5 * LEASE_SECONDS)
    await history.go_on()
    node.signal(signal.SIGCONT)
    history.it.nodes.append(node)


async def stand_still_shortly(history: History) -> None:
    """Nobody breaks the connections: whoever sent something waits for an answer."""
    node = history.dice.choice(history.it.nodes)
    node.signal(signal.SIGSTOP)
    await asyncio.sleep(history.dice.choice((0.3, 1.5)) * LEASE_SECONDS)
    node.signal(signal.SIGCONT)


async def stop_one(history: History) -> None:
    node = history.dice.choice(history.it.nodes)
    history.it.forget(node)
    node.signal(signal.SIGTERM)
    await history.it.start()
    await history.until(lambda: not node.lives)


async def restart_database(history: History) -> None:
    await asyncio.to_thread(postgres().restart, history.dice.choice(("immediate", "fast")))


FAULTS: dict[str, ClusterFault] = {
    **{f"killed when {step}": kill_at(step) for step in STEPS},
    **{f"stopped when {step}": stop_at(step) for step in ("decided", "journal:before-commit", "journal:after-commit")},
    "killed": kill_any,
    "killed, and two take over": kill_and_split,
    "stopped past its lease": stand_still,
    "stopped for a moment": stand_still_shortly,
    "terminated": stop_one,
    "database restarted": restart_database,
}


def test_nothing_acknowledged_is_lost_whatever_befalls_the_servers(tmp_path: Path) -> None:
    database = postgres().new()
    dice = random.Random(20)

    async def story() -> None:
        journal = PostgresJournal(postgres().url(database))
        await journal.open()
        async with cluster(postgres().url(database), tmp_path, 2, dice) as it:
            history = History(it, journal, dice)
            await history.seat(3)
            try:
                for _ in range(ROUNDS):
                    for name in dice.sample(sorted(FAULTS), len(FAULTS)):
                        await history.go_on()
                        await FAULTS[name](history)
                        await history.go_on()
                        await history.check()
            finally:
                await history.end()
            await history.check()
        await journal.close()

    run(story())
