"""The tables in memory: loaded on demand, maintained, unloaded when idle.

A sleeping table is its entries in the journal, and takes no memory here.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
from collections.abc import Awaitable, Callable, Sequence

from ..wire.errors import TableRefusal
from .bounded import BoundedDict
from .config import Config
from .journal import Damaged, Displaced, JournalError, Renewal, StoredSnapshot, StoredTable
from .lease import NodeLease
from .limits import MOST_KEPT
from .logs import log_event, table_tag
from .shared import SharedState
from .shared.here import OneServer
from .table import entries, snapshot
from .table.actor import Table
from .table.context import Context
from .table.observing import Observed
from .table.readable_kinds import BASE_KINDS, READABLE_KINDS, kinds_in
from .table.state import MOST_MISSED, TableState
from .table.waking import Replayer, version_in
from .takeover import Holds, Takeovers, elsewhere

_log = logging.getLogger("flipdeck.lobby")
_MAINTENANCE_SECONDS = 2.0  # between maintenance runs
_DAY = 24 * 3600.0
_PRUNE = "prune"
LONGEST_PRUNING = 3600.0  # then another server may prune as well
UNREADABLE_SECONDS = 30.0  # a table that only a newer server can read is not asked for again so long
PRUNE_AGAIN_SECONDS = 600.0  # to see whether another server was to prune and has not


class Registry:
    def __init__(self, context: Context, config: Config, shared: SharedState | None = None) -> None:
        self.config = config
        self.context = context
        self.shared = shared or OneServer()
        context.kinds.note_own(READABLE_KINDS, BASE_KINDS)
        self.tables: dict[str, Table] = {}
        self.closing = False
        self._waking: dict[str, asyncio.Task[Table | None]] = {}
        self._asking: set[str] = set()  # those of them that are asked for, if another server has them
        self._leaving: dict[str, asyncio.Task[None]] = {}  # tables on their way to another server
        self._replayer = Replayer()
        self._being_made = 0
        self.other_servers = 0  # on the same database, that lived at the last renewal
        self.taken = 0  # tables that were claimed: woken, made, or handed over to here
        self.takeovers = Takeovers(context.journal)
        self._holds = Holds(config.hold_seconds)
        self.handed_over = 0  # tables that another server asked for, and got
        self.kept = 0  # … and did not get, as they had just been taken
        self.damaged: set[str] = set()  # tables and replays that were found so since the start
        self._unreadable: BoundedDict[str, float] = BoundedDict(MOST_KEPT)  # tables of newer servers, until when
        self.lease = NodeLease(context.journal, config.lease_seconds, self._lose_all, self._renewed, READABLE_KINDS)
        self._maintenance: asyncio.Task[None] | None = None

    # ------------------------------------------------------------ load
    def in_memory(self, code: str) -> Table | None:
        table = self.tables.get(code)
        return None if table is None or table.lost or code in self._leaving else table

    async def wake(self, code: str, asks: bool = True) -> Table | None:
        """Load a table from the journal, once however many want it; None if there is none.

        Another server that has it is asked to let it go only if somebody ``asks``: whoever just looks does not.
        """
        self.check_open()
        table = self.in_memory(code)
        if table is not None:
            return table
        if code in self._leaving:
            raise elsewhere()
        if asks:
            self._asking.add(code)
        waking = self._waking.get(code)
        if waking is None:
            waking = self._waking[code] = asyncio.get_running_loop().create_task(self._wake(code))
            waking.add_done_callback(lambda done: self._end_waking(code, done))
        return await asyncio.shield(waking)

    def _end_waking(self, code: str, done: asyncio.Task[Table | None]) -> None:
        """Consume the exception: those who wait get it, but they may all have gone."""
        del self._waking[code]
        self._asking.discard(code)
        if not done.cancelled():
            done.exception()

    async def _wake(self, code: str) -> Table | None:
        try:
            return await self._load(code)
        except Damaged as damaged:
            self.note_damage(damaged)
            raise TableRefusal("damaged-table") from None
        except entries.UnknownEntry:
            self._unreadable[code] = asyncio.get_running_loop().time() + UNREADABLE_SECONDS
            log_event(_log, "table-newer", logging.WARNING, table=table_tag(code))
            raise TableRefusal("newer-table") from None

    async def _load(self, code: str) -> Table | None:
        journal = self.context.journal
        if self._unreadable.get(code, 0.0) > asyncio.get_running_loop().time():
            raise TableRefusal("newer-table")  # whoever can read it is left alone
        first = await journal.first(code)
        if first is None:
            return None
        version = version_in(code, first)
        if version < entries.VERSION:  # it is not touched, so that it can be pruned
            raise TableRefusal("old-table")
        if version > entries.VERSION:
            raise TableRefusal("newer-table")
        if self._slots_in_use > self.config.most_tables and code not in self.tables:
            raise TableRefusal("limit", what="tables")
        node = await self.lease.hold()
        kept = await self.takeovers.take_up(code, node, lambda: code in self._asking)
        if kept is None:
            return None
        self.context.step("taken-up")
        try:
            state, replayed_from, observed = await self._replay(code, kept)
        except (Damaged, entries.UnknownEntry):
            await journal.release(code, kept.epoch)
            raise
        self._check_node(node)
        table = self.tables[code] = Table(state, kept.epoch, self.context, kept.clock, replayed_from, observed)
        self.context.step("woken")
        self.taken += 1
        return table

    def note_damage(self, damaged: Damaged) -> None:
        """The log says it once."""
        if damaged.name not in self.damaged:
            self.damaged.add(damaged.name)
            log_event(_log, "damaged", logging.ERROR, error=damaged, table=table_tag(damaged.name), seq=damaged.seq)

    async def _replay(self, code: str, kept: StoredTable) -> tuple[TableState, int, Observed]:
        """The table as its snapshot and the entries after it make it, the version that was replayed from, and what its
        bots saw.
        """
        start = None if kept.snapshot is None else await self._replayer.restore(kept.snapshot.body)
        bodies = kept.entries
        if kept.snapshot is not None and (start is None or (start.code, start.version) != (code, kept.snapshot.seq)):
            log_event(_log, "snapshot-unreadable", logging.WARNING, table=table_tag(code))
            start, bodies = None, await self.context.journal.load(code)
        state, made, observed = await self._replayer.replay(bodies, start, code)
        if made is None:
            return state, state.version - len(bodies) + (start is None), observed
        return state, await self._shorten(code, kept.epoch, state, made), observed

    async def _shorten(self, code: str, epoch: int, state: TableState, made: StoredSnapshot) -> int:
        """After a long replay, so that the next one is short even if nothing happens until then."""
        journal = self.context.journal
        with contextlib.suppress(JournalError):  # the next one is as long as this one
            compacted = entries.Compacted(state=snapshot.take(state)) if state.phase == "waiting" else None
            if compacted is not None and self.context.kinds.unread.isdisjoint(kinds_in(compacted)):
                body = entries.encode(compacted)
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
            node = await self.lease.hold()
            self.context.kinds.check(*kinds_in(made))
            epoch = await journal.claim(made.code, node)
            await journal.append(made.code, epoch, 1, body)
        finally:
            self._being_made -= 1
        self._check_node(node)
        table = self.tables[made.code] = Table(state, epoch, self.context)
        self.taken += 1
        return table

    @property
    def _slots_in_use(self) -> int:
        """Slots of tables in memory and of those being loaded or created."""
        return len(self.tables) + len(self._waking) + self._being_made

    # ------------------------------------------------------------ the lease
    def _check_node(self, node: str) -> None:
        """What was claimed by a node whose lease was given up since is not ours."""
        if node != self.lease.node:
            raise TableRefusal("unavailable")

    def _renewed(self, renewal: Renewal) -> None:
        self.other_servers = renewal.others
        self.context.kinds.note_others(renewal.kinds)
        self._let_go(renewal.wanted)

    def _lose_all(self) -> None:
        for table in self.tables.values():
            table.lose()

    def _let_go(self, codes: Sequence[str]) -> None:
        """Other servers ask for these."""
        loop = asyncio.get_running_loop()
        for code in codes:
            table = self.in_memory(code)
            if code in self._leaving or code in self._waking or self.closing:
                continue
            if table is not None and self._must_keep(table):
                self.kept += 1
            else:
                if table is not None and table.presence.most_are_here:
                    self._holds.note_given(code, loop.time())
                self._leaving[code] = loop.create_task(self._hand_over(code, table))

    def _must_keep(self, table: Table) -> bool:
        """For a while after it was taken: two servers must not take it from one another all the time.  Where no player
        is connected it goes at once: a table is made wherever the request comes, and its people go where it belongs;
        and spectators keep no player off.
        """
        now = asyncio.get_running_loop().time()
        return table.presence.players_here > 0 and now - table.awake_since < self._holds.seconds(table.state.code, now)

    async def _hand_over(self, code: str, table: Table | None) -> None:
        """Then another server may have it.  Clients come back by themselves."""
        journal = self.context.journal
        try:
            if table is None:  # a claim whose answer was lost
                await journal.release(code, await journal.claim(code, self.lease.node))
            else:
                await self._release_drained(table)
            self.handed_over += 1
        except JournalError as error:  # the clock is an older one, or the table is not ours
            log_event(_log, "handing-over-failed", logging.WARNING, error=error, table=table_tag(code))
        finally:
            del self._leaving[code]

    async def _release_drained(self, table: Table) -> None:
        """What was begun is finished, the clock is noted."""
        code, journal = table.state.code, self.context.journal
        table.presence.send_bye()
        await self._drain(lambda: table.busy)
        table.presence.send_bye()  # to those who were on their way in
        note = table.clock_note()
        self.tables.pop(code, None)
        table.close()
        try:
            if note is not None:
                await journal.note_clocks(self.lease.node, {code: note})
        finally:
            await journal.release(code, table.epoch)

    # ------------------------------------------------------------ maintenance
    def start(self) -> None:
        self.lease.start()
        self._maintenance = asyncio.get_running_loop().create_task(self._maintain())
        self.context.thinkers.search.watch(self._search_changed)

    def _search_changed(self) -> None:
        for table in self.tables.values():
            table.search_changed()

    @property
    def draining(self) -> bool:
        """It takes no more tables, and is about to release those it has."""
        return self.closing

    async def close(self) -> None:
        """Graceful shutdown: say ``bye`` to all, drain, note the clocks, release the tables."""
        self.closing = True
        telling = asyncio.get_running_loop().create_task(self._tell_draining())
        if self._maintenance is not None:
            self._maintenance.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._maintenance
        await asyncio.gather(*self._leaving.values())
        self._send_bye()
        await self._drain(lambda: any(table.busy for table in self.tables.values()))
        self._send_bye()  # to those who were on their way in
        with contextlib.suppress(JournalError):
            await self._note_clocks()
        for code in list(self.tables):
            self.tables.pop(code).close()
        await telling
        await self.lease.end()  # and with it all tables are released
        self._replayer.close()

    async def _tell_draining(self) -> None:
        """The other servers, by the row of this one; nobody waits for it."""
        if self.lease.runs:
            with contextlib.suppress(JournalError):
                await self.context.journal.note_draining(self.lease.node)

    def _send_bye(self) -> None:
        for table in self.tables.values():
            table.presence.send_bye()

    async def _drain(self, busy: Callable[[], bool]) -> None:
        end = asyncio.get_running_loop().time() + self.config.drain_seconds
        while busy() and asyncio.get_running_loop().time() < end:
            await asyncio.sleep(0.01)

    async def _maintain(self) -> None:
        """Each chore on its own: one that fails keeps none of the others from being done."""
        prune_at = asyncio.get_running_loop().time() if self.config.prune_days else math.inf
        while True:
            await asyncio.sleep(_MAINTENANCE_SECONDS)
            self._disconnect_idle()
            await self._attempt(self._note_clocks)
            await self._attempt(self._unload_idle)
            now = asyncio.get_running_loop().time()
            if now >= prune_at and await self._attempt(self._prune):
                prune_at = now + (PRUNE_AGAIN_SECONDS if self.shared.several else _DAY)

    async def _attempt(self, chore: Callable[[], Awaitable[None]]) -> bool:
        """Whether it was done; the next run tries again."""
        try:
            await chore()
        except Displaced:  # the journal has said it
            return False
        except Exception as error:
            log_event(_log, "tending-failed", logging.ERROR, error=error)
            return False
        return True

    async def _note_clocks(self) -> None:
        notes = {code: note for code, table in self.tables.items() if (note := table.clock_note()) is not None}
        if notes:
            await self.context.journal.note_clocks(self.lease.node, notes)

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
        if table is None or not self._can_unload(table):
            return  # somebody has come meanwhile
        del self.tables[code]
        table.close()
        with contextlib.suppress(JournalError):
            await self.context.journal.release(code, table.epoch)

    def _can_unload(self, table: Table) -> bool:
        now = asyncio.get_running_loop().time()
        idle = table.idle_since is not None and now - table.idle_since > self.config.sleep_seconds
        return ((idle and not table.awaits_greeting) or table.lost) and not table.busy

    async def _prune(self) -> None:
        """Once a day, by one of the servers."""
        await self.lease.renew()  # it keeps our tables, however long they were not claimed anew
        node = self.lease.node
        if await self.shared.begin_chore(_PRUNE, node, _DAY, LONGEST_PRUNING):
            count = await self.context.journal.prune(self.config.prune_days * _DAY)
            await self.shared.end_chore(_PRUNE, node, _DAY)
            log_event(_log, "pruned", count=count)

    def check_open(self) -> None:
        if self.closing:
            raise TableRefusal("shutting-down")
