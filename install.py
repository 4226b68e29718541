"""Runs pip for the Makefile: a line for each step, and one sentence when the page can't be made."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable

PIP = (sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "--no-compile", "--progress-bar", "off")
NO_PYTHON_PACKAGES = (
    "Not installed: a package index must be reachable, and Numba must have wheels for this Python. 3.11, 3.12 and 3.13 "
    "have them: 'make PYTHON=python3.12 …' names another one."
)
PAGE_PROBLEM = re.compile(r"\bCannotMake: (?P<sentence>.+)")  # of web/make.py, which pip runs
STEPS = (
    (re.compile(r"\s*Installing build dependencies.*started"), "getting what Flipdeck is made with"),
    (re.compile(r"\s*Preparing editable metadata.*started"), "making Flipdeck and its page in the browser"),
    (re.compile(r"Collecting (?P<what>[\w.-]+)"), "getting {what}"),
    (re.compile(r"Installing collected packages: (?P<all>.+)"), "putting {count} packages into place"),
)
KEPT_LINES = 15
EVERY_SECONDS = 2.0  # a line at most so often, unless it is another kind of step


def main(arguments: list[str]) -> int:
    with subprocess.Popen(  # noqa: S603  # the Makefile calls it
        [*PIP, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
    ) as pip:
        assert pip.stdout is not None  # noqa: S101  # asked for above
        said = follow(pip.stdout, lambda step: print(f"  {step} …", flush=True))
    if pip.returncode:
        print(explain(said), file=sys.stderr)
    return pip.returncode


def follow(lines: Iterable[str], tell: Callable[[str], None], clock: Callable[[], float] = time.monotonic) -> list[str]:
    """Tell the steps while they are done; the last lines, for whoever has to explain them."""
    last: deque[str] = deque(maxlen=KEPT_LINES)
    problems: list[str] = []
    kind, at = -1, -EVERY_SECONDS
    for line in lines:
        last.append(line.rstrip())
        if PAGE_PROBLEM.search(line):
            problems.append(line.rstrip())
        number, step = find_step(line)
        if step and (number != kind or clock() - at >= EVERY_SECONDS):
            kind, at = number, clock()
            tell(step)
    return [*problems[-1:], *last]


def find_step(line: str) -> tuple[int, str]:
    for number, (pattern, words) in enumerate(STEPS):
        if found := pattern.match(line):
            facts = found.groupdict()
            return number, words.format(what=facts.get("what"), count=len((facts.get("all") or "").split(",")))
    return -1, ""


def explain(said: list[str]) -> str:
    """One sentence if it is about the page: what pip adds to it helps nobody."""
    for line in said:
        if found := PAGE_PROBLEM.search(line):
            return found["sentence"]
    return "\n".join([*said, NO_PYTHON_PACKAGES])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
