"""Warm-up: the rules are compiled, or read from the cache, before the clock of a run starts."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from ...bulk import kernels
from ...bulk.batches import Setting, play
from ...core.seeds import BYTES


def warm_up(compiling: Callable[[], None]) -> None:
    """Play one match; ``compiling`` is called first where that has to compile, which takes some 20 seconds."""
    if not any(compiled_code().glob("kernels.play_matches*.nbi")):
        compiling()
    for _ in play(Setting(options={"scoring": "quick"}), bytes(BYTES), 0, 1):
        pass


def compiled_code() -> Path:
    """The folder where Numba caches it."""
    return Path(kernels.play_matches.stats.cache_path or os.devnull)
