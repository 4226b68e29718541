"""What processes there are, for tests of what starts and ends some."""

from __future__ import annotations

import os
import select
from pathlib import Path

from tests.patience import HANG


def commands() -> dict[int, tuple[int, str]]:
    """Of every process its parent and its command."""
    found = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            found[int(entry.name)] = parent, (entry / "cmdline").read_text().replace("\0", " ")
        except OSError:
            continue  # it ended meanwhile
    return found


def below(pid: int, command: str = "") -> list[int]:
    """The processes that a process has started, and those that these have started."""
    every = commands()
    found = [pid]
    for one in found:
        found += [child for child, (parent, _) in every.items() if parent == one]
    return [child for child in found[1:] if command in every[child][1]]


def group(leader: int) -> list[int]:
    """The processes of a group that have not ended."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if os.getpgid(int(entry.name)) == leader:
                found.append(int(entry.name))
        except ProcessLookupError:
            continue
    return found


def has_ended(pid: int) -> bool:
    """Sooner or later; only one that never does is told by the clock."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([handle], [], [], HANG)[0])
    finally:
        os.close(handle)
