"""Requests to a table: commands of clients, and internal requests of the lobby, the timers and the bots."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from ...wire.client_messages import TableCommand
from ..identity import PeerAddress
from .seats import SeatState


@dataclass(frozen=True, slots=True)
class Sit:
    """Somebody takes a seat."""

    name: str
    token: str  # its hash
    seat: int | None = None
    address: PeerAddress | None = None
    watchers: Collection[str] = ()  # names of spectators: nobody who sits down looks like one of them


@dataclass(frozen=True, slots=True)
class MoveSeat:
    """A seat moves to another device."""

    seat_state: SeatState
    token: str  # its hash


@dataclass(frozen=True, slots=True)
class LiftBans:
    """Whoever was removed may come back."""

    name: str = ""  # of the ban; none: of all


@dataclass(frozen=True, slots=True)
class CloseDown:
    """The operator closes the table, with a word to its people."""

    word: str


@dataclass(frozen=True, slots=True)
class Lapse:
    """Somebody took or reserved a seat, and has not connected since."""

    seat_state: SeatState


@dataclass(frozen=True, slots=True)
class NoteGreeting:
    """Somebody was connected, and the journal does not know of it."""

    seat_state: SeatState


@dataclass(frozen=True, slots=True)
class NoteHost:
    """The host is connected, or was."""

    seat_state: SeatState


@dataclass(frozen=True, slots=True)
class CountVotes:
    """Somebody has gone: the votes of the others may be enough."""


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
class DealFirst:
    """The wait for the values of the seats is over; it began with this version."""

    version: int
    opened: Mapping[SeatState, bytes]  # as it is when the request is decided: what was acknowledged is in it


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
OwnRequest = TimeUp | StandIn | Return | DealFirst | DealNext | BotSays | Lapse | NoteGreeting | NoteHost | CountVotes
InternalRequest = Sit | MoveSeat | LiftBans | CloseDown | OwnRequest
Request = TableCommand | InternalRequest
