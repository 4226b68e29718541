"""What every table of a server shares: where it is kept, who thinks for its bots, who is told what happens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ... import __version__
from ..journal import Journal
from ..thinkers.port import Thinkers


def ignore_step(_: str) -> None:
    """Nobody watches the steps."""


@dataclass(slots=True)
class Counters:
    """What has happened since the server started; read by the metrics."""

    moves: int = 0
    refusals: int = 0
    journal_failures: int = 0
    commit_seconds: float = 0.0
    commits: int = 0
    connections: int = 0
    chats: int = 0


@dataclass(frozen=True, slots=True)
class Context:
    journal: Journal
    thinkers: Thinkers
    step: Callable[[str], None] = ignore_step  # hears every step of the way of a move: fault tests stop the world there
    counters: Counters = field(default_factory=Counters)
    version: str = __version__
