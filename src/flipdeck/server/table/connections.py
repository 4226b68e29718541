"""The connections of a table: who is connected (presence), an outbox for each, and what is broadcast to them.

An outbox never blocks the table (backpressure): a message is written to the socket at once and buffered there.  A
client whose buffer grows too large is disconnected; after reconnecting it catches up.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from ...core.events import Event
from ...wire import server_messages
from ...wire.connection import CLOSE_CODES, POLICY
from ...wire.errors import SENTENCES, ServerCode, TableRefusal
from ...wire.parts import ClockInfo, TableInfo
from . import entries
from .frames import frame, updates, welcome
from .seats import SeatState
from .state import TableState
from .substitutes import TableSubstitutes

MOST_WAITING = 256 * 1024  # bytes in the outbox
FLUSH_SECONDS = 5.0  # for the last messages to be read
MOST_CHAT = 30  # lines of history for those who connect


# ---------------------------------------------------------------- one of them
class ClientSocket(Protocol):
    """The socket of one client."""

    def write(self, *messages: bytes) -> int:
        """Send without waiting, all in one system call; the number of bytes that are buffered now."""
        ...

    def close(self, code: int) -> None:
        """Close after everything buffered was sent."""
        ...

    def cut(self) -> None:
        """Close now, and drop what is buffered."""
        ...


class Connection:
    __slots__ = (
        "_abort_timer",
        "_corked",
        "_socket",
        "address",
        "closing",
        "lag",
        "name",
        "ping_sent",
        "seat_state",
        "token",
    )

    def __init__(self, address: str, socket: ClientSocket) -> None:
        self.address = address
        self.seat_state: SeatState | None = None  # None: a spectator
        self.token: str | None = None  # the hash of the one that it was let in with
        self.name: str | None = None  # of a spectator who may chat
        self.lag = 0.0  # round trip in seconds
        self.ping_sent: tuple[int, float] | None = None
        self.closing: int | None = None  # the close code, once it is being closed
        self._socket = socket
        self._abort_timer: asyncio.TimerHandle | None = None
        self._corked: list[bytes] | None = None  # what waits for the next message, while there is one to come

    def send(self, message: bytes) -> None:
        if self._corked is not None:
            self._corked.append(message)
        elif self.closing is None and self._socket.write(message) - len(message) > MOST_WAITING:
            self.end("too-slow")  # the message itself does not count

    def cork(self) -> None:
        """Keep what is sent from now on, until ``uncork`` sends it all at once: a system call costs more than most
        messages."""
        if self.closing is None and self._corked is None:
            self._corked = []

    def uncork(self) -> None:
        waiting, self._corked = self._corked, None
        if waiting and self.closing is None and self._socket.write(*waiting) - sum(map(len, waiting)) > MOST_WAITING:
            self.end("too-slow")

    def end(self, code: ServerCode, **facts: object) -> None:
        """Say ``bye`` with the reason, then close; earlier messages are still sent."""
        self._end(server_messages.Bye(code, SENTENCES[code].format(**facts)))

    def turn_away(self, refusal: TableRefusal) -> None:
        self._end(server_messages.Bye(refusal.code, str(refusal), refusal.facts))

    def _end(self, bye: server_messages.Bye) -> None:
        if self.closing is None:
            waiting, self._corked = self._corked or (), None
            self._socket.write(*waiting, frame(bye))
            self.finish(CLOSE_CODES.get(bye.code, POLICY))

    def finish(self, code: int = POLICY) -> None:
        """Close after everything was sent; abort if the client does not read it in time."""
        self.uncork()
        if self.closing is None:
            self.closing = code
            self._abort_timer = asyncio.get_running_loop().call_later(FLUSH_SECONDS, self._socket.cut)
            self._socket.close(code)

    def hang_up(self) -> None:
        """The peer is gone: nothing more can be sent."""
        self.closing = self.closing or POLICY
        if self._abort_timer is not None:
            self._abort_timer.cancel()


# ---------------------------------------------------------------- all of them
class TablePresence:
    def __init__(self, state: TableState, server: str, substitutes: TableSubstitutes) -> None:
        self.connections: set[Connection] = set()
        self._here: frozenset[SeatState] | None = None  # kept until somebody comes or goes: every move asks for it
        self._corked: Connection | None = None
        self._state = state
        self._server = server  # its version
        self._substitutes = substitutes
        self._chat: deque[server_messages.ChatLine] = deque(maxlen=MOST_CHAT)
        self.info = self.refresh_info(None)  # as everybody may see the table: never ahead of the journal

    def refresh_info(self, next_round_ms: int | None) -> TableInfo:
        """Update the public description of the table."""
        info = self._state.info(self.here(), self.watching(self.connections), next_round_ms)
        self.info = self._substitutes.add_to(info)
        return self.info

    def here(self) -> frozenset[SeatState]:
        """The seats whose people are connected."""
        if self._here is None:
            self._here = frozenset(c.seat_state for c in self.connections if c.seat_state is not None)
        return self._here

    @property
    def players_here(self) -> int:
        return sum(seat_state in self.here() for seat_state in self._state.seats)

    @property
    def most_are_here(self) -> bool:
        """Of the people who play themselves."""
        return 2 * self.players_here > sum(seat_state.played_by_person for seat_state in self._state.seats)

    def watching(self, connections: Iterable[Connection]) -> int:
        """Whoever has only reserved a seat watches too."""
        return sum(connection.seat_state not in self._state.seats for connection in connections)

    def lag_of(self, seat: int) -> float:
        seat_state = self._state.seats[seat]
        return max((c.lag for c in self.connections if c.seat_state is seat_state), default=0.0)

    # ------------------------------------------------------------ connect and disconnect
    def send_bye(self) -> None:
        """The table goes on elsewhere."""
        for connection in list(self.connections):
            connection.end("shutting-down")

    def admit(self, connection: Connection) -> bool:
        """Add a connection; it replaces an older one of the same seat.  False: its seat no longer exists."""
        seat_state = connection.seat_state
        if seat_state is not None:
            if self._state.place_of(seat_state) is None:
                connection.end("banned" if self._state.is_banned(seat_state.tokens[0], "") else "bad-token")
                return False
            if connection.token is not None and connection.token not in seat_state.tokens:
                connection.end("moved")  # while it waited for its welcome
                return False
            for other in [c for c in self.connections if c.seat_state is seat_state]:
                other.end("replaced")
                self.remove(other)
        self.connections.add(connection)
        self._here = None
        return True

    def remove(self, connection: Connection) -> None:
        self.connections.discard(connection)
        self._here = None

    def drop_gone(self, entry: entries.AnyEntry) -> bool:
        """Drop connections of seats that were left, removed or moved, or of a table that was closed."""
        if self._state.closed_refusal is not None:
            return self._turn_all_away(self._state.closed_refusal)
        seats, known = self._state.seats, {None, *self._state.seats, *self._state.reserved}
        moved = isinstance(entry, entries.Transferred)
        leaver = seats[entry.seat] if moved or (isinstance(entry, entries.StoodIn) and entry.why == "left") else None
        gone = [c for c in self.connections if c.seat_state not in known or c.seat_state is leaver is not None]
        for connection in gone:
            connection.end("moved" if moved else "left" if entry.by == entry.seat else "removed")
            self.remove(connection)
        return bool(gone)

    def _turn_all_away(self, refusal: TableRefusal) -> bool:
        gone = list(self.connections)
        self.connections.clear()
        self._here = None
        for connection in gone:
            connection.turn_away(refusal)
        return bool(gone)

    def drop_watchers(self, is_out: Callable[[str], bool]) -> None:
        """Drop spectators from addresses that are kept out from now on."""
        for connection in [c for c in self.connections if c.seat_state is None and is_out(c.address)]:
            connection.end("removed")
            self.remove(connection)

    # ------------------------------------------------------------ broadcast
    def broadcast(self, message: bytes, but: Connection | None = None) -> None:
        for connection in self.connections:
            if connection is not but:
                connection.send(message)

    def add_chat(self, line: server_messages.ChatLine) -> None:
        """A line of chat."""
        self._chat.append(line)
        self.broadcast(frame(line))

    def broadcast_presence(self, but: Connection | None = None) -> None:
        seats = self.info.seats
        here = [seat.seat for seat in seats if seat.here]
        substitutes = {str(seat.seat): seat.substitute for seat in seats if seat.substitute is not None}
        self.broadcast(frame(server_messages.Presence(here, self.info.watching, substitutes)), but)

    def welcome(self, connection: Connection, have: int | None, clock: ClockInfo | None) -> None:
        state, seat = self._state, self._viewer(connection)
        missed = state.missed_since(have)
        connection.send(welcome(self._server, seat, state.version, self.info, state.match, clock, missed, self._chat))

    def cork(self, seat_state: SeatState | None) -> None:
        """What a seat is sent from now on goes out together with the next version that it is shown."""
        if seat_state is not None:
            self._corked = next((c for c in self.connections if c.seat_state is seat_state), None)
            if self._corked is not None:
                self._corked.cork()

    def uncork(self) -> None:
        corked, self._corked = self._corked, None
        if corked is not None:
            corked.uncork()

    def show(self, events: Sequence[Event], clock: ClockInfo | None, table: TableInfo | None) -> None:
        """Send everybody the new version."""
        state = self._state
        places: dict[SeatState | None, int] = {seat_state: seat for seat, seat_state in enumerate(state.seats)}
        seats = {connection: places.get(connection.seat_state) for connection in self.connections}
        if seats:
            frames = updates(state.version, events, state.match, set(seats.values()), clock, table)
            corked = self._corked
            if corked in seats:  # acknowledged before it is shown to anybody
                corked.send(frames[seats.pop(corked)])
            self.uncork()
            for connection, seat in seats.items():
                connection.send(frames[seat])

    def _viewer(self, connection: Connection) -> int | None:
        seat_state, seats = connection.seat_state, self._state.seats
        return seats.index(seat_state) if seat_state is not None and seat_state in seats else None
