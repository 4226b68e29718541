"""What the bots of a table saw of the round that is played, found out while its entries are replayed.

So a bot remembers after a restart, and at another server, what it did before.  It is what its seat was shown, step by
step, as ``bot_driver`` showed it; of a very long round the latest steps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...core.events import Event, What
from ..thinkers.port import Shown
from .seats import SeatState
from .state import TableState

MOST_VIEWS = 600  # of all bots together: some 10 ms
Observed = Mapping[SeatState, Sequence[Shown]]


class RoundObserver:
    """It is told every entry that is replayed, and looks only at the last ones."""

    def __init__(self, seats: int, entries: int) -> None:
        self._left = entries
        self._most = MOST_VIEWS // max(1, seats - 1)
        self._seen: dict[SeatState, list[Shown]] = {}

    def note(self, state: TableState, events: Sequence[Event]) -> None:
        """An entry was applied, with these events."""
        self._left -= 1
        if self._left >= self._most or state.match is None or not events:
            return
        if any(event.what is What.DEALT for event in events):
            self._seen = {}
        for seat, seat_state in enumerate(state.seats):
            if seat_state.played_by_bot:
                shown = Shown(state.match.seen(events, seat), state.match.view(seat))
                self._seen.setdefault(seat_state, []).append(shown)

    def observed(self, state: TableState) -> Observed:
        """By the seats of bots that play on."""
        if state.phase != "playing":
            return {}
        return {seat: shown for seat, shown in self._seen.items() if seat in state.seats and seat.played_by_bot}
