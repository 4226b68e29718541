"""Decoding: the numbers of a game as cards, hands in order, and moves."""

from __future__ import annotations

from .cards import Card, Color, Seat, Side, card_of, color_of, face_of
from .codes import CARDS, DARK, FIRST_WILD, LIGHT, MAX_PLAYERS
from .notation import Accept, CallColor, Catch, Challenge, Draw, Keep, Move, Play, SayUno
from .rules.hands import HALF
from .rules.legal import legal_moves
from .rules.moves import (
    ACCEPT,
    CALL,
    CATCH,
    COLOR_BITS,
    COLOR_SHIFT,
    DISPUTE,
    KEEP,
    SAY_UNO,
    TAKE,
    UNO_SHIFT,
    WHAT_BITS,
)
from .state import Game

MOST_PLAYS, MOST_WORDS = 8, 20  # of a card: 4 colors, with UNO or without; and all that can be said besides
_LIGHT_SIDE, _DARK_SIDE = Side  # global names: to look up a member of an enum is slow
SEATS = tuple(map(Seat, range(MAX_PLAYERS)))  # made once: views name seats all the time
WORDS: dict[int, Move] = {TAKE: Draw(), KEEP: Keep(), ACCEPT: Accept(), DISPUTE: Challenge(), SAY_UNO: SayUno()}


def side_in_play(g: Game) -> Side:
    return _LIGHT_SIDE if g.side == LIGHT else _DARK_SIDE


def card_named(g: Game, card: int) -> Card:
    return card_of(g.faces[LIGHT + card], g.faces[DARK + card])


def bits_of_hand(g: Game, seat: int) -> int:
    """The cards of a hand as one bit set."""
    return g.sets[2 * seat] | g.sets[2 * seat + 1] << HALF


def cards_in(g: Game, bits: int) -> list[int]:
    """The cards of a bit set in order of arrival."""
    cards: list[int] = []
    while bits:
        lowest = bits & -bits
        bits ^= lowest
        cards.append(lowest.bit_length() - 1)
    return sorted(cards, key=g.arrived.__getitem__)


def hand_in_order(g: Game, seat: int) -> list[int]:
    """The cards of a hand in order of arrival."""
    return cards_in(g, bits_of_hand(g, seat))


def color_in_force(g: Game) -> Color | None:
    return color_of(side_in_play(g), g.color)


def seats_in(bits: int) -> tuple[Seat, ...]:
    return tuple([SEATS[seat] for seat in range(bits.bit_length()) if bits >> seat & 1]) if bits else ()


def shown_card(card: Card, side: Side, own_backs: str) -> Card:
    """A card as its owner sees it (SEE-4)."""
    return card if own_backs == "shown" else card.only(side)


def moves_of(g: Game, seat: int, own_backs: str = "shown") -> dict[Move, int]:
    """The legal moves of a seat, with the number of each.

    Plays come in hand order, and of cards that look the same to their owner the first in the hand stands for all.
    """
    moves: dict[Move, int] = {}
    for number in numbers_of_moves(g, seat):
        moves.setdefault(move_named(g, number, own_backs), number)
    return moves


def numbers_of_moves(g: Game, seat: int) -> list[int]:
    """The legal moves of a seat as numbers; plays in the order of the hand."""
    out = [0] * (MOST_PLAYS * g.counts[seat] + MOST_WORDS)
    numbers = out[: legal_moves(g, seat, out)]
    if len(numbers) > 1:
        arrived, last = g.arrived, g.arrivals + 1
        numbers.sort(key=lambda number: arrived[what] if (what := number & WHAT_BITS) < CARDS else last)
    return numbers


def move_named(g: Game, number: int, own_backs: str) -> Move:
    what, side = number & WHAT_BITS, side_in_play(g)
    if what < CARDS:
        wild = g.faces[g.side + what] >= FIRST_WILD
        card = card_named(g, what) if own_backs == "shown" else _front_of(g, what, side)
        return Play(card, _color_called(side, number) if wild else None, bool(number >> UNO_SHIFT))
    if what == CALL:
        return CallColor(_color_called(side, number))
    if what >= CATCH:
        return Catch(Seat(what - CATCH))
    return WORDS[what]


def _front_of(g: Game, card: int, side: Side) -> Card:
    """SEE-4: where own backs are hidden, a seat's own picture of the game does not know them either."""
    face = face_of(side, g.faces[g.side + card])
    return Card(face, None) if side is Side.LIGHT else Card(None, face)


def _color_called(side: Side, number: int) -> Color:
    return side.colors[number >> COLOR_SHIFT & COLOR_BITS]
