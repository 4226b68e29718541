"""What a table is asked, and who is told what became of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...wire import server_messages
from ...wire.errors import TableRefusal
from .connection import Connection
from .requests import Request
from .seats import SeatState

Reply = server_messages.Ack | server_messages.Held | TableRefusal


@dataclass(slots=True)
class Envelope:
    """A wish, whose it is, and who is told what became of it."""

    request: Request
    seat_state: SeatState | None
    answer: Callable[[Reply], None]


@dataclass(slots=True)
class Arrival:
    """Somebody who has greeted, and the last version they have."""

    connection: Connection
    have: int | None


def discard_reply(_: Reply) -> None:
    """The table's own wishes get no answer."""


def turn_away(item: Envelope | Arrival, refusal: TableRefusal) -> None:
    if isinstance(item, Arrival):
        item.connection.turn_away(refusal)
    else:
        item.answer(refusal)
