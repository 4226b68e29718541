"""Real servers that come to a sudden end: ``python -m tests.server.killing``, and the handle that tests have on it.

A line of JSON on its input is the next server: its folder, the step at which it is killed (``step``, ``after`` so many
times), if any, and how often it looks after its tables (``tending``), if not as usual.  It answers ``up PID PORT``, and
``ended STATUS`` when that server is no more.

Every server is a process of its own, forked from one that has loaded the program and never run it.  To load it anew
costs 0.65 s of a processor, to fork and start it 0.05 s: this is what makes hundreds of kills affordable.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path

from flipdeck.server import registry
from flipdeck.server.app import App, make_app, serve
from flipdeck.server.config import Config
from flipdeck.server.thinkers.inline import InlineThinkers
from tests.patience import HANG
from tests.server.running import patient
from tests.server.short_journals import short_journals

ROOT = Path(__file__).parents[2]
SLOW_DISK = 0.01  # seconds


class KillAtStep:
    """Kills its own process when it comes to a step for the Nth time; nothing in the process hears of it."""

    def __init__(self, step: str, after: int) -> None:
        self._step, self._left = step, after

    def __call__(self, step: str) -> None:
        if step == self._step:
            self._left -= 1
            if self._left == 0:
                if step.startswith("journal:"):
                    # in the thread of the journal: what others say too early has the time to get out
                    time.sleep(SLOW_DISK)
                os.kill(os.getpid(), signal.SIGKILL)


def live(data: Path, fate: KillAtStep, tending: float | None) -> None:
    """One server, until its end; it does not outlive those who started it for long, whatever becomes of them."""
    signal.alarm(int(HANG))
    registry._MAINTENANCE_SECONDS = tending or registry._MAINTENANCE_SECONDS
    config = Config(data=data, port=0, messages_per_second=100_000, drain_seconds=300.0)
    with patient(), short_journals():
        asyncio.run(serve(_made(config, fate), config, lambda port: _tell(f"up {os.getpid()} {port}")))


def _made(config: Config, fate: KillAtStep) -> App:
    return make_app(config, thinkers=InlineThinkers(), step=fate)


def _tell(line: str) -> None:
    os.write(1, line.encode() + b"\n")


def main() -> None:
    _made(Config(), KillAtStep("", 0))  # not to be run: what is loaded when the first one is made is then there for all
    for line in sys.stdin:
        wanted = json.loads(line)
        server = os.fork()
        if server == 0:
            status = 1
            try:
                live(Path(wanted["data"]), KillAtStep(wanted["step"], wanted["after"]), wanted["tending"])
                status = 0
            finally:
                os._exit(status)
        _tell(f"ended {os.waitstatus_to_exitcode(os.waitpid(server, 0)[1])}")


class Nursery:
    """One server after the other on the same folder."""

    def __init__(self, process: Loaded, data: Path) -> None:
        self.data = data
        self.port = 0
        self._process = process
        self._server = 0

    async def start(self, step: str = "", after: int = 0, tending: float | None = None) -> None:
        self._tell(step, after, tending)
        up, server, port = await self._hear()
        assert up == "up"
        self._server, self.port = int(server), int(port)

    async def start_in_vain(self, step: str) -> int:
        """One that is killed before it is up: its exit code."""
        self._tell(step, 1, None)
        ended, status = await self._hear()
        assert ended == "ended", "it lived"
        return int(status)

    def _tell(self, step: str, after: int, tending: float | None) -> None:
        self._process.tell(json.dumps({"data": str(self.data), "step": step, "after": after, "tending": tending}))

    def signal(self, number: int) -> None:
        os.kill(self._server, number)

    async def ended(self) -> int:
        """Waits for the end of the server: its exit code, negative for a signal."""
        told = await self._hear()
        assert told[0] == "ended"
        self._server = 0
        return int(told[1])

    async def end(self) -> None:
        if self._server:
            with suppress(ProcessLookupError):
                self.signal(signal.SIGKILL)
            await self.ended()

    async def _hear(self) -> list[str]:
        return (await asyncio.to_thread(self._process.hear)).split()


class Loaded:
    """The process from which servers are forked: one for all tests that want one."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "tests.server.killing"]
        self._process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def tell(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def hear(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline()

    def close(self) -> None:
        self._process.communicate()  # its input ends, and so does it


_loaded: list[Loaded] = []


@asynccontextmanager
async def nursery(data: Path) -> AsyncIterator[Nursery]:
    """Within ``loaded``."""
    (process,) = _loaded
    servers = Nursery(process, data)
    try:
        yield servers
    finally:
        await servers.end()


@contextmanager
def loaded() -> Iterator[None]:
    _loaded.append(Loaded())
    try:
        yield
    finally:
        _loaded.pop().close()


if __name__ == "__main__":
    main()
