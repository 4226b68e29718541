"""The standings of an arena: wins of each bot against each other, wins by place, turns per round.

The 95 % confidence interval of a share takes deals as independent trials (``intervals``): the rounds of a deal share
its cards.  A round without a winner counts as played.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ....bulk.batches import IntArray
from ...run.arena import Arena
from ...stats import intervals
from ...stats.histograms import quantile_of
from ...stats.intervals import Estimate, Sums
from ...stats.tally import COLUMNS, DEAL, DEALER, GIVEN_UP, SHIFT, TURNS, WINNER, Tally


@dataclass(frozen=True)
class Score:
    """Rounds won, of the rounds played."""

    wins: int
    rounds: int
    share: Estimate

    def to_dict(self) -> dict[str, Any]:
        return {
            "wins": self.wins,
            "rounds": self.rounds,
            "win_rate": self.share.value,
            "interval": [self.share.low, self.share.high],
        }


class Standings:
    def __init__(self, arena: Arena, tally: Tally) -> None:
        self.arena = arena
        self.tally = tally
        table = tally.table
        ordered = table[np.lexsort((table[:, SHIFT], table[:, DEAL]))]
        self._deals = ordered.reshape(-1, arena.seats, table.shape[1])  # deal, shift, column
        self._table_of = self._deals[:, 0, DEAL] % len(arena.tables)
        winner, shift = self._deals[:, :, WINNER], self._deals[:, :, SHIFT]
        sitting = np.array(arena.tables, np.int64)[self._table_of]
        who = np.take_along_axis(sitting, (winner - shift) % arena.seats, axis=1)
        self._won_by = np.where(winner >= 0, who, -1)  # deal, shift: the bot

    # ------------------------------------------------------------ who won
    def score(self, bot: int, among: int = 1) -> Score:
        """The score of a bot over its rounds: in a league of three or more seats, those it plays alone against copies.

        The interval holds for ``among`` bots simultaneously.
        """
        tables = [i for i, table in enumerate(self.arena.tables) if self._counts_for(bot, table)]
        return self._score(bot, tables, among)

    def against(self, bot: int, other: int) -> Score | None:
        """The score of a bot against another; None where they never meet."""
        tables = [i for i, table in enumerate(self.arena.tables) if self._counts_for(bot, table) and other in table]
        return self._score(bot, tables) if tables and bot != other else None

    def _counts_for(self, bot: int, table: tuple[int, ...]) -> bool:
        return table[0] == bot if self.arena.league and self.arena.seats > 2 else bot in table

    def _score(self, bot: int, tables: list[int], among: int = 1) -> Score:
        return self._estimate_share((self._won_by[np.isin(self._table_of, tables)] == bot).sum(axis=1), among)

    def _estimate_share(self, wins: Any, among: int = 1) -> Score:
        """From the rounds won in each deal."""
        seats, deals, top = self.arena.seats, len(wins), int(wins.sum())
        sums = Sums(deals, top, seats * deals, int((wins * wins).sum()), seats * top, seats * seats * deals)
        return Score(top, seats * deals, intervals.share(sums, among))

    @cached_property
    def scores(self) -> list[Score]:
        return [self.score(bot) for bot in range(len(self.arena.bots))]

    @property
    def in_pairs(self) -> bool:
        """Whether bots met in pairs, so that the matrix has a column per bot; else all sat at one table."""
        return self.arena.league or self.arena.seats == 2

    @cached_property
    def matrix(self) -> list[list[Score | None]]:
        """One row per bot: its score against each other bot, or at the one table where all sat."""
        if not self.in_pairs:
            return [[score] for score in self.scores]
        numbers = range(len(self.arena.bots))
        return [[self.against(bot, other) for other in numbers] for bot in numbers]

    @property
    def labels(self) -> list[str]:
        """The names of the bots, numbered where a name occurs twice."""
        many, seen = Counter(self.arena.bots), Counter[str]()
        labels = []
        for name in self.arena.bots:
            seen[name] += 1
            labels.append(f"{name} ({seen[name]})" if many[name] > 1 else name)
        return labels

    def rounds_in_order(self) -> Iterator[tuple[list[str], int | None]]:
        """Every round: the bots by seat, and the seat that won."""
        names = self.arena.bots
        for rows in self._deals.tolist():
            for row in rows:
                seating = self.arena.seating(row[DEAL], row[SHIFT])
                yield [names[bot] for bot in seating], None if row[WINNER] < 0 else row[WINNER]

    def lines_of_table(self) -> Iterator[str]:
        """CSV, one line per round; bots and seats are numbers."""
        yield ",".join(("table", *COLUMNS, "won_by", *(f"seat_{seat}" for seat in range(self.arena.seats))))
        for table, rows, winners in zip(
            self._table_of.tolist(), self._deals.tolist(), self._won_by.tolist(), strict=True
        ):
            for row, won_by in zip(rows, winners, strict=True):
                yield ",".join(map(str, (table, *row, won_by, *self.arena.seating(row[DEAL], row[SHIFT]))))

    # ------------------------------------------------------------ the rest
    @cached_property
    def places(self) -> list[Score]:
        """Rounds won from each place, clockwise from the dealer; every bot sat in each equally often."""
        winner, dealer = self._deals[:, :, WINNER], self._deals[:, :, DEALER]
        place = np.where(winner >= 0, (winner - dealer) % self.arena.seats, -1)
        return [self._estimate_share((place == wanted).sum(axis=1)) for wanted in range(self.arena.seats)]

    @property
    def turns_of_rounds(self) -> IntArray:
        return self._deals[:, :, TURNS].ravel()

    @property
    def turns(self) -> dict[str, float | int]:
        """Turns per round: mean, median, 95th percentile and maximum."""
        turns = self.turns_of_rounds
        counts = Counter(turns.tolist())
        return {
            "mean": float(turns.mean()) if len(turns) else 0.0,
            "p50": quantile_of(counts, 0.5),
            "p95": quantile_of(counts, 0.95),
            "most": max(counts, default=0),
        }

    @property
    def given_up(self) -> int:
        return int(self._deals[:, :, GIVEN_UP].sum())

    @property
    def void(self) -> int:
        """Rounds without a winner that were not abandoned."""
        return int((self._deals[:, :, WINNER] < 0).sum()) - self.given_up
