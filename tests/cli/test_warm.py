"""``flipdeck warm``: everything compiled, and told where it is kept."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from flipdeck.bulk import MissingExtra, kernels, searching, self_play
from flipdeck.bulk.twin import cache_folder
from flipdeck.cli import main
from tests.patience import HANG

KINDS = ("Matches", "Rollouts", "Games side by side", "Search", "Training")


def test_all_kernels_are_compiled_once_and_ready_from_then_on(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["warm"]) == 0
    out = capsys.readouterr().out.splitlines()
    for line, name in zip(out[:-1], KINDS, strict=True):
        assert re.fullmatch(name + r": (ready|compiled in [\d.]+ s)", line)
    assert re.fullmatch(r"Compiled \([\d.]+ s\) into .*", out[-1])
    assert out[-1].endswith(str(cache_folder()))
    for kernel in ("play_matches", "roll_out", "start_games", "look", "step_games"):
        assert getattr(kernels, kernel).signatures
        assert list(cache_folder().rglob(f"kernels.{kernel}*.nbi"))
    assert searching.is_compiled()
    for kernel in ("play_rounds", "add_gradients"):
        assert getattr(self_play, kernel).signatures
        assert list(cache_folder().rglob(f"self_play.{kernel}*.nbi"))


USE = """
from flipdeck.bulk import kernels, self_play
from flipdeck.bulk.batches import Setting, play
from flipdeck.lab.train.trainer import State, Trainer, measure
list(play(Setting(), bytes(32), 0, 1))
trainer = Trainer("a", 1, 1)
trainer.advance()
trainer.close()
measure(trainer.state.weights, 2, "printed", 1, "a")
used = kernels.play_matches, self_play.play_rounds, self_play.add_gradients
print(sum(sum(kernel.stats.cache_misses.values()) for kernel in used))
"""


def test_what_is_warm_is_compiled_in_no_other_process() -> None:
    assert main(["warm"]) == 0
    done = subprocess.run([sys.executable, "-c", USE], capture_output=True, text=True, timeout=HANG, check=True)
    assert done.stdout == "0\n"


def test_without_the_extra_it_says_what_to_install(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> None:
        raise MissingExtra("Numba is not here.")

    monkeypatch.setattr("flipdeck.bulk.require", refuse)
    assert main(["warm"]) == 2
    assert capsys.readouterr().err == "flipdeck warm: Numba is not here.\n"
