"""The prompt of a player: it asks until the answer is a legal move."""

from __future__ import annotations

from collections.abc import Callable

from ...core.cards import Color
from ...core.errors import Refusal
from ...core.notation import Move
from ...core.view import View
from .choices import (
    Answer,
    ChosenMove,
    ColorNeeded,
    EmptyLine,
    Problem,
    TypedCommand,
    choices_of,
    color_meant,
    command_in,
    understand,
)
from .console import Console
from .narration import Teller


class Quit(Exception):  # noqa: N818  # a choice, no error
    """The user quits."""


class TerminalPlayer:
    def __init__(self, console: Console, teller: Teller, why_not: Callable[[Move], Refusal | None]) -> None:
        """``why_not`` asks the rules why a move is illegal now, None if it is legal."""
        self._console = console
        self._teller = teller
        self._catalogue = teller.catalogue
        self._why_not = why_not

    def choose(self, view: View) -> Move | None:
        """The chosen move; None to pass, out of turn."""
        choices = choices_of(view)
        on_turn = view.to_act == view.you
        ask = self._teller.question if on_turn else self._teller.interruption
        self._console.say(*ask(view, choices))
        while True:
            answer = understand(self._console.ask(), choices, self._catalogue)
            if isinstance(answer, EmptyLine) and not on_turn:
                return None
            move = self._move(answer, view)
            if move is not None:
                return move
            self._console.say(*self._teller.offer(view, choices))

    def pause(self, question: str, view: View) -> None:
        """Wait for Enter; commands are carried out meanwhile."""
        while command := command_in(self._console.ask(question), self._catalogue):
            self._carry_out(command, view)

    # ------------------------------------------------------------ within
    def _move(self, answer: Answer, view: View) -> Move | None:
        """The legal move of an answer; None, after an explanation, if there is none."""
        if isinstance(answer, ColorNeeded):
            answer = self._ask_color(answer, view)
        if isinstance(answer, ChosenMove):
            refusal = self._why_not(answer.move)
            if refusal is None:
                return answer.move
            self._console.say(self._catalogue.refusal(refusal.reason, refusal.facts, str(refusal)))
        elif isinstance(answer, Problem):
            self._console.say(answer.sentence)
        elif isinstance(answer, TypedCommand):
            self._carry_out(answer, view)
        return None

    def _ask_color(self, wild: ColorNeeded, view: View) -> Answer:
        """Ask for the color of a wild; an empty line cancels."""
        while True:
            line = self._console.ask(self._teller.which_color(wild.choice))
            if not line:
                return EmptyLine()
            if command := command_in(line, self._catalogue):
                self._carry_out(command, view)
                continue
            uno = wild.uno or line.endswith("!")
            color: Color | None = color_meant(line.rstrip("! "), wild.choice.colors, self._catalogue)
            if color is None:
                self._console.say(self._catalogue.text("problem.no_color", text=line))
            elif uno and not wild.choice.with_uno:
                self._console.say(self._catalogue.text("problem.no_uno"))
            else:
                return ChosenMove(wild.choice.move(color, uno))

    def _carry_out(self, command: TypedCommand, view: View) -> None:
        if command.name == "quit":
            raise Quit
        if command.name == "help":
            self._console.say(*self._teller.help())
        elif command.name == "rules":
            self._console.say(*self._teller.rule(command.argument))
        elif command.name == "hand":
            self._console.say(*self._teller.hand(view))
        else:
            self._console.say(*self._teller.table(view), self._teller.scores(view.scores))
