"""A bot in a seat: what it was shown goes to its memory, what it answers is checked before anybody hears it."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from ..core.cards import Seat
from ..core.events import Event
from ..core.notation import Catch, Move
from ..core.options import Options
from ..core.view import View
from . import Bot
from .belief.memory import Memory


class Player:
    def __init__(self, bot: Bot, seat: int, players: int, options: Options, rng: random.Random) -> None:
        self.bot = bot
        self.memory = Memory(options, players, Seat(seat))
        self.rng = rng

    def see(self, events: Iterable[Event], view: View) -> None:
        """What the seat saw of a deal or a move, and what it sees now."""
        self.memory.see(events, view)

    def answer(self, view: View) -> Move | None:
        """What it says now; None lets the moment go, where it is somebody else's turn."""
        if view.to_act == view.you:
            return self.bot.choose(view, view.legal, self.memory, self.rng)
        if not worth_asking(view):
            return None
        return self.bot.interrupt(view, view.legal, self.memory, self.rng)


def worth_asking(view: View) -> bool:
    """There is something to say that matters: a catch in vain is nothing to be asked about."""
    return bool(in_earnest(view.legal, view))


def in_earnest(legal: Sequence[Move], view: View) -> list[Move]:
    """The legal moves but for catches in vain."""
    return [move for move in legal if not isinstance(move, Catch) or move.seat in view.catchable]
