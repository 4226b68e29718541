"""How things are measured here: rows of the table of results, contests in turns, one core, fresh processes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median
from time import perf_counter


@dataclass(frozen=True)
class Row:
    """One line of the results: what was measured, the bar that it is held against, and how it was counted."""

    what: str
    ours: str
    peer: str = ""
    ratio: str = ""
    bar: str = ""
    passed: bool | None = None  # None where there is no bar
    note: str = ""

    @property
    def verdict(self) -> str:
        return {True: "pass", False: "FAIL", None: ""}[self.passed]


@dataclass(frozen=True)
class Effort:
    """How long to measure: turns of every contest, and a factor for the length of each."""

    turns: int = 7
    quick: bool = False

    def size(self, whole: int) -> int:
        return max(1, whole // 5) if self.quick else whole


QUICK = Effort(turns=3, quick=True)


def in_turns(contestants: Mapping[str, Callable[[], float]], turns: int) -> dict[str, list[float]]:
    """A B A B …: so that whatever else the machine does in the meantime troubles all of them alike."""
    figures: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(turns):
        for name, contest in contestants.items():
            figures[name].append(contest())
    return figures


def ratio_of(ours: Sequence[float], peers: Sequence[float]) -> float:
    """The median of the ratios of neighbors: they were measured one right after the other."""
    return median(a / b for a, b in zip(ours, peers, strict=True))


def contest(
    what: str, ours: Sequence[float], peers: Sequence[float], unit: str, bar: float | None = None, note: str = ""
) -> Row:
    """A row for two rates measured side by side; the bar is how many times as fast we have to be."""
    times = ratio_of(ours, peers)
    return Row(
        what,
        rate(median(ours), unit),
        rate(median(peers), unit),
        f"{times:.3g} ×",
        "" if bar is None else f"≥ {bar:g} ×",
        None if bar is None else times >= bar,
        note,
    )


def rate(value: float, unit: str) -> str:
    for size, letter in ((1e6, " M"), (1e3, " k")):
        if value >= size:
            return f"{value / size:.3g}{letter} {unit}"
    return f"{value:.3g} {unit}"


@contextmanager
def one_core() -> Iterator[None]:
    """Everything inside runs on one core, where the system lets us choose."""
    if sys.platform != "linux":
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def run_python(*arguments: str, **environment: str) -> str:
    """What a fresh Python of this environment prints."""
    return run_program(sys.executable, *arguments, **environment)


def run_program(*command: str, **environment: str) -> str:
    done = subprocess.run(
        command, env={**os.environ, **environment}, check=True, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    )
    return done.stdout


def seconds_of(run: Callable[[], object]) -> float:
    """By the clock on the wall: for what people wait for."""
    started = perf_counter()
    run()
    return perf_counter() - started
