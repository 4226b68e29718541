"""Tests under ``tests/core`` are marked so: they alone have to cover every branch of the core."""

from __future__ import annotations

from pathlib import Path

import pytest

CORE = Path(__file__).parent / "core"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if CORE in item.path.parents:
            item.add_marker("core")
