"""What a decision of a bot costs: Regular interpreted, and whether the Master keeps to its budget."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from statistics import median
from time import perf_counter

from measuring import Row

from flipdeck.bots import Bot
from flipdeck.bots.ladder import LadderBot
from flipdeck.bots.levels import LEVELS
from flipdeck.bots.master import Master, sensible
from flipdeck.bots.memory import Memory
from flipdeck.bots.player import Player
from flipdeck.bots.table import Table
from flipdeck.core.match import Match
from flipdeck.core.notation import Move
from flipdeck.core.view import View

BUDGETS = (0.025, 0.05, 0.25)


class Watched:
    """A bot whose decisions on turn are timed."""

    def __init__(self, bot: LadderBot | Master) -> None:
        self.name = bot.name
        self._bot = bot
        self.seconds: list[float] = []

    def choose(self, view: View, legal: Sequence[Move], memory: Memory, rng: random.Random) -> Move:
        begun = perf_counter()
        move = self._bot.choose(view, legal, memory, rng)
        took = perf_counter() - begun
        if isinstance(self._bot, LadderBot) or len(sensible(legal, view)) > 1:  # a Master with no choice doesn't search
            self.seconds.append(took)
        return move

    def interrupt(self, view: View, legal: Sequence[Move], memory: Memory, rng: random.Random) -> Move | None:
        return self._bot.interrupt(view, legal, memory, rng)

    def close(self) -> None:
        self._bot.close()


def decisions(bot: LadderBot | Master, seats: int, rounds: int) -> list[float]:
    """The time of each decision of one seat, the others being Regulars."""
    watched = Watched(bot)
    for number in range(rounds):
        match = Match("classic", seats, seed=f"cost {number}", options={"scoring": "quick"})
        bots: list[Bot] = [watched, *(LadderBot(LEVELS["regular"]) for _ in range(seats - 1))]
        players = {seat: Player(bot, seat, seats, match.options, random.Random(seat)) for seat, bot in enumerate(bots)}
        Table(match, players, random.Random(number)).play_round()
    return sorted(watched.seconds)


def cost_rows(quick: bool) -> Iterator[Row]:
    for seats in (2, 4):
        took = decisions(LadderBot(LEVELS["regular"]), seats, 20 if quick else 200)
        told = f"median {1e6 * median(took):.0f} µs, mean {1e6 * sum(took) / len(took):.0f} µs, {len(took):,} decisions"
        yield Row(f"a decision of Regular, {seats} seats", told, bar="≤ 100 µs", passed=median(took) <= 100e-6)
    for budget in BUDGETS:
        Master(worlds=1)
        took = decisions(Master(seconds=budget), 4, 2 if quick else 8)[:-1]  # the longest one has the compiler in it
        low, high = took[0], took[int(0.95 * len(took))]
        told = f"{1e3 * low:.1f} to {1e3 * high:.1f} ms (95 of 100), median {1e3 * median(took):.1f} ms"
        kept = 0.8 * budget <= median(took) and high <= 1.2 * budget
        yield Row(f"a decision of the Master at {1e3 * budget:.0f} ms", told, bar="within 20 %", passed=kept)
