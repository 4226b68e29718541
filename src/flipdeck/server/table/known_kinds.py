"""Two versions side by side: what the other servers can read.

A table is its entries, and any server may have to read them.  So an entry of a kind that is new in a release is written
only when every server that lives can read it.  Servers tell each other with their leases; a table asks a plain value.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ...wire.errors import TableRefusal


class KnownKinds:
    def __init__(self) -> None:
        self._new: frozenset[str] = frozenset()
        self.unread: frozenset[str] = frozenset()  # not to be written: a server that lives can't read them

    def note_own(self, own: Collection[str], base: Collection[str]) -> None:
        """What this server can read, and what any server can; the others are not known yet."""
        self.unread = self._new = frozenset(own) - frozenset(base)

    def note_others(self, others: Iterable[frozenset[str]]) -> None:
        """What each of the other servers that live can read."""
        self.unread = frozenset(kind for kinds in others for kind in self._new - kinds)

    def check(self, *kinds: str) -> None:
        """A TableRefusal if one of these must not be written yet."""
        if self.unread and not self.unread.isdisjoint(kinds):
            raise TableRefusal(
                "not-now", "older-servers", problem="the server is being updated: try again in a moment."
            )
