"""The summary of any number of matches: exact sums and histograms, from which ``intervals`` computes estimates.

Its size does not depend on the number of matches.  Merging is associative and commutative, so the sharding of a run
does not change the result.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...bulk import rows
from ...bulk.batches import IntArray
from . import histograms, intervals
from .intervals import Estimate, Sums
from .measures import BY_SEAT, COLUMNS, Measure, column_of, measures, sums_of

# name of a histogram: how it is counted in a table of whole matches
_HISTOGRAMS: dict[str, Callable[[IntArray], IntArray]] = {
    "decisions_of_round": lambda table: histograms.count(table[:, rows.DECISIONS]),
    "points_of_round": lambda table: histograms.count(table[table[:, rows.WINNER] >= 0, rows.POINTS]),
    "rounds_of_match": lambda table: histograms.count(table[table[:, rows.WON_BY] != 0, rows.ROUND]),
    "dark_share_of_round": lambda table: histograms.count_shares(
        table[:, rows.DARK_DECISIONS], table[:, rows.DECISIONS]
    ),
}


def products(one: IntArray, other: IntArray) -> Any:
    """The dot products of the rows, as Python integers."""
    return np.einsum("ij,ij->i", one, other).astype(object)


class Summary:
    def __init__(self, players: int) -> None:
        self.players = players
        self.measures = measures(players)
        self._tops = [column_of(m.top, players, m.place or 0) for m in self.measures]
        self._bottoms = [column_of(m.bottom, players) for m in self.measures]
        # Python integers: they don't overflow
        self._totals = np.zeros(len(COLUMNS) + len(BY_SEAT) * players, object)
        self._squares = np.zeros((3, len(self.measures)), object)
        self.histograms: dict[str, Any] = {
            name: np.zeros(histograms.SHARES if "share" in name else histograms.BINS, np.int64) for name in _HISTOGRAMS
        }

    # ------------------------------------------------------------ counting
    def add(self, table: IntArray) -> None:
        """Add a table of whole matches."""
        self.add_sums(sums_of(table, self.players))
        for name, counted in _HISTOGRAMS.items():
            self.histograms[name] += counted(table)

    def add_sums(self, sums: IntArray) -> None:
        tops, bottoms = self.divide(sums)
        self._totals += sums.sum(axis=1).astype(object)
        for i, (one, other) in enumerate(((tops, tops), (tops, bottoms), (bottoms, bottoms))):
            self._squares[i] += products(one, other)

    def divide(self, sums: IntArray) -> tuple[IntArray, IntArray]:
        """Numerators and denominators of all measures, match by match."""
        return sums[self._tops], sums[self._bottoms]

    def merge(self, other: Summary) -> None:
        if other.players != self.players:
            raise ValueError(f"{other.players} players can't be added to {self.players}")
        self._totals += other._totals
        self._squares += other._squares
        for name in self.histograms:
            self.histograms[name] += other.histograms[name]

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return (
            self.players == other.players
            and bool((self._totals == other._totals).all() and (self._squares == other._squares).all())
            and all((self.histograms[name] == other.histograms[name]).all() for name in self.histograms)
        )

    __hash__ = None  # type: ignore[assignment]  # mutable

    # ------------------------------------------------------------ reading
    @property
    def matches(self) -> int:
        return self.total("matches")

    @property
    def rounds(self) -> int:
        return self.total("rounds")

    @property
    def decisions(self) -> int:
        return self.total("decisions")

    def played(self) -> tuple[int, int, int]:
        """Matches, rounds and decisions."""
        return self.matches, self.rounds, self.decisions

    def total(self, name: str, place: int = 0) -> int:
        return int(self._totals[column_of(name, self.players, place)])

    def sums(self, measure: Measure) -> Sums:
        i = self.measures.index(measure)
        squares = (int(number) for number in self._squares[:, i])
        return Sums(self.matches, self._totals[self._tops[i]], self._totals[self._bottoms[i]], *squares)

    def estimate(self, measure: Measure) -> Estimate:
        sums = self.sums(measure)
        return intervals.share(sums) if measure.share else intervals.mean(sums)

    def win_rate(self) -> list[float | None]:
        """Share of matches won, by seat; a shared win counts in equal parts."""
        return [self.estimate(m).value for m in self.measures if m.key == "match_win_rate"]

    def figures(self) -> dict[str, Any]:
        """Every estimate for JSON: a list where there is one per seat or place."""
        found: dict[str, Any] = {}
        for measure in self.measures:
            figure = self.estimate(measure).to_dict()
            if measure.place is None:
                found[measure.key] = figure
            else:
                found.setdefault(measure.key, []).append(figure)
        return found

    def histograms_to_dict(self) -> dict[str, list[list[int | float]]]:
        """[lower bound, count] of every bin that is not empty."""
        found: dict[str, list[list[int | float]]] = {}
        for name, counts in self.histograms.items():
            starts = [i / histograms.SHARES if "share" in name else histograms.start_of(i) for i in range(len(counts))]
            found[name] = [[start, int(n)] for start, n in zip(starts, counts, strict=True) if n]
        return found
