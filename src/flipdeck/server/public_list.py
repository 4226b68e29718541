"""The list of public tables: those of this server as they are, those of the others as they last published them.

Every server publishes its own when they have changed, once a second at most, and asks for those of the others when
somebody wants to see the list, every other second at most.  While the database does not answer, the last answer counts
for a while, and then a server lists its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import msgspec

from ..wire import rest
from .journal import JournalError
from .shared import SharedState
from .table.actor import Table

MOST_LISTED = 100  # tables
CACHE_SECONDS = 2.0  # the tables of other servers are asked for again after so long
STALE_SECONDS = 10.0  # … and forgotten if that fails for so long
_decode = msgspec.json.Decoder(rest.Tables).decode


class PublicList:
    def __init__(self, tables: Mapping[str, Table], shared: SharedState) -> None:
        self._tables = tables
        self._shared = shared
        self._others: list[rest.Tables] = []
        self._read_at = self._asked_at = -STALE_SECONDS
        self._reading: asyncio.Task[None] | None = None
        self._published = b""
        self._published_as = ""

    def listed(self, most: int = MOST_LISTED) -> rest.Tables:
        """Those that can be joined first."""
        own = self._own()
        others = self._others if asyncio.get_running_loop().time() - self._read_at < STALE_SECONDS else []
        cards = {card.code: card for listing in others for card in listing.tables if card.code not in self._tables}
        cards |= {card.code: card for card in own}
        waiting_first = sorted(cards.values(), key=lambda card: card.phase != "waiting")
        more = len(cards) + sum(listing.more for listing in others) - most
        return rest.Tables(waiting_first[:most], max(0, more))

    def _own(self) -> list[rest.TableCard]:
        return [_card(table) for table in self._tables.values() if table.info.settings.public and _is_open(table)]

    # ------------------------------------------------------------ other servers
    async def refresh(self, node: str) -> None:
        """Ask what the other servers list, if that is not known; once, however many wait for it."""
        now = asyncio.get_running_loop().time()
        if not self._shared.several or now - self._asked_at < CACHE_SECONDS:
            return
        if self._reading is None:
            self._reading = asyncio.get_running_loop().create_task(self._ask(node))
        await asyncio.shield(self._reading)

    async def _ask(self, node: str) -> None:
        try:
            found = [_read(listing) for listing in await self._shared.published(node)]
            self._others = [listing for listing in found if listing is not None]
            self._read_at = asyncio.get_running_loop().time()
        except JournalError:
            """As it was."""
        finally:
            self._asked_at = asyncio.get_running_loop().time()
            self._reading = None

    async def publish(self, node: str) -> None:
        """For the other servers, if it has changed."""
        own = self._own()
        waiting_first = sorted(own, key=lambda card: card.phase != "waiting")
        listing = rest.Tables(waiting_first[:MOST_LISTED], max(0, len(own) - MOST_LISTED))
        encoded = msgspec.json.encode(listing)
        if (encoded, node) != (self._published, self._published_as):
            await self._shared.publish(node, encoded)
            self._published, self._published_as = encoded, node


def _read(listing: bytes) -> rest.Tables | None:
    """None: a newer server has written it."""
    try:
        return _decode(listing)
    except msgspec.MsgspecError:
        return None


def _is_open(table: Table) -> bool:
    """Whether to list the table: somebody is connected, and there is a seat or a place to watch."""
    info = table.info
    free = info.phase == "waiting" and not info.locked and any(seat.kind == "empty" for seat in info.seats)
    return bool(table.connections) and (free or info.settings.watchers)


def _card(table: Table) -> rest.TableCard:
    info = table.info
    host = next((seat.name or "" for seat in info.seats if seat.host), "")
    return rest.TableCard(
        code=info.code,
        edition=info.settings.edition,
        house_rules=len(info.settings.options),
        players=info.players,
        free=0 if info.locked else sum(seat.kind == "empty" for seat in info.seats),
        people=sum(seat.kind == "person" for seat in info.seats),
        watching=info.watching,
        phase=info.phase,
        locked=info.locked,
        host=host,
        turn_seconds=info.settings.turn_seconds,
    )
