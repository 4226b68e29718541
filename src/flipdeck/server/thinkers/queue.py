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
class PendingQuestion:
    number: int
    question: Question
    at: float  # when
    answer: asyncio.Future[int]
    tries: int = 0  # workers that were lost over it

    @property
    def table(self) -> str:
        return self.question.who.partition("/")[0]


class RoundRobin:
    """One of each table, and then the next of each."""

    def __init__(self) -> None:
        self._lines: OrderedDict[str, deque[PendingQuestion]] = OrderedDict()

    def __iter__(self) -> Iterator[PendingQuestion]:
        return (pending for line in self._lines.values() for pending in line)

    def add(self, pending: PendingQuestion) -> None:
        self._lines.setdefault(pending.table, deque()).append(pending)

    def next(self) -> PendingQuestion | None:
        if not self._lines:
            return None
        table, line = self._lines.popitem(last=False)
        pending = line.popleft()
        if line:
            self._lines[table] = line
        return pending

    def remove(self, pending: PendingQuestion) -> None:
        line = self._lines[pending.table]
        line.remove(pending)
        if not line:
            del self._lines[pending.table]


class QuestionQueue:
    def __init__(self) -> None:
        self.hurried = 0  # how many were asked of a plainer bot
        self._again: deque[PendingQuestion] = deque()
        self._plain = RoundRobin()
        self._searching = RoundRobin()
        self._by_age: dict[PendingQuestion, None] = {}  # those that need a search

    def __iter__(self) -> Iterator[PendingQuestion]:
        """All who wait."""
        return chain(self._again, self._plain, self._searching)

    def add(self, pending: PendingQuestion) -> None:
        if needs_search(pending.question.level):
            self._searching.add(pending)
            self._by_age[pending] = None
        else:
            self._plain.add(pending)

    def add_again(self, pending: PendingQuestion) -> None:
        """It was being asked when the worker was lost."""
        self._again.append(pending)

    def next(self, now: float) -> PendingQuestion | None:
        """Who is asked now; those whom nobody waits for any more are left out."""
        self._hurry(now)
        while pending := self._next():
            if not pending.answer.done():
                return pending
        return None

    def tidy(self) -> None:
        """Nothing is kept of those whom nobody waits for any more."""
        again, others = list(self._again), [*self._plain, *self._searching]
        self._again.clear()
        self._by_age.clear()
        self._plain, self._searching = RoundRobin(), RoundRobin()
        self._again.extend(pending for pending in again if not pending.answer.done())
        for pending in others:
            if not pending.answer.done():
                self.add(pending)

    def _next(self) -> PendingQuestion | None:
        if self._again:
            return self._again.popleft()
        pending = self._plain.next()
        if pending is None:
            pending = self._searching.next()
            if pending is not None:
                del self._by_age[pending]
        return pending

    def _hurry(self, now: float) -> None:
        """Those who have waited too long for a search."""
        while self._by_age and now - (pending := next(iter(self._by_age))).at > LONGEST_WAIT:
            del self._by_age[pending]
            self._searching.remove(pending)
            if not pending.answer.done():
                pending.question = replace(pending.question, level=INSTEAD)
                self._plain.add(pending)
                self.hurried += 1
