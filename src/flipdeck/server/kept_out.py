"""Addresses that the operator keeps out for a time: bans that outlive a restart, stored as keyed hashes.

A ban ends by itself.  Its name is the beginning of its hash, so that a list of bans tells nobody an address.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from ..wire.errors import TableRefusal
from .identity import AddressHashes
from .journal import Journal, StoredBan

MOST_BANS = 10_000
DIGITS_OF_NAME = 8  # of its hash, as many as a tag has


class TooManyBans(Exception):  # noqa: N818
    """There is no room for another ban until some end or are lifted."""


@dataclass(frozen=True, slots=True)
class Ban:
    key: str
    until: float  # of the loop's clock
    why: str

    @property
    def name(self) -> str:
        return f"b-{self.key[:DIGITS_OF_NAME]}"


class KeptOut:
    """Addresses are given as ``address_key`` writes them."""

    def __init__(self, journal: Journal, hashes: AddressHashes) -> None:
        self._journal = journal
        self._hashes = hashes
        self._bans: dict[str, Ban] = {}
        self.changes = 0  # as many are known of all that there were (``Renewal``)

    async def load(self, changes: int = 0) -> None:
        """As the journal has them now, after at least so many changes."""
        self._bans = {stored.key: _from_now(stored) for stored in await self._journal.kept_out()}
        self.changes = changes

    def refusal(self, address: str) -> TableRefusal | None:
        return None if self.of(address) is None else TableRefusal("kept-out")

    def check(self, address: str) -> None:
        """A TableRefusal if it is kept out."""
        refusal = self.refusal(address)
        if refusal is not None:
            raise refusal

    def of(self, address: str) -> Ban | None:
        """The ban of an address."""
        ban = self._bans.get(self._hashes.of(address)) if self._bans else None  # mostly there is none at all
        return ban if ban is not None and asyncio.get_running_loop().time() < ban.until else None

    async def add(self, address: str, seconds: float, why: str = "") -> Ban:
        """Keep an address out from now on; a ban that it has already is replaced."""
        key = self._hashes.of(address)
        if len(self.running()) >= MOST_BANS and key not in self._bans:
            raise TooManyBans
        stored = StoredBan(key, seconds, why)
        await self._journal.keep_out(stored)
        self.changes += 1
        ban = self._bans[key] = _from_now(stored)
        return ban

    async def lift(self, ban: Ban) -> None:
        await self._journal.let_in(ban.key)
        self.changes += 1
        self._bans.pop(ban.key, None)

    def running(self) -> list[Ban]:
        """Those that have not ended, those that end first in front."""
        now = asyncio.get_running_loop().time()
        self._bans = {key: ban for key, ban in self._bans.items() if now < ban.until}
        return sorted(self._bans.values(), key=lambda ban: (ban.until, ban.key))


def _from_now(stored: StoredBan) -> Ban:
    return Ban(stored.key, asyncio.get_running_loop().time() + stored.seconds, stored.why)
