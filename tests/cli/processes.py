"""Servers in processes of their own, as people start them."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from tests.lab.process_tree import group, has_ended
from tests.patience import HANG


class Process:
    """A command with a session of its own, so that we see what it leaves behind; within the block it runs."""

    def __init__(
        self,
        folder: Path,
        *arguments: str,
        more: Mapping[str, str] | None = None,
        module: str = "flipdeck",
    ) -> None:
        own = {name: value for name, value in os.environ.items() if not name.startswith(("FLIPDECK_", "LC_", "LANG"))}
        self.process = subprocess.Popen(
            [sys.executable, "-m", module, *arguments],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**own, "FLIPDECK_DATA": str(folder), **(more or {})}, start_new_session=True,
        )  # fmt: skip
        self._watchdog = threading.Timer(HANG, self._end_all)

    def __enter__(self) -> Process:
        self._watchdog.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._watchdog.cancel()
        self._end_all()
        self.process.communicate()

    def line(self) -> str:
        """The next line it prints; nothing when it has ended."""
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def address(self) -> str:
        """Of the line that says where it is."""
        line = self.line()
        found = re.search(r"http://[^\s#]+[0-9]", line)
        assert found, line + self.finish()[2]
        return found[0]

    def stop(self, how: signal.Signals, everybody: bool = False) -> tuple[int, str, str]:
        """Exit code, and what else it printed; ``everybody``: as a terminal does it, its children too."""
        (os.killpg if everybody else os.kill)(self.process.pid, how)
        return self.finish()

    def finish(self) -> tuple[int, str, str]:
        out, err = self.process.communicate(timeout=HANG)
        return self.process.returncode, out, err

    def leaves_nothing_behind(self) -> bool:
        """All whom it has started end; a signal may take a while to reach somebody who is slow."""
        return all(has_ended(pid) for pid in group(self.process.pid))

    def _end_all(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)


def ask(address: str, body: object = None) -> tuple[int, Any]:
    """A request: its status, and its answer."""
    data = None if body is None else json.dumps(body).encode()
    request = Request(address, data, {"Content-Type": "application/json"})  # noqa: S310  # ours
    try:
        with urlopen(request, timeout=HANG) as answer:  # noqa: S310
            return answer.status, json.load(answer)
    except HTTPError as error:
        with error:
            return error.code, json.load(error)
