"""Gymnasium spaces, derived from the declaration of the observations."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from .batch import ACTIONS, Rules
from .columns import Array, Layout

MASK = "action_mask"


def observation_space(rules: Rules) -> spaces.Dict:
    """Of who is asked: the arrays of the observation, and which actions are legal."""
    seen: dict[str, Any] = {name: _box(shape, declared, rules) for name, (shape, declared) in rules.shapes().items()}
    seen[MASK] = spaces.Box(0, 1, (ACTIONS[rules.actions],), np.int8)
    return spaces.Dict(seen)


def action_space(rules: Rules) -> Any:
    return spaces.Discrete(ACTIONS[rules.actions])


def _box(shape: tuple[int, ...], declared: Array, rules: Rules) -> spaces.Box:
    if declared.name == "moves":
        return spaces.Box(-np.inf, np.inf, shape, np.float32)
    if declared.name == "actions":
        return spaces.Box(-1, ACTIONS[rules.actions] - 1, shape, np.int16)
    highs = np.array(Layout(declared.sections, rules.players).highs, np.uint8)
    return spaces.Box(np.zeros(shape, np.uint8), np.broadcast_to(highs, shape).copy(), dtype=np.uint8)
