"""The vector environment: autoreset, copies, seeds, and that its encoding is the one that its version names."""

from __future__ import annotations

import hashlib
import random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import flipdeck.envs
from flipdeck.core.errors import BadOption, BadRequest
from flipdeck.core.match import Match
from flipdeck.envs.columns import OBSERVATIONS
from flipdeck.envs.gymnasium_vector import FlipdeckVectorEnv
from tests.envs.test_gymnasium_env import any_action

# What observations, masks and rewards are in version 0.  A change of rules or encoding changes these: raise
# ``flipdeck.envs.VERSION`` with them.
GOLDEN = {
    "flat": "f49878349f4e490c",
    "cards": "895af34d146c20c7",
    "moves": "3446fb3ed96dafe0",
    "history": "092c881a564beddf",
    "state": "71ca2a525971cab9",
}


def actions_for(seen: dict[str, Any], dice: random.Random) -> Any:
    return np.array([any_action(mask, dice) if mask.any() else 0 for mask in seen["action_mask"]])


@pytest.mark.parametrize("observation", OBSERVATIONS)
def test_the_encoding_is_that_of_its_version(observation: str) -> None:
    digest, dice = hashlib.sha256(), random.Random("golden")
    for edition in ("classic", "argentina"):
        env = gymnasium.make_vec("flipdeck/Round-v0", num_envs=3, players=3, edition=edition, observation=observation)
        seen, _ = env.reset(seed=1)
        for _ in range(120):
            for name in sorted(seen):
                array = seen[name]
                digest.update(
                    np.round(array * 1024).astype(np.int64).tobytes() if array.dtype == np.float32 else array.tobytes()
                )
            seen, rewards, *_ = env.step(actions_for(seen, dice))
            digest.update(rewards.tobytes())
    assert flipdeck.envs.VERSION == 0
    assert digest.hexdigest()[:16] == GOLDEN[observation]


@pytest.mark.parametrize("opponents", [None, "steady"])
def test_the_last_observation_and_the_seed_come_in_the_step_that_ends_an_episode(opponents: str | None) -> None:
    env = gymnasium.make_vec(
        "flipdeck/Round-v0", num_envs=6, players=3, opponents=opponents, options={"hand_size": 3}, limit=150
    )
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    dice, ended = random.Random(1), 0
    seen, info = env.reset(seed=5)
    assert "final_info" not in info
    for _ in range(300):
        seen, rewards, terminated, truncated, info = env.step(actions_for(seen, dice))
        done = terminated | truncated
        assert (done == info.get("_final_obs", np.zeros(6, np.bool_))).all()
        assert seen["action_mask"].any(axis=1).all(), "the next episode has begun"
        for i in np.flatnonzero(done):
            ended += 1
            assert not info["final_obs"]["action_mask"][i].any()
            match = Match("classic", 3, seed=info["final_info"]["seed"][i], options={"hand_size": 3})
            assert match.round.number == 1
            assert (info["rewards"][i] == rewards[i]).any()
            assert bool(info["rewards"][i].any()) <= bool(terminated[i])
    assert ended > 20
    assert env.single_observation_space.contains({name: array[0] for name, array in seen.items()})


def test_without_autoreset_a_mask_says_which_games_begin_anew() -> None:
    env = gymnasium.make_vec("flipdeck/Round-v0", num_envs=4, players=2, autoreset="disabled", limit=60)
    assert env.metadata["autoreset_mode"] is AutoresetMode.DISABLED
    dice, again = random.Random(2), 0
    seen, _ = env.reset(seed=1)
    for _ in range(200):
        seen, _, terminated, truncated, info = env.step(actions_for(seen, dice))
        done = terminated | truncated
        if done.any():
            before = {name: array.copy() for name, array in seen.items()}
            assert not seen["action_mask"][done].any()
            assert all(info["final_info"]["seed"][done])
            seen, _ = env.reset(options={"reset_mask": done})
            again += 1
            assert seen["action_mask"].any(axis=1).all()
            for name, array in before.items():
                assert (seen[name][~done] == array[~done]).all(), "the other games go on"
    assert again > 5


def test_game_i_of_a_vector_is_a_vector_of_one_with_its_seed() -> None:
    many = FlipdeckVectorEnv(4, players=2)
    seen, _ = many.reset(seed=20)
    for i in range(4):
        one, _ = FlipdeckVectorEnv(1, players=2).reset(seed=20 + i)
        assert all((one[name][0] == seen[name][i]).all() for name in seen)
    other, _ = FlipdeckVectorEnv(4, players=2).reset()
    assert any((other[name] != seen[name]).any() for name in seen), "without a seed it is another one each time"


def test_copies_are_the_default_and_buffers_are_for_who_asks() -> None:
    for copy in (True, False):
        env = FlipdeckVectorEnv(2, players=2, copy=copy)
        seen, info = env.reset(seed=1)
        before = {name: array.copy() for name, array in seen.items()}
        env.step(actions_for(seen, random.Random(1)))
        assert all((seen[name] == before[name]).all() for name in seen) == copy
        assert np.shares_memory(seen["observation"], env.batch.observations["observation"]) != copy
        assert np.shares_memory(info["seat"], env.batch.episodes) != copy


def test_wrong_calls_get_one_sentence() -> None:
    with pytest.raises(BadOption, match="autoreset can't be 'next_step'; choose same_step or disabled"):
        FlipdeckVectorEnv(2, autoreset="next_step")
    with pytest.raises(BadOption, match="opponents can't be 'regular'; choose random or eager or steady"):
        FlipdeckVectorEnv(2, opponents="regular")
    with pytest.raises(BadOption, match="render_mode can't be 'ansi'"):
        FlipdeckVectorEnv(2, render_mode="ansi")
    env = FlipdeckVectorEnv(2)
    with pytest.raises(BadRequest, match="one yes or no for each of 2 games"):
        env.reset(options={"reset_mask": np.array([1, 0])})
    with pytest.raises(BadRequest, match="for each of 2 games"):
        env.reset(seed=[1])
    env.reset(seed=1)
    with pytest.raises(BadRequest, match="is not legal in game 0"):
        env.step(np.array([-1, -1]))
