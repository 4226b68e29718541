"""Where a program is missing, its tests are skipped, and say so; ``make test-deploy`` makes that a failure."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

PROGRAMS = {
    "nginx": "nginx",
    "haproxy": "haproxy",
    "caddy": "caddy",
    "promtool": "promtool",
    "systemd": "systemd-analyze",
}
os.environ["PATH"] += os.pathsep + "/usr/sbin"  # where Debian has nginx and HAProxy


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            for name, program in PROGRAMS.items():
                if name in item.name and shutil.which(program) is None:
                    item.add_marker(pytest.mark.skip(reason=f"There is no {program} here: make test-deploy needs it."))
