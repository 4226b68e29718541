"""Measure several servers on one PostgreSQL against their bars: ``python -m benchmarks.nodes``.

    --quick            a fifth of the work
    --only GROUP       one group of rows

The table is printed, and the whole run writes it to ``NODES.md`` beside this file.  Exit code 1 if a bar is missed.
Ctrl-C ends everything that was started.  It reads what the processes take from ``/proc``, so it needs Linux;
PostgreSQL comes from PyPI, with the extra ``dev``.
"""

from __future__ import annotations

import argparse
import os
import platform
import resource
import signal
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from . import results
from .measuring import QUICK, Effort, Row
from .nodes_cost import appends, cost, idle
from .nodes_database import durable_server
from .nodes_failover import death, rolling

DOCUMENT = Path(__file__).with_name("NODES.md")
PACKAGES = ("flipdeck", "asyncpg", "uvicorn", "uvloop")
GROUPS: dict[str, Callable[[Effort], list[Row]]] = {
    "cost": cost,
    "appends": appends,
    "death": death,
    "rolling": rolling,
    "idle": idle,
}


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure several servers on one PostgreSQL against their bars.")
    parser.add_argument("--quick", action="store_true", help="a fifth of the work; NODES.md stays as it is")
    parser.add_argument("--only", choices=GROUPS, help="one group of rows; NODES.md stays as it is")
    told = parser.parse_args()
    if sys.platform != "linux":
        print("This reads what a process takes from /proc, which only Linux has.", file=sys.stderr)
        return 2
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # a socket is a file, and there are thousands
    try:
        return measure({told.only: GROUPS[told.only]} if told.only else GROUPS, told.quick, whole=not told.only)
    except KeyboardInterrupt:
        print("\ninterrupted", file=sys.stderr)
        return 130


def measure(groups: dict[str, Callable[[Effort], list[Row]]], quick: bool, whole: bool) -> int:
    load = os.getloadavg()[0]
    rows: list[Row] = []
    for name, group in groups.items():
        print(f"{datetime.now(UTC):%H:%M:%S} {name} …", file=sys.stderr, flush=True)
        rows += group(QUICK if quick else Effort(turns=5))
    print(results.for_terminal(rows))
    if whole and not quick:
        DOCUMENT.write_text(document(rows, load), encoding="utf-8")
    missed = sum(row.passed is False for row in rows)
    print(f"\nbars missed: {missed}" if missed else "\nevery bar is met")
    return 1 if missed else 0


def document(rows: Sequence[Row], load: float) -> str:
    """``NODES.md``: the table, how each line was counted, the machine."""
    about = [
        "Written by `make bench-nodes`. Two nodes, PostgreSQL and the load on one machine, over its loopback; the",
        "database waits for the disk before it acknowledges. The peer is SQLite in the first lines, pgbench in the",
        "third.",
    ]
    with durable_server() as server:
        ours = f"Python {platform.python_version()}, " + ", ".join(f"{name} {version(name)}" for name in PACKAGES)
        where = results.machine(load, ours, f"PostgreSQL {server.version}")
    return results.document("Several servers on one database, measured", about, where, results.counted(rows))


if __name__ == "__main__":
    sys.exit(main())
