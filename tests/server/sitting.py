"""People at tables over virtual time, on good lines: a lobby on a journal in memory, and seats that keep all they hear.

A ``Hall`` is a server without sockets.  It can be left (everybody is told), fall over (nobody is) and open again on the
same journal; a ``Ledger`` is that journal, slow or failing when a test says so.
"""

from __future__ import annotations

import asyncio
import functools
import json
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast
from unittest.mock import patch

import msgspec

from flipdeck.core.seeds import seed_of
from flipdeck.server import identity
from flipdeck.server.config import Config
from flipdeck.server.journal import Journal, StoredReplay
from flipdeck.server.journal.memory import MemoryJournal
from flipdeck.server.lobby import Lobby
from flipdeck.server.table.actor import Table
from flipdeck.server.table.context import Context, ignore_step
from flipdeck.server.thinkers.inline import InlineThinkers
from flipdeck.server.thinkers.port import Thinkers
from flipdeck.wire import rest
from flipdeck.wire.errors import TableRefusal

from .outbox import Message
from .playing import calm, dealt
from .seats import SeatClient, new_address
from .virtual import run

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gil", "Hana", "Ida", "Joe")


class Ledger(MemoryJournal):
    """On virtual time; ``order`` has every entry at the moment when it was durable."""

    def __init__(self) -> None:
        self.slow = 0.0
        self.failing = self.losing_answers = False
        self.order: list[tuple[str, Any]] = []
        super().__init__(
            delay=lambda: self.slow,
            fail=lambda: self.failing,
            fail_late=lambda: self.losing_answers,
            now=lambda: asyncio.get_running_loop().time(),
        )

    async def append(self, table: str, epoch: int, seq: int, body: bytes, replay: StoredReplay | None = None) -> None:
        await super().append(table, epoch, seq, body, replay)
        self.order.append(("durable", seq))

    async def written(self, code: str) -> list[Message]:
        return [json.loads(body) for body in await self.load(code)]


def _unheard(_: SeatClient, __: bytes) -> None:
    """Most tests look at what a seat has read."""


def stop_renewing(lobby: Lobby) -> str:
    """As if the process had died; the name of the node."""
    lease = lobby.lease
    if lease._task is not None:
        lease._task.cancel()
    if lease._alarm is not None:
        lease._alarm.cancel()
    return lease.node


class Hall:
    def __init__(
        self,
        journal: Journal,
        step: Callable[[str], None] = ignore_step,
        thinkers: Thinkers | None = None,
        **config: Any,
    ) -> None:
        self.journal = journal
        self.config = Config(
            data=Path("nowhere"), **{"messages_per_second": 100_000, "lease_seconds": 3600.0, **config}
        )
        self.context = Context(journal, thinkers or InlineThinkers("hall"), step)
        self.heard: Callable[[SeatClient, bytes], None] = _unheard
        self.seats: list[SeatClient] = []
        self.open()

    def open(self) -> None:
        """A new server on the same journal."""
        self.lobby = Lobby(self.context, self.config)
        self.lobby.start()

    def fall_over(self) -> None:
        """What was in memory is gone, and nobody is told; the lease runs on."""
        for seat in self.seats:
            seat.hang_up()
        assert self.lobby._maintenance is not None
        self.lobby._maintenance.cancel()
        node = stop_renewing(self.lobby)
        for table in self.lobby.tables.values():
            if table._worker is not None:
                table._worker.cancel()
            table.close()
        self.open()
        self.lobby.lease.node = node  # or its own lease would be in its way

    async def restart(self) -> None:
        await self.lobby.close()
        self.open()

    # ------------------------------------------------------------ tables
    async def make(
        self, name: str = "Ann", seed: str | None = None, address: str | None = None, **wanted: Any
    ) -> rest.Seated:
        """As a body of a request would ask for it: ``settings``, ``bots``, ``start``."""
        body = msgspec.convert({"name": name, **wanted}, rest.NewTable)
        address = address or new_address()
        if seed is None:
            return await self.lobby.make(body, address)
        with patch.object(identity.SecretStock, "take", lambda _: seed_of(seed)):
            return await self.lobby.make(body, address)

    async def join(
        self, code: str, name: str, seat: int | None = None, token: str | None = None, address: str | None = None
    ) -> rest.Seated:
        return await self.lobby.join(code, rest.Join(name, seat, token), address or new_address())

    async def enter(self, code: str, name: str, seat: int | None = None, address: str | None = None) -> SeatClient:
        """Somebody who takes a seat and connects."""
        address = address or new_address()
        seated = self.seat(code, (await self.join(code, name, seat, address=address)).token, address)
        assert (await seated.connect())["type"] == "welcome"
        return seated

    def seat(self, code: str, token: str | None = None, address: str | None = None) -> SeatClient:
        made = SeatClient(self, code, token, address)
        self.seats.append(made)
        return made

    async def watcher(self, code: str) -> SeatClient:
        looking = self.seat(code)
        assert (await looking.connect())["type"] == "welcome"
        return looking

    async def sit(
        self,
        people: int = 2,
        bots: Mapping[int, str] | None = None,
        *,
        seed: str | None = None,
        start: bool = True,
        **settings: Any,
    ) -> list[SeatClient]:
        """A table with people in its first seats, bots where they are said, and cards dealt: calmly, if no seed is."""
        bots = bots or {}
        asked = {"seats": people + len(bots), **settings}
        if seed is None:
            seed = dealt(calm, asked["seats"], settings.get("edition", "classic"), **settings.get("options", {}))
        host = await self.make(seed=seed, settings=asked, bots={str(seat): level for seat, level in bots.items()})
        tokens = [host.token]
        tokens += [(await self.join(host.code, name)).token for name in NAMES[1:people]]
        seats = [self.seat(host.code, token) for token in tokens]
        for seat in seats:
            assert (await seat.connect())["type"] == "welcome"
        if start:
            version = await seats[0].do("start")
            for seat in seats:
                await seat.reach(version)
        return seats

    def table(self, code: str) -> Table:
        return self.lobby.tables[code]


@asynccontextmanager
async def hall(journal: Journal | None = None, **config: Any) -> AsyncIterator[Hall]:
    journal = journal or cast(Journal, Ledger())
    await journal.open()
    made = Hall(journal, **config)
    try:
        yield made
    finally:
        await made.lobby.close()
        for seat in made.seats:
            seat.hang_up()


def at_once(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """A test that waits for hours, if it must, and takes no time."""

    @functools.wraps(test)
    def over_virtual_time(*arguments: Any, **named: Any) -> None:
        run(test(*arguments, **named))

    return over_virtual_time


async def refused(request: Any) -> TableRefusal:
    """The refusal of something that must not be done."""
    try:
        done = await request
    except TableRefusal as refusal:
        return refusal
    raise AssertionError(f"it was done: {done}")
