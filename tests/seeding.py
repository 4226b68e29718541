"""Seeds of the tests: the name of the test, so that what failed fails again, on every machine.

``FLIPDECK_LUCK=anything`` reseeds every test, for whoever looks for what happens seldom.
"""

from __future__ import annotations

import os
import random


def seed_for(name: str) -> str:
    """What all randomness of this test comes from."""
    return f"{name} {os.environ.get('FLIPDECK_LUCK', '')}".rstrip()


def rng_for(name: str) -> random.Random:
    return random.Random(seed_for(name))
