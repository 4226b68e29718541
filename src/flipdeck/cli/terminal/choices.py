"""The menu of legal moves, and the parser of a typed line: pure, without input or output.

All plays of a card are one item, whatever its color and UNO: ``2`` plays choice 2, ``2=G`` calls green with it,
``2!`` says UNO with it.  A move can be written out in the notation instead, and a word can be a command.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ...core.cards import Card, Color
from ...core.errors import Refusal
from ...core.notation import Catch, Keep, Move, Play
from ...core.view import View
from ...i18n import Catalogue

COMMANDS = ("help", "hand", "table", "rules", "quit")
_NUMBER = re.compile(r"(?P<number>[0-9]{1,6})\s*(?:=?\s*(?P<color>[^\W\d_][^=!]*?))?\s*(?P<uno>!)?")


@dataclass(frozen=True, slots=True)
class MenuItem:
    """One item of the menu: a move, or all ways to play one card."""

    moves: tuple[Move, ...]

    @property
    def card(self) -> Card | None:
        first = self.moves[0]
        return first.card if isinstance(first, Play) else None

    @property
    def colors(self) -> tuple[Color, ...]:
        """The colors that can be called."""
        called = (move.color for move in self.moves if isinstance(move, Play))
        return tuple(dict.fromkeys(color for color in called if color))

    @property
    def with_uno(self) -> bool:
        return any(isinstance(move, Play) and move.uno for move in self.moves)

    def move(self, color: Color | None, uno: bool) -> Move:
        """The move with this color and UNO."""
        card = self.card
        return self.moves[0] if card is None else Play(card, color, uno)


@dataclass(frozen=True, slots=True)
class ChosenMove:
    """A complete move; the rules decide whether it is legal."""

    move: Move


@dataclass(frozen=True, slots=True)
class ColorNeeded:
    """A wild without its color."""

    choice: MenuItem
    uno: bool


@dataclass(frozen=True, slots=True)
class TypedCommand:
    name: str
    argument: str


@dataclass(frozen=True, slots=True)
class Problem:
    sentence: str


@dataclass(frozen=True, slots=True)
class EmptyLine:
    """An empty line."""


Answer = ChosenMove | ColorNeeded | TypedCommand | Problem | EmptyLine


def choices_of(view: View) -> list[MenuItem]:
    """The menu, in the order of ``legal``, without catches in vain: those can only be written in notation."""
    by_card: dict[object, list[Move]] = {}
    for move in view.legal:
        if isinstance(move, Catch) and move.seat not in view.catchable:
            continue
        by_card.setdefault(move.card if isinstance(move, Play) else move, []).append(move)
    return [MenuItem(tuple(moves)) for moves in by_card.values()]


def can_only_keep(view: View) -> bool:
    """A menu of one item: the drawn card does not fit, and there is nothing else to say."""
    return [choice.moves for choice in choices_of(view)] == [(Keep(),)]


def understand(line: str, choices: Sequence[MenuItem], catalogue: Catalogue) -> Answer:
    """Parse a line against this menu."""
    if not line:
        return EmptyLine()
    if command := command_in(line, catalogue):
        return command
    if numbered := _NUMBER.fullmatch(line):
        return _chosen(numbered, choices, catalogue)
    return _written_out(line, catalogue)


def command_in(line: str, catalogue: Catalogue) -> TypedCommand | None:
    word, _, argument = line.partition(" ")
    for name in COMMANDS:
        if word.casefold() in catalogue.text(f"command.{name}").split():
            return TypedCommand(name, argument.strip())
    return None


def color_meant(text: str, colors: Sequence[Color], catalogue: Catalogue) -> Color | None:
    """A color by its number in the list, its letter or its name."""
    for number, color in enumerate(colors, start=1):
        if text.casefold() in (str(number), color.value.casefold(), catalogue.color(color.value).casefold()):
            return color
    return None


def _chosen(numbered: re.Match[str], choices: Sequence[MenuItem], catalogue: Catalogue) -> Answer:
    number, uno = int(numbered["number"]), numbered["uno"] is not None
    if not 1 <= number <= len(choices):
        return Problem(catalogue.text("problem.no_choice", text=numbered["number"]))
    choice = choices[number - 1]
    if uno and not choice.with_uno:
        return Problem(catalogue.text("problem.no_uno"))
    color = None
    if numbered["color"]:
        color = color_meant(numbered["color"], choice.colors, catalogue)
        if color is None:
            return Problem(catalogue.text("problem.no_color", text=numbered["color"]))
    if choice.colors and color is None:
        return ColorNeeded(choice, uno)
    return ChosenMove(choice.move(color, uno))


def _written_out(line: str, catalogue: Catalogue) -> Answer:
    """Parse the notation, case-insensitively."""
    word, space, rest = line.partition(" ")
    if "/" in line:
        text = line.upper()
    elif word.lower() == "color":
        text = f"color{space}{rest.strip().upper()}"
    else:
        text = line.lower()
    try:
        return ChosenMove(Move.parse(text))
    except Refusal as refusal:
        return Problem(catalogue.refusal(refusal.reason, refusal.facts, str(refusal)))
