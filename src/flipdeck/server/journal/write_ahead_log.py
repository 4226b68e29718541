"""Whether a write-ahead log is as its one writer left it: truncated, moved away, overwritten.

SQLite keeps the end of its log in memory and goes on there, whatever has become of the file: a log that was truncated
is as long as before after the next commit, with a hole in it.  So the log is looked at before each batch, when nobody
but a stranger can have written since the last one, and after it.

Two writes within a tick of the kernel's clock, some milliseconds, leave the same time of change.  So each batch ends
with a stamp: the time of change is set back, to one that no later write can leave.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator

_HEADER, _FRAME_HEADER = 32, 24  # bytes
_PAGE_SIZE, _NUMBER, _SALTS = slice(8, 12), slice(12, 16), slice(16, 24)  # of the header
_PAGES_AFTER_COMMIT, _FRAME_SALTS = slice(4, 8), slice(8, 16)  # of a frame's header
_FRAMES_A_READ = 8
_BACK_NS = 4_000_000_000  # coarse enough for any file system
# Elsewhere (Windows) times of change are late, and come by themselves.
_STAMPS = os.utime in os.supports_fd


class WriteAheadLog:
    """Of a database whose checkpoints are told (``may_begin_anew``).  What it finds is a word; none if all is well."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._file = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        found = os.fstat(self._file)
        self._identity = (found.st_dev, found.st_ino)
        self.size = found.st_size
        self._left: tuple[int, ...] = ()  # as the last batch left it, if that is known
        self._header = self._read(_HEADER, 0)
        self._may_begin_anew = False
        self._end = 0  # of the last commit that is certain; 0 if none is: from the next beginning on
        self._last_frame = b""  # the header of the frame before that end
        self._follows = False  # whether the end moves with each commit

    def close(self) -> None:
        os.close(self._file)

    def may_begin_anew(self) -> None:
        """A checkpoint was made: the next batch may write from the beginning."""
        self._may_begin_anew = True

    def find_change(self) -> str:
        """Between batches."""
        return "log-overwritten" if self._left and _describe(os.fstat(self._file)) != self._left else ""

    def find_loss(self) -> str:
        """Between batches: or whether it has lost its name."""
        return self.find_change() if self._look() else "log-deleted"

    def take_stock(self, committed: bool) -> str:
        """After a batch.  Of one that failed, frames may be there that SQLite knows nothing of."""
        self._left = ()
        stamp = self._stamp()
        found = self._look()
        if found is None:
            return "log-deleted"
        written_since = stamp and found.st_mtime_ns > stamp + _BACK_NS // 2
        if found.st_size < self.size or written_since or not self._is_continued(found.st_size, committed):
            return "log-overwritten"
        self.size, self._left = found.st_size, _describe(found)
        return ""

    def _look(self) -> os.stat_result | None:
        """At what has its name; None if that is another file."""
        try:
            found = os.stat(self._path)
        except (FileNotFoundError, NotADirectoryError):
            return None
        return found if (found.st_dev, found.st_ino) == self._identity else None

    def _stamp(self) -> int:
        """0 if that is not possible: then writes within a tick look like one."""
        if not _STAMPS:
            return 0
        stamp = time.time_ns() - _BACK_NS
        try:
            os.utime(self._file, ns=(stamp, stamp))
        except OSError:
            return 0
        return stamp

    def _is_continued(self, size: int, committed: bool) -> bool:
        """Whether the header and the last frame before this batch are there, or the log begins anew."""
        header = self._read(_HEADER, 0)
        if header != self._header:
            if not self._may_begin_anew or _number(header) != _number(self._header) + 1:
                return False
            self._header, self._may_begin_anew = header, False
            self._end, self._last_frame, self._follows = _HEADER, b"", True
        self._follows &= committed
        return not self._end or self._follow_frames(size)

    def _follow_frames(self, size: int) -> bool:
        frame = _FRAME_HEADER + int.from_bytes(self._header[_PAGE_SIZE], "big")
        frames = self._frames(self._end - frame if self._last_frame else self._end, size, frame)
        if self._last_frame and next(frames, None) != self._last_frame:
            return False
        end = self._end
        for header in frames if self._follows else ():
            if header[_FRAME_SALTS] != self._header[_SALTS]:  # of an older log
                break
            end += frame
            if any(header[_PAGES_AFTER_COMMIT]):  # the last of a commit
                self._end, self._last_frame = end, header
        return True

    def _frames(self, at: int, size: int, frame: int) -> Iterator[bytes]:
        """The headers of the frames; several are read at once, since each call gives up the GIL."""
        while at + frame <= size:
            some = self._read(min(size - at, frame * _FRAMES_A_READ), at)
            for begin in range(0, len(some) - frame + 1, frame):
                yield some[begin : begin + _FRAME_HEADER]
            if len(some) < frame:
                return
            at += len(some) // frame * frame

    def _read(self, count: int, at: int) -> bytes:
        if sys.platform == "win32":
            os.lseek(self._file, at, os.SEEK_SET)
            return os.read(self._file, count)
        return os.pread(self._file, count, at)


def _describe(found: os.stat_result) -> tuple[int, ...]:
    return (found.st_size, found.st_mtime_ns) if _STAMPS else (found.st_size,)


def _number(header: bytes) -> int:
    """Each log has one more than the log before it."""
    return int.from_bytes(header[_NUMBER], "big")
