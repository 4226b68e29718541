"""Replays of finished matches, step by step, as a seat saw them or with all cards open.

A record is read once into an index (``replay_index``), and the indexes used last are cached; for each request a page of
steps is played again and shown as a table would.  All of that is done in one thread that leaves the loop its time
(``slices``): however long a match is, live tables go on.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from ...wire import rest
from ...wire.errors import TableRefusal
from ..bounded import BoundedDict
from ..limits import KeyedSemaphore, TokenBuckets
from ..lobby import Lobby
from ..slices import SlicedWork, work_in_slices
from .replay_index import ReplayIndex, index_record, page_of

LONGEST = 1_000_000  # characters of a record: some 80,000 moves, and five seconds to read them, beside everything else
MOST_CACHED = 8_000_000  # bytes of all indexes; 38,000 moves take one million
AT_ONCE = 2  # requests of one address; more of them wait
MOST_WAITING = 64  # requests of all; more are refused
T = TypeVar("T")


class Replays:
    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._thread = ThreadPoolExecutor(1, "replays")
        self._indexes: BoundedDict[str, ReplayIndex] = BoundedDict(MOST_CACHED, lambda index: index.size)
        self._reading: dict[str, asyncio.Task[ReplayIndex]] = {}
        self._asking = TokenBuckets(rate=4, burst=60, most=10_000)
        self._turns = KeyedSemaphore(AT_ONCE)
        self._waiting = 0

    @property
    def bytes_cached(self) -> int:
        return sum(index.size for index in self._indexes.values())

    async def match(self, name: str, address: str) -> rest.ReplayInfo:
        return (await self._index(name, address)).summary

    async def round(self, name: str, number: int, seat: int | None, first: int, most: int, address: str) -> bytes:
        """A page of a round: a ``rest.ReplayRound`` as JSON."""
        index = await self._index(name, address)
        rounds, players = len(index.moves), index.summary.players
        if not 1 <= number <= rounds:
            raise TableRefusal("not-now", "no-such-round", problem=f"the match has rounds 1 to {rounds}.")
        if seat is not None and not 0 <= seat < players:
            raise TableRefusal("not-now", "no-such-seat", problem=f"the match has seats 0 to {players - 1}.")
        steps = index.summary.rounds[number - 1].steps
        if first >= steps:
            raise TableRefusal("not-now", "no-such-step", problem=f"the round has steps 0 to {steps - 1}.")
        async with self._turns.acquire(address):
            return await self._in_thread(page_of(index, number, seat, first, most))

    async def _index(self, name: str, address: str) -> ReplayIndex:
        if not self._asking.take(address, asyncio.get_running_loop().time()) or self._waiting >= MOST_WAITING:
            raise TableRefusal("too-fast")
        index = self._indexes.recent(name)
        if index is not None:
            return index
        record = await self._lobby.replay(name, address)
        if len(record) > LONGEST:
            raise TableRefusal("not-now", "too-long", problem="this match is too long to show; read its record.")
        reading = self._reading.get(name)
        if reading is None:
            reading = self._reading[name] = asyncio.get_running_loop().create_task(self._read(name, record))
            reading.add_done_callback(lambda _: self._reading.pop(name))
        return await asyncio.shield(reading)

    async def _read(self, name: str, record: str) -> ReplayIndex:
        players = await self._lobby.context.journal.replay_players(name)
        index = self._indexes[name] = await self._in_thread(index_record(record, players))
        return index

    async def _in_thread(self, work: SlicedWork[T]) -> T:
        """Bit by bit: others that wait for the thread have their turn between."""
        loop = asyncio.get_running_loop()
        self._waiting += 1
        try:
            while True:
                result = await loop.run_in_executor(self._thread, work_in_slices, work)
                if result is not None:
                    return result.value
        finally:
            self._waiting -= 1
