"""What the servers on one database share besides the tables: the port.

Each server has limits of its own (``limits``, ``public_seats``), which hold whatever happens.  What is here is asked in
addition, so that limits don't multiply by the number of servers: ``here`` is for a server that is alone and has nothing
to add, ``postgres`` for several.  Nothing of it is asked for a move, and nothing waits for it for long: a call that is
not answered in time is a JournalError, and whoever called goes on with what this server knows.  Only transfers, and
the key at the start, have to be there.

Addresses are keyed hashes, as everywhere that something is stored.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple, Protocol

TRANSFER_SECONDS = 300.0  # a transfer secret is good for so long
SEAT_SECONDS = 15.0  # a seat at a public table counts for so long after it was noted last
MOST_ROWS = 100_000  # of a kind: of more, those that end first are deleted


class CountedGuess(NamedTuple):
    """A wrong guess: whether it counts (in backoff it does not), and how long its address waits now."""

    counts: bool
    wait: float


class SharedState(Protocol):
    several: bool  # there may be other servers

    async def open(self) -> None: ...

    async def close(self) -> None: ...

    async def settle_key(self, own: bytes | None, new: bytes) -> bytes:
        """The key that all servers use: the first to come decides.  ``own`` is the operator's; without it, ``new`` is
        stored if there is none yet.  Unavailable, with a sentence for the operator, if they don't fit together.
        """
        ...

    # ------------------------------------------------------------ transfers
    async def give_transfer(self, table: str, seat: str) -> str:
        """A secret that moves a seat, given by the hash of one of its tokens; its last one is good no more."""
        ...

    async def table_of_transfer(self, secret: str, token: str) -> str | None:
        """The code of the table that ``take_transfer`` would name; the secret stays good."""
        ...

    async def take_transfer(self, secret: str, token: str) -> tuple[str, str] | None:
        """Once, or again for the same token (a hash): the table and the seat.  None if it is not good any more."""
        ...

    # ------------------------------------------------------------ limits of an address
    async def note_wrong_guess(self, address: str) -> CountedGuess: ...

    async def pardon(self, address: str) -> None:
        """Its wrong guesses are forgotten, once."""
        ...

    async def take_allowance(self, address: str) -> bool:
        """Whether it may make another table."""
        ...

    async def take_public_seat(self, address: str, table: str, most: int, left: Collection[str]) -> bool:
        """Whether it may sit at this public table, as it sits at fewer than ``most`` others; then it is noted.  It sits
        no more at those it has left.
        """
        ...

    async def note_public_seats(self, sits: Mapping[str, Collection[str]], left: Mapping[str, Collection[str]]) -> None:
        """Where each address sits and no longer sits, by address."""
        ...

    # ------------------------------------------------------------ public tables
    async def publish(self, node: str, listing: bytes) -> None:
        """The public tables of a node, in place of those before."""
        ...

    async def published(self, node: str) -> list[bytes]:
        """Those of all other nodes that live and don't drain."""
        ...

    # ------------------------------------------------------------ chores
    async def begin_chore(self, chore: str, node: str, every: float, longest: float) -> bool:
        """Whether this node shall do it: it is due, and no other that lives is at it, for at most ``longest``."""
        ...

    async def end_chore(self, chore: str, node: str, every: float) -> None:
        """It was done; it is due again after ``every`` seconds."""
        ...

    async def sweep(self) -> None:
        """Delete what has ended."""
        ...
