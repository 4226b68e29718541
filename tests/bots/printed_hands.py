"""Tables laid with cards as they are printed, for what a back tells of a front."""

from __future__ import annotations

from flipdeck.core.cards import Card
from flipdeck.core.match import Match
from flipdeck.core.pairing import PRINTED_PAIRS


def printed(*hands: str, top: str, **options: object) -> Match:
    """A table of printed cards, seat 0 to play; each card is named by one of its faces."""
    left = [Card.parse(f"{entry.split(':')[0].strip()}/{dark}") for entry in PRINTED_PAIRS.split(";")
            for dark in entry.split(":")[1].split()]  # fmt: skip

    def take(text: str) -> Card:
        card = next(card for card in left if text in (str(card), str(card.light), str(card.dark)))
        left.remove(card)
        return card

    dealt = [take(text) for place in zip(*(hand.split() for hand in hands), strict=True) for text in place]
    deck = [*dealt, take(top), *left]
    rules = {"pairing": "printed", "hand_size": len(hands[0].split()), **options}
    return Match(players=len(hands), seed="printed", dealer=len(hands) - 1, deck=deck, options=rules)
