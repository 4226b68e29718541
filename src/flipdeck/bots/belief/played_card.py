"""Which card of a hand was played, as far as a seat can tell; where it can't, the hypotheses that are left."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from ...core.cards import Card, Side
from ...core.reading import hand_in_order
from ...core.state import DRAWN
from ...core.view import View
from .ambiguity import MAX_HYPOTHESES, Hypothesis, Known
from .faces import faces_of
from .knowledge import Knowledge
from .pools import UNKNOWN, FacePair


def find_played(knowledge: Knowledge, seat: int, seen: Card, view: View) -> int:
    """The card of the picture that leaves the hand: one without which the hand looks as the view shows it."""
    g = knowledge.game
    hand, shown = hand_in_order(g, seat), _shown_hand(view, seat)
    may_be = [card for card in hand if knowledge.may_be(card, seen)]
    has_drawn = g.phase == DRAWN and seat == g.turn
    # a seat that came late may be wrong about the drawn card
    if has_drawn and g.drawn in may_be and _fits(knowledge, hand, g.drawn, shown):
        fitting = [g.drawn]
    elif len(may_be) == 1 or (seat == knowledge.seat and not has_drawn):  # of own cards that look the same, the first
        fitting = may_be[:1]
    else:
        may_be.sort(key=lambda card: knowledge.known_pair(card) is None)
        fitting = [card for card in may_be if _fits(knowledge, hand, card, shown)]
    _keep_hypotheses(knowledge, seat, hand, fitting, seen)
    return fitting[0]


def _fits(knowledge: Knowledge, hand: Sequence[int], played: int, shown: Sequence[Card]) -> bool:
    """Without that card the hand looks as it is shown; cards that came since are at its end."""
    cards = [card for card in hand if card != played]
    return all(knowledge.may_be(card, now) for card, now in zip(cards, shown, strict=False))


def _shown_hand(view: View, seat: int) -> Sequence[Card]:
    """A hand as the view shows it."""
    if seat == view.you:
        return view.hand
    backs = next(other.backs for other in view.others if other.seat == seat)
    return [Card(face, None) if view.side is Side.DARK else Card(None, face) for face in backs]


def _keep_hypotheses(knowledge: Knowledge, seat: int, hand: Sequence[int], fitting: Sequence[int], seen: Card) -> None:
    """One of the fitting cards is played; the first of them leaves the picture for it."""
    ambiguity = knowledge.ambiguities.get(seat)
    if len(fitting) == 1 and (ambiguity is None or fitting[0] not in ambiguity.places):
        return
    ambiguous = ambiguity.places if ambiguity else []
    at = [i for i, card in enumerate(hand) if card in fitting or card in ambiguous]
    span = hand[at[0] : at[-1] + 1]
    if len({knowledge.group[card] for card in span}) > 1:
        knowledge.merge_pools()
    left = defaultdict[Hypothesis, float](float)
    for hypothesis, deals in ambiguity.hypotheses.items() if ambiguity else [((), 1.0)]:
        before = dict(zip(ambiguous, hypothesis, strict=True))
        then = {card: before.get(card) or knowledge.known(card) for card in span}
        for after, more in _after_play(knowledge, then, fitting, faces_of(seen), deals).items():
            left[after] += more
    rest = [card for card in span if card != fitting[0]]
    knowledge.begin_ambiguity(seat, rest, left, MAX_HYPOTHESES)


def _after_play(
    knowledge: Knowledge, hand: dict[int, Known], fitting: Sequence[int], played: FacePair, deals: float
) -> dict[Hypothesis, float]:
    """The hypotheses after a play that follow from one before it, with their numbers of deals."""
    found = defaultdict[Hypothesis, float](float)
    cards, before = list(hand), tuple(hand.values())
    for at, one in enumerate(before):
        if cards[at] not in fitting or not one.may_be(played, knowledge.game.side):
            continue
        copies = 1.0 if one.pair or UNKNOWN in played else knowledge.copies(cards, before, cards[at], played)
        if copies > 0:
            found[before[:at] + before[at + 1 :]] += deals * copies
        if one.pair:  # of cards that look the same the first is played
            break
    return found
