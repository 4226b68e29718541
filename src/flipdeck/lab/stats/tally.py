"""What is kept of the rounds of an arena: a row a round, and for each bot what it cost and what it did wrong.

Tallies of parts add up; a row has the number of its deal, so it does not matter who played it.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...bulk.batches import IntArray
from .histograms import bin_of, quantile_of, start_of

# ``shift`` tells by how many seats the bots have moved on, ``winner`` is a seat, or -1 where nobody won
COLUMNS = ("deal", "shift", "dealer", "winner", "turns", "given_up")
DEAL, SHIFT, DEALER, WINNER, TURNS, GIVEN_UP = range(len(COLUMNS))


@dataclass
class Cost:
    """Of one bot: how often and how long it thought on turn, and its faults by their kind."""

    decisions: int = 0
    nanoseconds: int = 0
    times: Counter[int] = field(default_factory=Counter)  # decisions, by the bin of their nanoseconds
    faults: Counter[str] = field(default_factory=Counter)

    def merge(self, other: Cost) -> None:
        self.decisions += other.decisions
        self.nanoseconds += other.nanoseconds
        self.times.update(other.times)
        self.faults.update(other.faults)

    @property
    def mean(self) -> float | None:
        """Microseconds a decision."""
        return self.nanoseconds / self.decisions / 1000 if self.decisions else None

    @property
    def p95(self) -> float | None:
        """Microseconds that 19 in 20 decisions stay below, good to 1 in 32."""
        return start_of(quantile_of(self.times, 0.95)) / 1000 if self.decisions else None


class Tally:
    def __init__(self, bots: int) -> None:
        self.costs = [Cost() for _ in range(bots)]
        self._rows = array("q")

    # ------------------------------------------------------------ counting
    def add_round(self, deal: int, shift: int, dealer: int, winner: int, turns: int, given_up: bool) -> None:
        self._rows.extend((deal, shift, dealer, winner, turns, given_up))

    def add_decision(self, bot: int, nanoseconds: int) -> None:
        cost = self.costs[bot]
        cost.decisions += 1
        cost.nanoseconds += nanoseconds
        cost.times[bin_of(nanoseconds)] += 1

    def add_faults(self, bot: int, faults: Mapping[str, int]) -> None:
        self.costs[bot].faults.update(faults)

    def merge(self, other: Tally) -> None:
        if len(other.costs) != len(self.costs):
            raise ValueError(f"a tally of {len(other.costs)} bots can't be added to one of {len(self.costs)}")
        self._rows.extend(other._rows)
        for mine, theirs in zip(self.costs, other.costs, strict=True):
            mine.merge(theirs)

    # ------------------------------------------------------------ reading
    @property
    def table(self) -> IntArray:
        """A row a round."""
        return np.array(self._rows, np.int64).reshape(-1, len(COLUMNS))

    @property
    def rounds(self) -> int:
        return len(self._rows) // len(COLUMNS)

    @property
    def matches(self) -> int:
        """Deals: what is independent."""
        return int((self.table[:, SHIFT] == 0).sum())

    # ------------------------------------------------------------ as JSON
    def to_dict(self) -> dict[str, Any]:
        costs = [[c.decisions, c.nanoseconds, sorted(c.times.items()), sorted(c.faults.items())] for c in self.costs]
        return {"rounds": self.table.tolist(), "costs": costs}

    @classmethod
    def from_dict(cls, told: Mapping[str, Any]) -> Tally:
        """A ValueError, TypeError or LookupError where it is none."""
        tally = cls(len(told["costs"]))
        for row in told["rounds"]:
            tally.add_round(*row)
        tally.costs = [
            Cost(decisions, spent, _counter(times), _counter(faults))
            for decisions, spent, times, faults in told["costs"]
        ]
        return tally


def _counter(items: list[tuple[Any, int]]) -> Counter[Any]:
    return Counter({key: int(many) for key, many in items})
