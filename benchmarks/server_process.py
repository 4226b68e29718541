"""A server in a process of its own, to be measured from outside: what it takes is read from the system.

``python -m benchmarks.server_process FOLDER [usual]`` is that process, with limits that let all load come from one
address, or with the usual ones.  It prints ``listening PORT``, and then does what it is told line by line:
``make TABLES MOVES FILE`` seats four people at each of so many tables, starts the matches, plays so many moves of each,
and writes the codes and tokens to the file.  It ends when there are no more lines.
"""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TextIO

import msgspec

SEATS = 4
PATIENCE = 300.0  # seconds; more than any order takes
BUILD = Path(__file__).parent.parent / "build"  # a disk, which the folder for temporary files need not be
_AT_ONCE = 500  # tables that are made at the same time


def progress(text: str) -> None:
    """A line for whoever waits."""
    print(f"{datetime.now(UTC):%H:%M:%S}   {text}", file=sys.stderr, flush=True)


class Seats(msgspec.Struct):
    """A table, and the tokens of its seats."""

    code: str
    tokens: list[str]


class Commanded:
    """A process that is told things line by line, and answers each with a line."""

    def __init__(self, *command: str, cwd: Path | None = None, **environment: str) -> None:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(  # in a session of its own: Ctrl-C is for whoever measures
            command,
            cwd=cwd,
            env={**os.environ, **environment},
            stdin=pipe,
            stdout=pipe,
            text=True,
            start_new_session=True,
        )
        self._name = Path(command[1]).name

    def hear(self) -> str:
        bound = threading.Timer(PATIENCE, self._process.kill)
        bound.start()
        line = _pipe(self._process.stdout).readline()
        bound.cancel()
        if not line:
            raise RuntimeError(f"{self._name} ended with code {self._process.wait()}")
        return line.strip()

    def ask(self, *words: object) -> Any:
        pipe = _pipe(self._process.stdin)
        pipe.write(" ".join(map(str, words)) + "\n")
        pipe.flush()
        return msgspec.json.decode(self.hear())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if error is not None:  # such as Ctrl-C: whatever it was at is of no use any more
            self.kill()
        with suppress(BrokenPipeError):
            _pipe(self._process.stdin).close()
        try:
            self._process.wait(60)
        except subprocess.TimeoutExpired:
            self.kill()
        _pipe(self._process.stdout).close()

    def kill(self) -> None:
        """As a crash would end it."""
        self._process.kill()
        self._process.wait()

    def cpu(self) -> float:
        """Seconds that all its threads have computed, for itself and within the system."""
        return time.clock_gettime(~self._process.pid << 3 | 2)  # Linux: the clock of another process, to the nanosecond

    def shares(self) -> dict[str, float]:
        """Seconds that it has computed: for itself and within the system, in its first thread and in all others."""
        about, hertz = Path(f"/proc/{self._process.pid}"), os.sysconf("SC_CLK_TCK")
        own, system = (about / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[11:13]
        first = (about / "task" / about.name / "schedstat").read_text(encoding="utf-8").split()[0]
        loop = int(first) / 1e9
        return {"own": int(own) / hertz, "system": int(system) / hertz, "loop": loop, "others": self.cpu() - loop}

    def writes(self) -> int:
        """Calls of its first thread that write to something."""
        pid = self._process.pid
        for line in Path(f"/proc/{pid}/task/{pid}/io").read_text(encoding="utf-8").splitlines():
            if line.startswith("syscw:"):
                return int(line.split()[1])
        raise RuntimeError(f"{self._name} is gone")

    def memory(self) -> float:
        """Bytes that it holds in memory now."""
        for line in Path(f"/proc/{self._process.pid}/status").read_text(encoding="utf-8").splitlines():
            if line.startswith("VmRSS:"):
                return 1024.0 * int(line.split()[1])
        raise RuntimeError(f"{self._name} is gone")


class OurServer(Commanded):
    """The real server, on a folder for its tables; of this version, or of one whose files are under ``root``."""

    def __init__(self, folder: Path, *limits: str, root: Path = BUILD.parent) -> None:
        where = os.pathsep.join((str(root / "src"), str(root)))
        command = (sys.executable, "-m", "benchmarks.server_process", str(folder), *limits)
        super().__init__(*command, cwd=root, PYTHONPATH=where)
        self.port = int(self.hear().removeprefix("listening "))


class Ours:
    """Our server with so many tables, and the load for them; one of another version if its files are somewhere else."""

    def __init__(self, folder: Path, tables: int, moves: int, limits: Sequence[str], root: Path) -> None:
        self.folder = folder
        self.server = OurServer(folder / "data", *limits, root=root)
        self.empty = self.server.memory()
        seats = folder / "seats.json"
        self.server.ask("make", tables, moves, seats)
        self.load = Commanded(sys.executable, "-m", "benchmarks.server_load", str(seats))


@contextmanager
def ours(tables: int, moves: int = 0, *limits: str, root: Path = BUILD.parent) -> Iterator[Ours]:
    """With a folder that goes with them."""
    BUILD.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=BUILD, prefix="server-") as folder, ExitStack() as ending:
        both = Ours(Path(folder), tables, moves, limits, root)
        ending.enter_context(both.server)
        ending.enter_context(both.load)
        yield both


def _pipe(pipe: Any) -> TextIO:
    assert pipe is not None  # noqa: S101  # all were asked for
    return pipe  # type: ignore[no-any-return]


# ---------------------------------------------------------------- within that process
async def main(folder: Path, *limits: str) -> None:
    from flipdeck.server import logs
    from flipdeck.server.app import Server, make_app
    from flipdeck.server.config import Config

    logs.set_up("WARNING", json=True)
    config = Config(port=0, data=folder, most_tables=100_000, most_connections=100_000, sleep_seconds=86_400)
    if "usual" not in limits:  # all load comes from one address
        config = replace(config, most_per_address=100_000, messages_per_second=100_000)
    app = make_app(config)
    server = Server(app, config)
    running = asyncio.create_task(server.serve())
    while not server.started and not running.done():
        await asyncio.sleep(0.001)
    print("listening", server.port, flush=True)
    while words := (await asyncio.to_thread(sys.stdin.readline)).split():
        await make(app.lobby, int(words[1]), int(words[2]), Path(words[3]))
        print(words[1], flush=True)
    server.should_exit = True
    await running


async def make(lobby: Any, count: int, moves: int, file: Path) -> None:
    """From within, as making tables over HTTP is limited; durable like everything."""
    made: list[Seats] = []
    for first in range(0, count, _AT_ONCE):
        numbers = range(first, min(first + _AT_ONCE, count))
        made += await asyncio.gather(*(_make_one(lobby, number, moves) for number in numbers))
    file.write_bytes(msgspec.json.encode(made))


async def _make_one(lobby: Any, number: int, moves: int) -> Seats:
    from flipdeck.wire import client_messages, rest
    from flipdeck.wire.parts import Settings

    address = f"bench-{number}"  # each may make some tables
    seated = await lobby.make(rest.NewTable("Ann", Settings(seats=SEATS, grace_ms=0)), address)
    tokens = [seated.token]
    for name in ("Ben", "Cleo", "Dan"):
        tokens.append((await lobby.join(seated.code, rest.Join(name), address)).token)
    table = lobby.tables[seated.code]
    await _submit(table, client_messages.Start("start"), table.state.seats[0])
    await _play(table, moves, random.Random(number))
    return Seats(seated.code, tokens)


async def _play(table: Any, moves: int, dice: random.Random) -> None:
    from flipdeck.server.table.requests import DealNext
    from flipdeck.wire import client_messages

    state = table.state
    for number in range(moves):
        if state.phase == "between":
            await _submit(table, DealNext(state.deciding_since))
        if state.phase == "over":
            return
        seat = state.to_act
        move = str(dice.choice(state.match.view(seat).legal))
        await _submit(table, client_messages.MakeMove(f"m{number}", state.version, move), state.seats[seat])


async def _submit(table: Any, request: object, seat_state: object = None) -> None:
    done: asyncio.Future[object] = asyncio.get_running_loop().create_future()
    table.submit(request, seat_state, done.set_result)
    outcome = await done
    if isinstance(outcome, Exception):
        raise outcome


def read_seats(file: Path) -> Sequence[Seats]:
    return msgspec.json.decode(file.read_bytes(), type=list[Seats])


if __name__ == "__main__":
    import uvloop

    uvloop.run(main(Path(sys.argv[1]), *sys.argv[2:]))  # as `flipdeck serve` does
