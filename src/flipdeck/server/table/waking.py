"""Waking a table: its entries are replayed on the event loop in slices, with everybody else's turn between them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator

import msgspec

from ...core.errors import Refusal
from ..journal import Damaged
from .entries import apply, begin, decode, version_of
from .state import TableState

SLICE_SECONDS = 0.002
# Entries that were damaged before they had checksums: no JSON, no such entry, a move that the rules refuse.  Any other
# error is a fault of the server.
NONSENSE = (msgspec.MsgspecError, UnicodeDecodeError, Refusal)


class Replayer:
    """One for all tables of a server, so that several that wake at once share the slices of one."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()  # first come, first served: a long journal does not keep a short one waiting

    async def replay(self, bodies: Iterable[bytes], start: TableState | None = None, code: str = "") -> TableState:
        """The table that the entries make, from the beginning or from a state; Damaged if one makes no sense."""
        rest = iter(bodies)
        state = _begin(code, next(rest)) if start is None else start
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
            version = state.version
            try:
                apply(state, decode(body))
            except NONSENSE as error:
                raise Damaged(state.code, version + 1) from error
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
