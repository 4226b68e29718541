"""``flipdeck warm``: everything compiled, and told where it is kept."""

from __future__ import annotations

import re

import pytest

from flipdeck.bulk import MissingExtra, kernels, searching
from flipdeck.bulk.twin import cache_folder
from flipdeck.cli import main


def test_all_kernels_are_compiled_once_and_ready_from_then_on(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["warm"]) == 0
    out = capsys.readouterr().out.splitlines()
    for line, name in zip(out, ("Matches", "Rollouts", "Games side by side", "Search"), strict=False):
        assert re.fullmatch(name + r": (ready|compiled in [\d.]+ s)", line)
    assert re.fullmatch(r"Compiled \([\d.]+ s\) into .*", out[-1])
    assert out[-1].endswith(str(cache_folder()))
    for kernel in ("play_matches", "roll_out", "start_games", "look", "step_games"):
        assert getattr(kernels, kernel).signatures
        assert list(cache_folder().rglob(f"kernels.{kernel}*.nbi"))
    assert searching.is_compiled()


def test_without_the_extra_it_says_what_to_install(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> None:
        raise MissingExtra("Numba is not here.")

    monkeypatch.setattr("flipdeck.bulk.require", refuse)
    assert main(["warm"]) == 2
    assert capsys.readouterr().err == "flipdeck warm: Numba is not here.\n"
