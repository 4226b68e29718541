"""A process of ours that works for us: orders go to its standard input, what it tells comes from its standard output,
both in pickles.

It has a session of its own, so that Ctrl-C is for us alone.  It ends when its input is closed, which is what happens
when we end, however that may be.
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
    def __init__(self, module: str, surroundings: Mapping[str, str] | None = None, silent: bool = False) -> None:
        self._process = subprocess.Popen(  # noqa: S603  # a module of ours
            [sys.executable, "-P", "-m", module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL if silent else None,
            start_new_session=True,
            env={**os.environ, **(surroundings or {})},
        )

    def give(self, *things: object) -> None:
        with suppress(BrokenPipeError):  # it has died: reading finds that out
            for thing in things:
                pickle.dump(thing, _open(self._process.stdin))
            _open(self._process.stdin).flush()

    def told(self) -> Any | None:
        """What it tells next; None when it has died, perhaps in the middle of a word."""
        try:
            return pickle.load(_open(self._process.stdout))  # noqa: S301  # written by a module of ours
        except (EOFError, pickle.UnpicklingError):
            return None

    def kill(self) -> None:
        self._process.kill()

    def dismiss(self) -> None:
        """Nothing more will be asked of it: it ends what it does, and itself."""
        with suppress(OSError):
            _open(self._process.stdin).close()

    def stop_listening(self) -> None:
        """Not while another thread listens, unless the process is gone."""
        with suppress(OSError):
            _open(self._process.stdout).close()

    def see_off(self) -> None:
        """Wait for its end, in good time or by force."""
        try:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(CLOSE_SECONDS)
        finally:
            self._process.kill()
            self._process.wait()


def _open(pipe: IO[bytes] | None) -> IO[bytes]:
    if pipe is None:
        raise ValueError("a helper is started with pipes")
    return pipe


# ---------------------------------------------------------------- in the helper
def at_work() -> tuple[IO[bytes], Callable[[object], None]]:
    """Where the orders come from, and how to tell something.  What else is printed goes to standard error."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)

    def tell(thing: object) -> None:
        pickle.dump(thing, out)
        out.flush()

    return os.fdopen(os.dup(0), "rb"), tell  # not sys.stdin: the interpreter can't end while a thread reads that
