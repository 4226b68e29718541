"""How many public tables an address sits at: nobody takes all the free seats there are.

Counted is what is in memory: seats that were taken or are played from an address, at public tables that are awake.
Several servers tell each other where addresses sit; while they can't, each counts its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress

from ..wire.errors import TableRefusal
from .bounded import BoundedDict
from .identity import PeerAddress
from .journal import JournalError
from .limits import MOST_KEPT
from .shared import SharedState
from .table.actor import Table

AddressSeats = dict[str, set[str]]  # by address, as its hash: tables


class PublicSeats:
    def __init__(self, tables: Mapping[str, Table], most: int, shared: SharedState) -> None:
        self._tables = tables
        self._most = most
        self._shared = shared
        self._codes: BoundedDict[str, set[str]] = BoundedDict(MOST_KEPT)  # by address: where it may sit
        self._coming: Counter[tuple[str, str]] = Counter()  # address and table: requests that are under way
        self._told: AddressSeats = {}  # what the other servers know

    def note(self, address: PeerAddress, code: str) -> None:
        """Somebody from this address sits at this table."""
        codes = self._codes.recent(address.hashed)
        if codes is None:
            codes = self._codes[address.hashed] = set()
        codes.add(code)

    @asynccontextmanager
    async def taking(self, address: PeerAddress, code: str, public: bool) -> AsyncIterator[None]:
        """While somebody takes a seat: it counts from the beginning, so that a hundred at once don't get by."""
        if not public:
            yield
            return
        before = {*self._codes.get(address.hashed, ()), *self._told.get(address.hashed, ())}
        here = self._tables_of(address)
        if len(here - {code}) >= self._most:
            raise TableRefusal("limit", what="public tables")
        self.note(address, code)
        key = (address.hashed, code)
        self._coming[key] += 1
        try:
            await self._check_elsewhere(address, code, before - here)
            yield
        finally:
            self._coming[key] -= 1
            if not self._coming[key]:
                del self._coming[key]

    async def _check_elsewhere(self, address: PeerAddress, code: str, left: set[str]) -> None:
        """The tables of all servers together are not too many; if that can't be found out, those of this one count."""
        gone = {each for each in left if each in self._tables}  # else another server may have the table
        with suppress(JournalError):
            if not await self._shared.take_public_seat(address.hashed, code, self._most, gone):
                raise TableRefusal("limit", what="public tables")

    async def tell(self) -> None:
        """Where addresses sit, for the other servers."""
        sits = self._sitting()
        left: AddressSeats = {}
        for address, codes in self._told.items():
            gone = {code for code in codes - sits.get(address, set()) if code in self._tables}
            if gone:
                left[address] = gone
        if sits or left:
            await self._shared.note_public_seats(sits, left)
        self._told = sits

    def _sitting(self) -> AddressSeats:
        sits: AddressSeats = {}
        for code, table in self._tables.items():
            if table.state.settings.public:
                for each in (*table.state.people(), *table.state.reserved):
                    if each.address is not None and not each.left:
                        sits.setdefault(each.address.hashed, set()).add(code)
        for address, code in self._coming:
            sits.setdefault(address, set()).add(code)
        return sits

    def _tables_of(self, address: PeerAddress) -> set[str]:
        codes = self._codes.get(address.hashed)
        if codes is None:
            return set()
        codes -= {code for code in codes if not self._sits_at(address, code)}
        return codes

    def _sits_at(self, address: PeerAddress, code: str) -> bool:
        if (address.hashed, code) in self._coming:
            return True
        table = self._tables.get(code)
        if table is None or not table.state.settings.public:
            return False
        state = table.state
        return any(each.address == address and not each.left for each in (*state.people(), *state.reserved))
