"""Several real servers on one PostgreSQL: ``python -m tests.server.clusters``, and the handle that tests have on it.

A line of JSON on its input is one more server; it answers ``up PID PORT``.  Servers are forked from a process that has
loaded the program (see ``killing``), and live side by side.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
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

from .outbox import Message
from .witnesses import Witness

ROOT = Path(__file__).parents[2]
LEASE_SECONDS = 1.0
RETURN_SECONDS = 0.05  # until a client comes back


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
    config = Config(
        data=Path(wanted["data"]),
        port=0,
        journal=wanted["url"],
        messages_per_second=100_000,
        lease_seconds=LEASE_SECONDS,
        hold_seconds=0.3,
    )
    app = make_app(config, thinkers=InlineThinkers(), step=SignalAtStep(**wanted["fate"]))
    with patient():
        asyncio.run(serve(app, config, lambda port: _tell(f"up {os.getpid()} {port}")))


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
    port: int

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


class NodeWitness(Witness):
    """One that may reach any server.  ``unavailable`` says nothing about what became of a command: it asks again."""

    async def _hear_refused(self, message: Message) -> None:
        if message["code"] != "unavailable":
            await super()._hear_refused(message)
        elif self._socket is not None and message["cmd_id"] is not None:
            await self._socket.close()

    async def _hear_bye(self, message: Message) -> None:
        assert message["code"] in ("shutting-down", "unavailable", "replaced"), message["message"]
        self.byes += 1


@dataclass
class Cluster:
    url: str
    data: Path
    process: subprocess.Popen[str]
    dice: random.Random
    nodes: list[NodeProcess] = field(default_factory=list)
    split: bool = False  # the people of one table reach different servers
    playing: bool = True

    async def start(self, step: str = "", after: int = 0, number: int = signal.SIGKILL) -> NodeProcess:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        fate = {"step": step, "after": after, "number": int(number)}
        wanted = {"url": self.url, "data": str(self.data), "fate": fate}
        self.process.stdin.write(json.dumps(wanted) + "\n")
        self.process.stdin.flush()
        up, pid, port = (await asyncio.to_thread(self.process.stdout.readline)).split()
        assert up == "up"
        node = NodeProcess(int(pid), int(port))
        self.nodes.append(node)
        return node

    def forget(self, node: NodeProcess) -> None:
        self.nodes.remove(node)

    def port_for(self, witness: Witness) -> int:
        """As a proxy does that sends the people of a table to one server."""
        key = str(self.dice.random()) if self.split else witness.table
        return self.nodes[sum(key.encode()) % len(self.nodes)].port

    async def play(self, witness: Witness) -> None:
        while self.playing:
            await witness.live(self.port_for(witness))
            await asyncio.sleep(RETURN_SECONDS)


@asynccontextmanager
async def cluster(url: str, data: Path, count: int, dice: random.Random) -> AsyncIterator[Cluster]:
    command: Sequence[str] = [sys.executable, "-m", "tests.server.clusters"]
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    it = Cluster(url, data, process, dice)
    try:
        for _ in range(count):
            await it.start()
        yield it
    finally:
        for node in it.nodes:
            node.signal(signal.SIGKILL)
        process.communicate()


if __name__ == "__main__":
    main()
