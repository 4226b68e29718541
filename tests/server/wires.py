"""Wires that a test can cut, slow down or hold: a TCP port on this machine that leads to another socket of it.

What is held is not lost: it arrives when the wire is released, as a packet does that was long on its way, even if
whoever sent it has gone meanwhile.
"""

from __future__ import annotations

import asyncio
from collections import deque
from pathlib import Path
from typing import cast


class Wire:
    """``target`` is a port, or the path of a socket."""

    def __init__(self, target: int | Path) -> None:
        self._target = target
        self._server: asyncio.Server | None = None
        self._circuits: set[_Circuit] = set()
        self.port = 0
        self.dead = False  # nobody gets through, and nobody is told so
        self.closed = False
        self.delay = 0.0  # seconds of the loop's clock, for whatever passes
        self.held = {True: False, False: False}  # on the way up, to the target, and on the way down
        self.passed = {True: 0, False: 0}  # pieces that arrived

    async def open(self) -> None:
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: _Circuit(self).ends[True], "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    @property
    def waiting(self) -> bool:
        """Whether the target has been asked something and has not begun to answer."""
        return any(circuit.waiting for circuit in self._circuits)

    @property
    def holds_something(self) -> bool:
        return any(circuit.queues[True] for circuit in self._circuits)

    def hold(self, *, up: bool = True, down: bool = True) -> None:
        self.held = {True: up, False: down}

    def release(self) -> None:
        self.held = {True: False, False: False}
        for circuit in list(self._circuits):
            circuit.pass_on(True)
            circuit.pass_on(False)

    def cut(self) -> None:
        """Every connection, at once, and with all that is on its way."""
        for circuit in list(self._circuits):
            circuit.cut()

    def close(self) -> None:
        self.closed = True
        if self._server is not None:
            self._server.close()
        self.cut()


class _End(asyncio.Protocol):
    """One of the two ends of a connection; ``up`` is that of the client."""

    def __init__(self, circuit: _Circuit, up: bool) -> None:
        self.transport: asyncio.Transport | None = None
        self.gone = False
        self._circuit, self._up = circuit, up

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self._circuit.connected(self._up)

    def data_received(self, data: bytes) -> None:
        self._circuit.carry(self._up, data)

    def connection_lost(self, error: Exception | None) -> None:
        del error
        self.gone = True
        self._circuit.ended(self._up)


class _Circuit:
    """One connection through a wire."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self.ends = {True: _End(self, True), False: _End(self, False)}
        self.queues: dict[bool, deque[bytes]] = {True: deque(), False: deque()}
        self.waiting = False
        self._connecting: asyncio.Task[None] | None = None
        self._not_before = {True: 0.0, False: 0.0}

    def connected(self, up: bool) -> None:
        if self._wire.closed:  # it was on its way in
            self.cut()
        elif up:
            self._wire._circuits.add(self)
            if not self._wire.dead:
                self._connecting = asyncio.get_running_loop().create_task(self._connect())
        else:
            self.pass_on(True)

    async def _connect(self) -> None:
        loop, target = asyncio.get_running_loop(), self._wire._target
        try:
            if isinstance(target, Path):
                await loop.create_unix_connection(lambda: self.ends[False], str(target))
            else:
                await loop.create_connection(lambda: self.ends[False], "127.0.0.1", target)
        except OSError:
            self.cut()

    def carry(self, up: bool, data: bytes) -> None:
        if not up:
            self.waiting = False
        self.queues[up].append(data)
        self.pass_on(up)

    def pass_on(self, up: bool) -> None:
        """What is due and not held."""
        wire, loop = self._wire, asyncio.get_running_loop()
        if wire.held[up] or self.ends[not up].transport is None:
            return
        if wire.delay and self.queues[up]:
            due = max(self._not_before[up], loop.time() + wire.delay)
            self._not_before[up] = due
            loop.call_at(due, self._write, up)
        else:
            self._write(up)

    def _write(self, up: bool) -> None:
        to, queue = self.ends[not up], self.queues[up]
        if self._wire.held[up] or to.transport is None or to.gone:
            return
        while queue:
            to.transport.write(queue.popleft())
            self._wire.passed[up] += 1
            self.waiting = self.waiting or up
        if self.ends[up].gone:
            to.transport.close()

    def ended(self, up: bool) -> None:
        """One end has gone; what it said before is still passed on."""
        if not up:
            self.waiting = False
        if self.ends[not up].gone or self.ends[not up].transport is None:
            self.cut()
        elif not self.queues[up] or not self._wire.held[up]:
            self._write(up)
            other = self.ends[not up].transport
            if other is not None:
                other.close()

    def cut(self) -> None:
        self.waiting = False
        self._wire._circuits.discard(self)
        for end in self.ends.values():
            end.gone = True
            if end.transport is not None:
                end.transport.abort()
