"""The deals and the pauses of a lobby come from the name of the test; whoever wants others sets them."""

from __future__ import annotations

import pytest

from flipdeck.server import identity
from flipdeck.server.table import bot_driver
from tests.seeding import rng_for


@pytest.fixture(autouse=True)
def _seed(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    seeds = rng_for(f"deals of {request.node.name}")
    monkeypatch.setattr(identity, "new_seed", lambda: seeds.randbytes(32))
    monkeypatch.setattr(bot_driver, "_dice", rng_for(f"pauses of {request.node.name}"))
