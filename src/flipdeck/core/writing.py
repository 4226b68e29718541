"""Text of hands and moves, encoded straight from the numbers of a game: a table needs it after every move."""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeVar

from .cards import Seat, Side, card_of, faces_of, text_of_card
from .codes import CARDS, DARK, FIRST_WILD, LIGHT
from .reading import WORDS, bits_of_hand, cards_in, hand_in_order, move_named, numbers_of_moves, side_in_play
from .rules.moves import COLOR_BITS, COLOR_SHIFT, UNO_SHIFT, WHAT_BITS
from .state import Game

T = TypeVar("T")


class Hand:
    """A hand in order with the text of each card.  Most moves leave most hands as they are, and change the others by a
    card or two: what was written is used again."""

    __slots__ = (
        *("_arrivals", "_backs", "_backs_text", "_bits", "_game", "_own", "_own_backs", "_own_text", "_round", "_seat"),
        *("_side", "cards"),
    )

    def __init__(self, g: Game, seat: Seat, own_backs: str, cards: list[int] | None = None) -> None:
        self.cards = hand_in_order(g, seat) if cards is None else cards
        self._game, self._seat, self._own_backs = g, seat, own_backs
        self._round, self._side, self._arrivals, self._bits = g.round, g.side, g.arrivals, bits_of_hand(g, seat)
        self._own: list[str] | None = None  # card by card
        self._backs: list[str] | None = None
        self._own_text: str | None = None
        self._backs_text: str | None = None

    def now(self, g: Game) -> Hand:
        """The hand after more moves: itself if it is as it was."""
        if not self._in_order(g):
            return Hand(g, self._seat, self._own_backs)
        bits = bits_of_hand(g, self._seat)
        if bits != self._bits:
            return self._changed(g, bits)
        self._arrivals = g.arrivals
        return self

    def _in_order(self, g: Game) -> bool:
        """Same game, same side up, and no card has left and come back: it would be the last one."""
        return (
            self._game is g
            and self._side == g.side
            and self._round == g.round
            and (
                self._arrivals == g.arrivals or max(map(g.arrived.__getitem__, self.cards), default=0) <= self._arrivals
            )
        )

    def _changed(self, g: Game, bits: int) -> Hand:
        """Less the cards that are gone; new ones come last."""
        gone = [self.cards.index(card) for card in cards_in(g, self._bits & ~bits)]
        new = cards_in(g, bits & ~self._bits)
        hand = Hand(g, self._seat, self._own_backs, _without(self.cards, gone) + new)
        if self._own is not None:
            hand._own = _without(self._own, gone) + card_texts(g, new, self._own_backs)
        if self._backs is not None:
            hand._backs = _without(self._backs, gone) + back_texts(g, new)
        return hand

    def own_text(self) -> str:
        """As its owner sees it."""
        if self._own_text is None:
            if self._own is None:
                self._own = card_texts(self._game, self.cards, self._own_backs)
            self._own_text = quoted(self._own)
        return self._own_text

    def backs_text(self) -> str:
        """As everybody else sees it."""
        if self._backs_text is None:
            if self._backs is None:
                self._backs = back_texts(self._game, self.cards)
            self._backs_text = f'{{"seat":{self._seat},"backs":[{quoted(self._backs)}]}}'
        return self._backs_text


def _without(things: list[T], places: list[int]) -> list[T]:
    things = things[:]
    for at in sorted(places, reverse=True):
        del things[at]
    return things


def card_texts(g: Game, cards: list[int], own_backs: str) -> list[str]:
    """Cards as their owner sees them (SEE-4)."""
    return [card_text(g, card, own_backs) for card in cards]


def card_text(g: Game, card: int, own_backs: str) -> str:
    light, dark = g.faces[LIGHT + card], g.faces[DARK + card]
    return text_of_card(light, dark) if own_backs == "shown" else str(card_of(light, dark).only(side_in_play(g)))


def back_texts(g: Game, cards: list[int]) -> list[str]:
    """SEE-1: cards as everybody but their owner sees them."""
    faces, back = faces_of(side_in_play(g).other), DARK - g.side
    return [faces[g.faces[back + card]].text for card in cards]


def sayings_of(g: Game, seat: Seat, own_backs: str) -> dict[str, int]:
    """``reading.moves_of`` in the notation: to make a ``Move`` of each takes far longer."""
    sayings: dict[str, int] = {}
    side = side_in_play(g)
    for number in numbers_of_moves(g, seat):
        sayings.setdefault(_saying(g, side, number, own_backs), number)
    return sayings


def saying(g: Game, number: int, own_backs: str) -> str:
    """The notation of a move, by its number."""
    return _saying(g, side_in_play(g), number, own_backs)


def _saying(g: Game, side: Side, number: int, own_backs: str) -> str:
    what = number & WHAT_BITS
    if what >= CARDS:
        return _WORDS.get(what) or str(move_named(g, number, own_backs))
    text = card_text(g, what, own_backs)
    if g.faces[g.side + what] >= FIRST_WILD:
        text = f"{text}={side.colors[number >> COLOR_SHIFT & COLOR_BITS].value}"
    return f"{text}!" if number >> UNO_SHIFT else text


def quoted(texts: Collection[str]) -> str:
    """Texts of the notation as elements of a JSON list; there is nothing in them to escape."""
    return f'"{_BETWEEN.join(texts)}"' if texts else ""


_WORDS = {number: str(move) for number, move in WORDS.items()}
_BETWEEN = '","'
