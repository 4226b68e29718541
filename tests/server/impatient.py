"""``python -m tests.server.impatient KEEPALIVE``: a server that soon finds out who is gone; it tells its port.

What its system takes off its hands for a line is little, so that what a client does not take stays with the server.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from flipdeck.server import app
from flipdeck.server.config import Config
from flipdeck.server.journal.memory import MemoryJournal
from flipdeck.server.thinkers.inline import InlineThinkers
from flipdeck.server.transport import protocols, session

ROOT = Path(__file__).parents[2]
LONGEST = 120  # seconds that it lives, whatever becomes of those who started it
MOST_PER_ADDRESS = 10


def main(keepalive: float) -> None:
    signal.alarm(LONGEST)
    app.KEEPALIVE_SECONDS = keepalive
    protocols.REQUEST_SECONDS = session.GREETING_SECONDS = keepalive
    config = Config(
        port=0, messages_per_second=100_000, most_connections=100, most_per_address=MOST_PER_ADDRESS, drain_seconds=1.0
    )
    door = socket.socket()
    door.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)  # those it lets in have it from it
    door.bind(("127.0.0.1", 0))
    made = app.make_app(config, journal=MemoryJournal(), thinkers=InlineThinkers())
    asyncio.run(app.serve(made, config, lambda port: print(port, flush=True), door))


@asynccontextmanager
async def impatient(keepalive: float) -> AsyncIterator[str]:
    """Its address, for as long as it is needed."""
    command = (sys.executable, "-m", "tests.server.impatient", str(keepalive))
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    try:
        port = int(await asyncio.wait_for(process.stdout.readline(), 60))
        yield f"http://127.0.0.1:{port}"
    finally:
        with suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)
        await process.wait()


if __name__ == "__main__":
    main(float(sys.argv[1]))
