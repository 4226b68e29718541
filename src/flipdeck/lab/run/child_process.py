"""A child process that runs a module of ours: requests go to its standard input, answers come from its standard output,
both as pickles.

The child has its own session, so Ctrl-C at the terminal reaches the parent alone.  It exits when its input is closed,
which the kernel does for a parent that was killed.

Why not ``concurrent.futures.ProcessPoolExecutor``: before Python 3.14 it has no public way to stop a task that is
running, so Ctrl-C would wait for the round that a bot is thinking about; when a worker dies, every pending task fails
alike and nobody knows which one killed it; workers of a killed parent wait for ever; and they import ``__main__``, so
a library user's script would need a guard.  ``bots.program`` runs programs that nobody vouches for, line by line
against a deadline, and ``server.thinkers.pool`` runs in an event loop: they share the life cycle, not the transport.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import IO, Any

CLOSE_SECONDS = 5.0


class ChildProcess:
    def __init__(self, module: str, environment: Mapping[str, str] | None = None, silent: bool = False) -> None:
        self._process = subprocess.Popen(  # noqa: S603  # a module of ours
            [sys.executable, "-P", "-m", module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL if silent else None,
            start_new_session=True,
            env={**os.environ, **(environment or {})},
        )

    def send(self, *objects: object) -> None:
        with suppress(BrokenPipeError):  # it has died: receive finds that out
            for each in objects:
                pickle.dump(each, _open(self._process.stdin))
            _open(self._process.stdin).flush()

    def receive(self) -> Any | None:
        """The next object that it sends; None when it has died, perhaps in the middle of one."""
        try:
            return pickle.load(_open(self._process.stdout))  # noqa: S301  # written by a module of ours
        except (EOFError, pickle.UnpicklingError):
            return None

    def kill(self) -> None:
        self._process.kill()

    def close_input(self) -> None:
        """Ask it to exit: it stops what it is doing and ends."""
        with suppress(OSError):
            _open(self._process.stdin).close()

    def close_output(self) -> None:
        """Not while another thread is in ``receive``, unless the process is gone."""
        with suppress(OSError):
            _open(self._process.stdout).close()

    def wait_or_kill(self) -> None:
        """Wait for its end for some seconds, then kill it."""
        try:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(CLOSE_SECONDS)
        finally:
            self._process.kill()
            self._process.wait()


def _open(pipe: IO[bytes] | None) -> IO[bytes]:
    if pipe is None:
        raise ValueError("a child process is started with pipes")
    return pipe


# ---------------------------------------------------------------- in the child
def parent_pipes() -> tuple[IO[bytes], Callable[[object], None]]:
    """The stream of requests, and a function that sends an answer.  Anything else printed goes to standard error."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)

    def send(answer: object) -> None:
        pickle.dump(answer, out)
        out.flush()

    return os.fdopen(os.dup(0), "rb"), send  # not sys.stdin: the interpreter can't exit while a thread reads that
