"""Several real servers on one PostgreSQL: ``python -m tests.server.clusters``, and the handle that tests have on it.

A line of JSON on its input is one more server; it answers ``up PID PORT``.  Servers are forked from a process that has
loaded the program (see ``killing``), and live side by side.  Between a server and the database is a wire, and so is one
between a server and its people.  Their wall clocks are hours apart.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from flipdeck.server.app import make_app, serve
from flipdeck.server.config import Config
from flipdeck.server.journal.postgres import PostgresJournal
from flipdeck.server.thinkers.inline import InlineThinkers
from tests.patience import HANG
from tests.server.running import patient

from .audits import AuditedDatabase
from .databases import postgres
from .histories import NodeWitness
from .outbox import Message
from .short_journals import short_journals
from .wires import Wire

ROOT = Path(__file__).parents[2]
LEASE_SECONDS = 1.0
RETURN_SECONDS = 0.05  # until a client comes back
HOUR = 3600.0


class SignalAtStep:
    """Kills or stops its own process when it comes to a step for the Nth time."""

    def __init__(self, step: str, after: int, number: int) -> None:
        self._step, self._left, self._number = step, after, number

    def __call__(self, step: str) -> None:
        if step == self._step:
            self._left -= 1
            if self._left == 0:
                os.kill(os.getpid(), self._number)


def live(wanted: Message) -> None:
    """One server, until its end; it does not outlive those who started it for long, whatever becomes of them."""
    signal.alarm(int(HANG))
    shift_wall_clock(wanted["shift"])
    config = Config(
        data=Path(wanted["data"]),
        port=0,
        journal=wanted["url"],
        messages_per_second=100_000,
        lease_seconds=LEASE_SECONDS,
        hold_seconds=0.3,
    )
    app = make_app(config, thinkers=InlineThinkers(), step=SignalAtStep(**wanted["fate"]))
    with patient(), short_journals():
        asyncio.run(serve(app, config, lambda port: _tell(f"up {os.getpid()} {port}")))


def shift_wall_clock(seconds: float) -> None:
    usual, usual_ns = time.time, time.time_ns
    time.time = lambda: usual() + seconds
    time.time_ns = lambda: usual_ns() + int(seconds * 1e9)


def _tell(line: str) -> None:
    os.write(1, line.encode() + b"\n")


def main() -> None:
    make_app(Config(), journal=PostgresJournal(""), thinkers=InlineThinkers())  # loads what all need
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for line in sys.stdin:
        if os.fork() == 0:
            status = 1
            try:
                live(json.loads(line))
                status = 0
            finally:
                os._exit(status)


@dataclass
class NodeProcess:
    pid: int
    wire: Wire  # to the database
    door: Wire  # from its people

    def signal(self, number: int) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.pid, number)

    @property
    def lives(self) -> bool:
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        return True

    @property
    def stands_still(self) -> bool:
        return Path(f"/proc/{self.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] == "T"


@dataclass
class Cluster:
    database: AuditedDatabase
    data: Path
    process: subprocess.Popen[str]
    dice: random.Random
    nodes: list[NodeProcess] = field(default_factory=list)
    started: list[NodeProcess] = field(default_factory=list)
    split: bool = False  # the people of one table reach different servers

    async def start(self, step: str = "", after: int = 0, number: int = signal.SIGKILL) -> NodeProcess:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        wire = Wire(postgres().socket)
        await wire.open()
        role = await self.database.new_role()
        wanted = {
            "url": f"postgresql://{role}@127.0.0.1:{wire.port}/{self.database.name}?sslmode=disable",
            "data": str(self.data),
            "fate": {"step": step, "after": after, "number": int(number)},
            "shift": self.dice.choice((-HOUR, 0, HOUR)),
        }
        self.process.stdin.write(json.dumps(wanted) + "\n")
        self.process.stdin.flush()
        up, pid, port = (await asyncio.to_thread(self.process.stdout.readline)).split()
        assert up == "up"
        door = Wire(int(port))
        await door.open()
        node = NodeProcess(int(pid), wire, door)
        self.started.append(node)
        self.nodes.append(node)
        return node

    def forget(self, node: NodeProcess) -> None:
        self.nodes.remove(node)

    def port_for(self, witness: NodeWitness) -> int:
        """As a proxy does that sends the people of a table to one server."""
        key = str(self.dice.random()) if self.split else witness.table
        return self.nodes[sum(key.encode()) % len(self.nodes)].door.port

    async def play(self, witness: NodeWitness) -> None:
        while True:
            await witness.live(self.port_for(witness))
            await asyncio.sleep(RETURN_SECONDS)


@asynccontextmanager
async def cluster(database: AuditedDatabase, data: Path, count: int, dice: random.Random) -> AsyncIterator[Cluster]:
    command: Sequence[str] = [sys.executable, "-m", "tests.server.clusters"]
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    it = Cluster(database, data, process, dice)
    try:
        for _ in range(count):
            await it.start()
        yield it
    finally:
        for node in it.started:
            node.signal(signal.SIGKILL)
            node.wire.close()
            node.door.close()
        process.communicate()


if __name__ == "__main__":
    main()
