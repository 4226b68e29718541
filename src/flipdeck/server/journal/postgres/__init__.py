"""A journal in a PostgreSQL database, which several servers share.

Each change is one statement that commits by itself: fencing by epoch and the order of entries are conditions in it
(``appending``, ``statements``).  Connections are in ``link``, tables and versions in ``schema``.  Leases go by the
database's clock.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from typing import Any

from .. import (
    Clock,
    Damaged,
    Fenced,
    JournalError,
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
from ..checksums import checksum, clock_checksum, compaction_checksum, is_sound, replay_bytes
from ..paging import EntryPage, read_in_pages
from ..writer import StepHook
from . import statements
from .appending import AppendQueue, ReplayRow
from .link import Database, Link, Links, Row, connect, translated
from .rights import check_rights
from .schema import prepare

READERS = 3  # connections beside that of the entries and that of the lease
PRUNED_AT_ONCE = 20
RENEWAL_SECONDS = 2.0  # shorter than any lease
CHANNEL = "flipdeck_asked"
_MOST_SEQ = 2**31 - 1


class PostgresJournal:
    """``step`` is a hook for fault tests."""

    def __init__(self, url: str, *, step: StepHook = lambda _: None) -> None:
        self._url = url
        self._step = step
        self._watchers: list[Callable[[str], None]] = []
        self._opened: tuple[AppendQueue, Link, Link, Links] | None = None

    async def open(self) -> None:
        db = await connect(self._url)
        try:
            await prepare(db)
            await check_rights(db)
        except JournalError:
            raise
        except Exception as error:
            raise translated(error) from error
        finally:
            await db.close()
        writer = Link(self._url)
        self._opened = (
            AppendQueue(writer, self._step),
            writer,
            Link(self._url, self._listen),
            Links(self._url, READERS),
        )

    async def close(self) -> None:
        opened, self._opened = self._opened, None
        if opened is not None:
            queue, writer, lease_link, readers = opened
            await queue.drain()
            for link in (writer, lease_link, readers):
                await link.close()

    # ------------------------------------------------------------ leases
    async def begin_lease(self, node: str, seconds: float, kinds: Collection[str] = ()) -> Renewal:
        words = " ".join(sorted(kinds))
        (row,) = await self._lease_link.fetch(statements.BEGIN_LEASE, node, seconds, words, seconds=RENEWAL_SECONDS)
        return _renewal(row, [])

    async def renew(self, node: str, seconds: float) -> Renewal:
        (row,) = await self._lease_link.fetch(statements.RENEW, node, seconds, seconds=RENEWAL_SECONDS)
        if not row["kept"]:
            raise LeaseEnded(f"The lease of node {node} has ended.")
        return _renewal(row, list(row["wanted"]))

    async def note_draining(self, node: str) -> None:
        await self._lease_link.fetch(statements.NOTE_DRAINING, node, seconds=RENEWAL_SECONDS)

    async def end_lease(self, node: str) -> None:
        await self._lease_link.fetch(statements.END_LEASE, node)

    async def claim(self, table: str, node: str) -> int:
        (row,) = await self._fetch(statements.CLAIM, table, node)
        if row["epoch"] is not None:
            return int(row["epoch"])
        if row["leased"] or row["alive"]:  # or another has claimed it in this moment
            raise Leased(f"Another server plays table {table}.")
        raise LeaseEnded(f"The lease of node {node} has ended.")

    async def take_up(self, table: str, node: str, tail: int = 0) -> StoredTable | None:
        """First what can fail on its own, then what changes something, then what was written in between."""
        row = await self._state(table, tail=tail, node=node, most=paging.MOST_ROWS)
        if row is None or (row["seqs"] is None and row["snapshot_seq"] is None):
            return None
        if row["leased"]:
            raise Leased(f"Another server plays table {table}.")
        snapshot, read = await self._checked(table, row)
        epoch = await self.claim(table, node)
        try:
            row = await self._state(table, after=read.last, most=paging.MOST_ROWS)
            if row is None or _is_compacted(row, snapshot, read):
                row = await self._state(table, tail=tail, most=paging.MOST_ROWS)
                snapshot, read = await self._checked(table, row)
            else:
                read.bodies.extend((await self._rest(table, row, read.last)).bodies)
        except Damaged:
            await self.release(table, epoch)
            raise
        return StoredTable(epoch, read.bodies, _clock(table, row), snapshot)

    async def _checked(self, table: str, row: Row | None) -> tuple[StoredSnapshot | None, EntryPage]:
        """From the snapshot that was asked for; if an entry after it is damaged, from the newest of all."""
        snapshot = None if row is None else _snapshot(row)
        try:
            return snapshot, await self._rest(table, row, 0 if snapshot is None else snapshot.seq)
        except Damaged as damaged:
            newest = await self._state(table, tail=0, most=paging.MOST_ROWS)
            if newest is None or (newest["snapshot_seq"] or 0) < max(damaged.seq, 1):
                raise
            return _snapshot(newest), await self._rest(table, newest, newest["snapshot_seq"])

    async def _rest(self, table: str, row: Row | None, after: int) -> EntryPage:
        """The entries after a number, of which this row has the first."""

        async def read(start: int) -> EntryPage:
            nonlocal row
            found, row = row, None
            return _page(table, found or await self._state(table, after=start, most=paging.MOST_ROWS), start)

        return await read_in_pages(read, after)

    async def ask_for(self, table: str, seconds: float) -> None:
        for row in await self._fetch(statements.ASK_FOR, table, seconds):
            with suppress(JournalError):  # a hint
                await self._fetch(statements.NOTIFY, CHANNEL, row["node"])

    def watch(self, asked: Callable[[str], None]) -> None:
        self._watchers.append(asked)

    async def _listen(self, db: Database) -> None:
        await db.add_listener(CHANNEL, self._hear)

    def _hear(self, _: Any, __: int, ___: str, node: Any) -> None:
        for hear in self._watchers:
            hear(str(node))

    async def release(self, table: str, epoch: int) -> None:
        await self._fetch(statements.RELEASE, table, epoch)

    # ------------------------------------------------------------ entries
    async def append(self, table: str, epoch: int, seq: int, body: bytes, replay: StoredReplay | None = None) -> None:
        queue = self._parts[0]
        if not 0 < seq <= _MOST_SEQ:
            await self.load(table, _MOST_SEQ, epoch)  # Fenced comes first
            raise SequenceConflict(f"Entry {seq} of table {table} is not the next one.")
        await queue.append(table, epoch, seq, body, None if replay is None else _row_of(replay))

    async def keep_snapshot(self, table: str, epoch: int, snapshot: StoredSnapshot, tail: int = 0) -> None:
        (row,) = await self._fetch(statements.KEEP_SNAPSHOT, table, epoch, snapshot.seq, snapshot.body, tail)
        _check_owned(row, table, epoch)

    async def compact(self, table: str, epoch: int, seq: int, body: bytes) -> None:
        sums = checksum(table, seq, body), compaction_checksum(table, seq)
        (row,) = await self._fetch(statements.COMPACT, table, epoch, seq, body, *sums)
        _check_owned(row, table, epoch)
        if not row["replaced"]:
            raise SequenceConflict(f"Table {table} has no entry {seq}.")

    async def load(self, table: str, after: int = 0, epoch: int | None = None) -> list[bytes]:
        async def read(start: int) -> EntryPage:
            row = await self._state(table, after=start, most=paging.MOST_ROWS)
            if epoch is not None and (row is None or not row["owned"] or row["epoch"] != epoch):
                raise Fenced(f"Table {table} is no longer owned under epoch {epoch}.")
            return _page(table, row, start)

        return (await read_in_pages(read, after)).bodies

    async def first(self, table: str) -> bytes | None:
        bodies = _bodies(table, await self._state(table, most=1), 0, most=1)
        return bodies[0] if bodies else None

    async def _state(self, table: str, *, tail: int = -1, node: str = "", after: int = 0, most: int = 1) -> Row | None:
        rows = await self._fetch(statements.STATE, table, tail, node, after, most) if _is_storable(table) else ()
        return rows[0] if rows else None

    # ------------------------------------------------------------ clocks and replays
    async def note_clocks(self, node: str, clocks: Mapping[str, Clock]) -> None:
        tables, noted = list(clocks), list(clocks.values())
        sums = [clock_checksum(table, clock.seq, clock.left_ms) for table, clock in clocks.items()]
        seqs, left = [clock.seq for clock in noted], [clock.left_ms for clock in noted]
        await self._fetch(statements.NOTE_CLOCKS, node, tables, seqs, left, sums)

    async def clock(self, table: str) -> Clock | None:
        return _clock(table, await self._state(table, after=_MOST_SEQ))

    async def replay(self, name: str) -> str | None:
        found = await self._find_replay(name)
        return None if found is None else found.record

    async def replay_players(self, name: str) -> list[ReplayPlayer]:
        found = await self._find_replay(name)
        return [] if found is None else list(found.players)

    async def _find_replay(self, name: str) -> StoredReplay | None:
        rows = await self._fetch(statements.REPLAY, name) if _is_storable(name) else ()
        if not rows:
            return None
        record, names, levels, total = rows[0]
        if not is_sound(total, name, 0, replay_bytes(record, names, levels)):
            raise Damaged(name)
        players = [ReplayPlayer(*each) for each in zip(json.loads(names), json.loads(levels), strict=True)]
        return StoredReplay(name, record.decode(), players)

    # ------------------------------------------------------------ bans and upkeep
    async def keep_out(self, ban: StoredBan) -> None:
        await self._fetch(statements.KEEP_OUT, ban.key, ban.seconds, ban.why)

    async def let_in(self, key: str) -> None:
        await self._fetch(statements.LET_IN, key)

    async def kept_out(self) -> list[StoredBan]:
        return [StoredBan(*row) for row in await self._fetch(statements.KEPT_OUT)]

    async def prune(self, older_seconds: float) -> int:
        pruned = 0
        while some := (await self._fetch(statements.PRUNE, older_seconds, PRUNED_AT_ONCE))[0]["count"]:
            pruned += some
            await asyncio.sleep(0)
        return pruned

    async def check(self) -> None:
        await self._fetch(statements.CHECK)
        if self._parts[0].failed:
            raise Unavailable("The last entries could not be written.")

    # ------------------------------------------------------------ connections
    @property
    def _parts(self) -> tuple[AppendQueue, Link, Link, Links]:
        if self._opened is None:
            raise Unavailable("The journal is not open.")
        return self._opened

    @property
    def _lease_link(self) -> Link:
        """Of its own: nothing that takes long delays a renewal."""
        return self._parts[2]

    async def _fetch(self, statement: str, *values: Any) -> Any:
        return await self._parts[3].fetch(statement, *values)


def _renewal(row: Row, wanted: list[str]) -> Renewal:
    """A node from before there were kinds has none: it can read what was there at that time."""
    kinds = tuple(frozenset((words or "").split()) for words in row["kinds"])
    return Renewal(wanted, kinds, row["bans"], row["others"])


def _is_storable(text: str) -> bool:
    """PostgreSQL has no such texts, so nothing can be stored under them."""
    return "\0" not in text and not any("\ud800" <= letter <= "\udfff" for letter in text)


def _check_owned(row: Row, table: str, epoch: int) -> None:
    if not row["owned"]:
        raise Fenced(f"Table {table} is no longer owned under epoch {epoch}.")


def _snapshot(row: Row) -> StoredSnapshot | None:
    return None if row["snapshot_seq"] is None else StoredSnapshot(row["snapshot_seq"], row["snapshot"])


def _bodies(table: str, row: Row | None, after: int, most: int) -> list[bytes]:
    """The entries after a number, checked: none is missing, and each is as it was written."""
    if row is None:
        return []
    if row["first"] is not None and row["first_sum"] != compaction_checksum(table, row["first"]):
        raise Damaged(table)
    due = max(row["first"] or 1, after + 1)
    bodies: list[bytes] = []
    for seq, body, total in zip(row["seqs"] or (), row["bodies"] or (), row["sums"] or (), strict=True):
        if seq != due or not is_sound(total, table, seq, body):
            raise Damaged(table, due)
        bodies.append(body)
        due += 1
    if len(bodies) != most and row["newest"] >= due:
        raise Damaged(table, due)
    return bodies


def _is_compacted(row: Row, snapshot: StoredSnapshot | None, read: EntryPage) -> bool:
    """Whether what was read before the claim is no longer what the table begins with."""
    first = row["first"] or 1
    return first > read.last or (snapshot is not None and first > snapshot.seq)


def _page(table: str, row: Row | None, after: int) -> EntryPage:
    if row is None:
        return EntryPage(None, after, [])
    bodies, first = _bodies(table, row, after, paging.MOST_ROWS), row["first"] or 1
    return EntryPage((row["epoch"], first), max(after, first - 1) + len(bodies), bodies)


def _clock(table: str, row: Row | None) -> Clock | None:
    if row is None or row["clock_seq"] is None:
        return None
    clock = Clock(row["clock_seq"], row["left_ms"])
    return clock if row["clock_sum"] == clock_checksum(table, clock.seq, clock.left_ms) else None


def _row_of(replay: StoredReplay) -> ReplayRow:
    names, levels = [player.name for player in replay.players], [player.level for player in replay.players]
    texts = replay.record.encode(), json.dumps(names).encode(), json.dumps(levels).encode()
    replay.name.encode()  # a name that can't be stored fails here, and alone
    return ReplayRow(replay.name, *texts, checksum(replay.name, 0, replay_bytes(*texts)))
