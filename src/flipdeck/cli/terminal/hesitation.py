"""How long it takes until a card that can only be kept is kept: a random time, the same for every card."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable

USUAL = 1.1  # seconds, the median
SPREAD = 0.4  # of the logarithm: people hesitate log-normally
SHORTEST, LONGEST = 0.5, 3.0


class Hesitation:
    """Nothing about the card goes in, so nothing about it can come out."""

    def __init__(self, rng: random.Random, sleep: Callable[[float], None] = time.sleep) -> None:
        self._rng = rng
        self._sleep = sleep

    def __call__(self) -> None:
        self._sleep(self.seconds())

    def seconds(self) -> float:
        return min(LONGEST, max(SHORTEST, self._rng.lognormvariate(math.log(USUAL), SPREAD)))
