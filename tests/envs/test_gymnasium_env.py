"""One seat against bots: Gymnasium's own checks, masks, refusals, and episodes that replay."""

from __future__ import annotations

import importlib.util
import random
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import flipdeck.envs
from flipdeck.core.errors import BadOption, BadRequest
from flipdeck.core.record import parse
from flipdeck.envs.gymnasium_env import FlipdeckEnv
from flipdeck.envs.testing import leak_test

assert flipdeck.envs.VERSION == 0


def test_without_gymnasium_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(ImportError, match=r"pip install 'flipdeck\[envs\]'"):
        importlib.reload(flipdeck.envs)


def any_action(mask: Any, dice: random.Random) -> int:
    allowed = np.flatnonzero(mask).tolist()
    plays = [action for action in allowed if action < 60]
    return int(dice.choice(plays if plays and dice.random() < 0.7 else allowed))


def play(env: Any, dice: random.Random, seed: int | None = None) -> tuple[float, dict[str, Any]]:
    """One episode by any legal actions: what it was worth, and its last info."""
    seen, info = env.reset(seed=seed)
    total, ended = 0.0, False
    while not ended:
        assert "seed" not in info
        assert (env.unwrapped.action_masks() == (seen["action_mask"] == 1)).all()
        seen, reward, terminated, truncated, info = env.step(any_action(seen["action_mask"], dice))
        assert env.observation_space.contains(seen)
        total, ended = total + reward, terminated or truncated
    return total, info


class LegalEnv(FlipdeckEnv):
    """The checker samples any action: where it is not legal, the first legal one is taken."""

    def step(self, action: Any) -> Any:
        mask = self.action_masks()
        return super().step(action if mask[action] else int(np.flatnonzero(mask)[0]))


@pytest.mark.parametrize("whole_match", [False, True])
@pytest.mark.parametrize("observation", ["flat", "cards", "moves", "history"])
def test_gymnasium_finds_nothing_wrong(whole_match: bool, observation: str) -> None:
    env = LegalEnv(players=2, opponents="steady", observation=observation, whole_match=whole_match)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it would rather have observations between -1 and 1
        check_env(env, skip_render_check=True)


@pytest.mark.parametrize("opponents", ["regular", "steady", ["rookie", "random", "net"]])
@pytest.mark.parametrize("actions", ["full", "compact"])
def test_an_episode_against_opponents_replays_from_its_seed_and_its_record(opponents: Any, actions: str) -> None:
    players = 2 if isinstance(opponents, str) else 4
    env = gymnasium.make(
        "flipdeck/Round-v0", players=players, opponents=opponents, actions=actions, options={"hand_size": 4}
    )
    dice, seats, results = random.Random(1), set(), set()
    for number in range(6):
        total, info = play(env, dice, 3 if number == 0 else None)
        again = parse(env.unwrapped.record())  # type: ignore[attr-defined]
        assert again.seed.hex() == info["seed"]
        assert again.round.over or total == 0
        if again.round.over and again.round.winner is not None:
            assert (total > 0) == (again.round.winner == info["seat"])
            results.add(total > 0)
        seats.add(info["seat"])
    assert len(seats) > 1, "the seat moves on"
    assert results


def test_an_episode_may_be_a_match() -> None:
    env = gymnasium.make("flipdeck/Match-v0", players=2, options={"target": 60, "hand_size": 3}, limit=10_000)
    total, _ = play(env, random.Random(2), 1)
    again = parse(env.unwrapped.record())  # type: ignore[attr-defined]
    assert again.over
    assert total in (-1, 1)


def test_the_same_seed_and_actions_give_the_same_episode() -> None:
    def once() -> tuple[float, dict[str, Any]]:
        return play(gymnasium.make("flipdeck/Round-v0", opponents="regular"), random.Random(5), 11)

    (one, info), (other, info_too) = once(), once()
    assert one == other
    assert info["seed"] == info_too["seed"]


def test_an_illegal_action_and_an_episode_without_a_reset_are_refused() -> None:
    env = FlipdeckEnv(players=2, opponents="steady")
    with pytest.raises(BadRequest, match="is not legal"):
        env.step(0)
    env.reset(seed=1)
    before = env.batch.games.copy()
    with pytest.raises(BadRequest, match="Action 290 is not legal"):
        env.step(290)
    assert (env.batch.games == before).all()
    with pytest.raises(BadRequest, match="round is not over"):
        env.record()


def test_wrong_opponents_get_one_sentence() -> None:
    with pytest.raises(BadRequest, match="There is no bot 'nobody'"):
        FlipdeckEnv(players=2, opponents="nobody")
    with pytest.raises(BadOption, match="1 seats, not 2 names"):
        FlipdeckEnv(players=2, opponents=["regular", "regular"])
    with pytest.raises(BadOption, match="render_mode can't be 'video'"):
        FlipdeckEnv(players=2, render_mode="video")


def test_nothing_leaks_to_a_learner() -> None:
    env = gymnasium.make("flipdeck/Round-v0", players=3, opponents="steady", options={"jump_in": True})
    assert leak_test(env, 80) > 100
