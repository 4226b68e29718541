"""A fair queue of questions for one worker: round robin over tables, cheap questions first.

Round robin keeps a table with many bots, or somebody with many tables, from delaying the others.  Questions without a
search go first, as a thousand of them cost as much as one search.  A search that has waited too long is left to a
plainer bot, so that nothing starves.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain

from ...bots.registry import INSTEAD, needs_search
from ...wire.parts import Substitute, SubstituteReason
from .port import Question

LONGEST_WAIT = 2.0  # seconds, for a search


@dataclass(slots=True, eq=False)
class PendingQuestion:
    number: int
    question: Question
    at: float  # when it was asked
    answer: asyncio.Future[int]
    tries: int = 0  # workers that were lost over it
    sent: bool = False  # a worker has got it, and may have thought about it
    substitute: Substitute | None = None  # who is asked in the place of its level

    @property
    def table(self) -> str:
        return self.question.who.partition("/")[0]

    def leave_to_another(self, reason: SubstituteReason) -> None:
        """A plainer bot is asked."""
        self.question = replace(self.question, level=INSTEAD)
        self.substitute = Substitute(INSTEAD, reason)


class RoundRobin:
    """A queue for each table, served in turn."""

    def __init__(self) -> None:
        self._queues: OrderedDict[str, deque[PendingQuestion]] = OrderedDict()

    def __iter__(self) -> Iterator[PendingQuestion]:
        return (pending for waiting in self._queues.values() for pending in waiting)

    def add(self, pending: PendingQuestion) -> None:
        self._queues.setdefault(pending.table, deque()).append(pending)

    def next(self) -> PendingQuestion | None:
        if not self._queues:
            return None
        table, waiting = self._queues.popitem(last=False)
        pending = waiting.popleft()
        if waiting:
            self._queues[table] = waiting
        return pending

    def remove(self, pending: PendingQuestion) -> None:
        waiting = self._queues[pending.table]
        waiting.remove(pending)
        if not waiting:
            del self._queues[pending.table]


class QuestionQueue:
    def __init__(self) -> None:
        self._again: deque[PendingQuestion] = deque()
        self._plain = RoundRobin()
        self._searching = RoundRobin()
        self._by_age: dict[PendingQuestion, None] = {}  # those that need a search, oldest first

    def __iter__(self) -> Iterator[PendingQuestion]:
        """All that wait."""
        return chain(self._again, self._plain, self._searching)

    def add(self, pending: PendingQuestion) -> None:
        if needs_search(pending.question.level):
            self._searching.add(pending)
            self._by_age[pending] = None
        else:
            self._plain.add(pending)

    def add_again(self, pending: PendingQuestion) -> None:
        """It was in flight when its worker was lost."""
        self._again.append(pending)

    def next(self, now: float) -> PendingQuestion | None:
        """The next question whose caller still waits."""
        self._hurry(now)
        while pending := self._next():
            if not pending.answer.done():
                return pending
        return None

    def tidy(self) -> None:
        """Drop questions whose callers have given up."""
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
        """Leave searches that have waited too long to a plainer bot."""
        while self._by_age and now - (pending := next(iter(self._by_age))).at > LONGEST_WAIT:
            del self._by_age[pending]
            self._searching.remove(pending)
            if not pending.answer.done():
                pending.leave_to_another("busy")
                self._plain.add(pending)
