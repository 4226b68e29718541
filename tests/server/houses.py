"""Houses of bots, ordinary and odd, for tests that ask them."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from flipdeck.core.notation import Move
from flipdeck.server.default_move import default_move
from flipdeck.server.thinkers.pool import WorkerPool
from flipdeck.server.thinkers.port import Question
from tests.server.asking import ODD


class OddHouse(WorkerPool):
    command = ODD


@asynccontextmanager
async def opened(house: WorkerPool) -> AsyncIterator[WorkerPool]:
    try:
        await house.start()
        yield house
    finally:
        await house.close()


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
