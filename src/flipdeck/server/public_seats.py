"""How many public tables an address sits at: nobody takes all the free seats there are.

Counted is what is in memory: seats that were taken or are played from an address, at public tables that are awake.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from ..wire.errors import TableRefusal
from .bounded import BoundedDict
from .identity import PeerAddress
from .limits import MOST_KEPT
from .table.actor import Table


class PublicSeats:
    def __init__(self, tables: Mapping[str, Table], most: int) -> None:
        self._tables = tables
        self._most = most
        self._codes: BoundedDict[str, set[str]] = BoundedDict(MOST_KEPT)  # by address: where it may sit
        self._coming: Counter[tuple[str, str]] = Counter()  # address and table: requests that are under way

    def note(self, address: PeerAddress, code: str) -> None:
        """Somebody from this address sits at this table."""
        codes = self._codes.recent(address.hashed)
        if codes is None:
            codes = self._codes[address.hashed] = set()
        codes.add(code)

    @contextmanager
    def taking(self, address: PeerAddress, code: str, public: bool) -> Iterator[None]:
        """While somebody takes a seat: it counts from the beginning, so that a hundred at once don't get by."""
        if not public:
            yield
            return
        if len(self._tables_of(address) - {code}) >= self._most:
            raise TableRefusal("limit", what="public tables")
        self.note(address, code)
        key = (address.hashed, code)
        self._coming[key] += 1
        try:
            yield
        finally:
            self._coming[key] -= 1
            if not self._coming[key]:
                del self._coming[key]

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
