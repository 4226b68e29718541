"""A bot in a seat: the bot, its memory of the match and its dice."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from ..core.cards import Seat
from ..core.events import Event
from ..core.notation import Catch, Keep, Move, Play
from ..core.options import Options
from ..core.view import View
from . import Bot
from .belief.memory import Memory


class BotPlayer:
    def __init__(self, bot: Bot, seat: int, players: int, options: Options, rng: random.Random) -> None:
        self.bot = bot
        self.memory = Memory(options, players, Seat(seat))
        self.rng = rng

    def see(self, events: Iterable[Event], view: View) -> None:
        """Remember what the seat saw of a deal or a move, and the view after it."""
        self.memory.see(events, view)

    def answer(self, view: View) -> Move | None:
        """The bot's move; None out of turn lets the moment go.  For a forced keep it isn't asked."""
        if is_forced_keep(view):
            return Keep()
        if view.to_act == view.you:
            return self.bot.choose(view, view.legal, self.memory, self.rng)
        if not worth_asking(view):
            return None
        return self.bot.interrupt(view, view.legal, self.memory, self.rng)


def is_forced_keep(view: View) -> bool:
    """TURN-2: the drawn card doesn't fit, and there is nothing else to say: no decision."""
    return view.drawn is not None and in_earnest(view.legal, view) == [Keep()]


def worth_asking(view: View) -> bool:
    """There is a move that matters: a catch in vain doesn't."""
    return bool(in_earnest(view.legal, view))


def in_earnest(legal: Sequence[Move], view: View) -> list[Move]:
    """The legal moves without catches in vain."""
    return [move for move in legal if not isinstance(move, Catch) or move.seat in view.catchable]


def worth_trying(legal: Sequence[Move], view: View) -> list[Move]:
    """The legal moves without those that are never better: catches in vain, and plays that leave out the UNO due."""
    loud = {(move.card, move.color) for move in legal if isinstance(move, Play) and move.uno}
    return [
        move
        for move in in_earnest(legal, view)
        if not isinstance(move, Play) or move.uno or (move.card, move.color) not in loud
    ]
