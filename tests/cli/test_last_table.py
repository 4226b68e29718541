"""What ``flipdeck play`` goes on with: only a match that is not over, in the seat it had."""

from __future__ import annotations

from pathlib import Path

import pytest

from flipdeck.cli.last_table import LastTable
from flipdeck.server import identity
from tests.server.sitting import at_once, hall


@at_once
async def test_only_a_match_that_is_not_over_is_resumed(tmp_path: Path) -> None:
    last = LastTable(tmp_path)
    async with hall() as it:
        waiting = await it.make(settings={"seats": 2})
        last.keep(waiting.code)
        assert await last.seat_in_play(it.lobby) is None
        seated = await it.make(settings={"seats": 2}, bots={"1": "rookie"}, start=True)
        last.keep(seated.code)
        assert await last.seat_in_play(it.lobby) == (seated.code, identity.hash_token(seated.token))
        state = it.table(seated.code).state
        state.seats[0].left = True
        assert await last.seat_in_play(it.lobby) is None
        state.seats[0].left = False
        state.phase = "over"
        assert await last.seat_in_play(it.lobby) is None


@pytest.mark.parametrize("kept", [None, "", "no code", "\u00e9", "7K3MQ2XA"])
@at_once
async def test_without_a_table_to_go_on_with_there_is_none(kept: str | None, tmp_path: Path) -> None:
    if kept is not None:
        (tmp_path / "last-table").write_text(kept, encoding="utf-8")
    async with hall() as it:
        assert await LastTable(tmp_path).seat_in_play(it.lobby) is None


def test_a_folder_that_can_not_be_written_only_means_that_nothing_is_resumed(tmp_path: Path) -> None:
    last = LastTable(tmp_path / "missing")
    last.keep("7K3MQ2XA")
    assert last.code() is None
