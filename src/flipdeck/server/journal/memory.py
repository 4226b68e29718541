"""A journal in memory for tests and simulations, with latency and failures on demand."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from . import (
    Clock,
    Damaged,
    Fenced,
    Leased,
    LeaseEnded,
    Renewal,
    ReplayPlayer,
    SequenceConflict,
    StoredBan,
    StoredReplay,
    StoredSnapshot,
    StoredTable,
    Unavailable,
    paging,
)
from .checksums import checksum, is_sound
from .paging import EntryPage, read_in_pages


@dataclass(slots=True)
class _Table:
    epoch: int
    node: str | None
    touched: float
    wanted_until: float = 0.0
    entries: list[bytes] = field(default_factory=list)
    sums: list[int] = field(default_factory=list)  # of the entries
    first: int = 1  # the number of the first entry
    snapshots: list[StoredSnapshot] = field(default_factory=list)
    clock: Clock | None = None

    @property
    def newest(self) -> int:
        """The number of the last entry."""
        return self.first + len(self.entries) - 1

    def snapshot_before(self, tail: int) -> StoredSnapshot | None:
        return next((each for each in reversed(self.snapshots) if each.seq <= self.newest - tail), None)

    def read(self, table: str, after: int, most: int | None = None) -> list[bytes]:
        """The entries after a number, checked."""
        start = max(0, after + 1 - self.first)
        bodies = self.entries[start : None if most is None else start + most]
        for seq, body in enumerate(bodies, self.first + start):
            if not is_sound(self.sums[seq - self.first], table, seq, body):
                raise Damaged(table, seq)
        return bodies


class MemoryJournal:
    """What is stored survives ``close`` and the next ``open``, as on a disk, so that restarts can be simulated.

    ``delay`` gives the seconds before an append becomes durable, ``fail`` whether the next write fails, and
    ``fail_late`` whether the next append fails although the entry was stored.  ``flip_bit`` damages what is stored.
    ``now`` is the clock of leases and ages.
    """

    def __init__(
        self,
        *,
        delay: Callable[[], float] | None = None,
        fail: Callable[[], bool] | None = None,
        fail_late: Callable[[], bool] | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._delay = delay
        self._fail = fail
        self._fail_late = fail_late
        self._now = now
        self._tables: dict[str, _Table] = {}
        self._leases: dict[str, float] = {}  # until when, by node
        self._kinds: dict[str, frozenset[str]] = {}
        self._ban_changes = 0
        self.draining: set[str] = set()
        self._watchers: list[Callable[[str], None]] = []
        self._replays: dict[str, tuple[str, list[ReplayPlayer], float]] = {}
        self._bans: dict[str, tuple[float, str]] = {}  # until when, and why
        self._damaged_replays: set[str] = set()
        self._epoch = 0
        self._turns: dict[str, asyncio.Lock] = {}
        self._is_open = False

    async def open(self) -> None:
        self._turns = {}  # a lock belongs to its event loop
        self._is_open = True

    async def close(self) -> None:
        self._is_open = False

    async def begin_lease(self, node: str, seconds: float, kinds: Collection[str] = ()) -> Renewal:
        self._check_write()
        self._leases[node] = self._now() + seconds
        self._kinds[node] = frozenset(kinds)
        return self._renewal(node, [])

    async def renew(self, node: str, seconds: float) -> Renewal:
        self._check_write()
        now = self._now()
        tables = [(code, it) for code, it in self._tables.items() if it.node == node]
        if not self._is_alive(node):
            for _, it in tables:  # it is there, after all
                it.touched = now
            raise LeaseEnded(f"The lease of node {node} has ended.")
        self._leases[node] = now + seconds
        return self._renewal(node, [code for code, it in tables if it.wanted_until > now])

    def _renewal(self, node: str, wanted: list[str]) -> Renewal:
        others = [self._kinds[each] for each in self._leases if each != node and self._is_alive(each)]
        return Renewal(wanted, tuple(sorted({*others}, key=sorted)), self._ban_changes, len(others))

    async def note_draining(self, node: str) -> None:
        self._check_write()
        self.draining.add(node)

    async def end_lease(self, node: str) -> None:
        self._check_write()
        self._leases.pop(node, None)
        for it in self._tables.values():
            if it.node == node:
                it.node, it.touched = None, self._now()

    async def claim(self, table: str, node: str) -> int:
        self._check_write()
        now = self._now()
        known = self._tables.get(table)
        self._check_free(table, node)
        if not self._is_alive(node):
            raise LeaseEnded(f"The lease of node {node} has ended.")
        self._epoch += 1
        claimed = known or self._tables.setdefault(table, _Table(self._epoch, node, now))
        claimed.epoch, claimed.node, claimed.touched, claimed.wanted_until = self._epoch, node, now, 0.0
        return self._epoch

    async def take_up(self, table: str, node: str, tail: int = 0) -> StoredTable | None:
        self._check_open()
        while True:
            known = self._tables.get(table)
            if known is None or not known.entries:
                return None
            self._check_free(table, node)
            mark = (known.epoch, known.first)
            snapshot, entries = await self._find_state(known, table, tail)
            if self._tables.get(table) is known and mark == (known.epoch, known.first):  # while others wrote
                return StoredTable(await self.claim(table, node), entries, known.clock, snapshot)

    async def _find_state(self, known: _Table, table: str, tail: int) -> tuple[StoredSnapshot | None, list[bytes]]:
        snapshot = known.snapshot_before(tail)
        try:
            return snapshot, await self._read_all(table, 0 if snapshot is None else snapshot.seq)
        except Damaged as damaged:
            newest = known.snapshot_before(0)
            if newest is None or newest.seq < damaged.seq:
                raise
            return newest, await self._read_all(table, newest.seq)

    async def _read_all(self, table: str, after: int, epoch: int | None = None) -> list[bytes]:
        async def read(start: int) -> EntryPage:
            if start > after:  # others may write in between
                await asyncio.sleep(0)
            if epoch is not None:
                self._owned(table, epoch)
            known = self._tables.get(table)
            if known is None:
                return EntryPage(None, start, [])
            bodies = known.read(table, start, paging.MOST_ROWS)
            return EntryPage((known.epoch, known.first), max(start, known.first - 1) + len(bodies), bodies)

        return (await read_in_pages(read, after)).bodies

    async def ask_for(self, table: str, seconds: float) -> None:
        self._check_write()
        known = self._tables.get(table)
        if known is not None and known.node is not None:
            known.wanted_until = self._now() + seconds
            for hear in self._watchers:
                hear(known.node)

    def watch(self, asked: Callable[[str], None]) -> None:
        self._watchers.append(asked)

    async def release(self, table: str, epoch: int) -> None:
        self._check_write()
        owned = self._find_owned(table, epoch)
        if owned is not None:
            owned.node, owned.touched = None, self._now()

    async def append(self, table: str, epoch: int, seq: int, body: bytes, replay: StoredReplay | None = None) -> None:
        async with self._turns.setdefault(table, asyncio.Lock()):  # appends stay in order, however long each takes
            if self._delay is not None:
                await asyncio.sleep(self._delay())
            self._check_write()
            owned = self._owned(table, epoch)
            if seq != owned.newest + 1:
                raise SequenceConflict(f"Entry {seq} of table {table} is not the next one.")
            owned.entries.append(body)
            owned.sums.append(checksum(table, seq, body))
            owned.touched = self._now()
            if replay is not None:
                self._keep(replay)
            if self._fail_late is not None and self._fail_late():
                raise Unavailable("The entry was stored; the answer was lost, as the test asked.")

    async def keep_snapshot(self, table: str, epoch: int, snapshot: StoredSnapshot, tail: int = 0) -> None:
        self._check_write()
        owned = self._owned(table, epoch)
        owned.snapshots = sorted([*(each for each in owned.snapshots if each.seq != snapshot.seq), snapshot])
        needed = owned.snapshot_before(tail)
        if needed is not None:
            owned.snapshots = [each for each in owned.snapshots if each.seq >= needed.seq]

    async def compact(self, table: str, epoch: int, seq: int, body: bytes) -> None:
        self._check_write()
        owned = self._owned(table, epoch)
        if not owned.first <= seq <= owned.newest:
            raise SequenceConflict(f"Table {table} has no entry {seq}.")
        owned.entries[: seq - owned.first + 1] = [body]
        owned.sums[: seq - owned.first + 1] = [checksum(table, seq, body)]
        owned.first = seq
        owned.snapshots = [each for each in owned.snapshots if each.seq > seq]

    async def load(self, table: str, after: int = 0, epoch: int | None = None) -> list[bytes]:
        self._check_open()
        return await self._read_all(table, after, epoch)

    async def first(self, table: str) -> bytes | None:
        self._check_open()
        known = self._tables.get(table)
        first = [] if known is None else known.read(table, 0, most=1)
        return first[0] if first else None

    async def note_clocks(self, node: str, clocks: Mapping[str, Clock]) -> None:
        self._check_write()
        for table, clock in clocks.items():
            if table in self._tables and self._tables[table].node == node:
                self._tables[table].clock = clock

    async def clock(self, table: str) -> Clock | None:
        self._check_open()
        known = self._tables.get(table)
        return None if known is None else known.clock

    async def replay(self, name: str) -> str | None:
        self._check_open()
        self._check_replay(name)
        return self._replays[name][0] if name in self._replays else None

    async def replay_players(self, name: str) -> list[ReplayPlayer]:
        self._check_open()
        self._check_replay(name)
        return list(self._replays[name][1]) if name in self._replays else []

    async def keep_out(self, ban: StoredBan) -> None:
        self._check_write()
        self._bans[ban.key] = (self._now() + ban.seconds, ban.why)
        self._ban_changes += 1

    async def let_in(self, key: str) -> None:
        self._check_write()
        self._bans.pop(key, None)
        self._ban_changes += 1

    async def kept_out(self) -> list[StoredBan]:
        self._check_open()
        now = self._now()
        all_of_them = [StoredBan(key, until - now, why) for key, (until, why) in self._bans.items()]
        return sorted((ban for ban in all_of_them if ban.seconds > 0), key=lambda ban: (ban.seconds, ban.key))

    async def prune(self, older_seconds: float) -> int:
        self._check_write()
        before = self._now() - older_seconds
        tables = [code for code, it in self._tables.items() if self._last_use(it) < before]
        replays = [name for name, (_, _, touched) in self._replays.items() if touched < before]
        for code in tables:
            del self._tables[code]
        for name in replays:
            del self._replays[name]
        return len(tables) + len(replays)

    async def check(self) -> None:
        self._check_write()

    def flip_bit(self, table: str, seq: int, *, snapshot: bool = False) -> None:
        """In an entry, or in the snapshot that was taken after it; a second time undoes it."""
        known = self._tables[table]
        if snapshot:
            known.snapshots = [
                StoredSnapshot(each.seq, _flipped(each.body) if each.seq == seq else each.body)
                for each in known.snapshots
            ]
        else:
            known.entries[seq - known.first] = _flipped(known.entries[seq - known.first])

    def damage_replay(self, name: str) -> None:
        self._damaged_replays.add(name)

    def _check_replay(self, name: str) -> None:
        if name in self._damaged_replays:
            raise Damaged(name)

    def _keep(self, replay: StoredReplay) -> None:
        self._replays.setdefault(replay.name, (replay.record, list(replay.players), self._now()))

    def _find_owned(self, table: str, epoch: int) -> _Table | None:
        """The table, if the epoch is that of its present owner."""
        known = self._tables.get(table)
        return known if known is not None and known.epoch == epoch and known.node is not None else None

    def _is_alive(self, node: str) -> bool:
        return self._leases.get(node, 0.0) > self._now()

    def _check_free(self, table: str, node: str) -> None:
        known = self._tables.get(table)
        if known is not None and known.node not in (None, node) and self._is_alive(str(known.node)):
            raise Leased(f"Another server plays table {table}.")

    def _last_use(self, known: _Table) -> float:
        """A table that belongs to a node is in use as long as the node's lease runs."""
        if known.node is None:
            return known.touched
        return math.inf if self._is_alive(known.node) else max(known.touched, self._leases.get(known.node, 0.0))

    def _owned(self, table: str, epoch: int) -> _Table:
        owned = self._find_owned(table, epoch)
        if owned is None:
            raise Fenced(f"Table {table} is no longer owned under epoch {epoch}.")
        return owned

    def _check_open(self) -> None:
        if not self._is_open:
            raise Unavailable("The journal is not open.")

    def _check_write(self) -> None:
        self._check_open()
        if self._fail is not None and self._fail():
            raise Unavailable("The journal can't write, as the test asked.")


def _flipped(body: bytes) -> bytes:
    """With one bit in its middle changed."""
    at = len(body) // 2
    return body[:at] + bytes([body[at] ^ 4]) + body[at + 1 :]
