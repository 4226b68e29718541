"""How long a bot seems to think.

A pause may depend on what everybody sees and on nothing else: the speed of the table, the level of the bot, how many
bots sit in a row, whose turn it is, whether a card was drawn, whether somebody can be caught, and whether everybody who
plays has asked to hurry.  The cards of the bot have no part in it (TURN-2).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...core.view import Phase, View
from ...wire.parts import BotLevel, Speed
from .seats import SeatState

Range = tuple[float, float]  # seconds from … to


class Pauses(NamedTuple):
    on_turn: Range
    after_draw: Range  # shorter: it is the same turn, and laps shall not become twice as long
    out_of_turn: Range  # a jump-in
    lap: float  # seconds that the turns of bots in a row take together, on average, at most
    catching: float  # times as long as people of its level take


class Pace(NamedTuple):
    """What everybody knows of a bot that is asked, besides the view."""

    speed: Speed
    level: BotLevel
    in_a_row: int  # bots, this one among them
    hurried: bool


PAUSES: dict[Speed, Pauses] = {
    "slow": Pauses((1.8, 3.6), (0.7, 1.3), (0.9, 2.0), lap=12.0, catching=1.3),
    "normal": Pauses((0.8, 1.9), (0.35, 0.7), (0.6, 1.5), lap=5.0, catching=1.0),
    "fast": Pauses((0.25, 0.6), (0.22, 0.35), (0.3, 0.9), lap=3.0, catching=0.6),
}
# To notice that somebody forgot UNO takes people so long: whoever is new has time to say it late.
CATCHING: dict[BotLevel, Range] = {
    "rookie": (2.0, 4.0),
    "casual": (1.6, 3.2),
    "regular": (1.2, 2.4),
    "sharp": (0.9, 1.8),
    "master": (0.7, 1.4),
}
HURRIED: Range = (0.21, 0.26)
SHORTEST: Range = (0.21, 0.3)  # longer than a thought: a bot that spoke as soon as it knew would tell how hard it was


def pause_before(view: View, pace: Pace) -> Range:
    """The pause before a bot with this view speaks."""
    pauses = PAUSES[pace.speed]
    if view.catchable:  # on turn too: whoever plays on at once would end the moment for all others
        return _times(CATCHING[pace.level], pauses.catching)
    if pace.hurried:
        return HURRIED
    if view.to_act != view.you:
        pause = pauses.out_of_turn
    else:
        pause = pauses.after_draw if view.phase is Phase.DRAWN else pauses.on_turn
    return _times(pause, min(1.0, pauses.lap / (pace.in_a_row * sum(pauses.on_turn) / 2)))


def _times(pause: Range, factor: float) -> Range:
    if factor == 1.0:
        return pause
    low, high = pause
    return max(SHORTEST[0], low * factor), max(SHORTEST[1], high * factor)


def bots_in_a_row(seats: Sequence[SeatState], seat: int) -> int:
    """How many bots play one after the other around this one, whichever way play goes."""
    count = len(seats)
    left = next((n for n in range(1, count) if not seats[seat - n].played_by_bot), count)
    right = next((n for n in range(1, count) if not seats[(seat + n) % count].played_by_bot), count)
    return min(count, left + right - 1)
