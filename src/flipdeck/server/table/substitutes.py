"""Who plays in the place of which bot of a table: public, and not part of any version.

It is a fact about the server, not about the match, so that no entry has it: a replayed table asks its bots again.
Nothing here may depend on hidden cards.  That the queue was long or the search is not compiled has nothing to do with
the cards of the seat; that a bot found no move may, so that this is told when the round is over and all hands lie open.
"""

from __future__ import annotations

from msgspec.structs import replace

from ...wire import client_messages
from ...wire.errors import TableRefusal
from ...wire.parts import Substitute, TableInfo
from ..thinkers.search_status import SearchStatus
from .requests import Request
from .seats import SeatState
from .state import TableState


class TableSubstitutes:
    def __init__(self, state: TableState, search: SearchStatus) -> None:
        self._state = state
        self._search = search
        self._noted: dict[SeatState, Substitute] = {}  # who made the last move
        self._failed: dict[SeatState, Substitute] = {}  # … in this round, once at least

    def note(self, seat_state: SeatState, substitute: Substitute | None) -> bool:
        """Who makes the next move of a bot; None: its own level.  The result: there is something new to tell now."""
        if substitute is not None and substitute.reason == "failed":
            self._failed[seat_state] = substitute
            return False
        before = self._noted.pop(seat_state, None)
        if substitute is not None:
            self._noted[seat_state] = substitute
        return substitute != before

    def forget_past(self) -> None:
        """A round is dealt: what was told about the last one is over, and some seats may be gone."""
        self._failed.clear()
        self._noted = {seat: each for seat, each in self._noted.items() if seat in self._state.seats}

    def search_changed(self) -> None:
        """Whoever had to wait for the compiler does so no longer."""
        self._noted = {seat: each for seat, each in self._noted.items() if each.reason != "warming-up"}

    def add_to(self, info: TableInfo) -> TableInfo:
        """The description of the table, with the substitutes."""
        substitutes = [self._of(seat_state) for seat_state in self._state.seats]
        if not any(substitutes):
            return info
        pairs = zip(info.seats, substitutes, strict=True)
        return replace(info, seats=[replace(seat, substitute=each) if each else seat for seat, each in pairs])

    def _of(self, seat_state: SeatState) -> Substitute | None:
        if seat_state.level is None:
            return None
        if self._state.phase != "playing" and seat_state in self._failed:
            return self._failed[seat_state]
        return self._search.substitute_for(seat_state.level) or self._noted.get(seat_state)


def check_level(request: Request, search: SearchStatus) -> None:
    """Refuse a bot that this server can't play."""
    if isinstance(request, client_messages.SeatBot) and request.level not in search.levels:
        raise TableRefusal("level-unavailable")
