"""Tests under ``tests/core`` are marked so: they alone have to cover every branch of the core."""

from __future__ import annotations

from pathlib import Path

import pytest

CORE = Path(__file__).parent / "core"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if CORE in item.path.parents:
            item.add_marker("core")


@pytest.fixture(scope="session")
def compiled_rules() -> None:
    """For tests of what a command says: on a machine where nothing is compiled yet it would say that too."""
    from flipdeck.bulk.batches import Setting, play

    list(play(Setting(players=2, policies=("eager",)), bytes(32), 0, 1))
