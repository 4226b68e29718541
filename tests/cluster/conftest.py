"""Where there is no Ray these tests are skipped, and say so; ``make test-cluster`` makes that a failure."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

NO_RAY = "Ray is not in this environment: make test-cluster has one with it."


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here, is_there = Path(__file__).parent, find_spec("ray") is not None
    for item in items:
        if here in item.path.parents and not is_there:
            item.add_marker(pytest.mark.skip(reason=NO_RAY))
