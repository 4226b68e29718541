"""Text of hands and moves, encoded straight from the numbers of a game: a table needs it after every move."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from .cards import Seat, Side, card_of, faces_of, text_of_card
from .codes import CARDS, DARK, FIRST_WILD, LIGHT
from .reading import WORDS, bits_of_hand, cards_in, hand_in_order, move_named, numbers_of_moves, side_in_play
from .rules.hands import HALF
from .rules.moves import COLOR_BITS, COLOR_SHIFT, UNO_SHIFT, WHAT_BITS
from .state import Game


class Hand:
    """A hand in order with the text of each card.  Most moves leave most hands as they are, and change the others by a
    card or two: what was written is used again."""

    __slots__ = (
        *(
            "_arrivals",
            "_backs",
            "_backs_text",
            "_game",
            "_halves",
            "_own",
            "_own_backs",
            "_own_text",
            "_round",
            "_seat",
        ),
        *("_side", "cards"),
    )

    def __init__(self, g: Game, seat: Seat, own_backs: str, cards: list[int] | None = None) -> None:
        self.cards = hand_in_order(g, seat) if cards is None else cards
        self._game, self._seat, self._own_backs = g, seat, own_backs
        self._round, self._side, self._arrivals = g.round, g.side, g.arrivals
        self._halves = g.sets[2 * seat : 2 * seat + 2]  # of its bit set
        self._own: list[str] | None = None  # card by card
        self._backs: list[str] | None = None
        self._own_text: str | None = None
        self._backs_text: str | None = None

    def now(self, g: Game) -> Hand:
        """The hand after more moves: itself if it is as it was."""
        if self._game is not g or self._side != g.side or self._round != g.round:
            return Hand(g, self._seat, self._own_backs)
        if self._arrivals != g.arrivals:
            if max(map(g.arrived.__getitem__, self.cards), default=0) > self._arrivals:
                return Hand(g, self._seat, self._own_backs)  # a card has left and come back: it is the last one now
            self._arrivals = g.arrivals
        seat = self._seat
        return self if g.sets[2 * seat : 2 * seat + 2] == self._halves else self._changed(g)

    def _changed(self, g: Game) -> Hand:
        """Less the cards that are gone; new ones come last."""
        low, high = self._halves
        bits, before = bits_of_hand(g, self._seat), low | high << HALF
        new = cards_in(g, bits & ~before)
        hand = Hand(g, self._seat, self._own_backs, self.cards + new)
        lists: list[list[Any]] = [hand.cards]
        if self._own is not None:
            hand._own = self._own + card_texts(g, new, self._own_backs)
            lists.append(hand._own)
        if self._backs is not None:
            hand._backs = self._backs + back_texts(g, new)
            lists.append(hand._backs)
        for card in cards_in(g, before & ~bits):
            at = hand.cards.index(card)
            for each in lists:
                del each[at]
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
    numbers = numbers_of_moves(g, seat)
    if not numbers:
        return {}
    sayings: dict[str, int] = {}
    side = side_in_play(g)
    for number in numbers:
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
