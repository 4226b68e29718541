"""What a decision of a bot costs: Regular interpreted, and whether the Master keeps to its budget."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from statistics import median
from time import perf_counter
from typing import TypeVar

from flipdeck.bots import Bot
from flipdeck.bots.belief.memory import Memory
from flipdeck.bots.ladder import LadderBot
from flipdeck.bots.levels import LEVELS
from flipdeck.bots.master import Master, Tried
from flipdeck.bots.match_runner import MatchRunner
from flipdeck.bots.player import BotPlayer
from flipdeck.bots.registry import load_search
from flipdeck.core.match import Match
from flipdeck.core.notation import Move
from flipdeck.core.view import View

from .measuring import Row

BUDGETS = (0.025, 0.05, 0.25)
KEPT, OFTEN = 0.2, 0.95  # so much more or less than the budget, in so many of the decisions
T = TypeVar("T")


class Searching(Master):
    """A Master that tells whether it searched: with one move, or a word that costs nothing, it doesn't."""

    searched = False

    def tried(
        self, memory: Memory, moves: Sequence[Move | None], rng: random.Random, started: float | None = None
    ) -> list[Tried]:
        self.searched = True
        return super().tried(memory, moves, rng, started)


class Watched:
    """A bot whose decisions are timed: of Regular, who has little to think out of turn, those on turn; of a Master, all
    that it searched for."""

    def __init__(self, bot: LadderBot | Searching) -> None:
        self.name = bot.name
        self._bot = bot
        self.seconds: list[float] = []

    def choose(self, view: View, legal: Sequence[Move], memory: Memory, rng: random.Random) -> Move:
        return self._timed(lambda: self._bot.choose(view, legal, memory, rng))

    def interrupt(self, view: View, legal: Sequence[Move], memory: Memory, rng: random.Random) -> Move | None:
        if isinstance(self._bot, LadderBot):
            return self._bot.interrupt(view, legal, memory, rng)
        return self._timed(lambda: self._bot.interrupt(view, legal, memory, rng))

    def _timed(self, ask: Callable[[], T]) -> T:
        begun = perf_counter()
        said = ask()
        took = perf_counter() - begun
        if isinstance(self._bot, LadderBot) or self._bot.searched:
            self.seconds.append(took)
        if isinstance(self._bot, Searching):
            self._bot.searched = False
        return said

    def close(self) -> None:
        self._bot.close()


def decisions(bot: LadderBot | Searching, seats: int, enough: int) -> list[float]:
    """The time of so many decisions of one seat or a few more, the others being Regulars; the longest comes last."""
    watched = Watched(bot)
    for number in count():
        match = Match("classic", seats, seed=f"cost {number}", options={"scoring": "quick"})
        bots: list[Bot] = [watched, *(LadderBot(LEVELS["regular"]) for _ in range(seats - 1))]
        players = {
            seat: BotPlayer(bot, seat, seats, match.options, random.Random(seat)) for seat, bot in enumerate(bots)
        }
        MatchRunner(match, players, random.Random(number)).play_round()
        if len(watched.seconds) >= enough:
            break
    return sorted(watched.seconds)


def cost_rows(quick: bool) -> Iterator[Row]:
    for seats in (2, 4):
        took = decisions(LadderBot(LEVELS["regular"]), seats, 400 if quick else 4000)
        told = f"median {1e6 * median(took):.0f} µs, mean {1e6 * sum(took) / len(took):.0f} µs, {len(took):,} decisions"
        yield Row(f"a decision of Regular, {seats} seats", told, bar="≤ 100 µs", passed=median(took) <= 100e-6)
    load_search()  # compiled, or read from the cache, before the first clock starts
    for budget in BUDGETS:
        for seats in (2, 4, 10):
            yield budget_row(budget, seats, decisions(Searching(seconds=budget), seats, 20 if quick else 200))


def budget_row(budget: float, seats: int, took: Sequence[float]) -> Row:
    """How well it kept to its time, by all of its decisions."""
    kept = sum(abs(each / budget - 1) <= KEPT for each in took) / len(took)
    shares = {"median": median(took), "p95": took[int(0.95 * len(took))], "longest": took[-1]}
    told = ", ".join(f"{name} {100 * each / budget:.0f} %" for name, each in shares.items())
    return Row(
        f"a decision of the Master at {1e3 * budget:.0f} ms, {seats} seats",
        f"{100 * kept:.1f} % of {len(took):,} decisions within 20 %; of its time: {told}",
        bar=f"≥ {100 * OFTEN:.0f} % within 20 %",
        passed=kept >= OFTEN,
    )
