"""The actor's inbox: requests with their reply callbacks, and connections that arrive."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...wire import server_messages
from ...wire.errors import TableRefusal
from .connections import Connection
from .requests import Request
from .seats import SeatState

Reply = server_messages.Ack | server_messages.Held | TableRefusal


@dataclass(slots=True)
class Envelope:
    """A request, the seat it comes from, and the callback that gets the reply."""

    request: Request
    seat_state: SeatState | None
    answer: Callable[[Reply], None]


@dataclass(slots=True)
class Arrival:
    """A connection that has said ``hello``, and the last version it has."""

    connection: Connection
    have: int | None


def discard_reply(_: Reply) -> None:
    """For internal requests, which nobody waits for."""


def turn_away(item: Envelope | Arrival, refusal: TableRefusal) -> None:
    if isinstance(item, Arrival):
        item.connection.turn_away(refusal)
    else:
        item.answer(refusal)
