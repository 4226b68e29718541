"""An LRU cache of bot memories, by ``who``: used by worker processes and by in-process simulations.

A bot whose memory was evicted begins with the current view, as after a restart.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from ...bots import Bot
from ...bots.player import BotPlayer
from ...bots.registry import OF_USERS, bot_named
from ...core.notation import Move
from ..bounded import BoundedDict
from .port import Question

MOST_MEMORIES = 2_000  # about 30 KB each
BOTS = 64  # bots at a time, by level and number of players


@dataclass(slots=True)
class BotMemory:
    player: BotPlayer
    seen: int  # how many observations of its seat it has, from the first on


class Memories:
    def __init__(
        self,
        dice: Callable[[str], random.Random],
        room: int = MOST_MEMORIES,
    ) -> None:
        """``dice`` gives the randomness of a ``who``."""
        self._dice = dice
        self._memories: BoundedDict[str, BotMemory] = BoundedDict(room)
        self._bots: BoundedDict[tuple[str, int], Bot] = BoundedDict(BOTS)

    def __len__(self) -> int:
        return len(self._memories)

    def answer(self, question: Question) -> Move | None:
        """The answer of the bot.  If it fails, its memory can't be trusted: the next question starts with a new one."""
        try:
            player = self._inform_player(question)
            player.bot = self._bot(question.level, question.players)
            return player.answer(question.shown[-1].view)
        except Exception:
            self.forget(question.who)
            raise

    def forget(self, who: str) -> None:
        self._memories.pop(who, None)

    def _inform_player(self, question: Question) -> BotPlayer:
        """The player of a seat with all observations up to now; with the current view only, if some are missing."""
        memory = self._memories.recent(question.who)
        end = question.first + len(question.shown)
        new = question.shown[-1:]
        if (
            memory is not None and question.first <= memory.seen <= end
        ):  # a repeated question may bring some of them again
            new = question.shown[memory.seen - question.first :]
        else:
            memory = self._memories[question.who] = BotMemory(self._player(question), 0)
            if question.first == 0:
                new = question.shown
        for shown in new:
            memory.player.see(shown.events, shown.view)
        memory.seen = end
        return memory.player

    def _player(self, question: Question) -> BotPlayer:
        seat = question.shown[-1].view.you
        if seat is None:
            raise ValueError("a spectator has no move")
        bot = self._bot(question.level, question.players)
        return BotPlayer(bot, seat, question.players, question.options, self._dice(question.who))

    def _bot(self, level: str, players: int) -> Bot:
        """One bot for all seats of a level: bots hold no state but work space, megabytes of it."""
        if level.startswith(OF_USERS):
            raise ValueError("bot programs are not allowed on the server")
        bot = self._bots.recent((level, players))
        if bot is None:
            bot = self._bots[level, players] = bot_named(level)
        return bot
