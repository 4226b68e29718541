"""Seats that pledge values and open them, as a page does."""

from __future__ import annotations

from collections.abc import Sequence

from flipdeck.core.seeds import pledge_of

from .outbox import Message
from .seats import SeatClient


def value_for(seat: SeatClient, name: str = "") -> bytes:
    """Another one for every seat and match."""
    return f"{seat.you} {seat.table['match']} {name}".encode().ljust(32, b".")


def pledge_for(seat: SeatClient, value: bytes) -> str:
    return pledge_of(seat.table["fairness"]["commitment"], value)


async def pledge(seat: SeatClient, value: bytes | None = None) -> bytes:
    """The value that was pledged."""
    value = value or value_for(seat)
    await seat.do("pledge", pledge=pledge_for(seat, value))
    return value


async def open_value(seat: SeatClient, value: bytes | None = None) -> Message:
    return await seat.ask("open", value=(value or value_for(seat)).hex())


async def freeze(seats: Sequence[SeatClient], *pledging: SeatClient) -> None:
    """These pledge, the first of all starts, and everybody has seen that."""
    for seat in pledging:
        await pledge(seat)
    version = await seats[0].do("start")
    for seat in seats:
        await seat.reach(version)


async def deal(seats: Sequence[SeatClient], *pledging: SeatClient) -> None:
    """… and all open: everybody has seen the cards."""
    await freeze(seats, *pledging)
    for seat in pledging:
        assert (await open_value(seat))["type"] == "ack"
    version = seats[0].version + 1
    for seat in seats:
        await seat.reach(version)
