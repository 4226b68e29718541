"""The bots' memories of their matches, by ``who``: used by a worker process, and by simulations within one process.

There are never more than a fixed number; the one that was asked longest ago goes first, and when it is asked again it
begins in the middle, as after a restart.
"""

from __future__ import annotations

import random
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from ...bots import Bot
from ...bots.player import BotPlayer
from ...bots.registry import COMMAND, bot_named
from ...core.notation import Move
from .port import Question

MINDS = 2_000  # about 30 KB each
BOTS = 64  # kinds of bots at work


@dataclass(slots=True)
class Mind:
    player: BotPlayer
    seen: int  # how many of what its seat was shown, from the first on


class Minds:
    def __init__(
        self,
        dice: Callable[[str], random.Random],
        level_now: Callable[[str], str] = str,
        room: int = MINDS,
    ) -> None:
        """``dice`` are those of a ``who``; ``level_now`` says who answers for a level for the time being."""
        self._dice = dice
        self._level_now = level_now
        self._room = room
        self._minds: OrderedDict[str, Mind] = OrderedDict()
        self._bots: OrderedDict[tuple[str, int], Bot] = OrderedDict()

    def __len__(self) -> int:
        return len(self._minds)

    def answer(self, question: Question) -> Move | None:
        """What the bot says.  If it fails, its memory is not to be trusted any more: the next question begins anew."""
        try:
            player = self._informed(question)
            player.bot = self._bot(self._level_now(question.level), question.players)
            return player.answer(question.shown[-1].view)
        except Exception:
            self.forget(question.who)
            raise

    def forget(self, who: str) -> None:
        self._minds.pop(who, None)

    def _informed(self, question: Question) -> BotPlayer:
        """The player of a seat, who has seen all up to the present; or the present alone, if something is missing."""
        mind = self._minds.get(question.who)
        end = question.first + len(question.shown)
        new = question.shown[-1:]
        if mind is not None and question.first <= mind.seen <= end:  # some may have come with a question before
            new = question.shown[mind.seen - question.first :]
        else:
            mind = self._minds[question.who] = Mind(self._player(question), 0)
            if question.first == 0:
                new = question.shown
        self._minds.move_to_end(question.who)
        if len(self._minds) > self._room:
            self._minds.popitem(last=False)
        for shown in new:
            mind.player.see(shown.events, shown.view)
        mind.seen = end
        return mind.player

    def _player(self, question: Question) -> BotPlayer:
        seat = question.shown[-1].view.you
        if seat is None:
            raise ValueError("a spectator has nothing to say")
        bot = self._bot(self._level_now(question.level), question.players)
        return BotPlayer(bot, seat, question.players, question.options, self._dice(question.who))

    def _bot(self, level: str, players: int) -> Bot:
        """One for all seats of a level: bots that are no programs keep nothing but room to work in, megabytes of it."""
        if level.startswith(COMMAND):
            raise ValueError("a program has no seat here")
        bot = self._bots.get((level, players))
        if bot is None:
            bot = self._bots[level, players] = bot_named(level)
        self._bots.move_to_end((level, players))
        if len(self._bots) > BOTS:
            self._bots.popitem(last=False)
        return bot
