"""Bots in the other seats of one game: they see events and views of a match that is played beside the batch."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from ..bots.player import BotPlayer
from ..bots.registry import bot_named
from ..bulk import policies
from ..core.cards import Seat
from ..core.errors import BadOption
from .batch import GameBatch
from .compiled.episode import LEFT_ALONE, OUTSIDE
from .records import match_of, say_again


def names_of(opponents: object, players: int) -> tuple[str, ...]:
    """One name for all other seats, or one for each."""
    if isinstance(opponents, str):
        return (opponents,) * (players - 1)
    names = tuple(opponents) if isinstance(opponents, Sequence) else ()
    if len(names) != players - 1 or not all(isinstance(name, str) for name in names):
        raise BadOption("policies", players=players - 1, got=len(names))
    return names


def is_compiled(name: str) -> bool:
    return name in policies.NAMES


class OtherSeats:
    """Those of one game.  Compiled policies play inside the batch; bots are asked here."""

    def __init__(self, batch: GameBatch, names: Sequence[str]) -> None:
        self.batch, self.names = batch, tuple(names)
        for name in names:
            if not is_compiled(name):
                bot_named(name)  # an unknown name is refused now
        self._bots: dict[int, BotPlayer] = {}
        self._seen = 0

    def seating(self) -> list[int]:
        """The learner first; everybody moves on by a seat from episode to episode."""
        numbers = [policies.NAMES.index(name) if is_compiled(name) else OUTSIDE for name in self.names]
        return [-1, *numbers]

    @property
    def asks_bots(self) -> bool:
        return not all(map(is_compiled, self.names))

    def begin(self, learner: int) -> None:
        """A new episode was dealt, with the learner in this seat."""
        if not self.asks_bots:
            return
        batch = self.batch
        seed = b"".join(int(word).to_bytes(4, "little") for word in batch.games["key"][0]).hex()
        self.match, self._seen, self._bots = match_of(batch.rules, seed), 0, {}
        for step, name in enumerate(self.names, 1):
            seat = (learner + step) % batch.players
            if not is_compiled(name):
                dice = random.Random(f"{seed} {seat}")  # noqa: S311
                bot = bot_named(name)
                self._bots[seat] = BotPlayer(bot, seat, batch.players, self.match.options, dice)
        self._show(self.match.history[-1].dealt)

    def play(self) -> None:
        """Let bots answer until the learner is asked, or the episode has ended."""
        if not self.asks_bots:
            return
        batch = self.batch
        self._catch_up()
        gains = batch.gains[0].copy()
        while batch.running[0] and int(batch.seats[0]) in self._bots:
            seat = int(batch.seats[0])
            view = self.match.view(seat)
            move = self._bots[seat].answer(view)
            number = None if move is None else self.match.number_of(seat, move)
            batch.say(LEFT_ALONE if number is None else number)
            gains += batch.gains[0]
            self._catch_up()
        batch.gains[0] = gains

    def _catch_up(self) -> None:
        """Play in the match what was said in the batch, word by word, and show it to the bots."""
        batch = self.batch
        number, words = int(batch.episodes["number"][0]), int(batch.episodes["words"][0])
        for word in batch.words_of(0, number, self._seen):
            if self.match.round.over:
                self.match.next_round()
                self._show(self.match.history[-1].dealt)
            say_again(self.match, [word])
            self._show(self.match.history[-1].said[-1].events)
        self._seen = words
        if self.match.round.over and batch.running[0]:
            self.match.next_round()
            self._show(self.match.history[-1].dealt)

    def _show(self, events: Any) -> None:
        for seat, bot in self._bots.items():
            bot.see(self.match.seen(events, Seat(seat)), self.match.view(seat))
