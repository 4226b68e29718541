"""Keeps the journal of a table short, so that waking it is quick whatever has happened at it.

In a match a snapshot is stored now and then; when a match has given way to the next, its entries are compacted into
one.  Nobody waits for either: a crash in between costs nothing but time.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable

from ..journal import Journal, JournalError, StoredSnapshot
from ..logs import log_event, table_tag
from . import entries, snapshot
from .known_kinds import KnownKinds
from .readable_kinds import kinds_in
from .state import MOST_MISSED, TableState

MOST_ENTRIES = 1000  # from one snapshot to the next
# A round ends with a snapshot: 0.2 ms of the loop and as much of the journal, 2 to 5 µs for each move of a usual match.
# But a snapshot has the moves of the whole match in it, 40 KB after ten rounds and up to 0.7 MB (2 ms): with many short
# rounds it would be written again and again.  So there are at least so many entries since the last one, and so many
# that they make up for its size.
FEWEST_ENTRIES = 40
BYTES_AN_ENTRY = 500

_log = logging.getLogger("flipdeck.table")


class Shortener:
    def __init__(self, state: TableState, journal: Journal, epoch: int, since: int, kinds: KnownKinds) -> None:
        self._state = state
        self._journal = journal
        self._epoch = epoch
        self._kinds = kinds
        self._since = since  # the version from which waking would replay
        self._size = 0  # of the last snapshot
        self._writing: set[asyncio.Task[None]] = set()

    def changed(self, entry: entries.AnyEntry) -> None:
        """The table has a new version, by this entry."""
        try:
            self._shorten(entry)
        except Exception as error:  # a fault of the server; the table is as it was, and can be played on
            log_event(_log, "shortening-failed", logging.ERROR, error=error, table=table_tag(self._state.code))

    def _shorten(self, entry: entries.AnyEntry) -> None:
        state = self._state
        replayed = state.version - self._since
        if state.phase == "waiting":
            if isinstance(entry, entries.Rematched) or replayed >= MOST_ENTRIES:
                self._compact()
        elif replayed >= MOST_ENTRIES or (state.phase != "playing" and replayed >= self._fewest_entries):
            self._keep_snapshot()

    @property
    def _fewest_entries(self) -> int:
        return max(FEWEST_ENTRIES, self._size // BYTES_AN_ENTRY)

    def _compact(self) -> None:
        state = self._state
        compacted = entries.Compacted(state=snapshot.take(state))
        if self._kinds.unread.isdisjoint(kinds_in(compacted)):  # else later, when all servers can read it
            body = entries.encode(compacted)
            self._write(self._journal.compact(state.code, self._epoch, state.version, body))

    def _keep_snapshot(self) -> None:
        state = self._state
        stored = StoredSnapshot(state.version, snapshot.to_bytes(snapshot.take(state)))
        self._size = len(stored.body)
        self._write(self._journal.keep_snapshot(state.code, self._epoch, stored, MOST_MISSED))

    def _write(self, work: Awaitable[None]) -> None:
        self._since = self._state.version
        task = asyncio.get_running_loop().create_task(_attempt(work, table_tag(self._state.code)))
        self._writing.add(task)
        task.add_done_callback(self._writing.discard)


async def _attempt(work: Awaitable[None], table: str) -> None:
    try:
        await work
    except JournalError as error:  # the next one comes in time
        log_event(_log, "shortening-failed", logging.WARNING, error=error, table=table)
