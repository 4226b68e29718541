"""Episodes as records: the same match, replayed through the core from its seed and its words."""

from __future__ import annotations

from collections.abc import Iterable

from ..core.match import Match
from ..core.writing import saying
from .batch import Rules


def match_of(rules: Rules, seed: str) -> Match:
    """The match of an episode as it was dealt; ``seed`` is in the final info."""
    return Match(rules.edition, rules.players, seed=seed, options=dict(rules.options))


def say_again(match: Match, words: Iterable[tuple[int, int]]) -> None:
    """What was said, seat and number of the move; the next round is dealt where one is over."""
    for seat, move in words:
        if match.round.over:
            match.next_round()
        match.say_again(seat, saying(match._game, move, match.options.own_backs), move)
