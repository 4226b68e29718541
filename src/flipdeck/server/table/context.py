"""What all tables of a server share: the journal, the bots, the counters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ... import __version__
from .. import identity
from ..durations import Durations
from ..journal import Journal
from ..thinkers.port import Thinkers
from .known_kinds import KnownKinds

COMMIT_BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)


def ignore_step(_: str) -> None:
    """No hook."""


@dataclass(slots=True)
class Counters:
    """Counters since the start, for the metrics."""

    moves: int = 0
    refusals: int = 0
    journal_failures: int = 0
    fenced_appends: int = 0
    tables_lost: int = 0
    commit_times: Durations = field(default_factory=lambda: Durations(COMMIT_BOUNDS))
    connections: int = 0
    chats: int = 0


@dataclass(frozen=True, slots=True)
class Context:
    journal: Journal
    thinkers: Thinkers
    step: Callable[[str], None] = ignore_step  # called at every step of a request: fault tests stop the server there
    counters: Counters = field(default_factory=Counters)
    version: str = __version__
    secrets: identity.SecretStock = field(default_factory=identity.SecretStock)
    address_hashes: identity.AddressHashes = field(default_factory=identity.AddressHashes)
    kinds: KnownKinds = field(default_factory=KnownKinds)
