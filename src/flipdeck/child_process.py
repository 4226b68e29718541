"""A child process with pipes: it is started in its own session, and killed and reaped with all that it started there.

Ctrl-C at our terminal doesn't reach it.  It is to exit when its input is closed, which the kernel does for a parent
that was killed; one that stays is killed.  Three transports stand on it: pickles, here, for workers of the lab; lines
against a deadline, for programs that nobody vouches for (``bots.program``); frames in an event loop, which reaps its
processes itself (``server.thinkers.pool``).

Why not ``concurrent.futures.ProcessPoolExecutor`` for the workers of the lab: it was tried, with Python 3.11 and an
arena, with the start methods spawn and forkserver.  A task under way can't be cancelled, and
``shutdown(cancel_futures=True)`` waits for it: Ctrl-C would wait for the round that a bot is thinking about.  When a
worker is killed, every task fails alike, and nobody knows which one killed it.  Workers of a killed parent live on.  In
a library user's script without a ``__main__`` guard the pool breaks.  It is no quicker to start: 24 rounds on two
workers took 1.7 s here and 2.3 to 3.1 s there, for the same processor time.
"""

from __future__ import annotations

import math
import os
import pickle
import select
import signal
import subprocess
import sys
import weakref
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from asyncio.subprocess import Process

CLOSE_SECONDS = 5.0  # for a worker to exit by itself
_OWN_SESSION: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "start_new_session": True}
_REAP_SECONDS = 5.0  # nothing survives SIGKILL, but a setuid program may be out of our reach


def module_command(module: str) -> tuple[str, ...]:
    """The command that runs a module of ours."""
    return sys.executable, "-P", "-m", module


class ChildProcess:
    def __init__(
        self,
        command: Sequence[str],
        *,
        environment: Mapping[str, str] | None = None,
        stderr: int | None = None,
        grace: float = 0.0,
    ) -> None:
        """Start it; OSError or ValueError if that fails.

        ``stderr`` is as in ``subprocess``; ``grace`` is for one that nobody ends before our interpreter exits.
        """
        self._process: subprocess.Popen[bytes] = subprocess.Popen(  # noqa: S603  # ours, or one that somebody named
            command, stderr=stderr, env=environment, **_OWN_SESSION
        )
        self._ending = weakref.finalize(self, _end, self._process, os.getpid(), grace)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def stdin(self) -> IO[bytes]:
        return _pipe(self._process.stdin)

    @property
    def stdout(self) -> IO[bytes]:
        return _pipe(self._process.stdout)

    @property
    def stderr(self) -> IO[bytes]:
        return _pipe(self._process.stderr)

    def kill(self) -> None:
        """Kill it and its process group; ``end`` is still to be called."""
        if self._ending.alive:
            _kill_group(self._process.pid)

    def close_input(self) -> None:
        """Ask it to exit."""
        with suppress(OSError):  # what it was not yet sent
            self.stdin.close()

    def end(self, grace: float = 0.0) -> None:
        """Close its input, let it exit for so many seconds, kill its process group, and reap it.

        Another thread that reads its output gets to the end of it.  A second call does nothing.
        """
        if self._ending.detach():
            _end(self._process, os.getpid(), grace)


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    if pipe is None:
        raise ValueError("this child process was started without that pipe")
    return pipe


def _kill_group(pid: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def _end(process: subprocess.Popen[bytes], owner: int, grace: float) -> None:
    """Kill the group before its leader is reaped: until then its number can't be reused."""
    if os.getpid() != owner:
        return  # a fork of us ends nothing
    with suppress(OSError):
        _pipe(process.stdin).close()
    try:
        if grace > 0:
            _await_exit(process, grace)
    finally:  # an interrupt ends the wait, and not the reaping
        _kill_group(process.pid)
        with suppress(subprocess.TimeoutExpired):
            process.wait(_REAP_SECONDS)
        for pipe in (process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()


def _await_exit(process: subprocess.Popen[bytes], seconds: float) -> None:
    if sys.platform == "linux":
        try:
            pidfd = os.pidfd_open(process.pid)
        except OSError:
            pass  # an old kernel, or a sandbox
        else:
            try:
                poll = select.poll()
                poll.register(pidfd, select.POLLIN)
                poll.poll(math.ceil(seconds * 1000))
            finally:
                os.close(pidfd)
            return
    with suppress(subprocess.TimeoutExpired):  # this reaps it: its number could be reused now, though hardly at once
        process.wait(seconds)


# ---------------------------------------------------------------- pickles
class PickleProcess(ChildProcess):
    """A module of ours that is sent objects and sends some back."""

    def __init__(self, module: str, environment: Mapping[str, str] | None = None, silent: bool = False) -> None:
        super().__init__(
            module_command(module),
            environment={**os.environ, **(environment or {})},
            stderr=subprocess.DEVNULL if silent else None,
            grace=CLOSE_SECONDS,
        )

    def send(self, *objects: object) -> None:
        with suppress(BrokenPipeError):  # it has died: receive finds that out
            for each in objects:
                pickle.dump(each, self.stdin)
            self.stdin.flush()

    def receive(self) -> Any | None:
        """The next object that it sends; None when it has died, perhaps in the middle of one."""
        try:
            return pickle.load(self.stdout)  # noqa: S301  # written by a module of ours
        except (EOFError, pickle.UnpicklingError):
            return None

    def close(self) -> None:
        """Ask it to exit, and kill it if it does not."""
        self.end(CLOSE_SECONDS)


# ---------------------------------------------------------------- in an event loop
class AsyncChildProcess:
    """The same for a caller that never blocks: the event loop reads, writes and reaps."""

    def __init__(self, process: Process) -> None:
        self._process = process
        if process.stdin is None or process.stdout is None:
            raise ValueError("this child process was started without pipes")
        self.stdin, self.stdout = process.stdin, process.stdout

    @classmethod
    async def start(cls, command: Sequence[str], environment: Mapping[str, str]) -> AsyncChildProcess:
        from asyncio import create_subprocess_exec  # only here: others start quicker without it

        return cls(await create_subprocess_exec(*command, env=environment, **_OWN_SESSION))

    @property
    def pid(self) -> int:
        return self._process.pid

    def kill(self) -> None:
        if self._process.returncode is None:
            _kill_group(self._process.pid)

    async def end(self) -> None:
        self.kill()
        self.stdin.close()
        await self.stdout.read()  # drained, or the end of the process would not be noticed
        await self._process.wait()


# ---------------------------------------------------------------- in the child
def parent_pipes() -> tuple[IO[bytes], IO[bytes]]:
    """The streams of requests and of answers.  What else is printed goes to standard error, and is never an answer."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return os.fdopen(os.dup(0), "rb"), answers  # not sys.stdin: the interpreter can't exit while a thread reads that


def pickle_sender(answers: IO[bytes]) -> Callable[[object], None]:
    def send(answer: object) -> None:
        pickle.dump(answer, answers)
        answers.flush()

    return send
