"""The Gymnasium ``VectorEnv``: many games at once, for training.

With ``opponents`` (compiled policies) a learner plays one seat of each game; without, every seat is asked in its turn
(self-play), and ``infos["seat"]`` says which one it is.  The reward is that of the seat that acted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ..bulk import policies
from ..core.errors import BadOption, BadRequest
from .batch import GameBatch, Rules
from .compiled.episode import TERMINATED, TRUNCATED
from .opponents import is_compiled, names_of
from .spaces import MASK, action_space, observation_space

AUTORESET = {"same_step": AutoresetMode.SAME_STEP, "disabled": AutoresetMode.DISABLED}


class FlipdeckVectorEnv(VectorEnv[Any, Any, Any]):
    def __init__(
        self, num_envs: int = 1, *, opponents: str | Sequence[str] | None = None, autoreset: str = "same_step",
        copy: bool = True, threads: int = 1, render_mode: str | None = None, **rules: Any,
    ) -> None:  # fmt: skip
        """``copy=False`` hands out the buffers themselves: the next step overwrites them.  ``rules``: see ``Rules``."""
        if autoreset not in AUTORESET:
            raise BadOption("not-a-choice", name="autoreset", value=autoreset, known=" or ".join(AUTORESET))
        if render_mode is not None:
            raise BadOption("not-a-choice", name="render_mode", value=render_mode, known="None: a vector draws nothing")
        self.rules = Rules(**rules)
        self.batch = GameBatch(self.rules, num_envs, again=autoreset == "same_step", threads=threads)
        if opponents is not None:
            self.batch.seat([None, *_compiled(opponents, self.rules.players)])
        self.metadata = {"render_modes": [], "autoreset_mode": AUTORESET[autoreset]}
        self.num_envs, self.copy, self.render_mode = num_envs, copy, None
        self.single_observation_space, self.single_action_space = (
            observation_space(self.rules),
            action_space(self.rules),
        )
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._games = np.arange(num_envs)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Seed ``s`` gives game i the seed ``s + i``; ``options["reset_mask"]`` names the games that begin anew."""
        wanted = (options or {}).get("reset_mask")
        if wanted is not None and (getattr(wanted, "shape", None) != (self.num_envs,) or wanted.dtype != np.bool_):
            raise BadRequest("batch-mask", size=self.num_envs)
        self.batch.seed(self._seeds(seed, wanted))
        self.batch.deal(wanted)
        return self._seen(), {"seat": self._kept(self.batch.seats)}

    def step(self, actions: Any) -> tuple[dict[str, Any], Any, Any, Any, dict[str, Any]]:
        batch = self.batch
        batch.step(actions)
        rewards = batch.gains[self._games, batch.episodes["actor"]]
        infos: dict[str, Any] = {"seat": self._kept(batch.seats), "rewards": self._kept(batch.gains)}
        ended = batch.ended != 0
        if ended.any():
            self._tell_end(infos, ended)
        return self._seen(), rewards, batch.ended == TERMINATED, batch.ended == TRUNCATED, infos

    def action_masks(self) -> Any:
        return self.batch.masks.astype(np.bool_)

    def close_extras(self, **kwargs: Any) -> None:
        del kwargs
        self.batch.close()

    # ------------------------------------------------------------ within
    def _seeds(self, seed: int | Sequence[int | None] | None, wanted: Any) -> list[int | None]:
        if seed is None:
            new: Any = ~self.batch.episodes["run_key"].any(axis=1)
            if wanted is not None:
                new &= wanted
            return [int(self.np_random.integers(2**62)) if each else None for each in new]
        seeds: list[int | None] = [seed + i for i in range(self.num_envs)] if isinstance(seed, int) else list(seed)
        if len(seeds) != self.num_envs:
            raise BadRequest("batch-actions", size=self.num_envs)
        return seeds if wanted is None else [each if yes else None for each, yes in zip(seeds, wanted, strict=True)]

    def _kept(self, array: Any) -> Any:
        return array.copy() if self.copy else array

    def _seen(self) -> dict[str, Any]:
        seen = {name: self._kept(array) for name, array in self.batch.observations.items()}
        return seen | {MASK: self._kept(self.batch.masks)}

    def _tell_end(self, infos: dict[str, Any], ended: Any) -> None:
        """The last observation, and the seed: before the end it would give all cards away."""
        nothing = np.zeros_like(self.batch.masks)
        last = {name: self._kept(array) for name, array in self.batch.finals.items()} | {MASK: nothing}
        seeds = np.array([self.batch.seed_of_last(i) if ended[i] else "" for i in range(self.num_envs)], object)
        infos |= {"final_obs": last, "_final_obs": ended, "final_info": {"seed": seeds}, "_final_info": ended}


def _compiled(opponents: object, players: int) -> tuple[str, ...]:
    names = names_of(opponents, players)
    for name in names:
        if not is_compiled(name):
            raise BadOption("not-a-choice", name="opponents", value=name, known=" or ".join(policies.NAMES))
    return names
