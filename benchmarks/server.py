"""Measure the server against its bars and its peer: ``python -m benchmarks.server``.

    --quick            a fifth of the work
    --only GROUP       one group of rows
    --against COMMIT   what a move costs beside an earlier version, too: its files are unpacked into ``build``, and the
                       two servers are measured in turns

The table is printed, and the whole run writes it to ``SERVER.md`` beside this file.  Exit code 1 if a bar is missed.
It reads what the processes take from ``/proc``, so it needs Linux; the peer needs Node and npm's registry.
"""

from __future__ import annotations

import argparse
import os
import platform
import resource
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import version
from pathlib import Path

from . import results, server_peer
from .measuring import QUICK, Effort, Row
from .server_bars import GROUPS
from .server_cost import against

DOCUMENT = Path(__file__).with_name("SERVER.md")
PACKAGES = ("flipdeck", "litestar", "msgspec", "uvicorn", "uvloop", "websockets")


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure the server against its bars and its peer.")
    parser.add_argument("--quick", action="store_true", help="a fifth of the work; SERVER.md stays as it is")
    parser.add_argument("--only", choices=GROUPS, help="one group of rows; SERVER.md stays as it is")
    parser.add_argument("--against", metavar="COMMIT", help="measure beside an earlier version, too")
    told = parser.parse_args()
    if sys.platform != "linux":
        print("This reads what a process takes from /proc, which only Linux has.", file=sys.stderr)
        return 2
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # a socket is a file, and there are thousands
    load = os.getloadavg()[0]
    groups = {told.only: GROUPS[told.only]} if told.only else dict(GROUPS)
    if told.against:
        groups["against"] = partial(against, commit=told.against)
    rows: list[Row] = []
    for name, measure in groups.items():
        print(f"{datetime.now(UTC):%H:%M:%S} {name} …", file=sys.stderr, flush=True)
        try:
            rows += measure(QUICK if told.quick else Effort(turns=5))
        except server_peer.NoPeer as sentence:
            print(sentence, file=sys.stderr)
            return 2
    print(results.for_terminal(rows))
    if not told.quick and not told.only:
        DOCUMENT.write_text(document(rows, load), encoding="utf-8")
    missed = sum(row.passed is False for row in rows)
    print(f"\nbars missed: {missed}" if missed else "\nevery bar is met")
    return 1 if missed else 0


def document(rows: Sequence[Row], load: float) -> str:
    """``SERVER.md``: the table, how each line was counted, the machine."""
    about = [
        "Written by `make bench-server`. One server process, the load in another, real sockets on the loopback of",
        "the same machine. The peer is measured in the same run: the contestants alternate, and the ratio is the",
        "median of the ratios of neighbors.",
    ]
    ours = f"Python {platform.python_version()}, " + ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    where = results.machine(load, ours, f"the peer: {server_peer.versions()}")
    return results.document("The server, measured", about, where, results.counted(rows))


if __name__ == "__main__":
    sys.exit(main())
