"""Where the processor time of a move goes: the paragraph of ``SERVER.md`` about what limits the server.

The system tells how much of it is its own, and how much the thread of the event loop takes.  The rules and the texts of
a move are measured here, in this process, with nothing around them.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from typing import NamedTuple

from flipdeck.core.cards import Seat
from flipdeck.core.match import Match
from flipdeck.server.table.frames import updates

from .measuring import Effort, Row
from .server_cost import RATE, TABLES
from .server_process import SEATS, Ours, ours, progress

MATCHES, MOVES = 40, 60
WRITES_BAR = 4.2  # a move: one for each seat, and now and then one for somebody's keepalive


class Split(NamedTuple):
    """Microseconds a move, and calls of the system that write, by the thread of the event loop."""

    all: float
    system: float
    other_threads: float
    writes: float


def split(effort: Effort) -> tuple[list[Row], str]:
    tables, seconds = effort.size(TABLES), 3 if effort.quick else 10
    rate = RATE * tables // TABLES
    with ours(tables) as us:
        us.load.ask("seat", us.server.port, tables)
        us.load.ask("play", RATE, 0)  # warm
        progress("the split of a move, no pauses")
        hurried = _split(us, RATE * seconds, 0)
        progress(f"the split of a move, {rate} a second")
        paced = _split(us, rate * seconds, rate)
    rules, texts = rules_and_texts()
    rest = hurried.all - hurried.system - hurried.other_threads - rules - texts
    row = Row(
        "socket writes a move",
        f"{hurried.writes:.2f}",
        bar=f"≤ {WRITES_BAR:g}",
        passed=hurried.writes <= WRITES_BAR,
        note=f"Calls that write, by the thread of the event loop, while {tables} tables of {SEATS} play without "
        "pauses: the acknowledgement goes out together with the view of whoever moved.",
    )
    paragraph = (
        f"Without pauses a move takes {hurried.all:.0f} µs of the processor. The system takes {hurried.system:.0f} of "
        f"them: {SEATS} writes to sockets and a read, and on a loopback the work of the other end. The thread that "
        f"writes the journal takes {hurried.other_threads:.0f}, what it waits for in the system among them. The events "
        f"and the views of {SEATS} seats as text take {texts:.0f}, the rules {rules:.0f}; both are interpreted Python. "
        f"The remaining {max(rest, 0):.0f} or so are the session, the table's actor, the timers, the event loop and "
        f"cold caches. At {rate} moves a second a move takes {paced.all:.0f} µs, {paced.system:.0f} of them in the "
        f"system and {paced.other_threads:.0f} in the journal's thread: every move wakes the process on its own, and "
        "fewer share a commit."
    )
    return [row], paragraph


def _split(us: Ours, moves: int, rate: int) -> Split:
    before, writes = us.server.shares(), us.server.writes()
    us.load.ask("play", moves, rate)
    after, written = us.server.shares(), us.server.writes() - writes
    took = {name: 1e6 * (after[name] - before[name]) / moves for name in after}
    whole = took["loop"] + took["others"]
    system = whole * took["system"] / max(1e-9, took["own"] + took["system"])  # those two are counted coarsely
    return Split(whole, system, took["others"], written / moves)


def rules_and_texts() -> tuple[float, float]:
    """Microseconds a move, for the rules and for the texts of all seats."""
    games = [_game(f"split {number}") for number in range(MATCHES)]
    rules, texts = [], []
    for _ in range(5):
        one, other = _play(games)
        rules.append(one)
        texts.append(other)
    return min(rules), min(texts)


def _game(seed: str) -> tuple[str, Sequence[tuple[Seat, str]]]:
    match, dice, said = Match(players=SEATS, seed=seed), random.Random(seed), list[tuple[Seat, str]]()
    while len(said) < MOVES and match.to_act is not None:
        said.append((match.to_act, str(dice.choice(match.legal(match.to_act)))))
        match.say(*said[-1])
    return seed, said


def _play(games: Sequence[tuple[str, Sequence[tuple[Seat, str]]]]) -> tuple[float, float]:
    rules = texts = moves = 0
    viewers = list(range(SEATS))
    matches = [Match(players=SEATS, seed=seed) for seed, _ in games]
    for number in range(MOVES):
        turns = [(match, *said[number]) for match, (_, said) in zip(matches, games, strict=True) if number < len(said)]
        began = time.thread_time_ns()
        happened = [match.say_again(seat, move, match.number_of(seat, move) or 0) for match, seat, move in turns]
        said_all = time.thread_time_ns()
        for (match, _, _), events in zip(turns, happened, strict=True):
            updates(number, events, match, viewers, None, None)
        texts += time.thread_time_ns() - said_all
        rules += said_all - began
        moves += len(turns)
    return rules / moves / 1000, texts / moves / 1000


if __name__ == "__main__":
    for each in split(Effort(quick=True)):
        print(each)
