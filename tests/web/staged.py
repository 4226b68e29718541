"""Servers whose chance comes from a lot, deals and bots alike: ``python -m tests.web.staged``, and the handle on it.

A lot that is a seed deals that one every time, so that a scene can be chosen, whatever values are added to it.  Nobody
is late for anything, but for the first two turns of seat 0: those may be as short as a second, so that nobody waits for
a clock to run out.  A server that is ``deaf`` deals without the values that were pledged.

A line of JSON on its input is the next server: its folder, its lot, its port.  It answers with the process id and with
what ``flipdeck serve`` prints, and ``ended STATUS`` when that server is no more.  Every server is a process of its own,
forked from one that has loaded the program and never run it, as in ``tests.server.killing``.
"""

from __future__ import annotations

import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

from flipdeck import cli
from flipdeck.bots.registry import INSTEAD, needs_search
from flipdeck.cli import serve as local_serve
from flipdeck.core import match
from flipdeck.core.seeds import seed_with_values
from flipdeck.server import app, identity, lobby
from flipdeck.server.app import make_app
from flipdeck.server.config import Config
from flipdeck.server.table import bot_driver, greetings, opener, pledges
from flipdeck.server.table.clock import TurnClock
from flipdeck.server.thinkers.inline import InlineThinkers
from flipdeck.server.thinkers.memories import Memories
from flipdeck.server.thinkers.port import BotAnswer, Question
from flipdeck.server.transport import protocols, session
from tests.patience import HANG

ROOT = Path(__file__).parents[2]
IS_SEED = re.compile("[0-9a-f]{64}")


# ---------------------------------------------------------------- the servers
def deals(lot: str) -> Callable[[], bytes]:
    if IS_SEED.fullmatch(lot):
        return lambda: bytes.fromhex(lot)
    seeds = random.Random(f"deals of {lot}")
    return lambda: seeds.randbytes(32)


def codes(lot: str) -> Callable[[], str]:
    """Of tables: what a bot's chance comes from has the code in it."""
    letters = random.Random(f"codes of {lot}")
    return lambda: "".join(letters.choices(identity.CODE_LETTERS, k=identity.CODE_LENGTH))


def codes_by_token(lot: str) -> Callable[[object, str], str]:
    """The page makes tables with tokens that nobody can foresee: what counts is which came first."""
    new_code, made = codes(lot), dict[str, str]()

    def code_for(_: object, token: str) -> str:
        if token not in made:
            made[token] = new_code()
        return made[token]

    return code_for


class Bots(InlineThinkers):
    """They answer in the server's own process, and at once: whoever searches leaves it to a plainer one for good."""

    def __init__(self, lot: str) -> None:
        super().__init__()
        self._memories = Memories(lambda who: random.Random(f"{who} of {lot}"))

    async def ask(self, question: Question) -> BotAnswer:
        return await super().ask(replace(question, level=INSTEAD) if needs_search(question.level) else question)


def brief_at_first(of_clock: Callable[..., None]) -> Callable[..., None]:
    brief: set[int] = set()  # the decisions, by version

    def set_clock(clock: TurnClock, seat: int, version: int, seconds: float, of: float) -> None:
        if seat == 0 and (version in brief or len(brief) < 2):
            brief.add(version)
        else:
            seconds = of = HANG
        of_clock(clock, seat, version, seconds, of)

    return set_clock


def seed_of_scene(lot: str) -> Callable[[bytes, Mapping[int, bytes]], bytes]:
    return (lambda secret, _: secret) if IS_SEED.fullmatch(lot) else seed_with_values


def serve(data: str, lot: str, port: int | None, deaf: bool, door: socket.socket) -> int:
    """On a port of its own, or on the one that servers without one have in turn: a browser knows the page already."""
    with (
        patch.object(match, "seed_with_values", seed_of_scene(lot)),
        patch.object(opener, "all_are_in", (lambda *_: True) if deaf else pledges.all_are_in),
        patch.object(opener, "OPENING_SECONDS", HANG),
        patch.object(TurnClock, "set", brief_at_first(TurnClock.set)),
        patch.object(session, "GREETING_SECONDS", HANG),
        patch.object(greetings, "LAPSE_SECONDS", HANG),
        patch.object(app, "KEEPALIVE_SECONDS", HANG),
        patch.object(protocols, "REQUEST_SECONDS", HANG),
        patch.object(protocols, "RESPONSE_SECONDS", HANG),
        patch.object(identity, "new_seed", deals(lot)),
        patch.object(identity, "new_code", codes(lot)),
        patch.object(identity.AddressHashes, "code_for", codes_by_token(lot)),
        patch.object(bot_driver, "_dice", random.Random(f"pauses of {lot}")),
        patch.object(lobby, "SHORTEST_TURN", 1),
        patch.dict(bot_driver.PAUSES, {"fast": bot_driver.Pauses((0.05, 0.15), (0.03, 0.08), (0.1, 0.2))}),
        patch.object(app, "WorkerPool", lambda _: Bots(lot)),
    ):
        if port is None:
            with patch.object(local_serve, "listening", lambda *_: door):
                return cli.main(["serve", "--data", data])
        return cli.main(["serve", "--port", str(port), "--data", data])


def main() -> None:
    make_app(Config())  # not to be run: what is loaded when the first one is made is then there for all
    door = socket.create_server(("127.0.0.1", 0))
    for line in sys.stdin:
        wanted = json.loads(line)
        process = os.fork()
        if process == 0:
            status = 1
            try:
                signal.alarm(int(HANG))
                os.write(1, f"{os.getpid()}\n".encode())
                status = serve(**wanted, door=door)
            finally:
                os._exit(status)
        os.write(1, f"ended {os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])}\n".encode())


# ---------------------------------------------------------------- the handle
class StagedServers:
    """One server after the other; within the block the process is there from which they are forked."""

    def __enter__(self) -> StagedServers:
        own = {name: value for name, value in os.environ.items() if not name.startswith(("FLIPDECK_", "LC_", "LANG"))}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.web.staged"],
            cwd=ROOT, env=own, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        self._server = 0
        return self

    def __exit__(self, *_: object) -> None:
        self.end()
        self._process.communicate()  # its input ends, and so does it

    def start(self, data: Path, lot: str, port: int | None = None, deaf: bool = False) -> str:
        """The address of a new server; without a port it has that of the one before."""
        assert self._process.stdin is not None
        wanted = {"data": str(data), "lot": lot, "port": port, "deaf": deaf}
        print(json.dumps(wanted), file=self._process.stdin, flush=True)
        self._server = int(self._line())
        line = self._line()
        found = re.search(r"http://[^\s#]+[0-9]", line)
        assert found, f"It did not start: {line}"
        return found[0]

    def end(self) -> None:
        if self._server:
            with suppress(ProcessLookupError):
                os.kill(self._server, signal.SIGKILL)
            assert self._line().startswith("ended")
            self._server = 0

    def _line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline()


if __name__ == "__main__":
    main()
