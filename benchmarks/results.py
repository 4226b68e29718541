"""The table of results, for the terminal and for ``RESULTS.md``, and on what it was measured."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from .measuring import Row

HEAD = ("measure", "Flipdeck", "peer", "ratio", "bar", "")
MODULES = {"open_spiel": "pyspiel"}  # under another name than their package
PACKAGES = ("flipdeck", "numba", "llvmlite", "numpy", "open_spiel", "rlcard")


def cells(row: Row) -> tuple[str, ...]:
    return row.what, row.ours, row.peer, row.ratio, row.bar, row.verdict


def for_terminal(rows: Sequence[Row]) -> str:
    table = [HEAD, *map(cells, rows)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in table]
    return "\n".join(lines)


def for_document(rows: Sequence[Row], paragraph: str, load: float) -> str:
    """``RESULTS.md``."""
    about = [
        "Written by `make bench`. Peers are measured in the same run: the contestants alternate, each ratio is the",
        "median of the ratios of neighbors, and one core is used unless a line says otherwise.",
    ]
    limits = ["", "## What limits it", "", paragraph] if paragraph else []
    return document("Results", about, machine(load, setting()[1]), [*counted(rows), *limits])


def document(title: str, about: Iterable[str], where: Iterable[str], lines: Iterable[str]) -> str:
    """A page of results: what it is about, where it was measured, what was found."""
    return "\n".join([f"# {title}", "", *about, "", *(f"- {line}" for line in where), "", *lines, ""])


def counted(rows: Sequence[Row]) -> list[str]:
    """The table, and how each line of it was counted."""
    table = markdown([HEAD, *map(cells, rows)])
    notes = [f"- **{row.what}**: {row.note}" for row in rows if row.note]
    return [*table, "", "## How each was counted", "", *notes]


def markdown(table: Iterable[Sequence[str]]) -> list[str]:
    table = list(table)
    lines = ["| " + " | ".join(line) + " |" for line in table]
    return [lines[0], "|---" * len(table[0]) + "|", *lines[1:]]


def machine(load: float, *software: str) -> list[str]:
    """When, on what and how busy it was."""
    when, busy = f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC", f"load of the machine before the run: {load:.1f}"
    return [when, setting()[0], busy, *software]


def setting() -> tuple[str, str]:
    """The machine, and what runs on it."""
    versions = ", ".join(f"{name} {version(name)}" for name in PACKAGES if find_spec(MODULES.get(name, name)))
    return (
        f"{processor()}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}",
        f"Python {platform.python_version()}, {versions}, {compiler()}",
    )


def processor() -> str:
    try:
        told = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.processor() or "a processor that does not say its name"
    found = re.search(r"model name\s*: (.+)", told)
    return found[1].strip() if found else platform.machine()


def compiler() -> str:
    try:
        told = subprocess.run(["cc", "--version"], check=True, capture_output=True, text=True)  # noqa: S607
    except (OSError, subprocess.CalledProcessError):
        return "no C compiler"
    return told.stdout.splitlines()[0]
