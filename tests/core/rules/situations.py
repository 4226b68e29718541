"""Situations that more than one file of tests begins with."""

from __future__ import annotations

from typing import Any

from flipdeck import Match
from tests.tables import say, table


def silent(edition: str, card: str = "R1", **options: Any) -> Match:
    """Seat 0 has played the next-to-last card without a word; seats 1 and 2 have red cards and green ones."""
    top = options.pop("top", "R5")
    hands = [f"{card.partition('=')[0]} G1", "R3 G3", "R4 G4"]
    match = table(hands, top=top, draw="Y1 Y2 Y3 Y4 Y6", edition=edition, **options)
    say(match, f"0: {card}")
    return match
