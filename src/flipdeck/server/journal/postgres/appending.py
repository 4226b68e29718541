"""Group commit of entries: everything that waits goes into one statement, which commits by itself.

While a batch is on its way more entries arrive and share the next.  There is no transaction around it that a stopped
client could leave open: a takeover never waits for longer than a statement takes.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from dataclasses import dataclass

from .. import Fenced, JournalError, SequenceConflict
from ..checksums import checksum
from ..writer import MOST_AT_ONCE, PAUSE_SECONDS, StepHook
from .link import Link, Row

BELIEVED_SECONDS = 10.0  # so long a failure counts, unless something is written meanwhile
BEFORE_STATEMENT, AFTER_STATEMENT = "journal:before-commit", "journal:after-commit"

# ``own`` locks the rows of the tables against a claim; one that was first has changed the epoch, and the row is not
# joined.  Entries of one table that follow one another (``place``) are added together, or none of them.
APPEND = """
WITH b AS (
    SELECT * FROM unnest($1::text[], $2::bigint[], $3::integer[], $4::bytea[], $5::bigint[], $6::integer[])
        AS b (code, epoch, seq, body, sum, place)
), own AS (
    SELECT code, epoch FROM tables WHERE code = ANY ($1::text[]) AND node IS NOT NULL FOR SHARE
), added AS (
    INSERT INTO entries (code, seq, body, sum)
    SELECT b.code, b.seq, b.body, b.sum FROM b JOIN own USING (code, epoch)
    WHERE b.seq - b.place = coalesce((SELECT max(e.seq) FROM entries e WHERE e.code = b.code), 0)
    ON CONFLICT DO NOTHING RETURNING code, seq
), kept AS (
    INSERT INTO replays (name, record, names, levels, touched, sum)
    SELECT r.name, r.record, r.names, r.levels, journal_age(), r.sum
    FROM unnest($7::text[], $8::integer[], $9::text[], $10::bytea[], $11::bytea[], $12::bytea[], $13::bigint[])
        AS r (code, seq, name, record, names, levels, sum)
    JOIN added USING (code, seq) ON CONFLICT (name) DO NOTHING
)
SELECT b.code, b.seq, added.seq IS NOT NULL AS added, own.code IS NOT NULL AS owned
FROM b LEFT JOIN added USING (code, seq) LEFT JOIN own ON own.code = b.code AND own.epoch = b.epoch
"""


@dataclass(frozen=True, slots=True)
class ReplayRow:
    name: str
    record: bytes
    names: bytes
    levels: bytes
    sum: int


@dataclass(slots=True, eq=False)
class WaitingEntry:
    answer: asyncio.Future[None]
    table: str
    epoch: int
    seq: int
    body: bytes
    replay: ReplayRow | None
    alone: bool = False  # its run was refused: it is tried by itself


class AppendQueue:
    """``step`` is a hook for fault tests."""

    def __init__(self, link: Link, step: StepHook) -> None:
        self._link = link
        self._step = step
        self._waiting: list[WaitingEntry] = []
        self._task: asyncio.Task[None] | None = None
        self._next_at = 0.0
        self._failed_at = -math.inf

    @property
    def failed(self) -> bool:
        """Whether the last entries could not be written.  A full disk has room for what replaces something."""
        return asyncio.get_running_loop().time() - self._failed_at < BELIEVED_SECONDS

    async def append(self, table: str, epoch: int, seq: int, body: bytes, replay: ReplayRow | None) -> None:
        """Cancelling the caller does not undo the write."""
        entry = WaitingEntry(asyncio.get_running_loop().create_future(), table, epoch, seq, body, replay)
        self._waiting.append(entry)
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._write_all())
        await entry.answer

    async def drain(self) -> None:
        while self._task is not None:
            await asyncio.wait([self._task])

    async def _write_all(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            while self._waiting:
                pause = self._next_at - loop.time()
                if pause > 0:
                    await asyncio.sleep(pause)
                self._next_at = loop.time() + PAUSE_SECONDS
                await self._write(self._take_batch())
        finally:
            self._task = None

    def _take_batch(self) -> list[WaitingEntry]:
        """Of each table a run of entries that follow one another; what does not fit waits for the next batch."""
        batch: list[WaitingEntry] = []
        left: list[WaitingEntry] = []
        last: dict[str, WaitingEntry | None] = {}  # by table; None: nothing more of it
        for entry in self._waiting:
            before = last.get(entry.table, entry)
            follows = before is entry or (
                before is not None
                and not (before.alone or entry.alone)
                and (before.epoch, before.seq + 1) == (entry.epoch, entry.seq)
            )
            if follows and len(batch) < MOST_AT_ONCE:
                batch.append(entry)
                last[entry.table] = entry
            else:
                left.append(entry)
                last[entry.table] = None
        self._waiting = left
        return batch

    async def _write(self, batch: Sequence[WaitingEntry]) -> None:
        try:
            self._step(BEFORE_STATEMENT)
            rows = await self._link.fetch(APPEND, *_columns(batch))
            self._step(AFTER_STATEMENT)
            self._failed_at = -math.inf
        except Exception as error:
            self._failed_at = asyncio.get_running_loop().time()
            for entry in batch:
                _fail(entry, error)
            return
        self._settle(batch, {(row["code"], row["seq"]): row for row in rows})

    def _settle(self, batch: Sequence[WaitingEntry], rows: dict[tuple[str, int], Row]) -> None:
        places = _places(batch)
        again: list[WaitingEntry] = []
        for entry, place in zip(batch, places, strict=True):
            row = rows[entry.table, entry.seq]
            if row["added"]:
                if not entry.answer.done():
                    entry.answer.set_result(None)
            elif not row["owned"]:
                _fail(entry, Fenced(f"Table {entry.table} is no longer owned under epoch {entry.epoch}."))
            elif place > 1 and not entry.alone:  # the first of its run was wrong, which says nothing about this one
                entry.alone = True
                again.append(entry)
            else:
                _fail(entry, SequenceConflict(f"Entry {entry.seq} of table {entry.table} is not the next one."))
        self._waiting = again + self._waiting


def _fail(entry: WaitingEntry, error: Exception) -> None:
    if not entry.answer.done():  # cancelled by the caller
        known = isinstance(error, JournalError)
        entry.answer.set_exception(error if not known else type(error)(*error.args))


def _places(batch: Sequence[WaitingEntry]) -> list[int]:
    """Of each entry in the run of its table, from 1."""
    counts: dict[str, int] = {}
    places = []
    for entry in batch:
        counts[entry.table] = counts.get(entry.table, 0) + 1
        places.append(counts[entry.table])
    return places


def _columns(batch: Sequence[WaitingEntry]) -> tuple[Sequence[object], ...]:
    replays = [(entry, entry.replay) for entry in batch if entry.replay is not None]
    return (
        [entry.table for entry in batch],
        [entry.epoch for entry in batch],
        [entry.seq for entry in batch],
        [entry.body for entry in batch],
        [checksum(entry.table, entry.seq, entry.body) for entry in batch],
        _places(batch),
        [entry.table for entry, _ in replays],
        [entry.seq for entry, _ in replays],
        [replay.name for _, replay in replays],
        [replay.record for _, replay in replays],
        [replay.names for _, replay in replays],
        [replay.levels for _, replay in replays],
        [replay.sum for _, replay in replays],
    )
