"""What servers share, in their PostgreSQL database, on connections of its own: moves never wait behind it."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from .. import identity
from ..journal import Unavailable
from ..journal.postgres.link import Links, Row
from ..limits import GUESSES, TABLES_MADE
from . import MOST_ROWS, SEAT_SECONDS, TRANSFER_SECONDS, CountedGuess, statements

CONNECTIONS = 2
ANSWER_SECONDS = 1.0  # for a statement; nobody waits longer
REST_SECONDS = 1.0  # after one that took longer, none is asked for so long
ADDRESSES_AT_ONCE = 500
_FINGERPRINT = b"flipdeck address key 1\0"


class PostgresShared:
    several = True

    def __init__(self, url: str) -> None:
        self._url = url
        self._links: Links | None = None
        self._rests_until = 0.0

    async def open(self) -> None:
        """The journal has created the tables."""
        self._links = Links(self._url, CONNECTIONS)

    async def close(self) -> None:
        links, self._links = self._links, None
        if links is not None:
            await links.close()

    # ------------------------------------------------------------ the key
    async def settle_key(self, own: bytes | None, new: bytes) -> bytes:
        await self._fetch(statements.OFFER_KEY, _fingerprint(own or new), new if own is None else None)
        ((fingerprint, key),) = await self._fetch(statements.KEY)
        if own is None and key is None:
            raise Unavailable(
                "The servers of this database have their key in a file: copy server.key from one of them into the "
                "data folder."
            )
        if own is not None and _fingerprint(own) != fingerprint:
            raise Unavailable(
                "The servers of this database have another key than this one: "
                + ("remove server.key from" if key is not None else "copy server.key from one of them into")
                + " the data folder."
            )
        return bytes(key) if own is None else own

    async def stored_key(self) -> bytes | None:
        """None: there is none yet, or every server has it in a file."""
        rows = await self._fetch(statements.KEY)
        return bytes(rows[0]["key"]) if rows and rows[0]["key"] is not None else None

    # ------------------------------------------------------------ transfers
    async def give_transfer(self, table: str, seat: str) -> str:
        secret = identity.new_token()
        hashed = identity.hash_token(secret)
        await self._fetch(statements.GIVE_TRANSFER, hashed, table, seat, TRANSFER_SECONDS)
        return secret

    async def table_of_transfer(self, secret: str, token: str) -> str | None:
        rows = await self._fetch(statements.TABLE_OF_TRANSFER, identity.hash_token(secret), token)
        return rows[0]["code"] if rows else None

    async def take_transfer(self, secret: str, token: str) -> tuple[str, str] | None:
        hashed = identity.hash_token(secret)
        await self._fetch(statements.TAKE_TRANSFER, hashed, token)
        rows = await self._fetch(statements.USED_TRANSFER, hashed, token)
        return (rows[0]["code"], rows[0]["seat"]) if rows else None

    # ------------------------------------------------------------ limits of an address
    async def note_wrong_guess(self, address: str) -> CountedGuess:
        known = float(GUESSES.free), GUESSES.base, GUESSES.longest, GUESSES.quiet
        rows = await self._fetch(statements.NOTE_WRONG_GUESS, address, *known)
        # none: another server has counted the first one in this moment
        return CountedGuess(rows[0]["counts"], max(0.0, rows[0]["wait"])) if rows else CountedGuess(True, 0.0)

    async def pardon(self, address: str) -> None:
        await self._fetch(statements.PARDON, address)

    async def take_allowance(self, address: str) -> bool:
        return bool(await self._fetch(statements.TAKE_ALLOWANCE, address, TABLES_MADE.rate, TABLES_MADE.burst))

    async def take_public_seat(self, address: str, table: str, most: int, left: Collection[str]) -> bool:
        return bool(await self._fetch(statements.TAKE_PUBLIC_SEAT, address, table, most, list(left), SEAT_SECONDS))

    async def note_public_seats(self, sits: Mapping[str, Collection[str]], left: Mapping[str, Collection[str]]) -> None:
        noted = [
            {"address": address, "sits": sorted(sits.get(address, ())), "left": sorted(left.get(address, ()))}
            for address in sorted({*sits, *left})
        ]
        for first in range(0, len(noted), ADDRESSES_AT_ONCE):
            some = json.dumps(noted[first : first + ADDRESSES_AT_ONCE])
            await self._fetch(statements.NOTE_PUBLIC_SEATS, some, SEAT_SECONDS)

    # ------------------------------------------------------------ public tables and chores
    async def publish(self, node: str, listing: bytes) -> None:
        await self._fetch(statements.PUBLISH, node, listing)

    async def published(self, node: str) -> list[bytes]:
        return [row["listing"] for row in await self._fetch(statements.PUBLISHED, node)]

    async def begin_chore(self, chore: str, node: str, every: float, longest: float) -> bool:
        return bool(await self._fetch(statements.BEGIN_CHORE, chore, node, longest, every))

    async def end_chore(self, chore: str, node: str, every: float) -> None:
        await self._fetch(statements.END_CHORE, chore, node, every)

    async def sweep(self) -> None:
        await self._fetch(statements.SWEEP, MOST_ROWS)

    # ------------------------------------------------------------ asking
    async def _fetch(self, statement: str, *values: Any) -> Sequence[Row]:
        """In time, or Unavailable; then nothing is asked for a while, so that requests don't all wait in vain."""
        loop = asyncio.get_running_loop()
        if self._links is None:
            raise Unavailable("What servers share is not open.")
        if loop.time() < self._rests_until:
            raise Unavailable("The database did not answer in time just now; the next try comes soon.")
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                return await self._links.fetch(statement, *values)
        except TimeoutError:
            self._rests_until = loop.time() + REST_SECONDS
            raise Unavailable("The database does not answer in time.") from None


def _fingerprint(key: bytes) -> bytes:
    """It tells two keys apart, and nothing about either."""
    return hashlib.blake2b(_FINGERPRINT, key=key, digest_size=16).digest()
