"""The AEC environment: PettingZoo's own tests, the leak test, and episodes that replay."""

from __future__ import annotations

import pickle
import random
import warnings
from typing import Any

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, seed_test

from flipdeck.core.errors import BadOption
from flipdeck.core.record import parse
from flipdeck.envs.pettingzoo import env, raw_env
from flipdeck.envs.testing import leak_test
from tests.envs.test_gymnasium_env import any_action


@pytest.mark.parametrize("observation", ["flat", "cards", "moves", "history", "state"])
@pytest.mark.parametrize("players", [2, 4])
def test_pettingzoo_finds_nothing_wrong(observation: str, players: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(env(players=players, observation=observation), num_cycles=100)


def test_a_seed_decides_all() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        seed_test(lambda: env(players=3), num_cycles=60)


def test_it_is_in_the_registry() -> None:
    made: Any = pettingzoo.make("aec", "flipdeck/Match-v0", players=2)
    assert made.unwrapped.rules.whole_match
    assert made.unwrapped.rules.rewards == "match"


@pytest.mark.parametrize("options", [{}, {"jump_in": True, "own_backs": "hidden"}])
@pytest.mark.parametrize("forced", ["asked", "inside"])
def test_nothing_leaks_to_an_agent(options: dict[str, object], forced: str) -> None:
    assert leak_test(env(players=3, options=options, forced=forced), 60) > 100


def test_an_episode_replays_and_its_seed_is_told_at_the_end_alone() -> None:
    table = env(players=3, options={"hand_size": 3})
    dice = random.Random(1)
    for number in range(5):
        table.reset(seed=number)
        totals = dict.fromkeys(table.possible_agents, 0.0)
        for agent in table.agent_iter():
            seen, reward, terminated, truncated, info = table.last()
            totals[agent] += reward
            if terminated or truncated:
                assert info["seed"] == table.unwrapped.batch.seed_of_last()
                table.step(None)
                continue
            assert "seed" not in info
            assert (info["action_mask"] == seen["action_mask"]).all()
            table.step(any_action(seen["action_mask"], dice))
        match = parse(table.unwrapped.record())
        assert match.seed.hex() == table.unwrapped.batch.seed_of_last()
        best = max(totals, key=lambda agent: totals[agent])
        if match.round.winner is not None:
            assert best == f"seat_{match.round.winner}"
            assert abs(sum(totals.values())) < 1e-6


def test_an_agent_that_is_not_asked_sees_and_may_do_nothing() -> None:
    table = raw_env(players=2)
    table.reset(seed=1)
    (other,) = set(table.agents) - {table.agent_selection}
    seen = table.observe(other)
    assert not seen["action_mask"].any()
    assert seen["observation"].any()


def test_an_environment_can_be_pickled_and_copies_nothing_into_a_learners_hands() -> None:
    table = pickle.loads(pickle.dumps(raw_env(players=3, actions="compact")))
    table.reset(seed=1)
    seen = table.observe(table.agent_selection)
    before = seen["observation"].copy()
    table.step(int(np.flatnonzero(seen["action_mask"])[0]))
    assert (seen["observation"] == before).all()


def test_a_wrong_setting_gets_one_sentence() -> None:
    with pytest.raises(BadOption, match="observation can't be 'all'"):
        env(observation="all")
    with pytest.raises(BadOption, match="render_mode can't be 'x'"):
        env(render_mode="x")
