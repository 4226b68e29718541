"""The ladder: the parameters of five levels.  A level differs in what it notices, never in what it is shown."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Eye(IntEnum):
    """How much of the table a level takes in when it values its plays."""

    OWN_HAND = 0  # what matches, and what there is most of
    FLIPS = 1  # … and everybody's other side, when it could flip
    TABLE = 2  # … and who is about to go out, whom to stop, what to save
    WORLDS = 3  # … and the hidden cards: it remembers, infers, and searches over determinizations


@dataclass(frozen=True, slots=True)
class LadderLevel:
    name: str
    eye: Eye
    says_uno: float  # chances, from 0 to 1
    says_it_late: float  # … having forgotten it
    catches: float
    jumps_in: float | None  # None: when it is better than not to
    wanders: float  # plays any card that matches
    bluffs: float | None  # values a Wild Draw as if it did not hold the color; None: when it pays
    challenges: float | None  # challenges a Wild Draw at random; None: by its estimate
    worlds: int = 0  # determinizations searched for a move
    seconds: float = 0.0  # … or the time for it
    weighs: bool = False  # with two seats, the search uses the net


LADDER = (
    #      name       eye           UNO   late  catch jump  wander bluff chall.
    LadderLevel("rookie", Eye.OWN_HAND, 0.60, 0.40, 0.30, 0.30, 0.70, 0.50, 0.25),
    LadderLevel("casual", Eye.FLIPS, 0.85, 0.60, 0.60, 0.60, 0.20, 0.25, 0.10),
    LadderLevel("regular", Eye.TABLE, 0.98, 0.90, 0.90, 0.90, 0.00, 0.12, None),
    LadderLevel("sharp", Eye.WORLDS, 1.00, 1.00, 1.00, None, 0.00, None, None, worlds=64),
    LadderLevel("master", Eye.WORLDS, 1.00, 1.00, 1.00, None, 0.00, None, None, seconds=0.05, weighs=True),
)
LEVELS = {level.name: level for level in LADDER}
