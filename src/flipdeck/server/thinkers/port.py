"""The port to the bots: a table asks, somebody answers elsewhere.

A question is about one seat and carries all observations of that seat since the last one.  Nothing else goes across: a
bot knows what its seat knows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from ...core.events import Event
from ...core.notation import Move
from ...core.options import Options
from ...core.view import View
from ...wire.parts import Substitute, SubstituteReason
from .search_status import SearchStatus


@dataclass(frozen=True, slots=True)
class Shown:
    """One observation of a seat: the events of a step as it saw them, and its view afterwards."""

    events: tuple[Event, ...]
    view: View


@dataclass(frozen=True, slots=True)
class Question:
    """What does this seat do now?  ``who`` names the bot of one seat in one match, on this server only."""

    who: str
    level: str
    players: int
    options: Options
    first: int  # the number of the first observation; a bot that lacks an earlier one begins with the current view
    shown: Sequence[Shown]  # the last one is current


class BotAnswer(NamedTuple):
    move: Move | None  # None: it passes, out of turn
    substitute: Substitute | None = None  # who answered, if it was not the level that was asked


class Thinkers(Protocol):
    search: SearchStatus

    @property
    def restarts(self) -> int:
        """Worker processes that had to be replaced."""
        ...

    @property
    def failures(self) -> int:
        """Questions that no bot answered with a legal move."""
        ...

    @property
    def substituted(self) -> Mapping[SubstituteReason, int]:
        """Questions that were not answered by the level that was asked, by reason."""
        ...

    async def start(self) -> None: ...

    async def ask(self, question: Question) -> BotAnswer:
        """Whatever fails inside, an answer comes."""
        ...

    def forget(self, who: str) -> None:
        """The match is over, or the table was unloaded."""
        ...

    async def close(self) -> None: ...
