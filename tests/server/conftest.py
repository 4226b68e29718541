"""The deals and the pauses of a lobby come from the name of the test; whoever wants others sets them."""

from __future__ import annotations

import pytest

from flipdeck.server import identity
from flipdeck.server.table import bot_driver
from tests.luck import dice


@pytest.fixture(autouse=True)
def _luck(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    seeds = dice(f"deals of {request.node.name}")
    monkeypatch.setattr(identity, "new_seed", lambda: seeds.randbytes(32))
    monkeypatch.setattr(bot_driver, "_dice", dice(f"pauses of {request.node.name}"))
