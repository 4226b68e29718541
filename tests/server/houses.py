"""Houses of bots, ordinary and odd, for tests that ask them.

Nobody here is ever taken for hung because the machine is slow: patience has no end unless a test is about it, and
then the clock of its loop is steered.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from unittest.mock import patch

from flipdeck.core.notation import Move
from flipdeck.server.default_move import default_move
from flipdeck.server.thinkers import pool
from flipdeck.server.thinkers.pool import WorkerPool
from flipdeck.server.thinkers.port import Question
from tests.patience import HANG
from tests.server.asking import ODD
from tests.server.odd_bots import LOADING

USUAL_START = pool.START


class OddHouse(WorkerPool):
    command = ODD


class Thought:
    """Something in a worker that takes as long as a test lets it: see ``odd_bots``."""

    def __init__(self, what: str, writer: asyncio.StreamWriter) -> None:
        self.what = what
        self._writer = writer

    def go_on(self) -> None:
        self._writer.write(b"!")
        self._writer.close()


class Thoughts:
    """What the workers of a house tell of themselves, one after the other."""

    def __init__(self) -> None:
        self._told: asyncio.Queue[Thought] = asyncio.Queue()
        self._loads: asyncio.Queue[Thought] = asyncio.Queue()
        self._kept: list[asyncio.StreamWriter] = []

    async def next(self) -> Thought:
        return await self._told.get()

    async def next_load(self) -> Thought:
        """A worker loads the search."""
        return await self._loads.get()

    async def let_all_go_on(self) -> None:
        """For ever: they take no time."""
        while True:
            (await self.next()).go_on()

    async def hear(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._kept.append(writer)
        what = (await reader.readline()).decode().strip()
        if what:  # else its worker has died before it could say so
            (self._loads if what == LOADING else self._told).put_nowait(Thought(what, writer))

    def end(self) -> None:
        for writer in self._kept:
            writer.transport.abort()


@asynccontextmanager
async def opened(house: WorkerPool) -> AsyncIterator[WorkerPool]:
    with patch.object(pool, "START", HANG if pool.START == USUAL_START else pool.START):
        try:
            await house.start()
            yield house
        finally:
            await house.close()


@asynccontextmanager
async def thoughtful(patience: float = HANG, workers: int = 1) -> AsyncIterator[tuple[WorkerPool, Thoughts]]:
    """A house of odd bots, and what they tell."""
    thoughts = Thoughts()
    async with await asyncio.start_server(thoughts.hear, "127.0.0.1", 0) as listening:
        port = listening.sockets[0].getsockname()[1]
        house = type("Thoughtful", (OddHouse,), {"command": (*ODD, str(port))})(workers, patience)
        try:
            async with opened(house):
                yield house, thoughts
        finally:
            thoughts.end()


def need(question: Question) -> Move:
    return default_move(question.shown[-1].view)


def is_legal(move: Move | None, question: Question) -> bool:
    return move in question.shown[-1].view.legal


def is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
