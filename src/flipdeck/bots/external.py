"""External bots: programs in any language that read a ``View`` and write a ``Move``, a line each (docs/programs.md).

A program sees what its seat sees and no more, and can harm only its own seat.  A fault costs it the move: ``fallback``
answers in its place, and ``faults`` counts the faults by kind.
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
START = 3  # times the limit: what the first answer may take, as programs need time to start
RESTARTS = 3  # in one match
PASSES = ("", "pass")

FAULTS = (
    "crash",  # it exited, or closed its input or output
    "timeout",  # no answer within the limit
    "too-long",  # an answer without end
    "extra",  # output before a question, or more than one line for an answer
    "garbage",  # an answer that is no move
    "illegal",  # a move that is not legal now
    "given-up",  # it was started too often and is not asked any more
)


class ExternalBot:
    def __init__(self, command: str, seconds: float = SECONDS) -> None:
        """Starts the program at once: one that can't be started is refused before the match."""
        self.command = command
        self.seconds = seconds
        self.faults: Counter[str] = Counter()
        self._arguments = _split(command)
        self._restarts = RESTARTS
        self._answered = False
        self._last_words = ""
        self._program: Program | None = _start(self._arguments)

    @property
    def name(self) -> str:
        return f"cmd:{self.command}"

    @property
    def last_words(self) -> str:
        """The end of the program's standard error: of this process, or of the one before it."""
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
        """Close the program's input and give it a moment to exit."""
        self._restarts = 0
        self._drop(GRACE)

    # ------------------------------------------------------------ asking
    def _ask(self, view: View, earnest: Sequence[Move]) -> str:
        """The answer as text.  After a fault the program is ended, and restarted for the next question."""
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
    """A view as JSON, ``legal`` last, as the documentation promises.

    Catches in vain are left out of it: a program could make them for ever.
    """
    fields = view.to_dict()
    del fields["legal"]
    return json.dumps(fields | {"legal": [str(move) for move in earnest]}).encode()


def fallback(legal: Sequence[Move]) -> Move:
    """The move in place of a lost one: a card, wilds last, with UNO where it is due; else the plain answer."""
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
    """Split a command as a shell does: quoted parts stay together, and nothing else is special."""
    try:
        arguments = shlex.split(command)
    except ValueError:
        arguments = []
    if not arguments or "\0" in command:
        raise BadOption("no-command", command=command)
    return arguments


def _start(arguments: list[str]) -> Program:
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
