"""What all tables of a server share: the journal, the bots, the counters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ... import __version__
from .. import identity
from ..journal import Journal
from ..thinkers.port import Thinkers
from .known_kinds import KnownKinds


def ignore_step(_: str) -> None:
    """No hook."""


@dataclass(slots=True)
class Counters:
    """Counters since the start, for the metrics."""

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
    step: Callable[[str], None] = ignore_step  # called at every step of a request: fault tests stop the server there
    counters: Counters = field(default_factory=Counters)
    version: str = __version__
    secrets: identity.SecretStock = field(default_factory=identity.SecretStock)
    address_hashes: identity.AddressHashes = field(default_factory=identity.AddressHashes)
    kinds: KnownKinds = field(default_factory=KnownKinds)
