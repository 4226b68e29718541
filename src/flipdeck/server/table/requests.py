"""Requests to a table: commands of clients, and internal requests of the lobby, the timers and the bots."""

from __future__ import annotations

from dataclasses import dataclass

from ...wire.client_messages import TableCommand
from .seats import SeatState


@dataclass(frozen=True, slots=True)
class Sit:
    """Somebody takes a seat."""

    name: str
    token: str  # its hash
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class AddToken:
    """Another device for a seat."""

    seat_state: SeatState
    token: str  # its hash


@dataclass(frozen=True, slots=True)
class CloseDown:
    """The operator closes the table, with a word to its people."""

    word: str


@dataclass(frozen=True, slots=True)
class TimeUp:
    """The clock ran out that began with this version."""

    version: int


@dataclass(frozen=True, slots=True)
class StandIn:
    """A bot takes over from somebody whose clock ran out repeatedly."""

    seat_state: SeatState


@dataclass(frozen=True, slots=True)
class Return:
    """Somebody for whom a bot stands in is back."""

    seat_state: SeatState


@dataclass(frozen=True, slots=True)
class DealNext:
    """The wait for the next round is over; it began with this version."""

    version: int


@dataclass(frozen=True, slots=True)
class BotSays:
    """The move of a bot that was shown this version."""

    seat_state: SeatState
    version: int
    move: str


# requests of the table itself: nobody else would submit them again
OwnRequest = TimeUp | StandIn | Return | DealNext | BotSays
InternalRequest = Sit | AddToken | CloseDown | OwnRequest
Request = TableCommand | InternalRequest
