"""The bots' memories of their matches, by ``who``: used by a worker process, and by simulations within one process.

There are never more than a fixed number; the one that was asked longest ago goes first, and when it is asked again it
begins in the middle, as after a restart.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from ...bots import Bot
from ...bots.player import Player
from ...bots.registry import COMMAND, bot_named
from ...core.notation import Move
from ..bounded import BoundedDict
from .port import Question

MOST_MEMORIES = 2_000  # about 30 KB each
BOTS = 64  # kinds of bots at work


@dataclass(slots=True)
class BotMemory:
    player: Player
    seen: int  # how many of what its seat was shown, from the first on


class Memories:
    def __init__(
        self,
        dice: Callable[[str], random.Random],
        level_now: Callable[[str], str] = str,
        room: int = MOST_MEMORIES,
    ) -> None:
        """``dice`` are those of a ``who``; ``level_now`` says who answers for a level for the time being."""
        self._dice = dice
        self._level_now = level_now
        self._memories: BoundedDict[str, BotMemory] = BoundedDict(room)
        self._bots: BoundedDict[tuple[str, int], Bot] = BoundedDict(BOTS)

    def __len__(self) -> int:
        return len(self._memories)

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
        self._memories.pop(who, None)

    def _informed(self, question: Question) -> Player:
        """The player of a seat, who has seen all up to the present; or the present alone, if something is missing."""
        memory = self._memories.recent(question.who)
        end = question.first + len(question.shown)
        new = question.shown[-1:]
        if memory is not None and question.first <= memory.seen <= end:  # some may have come with a question before
            new = question.shown[memory.seen - question.first :]
        else:
            memory = self._memories[question.who] = BotMemory(self._player(question), 0)
            if question.first == 0:
                new = question.shown
        for shown in new:
            memory.player.see(shown.events, shown.view)
        memory.seen = end
        return memory.player

    def _player(self, question: Question) -> Player:
        seat = question.shown[-1].view.you
        if seat is None:
            raise ValueError("a spectator has nothing to say")
        bot = self._bot(self._level_now(question.level), question.players)
        return Player(bot, seat, question.players, question.options, self._dice(question.who))

    def _bot(self, level: str, players: int) -> Bot:
        """One for all seats of a level: bots that are no programs keep nothing but room to work in, megabytes of it."""
        if level.startswith(COMMAND):
            raise ValueError("a program has no seat here")
        bot = self._bots.recent((level, players))
        if bot is None:
            bot = self._bots[level, players] = bot_named(level)
        return bot
