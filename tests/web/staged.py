"""``python -m tests.web.staged LOT PORT``: a server whose chance comes from its lot, deals and bots alike.

A lot that is a seed deals that one every time, so that a scene can be chosen.  Nobody is late for anything, but for the
first two turns of seat 0: those may be as short as a second, so that nobody waits for a clock to run out.
``python -m tests.web.staged LOT`` alone is a worker of its bots.
"""

from __future__ import annotations

import random
import re
import secrets
import sys
from collections.abc import Callable
from unittest.mock import patch

from flipdeck import cli
from flipdeck.server import app, identity, lobby
from flipdeck.server.table import bot_driver
from flipdeck.server.table.clock import TurnClock
from flipdeck.server.thinkers import worker
from flipdeck.server.thinkers.pool import WorkerPool
from flipdeck.server.transport import protocols, session
from tests.patience import HANG


def deals(lot: str) -> Callable[[], bytes]:
    if re.fullmatch("[0-9a-f]{64}", lot):
        return lambda: bytes.fromhex(lot)
    seeds = random.Random(f"deals of {lot}")
    return lambda: seeds.randbytes(32)


def brief_at_first(of_clock: Callable[..., None]) -> Callable[..., None]:
    brief: set[int] = set()  # the decisions, by version

    def set_clock(clock: TurnClock, seat: int, version: int, seconds: float, of: float) -> None:
        if seat == 0 and (version in brief or len(brief) < 2):
            brief.add(version)
        else:
            seconds = of = HANG
        of_clock(clock, seat, version, seconds, of)

    return set_clock


def serve(lot: str, port: str) -> int:
    with (
        patch.object(TurnClock, "set", brief_at_first(TurnClock.set)),
        patch.object(session, "GREETING_SECONDS", HANG),
        patch.object(app, "KEEPALIVE_SECONDS", HANG),
        patch.object(protocols, "REQUEST_SECONDS", HANG),
        patch.object(protocols, "RESPONSE_SECONDS", HANG),
        patch.object(identity, "new_seed", deals(lot)),
        patch.object(bot_driver, "_dice", random.Random(f"pauses of {lot}")),
        patch.object(lobby, "SHORTEST_TURN", 1),
        patch.dict(bot_driver.PAUSES, {"fast": bot_driver.Pauses((0.05, 0.15), (0.03, 0.08), (0.1, 0.2))}),
        patch.object(WorkerPool, "command", (sys.executable, "-m", "tests.web.staged", lot)),
    ):
        return cli.main(["serve", "--port", port])


if __name__ == "__main__":
    if len(sys.argv) > 2:
        sys.exit(serve(*sys.argv[1:]))
    with patch.object(secrets, "randbits", random.Random(f"bots of {sys.argv[1]}").getrandbits):
        worker.main()
