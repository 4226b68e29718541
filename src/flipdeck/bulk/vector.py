"""A vectorized environment: many games stepped together, for reinforcement learning and other batch work."""

from __future__ import annotations

from typing import Any

from ..core.errors import BadRequest
from ..core.seeds import BYTES
from . import kernels, twin
from .acting import ACTIONS, OBSERVATION
from .arrays import np
from .batches import Setting, run_key


class VectorGames:
    """``size`` games; in each, one seat is asked at a time, interrupters before the player on turn.

    ``seats[i]`` is asked in game i, observes ``observations[i]`` and may do what ``masks[i]`` allows (``acting`` names
    both).  ``step`` deals the next round, or the next match, where one has ended.
    """

    def __init__(self, setting: Setting, size: int, seed: bytes = bytes(BYTES), first: int = 0) -> None:
        if size < 1:
            raise BadRequest("batch-size", size=size)
        self.setting = setting
        self.size = size
        self._key = run_key(seed)
        self._out = twin.move_list()
        self._games = setting.games(size)
        self._games["logging"] = 0
        self._numbers = np.arange(first, first + size, dtype=np.int64)
        self._own_backs = int(setting.rules().own_backs == "shown")
        self.seats = np.zeros(size, np.int64)
        self.observations = np.zeros((size, OBSERVATION), np.int32)
        self.masks = np.zeros((size, ACTIONS), np.int8)
        self.rewards = np.zeros((size, setting.players), np.float32)
        self.dones = np.zeros(size, np.int8)  # 1 where a round ended, 2 where the match did
        kernels.start_games(self._games, self._key, first)
        self._look()

    def step(self, actions: Any) -> None:
        """One action in every game.  If any of them is not legal, all are refused and nothing changes."""
        chosen = np.asarray(actions)
        if chosen.shape != (self.size,) or not np.issubdtype(chosen.dtype, np.integer):
            raise BadRequest("batch-actions", size=self.size)
        in_range = (chosen >= 0) & (chosen < ACTIONS)
        legal = in_range & (self.masks[np.arange(self.size), np.where(in_range, chosen, 0)] == 1)
        if not legal.all():
            game = int(np.argmin(legal))
            raise BadRequest("batch-illegal", game=game, action=int(chosen[game]))
        kernels.step_games(
            self._games, self._key, chosen.astype(np.int64), self._out, self._numbers, self.rewards, self.dones
        )
        self._look()

    def _look(self) -> None:
        kernels.look(self._games, self._own_backs, self._out, self.seats, self.observations, self.masks)
