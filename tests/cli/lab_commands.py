"""Commands of the lab, run in this process or watched in their own."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from flipdeck.cli import main
from tests.patience import HANG


class LabTerminal:
    """Runs one command; what it prints comes back, and ``err`` has its remarks."""

    def __init__(self, command: str, capsys: pytest.CaptureFixture[str]) -> None:
        self._command = command
        self._capsys = capsys
        self.err = ""

    def __call__(self, *arguments: object, code: int = 0) -> str:
        assert main([self._command, *map(str, arguments)]) == code
        out, self.err = self._capsys.readouterr()
        return out

    def refuses(self, arguments: str, sentence: str, folder: Path) -> None:
        """Bad input gets one sentence and exit code 2, and nothing is written into the folder."""
        (folder / "FILE").write_text("mine")
        assert self(*shlex.split(arguments), code=2) == ""
        assert self.err.startswith(f"flipdeck {self._command}: ")
        assert self.err.count("\n") == 1
        assert sentence in self.err
        assert [file.name for file in folder.iterdir()] == ["FILE"]

    def json(self, *arguments: object, code: int = 0) -> Any:
        out = self(*arguments, "--json", code=code)
        assert out.count("\n") == 1
        return json.loads(out)


def interrupted(*_: object) -> Iterator[Any]:
    """Results of a run that is stopped before the first."""
    raise KeyboardInterrupt
    yield


def plain(screen: bytes) -> str:
    """What is written, without colors and movements."""
    return re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", screen.decode(errors="replace"))


class WatchedRun:
    """A run whose errors go to a terminal of ours, as a person sees them."""

    def __init__(self, *arguments: str, module: str = "flipdeck") -> None:
        self._screen, theirs = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-m", module, *arguments],
            stdout=subprocess.PIPE,
            stderr=theirs,
            text=True,
            env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
        )
        os.close(theirs)
        self.seen = ""

    def wait_for(self, pattern: str) -> None:
        end = monotonic() + HANG
        while not re.search(pattern, self.seen):
            try:
                ready = select.select([self._screen], [], [], end - monotonic() if monotonic() < end else 0)[0]
                self.seen += plain(os.read(self._screen, 4096)) if ready else ""
            except OSError:  # the other end is closed
                ready = []
            if not ready:
                self.process.kill()
                raise AssertionError(f"not seen: {pattern} in {self.seen!r}")

    def interrupt(self) -> tuple[str, int]:
        return self._end(signal.SIGINT)

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def _end(self, how: signal.Signals) -> tuple[str, int]:
        self.process.send_signal(how)
        self._read_to_the_end()
        out, _ = self.process.communicate(timeout=HANG)
        return out, self.process.returncode

    def _read_to_the_end(self) -> None:
        try:
            while more := os.read(self._screen, 4096):
                self.seen += plain(more)
        except OSError:
            pass  # the other end is closed
        os.close(self._screen)
