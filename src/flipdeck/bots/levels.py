"""The ladder: five levels of attention in one table.  A level differs in what it notices, never in what it is shown."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Eye(IntEnum):
    """How much of the table a player takes in when it weighs its cards."""

    OWN_HAND = 0  # what matches, and what there is most of
    FLIPS = 1  # … and everybody's other side, when it could flip
    TABLE = 2  # … and who is about to go out, whom to stop, what to save
    WORLDS = 3  # … and what each back can be the back of: it counts cards, remembers, and imagines what may follow


@dataclass(frozen=True, slots=True)
class Level:
    name: str
    eye: Eye
    says_uno: float  # chances, from 0 to 1
    says_it_late: float  # … having forgotten it
    catches: float
    jumps_in: float | None  # None: when it is better than not to
    wanders: float  # plays any card that matches
    bluffs: float | None  # holds the color and weighs a Wild Draw as if it did not; None: when it pays
    challenges: float | None  # doubts a Wild Draw at random; None: by judgement
    worlds: int = 0  # that it imagines for a move
    seconds: float = 0.0  # … or that it takes for it
    weighs: bool = False  # at two seats, by the net, what may come of it


LADDER = (
    #      name       eye           UNO   late  catch jump  wander bluff chall.
    Level("rookie", Eye.OWN_HAND, 0.60, 0.40, 0.30, 0.30, 0.70, 0.50, 0.25),
    Level("casual", Eye.FLIPS, 0.85, 0.60, 0.60, 0.60, 0.20, 0.25, 0.10),
    Level("regular", Eye.TABLE, 0.98, 0.90, 0.90, 0.90, 0.00, 0.12, None),
    Level("sharp", Eye.WORLDS, 1.00, 1.00, 1.00, None, 0.00, None, None, worlds=64),
    Level("master", Eye.WORLDS, 1.00, 1.00, 1.00, None, 0.00, None, None, seconds=0.05, weighs=True),
)
LEVELS = {level.name: level for level in LADDER}
