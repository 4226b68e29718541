"""The arena: single rounds among bots, through the same ``Match`` and ``MatchRunner`` as any game.

Bots meet at *tables*: all of them at one, or in a league every pair at its own.  A *deal* is one shuffle at one table,
played once per seat (duplicate play): the bots move on by one seat each time, so that neither the cards nor the place
at the table favor anybody.  Deals are independent; the rounds of a deal are not.

Random numbers belong to the seats of a deal, not to the bots: identical bots play all its rounds alike and win equally.
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
from ...bots.player import BotPlayer, is_forced_keep
from ...bots.registry import COMMAND, bot_named
from ...bulk.batches import Setting
from ...core.events import Event
from ...core.match import Match
from ...core.notation import Move
from ...core.seeds import BYTES, derived_seed
from ...core.view import View
from ..stats.tally import DEAL, Tally
from .shards import Part, Shard, Shards

DEALS = 2  # per shard: what is lost when a run is killed
MOST_TURNS = 20_000  # of a round; then it is abandoned

_WARM: set[str] = set()  # bots that have answered in this process


@dataclass(frozen=True)
class Arena:
    """``rounds`` per table, in whole deals; all bots sit at one table, or in a league every pair at its own."""

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
        """The bots at each table, by number, one per seat.  A league at 3 seats or more has one against copies."""
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
        """Per table."""
        return -(-self.rounds // self.seats)

    @property
    def games(self) -> int:
        """All deals, which shards are ranges of.  Tables alternate, so that an interrupted run has some of each."""
        return self.deals * len(self.tables)

    def shards(self) -> Shards:
        return Shards(self.games, DEALS)

    def summary(self) -> Tally:
        return Tally(len(self.bots))

    def play(self, shard: Shard) -> Part[Tally]:
        self._warm_up()
        tally = self.summary()
        for number in range(shard.first, shard.first + shard.count):
            for shift in range(self.seats):
                self.play_round(number, shift, tally)
        return Part(shard, tally, None)

    def _warm_up(self) -> None:
        """Load and compile before the first decision is timed."""
        for name in sorted(set(self.bots) - _WARM):
            _WARM.add(name)
            if name.startswith(COMMAND):
                continue  # a program starts anew in every round
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

    def part_of(self, number: int, saved: Any) -> Part[Tally]:
        """The result that ``Tally.to_dict`` saved; a ValueError, TypeError or LookupError where it is another's."""
        shard, tally = self.shards()[number], Tally.from_dict(saved)
        deals = [deal for deal in range(shard.first, shard.first + shard.count) for _ in range(self.seats)]
        if tally.table[:, DEAL].tolist() != deals or len(tally.costs) != len(self.bots):
            raise ValueError(f"this is no tally of {shard.name}")
        return Part(shard, tally, None)

    def seating(self, number: int, shift: int) -> list[int]:
        """The bot in each seat, after ``shift`` moves to the next seat."""
        table = self.tables[number % len(self.tables)]
        return [table[(seat - shift) % self.seats] for seat in range(self.seats)]

    def play_round(self, number: int, shift: int, tally: Tally) -> Match:
        """Play and count one round of a deal; the match whose first round it was."""
        seed = derived_seed(self.seed, f"deal {number} of an arena")
        match = Match(self.setting.edition, self.seats, seed=seed, options=self.setting.options)
        seating = self.seating(number, shift)
        bots: list[Bot] = []
        try:
            bots += (bot_named(self.bots[who]) for who in seating)
            seats = {}
            for seat, (who, bot) in enumerate(zip(seating, bots, strict=True)):
                player = BotPlayer(bot, seat, self.seats, match.options, _dice(seed, f"seat {seat}"))
                seats[seat] = TimedPlayer(player, who, tally)
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
class _TooLong(Exception):  # noqa: N818  # it ends the round, it is no error
    pass


def _turns_of(table: MatchRunner) -> int:
    """Play the round; the number of its turns.  A round that does not end is abandoned."""
    try:
        return table.play_round()
    except _TooLong:
        return MOST_TURNS


class TimedPlayer:
    """A player whose decisions on turn are timed and counted; a forced keep is none."""

    def __init__(self, player: BotPlayer, who: int, tally: Tally) -> None:
        self._player = player
        self._who = who
        self._tally = tally
        self._turns = 0

    def see(self, events: Iterable[Event], view: View) -> None:
        self._player.see(events, view)

    def answer(self, view: View) -> Move | None:
        if view.to_act != view.you or is_forced_keep(view):
            return self._player.answer(view)
        self._turns += 1
        if self._turns * view.players > MOST_TURNS:
            raise _TooLong
        started = perf_counter_ns()
        move = self._player.answer(view)
        self._tally.add_decision(self._who, perf_counter_ns() - started)
        return move
