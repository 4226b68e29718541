"""How long the event loop is held up: ``python -m benchmarks.bounded_work``.

Tables with long journals are woken, and a long replay is shown, while a ticker notes how much of the loop each turn
took: its own time on the processor, and the longest turn by it.  Beside it stands the longest wait by the clock on the
wall, which includes whatever else the machine does.  Exit code 1 if a bar is missed.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
import tempfile
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from pathlib import Path
from time import perf_counter, sleep, thread_time
from typing import Any

from flipdeck.server.app import make_app
from flipdeck.server.config import Config
from flipdeck.server.http.replays import Replays
from flipdeck.server.journal import StoredReplay, StoredSnapshot
from flipdeck.server.journal.sqlite import SqliteJournal
from flipdeck.server.registry import Registry
from flipdeck.server.table import entries, snapshot
from flipdeck.server.table.state import MOST_MISSED, TableState
from flipdeck.wire.parts import Settings

from .memory import resident

BUILD = Path(__file__).parent.parent / "build"
LOOP_BAR, SLICE_BAR = 0.050, 0.005  # seconds, of waking one table
MEMORY_BAR = 20.0  # MB, of a replay
ENTRIES, MOVES = 100_000, 38_000
SEATS = 10
TICK_SECONDS = 0.0002


class Ticker:
    """What the loop does, turn by turn."""

    def __init__(self) -> None:
        self.turns: list[float] = []
        self.longest_wait = 0.0

    async def during(self, work: Awaitable[Any]) -> Any:
        ticking = asyncio.create_task(self._tick())
        try:
            return await work
        finally:
            ticking.cancel()

    async def _tick(self) -> None:
        while True:
            busy, now = thread_time(), perf_counter()
            await asyncio.sleep(TICK_SECONDS)
            self.turns.append(thread_time() - busy)
            self.longest_wait = max(self.longest_wait, perf_counter() - now - TICK_SECONDS)


# ---------------------------------------------------------------- journals
class Story:
    """A table that is written entry by entry."""

    def __init__(self, code: str) -> None:
        options: dict[str, str | int | bool] = {"target": 5000}
        made = entries.Made(code=code, settings=Settings(seats=SEATS, options=options), seed="07" * 32, replay=code)
        self.code = code
        self.bodies = [entries.encode(made)]
        self.state: TableState = made.make_state()
        self._dice = random.Random(code)

    def add(self, entry: entries.AnyEntry) -> None:
        entries.apply(self.state, entry)
        self.bodies.append(entries.encode(entry))

    def sit(self) -> None:
        for seat in range(SEATS):
            self.add(entries.Sat(seat=seat, name=f"Guest {seat}", token=f"{seat:064x}"))

    def come_and_go(self, count: int) -> None:
        for number in range(count // 2):
            self.add(entries.Cleared(seat=1 + number % 9))
            self.add(entries.Sat(seat=1 + number % 9, name=f"N{number}", token=f"{number:064x}"))

    def play(self, moves: int) -> None:
        """They draw more than they play, so that rounds are long; the match ends when it does."""
        for number in range(moves):
            if self.state.phase == "between":
                self.add(entries.NextRound())
            seat, match = self.state.to_act, self.state.match
            if seat is None or match is None:
                return
            legal = [str(move) for move in match.legal(seat)]
            draws = "draw" in legal and self._dice.random() < 0.8
            move = "draw" if draws else self._dice.choice(legal)
            number_of = match.number_of(seat, move)
            cmd_id = f"command-{number:012}"
            self.add(
                entries.Moved(
                    seat=seat, by=seat, cmd_id=cmd_id, move=move, number=-1 if number_of is None else number_of
                )
            )

    def play_matches(self, count: int) -> None:
        while len(self.bodies) < count:
            self.add(entries.Started())
            self.play(count - len(self.bodies))
            if self.state.phase == "over":
                self.add(entries.Rematched(seed=f"{len(self.bodies):064x}", replay=f"r{len(self.bodies)}"))


def waiting_room() -> Story:
    story = Story("WAITNG")
    story.sit()
    story.come_and_go(ENTRIES)
    return story


def rematches() -> Story:
    story = Story("REMTCH")
    story.sit()
    story.play_matches(ENTRIES)
    return story


def running_match() -> Story:
    story = Story("RUNNNG")
    story.sit()
    story.add(entries.Started())
    while story.state.phase != "over" and len(story.bodies) < MOVES:
        story.play(MOVES - len(story.bodies))
    return story


async def write(journal: SqliteJournal, story: Story, with_snapshot: bool) -> None:
    await journal.begin_lease("bench", 3600)
    epoch = await journal.claim(story.code, "bench")
    for start in range(0, len(story.bodies), 5000):
        part = story.bodies[start : start + 5000]
        await asyncio.gather(*(journal.append(story.code, epoch, start + at, body) for at, body in enumerate(part, 1)))
    if with_snapshot:
        seq = len(story.bodies) - MOST_MISSED - 1000
        state = entries.replay(story.bodies[:seq])
        body = snapshot.to_bytes(snapshot.take(state))
        await journal.keep_snapshot(story.code, epoch, StoredSnapshot(seq, body), MOST_MISSED)
    await journal.release(story.code, epoch)


# ---------------------------------------------------------------- measuring
async def wake(story: Story, with_snapshot: bool, folder: Path) -> tuple[str, bool]:
    config = Config(data=folder)
    app = make_app(config)
    await app.lobby.context.journal.open()
    journal: Any = app.lobby.context.journal
    await write(journal, story, with_snapshot)
    rooms, ticker = Registry(app.lobby.context, config), Ticker()
    began = perf_counter()
    table = await ticker.during(rooms.wake(story.code))
    took = perf_counter() - began
    assert table.state.version == story.state.version  # noqa: S101  # nothing is lost
    await rooms.close()
    await journal.close()
    busy = [turn for turn in ticker.turns if turn > 2 * TICK_SECONDS]
    loop, longest = sum(busy), max(ticker.turns)
    met = loop <= LOOP_BAR and longest <= SLICE_BAR
    told = f"{1e3 * loop:6.1f} ms of the loop, longest turn {1e3 * longest:4.1f}"
    return f"{told}, longest wait {1e3 * ticker.longest_wait:5.1f}, woken after {1e3 * took:5.0f} ms", met


async def replayed(story: Story, folder: Path) -> tuple[str, bool]:
    """Every page of a long match, one after the other."""
    assert story.state.match is not None  # noqa: S101
    record = story.state.match.record()
    config = Config(data=folder)
    app = make_app(config)
    journal: Any = app.lobby.context.journal
    await journal.open()
    epoch = await journal.claim(story.code, "bench", 60)
    await journal.append(story.code, epoch, 1, b"", StoredReplay("long", record))
    shelf, ticker = Replays(app.lobby), Ticker()
    shelf._asking.rate = shelf._asking.burst = 1e6  # nobody else asks
    before, most, pages, slowest = resident(), 0.0, 0, 0.0

    async def read() -> None:
        nonlocal most, pages, slowest
        for number, about in enumerate((await shelf.match("long", "a")).rounds, 1):
            for first in range(0, about.steps, 400):
                began = perf_counter()
                await shelf.round("long", number, None, first, 400, "a")
                slowest = max(slowest, perf_counter() - began)
                pages += 1
                most = max(most, resident())

    began = perf_counter()
    await ticker.during(read())
    took = perf_counter() - began
    await journal.close()
    grown = most - before
    longest = max(ticker.turns)
    met = grown <= MEMORY_BAR and longest <= SLICE_BAR
    told = (
        f"{pages} pages of {len(record):,} characters in {took:.1f} s, slowest {1e3 * slowest:.0f} ms, +{grown:.1f} MB"
    )
    return f"{told}, longest turn {1e3 * longest:.1f} ms, longest wait {1e3 * ticker.longest_wait:.1f} ms", met


def rows() -> Sequence[tuple[str, Callable[[Path], Coroutine[Any, Any, tuple[str, bool]]]]]:
    waiting, again, running = waiting_room(), rematches(), running_match()
    sleep(0.5)
    return [
        (f"{len(waiting.bodies):,} entries of a waiting room", lambda folder: wake(waiting, False, folder)),
        (f"{len(again.bodies):,} entries with rematches", lambda folder: wake(again, False, folder)),
        (f"{len(running.bodies):,} entries of a match", lambda folder: wake(running, False, folder)),
        ("… with its snapshot", lambda folder: wake(running, True, folder)),
        ("its replay", lambda folder: replayed(running, folder)),
    ]


def main() -> int:
    BUILD.mkdir(exist_ok=True)
    missed = 0
    for what, measure in rows():
        with tempfile.TemporaryDirectory(dir=BUILD, prefix="bounded-") as folder:
            told, met = asyncio.run(measure(Path(folder)))
        missed += not met
        print(f"{what:42} {told}  {'pass' if met else 'FAIL'}", flush=True)
    print(f"load of the machine: {os.getloadavg()[0]:.1f}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
