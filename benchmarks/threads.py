"""Two threads over one: the same matches as an experiment, by wall-clock time."""

from __future__ import annotations

import os
from statistics import median

from flipdeck.bulk.batches import Setting
from flipdeck.core.seeds import seed_of
from flipdeck.lab.experiments import MatchJob
from flipdeck.lab.run.execution import collect, on_threads

from .measuring import Effort, Row, in_turns, ratio_of, seconds_of

BAR = 1.8


def rows(effort: Effort) -> list[Row]:
    job = MatchJob(Setting("classic", players=4, policies=("eager",)), seed_of("threads"), effort.size(10_000))

    def run(threads: int) -> float:
        return seconds_of(lambda: collect(job, on_threads(job, job.shards(), threads), lambda _: None))

    run(1)  # compiled before the clock runs
    figures = in_turns({"one": lambda: run(1), "two": lambda: run(2)}, 2 * effort.turns + 1)
    times = ratio_of(figures["one"], figures["two"])
    return [
        Row(
            "two threads over one",
            f"{median(figures['two']):.2f} s",
            f"{median(figures['one']):.2f} s",
            f"{times:.2f} ×",
            f"≥ {BAR:g} ×",
            times >= BAR,
            f"{job.games:,} matches with their statistics, by the clock on the wall, {os.cpu_count()} cores: whatever "
            "else the machine is doing takes from the second thread first.",
        )
    ]
