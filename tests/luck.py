"""Where tests get their luck from: the name of the test, so that what failed fails again, on every machine.

``FLIPDECK_LUCK=anything`` gives every test another lot, for whoever looks for what happens seldom.
"""

from __future__ import annotations

import os
import random


def lot(name: str) -> str:
    """What all chance of this test comes from."""
    return f"{name} {os.environ.get('FLIPDECK_LUCK', '')}".rstrip()


def dice(name: str) -> random.Random:
    return random.Random(lot(name))
