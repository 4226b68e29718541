"""A bot for a friendly table: it matches what it can, saves its wilds, and now and then forgets to say UNO.

It remembers nothing and looks at no back but its own, so it is easy to beat and quick to answer.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

from ..core.cards import Card, Color, Face, Symbol
from ..core.notation import Accept, CallColor, Catch, Challenge, Draw, Keep, Move, Play, SayUno
from ..core.view import Phase, View

SAYS_UNO = 5 / 6
SAYS_IT_LATE = 0.5
CATCHES = 0.7
JUMPS_IN = 0.6
CHALLENGES = 0.12
BLUFFS = 0.2  # plays a Wild Draw that it should not, where it would have to draw otherwise
HURRY = 2  # somebody with so few cards is about to go out

_HURTS = {
    *(Symbol.DRAW_ONE, Symbol.DRAW_FIVE, Symbol.SKIP, Symbol.SKIP_EVERYONE),
    *(Symbol.WILD_DRAW_TWO, Symbol.WILD_DRAW_COLOR),
}
_WILD_DRAWS = {Symbol.WILD_DRAW_TWO, Symbol.WILD_DRAW_COLOR}


class SimpleBot:
    def choose(self, view: View, rng: random.Random) -> Move | None:
        word = _call_out(view, rng)
        if word is not None:
            return word
        plays = [move for move in view.legal if isinstance(move, Play)]
        if view.to_act != view.you:
            return _best_play(view, plays, rng) if plays and rng.random() < JUMPS_IN else None
        if view.phase is Phase.COLOR:
            return CallColor(_favorite(view, view.hand, rng))
        if view.phase is Phase.CHALLENGE:
            return _answer(view, plays, rng)
        return _turn(view, plays, rng)


# ---------------------------------------------------------------- UNO
def _call_out(view: View, rng: random.Random) -> Move | None:
    """Catch somebody, or say UNO late; never a catch in vain."""
    for move in view.legal:
        if isinstance(move, SayUno) and rng.random() < SAYS_IT_LATE:
            return move
        if isinstance(move, Catch) and move.seat in view.catchable and rng.random() < CATCHES:
            return move
    return None


# ---------------------------------------------------------------- on turn
def _answer(view: View, plays: Sequence[Play], rng: random.Random) -> Move:
    """A draw card: pass it on if the house allows, else draw; now and then doubt it."""
    if plays:
        return _best_play(view, plays, rng)
    return Challenge() if Challenge() in view.legal and rng.random() < CHALLENGES else Accept()


def _turn(view: View, plays: Sequence[Play], rng: random.Random) -> Move:
    wait: Move = Draw() if view.phase is Phase.TURN else Keep()
    honest = [play for play in plays if not _is_bluff(view, play)]
    if honest:
        return _best_play(view, honest, rng)
    if plays and (wait not in view.legal or rng.random() < BLUFFS):
        return _best_play(view, plays, rng)
    return wait


def _is_bluff(view: View, play: Play) -> bool:
    """A Wild Draw is for a hand without the color in force."""
    if _front(view, play.card).symbol not in _WILD_DRAWS:
        return False
    return any(_front(view, card).color is view.color for card in _without(view.hand, play.card))


def _best_play(view: View, plays: Sequence[Play], rng: random.Random) -> Play:
    """The card that is best gone, with the color that suits the rest and UNO said where it is due, mostly."""
    says_uno = rng.random() < SAYS_UNO
    card = max(dict.fromkeys(play.card for play in plays), key=lambda card: (_eagerness(view, card), rng.random()))
    color = _favorite(view, _without(view.hand, card), rng) if _front(view, card).is_wild else None
    wanted = Play(card, color, says_uno)
    return wanted if wanted in plays else Play(card, color)


def _eagerness(view: View, card: Card) -> float:
    """How gladly a card is played: of the color held most, dear ones first, wilds last, harm when it helps."""
    face = _front(view, card)
    held = Counter(_front(view, other).color for other in view.hand)
    hurry = any(len(other.backs) <= HURRY for other in view.others)
    eagerness = 2.0 * held[face.color] + _weight(face) / 10
    if face.is_wild:
        eagerness = 10.0 if hurry else -10.0
    if face.symbol in _HURTS and hurry:
        eagerness += 20
    if face.symbol is Symbol.FLIP:
        eagerness += _gain_of_flip(view, card)
    return eagerness


def _gain_of_flip(view: View, flip: Card) -> float:
    """What the hand loses in weight when it is turned over, as far as its backs are known."""
    cards = _without(view.hand, flip)
    backs = [back for card in cards if (back := card.face(view.side.other)) is not None]
    if len(backs) < len(cards):
        return 0
    return (sum(_weight(_front(view, card)) for card in cards) - sum(map(_weight, backs))) / 5


def _favorite(view: View, cards: Sequence[Card], rng: random.Random) -> Color:
    """The color of the side in play that these cards have most of."""
    held = Counter(_front(view, card).color for card in cards)
    return max(view.side.colors, key=lambda color: (held[color], rng.random()))


# ---------------------------------------------------------------- cards
def _front(view: View, card: Card) -> Face:
    face = card.face(view.side)
    if face is None:
        raise ValueError(f"{card} does not show its owner the side in play")
    return face


def _weight(face: Face) -> int:
    if face.is_wild:
        return 45
    return int(face.symbol.value) if face.symbol.is_number else 20


def _without(hand: Sequence[Card], card: Card) -> list[Card]:
    """The hand when one copy of a card is gone."""
    rest = list(hand)
    rest.remove(card)
    return rest
