"""A program that answers lines with lines, over pipes: nothing it does can block us, flood us or outlive us.

Its standard error is drained, so that it never blocks on it, and the end of it is kept for diagnosis.
"""

from __future__ import annotations

import math
import os
import select
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import IO

from ..child_process import ChildProcess

LONGEST = 64 * 1024  # bytes of an answer; moves are much shorter
GRACE = 0.5  # seconds to exit by itself, once its input is closed
_KEPT = 4 * 1024  # bytes of standard error
_AT_ONCE = 64 * 1024
_FAR = 3600.0  # seconds: the longest that poll is asked to wait in one go


class Fault(Exception):  # noqa: N818  # the program's, not ours
    """A request without a valid answer; ``kind`` says what was wrong."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


class Program:
    def __init__(self, arguments: Sequence[str]) -> None:
        """Start it; OSError or ValueError if that fails."""
        self._child = ChildProcess(arguments, stderr=subprocess.PIPE, grace=GRACE)
        self._in, self._out, self._err = (
            _unblock(pipe) for pipe in (self._child.stdin, self._child.stdout, self._child.stderr)
        )
        self._complains = True
        self._heard = bytearray()
        self._complaints = bytearray()

    @property
    def pid(self) -> int:
        return self._child.pid

    @property
    def last_words(self) -> str:
        """The end of its standard error."""
        return self._complaints.decode("utf-8", "replace").strip()

    def ask(self, question: bytes, seconds: float) -> bytes:
        """Send a line and read a line.  After a ``Fault`` the two are out of step: the program can only be ended."""
        deadline = time.monotonic() + seconds
        try:
            self._expect_silence()
            self._write(question + b"\n", deadline)
            return self._read_line(deadline)
        except Fault:
            self._read_complaints()
            raise
        except OSError:  # its input is closed
            self._read_complaints()
            raise Fault("crash") from None

    def end(self, grace: float = 0) -> None:
        """Kill the process group; with a grace period, close its input first and let it exit."""
        self._child.end(grace)

    # ------------------------------------------------------------ pipes
    def _expect_silence(self) -> None:
        """Output before the request must not be taken for an answer."""
        if not self._heard:
            with suppress(BlockingIOError):
                self._read()
        if self._heard:
            raise Fault("extra")

    def _write(self, data: bytes, deadline: float) -> None:
        while data:
            self._wait(self._in, select.POLLOUT, deadline)
            with suppress(BlockingIOError):
                data = data[os.write(self._in, data) :]

    def _read_line(self, deadline: float) -> bytes:
        while True:
            end = self._heard.find(b"\n")
            if (len(self._heard) if end < 0 else end) > LONGEST:
                raise Fault("too-long")
            if end >= 0:
                line = bytes(self._heard[:end])
                del self._heard[: end + 1]
                return line
            self._wait(self._out, select.POLLIN, deadline)
            with suppress(BlockingIOError):
                self._read()

    def _read(self) -> None:
        data = os.read(self._out, _AT_ONCE)
        if not data:
            raise Fault("crash")  # or it closed its output, which comes to the same
        self._heard += data

    def _wait(self, pipe: int, event: int, deadline: float) -> None:
        """Wait until the pipe is ready, draining standard error meanwhile."""
        poll = select.poll()
        poll.register(pipe, event)
        while True:
            if self._complains:
                poll.register(self._err, select.POLLIN)
            left = deadline - time.monotonic()
            if left <= 0:
                raise Fault("timeout")
            ready = [number for number, _ in poll.poll(math.ceil(min(left, _FAR) * 1000))]
            if self._err in ready:
                self._read_complaints(most=1)
                if not self._complains:
                    poll.unregister(self._err)
            if pipe in ready:
                return

    def _read_complaints(self, most: int = 16) -> None:
        for _ in range(most if self._complains else 0):
            try:
                data = os.read(self._err, _AT_ONCE)
            except BlockingIOError:
                return
            self._complains = bool(data)
            self._complaints = (self._complaints + data)[-_KEPT:]


def _unblock(pipe: IO[bytes]) -> int:
    os.set_blocking(pipe.fileno(), False)
    return pipe.fileno()
