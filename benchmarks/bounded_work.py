"""How long the event loop is held up: ``python -m benchmarks.bounded_work [--quick] [--json]``.

Tables with long journals are woken, and a long replay is shown, while a ticker notes how much of the loop each turn
took: its own time on the processor, and the longest turn by it.  Beside it stands the longest wait by the clock on the
wall, which includes whatever else the machine does.  ``benchmarks.server`` runs it in a process of its own, whose
memory is that of nothing else.
"""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from functools import partial
from pathlib import Path
from time import perf_counter, thread_time
from typing import Any

import msgspec

from flipdeck.server.app import make_app
from flipdeck.server.config import Config
from flipdeck.server.http.replays import Replays
from flipdeck.server.journal import StoredReplay, StoredSnapshot
from flipdeck.server.journal.sqlite import SqliteJournal
from flipdeck.server.registry import Registry
from flipdeck.server.table import entries, snapshot
from flipdeck.server.table.state import MOST_MISSED, TableState
from flipdeck.wire.parts import Settings

from .measuring import QUICK, Effort, Row, run_python
from .memory import resident
from .results import for_terminal

BUILD = Path(__file__).parent.parent / "build"
LOOP_BAR, SLICE_BAR = 0.050, 0.005  # seconds, of waking one table
MEMORY_BAR = 20.0  # MB, of a replay
ENTRIES, MOVES = 100_000, 38_000
SEATS = 10
TICK_SECONDS = 0.0002
LEASE_SECONDS = 86_400.0  # nobody renews it here
Measure = Callable[[Path], Coroutine[Any, Any, Row]]


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


def waiting_room(count: int) -> Story:
    story = Story("WAITNG")
    story.sit()
    story.come_and_go(count)
    return story


def rematches(count: int) -> Story:
    story = Story("REMTCH")
    story.sit()
    story.play_matches(count)
    return story


def running_match(count: int) -> Story:
    story = Story("RUNNNG")
    story.sit()
    story.add(entries.Started())
    while story.state.phase != "over" and len(story.bodies) < count:
        story.play(count - len(story.bodies))
    return story


async def write(journal: SqliteJournal, story: Story, with_snapshot: bool) -> None:
    await journal.begin_lease("bench", LEASE_SECONDS)
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
async def wake(story: Story, with_snapshot: bool, what: str, folder: Path) -> Row:
    config = Config(data=folder, lease_seconds=LEASE_SECONDS)
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
    loop, longest = sum(turn for turn in ticker.turns if turn > 2 * TICK_SECONDS), max(ticker.turns)
    return Row(
        f"waking a table with {what}",
        f"{1e3 * loop:.1f} ms of the loop",
        bar=f"≤ {1e3 * LOOP_BAR:g} ms, turns ≤ {1e3 * SLICE_BAR:g} ms",
        passed=loop <= LOOP_BAR and longest <= SLICE_BAR,
        note=f"Processor time of the event loop, from when the table is asked for to when it is there, "
        f"{1e3 * took:.0f} ms later; the longest turn took {1e3 * longest:.1f} ms. By the clock on the wall the loop "
        f"was late by {1e3 * ticker.longest_wait:.1f} ms at most, whatever else the machine did.",
    )


async def replayed(story: Story, folder: Path) -> Row:
    """Every page of a long match, one after the other."""
    assert story.state.match is not None  # noqa: S101
    record = story.state.match.record()
    app = make_app(Config(data=folder))
    journal: Any = app.lobby.context.journal
    await journal.open()
    await journal.begin_lease("bench", LEASE_SECONDS)
    epoch = await journal.claim(story.code, "bench")
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
    grown, longest = most - before, max(ticker.turns)
    return Row(
        f"a replay of {len(story.bodies):,} entries, in pages",
        f"+{grown:.1f} MB",
        bar=f"≤ {MEMORY_BAR:g} MB, turns ≤ {1e3 * SLICE_BAR:g} ms",
        passed=grown <= MEMORY_BAR and longest <= SLICE_BAR,
        note=f"{pages} pages of a record of {len(record):,} characters in {took:.1f} s, the slowest "
        f"{1e3 * slowest:.0f} ms; the longest turn of the loop took {1e3 * longest:.1f} ms.",
    )


def measures(effort: Effort) -> Iterator[Measure]:
    """One after the other: the next story is written when the last was measured."""
    waiting = waiting_room(effort.size(ENTRIES))
    yield partial(wake, waiting, False, f"{len(waiting.bodies):,} entries of a waiting room")
    again = rematches(effort.size(ENTRIES))
    yield partial(wake, again, False, f"{len(again.bodies):,} entries of many matches")
    running = running_match(effort.size(MOVES))
    yield partial(wake, running, False, f"{len(running.bodies):,} entries of one match")
    yield partial(wake, running, True, f"{len(running.bodies):,} entries of one match and its snapshot")
    yield partial(replayed, running)


def bounded(effort: Effort) -> list[Row]:
    """In a process of its own."""
    told = run_python("-m", "benchmarks.bounded_work", "--json", *(["--quick"] if effort.quick else []))
    return msgspec.json.decode(told, type=list[Row])


def main(*words: str) -> None:
    BUILD.mkdir(exist_ok=True)
    rows: list[Row] = []
    for measure in measures(QUICK if "--quick" in words else Effort()):
        with tempfile.TemporaryDirectory(dir=BUILD, prefix="bounded-") as folder:
            rows.append(asyncio.run(measure(Path(folder))))
    print(msgspec.json.encode(rows).decode() if "--json" in words else for_terminal(rows))


if __name__ == "__main__":
    main(*sys.argv[1:])
