"""A dictionary with a bound: what is kept for each client must not grow with the number of clients."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class BoundedDict(dict[Key, Value]):
    """A dict of at most ``most`` items: a new one beyond that evicts the first, but never itself.

    Assigning a known key keeps its place, so that the oldest item goes first (FIFO).  ``recent`` moves its key to the
    end: where every lookup goes through it, the least recently used item goes first (LRU).  With ``size``, it is the
    sum of the sizes that is bounded.
    """

    __slots__ = ("_size", "most")

    def __init__(self, most: int, size: Callable[[Value], int] | None = None) -> None:
        super().__init__()
        self.most = most
        self._size = size

    def __setitem__(self, key: Key, value: Value) -> None:
        super().__setitem__(key, value)
        if self._size is not None or len(self) > self.most:
            self._evict()

    def recent(self, key: Key) -> Value | None:
        """The value, if there is one, as the most recently used."""
        value = self.pop(key, None)
        if value is not None:
            super().__setitem__(key, value)
        return value

    def _evict(self) -> None:
        while len(self) > 1 and self._total() > self.most:
            del self[next(iter(self))]

    def _total(self) -> int:
        return len(self) if self._size is None else sum(map(self._size, self.values()))
