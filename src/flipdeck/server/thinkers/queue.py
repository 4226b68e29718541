"""Whose question a worker thinks about next, where there are more than it can think about at once.

Tables take turns, so that one with many bots, or somebody with many tables, can't keep the others waiting.  Questions
that take no search go first: there are a thousand of them to one of the Master's.  One that needs a search and has
waited too long is asked of a plainer bot and goes with those, so that everybody comes to their turn.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain

from ...bots.registry import INSTEAD, searches
from .port import Question

LONGEST_WAIT = 2.0  # seconds, for a search
needs_search = lru_cache(100)(searches)  # which looks for packages on the disk


@dataclass(slots=True, eq=False)
class Asked:
    number: int
    question: Question
    at: float  # when
    answer: asyncio.Future[int]
    tries: int = 0  # workers that were lost over it

    @property
    def table(self) -> str:
        return self.question.who.partition("/")[0]


class Ring:
    """One of each table, and then the next of each."""

    def __init__(self) -> None:
        self._lines: OrderedDict[str, deque[Asked]] = OrderedDict()

    def __iter__(self) -> Iterator[Asked]:
        return (asked for line in self._lines.values() for asked in line)

    def add(self, asked: Asked) -> None:
        self._lines.setdefault(asked.table, deque()).append(asked)

    def next(self) -> Asked | None:
        if not self._lines:
            return None
        table, line = self._lines.popitem(last=False)
        asked = line.popleft()
        if line:
            self._lines[table] = line
        return asked

    def remove(self, asked: Asked) -> None:
        line = self._lines[asked.table]
        line.remove(asked)
        if not line:
            del self._lines[asked.table]


class Turns:
    def __init__(self) -> None:
        self.hurried = 0  # how many were asked of a plainer bot
        self._again: deque[Asked] = deque()
        self._plain = Ring()
        self._searching = Ring()
        self._by_age: dict[Asked, None] = {}  # those that need a search

    def __iter__(self) -> Iterator[Asked]:
        """All who wait."""
        return chain(self._again, self._plain, self._searching)

    def add(self, asked: Asked) -> None:
        if needs_search(asked.question.level):
            self._searching.add(asked)
            self._by_age[asked] = None
        else:
            self._plain.add(asked)

    def add_again(self, asked: Asked) -> None:
        """It was being asked when the worker was lost."""
        self._again.append(asked)

    def next(self, now: float) -> Asked | None:
        """Who is asked now; those whom nobody waits for any more are left out."""
        self._hurry(now)
        while asked := self._next():
            if not asked.answer.done():
                return asked
        return None

    def tidy(self) -> None:
        """Nothing is kept of those whom nobody waits for any more."""
        again, others = list(self._again), [*self._plain, *self._searching]
        self._again.clear()
        self._by_age.clear()
        self._plain, self._searching = Ring(), Ring()
        self._again.extend(asked for asked in again if not asked.answer.done())
        for asked in others:
            if not asked.answer.done():
                self.add(asked)

    def _next(self) -> Asked | None:
        if self._again:
            return self._again.popleft()
        asked = self._plain.next()
        if asked is None:
            asked = self._searching.next()
            if asked is not None:
                del self._by_age[asked]
        return asked

    def _hurry(self, now: float) -> None:
        """Those who have waited too long for a search."""
        while self._by_age and now - (asked := next(iter(self._by_age))).at > LONGEST_WAIT:
            del self._by_age[asked]
            self._searching.remove(asked)
            if not asked.answer.done():
                asked.question = replace(asked.question, level=INSTEAD)
                self._plain.add(asked)
                self.hurried += 1
