"""Where tables are kept: the port.  One file a backend beside this one, one contract test over all of them.

A table is the list of its entries, and nothing else: ``append`` adds one under the next number, ``load`` gives them
back in order.  When ``append`` returns, the entry outlives a crash; when it raises, the entry may not be there, and
``load`` tells which.

Whoever plays a table owns it: ``claim`` gives out an epoch, higher than any before, for as long as the lease runs, and
an entry that comes with an older epoch is turned away (``Fenced``), so that two servers never write one table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol


class JournalError(Exception):
    """The journal did not do what was asked."""


class Unavailable(JournalError):  # noqa: N818
    """It can't write or read now: a full disk, a lost database."""


class Fenced(JournalError):  # noqa: N818
    """Another owner has claimed the table since."""


class SequenceConflict(JournalError):  # noqa: N818
    """The entry's number is taken already, or would leave a gap."""


class Leased(JournalError):  # noqa: N818
    """Another owner's lease on the table still runs."""


@dataclass(frozen=True, slots=True)
class Clock:
    """How much time was left when it was last noted, at which entry."""

    seq: int
    left_ms: int


class ReplayPlayer(NamedTuple):
    """Who sat in a seat when a match was over."""

    name: str
    level: str | None = None  # of a bot


class StoredReplay(NamedTuple):
    """A match that is over: the name it is asked for by, its record, and who played it, by seat."""

    name: str
    record: str
    players: Sequence[ReplayPlayer] = ()


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A table as it was taken up: ours under this epoch, with all its entries."""

    epoch: int
    entries: list[bytes]
    clock: Clock | None


class Journal(Protocol):
    async def open(self) -> None:
        """Connect; Unavailable says why that can't be, such as a file of another version."""
        ...

    async def close(self) -> None:
        """Finish what was begun; nothing may be asked afterwards."""
        ...

    async def claim(self, table: str, owner: str, seconds: float) -> int:
        """Own a table, new or known: its new epoch.  The same owner may claim again; Leased if it is another's."""
        ...

    async def take_up(self, table: str, owner: str, seconds: float) -> StoredTable | None:
        """Claim a table that has entries, and load it; None if there is none.  Leased if it is another's."""
        ...

    async def renew(self, claims: Mapping[str, int], seconds: float) -> list[str]:
        """Prolong leases, table by epoch; the tables that are no longer ours."""
        ...

    async def release(self, table: str, epoch: int) -> None:
        """Let another owner have it; nothing happens if one has it already."""
        ...

    async def append(self, table: str, epoch: int, seq: int, body: bytes, replay: StoredReplay | None = None) -> None:
        """Entry number ``seq``, counted from 1 without a gap; durable on return.

        With the entry that ends a match comes its replay: both are kept, or none of them.
        """
        ...

    async def load(self, table: str) -> list[bytes]:
        """All entries in order; none for a table that isn't there."""
        ...

    async def exists(self, table: str) -> bool: ...

    async def note_clocks(self, clocks: Mapping[str, Clock]) -> None:
        """What is left on running clocks; the last note counts."""
        ...

    async def clock(self, table: str) -> Clock | None: ...

    async def keep_replay(self, name: str, record: str, players: Sequence[ReplayPlayer] = ()) -> None:
        """Keep the record of a match that is over, and who played it; to keep it again changes nothing."""
        ...

    async def replay(self, name: str) -> str | None: ...

    async def replay_players(self, name: str) -> list[ReplayPlayer]:
        """Who played, by seat; none where that was not kept."""
        ...

    async def prune(self, older_seconds: float) -> int:
        """Forget tables nobody has claimed, prolonged or released for so long, and replays as old; how many."""
        ...

    async def check(self) -> None:
        """Really write something; Unavailable if that can't be."""
        ...
