"""Lines out, lines in: all that the terminal commands know of the terminal."""

from __future__ import annotations

from typing import TextIO

LONGEST = 200  # a line longer than this is nobody's answer


class EndOfInput(Exception):  # noqa: N818  # it ends the talk, nothing is wrong
    """Nobody is there to answer any more."""


class Console:
    def __init__(self, lines_in: TextIO, lines_out: TextIO) -> None:
        self._in = lines_in
        self._out = lines_out
        for stream in (lines_in, lines_out):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="replace")

    def say(self, *lines: str) -> None:
        for line in lines:
            print(line, file=self._out)

    def ask(self, *question: str) -> str:
        """The next line, without the space around it."""
        self.say(*question)
        self._out.flush()
        line = self._in.readline()
        if not line:
            raise EndOfInput
        return line.strip()[:LONGEST]
