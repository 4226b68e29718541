"""Bots think elsewhere: the port to whoever thinks for them.

A table asks for one seat at a time, with all that the seat was shown since it was last asked.  Nothing else goes
across: a thinker knows what its seat knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ...core.events import Event
from ...core.notation import Move
from ...core.options import Options
from ...core.view import View


@dataclass(frozen=True, slots=True)
class Shown:
    """What a seat saw of one step, and what it saw then."""

    events: tuple[Event, ...]
    view: View


@dataclass(frozen=True, slots=True)
class Question:
    """What does this seat say now?  ``who`` names the bot of one seat in one match, at this server only."""

    who: str
    level: str
    players: int
    options: Options
    first: int  # the number of the first of ``shown``; a thinker that lacks an earlier one begins with this view
    shown: Sequence[Shown]  # the last one is the present


class Thinkers(Protocol):
    @property
    def restarts(self) -> int:
        """How often a process that thinks had to be replaced."""
        ...

    @property
    def failures(self) -> int:
        """Questions that no bot answered, or not with a legal move."""
        ...

    @property
    def hurried(self) -> int:
        """Questions that a plainer bot was asked than the one that plays, as there were too many."""
        ...

    async def start(self) -> None: ...

    async def ask(self, question: Question) -> Move | None:
        """The bot's move; None lets the moment go.  However it goes wrong within, an answer comes."""
        ...

    def forget(self, who: str) -> None:
        """The match is over, or the table sleeps."""
        ...

    async def close(self) -> None: ...
