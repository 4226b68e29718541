"""The tables in memory: loaded on demand, maintained, unloaded when idle.

A sleeping table is its entries in the journal, and takes no memory here.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
from collections.abc import Callable

from ..wire.errors import TableRefusal
from . import identity
from .config import Config
from .journal import Damaged, Displaced, JournalError, Leased, StoredSnapshot, StoredTable
from .logs import log_event, table_tag
from .table import entries, snapshot
from .table.actor import Table
from .table.context import Context
from .table.state import MOST_MISSED, TableState
from .table.waking import Replayer, version_in

_log = logging.getLogger("flipdeck.lobby")
_MAINTENANCE_SECONDS = 2.0  # between maintenance runs
_DAY = 24 * 3600.0


class Registry:
    def __init__(self, context: Context, config: Config) -> None:
        self.config = config
        self.context = context
        self.tables: dict[str, Table] = {}
        self.closing = False
        self._waking: dict[str, asyncio.Task[Table | None]] = {}
        self._replayer = Replayer()
        self._being_made = 0
        self.damaged: set[str] = set()  # tables and replays that were found so since the start
        self._owner = identity.new_token()
        self._maintenance: asyncio.Task[None] | None = None

    # ------------------------------------------------------------ load
    def in_memory(self, code: str) -> Table | None:
        table = self.tables.get(code)
        return None if table is None or table.lost else table

    async def wake(self, code: str) -> Table | None:
        """Load a table from the journal, once however many ask for it; None if there is none."""
        self.check_open()
        table = self.in_memory(code)
        if table is not None:
            return table
        waking = self._waking.get(code)
        if waking is None:
            waking = self._waking[code] = asyncio.get_running_loop().create_task(self._wake(code))
            waking.add_done_callback(lambda done: self._end_waking(code, done))
        return await asyncio.shield(waking)

    def _end_waking(self, code: str, done: asyncio.Task[Table | None]) -> None:
        """Consume the exception: those who wait get it, but they may all have gone."""
        del self._waking[code]
        if not done.cancelled():
            done.exception()

    async def _wake(self, code: str) -> Table | None:
        try:
            return await self._load(code)
        except Damaged as damaged:
            self.note_damage(damaged)
            raise TableRefusal("damaged-table") from None

    async def _load(self, code: str) -> Table | None:
        journal = self.context.journal
        first = await journal.first(code)
        if first is None:
            return None
        if version_in(code, first) != entries.VERSION:  # it is not touched, so that it can be pruned
            raise TableRefusal("old-table")
        if self._slots_in_use > self.config.most_tables and code not in self.tables:
            raise TableRefusal("limit", what="tables")
        try:
            kept = await journal.take_up(code, self._owner, self.config.lease_seconds, MOST_MISSED)
        except Leased:
            raise TableRefusal("unavailable", "elsewhere") from None
        if kept is None:
            return None
        try:
            state, replayed_from = await self._replay(code, kept)
        except Damaged:
            await journal.release(code, kept.epoch)
            raise
        table = self.tables[code] = Table(state, kept.epoch, self.context, kept.clock, replayed_from)
        return table

    def note_damage(self, damaged: Damaged) -> None:
        """The log says it once."""
        if damaged.name not in self.damaged:
            self.damaged.add(damaged.name)
            log_event(_log, "damaged", logging.ERROR, error=damaged, table=table_tag(damaged.name), seq=damaged.seq)

    async def _replay(self, code: str, kept: StoredTable) -> tuple[TableState, int]:
        """The table as its snapshot and the entries after it make it, and the version that was replayed from."""
        start = None if kept.snapshot is None else await self._replayer.restore(kept.snapshot.body)
        bodies = kept.entries
        if kept.snapshot is not None and (start is None or (start.code, start.version) != (code, kept.snapshot.seq)):
            log_event(_log, "snapshot-unreadable", logging.WARNING, table=table_tag(code))
            start, bodies = None, await self.context.journal.load(code)
        state, made = await self._replayer.replay(bodies, start, code)
        if made is None:
            return state, state.version - len(bodies) + (start is None)
        return state, await self._shorten(code, kept.epoch, state, made)

    async def _shorten(self, code: str, epoch: int, state: TableState, made: StoredSnapshot) -> int:
        """After a long replay, so that the next one is short even if nothing happens until then."""
        journal = self.context.journal
        with contextlib.suppress(JournalError):  # the next one is as long as this one
            if state.phase == "waiting":
                body = entries.encode(entries.Compacted(state=snapshot.take(state)))
                await journal.compact(code, epoch, state.version, body)
                return state.version
            await journal.keep_snapshot(code, epoch, made, MOST_MISSED)
        return made.seq

    async def begin(self, made: entries.Made) -> Table:
        """Create a table; its slot is reserved before anything is awaited."""
        if self._slots_in_use >= self.config.most_tables:
            raise TableRefusal("limit", what="tables")
        body = entries.encode(made)
        state, journal = entries.replay([body]), self.context.journal
        self._being_made += 1
        try:
            epoch = await journal.claim(made.code, self._owner, self.config.lease_seconds)
            await journal.append(made.code, epoch, 1, body)
        finally:
            self._being_made -= 1
        table = self.tables[made.code] = Table(state, epoch, self.context)
        return table

    @property
    def _slots_in_use(self) -> int:
        """Slots of tables in memory and of those being loaded or created."""
        return len(self.tables) + len(self._waking) + self._being_made

    # ------------------------------------------------------------ maintenance
    def start(self) -> None:
        self._maintenance = asyncio.get_running_loop().create_task(self._maintain())
        self.context.thinkers.search.watch(self._search_changed)

    def _search_changed(self) -> None:
        for table in self.tables.values():
            table.search_changed()

    async def close(self) -> None:
        """Graceful shutdown: say ``bye`` to all, drain, note the clocks, release the tables."""
        self.closing = True
        if self._maintenance is not None:
            self._maintenance.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._maintenance
        self._send_bye()
        await self._drain(lambda: any(table.busy for table in self.tables.values()))
        self._send_bye()  # to those who were on their way in
        with contextlib.suppress(JournalError):
            await self._note_clocks()
        await asyncio.gather(*(self._unload(code) for code in list(self.tables)))
        self._replayer.close()

    def _send_bye(self) -> None:
        for table in self.tables.values():
            for connection in list(table.connections):
                connection.end("shutting-down")

    async def _drain(self, busy: Callable[[], bool]) -> None:
        end = asyncio.get_running_loop().time() + self.config.drain_seconds
        while busy() and asyncio.get_running_loop().time() < end:
            await asyncio.sleep(0.01)

    async def _maintain(self) -> None:
        renewed = asyncio.get_running_loop().time()
        prune_at = renewed if self.config.prune_days else math.inf
        while True:
            await asyncio.sleep(_MAINTENANCE_SECONDS)
            try:
                await self._note_clocks()
                self._disconnect_idle()
                await self._unload_idle()
                now = asyncio.get_running_loop().time()
                if now - renewed > self.config.lease_seconds / 3 or now >= prune_at:
                    renewed = now
                    await self._renew()
                if now >= prune_at:  # right after the leases: tables in play were touched just now
                    prune_at = now + _DAY
                    await self._prune()
            except Displaced:  # the journal has said it
                pass
            except Exception as error:  # the next run tries again
                log_event(_log, "tending-failed", logging.ERROR, error=error)

    async def _note_clocks(self) -> None:
        notes = {code: note for code, table in self.tables.items() if (note := table.clock_note()) is not None}
        if notes:
            await self.context.journal.note_clocks(notes)

    def _disconnect_idle(self) -> None:
        """Disconnect people who left their windows open and have done nothing for hours."""
        now = asyncio.get_running_loop().time()
        for table in self.tables.values():
            if now - table.active_at > self.config.idle_seconds:
                for connection in list(table.connections):
                    connection.end("closed")

    async def _unload_idle(self) -> None:
        sleepy = [code for code, table in self.tables.items() if self._can_unload(table)]
        await asyncio.gather(*(self._unload(code) for code in sleepy))

    async def _unload(self, code: str) -> None:
        """Unload a table; its entries are in the journal.  A failing journal keeps no table in memory."""
        table = self.tables.get(code)
        if table is None or not (self.closing or self._can_unload(table)):
            return  # somebody has come meanwhile
        del self.tables[code]
        table.close()
        with contextlib.suppress(JournalError):
            await self.context.journal.release(code, table.epoch)

    def _can_unload(self, table: Table) -> bool:
        now = asyncio.get_running_loop().time()
        idle = table.idle_since is not None and now - table.idle_since > self.config.sleep_seconds
        return ((idle and not table.awaits_greeting) or table.lost) and not table.busy

    async def _renew(self) -> None:
        owned = dict(self.tables)
        claims = {code: table.epoch for code, table in owned.items()}
        for code in await self.context.journal.renew(claims, self.config.lease_seconds):
            owned[code].lose()

    async def _prune(self) -> None:
        count = await self.context.journal.prune(self.config.prune_days * _DAY)
        log_event(_log, "pruned", count=count)

    def check_open(self) -> None:
        if self.closing:
            raise TableRefusal("shutting-down")
