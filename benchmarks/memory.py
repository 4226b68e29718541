"""What a game in flight takes, and whether a long run stays as small as it began.

``python -m benchmarks.memory ROUNDS`` is the long run itself, in a process of its own.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from flipdeck.bulk import twin
from flipdeck.bulk.batches import Setting
from flipdeck.core.seeds import seed_of
from flipdeck.lab.experiments import MatchJob
from flipdeck.lab.run.execution import collect, on_threads
from flipdeck.lab.run.shards import Part
from flipdeck.lab.stats.summary import Summary

from .measuring import Effort, Row, run_python

GAME_BAR = 4096  # bytes
GROWTH_BAR = 5.0  # MB
# one round a match, and the shortest there is
SHORT = {"hand_size": 1, "scoring": "quick", "pairing": "printed", "first_dealer": "chosen"}


def rows(effort: Effort) -> list[Row]:
    size = twin.GAME.itemsize
    rounds = 1_000_000 if effort.quick else 10_000_000
    early, late = map(float, run_python("-m", "benchmarks.memory", str(rounds)).split())
    return [
        Row("a game in flight", f"{size:,} bytes", bar=f"≤ {GAME_BAR:,} bytes", passed=size <= GAME_BAR),
        Row(
            f"growth over {rounds // 1_000_000} million rounds",
            f"{round(late - early, 1) + 0.0:.1f} MB",  # no minus before a zero
            bar=f"< {GROWTH_BAR:g} MB",
            passed=late - early < GROWTH_BAR,
            note=f"Resident memory of the process after a tenth ({early:.0f} MB) and at the end ({late:.0f} MB) of a "
            "run: 2 players, one card each, one round a match.",
        ),
    ]


def long_run(rounds: int) -> tuple[float, float]:
    job = MatchJob(Setting("classic", players=2, options=SHORT, policies=("eager",)), seed_of("memory"), rounds)
    played, early = 0, 0.0

    def watch(result: Part[Summary]) -> None:
        nonlocal played, early
        played += result.shard.count
        if not early and played >= rounds // 10:
            early = resident()

    collect(job, on_threads(job, job.shards(), 1), watch)
    return early, resident()


def resident() -> float:
    """Megabytes that the process holds in memory now."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


if __name__ == "__main__":
    print(*long_run(int(sys.argv[1])))
