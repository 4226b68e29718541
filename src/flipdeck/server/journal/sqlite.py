"""A journal in one SQLite file: enough for one server, with nothing to install."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TypeVar

from . import (
    Clock,
    Fenced,
    Leased,
    ReplayPlayer,
    SequenceConflict,
    StoredBan,
    StoredReplay,
    StoredSnapshot,
    StoredTable,
    Unavailable,
)
from .bans import keep_ban, lift_ban, running_bans
from .schema import prepare
from .shortening import compact, delete_compacted, entries_after, keep_snapshot, snapshot_before
from .writer import StepHook, WriterThread

BUSY_MS = 5000  # how long another reader of the file, such as a backup, may block us
PAGES_IN_LOG = 4000  # 16 MB of write-ahead log before a checkpoint, which delays moves
FORGOTTEN_AT_ONCE = 20  # deleted in one transaction, some 10 ms; others may write in between
T = TypeVar("T")


class SqliteJournal:
    """``step`` is a hook for crash tests, called in the writer's thread; ``now`` is the clock of leases and ages."""

    def __init__(self, path: Path, *, step: StepHook = lambda _: None, now: Callable[[], float] = time.time) -> None:
        self.path = path
        self._step = step
        self._now = now
        self._writer: WriterThread | None = None

    async def open(self) -> None:
        writer = WriterThread(lambda: database(self.path), self._step)
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

    async def claim(self, table: str, owner: str, seconds: float) -> int:
        now = self._now()
        return await self._write(lambda db: _claim(db, table, owner, now, seconds))

    async def take_up(self, table: str, owner: str, seconds: float, tail: int = 0) -> StoredTable | None:
        now = self._now()
        return await self._open_writer().do(
            lambda db: _take_up(db, table, owner, now, seconds, tail), writes=True, whole=True
        )

    async def renew(self, claims: Mapping[str, int], seconds: float) -> list[str]:
        now, asked = self._now(), dict(claims)
        times = (now + seconds, now)
        return await self._write(
            lambda db: [table for table in asked if not _extend_lease(db, table, asked[table], times)]
        )

    async def release(self, table: str, epoch: int) -> None:
        now = self._now()
        await self._write(lambda db: _release(db, table, epoch, now))

    async def append(self, table: str, epoch: int, seq: int, body: bytes, replay: StoredReplay | None = None) -> None:
        if replay is None:
            await self._open_writer().do(lambda db: _append(db, table, epoch, seq, body), writes=True, whole=True)
            return
        row = _row(replay, self._now())

        def both(db: sqlite3.Connection) -> None:
            _append(db, table, epoch, seq, body)
            _keep_replay(db, row)

        await self._write(both)

    async def keep_snapshot(self, table: str, epoch: int, snapshot: StoredSnapshot, tail: int = 0) -> None:
        await self._write(lambda db: _if_owned(db, table, epoch, keep_snapshot, snapshot, tail))

    async def compact(self, table: str, epoch: int, seq: int, body: bytes) -> None:
        await self._write(lambda db: _if_owned(db, table, epoch, compact, seq, body))
        while await self._write(lambda db: delete_compacted(db, table)):
            pass  # others may write in between

    async def load(self, table: str, after: int = 0) -> list[bytes]:
        return await self._open_writer().do(lambda db: entries_after(db, table, after), writes=False)

    async def first(self, table: str) -> bytes | None:
        first = await self._open_writer().do(lambda db: entries_after(db, table, 0, most=1), writes=False)
        return first[0] if first else None

    async def note_clocks(self, clocks: Mapping[str, Clock]) -> None:
        rows = json.dumps([(clock.seq, clock.left_ms, table) for table, clock in clocks.items()])
        await self._write(lambda db: _note_clocks(db, rows))

    async def clock(self, table: str) -> Clock | None:
        rows = await self._read(_CLOCK, table)
        return Clock(*rows[0]) if rows else None

    async def replay(self, name: str) -> str | None:
        rows = await self._read("SELECT record FROM replays WHERE name = ?", name)
        return str(rows[0][0]) if rows else None

    async def replay_players(self, name: str) -> list[ReplayPlayer]:
        for names, levels in await self._read("SELECT names, levels FROM replays WHERE name = ?", name):
            return [ReplayPlayer(*each) for each in zip(json.loads(names), json.loads(levels), strict=True)]
        return []

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
        forgotten = 0
        while some := await self._write(lambda db: _forget(db, now - older_seconds, now)):
            forgotten += some
        return forgotten

    async def check(self) -> None:
        await self._write(lambda db: _count(db, "check"))

    async def _write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        return await self._open_writer().do(work, writes=True)

    async def _read(self, query: str, key: str) -> list[Any]:
        return await self._open_writer().do(lambda db: db.execute(query, (key,)).fetchall(), writes=False)

    def _open_writer(self) -> WriterThread:
        if self._writer is None:
            raise Unavailable("The journal is not open.")
        return self._writer


@contextmanager
def database(path: Path) -> Iterator[sqlite3.Connection]:
    """Open the file exclusively, create it if need be; closed with the block."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)  # the cards of every running match are in there
        for file in (path, _lock_file(path)):
            file.touch(mode=0o600)  # the folder may be readable for others
        with closing(_lock(path)), closing(_connect(path)) as db:
            yield db
    except (OSError, sqlite3.Error) as error:
        raise Unavailable(f"The tables in {path} can't be opened: {error}.") from error


def _lock_file(path: Path) -> Path:
    return path.with_name(path.name + ".lock")


def _lock(path: Path) -> sqlite3.Connection:
    """Lock the folder with SQLite's own lock on an empty file: it ends with the process on any system, no child
    inherits it, and readers of the tables are not blocked.
    """
    lock = sqlite3.connect(_lock_file(path), timeout=0, isolation_level=None)
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        lock.close()
        if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
            raise
        raise Unavailable(f"A Flipdeck server is using the folder {path.parent} already.") from None
    return lock


def _connect(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, isolation_level=None)  # explicit transactions only
    try:
        db.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
        db.execute("PRAGMA auto_vacuum = FULL")  # deleted tables free disk space
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA fullfsync = ON")  # on macOS, nothing less reaches the disk
        prepare(db)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA foreign_keys = ON")
        db.execute(f"PRAGMA wal_autocheckpoint = {PAGES_IN_LOG}")
        # we have the lock: whoever held a lease is gone
        db.execute("UPDATE tables SET owner = NULL, lease_until = 0 WHERE owner IS NOT NULL")
    except BaseException:
        db.close()
        raise
    return db


_CLOCK = "SELECT seq, left_ms FROM clocks WHERE code = ?"


def _take_up(
    db: sqlite3.Connection, table: str, owner: str, now: float, seconds: float, tail: int
) -> StoredTable | None:
    """First what can fail on its own, then what changes something."""
    snapshot = snapshot_before(db, table, tail)
    entries = entries_after(db, table, 0 if snapshot is None else snapshot.seq)
    clock = db.execute(_CLOCK, (table,)).fetchone()
    if not entries and snapshot is None:
        return None
    epoch = _claim(db, table, owner, now, seconds)
    return StoredTable(epoch, entries, None if clock is None else Clock(*clock), snapshot)


def _claim(db: sqlite3.Connection, table: str, owner: str, now: float, seconds: float) -> int:
    known = db.execute("SELECT owner, lease_until FROM tables WHERE code = ?", (table,)).fetchone()
    if known is not None and known[0] not in (None, owner) and known[1] > now:
        raise Leased(f"Another server plays table {table}.")
    epoch = _count(db, "epoch")
    db.execute(
        "INSERT INTO tables (code, epoch, owner, lease_until, touched) VALUES (?, ?, ?, ?, ?) "
        "ON CONFLICT (code) DO UPDATE SET epoch = excluded.epoch, owner = excluded.owner, "
        "lease_until = excluded.lease_until, touched = excluded.touched",
        (table, epoch, owner, now + seconds, now),
    )
    return epoch


def _extend_lease(db: sqlite3.Connection, table: str, epoch: int, times: tuple[float, float]) -> bool:
    """Whether it is still ours.  ``times`` are the end of the lease, and now."""
    prolonged = "UPDATE tables SET lease_until = ?, touched = ? WHERE code = ? AND epoch = ? AND owner IS NOT NULL"
    return db.execute(prolonged, (*times, table, epoch)).rowcount == 1


def _release(db: sqlite3.Connection, table: str, epoch: int, now: float) -> None:
    released = "UPDATE tables SET owner = NULL, lease_until = 0, touched = ? WHERE code = ? AND epoch = ?"
    db.execute(released, (now, table, epoch))


_OWNED = "SELECT 1 FROM tables WHERE code = ?1 AND epoch = ?2 AND owner IS NOT NULL"
_ADDED = (
    f"INSERT INTO entries (code, seq, body) SELECT ?1, ?3, ?4 WHERE EXISTS ({_OWNED}) "  # noqa: S608
    "AND ?3 = 1 + (SELECT coalesce(max(seq), 0) FROM entries WHERE code = ?1)"
)


def _append(db: sqlite3.Connection, table: str, epoch: int, seq: int, body: bytes) -> None:
    """One atomic statement: this is the most frequent write."""
    if db.execute(_ADDED, (table, epoch, seq, body)).rowcount != 1:
        _check_owned(db, table, epoch)
        raise SequenceConflict(f"Entry {seq} of table {table} is not the next one.")


def _check_owned(db: sqlite3.Connection, table: str, epoch: int) -> None:
    if db.execute(_OWNED, (table, epoch)).fetchone() is None:
        raise Fenced(f"Table {table} is no longer owned under epoch {epoch}.")


def _if_owned(db: sqlite3.Connection, table: str, epoch: int, work: Callable[..., None], *of: Any) -> None:
    _check_owned(db, table, epoch)
    work(db, table, *of)


def _note_clocks(db: sqlite3.Connection, rows: str) -> None:
    """One statement for all: a thread waits for the GIL after each."""
    db.execute(
        "WITH noted AS (SELECT json_extract(value, '$[0]') AS seq, json_extract(value, '$[1]') AS left_ms, "
        "json_extract(value, '$[2]') AS code FROM json_each(?)) "
        "INSERT INTO clocks (seq, left_ms, code) SELECT seq, left_ms, code FROM noted JOIN tables USING (code) "
        "WHERE true ON CONFLICT (code) DO UPDATE SET seq = excluded.seq, left_ms = excluded.left_ms",
        (rows,),
    )


def _row(replay: StoredReplay, now: float) -> tuple[str, str, str, str, float]:
    names, levels = [player.name for player in replay.players], [player.level for player in replay.players]
    return replay.name, replay.record, json.dumps(names), json.dumps(levels), now


def _keep_replay(db: sqlite3.Connection, row: tuple[str, str, str, str, float]) -> None:
    db.execute(
        "INSERT INTO replays (name, record, names, levels, touched) VALUES (?, ?, ?, ?, ?) "
        "ON CONFLICT (name) DO NOTHING",
        row,
    )


def _forget(db: sqlite3.Connection, before: float, now: float) -> int:
    """Delete a batch of what is older; 0 when nothing is left."""
    tables = db.execute(
        "DELETE FROM tables WHERE code IN (SELECT code FROM tables WHERE touched < ? AND lease_until <= ? LIMIT ?)",
        (before, now, FORGOTTEN_AT_ONCE),
    ).rowcount
    replays = db.execute(
        "DELETE FROM replays WHERE name IN (SELECT name FROM replays WHERE touched < ? LIMIT ?)",
        (before, FORGOTTEN_AT_ONCE),
    ).rowcount
    return tables + replays


def _count(db: sqlite3.Connection, counter: str) -> int:
    db.execute("UPDATE counters SET value = value + 1 WHERE name = ?", (counter,))
    return int(db.execute("SELECT value FROM counters WHERE name = ?", (counter,)).fetchone()[0])
