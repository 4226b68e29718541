"""What a seat can say, and how it is written.

    R7/O1   W/P5=G   R7/O1!   W/P5=G!     play a card; call a color with a wild; say UNO with it
    draw    keep                          take a card; keep the one just drawn
    color G                               call the color of a wild that nobody played
    accept  challenge                     answer a draw card
    uno     catch 3                       say UNO late; catch seat 3

Printing and parsing are exact inverses: ``Move.parse(str(move)) == move``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from .cards import Card, Color, Seat
from .errors import BadNotation

_PLAY = re.compile(r"(?P<card>[^=!/\s]+/[^=!\s]+)(?:=(?P<color>[A-Z]))?(?P<uno>!)?")
_CATCH = re.compile(r"catch (0|[1-9][0-9]?)", re.ASCII)


class Move:
    """What one seat says."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"

    @staticmethod
    def parse(text: str) -> Move:
        word = _WORDS.get(text)
        if word is not None:
            return word
        if text.startswith("color "):
            return CallColor(Color.parse(text.removeprefix("color ")))
        if match := _CATCH.fullmatch(text):
            return Catch(Seat(int(match[1])))
        if match := _PLAY.fullmatch(text):
            color = Color.parse(match["color"]) if match["color"] else None
            return Play(Card.parse(match["card"]), color, match["uno"] is not None)
        raise BadNotation("no-move", text=text)


class _Word(Move):
    """A move that is one word; two of a kind are equal."""

    __slots__ = ()
    text: ClassVar[str]

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other)

    def __hash__(self) -> int:
        return hash(type(self))


@dataclass(frozen=True, slots=True, repr=False)
class Play(Move):
    """Play a card; call a color with a wild, and say UNO with the last but one."""

    card: Card
    color: Color | None = None
    uno: bool = False

    def __str__(self) -> str:
        color = f"={self.color.value}" if self.color else ""
        return f"{self.card}{color}{'!' if self.uno else ''}"


class Draw(_Word):
    """Take a card from the draw pile."""

    __slots__ = ()
    text = "draw"


class Keep(_Word):
    """Keep the card that was just drawn."""

    __slots__ = ()
    text = "keep"


@dataclass(frozen=True, slots=True, repr=False)
class CallColor(Move):
    """Call the color of a wild that nobody played."""

    color: Color

    def __str__(self) -> str:
        return f"color {self.color.value}"


class Accept(_Word):
    """Take the cards of a draw card, without a challenge."""

    __slots__ = ()
    text = "accept"


class Challenge(_Word):
    """Doubt that a wild draw card was played rightly."""

    __slots__ = ()
    text = "challenge"


class SayUno(_Word):
    """Say UNO late."""

    __slots__ = ()
    text = "uno"


@dataclass(frozen=True, slots=True, repr=False)
class Catch(Move):
    """Catch a seat that has one card and did not say UNO."""

    seat: Seat

    def __str__(self) -> str:
        return f"catch {self.seat}"


# how the moves begin that may be said out of turn and leave the decision of the player on turn as it is
OUT_OF_TURN = (SayUno.text, "catch ")

_WORDS: dict[str, Move] = {str(move): move for move in (Draw(), Keep(), Accept(), Challenge(), SayUno())}
