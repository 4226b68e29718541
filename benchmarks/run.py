"""Measure Flipdeck against its bars and its peers: ``python -m benchmarks.run [--quick]``.

The table is printed, and the whole run writes it to ``RESULTS.md`` beside this file.  Exit code 1 if a bar is missed.
``make bench`` makes the environment that this needs (``flipdeck[bulk]``, OpenSpiel, RLCard) and calls it.
"""

from __future__ import annotations

import argparse
import os
import sys
from importlib.util import find_spec
from pathlib import Path

RESULTS = Path(__file__).with_name("RESULTS.md")
NEEDED = ("numba", "numpy", "pyspiel", "rlcard")


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure Flipdeck against its bars and its peers.")
    parser.add_argument("--quick", action="store_true", help="a fifth of the work; RESULTS.md stays as it is")
    quick = parser.parse_args().quick
    if missing := [name for name in NEEDED if find_spec(name) is None]:
        print(
            f"This needs {', '.join(missing)}: `make bench` makes an environment that has all of it.", file=sys.stderr
        )
        return 2
    return measure(quick)


def measure(quick: bool) -> int:
    from . import against_c, against_peers, interpreted, memory, results, rollouts, starting, threads
    from .measuring import QUICK, Effort, Row

    load, effort = os.getloadavg()[0], QUICK if quick else Effort()
    rows: list[Row] = []
    for group in (starting, interpreted, against_peers, rollouts, threads, memory):
        print(f"{group.__name__} …", file=sys.stderr, flush=True)
        rows += group.rows(effort)
    print("against_c …", file=sys.stderr, flush=True)
    more, paragraph = against_c.rows(effort)
    rows += more
    print(results.for_terminal(rows))
    if not quick:
        RESULTS.write_text(results.for_document(rows, paragraph, load), encoding="utf-8")
    missed = sum(row.passed is False for row in rows)
    print(f"\nbars missed: {missed}" if missed else "\nevery bar is met")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
