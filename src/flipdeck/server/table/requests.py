"""What a table is asked besides what clients say on their sockets: by the lobby, by its clock, by its bots."""

from __future__ import annotations

from dataclasses import dataclass

from ...wire import client_messages
from .seats import SeatState


@dataclass(frozen=True, slots=True)
class Sit:
    """Somebody takes a chair."""

    name: str
    token: str  # its hash
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class AddToken:
    """Another device of whoever sits in this chair."""

    seat_state: SeatState
    token: str  # its hash


@dataclass(frozen=True, slots=True)
class TimeUp:
    """The player on turn has had their time for the decision that began with this version."""

    version: int


@dataclass(frozen=True, slots=True)
class StandIn:
    """A bot takes over from someone whose time ran out again and again."""

    seat_state: SeatState


@dataclass(frozen=True, slots=True)
class Return:
    """Someone for whom a bot sits in is there again."""

    seat_state: SeatState


@dataclass(frozen=True, slots=True)
class DealNext:
    """The wait for the next round is over; it began with this version."""

    version: int


@dataclass(frozen=True, slots=True)
class BotSays:
    """A bot has thought about this version."""

    seat_state: SeatState
    version: int
    move: str


# the commands of clients that a table decides; a session answers the others by itself
TableCommand = (
    client_messages.Move
    | client_messages.Start
    | client_messages.SeatBot
    | client_messages.ClearSeat
    | client_messages.Ready
    | client_messages.Back
    | client_messages.Leave
    | client_messages.Rematch
)
# what a table wishes by itself: nobody else would ask again if it came to nothing
OwnRequest = TimeUp | StandIn | Return | DealNext | BotSays
InternalRequest = Sit | AddToken | OwnRequest
Request = TableCommand | InternalRequest
