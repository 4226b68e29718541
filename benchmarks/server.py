"""Measure the server against its bars and its peer: ``python -m benchmarks.server``.

    --quick            a fifth of the work
    --only GROUP       one group of rows
    --against COMMIT   what a move costs beside an earlier version, too: its files are unpacked into ``build``, and the
                       two servers are measured in turns

The table is printed, and the whole run writes it to ``SERVER.md`` beside this file.  Exit code 1 if a bar is missed;
after Ctrl-C what was found so far is printed.  It reads what the processes take from ``/proc``, so it needs Linux; the
peer needs Node and npm's registry.
"""

from __future__ import annotations

import argparse
import os
import platform
import resource
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import version
from pathlib import Path

from . import results, server_peer
from .measuring import QUICK, Effort, Row
from .server_bars import GROUPS
from .server_cost import against
from .server_split import split

LATER = ("split", "against")  # groups that are more than rows, or need to be told something
DOCUMENT = Path(__file__).with_name("SERVER.md")
PACKAGES = ("flipdeck", "litestar", "msgspec", "uvicorn", "uvloop", "websockets")


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure the server against its bars and its peer.")
    parser.add_argument("--quick", action="store_true", help="a fifth of the work; SERVER.md stays as it is")
    parser.add_argument("--only", choices=(*GROUPS, *LATER), help="one group of rows; SERVER.md stays as it is")
    parser.add_argument("--against", metavar="COMMIT", help="measure beside an earlier version, too")
    told = parser.parse_args()
    if sys.platform != "linux":
        print("This reads what a process takes from /proc, which only Linux has.", file=sys.stderr)
        return 2
    if told.only == "against" and not told.against:
        parser.error("--only against needs --against COMMIT")
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # a socket is a file, and there are thousands
    run = Run(QUICK if told.quick else Effort(turns=5), told.against)
    try:
        run.measure(told.only)
    except server_peer.NoPeer as sentence:
        print(sentence, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"{results.for_terminal(run.rows)}\n\nstopped; SERVER.md stays as it is")
        return 130
    print(results.for_terminal(run.rows))
    if not told.quick and not told.only:
        DOCUMENT.write_text(run.document(), encoding="utf-8")
    missed = sum(row.passed is False for row in run.rows)
    print(f"\nbars missed: {missed}" if missed else "\nevery bar is met")
    return 1 if missed else 0


class Run:
    """All groups, or one, and what they have found so far."""

    def __init__(self, effort: Effort, commit: str | None) -> None:
        self.effort = effort
        self.rows: list[Row] = []
        self._commit = commit
        self._limits = ""
        self._load = os.getloadavg()[0]

    def measure(self, only: str | None) -> None:
        groups: dict[str, Callable[[], list[Row]]] = {
            name: partial(measure, self.effort) for name, measure in GROUPS.items()
        }
        groups["split"] = self._split
        if self._commit:
            groups["against"] = partial(against, self.effort, self._commit)
        for name in [only] if only else groups:
            print(f"{datetime.now(UTC):%H:%M:%S} {name} …", file=sys.stderr, flush=True)
            self.rows += groups[name]()

    def _split(self) -> list[Row]:
        rows, self._limits = split(self.effort)
        return rows

    def document(self) -> str:
        """``SERVER.md``: the table, how each line was counted, the machine, what limits it."""
        about = [
            "Written by `make bench-server`. One server process, the load in another, real sockets on the loopback of",
            "the same machine. The peer is measured in the same run: the contestants alternate, and the ratio is the",
            "median of the ratios of neighbors.",
        ]
        ours = f"Python {platform.python_version()}, " + ", ".join(f"{name} {version(name)}" for name in PACKAGES)
        where = results.machine(self._load, ours, f"the peer: {server_peer.versions()}")
        limits = ["", "## What limits it", "", self._limits]
        return results.document("The server, measured", about, where, [*results.counted(self.rows), *limits])


if __name__ == "__main__":
    sys.exit(main())
