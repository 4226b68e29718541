"""The match as the library offers it: ``core`` throws no dice of its own, so a fresh seed is drawn here."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence

from .core import editions
from .core import match as core
from .core.cards import Card
from .core.options import Options


class Match(core.Match):
    """A match of one or more rounds to the target: the game as people and programs use it."""

    def __init__(
        self,
        edition: str = editions.DEFAULT,
        players: int = 4,
        *,
        seed: str | bytes | None = None,
        options: Options | Mapping[str, object] | None = None,
        dealer: int | None = None,
        deck: Sequence[Card | str] | None = None,
        values: Mapping[int, bytes] | None = None,
    ) -> None:
        """A new match with its first round dealt.

        ``seed`` decides every card: any text for a match to repeat, 32 secret bytes for play among people.  Without
        one, 32 fresh bytes are drawn, and no two matches are alike; ``match.secret`` has them.
        ``options`` has what is changed from the edition, by name; whole ``Options`` stand for all of them.
        ``dealer`` names the first dealer; ``deck`` sets the first deal, top card first, and the pairing of the match.
        Where seats have added ``values`` of 32 bytes to the secret, both together decide.
        """
        drawn = secrets.token_bytes(32) if seed is None else seed
        super().__init__(edition, players, seed=drawn, options=options, dealer=dealer, deck=deck, values=values)
