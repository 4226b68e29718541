"""Requests to a table: commands of clients, and internal requests of the lobby, the timers and the bots."""

from __future__ import annotations

from dataclasses import dataclass

from ...wire import client_messages
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


# commands that a table decides; the session handles the others
TableCommand = (
    client_messages.MakeMove
    | client_messages.Start
    | client_messages.SeatBot
    | client_messages.ClearSeat
    | client_messages.Ready
    | client_messages.Back
    | client_messages.Leave
    | client_messages.Rematch
)
# requests of the table itself: nobody else would submit them again
OwnRequest = TimeUp | StandIn | Return | DealNext | BotSays
InternalRequest = Sit | AddToken | OwnRequest
Request = TableCommand | InternalRequest
