"""A terminal for tests: arguments and typed lines go in; exit code, output and errors come out."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import pytest

from flipdeck.cli import main


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


Terminal = Callable[..., Ran]


def assert_refused(ran: Ran, sentence: str) -> None:
    """In one sentence, with exit code 2."""
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(sentence)
    assert ran.err.count("\n") == 1


class Typist:
    """Types an endless supply of lines, as an answering script would; a match that never ends is cut off."""

    def __init__(self, lines: Iterable[str], most: int) -> None:
        self._lines = iter(lines)
        self._left = most

    def isatty(self) -> bool:
        return False

    def readline(self) -> str:
        self._left -= 1
        assert self._left >= 0, "the match does not end"
        return next(self._lines, "")


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Terminal:
    """Runs a command; ``typed`` is a text, lines without end, or the bytes of a file at standard input."""

    def run(*arguments: str, typed: str | bytes | Iterable[str] = "", most: int = 6000) -> Ran:
        if isinstance(typed, str | bytes):
            data = typed.encode() if isinstance(typed, str) else typed
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        else:
            monkeypatch.setattr(sys, "stdin", Typist(typed, most))
        for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
            monkeypatch.delenv(variable, raising=False)
        code = main(list(arguments))
        told = capsys.readouterr()
        return Ran(code, told.out, told.err)

    return run
