"""Line-based input and output."""

from __future__ import annotations

from typing import TextIO

LONGEST = 200  # longer lines are cut


class EndOfInput(Exception):  # noqa: N818  # it ends the match, it is no error
    """The input has ended."""


class Console:
    def __init__(self, lines_in: TextIO, lines_out: TextIO) -> None:
        self._in = lines_in
        self._out = lines_out
        for stream in (lines_in, lines_out):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="replace")

    @property
    def is_watched(self) -> bool:
        """Somebody sits at a terminal; lines from a file or a pipe wait for nothing."""
        return self._in.isatty()

    def say(self, *lines: str) -> None:
        for line in lines:
            print(line, file=self._out)

    def ask(self, *question: str) -> str:
        """Print the question; the next line, stripped."""
        self.say(*question)
        self._out.flush()
        line = self._in.readline()
        if not line:
            raise EndOfInput
        return line.strip()[:LONGEST]
