"""A process that writes into a SQLite journal, tells every entry it was assured of, and comes to a sudden end.

``python -m tests.server.dying PATH returned N``: killed right after the Nth append has returned.
``python -m tests.server.dying PATH STEP N``: killed in the writer's thread when it comes to that step for the Nth time.
``python -m tests.server.dying PATH full``: lives on a disk that is full for a while, and tells what was refused.
``python -m tests.server.dying PATH open``: only opens, and tells what it is told.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

from flipdeck.server.journal import Unavailable
from flipdeck.server.journal.sqlite import SqliteJournal

TABLES = [f"T{number}" for number in range(8)]
LONGEST = 150


def body(table: str, seq: int) -> bytes:
    return f"{table} {seq} ".encode() * 40


def tell(line: str) -> None:
    os.write(1, line.encode() + b"\n")


class KillAfter:
    """Kills the process when something has happened so many times."""

    def __init__(self, event: str, times: int) -> None:
        self.event, self.left, self.armed = event, times, False

    def __call__(self, event: str) -> None:
        if self.armed and event == self.event:
            self.left -= 1
            if self.left == 0:
                os.kill(os.getpid(), signal.SIGKILL)


async def write_and_die(path: Path, fate: KillAfter) -> None:
    journal = SqliteJournal(path, step=fate)
    await journal.open()
    node = f"process {os.getpid()}"  # the leases of those that died before keep it from nothing
    await journal.begin_lease(node, 3600)
    epochs = {table: await journal.claim(table, node) for table in TABLES}
    kept = {table: len(await journal.load(table)) for table in TABLES}
    fate.armed = True

    async def write(table: str) -> None:
        for seq in range(kept[table] + 1, kept[table] + LONGEST):
            await journal.append(table, epochs[table], seq, body(table, seq))
            tell(f"{table} {seq}")
            fate("returned")

    await asyncio.gather(*map(write, TABLES))


async def live_on_a_full_disk(path: Path) -> None:
    import resource

    journal = SqliteJournal(path)
    await journal.open()
    await journal.begin_lease("full", 60)
    epoch = await journal.claim("T0", "full")
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, most))
    seq = 0
    try:
        for seq in range(1, 2000):
            await journal.append("T0", epoch, seq, body("T0", seq))
            tell(f"T0 {seq}")
    except Unavailable as error:
        tell(f"refused {error}")
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, most))  # less than there is: not even a page more
    for ask in (journal.append("T0", epoch, seq, b"x" * 200_000), journal.check()):
        try:
            await ask
        except Unavailable:
            tell("refused again")
    assert len(await journal.load("T0")) == seq - 1, "what was refused is there"
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    await journal.append("T0", epoch, seq, body("T0", seq))
    tell(f"T0 {seq}")
    await journal.check()
    await journal.close()


async def only_open(path: Path) -> None:
    journal = SqliteJournal(path)
    try:
        await journal.open()
        tell("open")
    except Unavailable as error:
        tell(str(error))
    await journal.close()


def main(path: Path, what: str, times: int = 0) -> None:
    if what == "full":
        asyncio.run(live_on_a_full_disk(path))
    elif what == "open":
        asyncio.run(only_open(path))
    else:
        asyncio.run(write_and_die(path, KillAfter(what, times)))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], *map(int, sys.argv[3:]))
