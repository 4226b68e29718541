"""The history as a seat saw it: which faces an event showed to whom (SEE-1 to SEE-8).  Compilable.

``core.view`` shows events to people by the same rules; a test compares the two.
"""

from __future__ import annotations

from ...core.codes import DARK, LIGHT
from ...core.rules.log import CHALLENGED, DEALER_CARD, FLIPPED, LAID_OPEN, PLAYED, RETURNED, REVEALED, TURNED_UP
from ...core.state import Game
from .encoding import distance
from .episode import Episode
from .events import CARD, COLOR, OTHER, SEAT, SIDE, WHAT


def write_history(g: Game, e: Episode, seat: int, history: list[list[int]], rows: list[list[int]]) -> None:
    """``rows`` is clear behind the first ``e.events``."""
    for i in range(e.events):
        write_event(g, e, seat, history[i], rows[i])


def write_event(g: Game, e: Episode, seat: int, event: list[int], token: list[int]) -> None:
    token[0], token[1] = event[WHAT] + 1, distance(g, seat, event[SEAT]) + 1
    token[2] = distance(g, seat, event[OTHER]) + 1 if event[OTHER] >= 0 else 0
    token[3] = token[4] = 0
    if event[CARD] >= 0:
        if is_shown(e, seat, event, LIGHT):
            token[3] = e.kinds[LIGHT + event[CARD]] + 1
        if is_shown(e, seat, event, DARK):
            token[4] = e.kinds[DARK + event[CARD]] + 1
    token[5], token[6] = event[COLOR] + 1, event[SIDE]


def is_shown(e: Episode, seat: int, event: list[int], side: int) -> bool:
    """Cards are hidden unless a line here shows them."""
    what, active = event[WHAT], (event[SIDE] != 0) == (side == DARK)
    if what == DEALER_CARD:
        return side == LIGHT
    if what in (TURNED_UP, RETURNED, FLIPPED, LAID_OPEN):
        return True
    if seat == event[SEAT]:
        return active or e.own_backs != 0
    if what in (PLAYED, REVEALED) or (what == CHALLENGED and event[OTHER] == seat):
        return True
    return not active
