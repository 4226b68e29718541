"""Waking a table: its entries are replayed in slices, with everybody else's turn between them.

A journal is short as a rule (``shortener``), and is replayed on the event loop.  A long one (its snapshot can't be
read, or it is from before there were any) is replayed in a thread (``slices``).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from ...core.errors import Refusal
from ..journal import Damaged, StoredSnapshot
from ..slices import SlicedWork, finish_in_slices
from . import snapshot
from .entries import apply, begin, decode, version_of
from .observing import Observed, RoundObserver
from .state import MOST_MISSED, TableState

SLICE_SECONDS = 0.002
# More than a journal with a readable snapshot has.  As many take some 25 ms of the loop.
LONG = 1500
# Entries that were damaged before they had checksums: no JSON, no such entry, a move that the rules refuse.  Any other
# error is a fault of the server.
NONSENSE = (msgspec.MsgspecError, UnicodeDecodeError, Refusal)

LARGE = 100_000  # bytes of a snapshot: as many take half a millisecond, and at most there are 700,000


class Replayed(NamedTuple):
    """A table as its entries make it; after a long replay with a snapshot to keep, so that it was the last."""

    state: TableState
    snapshot: StoredSnapshot | None = None
    observed: Observed = MappingProxyType({})


class Replayer:
    """One for all tables of a server, so that several that wake at once share the slices of one."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()  # first come, first served: a long journal does not keep a short one waiting
        self._thread = ThreadPoolExecutor(1, "waking")

    async def restore(self, stored: bytes) -> TableState | None:
        """The table of a snapshot; None if it can't be read."""
        if len(stored) > LARGE:
            return await asyncio.get_running_loop().run_in_executor(self._thread, snapshot.from_bytes, stored)
        return snapshot.from_bytes(stored)

    async def replay(self, bodies: Sequence[bytes], start: TableState | None = None, code: str = "") -> Replayed:
        """The table that the entries make, from the beginning or from a state; Damaged if one makes no sense."""
        if len(bodies) > LONG:
            return await asyncio.get_running_loop().run_in_executor(
                self._thread, finish_in_slices, replay_long(bodies, start, code)
            )
        rest = iter(bodies)
        state = _begin(code, next(rest)) if start is None else start
        observer = RoundObserver(len(state.seats), len(bodies) - (start is None))
        clock = asyncio.get_running_loop().time
        more = True
        while more:
            async with self._turn:
                more = _replay_slice(state, rest, observer, clock)
                await asyncio.sleep(0)  # still its turn: others that wake wait for the next iteration of the loop
        return Replayed(state, None, observer.observed(state))

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)


def replay_long(bodies: Sequence[bytes], start: TableState | None = None, code: str = "") -> SlicedWork[Replayed]:
    """The same in slices.  The snapshot is of where those who come back may have been (``MOST_MISSED``)."""
    rest = iter(bodies)
    state = _begin(code, next(rest)) if start is None else start
    newest = state.version + len(bodies) - (start is None)
    observer = RoundObserver(len(state.seats), newest - state.version)
    stored = None
    for body in rest:
        _apply(state, body, observer)
        yield
        if state.version == newest - MOST_MISSED:
            stored = StoredSnapshot(state.version, snapshot.to_bytes(snapshot.take(state)))
            yield
    return Replayed(state, stored, observer.observed(state))


def _replay_slice(
    state: TableState, bodies: Iterator[bytes], observer: RoundObserver, clock: Callable[[], float]
) -> bool:
    """Whether there may be more."""
    end = clock() + SLICE_SECONDS
    for body in bodies:
        _apply(state, body, observer)
        if clock() >= end:
            return True
    return False


def version_in(code: str, first: bytes) -> int:
    """The version of the journal that begins with this entry; Damaged if it can't be read."""
    try:
        return version_of(first)
    except NONSENSE as error:
        raise Damaged(code, 1) from error


def _begin(code: str, first: bytes) -> TableState:
    try:
        return begin(decode(first))
    except NONSENSE as error:
        raise Damaged(code, 1) from error


def _apply(state: TableState, body: bytes, observer: RoundObserver) -> None:
    version = state.version
    try:
        observer.note(state, apply(state, decode(body)))
    except NONSENSE as error:
        raise Damaged(state.code, version + 1) from error
