"""Bots that are programs of their own, in any language: a View a line in, a Move a line out (docs/programs.md).

A program sees what its seat sees and no more, and harms nobody but its own seat.  Whatever it gets wrong costs it the
move: ``fallback`` answers in its place, and ``faults`` counts it by its kind.
"""

from __future__ import annotations

import json
import os
import random
import shlex
from collections import Counter
from collections.abc import Sequence

from ..core.errors import BadNotation, BadOption
from ..core.notation import Move, Play
from ..core.view import View
from .belief.memory import Memory
from .player import in_earnest
from .program import GRACE, Fault, Program

SECONDS = 2.0
START = 3  # times the limit: what the first answer may take, as programs need a while to wake up
RESTARTS = 3  # in one match
PASSES = ("", "pass")

FAULTS = (
    "crash",  # it exited, or closed its input or output
    "timeout",  # no answer within the limit
    "too-long",  # an answer without end
    "extra",  # it said something before it was asked, or more than one line to a question
    "garbage",  # an answer that is no move
    "illegal",  # a move that is not legal now
    "given-up",  # it was started too often and is not asked any more
)


class ExternalBot:
    def __init__(self, command: str, seconds: float = SECONDS) -> None:
        """The program is started at once, so that one that can't be is refused before anybody sits down."""
        self.command = command
        self.seconds = seconds
        self.faults: Counter[str] = Counter()
        self._arguments = _split(command)
        self._restarts = RESTARTS
        self._answered = False
        self._last_words = ""
        self._program: Program | None = _started(self._arguments)

    @property
    def name(self) -> str:
        return f"cmd:{self.command}"

    @property
    def last_words(self) -> str:
        """The end of what the program wrote to its standard error, this one or the one before it."""
        return (self._program.last_words if self._program else "") or self._last_words

    def choose(self, view: View, legal: Sequence[Move], memory: Memory, rng: random.Random) -> Move:
        del memory, rng
        earnest = in_earnest(legal, view)
        try:
            return _read_move(self._ask(view, earnest), earnest)
        except Fault as fault:
            self.faults[fault.kind] += 1
            return fallback(earnest)

    def interrupt(self, view: View, legal: Sequence[Move], memory: Memory, rng: random.Random) -> Move | None:
        del memory, rng
        earnest = in_earnest(legal, view)
        try:
            answer = self._ask(view, earnest)
            return None if answer in PASSES else _read_move(answer, earnest)
        except Fault as fault:
            self.faults[fault.kind] += 1
            return None

    def close(self) -> None:
        """The program sees its input end, and has a moment to leave."""
        self._restarts = 0
        self._drop(GRACE)

    # ------------------------------------------------------------ asking
    def _ask(self, view: View, earnest: Sequence[Move]) -> str:
        """What it answers, as text.  A program that is out of step is ended, and started anew at the next question."""
        program = self._program or self._start_anew()
        try:
            line = program.ask(question(view, earnest), self.seconds * (1 if self._answered else START))
        except Fault:
            self._drop()
            raise
        self._answered = True
        try:
            return line.decode("utf-8").strip()
        except UnicodeDecodeError:
            raise Fault("garbage") from None

    def _start_anew(self) -> Program:
        if not self._restarts:
            raise Fault("given-up")
        self._restarts -= 1
        try:
            self._program = Program(self._arguments)
        except OSError:
            raise Fault("crash") from None
        return self._program

    def _drop(self, grace: float = 0) -> None:
        self._last_words = self.last_words
        if self._program:
            self._program.end(grace)
        self._program = None
        self._answered = False


def question(view: View, earnest: Sequence[Move]) -> bytes:
    """A View as JSON.  Catches in vain are left out of ``legal``: a table could wait forever for a program's turn."""
    return json.dumps(view.to_dict() | {"legal": [str(move) for move in earnest]}).encode()


def fallback(legal: Sequence[Move]) -> Move:
    """What is played for a lost move: a card, wilds last, with UNO where it is due, or else the plain answer."""
    plays = [move for move in legal if isinstance(move, Play)]
    if not plays:
        return legal[0]  # draw, keep, accept or a color: they come before challenges and calls
    return min(plays, key=lambda play: (play.color is not None, not play.uno))


def _read_move(text: str, legal: Sequence[Move]) -> Move:
    try:
        move = Move.parse(text)
    except BadNotation:
        raise Fault("garbage") from None
    if move not in legal:
        raise Fault("illegal")
    return move


# ---------------------------------------------------------------- starting
def _split(command: str) -> list[str]:
    """As a shell splits it, without one: what is quoted stays together, and nothing else is special."""
    try:
        arguments = shlex.split(command)
    except ValueError:
        arguments = []
    if not arguments or "\0" in command:
        raise BadOption("no-command", command=command)
    return arguments


def _started(arguments: list[str]) -> Program:
    if os.name != "posix":
        raise BadOption("program-elsewhere", program=arguments[0])
    try:
        return Program(arguments)
    except (FileNotFoundError, NotADirectoryError):
        raise BadOption("program-missing", program=arguments[0]) from None
    except PermissionError:
        raise BadOption("program-forbidden", program=arguments[0]) from None
    except (OSError, ValueError):
        raise BadOption("program-broken", program=arguments[0]) from None
