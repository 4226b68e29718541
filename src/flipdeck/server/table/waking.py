"""Waking a table: its entries are replayed on the event loop in slices, with everybody else's turn between them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator

from .entries import apply, begin, decode
from .state import TableState

SLICE_SECONDS = 0.002


class Replayer:
    """One for all tables of a server, so that several that wake at once share the slices of one."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()  # first come, first served: a long journal does not keep a short one waiting

    async def replay(self, bodies: Iterable[bytes], start: TableState | None = None) -> TableState:
        """The table that the entries make, from the beginning or from a state."""
        rest = iter(bodies)
        state = begin(decode(next(rest))) if start is None else start
        more = True
        while more:
            async with self._turn:
                more = self._replay_slice(state, rest)
                await asyncio.sleep(0)  # still its turn: others that wake wait for the next iteration of the loop
        return state

    def _replay_slice(self, state: TableState, bodies: Iterator[bytes]) -> bool:
        """Whether there may be more."""
        clock = asyncio.get_running_loop().time
        end = clock() + SLICE_SECONDS
        for body in bodies:
            apply(state, decode(body))
            if clock() >= end:
                return True
        return False
