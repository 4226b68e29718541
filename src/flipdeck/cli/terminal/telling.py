"""Prints what happens, as it happens; a draw waits for the word about the card, so that the two are one sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...core.events import Event, What
from .console import Console
from .narration import Teller


class Telling:
    """All events must be those that the teller's seat may see."""

    def __init__(self, console: Console, teller: Teller) -> None:
        self._console = console
        self._teller = teller
        self._draw: tuple[Event, ...] = ()  # on a turn, not told yet
        self._told_keep = False

    @property
    def waits(self) -> bool:
        """Cards were drawn on a turn, and what becomes of them is not known yet."""
        return bool(self._draw)

    def tell(self, events: Iterable[Event]) -> None:
        new = tuple(events)
        if self._told_keep and new[0].what is What.KEPT:
            new = new[1:]
        self._told_keep = False
        if is_draw(new):
            self._draw = new
        else:
            new, self._draw = (*self._draw, *new), ()
            self._console.say(*self._teller.narrate(new))

    def flush(self) -> None:
        """Tell the draw that waits as it is."""
        self._console.say(*self._teller.narrate(self._draw))
        self._draw = ()

    def keep_unfit(self) -> None:
        """Tell the draw that waits, and that its card does not fit and is kept; the event of that is not told again."""
        if self._draw:
            self._console.say(*self._teller.kept_unfit(self._draw))
            self._draw, self._told_keep = (), True
        else:  # something happened in between
            self._console.say(self._teller.text("ask.drawn_unfit"))


def is_draw(events: Sequence[Event]) -> bool:
    """Cards drawn on a turn, perhaps with a reshuffle in between; before those of an effect its cause is told."""
    return bool(events) and all(event.what in (What.DREW, What.RESHUFFLED) for event in events)
