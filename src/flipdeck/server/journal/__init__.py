"""The journal port: durable storage of tables.  One file a backend beside this one, one contract test over all of them.

A table is the list of its entries, and nothing else: ``append`` adds one under the next number, ``load`` returns them
in order.  When ``append`` returns, the entry outlives a crash; when it raises, the entry may not be there, and ``load``
tells which.

A journal stays short in two ways.  ``compact`` replaces the entries up to a number by one that says the same, for good.
A snapshot (``keep_snapshot``) is a cache: whoever can't read it loads the entries instead.

Ownership is a lease with a fencing token.  A server is a node and has one lease, whatever the number of its tables;
it goes by the journal's clock, never by the node's.  ``claim`` makes a table the node's and returns an epoch, higher
than any before; an entry that comes with an older epoch is refused (``Fenced``), so that two servers never write one
table.  The tables of a node whose lease has ended are anybody's, and such a node can't renew: it begins again under
another name.

A journal knows when it is hurt.  What is read is checked against its checksum and its place: an entry that is not what
was written, or is missing, is ``Damaged``, and nothing is claimed or changed by finding that out.  Storage that is not
what was opened any more (``Displaced``) acknowledges nothing.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol


class JournalError(Exception):
    """A journal operation failed."""


class Unavailable(JournalError):  # noqa: N818
    """It can't write or read now: a full disk, a lost database."""


class Displaced(Unavailable):
    """The storage is no longer what was opened, such as a file that was deleted or overwritten; until the next start.

    ``why`` is a word for the log, the text a sentence for whoever runs the server.
    """

    def __init__(self, why: str, sentence: str) -> None:
        super().__init__(sentence)
        self.why = why


class Damaged(JournalError):  # noqa: N818
    """What is stored is not what was written: an entry of a table, or (number 0) a replay or where it is stored."""

    def __init__(self, name: str, seq: int = 0) -> None:
        super().__init__(f"Entry {seq} of {name} is damaged." if seq else f"What is stored of {name} is damaged.")
        self.name = name
        self.seq = seq


class Fenced(JournalError):  # noqa: N818
    """Another owner has claimed the table since."""


class SequenceConflict(JournalError):  # noqa: N818
    """The entry's number is not the next one: it exists already, or would leave a gap."""


class Leased(JournalError):  # noqa: N818
    """The table belongs to another node, whose lease runs."""


class LeaseEnded(JournalError):  # noqa: N818
    """The node's own lease has ended: others may have its tables."""


@dataclass(frozen=True, slots=True)
class Clock:
    """A saved turn clock: the time left, and the entry at which it was saved."""

    seq: int
    left_ms: int


class ReplayPlayer(NamedTuple):
    """Who sat in a seat when a match was over."""

    name: str
    level: str | None = None  # of a bot


class StoredReplay(NamedTuple):
    """A finished match: its name, its record, and who played it, by seat."""

    name: str
    record: str
    players: Sequence[ReplayPlayer] = ()


class StoredSnapshot(NamedTuple):
    """A table as it was after an entry, for whoever can read it."""

    seq: int
    body: bytes


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A table claimed under this epoch: a snapshot and the entries after it, or all entries."""

    epoch: int
    entries: list[bytes]
    clock: Clock | None
    snapshot: StoredSnapshot | None = None


class StoredBan(NamedTuple):
    """An address that the operator keeps out."""

    key: str  # a keyed hash of the address
    seconds: float  # from now on
    why: str = ""  # the operator's note to themselves


class Renewal(NamedTuple):
    """What a node learns when its lease begins or is renewed."""

    wanted: Sequence[str] = ()  # its tables that others ask for
    kinds: tuple[frozenset[str], ...] = ()  # what other nodes that live can read: each combination once
    bans: int = 0  # how often they were changed: another number, and they have to be read again
    others: int = 0  # nodes that live


class Journal(Protocol):
    async def open(self) -> None:
        """Connect; Unavailable says why that is not possible, such as a file of another version."""
        ...

    async def close(self) -> None:
        """Finish what was begun; no calls may follow."""
        ...

    async def begin_lease(self, node: str, seconds: float, kinds: Collection[str] = ()) -> Renewal:
        """From now on a node of this name may claim tables.  ``kinds`` are words for what it can read."""
        ...

    async def renew(self, node: str, seconds: float) -> Renewal:
        """Extend the lease of a node; LeaseEnded if it is too late."""
        ...

    async def note_draining(self, node: str) -> None:
        """It takes no more tables, and is about to release those it has."""
        ...

    async def end_lease(self, node: str) -> None:
        """End the lease of a node, and release all its tables."""
        ...

    async def claim(self, table: str, node: str) -> int:
        """Claim a table, new or known: its new epoch.  A node may claim again; Leased if it belongs to another whose
        lease runs, LeaseEnded if the own one does not.
        """
        ...

    async def take_up(self, table: str, node: str, tail: int = 0) -> StoredTable | None:
        """Claim a table that has entries, and load it; None if there is none.

        It is loaded from the newest snapshot that has at least ``tail`` entries after it; if one of these entries is
        Damaged, from the newest snapshot of all, and if that does not help, not at all.
        """
        ...

    async def ask_for(self, table: str, seconds: float) -> None:
        """Ask the node that has a table to let it go; so long it finds that when it renews."""
        ...

    def watch(self, asked: Callable[[str], None]) -> None:
        """Call ``asked`` with the name of a node that was asked for a table: a hint, which may be late or missing."""
        ...

    async def release(self, table: str, epoch: int) -> None:
        """Let a table go; no effect if it was claimed again since."""
        ...

    def append(
        self, table: str, epoch: int, seq: int, body: bytes, replay: StoredReplay | None = None
    ) -> Awaitable[None]:
        """Append entry number ``seq``, counted from 1 without a gap; durable on return.

        The entry that ends a match comes with its replay: both are stored, or neither.
        """
        ...

    async def keep_snapshot(self, table: str, epoch: int, snapshot: StoredSnapshot, tail: int = 0) -> None:
        """Store a snapshot; those that no ``take_up`` with this ``tail`` would choose any more are deleted."""
        ...

    async def compact(self, table: str, epoch: int, seq: int, body: bytes) -> None:
        """Replace the entries up to number ``seq`` by one of that number, which says the same.

        The numbers of later entries stay as they are.  A crash leaves the table as before or as after.
        """
        ...

    async def load(self, table: str, after: int = 0, epoch: int | None = None) -> list[bytes]:
        """All entries in order, or those after a number; none for an unknown table.  Damaged names the first bad.

        With an epoch: Fenced if the table is no longer owned under it.
        """
        ...

    async def first(self, table: str) -> bytes | None:
        """The first entry, which tells what the others mean; None for an unknown table.  Nothing is claimed by it."""
        ...

    async def note_clocks(self, node: str, clocks: Mapping[str, Clock]) -> None:
        """Save the time left on running clocks of the node's tables; others are ignored.  The last call counts."""
        ...

    async def clock(self, table: str) -> Clock | None:
        """None if there is none, or it is damaged."""
        ...

    async def replay(self, name: str) -> str | None:
        """The record of a match; Damaged if it is not as it was written."""
        ...

    async def replay_players(self, name: str) -> list[ReplayPlayer]:
        """Who played, by seat; none if that was not stored."""
        ...

    async def keep_out(self, ban: StoredBan) -> None:
        """Store a ban, in place of one with the same key; durable on return.  It goes by the wall clock."""
        ...

    async def let_in(self, key: str) -> None:
        """Forget the ban with this key, if there is one."""
        ...

    async def kept_out(self) -> list[StoredBan]:
        """The bans that have not ended; those that end first come first."""
        ...

    async def prune(self, older_seconds: float) -> int:
        """Delete tables and replays that nobody has touched for so long; how many.

        A wall clock that jumps makes nothing older.
        """
        ...

    async def check(self) -> None:
        """Really write something; Unavailable if that fails."""
        ...
