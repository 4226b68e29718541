"""Faces, cards and decks as people know them.

A face is a color and a symbol, or a wild.  A card has a light and a dark face; either may be unknown (``None``).
Every one prints as the short text of ``notation`` and parses back: ``str(Card.parse("R7/O1")) == "R7/O1"``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from typing import NewType

from .codes import CARDS, COLOR_AT, NO_COLOR, RANK_BITS, faces_in
from .errors import BadDeck, BadNotation

Seat = NewType("Seat", int)
Seat.__doc__ = "The number of a seat: clockwise, from 0."


class Side(Enum):
    """One of the two sides of every card; one is in play at a time."""

    LIGHT = "light"
    DARK = "dark"

    __hash__ = object.__hash__  # there is one of each, and enums hash slowly

    @property
    def other(self) -> Side:
        return _DARK_SIDE if self is _LIGHT_SIDE else _LIGHT_SIDE

    @property
    def colors(self) -> tuple[Color, ...]:
        return _LIGHT_COLORS if self is _LIGHT_SIDE else _DARK_COLORS


_LIGHT_SIDE, _DARK_SIDE = Side  # global names: to look up a member of an enum is slow


class Color(Enum):
    """The eight colors; the n-th light one and the n-th dark one share a shape (red with pink, …)."""

    RED = "R"
    YELLOW = "Y"
    GREEN = "G"
    BLUE = "B"
    PINK = "P"
    ORANGE = "O"
    TEAL = "T"
    PURPLE = "V"

    __hash__ = object.__hash__  # as with sides

    @property
    def side(self) -> Side:
        return Side.LIGHT if self.value in "RYGB" else Side.DARK

    @classmethod
    def parse(cls, text: str) -> Color:
        try:
            return cls(text)
        except ValueError:
            raise BadNotation("no-color", text=text) from None


_LIGHT_COLORS, _DARK_COLORS = tuple(Color)[:4], tuple(Color)[4:]


class Symbol(Enum):
    """What a face shows beside its color: a number, an action or a wild."""

    ONE = "1"
    TWO = "2"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"
    SIX = "6"
    SEVEN = "7"
    EIGHT = "8"
    NINE = "9"
    DRAW_ONE = "+1"
    DRAW_FIVE = "+5"
    REVERSE = "R"
    SKIP = "S"
    SKIP_EVERYONE = "E"
    FLIP = "F"
    WILD = "W"
    WILD_DRAW_TWO = "W+2"
    WILD_DRAW_COLOR = "W+C"

    @property
    def is_wild(self) -> bool:
        return self.value.startswith("W")

    @property
    def is_number(self) -> bool:
        return self.value.isdigit()


_NUMBERS = tuple(Symbol)[:9]
# the symbols of a side, in the order of the ranks 1..15
_SYMBOLS = {
    Side.LIGHT: (
        *_NUMBERS,
        *(Symbol.DRAW_ONE, Symbol.REVERSE, Symbol.SKIP, Symbol.FLIP, Symbol.WILD, Symbol.WILD_DRAW_TWO),
    ),
    Side.DARK: (
        *_NUMBERS,
        *(Symbol.DRAW_FIVE, Symbol.REVERSE, Symbol.SKIP_EVERYONE, Symbol.FLIP, Symbol.WILD, Symbol.WILD_DRAW_COLOR),
    ),
}


@dataclass(frozen=True, slots=True, repr=False)
class Face:
    """One side of a card: ``Face.parse("R7")``."""

    color: Color | None
    symbol: Symbol
    text: str = field(init=False, compare=False)  # faces are written all the time, and there are 108 of them

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", (self.color.value if self.color else "") + self.symbol.value)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Face {self.text}>"

    def __hash__(self) -> int:
        return hash(self.text)  # enums hash slowly, and moves are looked up by their cards

    @classmethod
    def parse(cls, text: str) -> Face:
        face = _FACES.get(text)
        if face is None:
            raise BadNotation("no-face", text=text)
        return face

    @property
    def is_wild(self) -> bool:
        return self.color is None


def face_of(side: Side, code: int) -> Face:
    """The face that the number ``code`` of the rules means on a side."""
    return (_LIGHT_FACES if side is _LIGHT_SIDE else _DARK_FACES)[code]


def faces_of(side: Side) -> Mapping[int, Face]:
    """All faces of a side by the numbers of the rules."""
    return _LIGHT_FACES if side is _LIGHT_SIDE else _DARK_FACES


@cache
def card_of(light: int, dark: int) -> Card:
    """The card whose faces these numbers mean; there are less than 3,000, so each is made once."""
    return Card(_LIGHT_FACES[light], _DARK_FACES[dark])


@cache
def text_of_card(light: int, dark: int) -> str:
    return str(card_of(light, dark))


def code_of(side: Side, face: Face) -> int:
    """The number that the rules use for a face of a side; a KeyError if the side has no such face."""
    return _CODES[side][face]


def color_of(side: Side, number: int) -> Color | None:
    return None if number == NO_COLOR else side.colors[number]


def _all_faces(side: Side) -> dict[int, Face]:
    codes = set(faces_in(CARDS))
    return {
        code: Face(color_of(side, code >> COLOR_AT), _SYMBOLS[side][(code & RANK_BITS) - 1]) for code in sorted(codes)
    }


# two tables, not one by side: hashing a side would cost more than the rest of the look-up
_LIGHT_FACES, _DARK_FACES = _all_faces(Side.LIGHT), _all_faces(Side.DARK)
_CODES = {
    Side.LIGHT: {face: code for code, face in _LIGHT_FACES.items()},
    Side.DARK: {face: code for code, face in _DARK_FACES.items()},
}
_FACES = {str(face): face for faces in (_LIGHT_FACES, _DARK_FACES) for face in faces.values()}


@dataclass(frozen=True, slots=True, repr=False)
class Card:
    """A card with its two faces: ``Card.parse("R7/O1")``; ``?`` is a face that is not known."""

    light: Face | None
    dark: Face | None

    def __str__(self) -> str:
        return f"{self.light.text if self.light else '?'}/{self.dark.text if self.dark else '?'}"

    def __repr__(self) -> str:
        return f"<Card {self}>"

    def face(self, side: Side) -> Face | None:
        return self.light if side is _LIGHT_SIDE else self.dark

    def only(self, side: Side) -> Card:
        """The card as somebody sees it who sees one side."""
        face = self.light if side is _LIGHT_SIDE else self.dark
        return _UNKNOWN if face is None else (_LIGHT_ONLY if side is _LIGHT_SIDE else _DARK_ONLY)[face.text]

    @classmethod
    def parse(cls, text: str) -> Card:
        parts = text.split("/")
        if len(parts) != 2 or parts == ["?", "?"]:
            raise BadNotation("no-card", text=text)
        faces = [None if part == "?" else Face.parse(part) for part in parts]
        for side, face in zip(Side, faces, strict=True):
            if face is not None and face not in _CODES[side]:
                raise BadNotation("wrong-side", text=text, face=face, side=side.value)
        return cls(*faces)


# made once: everybody sees the cards of others so
_LIGHT_ONLY = {face.text: Card(face, None) for face in _LIGHT_FACES.values()}
_DARK_ONLY = {face.text: Card(None, face) for face in _DARK_FACES.values()}
_UNKNOWN = Card(None, None)


def full_deck(side: Side, size: int) -> Counter[Face]:
    """DECK-1 to DECK-3, DECK-6: the faces that one side of a deck of so many cards has."""
    return Counter(face_of(side, code) for code in faces_in(size))


def check_deck(cards: Sequence[Card], size: int) -> None:
    """The faces must be those of the deck, in any pairing."""
    if len(cards) != size:
        raise BadDeck("wrong-count", want=size, got=len(cards))
    for side in Side:
        _check_side([_known(card, side) for card in cards], side, size)


def _known(card: Card, side: Side) -> Face:
    face = card.face(side)
    if face is None:
        raise BadDeck("unknown-face-in-deck", card=card)
    return face


def _check_side(faces: Iterable[Face], side: Side, size: int) -> None:
    want, got = full_deck(side, size), Counter(faces)
    for face in (*want, *got):
        if got[face] != want[face]:
            raise BadDeck("wrong-faces", side=side.value, face=face, want=want[face], got=got[face])
