"""Those who are at a table: who they are, and what each of them is told."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence

from ...core.events import Event
from ...wire import server_messages
from ...wire.parts import ClockInfo, TableInfo
from . import entries
from .connection import Connection
from .frames import frame, updates, welcome
from .seats import Chair
from .state import TableState

MOST_CHAT = 30  # lines that somebody who comes is shown


class Company:
    def __init__(self, state: TableState, server: str) -> None:
        self.connections: set[Connection] = set()
        self._state = state
        self._server = server  # its version
        self._chat: deque[server_messages.ChatLine] = deque(maxlen=MOST_CHAT)
        self.info = self.look(None)  # the table as everybody may see it: never ahead of what was committed

    def look(self, next_round_ms: int | None) -> TableInfo:
        """The table as it is now."""
        self.info = self._state.info(self.here(), self.watching(self.connections), next_round_ms)
        return self.info

    def here(self) -> set[Chair]:
        return {connection.chair for connection in self.connections if connection.chair is not None}

    @staticmethod
    def watching(connections: Iterable[Connection]) -> int:
        return sum(connection.chair is None for connection in connections)

    def lag_of(self, seat: int) -> float:
        chair = self._state.chairs[seat]
        return max((c.lag for c in self.connections if c.chair is chair), default=0.0)

    # ------------------------------------------------------------ coming and going
    def let_in(self, connection: Connection) -> bool:
        """Whether there is a place for it; whoever sat there with another connection has this one now."""
        chair = connection.chair
        if chair is not None:
            if chair not in self._state.chairs:
                connection.end("bad-token")
                return False
            for other in [c for c in self.connections if c.chair is chair]:
                other.end("replaced")
                self.connections.discard(other)
        self.connections.add(connection)
        return True

    def let_go(self, entry: entries.AnyEntry) -> bool:
        """Whoever leaves, or has lost their chair, is not at the table any more; who has come back since is."""
        chairs = self._state.chairs
        leaver = chairs[entry.seat] if isinstance(entry, entries.StoodIn) and entry.why == "left" else None
        gone = [c for c in self.connections if c.chair and (c.chair is leaver or c.chair not in chairs)]
        for connection in gone:
            connection.end("left" if entry.by == entry.seat else "removed")
            self.connections.discard(connection)
        return bool(gone)

    # ------------------------------------------------------------ telling
    def tell_all(self, message: bytes, but: Connection | None = None) -> None:
        for connection in self.connections:
            if connection is not but:
                connection.tell(message)

    def hear(self, line: server_messages.ChatLine) -> None:
        """Somebody says something."""
        self._chat.append(line)
        self.tell_all(frame(line))

    def tell_presence(self, but: Connection | None = None) -> None:
        here = [seat.seat for seat in self.info.seats if seat.here]
        self.tell_all(frame(server_messages.Presence(here, self.info.watching)), but)

    def welcome(self, connection: Connection, have: int | None, clock: ClockInfo | None) -> None:
        state, seat = self._state, self._viewer(connection)
        missed = state.missed_since(have)
        connection.tell(welcome(self._server, seat, state.version, self.info, state.match, clock, missed, self._chat))

    def show(self, events: Sequence[Event], clock: ClockInfo | None, table: TableInfo | None) -> None:
        """Everybody sees the new version."""
        state = self._state
        seats = {connection: self._viewer(connection) for connection in self.connections}
        if seats:
            frames = updates(state.version, events, state.match, set(seats.values()), clock, table)
            for connection, seat in seats.items():
                connection.tell(frames[seat])

    def _viewer(self, connection: Connection) -> int | None:
        return None if connection.chair is None else self._state.seat_of(connection.chair)
