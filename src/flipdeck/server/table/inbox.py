"""What a table is asked, and who is told what became of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...wire import server_messages
from ...wire.errors import TableRefusal
from .connection import Connection
from .requests import Wish
from .seats import Chair

Outcome = server_messages.Ack | server_messages.Held | TableRefusal


@dataclass(slots=True)
class Asking:
    """A wish, whose it is, and who is told what became of it."""

    wish: Wish
    chair: Chair | None
    answer: Callable[[Outcome], None]


@dataclass(slots=True)
class Arriving:
    """Somebody who has greeted, and the last version they have."""

    connection: Connection
    have: int | None


def to_nobody(_: Outcome) -> None:
    """The table's own wishes get no answer."""


def turn_away(item: Asking | Arriving, refusal: TableRefusal) -> None:
    if isinstance(item, Arriving):
        item.connection.turn_away(refusal)
    else:
        item.answer(refusal)
