"""What an arena plays: single rounds among bots, through the same ``Match`` and ``MatchRunner`` as any game.

Bots meet at *tables*: all that were named at one, or every pair of them at one of its own.  A *deal* is one shuffle at
one table, played once for every seat: the bots move on by one seat each time, so that luck and the place at the table
favor nobody.  Deals are independent of each other; the rounds of a deal are not.

The dice of a deal belong to the seats, not to the bots: equal bots play all rounds of a deal alike, and win equally.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from time import perf_counter_ns
from typing import Any

from ...bots import Bot
from ...bots.match_runner import MatchRunner
from ...bots.player import BotPlayer
from ...bots.registry import COMMAND, bot_named
from ...bulk.batches import Setting
from ...core.events import Event
from ...core.match import Match
from ...core.notation import Move
from ...core.seeds import BYTES, derived_seed
from ...core.view import View
from ..stats.tally import DEAL, Tally
from .shards import Part, Shard, Shards

DEALS = 2  # a shard: what is lost when a run is killed
MOST_TURNS = 20_000  # of a round; then it is given up

_AWAKE: set[str] = set()  # bots that have answered in this process


@dataclass(frozen=True)
class Arena:
    """So many rounds a table, in whole deals; all bots sit at one table, or in a league every pair at its own."""

    setting: Setting
    bots: tuple[str, ...]
    rounds: int
    seed: bytes
    league: bool = False

    @property
    def seats(self) -> int:
        return self.setting.players

    @cached_property
    def tables(self) -> tuple[tuple[int, ...], ...]:
        """Who sits at each: numbers of bots, a seat each.  In a league of more than two seats, one against the rest."""
        if not self.league:
            return (tuple(range(len(self.bots))),)
        numbers = range(len(self.bots))
        return tuple(
            (one, *[other] * (self.seats - 1))
            for one in numbers
            for other in numbers
            if one != other and (one < other or self.seats > 2)
        )

    @property
    def deals(self) -> int:
        """At each table."""
        return -(-self.rounds // self.seats)

    @property
    def games(self) -> int:
        """All deals: what shards are ranges of.  Tables take turns, so that a run stopped early has some of each."""
        return self.deals * len(self.tables)

    def shards(self) -> Shards:
        return Shards(self.games, DEALS)

    def summary(self) -> Tally:
        return Tally(len(self.bots))

    def play(self, shard: Shard) -> Part[Tally]:
        self._wake_up()
        tally = self.summary()
        for number in range(shard.first, shard.first + shard.count):
            for shift in range(self.seats):
                self.play_round(number, shift, tally)
        return Part(shard, tally, None)

    def _wake_up(self) -> None:
        """What has to be loaded or compiled before a first answer is not the time of a decision."""
        for name in sorted(set(self.bots) - _AWAKE):
            _AWAKE.add(name)
            if name.startswith(COMMAND):
                continue  # a program wakes up anew in every round
            match = Match(self.setting.edition, self.seats, seed=bytes(BYTES), options=self.setting.options)
            seat = match.to_act
            assert seat is not None  # noqa: S101  # a round begins with somebody's turn
            bot = bot_named(name)
            try:
                player = BotPlayer(bot, seat, self.seats, match.options, random.Random(0))  # noqa: S311
                player.see(match.seen(match.history[-1].dealt, seat), match.view(seat))
                player.answer(match.view(seat))
            finally:
                bot.close()

    def part_of(self, number: int, told: Any) -> Part[Tally]:
        """The part that ``Tally.to_dict`` told; a ValueError, TypeError or LookupError where it is none of ours."""
        shard, tally = self.shards()[number], Tally.from_dict(told)
        deals = [deal for deal in range(shard.first, shard.first + shard.count) for _ in range(self.seats)]
        if tally.table[:, DEAL].tolist() != deals or len(tally.costs) != len(self.bots):
            raise ValueError(f"this is no tally of {shard.name}")
        return Part(shard, tally, None)

    def seating(self, number: int, shift: int) -> list[int]:
        """The bot in each seat: everybody has moved on by so many seats."""
        table = self.tables[number % len(self.tables)]
        return [table[(seat - shift) % self.seats] for seat in range(self.seats)]

    def play_round(self, number: int, shift: int, tally: Tally) -> Match:
        """One round of a deal, counted; the match it was the first round of."""
        seed = derived_seed(self.seed, f"deal {number} of an arena")
        match = Match(self.setting.edition, self.seats, seed=seed, options=self.setting.options)
        seating = self.seating(number, shift)
        bots: list[Bot] = []
        try:
            bots += (bot_named(self.bots[who]) for who in seating)
            seats = {}
            for seat, (who, bot) in enumerate(zip(seating, bots, strict=True)):
                player = BotPlayer(bot, seat, self.seats, match.options, _dice(seed, f"seat {seat}"))
                seats[seat] = Timed(player, who, tally)
            turns = _turns_of(MatchRunner(match, seats, _dice(seed, "the table")))
            for who, bot in zip(seating, bots, strict=True):
                tally.add_faults(who, getattr(bot, "faults", {}))
        finally:
            for bot in bots:
                bot.close()
        now = match.round
        tally.add_round(number, shift, now.dealer, -1 if now.winner is None else now.winner, turns, not now.over)
        return match


def _dice(seed: bytes, purpose: str) -> random.Random:
    return random.Random(derived_seed(seed, f"dice of {purpose}"))  # noqa: S311  # these decide no card


# ---------------------------------------------------------------- a round
class _TooLong(Exception):  # noqa: N818  # it ends the round, nothing is wrong
    pass


def _turns_of(table: MatchRunner) -> int:
    """How many turns a round took; one that does not end is left where it is."""
    try:
        return table.play_round()
    except _TooLong:
        return MOST_TURNS


class Timed:
    """A player whose decisions on turn are timed and counted."""

    def __init__(self, player: BotPlayer, who: int, tally: Tally) -> None:
        self._player = player
        self._who = who
        self._tally = tally
        self._turns = 0

    def see(self, events: Iterable[Event], view: View) -> None:
        self._player.see(events, view)

    def answer(self, view: View) -> Move | None:
        if view.to_act != view.you:
            return self._player.answer(view)
        self._turns += 1
        if self._turns * view.players > MOST_TURNS:
            raise _TooLong
        started = perf_counter_ns()
        move = self._player.answer(view)
        self._tally.add_decision(self._who, perf_counter_ns() - started)
        return move
