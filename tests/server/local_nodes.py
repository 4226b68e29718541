"""Several servers in this process on one real PostgreSQL, each behind a wire of its own, over virtual time.

The clock of the loop is the database's, too.  It goes on only while no answer of the database is outstanding: a lease
ends in a moment, and no slow machine makes anything late.  A server that is killed stops between two statements: all
its tasks are gone, and all its connections.
"""

from __future__ import annotations

import asyncio
import contextvars
import json
import random
import time
import weakref
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from flipdeck.server.config import Config
from flipdeck.server.journal import JournalError
from flipdeck.server.journal.postgres import PostgresJournal
from flipdeck.server.journal.postgres.link import Link
from flipdeck.server.lobby import Lobby
from flipdeck.server.table.context import Context
from flipdeck.server.thinkers.inline import InlineThinkers
from flipdeck.server.transport.session import ClientSession
from flipdeck.wire import rest
from flipdeck.wire.parts import Settings

from .audits import AuditedDatabase
from .databases import postgres
from .histories import SETTINGS, History, NodeWitness
from .outbox import LocalConnection, Message
from .seats import new_address
from .steered import SteeredLoop, steered_loop
from .wires import Wire

T = TypeVar("T")
LEASE_SECONDS = 6.0
RETURN_SECONDS = 0.4  # until a client comes back
LONGEST_STEP = 0.25  # of the clock; shorter than the margin of a lease
PATIENCE = 120.0  # seconds of their clock until every table is played on
_CLOCK = """
CREATE SEQUENCE test_clock;
CREATE OR REPLACE FUNCTION journal_now() RETURNS timestamptz LANGUAGE sql VOLATILE AS
    'SELECT to_timestamp(last_value / 1000.0) FROM test_clock';
"""
_here: contextvars.ContextVar[LocalNode | None] = contextvars.ContextVar("node", default=None)


class DatabaseClock:
    """Winds the clock of the loop, and shows the time to the database."""

    def __init__(self, database: AuditedDatabase, wires: weakref.WeakSet[Wire]) -> None:
        self._link = Link(postgres().url(database.name))
        self._wires = wires

    async def set(self) -> None:
        await self._link.fetch("SELECT setval('test_clock', $1)", int(1000 * steered_loop().time()))

    async def run(self) -> None:
        loop = steered_loop()
        loop.stop_clock()
        while True:
            if not any(wire.waiting for wire in self._wires):
                loop.advance(self._step(loop))
            try:
                await self.set()
            except JournalError:  # it is being restarted
                self._link._not_before = 0.0
                await asyncio.to_thread(time.sleep, 0.02)

    def _step(self, loop: SteeredLoop) -> float:
        """Until something is due."""
        due = loop._scheduled[0].when() if loop._scheduled else loop.time() + LONGEST_STEP  # type: ignore[attr-defined]
        return min(max(due - loop.time(), 0.002), LONGEST_STEP)

    async def close(self) -> None:
        await self._link.close()


def make_task(loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, T], **named: Any) -> asyncio.Task[T]:
    """A task that ends with the server for which it works."""
    task = asyncio.Task(work, loop=loop, **named)
    context = named.get("context")
    node = _here.get() if context is None else context.get(_here)
    if node is not None:
        node.tasks.add(task)
        if node.killed:
            loop.call_soon(task.cancel)
    return task


class LocalNode:
    """One server; it is killed when it comes to a step of a move for the Nth time, if it is told so."""

    def __init__(self, cluster: LocalCluster, role: str) -> None:
        self.cluster, self.role = cluster, role
        self.tasks: weakref.WeakSet[asyncio.Task[Any]] = weakref.WeakSet()
        self.killed = False
        self.wire = Wire(postgres().socket)
        cluster.wires.add(self.wire)
        self._doom: tuple[str, int] | None = None
        self._context = contextvars.copy_context()
        self._context.run(_here.set, self)

    async def start(self) -> None:
        await self.wire.open()
        url = f"postgresql://{self.role}@127.0.0.1:{self.wire.port}/{self.cluster.database.name}?sslmode=disable"
        self.journal = PostgresJournal(url, step=self.step)
        config = Config(
            data=Path("nowhere"), messages_per_second=100_000, lease_seconds=LEASE_SECONDS, hold_seconds=1.0
        )
        await self.do(self.journal.open())
        self.lobby = Lobby(Context(self.journal, InlineThinkers(), self.step), config)
        self._context.run(self.lobby.start)

    def step(self, step: str) -> None:
        if self._doom is not None and self._doom[0] == step:
            self._doom = (step, self._doom[1] - 1)
            if self._doom[1] == 0:
                self.kill()
        if self.killed:
            raise asyncio.CancelledError

    def doom(self, step: str, after: int) -> None:
        self._doom = (step, after)

    def kill(self) -> None:
        self.killed = True
        self.wire.dead = True
        self.wire.close()
        for session in list(self.lobby.sessions):
            session.connection.hang_up()
        for task in list(self.tasks):
            if task is not asyncio.current_task():  # one that has not begun would never await what it was given
                asyncio.get_running_loop().call_soon(task.cancel)
        if self.journal._opened is not None:
            _, writer, lease_link, readers = self.journal._opened
            for link in (writer, lease_link, *readers._links):
                link._drop()

    async def stop(self) -> None:
        """As a signal asks it to."""
        await self.do(self.lobby.close())
        await self.do(self.journal.close())
        self.kill()

    async def do(self, work: Coroutine[Any, Any, T]) -> T:
        """As part of this server."""
        return await asyncio.get_running_loop().create_task(work, context=self._context.copy())

    def greet(self, connection: LocalConnection) -> ClientSession:
        return self._context.run(ClientSession, self.lobby, connection)

    def hear(self, session: ClientSession, text: str) -> None:
        if not self.killed:
            self._context.run(session.receive, text)

    def forget(self, session: ClientSession) -> None:
        if not self.killed:
            self._context.run(session.end)


class LocalWitness(NodeWitness):
    """It has no socket: its line is a connection within this process, which may break or become silent."""

    think_seconds = 0.3
    node: LocalNode | None = None
    _line: LocalConnection | None = None
    _session: ClientSession | None = None

    async def visit(self, node: LocalNode) -> None:
        """Greets and plays until the connection ends."""
        self.node, line = node, LocalConnection(new_address(), lambda: None)
        session = node.greet(line)
        self._line, self._session = line, session
        await self._send(
            {"type": "hello", "protocol": 1, "table": self.table, "token": self.token, "have": self.version}
        )
        try:
            while (frame := await line.next_frame()) is not None and self._line is line:
                await self._hear(json.loads(frame))
        finally:
            node.forget(session)

    async def _send(self, message: Message) -> None:
        if self.node is not None and self._session is not None:
            self.node.hear(self._session, json.dumps(message))

    @property
    def _where(self) -> object:
        return self._line

    async def _leave(self) -> None:
        self.lose_line()

    def lose_line(self) -> None:
        """What was sent and not read is lost; the server is not told."""
        if self._line is not None:
            line, self._line, self._session = self._line, None, None
            line._box.close(0)
            line._box._frames.clear()


class LocalCluster:
    def __init__(self, database: AuditedDatabase, dice: random.Random) -> None:
        self.database, self.dice = database, dice
        self.nodes: list[LocalNode] = []  # that people are sent to
        self.started: list[LocalNode] = []
        self.wires: weakref.WeakSet[Wire] = weakref.WeakSet()
        self.split = False  # the people of one table reach different servers
        self.shift = 0  # another one is reached for each table

    async def start(self) -> LocalNode:
        node = LocalNode(self, await self.database.new_role())
        await node.start()
        self.started.append(node)
        self.nodes.append(node)
        return node

    def node_for(self, witness: NodeWitness) -> LocalNode:
        """As a proxy does that sends the people of a table to one server."""
        key = self.dice.randrange(1000) if self.split else sum(witness.table.encode()) + self.shift
        return self.nodes[key % len(self.nodes)]

    async def play(self, witness: LocalWitness) -> None:
        while True:
            if self.nodes:
                await witness.visit(self.node_for(witness))
            await asyncio.sleep(RETURN_SECONDS)

    async def seat(self, history: History, tables: int) -> None:
        for number in range(tables):
            node = self.nodes[number % len(self.nodes)]
            host = await node.do(node.lobby.make(rest.NewTable("Ann", Settings(**SETTINGS)), new_address()))
            guest = await node.do(node.lobby.join(host.code, rest.Join("Ben"), new_address()))
            there = [
                LocalWitness(host.code, seat if token else None, token, random.Random(self.dice.random()))
                for seat, token in enumerate((host.token, guest.token, None))
            ]
            history.add(host.code, there, [asyncio.create_task(self.play(witness)) for witness in there])


class LocalHistory(History):
    def __init__(self, cluster: LocalCluster) -> None:
        super().__init__(cluster.database, cluster.dice)
        self.it = cluster

    async def go_on(self) -> None:
        async with asyncio.timeout(PATIENCE):
            await super().go_on()


@asynccontextmanager
async def local_cluster(dice: random.Random, nodes: int, tables: int) -> AsyncIterator[LocalHistory]:
    asyncio.get_running_loop().set_task_factory(make_task)  # type: ignore[arg-type]  # of any task
    database = AuditedDatabase()
    await database.open()
    await database.execute(_CLOCK)
    cluster = LocalCluster(database, dice)
    clock = DatabaseClock(database, cluster.wires)
    await clock.set()  # before anybody has a lease
    winding = asyncio.create_task(clock.run())
    history = LocalHistory(cluster)
    try:
        for _ in range(nodes):
            await cluster.start()
        await cluster.seat(history, tables)
        yield history
        await history.check()
    finally:
        try:
            await history.end()
        finally:
            for node in cluster.started:
                node.kill()
            winding.cancel()
            with suppress(asyncio.CancelledError):
                await winding
            steered_loop().run_clock()
            await clock.close()
            await database.close()
            for _ in range(3):
                await asyncio.sleep(0)  # connections that were cut end in the next turns of the loop
            await asyncio.sleep(0.02)  # until all connections are closed
