"""A journal in one SQLite file: enough for one server, with nothing to install."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from . import (
    Clock,
    Displaced,
    Renewal,
    ReplayPlayer,
    SequenceConflict,
    StoredBan,
    StoredReplay,
    StoredSnapshot,
    StoredTable,
    Unavailable,
)
from .age_clock import AgeClock, LongPause
from .bans import keep_ban, lift_ban, running_bans
from .checksums import checksum, clock_checksum
from .database_file import database
from .file_guard import FileGuard
from .lease_rows import (
    NEWEST,
    OWNED,
    ask_for,
    begin_lease,
    check_owned,
    claim,
    count,
    end_all_leases,
    end_lease,
    release,
    renew,
)
from .paging import EntryPage, read_in_pages
from .replay_rows import find_replay, keep_replay, row_of
from .shortening import compact, delete_compacted, entries_after, keep_snapshot
from .taking_up import PartTaken, find_clock, read_page, take_up
from .writer import StepHook, WriterThread

FORGOTTEN_AT_ONCE = 20  # deleted in one transaction, some 10 ms; others may write in between
T = TypeVar("T")


class SqliteJournal:
    """``step`` is a hook for crash tests, called in the writer's thread.  ``now`` is the wall clock and ``steady`` one
    that never jumps (see ``AgeClock``).  ``alarm`` hears once if the files are displaced.
    """

    def __init__(
        self,
        path: Path,
        *,
        step: StepHook = lambda _: None,
        now: Callable[[], float] = time.time,
        steady: Callable[[], float] = time.monotonic,
        long_pause: LongPause = "shorten",
        alarm: Callable[[Displaced], None] = lambda _: None,
    ) -> None:
        self.path = path
        self._age_clock = AgeClock(now, steady, long_pause)
        self._step = step
        self._now = self._age_clock.now
        self._alarm = alarm
        self._writer: WriterThread | None = None
        self._guard: FileGuard | None = None
        self._watchers: list[Callable[[str], None]] = []

    async def open(self) -> None:
        writer = WriterThread(self._database, self._step, self._alarm)
        try:
            await writer.start()
        except BaseException:  # a cancelled start leaves no thread and no lock behind
            await writer.stop()
            raise
        self._writer = writer

    async def close(self) -> None:
        writer, self._writer = self._writer, None
        if writer is not None:
            await writer.stop()

    async def begin_lease(self, node: str, seconds: float, kinds: Collection[str] = ()) -> Renewal:
        """The folder is locked: there is no other node whose kinds would matter."""
        del kinds
        now = self._now()
        await self._write(lambda db: begin_lease(db, node, now + seconds))
        return Renewal()

    async def renew(self, node: str, seconds: float) -> Renewal:
        now = self._now()

        def extend(db: sqlite3.Connection) -> list[str]:
            self._age_clock.save(db)
            return renew(db, node, now, seconds)

        return Renewal(await self._open_writer().do(extend, writes=True, whole=True))

    async def note_draining(self, node: str) -> None:
        """Nobody else could know."""

    async def end_lease(self, node: str) -> None:
        now = self._now()
        await self._write(lambda db: end_lease(db, node, now))

    async def claim(self, table: str, node: str) -> int:
        now = self._now()
        return await self._write(lambda db: claim(db, table, node, now), table)

    async def take_up(self, table: str, node: str, tail: int = 0) -> StoredTable | None:
        taken = await self._take_part(table, node, tail, None)
        while isinstance(taken, PartTaken):  # others may write in between
            taken = await self._take_part(table, node, tail, taken)
        return taken

    def _take_part(
        self, table: str, node: str, tail: int, part: PartTaken | None
    ) -> asyncio.Future[StoredTable | PartTaken | None]:
        now = self._now()
        return self._open_writer().do(
            lambda db: take_up(db, table, node, now, tail, part), writes=True, whole=True, table=table
        )

    async def ask_for(self, table: str, seconds: float) -> None:
        until = self._now() + seconds
        asked = await self._write(lambda db: ask_for(db, table, until))
        if asked is not None:
            for hear in self._watchers:
                hear(asked)

    def watch(self, asked: Callable[[str], None]) -> None:
        self._watchers.append(asked)

    async def release(self, table: str, epoch: int) -> None:
        now = self._now()
        await self._write(lambda db: release(db, table, epoch, now), table)

    def append(
        self, table: str, epoch: int, seq: int, body: bytes, replay: StoredReplay | None = None
    ) -> asyncio.Future[None]:
        """A future, and no coroutine around it: every move awaits one."""
        if replay is None:
            entry = (table, epoch, seq, body)
            return self._open_writer().do(_append, entry, writes=True, whole=True, table=table, seq=seq)
        now = self._now()

        def both(db: sqlite3.Connection) -> None:
            _append(db, table, epoch, seq, body)
            keep_replay(db, row_of(replay, now))

        return self._open_writer().do(both, writes=True, table=table, seq=seq)

    async def keep_snapshot(self, table: str, epoch: int, snapshot: StoredSnapshot, tail: int = 0) -> None:
        await self._write_and_step(
            "journal:snapshot", lambda db: _if_owned(db, table, epoch, keep_snapshot, snapshot, tail), table
        )

    async def compact(self, table: str, epoch: int, seq: int, body: bytes) -> None:
        await self._write_and_step(
            "journal:compacting", lambda db: _if_owned(db, table, epoch, compact, seq, body), table
        )
        self._step("journal:compacted")
        while await self._write_and_step("journal:deleting", lambda db: delete_compacted(db, table), table):
            pass  # others may write in between

    async def load(self, table: str, after: int = 0, epoch: int | None = None) -> list[bytes]:
        def read(db: sqlite3.Connection, start: int) -> EntryPage:
            if epoch is not None:
                check_owned(db, table, epoch)
            return read_page(db, table, start)

        writer = self._open_writer()
        page = await read_in_pages(
            lambda start: writer.do(lambda db: read(db, start), writes=False, table=table), after
        )
        return page.bodies

    async def first(self, table: str) -> bytes | None:
        first = await self._open_writer().do(lambda db: entries_after(db, table, 0, most=1), writes=False, table=table)
        return first[0] if first else None

    async def note_clocks(self, node: str, clocks: Mapping[str, Clock]) -> None:
        rows = json.dumps(
            [
                (clock.seq, clock.left_ms, table, clock_checksum(table, clock.seq, clock.left_ms))
                for table, clock in clocks.items()
            ]
        )
        await self._write(lambda db: _note_clocks(db, node, rows))

    async def clock(self, table: str) -> Clock | None:
        return await self._open_writer().do(lambda db: find_clock(db, table), writes=False, table=table)

    async def replay(self, name: str) -> str | None:
        found = await self._open_writer().do(lambda db: find_replay(db, name), writes=False, table=name)
        return None if found is None else found.record

    async def replay_players(self, name: str) -> list[ReplayPlayer]:
        found = await self._open_writer().do(lambda db: find_replay(db, name), writes=False, table=name)
        return [] if found is None else list(found.players)

    async def keep_out(self, ban: StoredBan) -> None:
        now = self._now()
        await self._write(lambda db: keep_ban(db, ban, now))

    async def let_in(self, key: str) -> None:
        await self._write(lambda db: lift_ban(db, key))

    async def kept_out(self) -> list[StoredBan]:
        now = self._now()
        return await self._open_writer().do(lambda db: running_bans(db, now), writes=False)

    async def prune(self, older_seconds: float) -> int:
        now = self._now()
        await self._write(self._forget_note)
        forgotten = 0
        while some := await self._write(lambda db: _forget(db, now - older_seconds, now)):
            forgotten += some
        return forgotten

    async def check(self) -> None:
        await self._write(lambda db: count(db, "check"))

    async def _write(self, work: Callable[[sqlite3.Connection], T], table: str = "") -> T:
        return await self._open_writer().do(work, writes=True, table=table)

    async def _write_and_step(self, step: str, work: Callable[[sqlite3.Connection], T], table: str) -> T:
        """The step is before the commit."""

        def stepping(db: sqlite3.Connection) -> T:
            done = work(db)
            self._step(step)
            return done

        return await self._write(stepping, table)

    def _forget_note(self, _: sqlite3.Connection) -> None:
        if self._guard is not None:
            self._guard.forget_note()

    @contextmanager
    def _database(self) -> Iterator[tuple[sqlite3.Connection, FileGuard]]:
        with database(self.path) as db, closing(FileGuard(self.path, self._step)) as self._guard:
            self._step("journal:opening")
            self._age_clock.start(db)
            end_all_leases(db, self._now())
            self._guard.start(db)
            self._step("journal:opened")
            yield db, self._guard
            with suppress(sqlite3.Error, OSError, Displaced):
                self._guard.check()
                self._age_clock.save(db)
            self._guard.keep_apart(db)

    def _open_writer(self) -> WriterThread:
        if self._writer is None:
            raise Unavailable("The journal is not open.")
        return self._writer


# The number is null, and so the row ignored, unless the table is ours and the entry its next one.  To insert what is
# selected would say so more plainly, but as entries are among it, SQLite makes a temporary table every time.
_NEXT = "?3 = 1 + (SELECT coalesce(max(seq), 0) FROM entries WHERE code = ?1)"
_ADDED = (
    "INSERT OR IGNORE INTO entries (code, seq, body, sum) "  # noqa: S608
    f"VALUES (?1, CASE WHEN EXISTS ({OWNED}) AND {_NEXT} THEN ?3 END, ?4, ?5)"
)


def _append(db: sqlite3.Connection, table: str, epoch: int, seq: int, body: bytes) -> None:
    """One atomic statement: this is the most frequent write."""
    if db.execute(_ADDED, (table, epoch, seq, body, checksum(table, seq, body))).rowcount != 1:
        check_owned(db, table, epoch)
        raise SequenceConflict(f"Entry {seq} of table {table} is not the next one.")


def _if_owned(db: sqlite3.Connection, table: str, epoch: int, work: Callable[..., None], *of: Any) -> None:
    check_owned(db, table, epoch)
    work(db, table, *of)
    db.execute(f"UPDATE tables SET newest = {NEWEST} WHERE code = ?", (table,))  # noqa: S608


def _note_clocks(db: sqlite3.Connection, node: str, rows: str) -> None:
    """One statement for all: a thread waits for the GIL after each."""
    db.execute(
        "WITH noted AS (SELECT json_extract(value, '$[0]') AS seq, json_extract(value, '$[1]') AS left_ms, "
        "json_extract(value, '$[2]') AS code, json_extract(value, '$[3]') AS sum FROM json_each(?)) "
        "INSERT INTO clocks (seq, left_ms, code, sum) SELECT seq, left_ms, code, sum FROM noted "
        "JOIN tables USING (code) WHERE node = ? "
        "ON CONFLICT (code) DO UPDATE SET seq = excluded.seq, left_ms = excluded.left_ms, sum = excluded.sum",
        (rows, node),
    )


def _forget(db: sqlite3.Connection, before: float, now: float) -> int:
    """Delete a batch of what is older; 0 when nothing is left."""
    tables = db.execute(
        "DELETE FROM tables WHERE code IN (SELECT code FROM tables LEFT JOIN nodes USING (node) "
        "WHERE max(touched, coalesce(lease_until, 0)) < ?1 AND coalesce(lease_until, 0) <= ?2 LIMIT ?3)",
        (before, now, FORGOTTEN_AT_ONCE),
    ).rowcount
    replays = db.execute(
        "DELETE FROM replays WHERE name IN (SELECT name FROM replays WHERE touched < ? LIMIT ?)",
        (before, FORGOTTEN_AT_ONCE),
    ).rowcount
    return tables + replays
