"""The turn clock.  Times are arguments, in seconds of a monotonic clock."""

from __future__ import annotations

from ...wire.parts import ClockInfo

SLOW_REST = 0.2  # of the clock: who has less of it left was slow
MOST_LAG = 1.0  # seconds that are added for network latency, at most


class TurnClock:
    """Times one decision, a draw and the word about the drawn card together; paused while nobody is at the table and
    while the server is down."""

    __slots__ = ("_left", "_of", "_since", "seat", "version")

    def __init__(self) -> None:
        self.seat: int | None = None
        self.version = 0  # with which it began
        self._left = self._of = 0.0
        self._since: float | None = None  # None: paused

    def set(self, seat: int, version: int, seconds: float, of: float) -> None:
        self.seat, self.version = seat, version
        self._left, self._of, self._since = seconds, of, None

    def clear(self) -> None:
        self.seat = self._since = None

    def resume(self, now: float) -> None:
        if self.seat is not None and self._since is None:
            self._since = now

    def pause(self, now: float) -> None:
        self._left = self.left(now)
        self._since = None

    def left(self, now: float) -> float:
        return self._left if self._since is None else max(0.0, self._left - (now - self._since))

    def is_nearly_up(self, now: float) -> bool:
        return self.seat is not None and self.left(now) < SLOW_REST * self._of

    @property
    def running(self) -> bool:
        return self._since is not None

    def due(self, lag: float) -> float | None:
        """When the time is up, with the round trip to the player on top."""
        return None if self._since is None else self._since + self._left + min(lag, MOST_LAG)

    def info(self, now: float) -> ClockInfo | None:
        if self.seat is None:
            return None
        return ClockInfo(self.seat, round(1000 * self.left(now)), round(1000 * self._of), self.running)
