"""Whether the files of a SQLite journal are still those that were opened: deleted, replaced, overwritten.

SQLite does not notice.  It goes on writing into a file that has no name any more, or adds pages to a database that
somebody has copied over the own one, and every commit succeeds.  So the files are looked at after each commit, before
it is acknowledged.  Between checkpoints nobody writes the database itself, which is why its time of change tells: the
guard makes the checkpoints.  The log is always written, but only a checkpoint lets it begin anew with another header.

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

PAGES_IN_LOG = 4000  # 16 MB of write-ahead log before a checkpoint
BEFORE_CHECKPOINT, AFTER_CHECKPOINT = "journal:before-checkpoint", "journal:after-checkpoint"
_PAGE = 4096
_PAGES_A_BATCH = 3  # beside one for each job, as a rule
_HEADER = 32  # bytes of the log
_LOOKS_AT_NAME = 16  # one of so many looks at the log is at its name as well
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
        self._path, self._log_path = str(path), f"{path}-wal"
        self._marks = HighWaterFile(path)
        self._why = ""  # the files are not what they were
        self._database: tuple[int, ...] = ()
        self._log: tuple[int, ...] = ()
        self._log_size = 0
        self._log_file = -1
        self._looks = 0
        self._header = b""
        self._may_begin_anew = False
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
        self._log_file = os.open(self._log_path, os.O_RDONLY)
        found = os.fstat(self._log_file)
        self._log, self._log_size = (found.st_dev, found.st_ino), found.st_size
        self._header = _begin_of(self._log_file)
        self._checkpoint(db)

    def close(self) -> None:
        if self._log_file >= 0:
            os.close(self._log_file)
        self._marks.close()

    def check(self, files: bool = True) -> None:
        """Displaced if the files are not what they were; once so, always so.  Without a look at the files: if they
        were found so before.
        """
        if files and not self._why:
            self._why = self._find_fault()
            if self._why in _MIXED_UP:
                with suppress(OSError):
                    self._marks.write(self._marks.mark._replace(problem=self._why))
        if self._why:
            raise Displaced(self._why, f"{_WHAT[self._why]} {_UNTIL_RESTART}")

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

    def _checkpoint(self, db: sqlite3.Connection) -> None:
        db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        self._pages, self._may_begin_anew = 0, True
        self._database = _describe(os.stat(self._path))

    def _find_fault(self) -> str:
        """A word for it; none if there is no fault."""
        try:
            database = _describe(os.stat(self._path))
        except FileNotFoundError:
            return "deleted"
        if database != self._database:
            return "overwritten" if database[:2] == self._database[:2] else "replaced"
        log = os.fstat(self._log_file)
        if not log.st_nlink or not self._log_has_its_name():
            return "log-deleted"
        if log.st_size < self._log_size or not self._knows_header():
            return "log-overwritten"
        if log.st_size > self._log_size:
            self._log_size = log.st_size
            if log.st_size >= PAGES_IN_LOG * _PAGE:  # big entries
                self._pages = PAGES_IN_LOG
        return ""

    def _log_has_its_name(self) -> bool:
        """It may have been moved away.  To look at a path takes ten times as long as to look at an open file."""
        self._looks += 1
        if self._looks % _LOOKS_AT_NAME:
            return True
        try:
            found = os.stat(self._log_path)
        except FileNotFoundError:
            return False
        return (found.st_dev, found.st_ino) == self._log

    def _knows_header(self) -> bool:
        header = _begin_of(self._log_file)
        if header != self._header:
            if not self._may_begin_anew or not _follows(header, self._header):
                return False
            self._header, self._may_begin_anew = header, False
        return True


def _describe(found: os.stat_result) -> tuple[int, ...]:
    return (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)


def _begin_of(log_file: int) -> bytes:
    if sys.platform == "win32":
        os.lseek(log_file, 0, os.SEEK_SET)
        return os.read(log_file, _HEADER)
    return os.pread(log_file, _HEADER, 0)


def _follows(header: bytes, before: bytes) -> bool:
    """Whether it is the header of the next log: its number is one more."""
    number = slice(12, 16)
    return int.from_bytes(header[number], "big") == int.from_bytes(before[number], "big") + 1
