"""For a server that is alone: transfers are in memory, and the server's own limits are all there are."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping

from ..identity import Transfers
from . import TRANSFER_SECONDS, CountedGuess


class OneServer:
    several = False

    def __init__(self) -> None:
        self._transfers = Transfers(TRANSFER_SECONDS)

    async def open(self) -> None:
        """Nothing to open."""

    async def close(self) -> None:
        """Nothing to close."""

    async def settle_key(self, own: bytes | None, new: bytes) -> bytes:
        return own or new

    async def give_transfer(self, table: str, seat: str) -> str:
        return self._transfers.give(table, seat, asyncio.get_running_loop().time())

    async def table_of_transfer(self, secret: str, token: str) -> str | None:
        return self._transfers.table_of(secret, token, asyncio.get_running_loop().time())

    async def take_transfer(self, secret: str, token: str) -> tuple[str, str] | None:
        return self._transfers.take(secret, token, asyncio.get_running_loop().time())

    async def note_wrong_guess(self, address: str) -> CountedGuess:
        del address
        return CountedGuess(counts=True, wait=0.0)

    async def pardon(self, address: str) -> None:
        """Nothing was counted."""

    async def take_allowance(self, address: str) -> bool:
        del address
        return True

    async def take_public_seat(self, address: str, table: str, most: int, left: Collection[str]) -> bool:
        del address, table, most, left
        return True

    async def note_public_seats(self, sits: Mapping[str, Collection[str]], left: Mapping[str, Collection[str]]) -> None:
        """Nobody else asks."""

    async def publish(self, node: str, listing: bytes) -> None:
        """Nobody else lists them."""

    async def published(self, node: str) -> list[bytes]:
        del node
        return []

    async def begin_chore(self, chore: str, node: str, every: float, longest: float) -> bool:
        del chore, node, every, longest
        return True

    async def end_chore(self, chore: str, node: str, every: float) -> None:
        """Its server keeps the time."""

    async def sweep(self) -> None:
        """What is in memory is bounded."""
