"""What the server is held to, one function a group of rows.  Servers and load are processes of their own."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter, sleep

from .measuring import Effort, Row, in_turns, ratio_of
from .server_peer import Boardgame
from .server_process import SEATS, Commanded, OurServer

HERE = Path(__file__).parent
BUILD = HERE.parent / "build"  # a disk, which the folder for temporary files need not be

TABLES, RATE = 250, 500  # moves a second, at all tables together
COST_BAR = 3.0
ANSWER_BAR = 0.050  # seconds
CROWDED_TABLES, CROWDED_RATE, CROWDED_BAR = 25, 50, 20.0
CROWDS = {
    "flood": "a flood of messages",
    "nonsense": "a flood of nonsense",
    "unread": "20 who look on and never read",
    "silent": "200 silent lines",
}
CONNECTION_BAR = 40_000  # bytes
IDLE_TABLES, IDLE_BAR = 10_000, 500e6
WOKEN_TABLES, WOKEN_MOVES, WOKEN_BAR = 1000, 60, 3.0


class Ours:
    """Our server and its load, with a folder that goes with them."""

    def __init__(self, folder: Path, tables: int, moves: int = 0) -> None:
        self.folder = folder
        self.server = OurServer(folder / "data")
        self.empty = self.server.memory()
        seats = folder / "seats.json"
        self.server.ask("make", tables, moves, seats)
        self.load = Commanded(sys.executable, "-m", "benchmarks.server_load", str(seats))


@contextmanager
def ours(tables: int, moves: int = 0) -> Iterator[Ours]:
    BUILD.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=BUILD, prefix="server-") as folder, ExitStack() as ending:
        both = Ours(Path(folder), tables, moves)
        ending.enter_context(both.server)
        ending.enter_context(both.load)
        yield both


@contextmanager
def boardgame(durable: bool) -> Iterator[Boardgame]:
    with tempfile.TemporaryDirectory(dir=BUILD, prefix="boardgame-") as folder:
        peer = Boardgame(Path(folder) if durable else None)
        with peer.server, peer.load:
            yield peer


# ---------------------------------------------------------------- what a move costs
def cost(effort: Effort) -> list[Row]:
    """The bar compares like with like: both keep every move on disk.  Beside it, the peer as it comes, in memory."""
    tables, seconds = effort.size(TABLES), 3 if effort.quick else 10
    rate = RATE * tables // TABLES
    with ours(tables) as us, boardgame(durable=True) as durable, boardgame(durable=False) as in_memory:
        us.load.ask("seat", us.server.port, tables)
        for them in (durable, in_memory):
            them.load.ask("seat", them.port, tables)
        sides = {
            "ours": (us.server, us.load),
            "durable": (durable.server, durable.load),
            "in memory": (in_memory.server, in_memory.load),
        }

        def of(server: Commanded, load: Commanded, rate: int) -> float:
            """Seconds that the server computes for one move."""
            before, moves = server.cpu(), seconds * (rate or RATE)
            load.ask("play", moves, rate)
            return (server.cpu() - before) / moves

        def contest(rate: int, turns: int) -> dict[str, list[float]]:
            return in_turns({name: partial(of, *side, rate) for name, side in sides.items()}, turns)

        contest(rate, 1)  # until all are warm
        timed = contest(rate, effort.turns)
        del sides["durable"]  # without pauses its storage reads files that it is writing, and ends the process
        full = contest(0, effort.turns)
    paced = f"{rate} moves a second in all"
    unpaced = "each table's next move as soon as it can be said"
    about = (
        f"{tables} tables of {SEATS}, every seat a websocket, {{}}: one action in, an acknowledgement and {SEATS} "
        "different views out. User and system time of the server's process (ours: with the thread that writes). "
    )
    kept = about + (
        "boardgame.io with the storage in files that comes with it, which does not wait for the disk; ours does, "
        "before it acknowledges."
    )
    lost = about + "boardgame.io as it comes, in memory: nothing outlives its process."
    what = "server CPU for a move"
    return [
        _cheaper(f"{what}, both keep it", timed, "durable", COST_BAR, kept.format(paced)),
        _cheaper(f"{what}, the peer only in memory", timed, "in memory", None, lost.format(paced)),
        _cheaper(f"{what}, the peer only in memory, no pauses", full, "in memory", None, lost.format(unpaced)),
    ]


def _cheaper(what: str, figures: dict[str, list[float]], peer: str, bar: float | None, note: str) -> Row:
    times = ratio_of(figures[peer], figures["ours"])
    mine, peers = (f"{1e6 * median(figures[side]):.0f} µs" for side in ("ours", peer))
    bars = "" if bar is None else f"≥ {bar:g} × cheaper"
    return Row(what, mine, peers, f"{times:.2f} × cheaper", bars, None if bar is None else times >= bar, note)


# ---------------------------------------------------------------- how long an answer takes
def answers(effort: Effort) -> list[Row]:
    seconds = 5 if effort.quick else 30
    with ours(TABLES) as us:
        us.load.ask("seat", us.server.port, TABLES)
        us.load.ask("play", RATE, RATE)  # warm
        before, load_before, began = us.server.cpu(), us.load.cpu(), perf_counter()
        told = us.load.ask("play", RATE * seconds, RATE)
        wall = perf_counter() - began
        busy, load_busy = (us.server.cpu() - before) / wall, (us.load.cpu() - load_before) / wall
        most = us.load.ask("play", RATE * seconds, 0)
    ms = {name: f"{1000 * told[name]:.1f} ms" for name in ("p50", "p99", "most")}
    return [
        Row(
            "acknowledgement, 99 of 100 moves",
            ms["p99"],
            bar=f"≤ {1000 * ANSWER_BAR:g} ms",
            passed=told["p99"] <= ANSWER_BAR,
            note=f"{RATE} moves a second at {TABLES} tables over {TABLES * SEATS} sockets for {seconds} s, from when "
            f"the move was due to when its durable acknowledgement was read: half within {ms['p50']}, the slowest "
            f"{ms['most']}. The server was busy for {busy:.0%} of the time, the load for {load_busy:.0%}, and "
            f"{told['bytes'] / told['moves']:,.0f} bytes were read for a move.",
        ),
        Row(
            "moves a second, at most",
            f"{most['moves'] / most['seconds']:,.0f}",
            note="The same tables, each with its next move as soon as it can be said; one process serves.",
        ),
    ]


def crowd(effort: Effort) -> list[Row]:
    """The same moves alone and beside clients that take more than their share, in turns."""
    seconds = 2 if effort.quick else 5
    rows = []
    with ours(CROWDED_TABLES) as us:
        attack = Commanded(sys.executable, "-m", "benchmarks.server_crowd", str(us.folder / "seats.json"))
        us.load.ask("seat", us.server.port, CROWDED_TABLES)
        with attack:
            for kind, what in CROWDS.items():
                sent: list[float] = []

                def worst(kind: str | None, sent: list[float] = sent) -> float:
                    if kind is not None:
                        attack.ask("begin", kind, us.server.port)
                    told = us.load.ask("play", CROWDED_RATE * seconds, CROWDED_RATE)
                    if kind is not None:
                        over = attack.ask("end")
                        sent.append(over["sent"] / over["seconds"])
                    return float(told["p99"])

                figures = in_turns({"beside": partial(worst, kind), "alone": partial(worst, None)}, effort.turns)
                rows.append(_slower(what, figures, median(sent), seconds))
    return rows


def _slower(what: str, figures: dict[str, list[float]], sent: float, seconds: int) -> Row:
    times = ratio_of(figures["beside"], figures["alone"])
    beside, alone = (f"{1000 * median(figures[side]):.1f} ms" for side in ("beside", "alone"))
    return Row(
        f"acknowledgement beside {what}, 99 of 100 moves",
        beside,
        ratio=f"{times:.1f} × alone",
        bar=f"≤ {CROWDED_BAR:g} ×",
        passed=times <= CROWDED_BAR,
        note=f"{CROWDED_RATE} moves a second at {CROWDED_TABLES} tables for {seconds} s, in turns with and without: "
        f"{alone} alone." + (f" {sent:,.0f} messages a second are sent beside them." if sent else ""),
    )


# ---------------------------------------------------------------- what is held in memory
def connections(effort: Effort) -> list[Row]:
    tables = effort.size(1250)
    with ours(tables) as us:
        before = us.server.memory()
        us.load.ask("seat", us.server.port, tables)
        sleep(3)  # each is asked for its lag a second after it came
        each = (us.server.memory() - before) / (tables * SEATS)
    return [
        Row(
            "memory of a connection",
            f"{each / 1000:.1f} KB",
            bar=f"≤ {CONNECTION_BAR / 1000:g} KB",
            passed=each <= CONNECTION_BAR,
            note=f"Resident memory with {tables * SEATS:,} people connected, {SEATS} at a table, less that with the "
            "same tables and nobody there.",
        )
    ]


def tables(effort: Effort) -> list[Row]:
    count = effort.size(IDLE_TABLES)
    with ours(count) as us:
        awake = us.server.memory()
        us.server.kill()
        kept = sum(file.stat().st_size for file in (us.folder / "data").iterdir())
        with OurServer(us.folder / "data") as again:
            asleep = again.memory()
    return [
        Row(
            f"{count:,} idle tables",
            f"{awake / 1e6:.0f} MB",
            bar=f"≤ {IDLE_BAR / 1e6:g} MB",
            passed=awake <= IDLE_BAR,
            note=f"Resident memory of the server with so many tables awake, {SEATS} people seated at each, the match "
            f"begun, nobody connected; {us.empty / 1e6:.0f} MB before they were made. Asleep, as they are after a "
            f"minute, they take none: {asleep / 1e6:.0f} MB when a server starts with all of them, and "
            f"{kept / count / 1000:.1f} KB each on disk. Processes that think for bots are not counted.",
        )
    ]


# ---------------------------------------------------------------- after a crash
def recovery(effort: Effort) -> list[Row]:
    count = effort.size(WOKEN_TABLES)
    whole: list[float] = []
    listening: list[float] = []
    with ours(count, WOKEN_MOVES) as us:
        server: OurServer = us.server
        for _ in range(3):
            server.kill()
            began = perf_counter()
            with OurServer(us.folder / "data") as server:
                started = perf_counter()
                us.load.ask("return", server.port)
                whole.append(perf_counter() - began)
                listening.append(perf_counter() - started)
                us.load.ask("leave")
                server.kill()
    note = (
        f"The server is killed with {count:,} tables in play, {WOKEN_MOVES} moves into their matches, and started "
        "again; one person of each table connects, all at once, and the clock stops when the last has been welcomed "
        "with the view. Median of 3."
    )
    return [
        Row(
            f"{count:,} tables after a crash, from when it listens",
            f"{median(listening):.2f} s",
            bar=f"≤ {WOKEN_BAR:g} s",
            passed=median(listening) <= WOKEN_BAR,
            note=note,
        ),
        Row(f"{count:,} tables after a crash, from the start of the process", f"{median(whole):.2f} s", note=note),
    ]


GROUPS = {
    "cost": cost,
    "answers": answers,
    "crowd": crowd,
    "connections": connections,
    "tables": tables,
    "recovery": recovery,
}
