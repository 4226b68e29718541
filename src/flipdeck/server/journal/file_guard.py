"""Whether the files of a SQLite journal are still those that were opened: deleted, replaced, overwritten.

SQLite does not notice.  It goes on writing into a file that has no name any more, or adds pages to a database that
somebody has copied over the own one, and every commit succeeds.  So the files are looked at before each batch, and
after its commit, before it is acknowledged.  Between checkpoints nobody writes the database itself, which is why its
time of change tells: the guard makes the checkpoints.  Only batches write the log (``write_ahead_log``).

Nothing here opens the database file: closing it again would take SQLite's locks away (POSIX).
"""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from . import Displaced, Unavailable
from .high_water import HighWaterFile, Mark, missing_since
from .write_ahead_log import WriteAheadLog

PAGES_IN_LOG = 4000  # 16 MB of write-ahead log before a checkpoint
BEFORE_CHECKPOINT, AFTER_CHECKPOINT = "journal:before-checkpoint", "journal:after-checkpoint"
_PAGE = 4096
_PAGES_A_BATCH = 3  # beside one for each job, as a rule
_UNTIL_RESTART = "Nothing is saved until the server is started again."
_WHAT = {
    "deleted": "The file of the tables is gone: it was deleted or moved.",
    "replaced": "The file of the tables was replaced by another one.",
    "overwritten": "The file of the tables was overwritten by somebody else.",
    "log-deleted": "The write-ahead log of the tables was deleted or replaced.",
    "log-overwritten": "The write-ahead log of the tables was overwritten by somebody else.",
}
_MIXED_UP = ("replaced", "overwritten", "log-overwritten")  # pages of both would be read after the next start


class FileGuard:
    """``step`` is a hook for crash tests."""

    def __init__(self, path: Path, step: Callable[[str], None]) -> None:
        self._step = step
        self._path = str(path)
        self._marks = HighWaterFile(path)
        self._why = ""  # the files are not what they were
        self._database: tuple[int, ...] = ()
        self._log: WriteAheadLog | None = None
        self._pages = 0  # in the log since the last checkpoint, about

    def start(self, db: sqlite3.Connection) -> None:
        """The log must have been written to.  Unavailable if these are not the files that were left."""
        mark = self._marks.mark
        if mark.problem or missing_since(db, mark) is not None:
            raise Unavailable(
                "What was acknowledged is missing in the file of the tables, or it was replaced while a server was "
                "running: flipdeck repair says what is lost, and how to go on."
            )
        db.execute("PRAGMA wal_autocheckpoint = 0")
        self._log = WriteAheadLog(f"{self._path}-wal")
        self._checkpoint(db)
        self._log.take_stock(committed=True)

    def close(self) -> None:
        if self._log is not None:
            self._log.close()
        self._marks.close()

    def check(self, writes: bool = False) -> None:
        """Before a batch: Displaced if the files are not what the last one left; once so, always so.  Of one that
        writes, only for what would not be seen after it: paths take ten times as long as open files.
        """
        self._judge(lambda log: log.find_change() if writes else self._find_fault() or log.find_loss())

    def check_batch(self, committed: bool) -> None:
        """After a batch, before it is acknowledged: Displaced if somebody else had a hand in it."""

        def find_fault(log: WriteAheadLog) -> str:
            in_log = log.take_stock(committed)  # always, or what we have written ourselves would be a fault next time
            return self._find_fault() or in_log

        self._judge(find_fault)
        if self._log is not None and self._log.size >= PAGES_IN_LOG * _PAGE:  # big entries
            self._pages = max(self._pages, PAGES_IN_LOG)

    def keep_apart(self, db: sqlite3.Connection) -> None:
        """Before closing: SQLite would write our pages into whatever the database file is now."""
        if self._why in _MIXED_UP and sys.version_info >= (3, 12):
            db.setconfig(sqlite3.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, True)

    def note(self, table: str, seq: int) -> None:
        """This entry is committed, and about to be acknowledged."""
        self._marks.write(Mark(table, seq))

    def forget_note(self) -> None:
        """Before tables are deleted: the noted one may be among them."""
        self._marks.write(Mark())

    def tidy(self, db: sqlite3.Connection, jobs: int) -> None:
        """After a batch was answered: a checkpoint, now and then, which takes some milliseconds."""
        self._pages += jobs + _PAGES_A_BATCH
        if not self._why and self._pages >= PAGES_IN_LOG:
            with suppress(sqlite3.Error, OSError, Displaced):  # those who write next will hear of it
                self.check()
                self._step(BEFORE_CHECKPOINT)
                self._checkpoint(db)
                self._step(AFTER_CHECKPOINT)

    def _judge(self, find_fault: Callable[[WriteAheadLog], str]) -> None:
        if not self._why and self._log is not None:
            self._why = find_fault(self._log)
            if self._why in _MIXED_UP:
                with suppress(OSError):
                    self._marks.write(self._marks.mark._replace(problem=self._why))
        if self._why:
            raise Displaced(self._why, f"{_WHAT[self._why]} {_UNTIL_RESTART}")

    def _checkpoint(self, db: sqlite3.Connection) -> None:
        db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        self._pages = 0
        if self._log is not None:
            self._log.may_begin_anew()
        self._database = _describe(os.stat(self._path))

    def _find_fault(self) -> str:
        """Of the database: a word for it; none if there is no fault."""
        try:
            database = _describe(os.stat(self._path))
        except (FileNotFoundError, NotADirectoryError):
            return "deleted"
        if database != self._database:
            return "overwritten" if database[:2] == self._database[:2] else "replaced"
        return ""


def _describe(found: os.stat_result) -> tuple[int, ...]:
    return (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)
