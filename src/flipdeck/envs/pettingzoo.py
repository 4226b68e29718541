"""The PettingZoo AEC environment: every seat is an agent.

    from flipdeck.envs.pettingzoo import env
    env(players=4, observation="flat")

Forced moves are asked for by default, so that whose turn it is follows from what everybody sees.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import pettingzoo
from gymnasium.utils import EzPickle, seeding
from pettingzoo.utils import wrappers

from ..core.errors import BadOption, BadRequest
from .batch import GameBatch, Rules
from .compiled.episode import TERMINATED, TRUNCATED
from .records import match_of, say_again
from .spaces import MASK, action_space, observation_space


def env(**settings: Any) -> Any:
    """With the usual wrappers: an illegal action ends the episode, a wrong call is explained."""
    wrapped: Any = wrappers.TerminateIllegalWrapper(raw_env(**settings), illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


class raw_env(pettingzoo.AECEnv, EzPickle):  # type: ignore[misc]  # noqa: N801  # PettingZoo calls it so
    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": [], "name": "flipdeck_v0", "is_parallelizable": False, "render_fps": 2,
    }  # fmt: skip

    def __init__(self, players: int = 4, render_mode: str | None = None, forced: str = "asked", **rules: Any) -> None:
        EzPickle.__init__(self, players, render_mode, forced, **rules)
        pettingzoo.AECEnv.__init__(self)
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            known = " or ".join(self.metadata["render_modes"]) or "None"
            raise BadOption("not-a-choice", name="render_mode", value=render_mode, known=known)
        self.rules = Rules(players, forced=forced, **rules)
        self.batch = GameBatch(self.rules, again=False, keep_words=True)
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(players)]
        self.agents = self.possible_agents[:]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = dict.fromkeys(self.possible_agents, observation_space(self.rules))
        self.action_spaces = {agent: action_space(self.rules) for agent in self.possible_agents}
        self._seeded = False

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        del options
        if seed is not None or not self._seeded:
            dice, _ = seeding.np_random(seed)
            self.batch.seed([int(dice.integers(2**62)) if seed is None else seed])
            self._seeded = True
        self.batch.deal()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._choose()

    def observe(self, agent: str) -> Any:
        return self.told(self._seats[agent])[0]

    def told(self, seat: int) -> tuple[Any, dict[str, Any]]:
        """The observation and the info of a seat; the seed of the match only when it has ended."""
        seen, mask = self.batch.seen_by(seat)
        info: dict[str, Any] = {MASK: mask.copy()}
        if not self.batch.running[0]:
            info["seed"] = self.batch.seed_of_last()
        return seen | {MASK: mask}, info

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.batch.step(np.array([action]))
        self._cumulative_rewards[agent] = 0.0
        gains, ended = self.batch.gains[0], self.batch.ended[0]
        self.rewards = {each: float(gains[self._seats[each]]) for each in self.agents}
        if ended:
            self.terminations = dict.fromkeys(self.agents, bool(ended == TERMINATED))
            self.truncations = dict.fromkeys(self.agents, bool(ended == TRUNCATED))
            self.infos = {each: self.told(self._seats[each])[1] for each in self.agents}
        self._choose()
        self._accumulate_rewards()

    def _choose(self) -> None:
        self.agent_selection = self.possible_agents[int(self.batch.seats[0])]
        if self.batch.running[0]:
            self.infos[self.agent_selection] = {MASK: self.batch.masks[0].copy()}

    def record(self) -> str:
        """The episode that has ended as a record: ``flipdeck replay`` and the page show it."""
        if self.batch.running[0]:
            raise BadRequest("round-not-over")
        match = match_of(self.rules, self.batch.seed_of_last())
        say_again(match, self.batch.words_of(0, int(self.batch.episodes["number"][0])))
        return match.record()

    def render(self) -> Any:
        return None

    def close(self) -> None:
        self.batch.close()
