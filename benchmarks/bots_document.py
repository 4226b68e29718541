"""``BOTS.md``: a table that is measured row by row.  A row that is measured again takes the place of the old one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from .measuring import Row
from .results import markdown, setting

HEAD = ("measure", "result", "bar", "", "measured")


@dataclass(frozen=True)
class Line:
    """A row as it stands in the document."""

    what: str
    result: str
    bar: str
    verdict: str
    day: str
    command: str = ""

    @property
    def cells(self) -> tuple[str, ...]:
        return self.what, self.result, self.bar, self.verdict, self.day


def line_of(row: Row) -> Line:
    """A row that was measured just now."""
    return Line(row.what, row.ours, row.bar, row.verdict, f"{datetime.now(UTC):%Y-%m-%d}", row.note)


def read_lines(path: Path) -> dict[str, Line]:
    """What an earlier run left there, by what was measured; nothing if there is no such document."""
    if not path.exists():
        return {}
    text = path.read_text(encoding="utf-8").splitlines()
    commands = dict(line[2:].split(": ", 1) for line in text if line.startswith("- ") and line.endswith("`"))
    lines = {}
    for row in [line for line in text if line.startswith("| ")][1:]:
        what, result, bar, verdict, day = (cell.strip() for cell in row.strip("|").split("|"))
        lines[what] = Line(what, result, bar, verdict, day, commands.get(what, ""))
    return lines


def write_lines(path: Path, lines: Iterable[Line], order: Sequence[str]) -> None:
    """The lines in this order, and those that are not named in it after them."""
    places = {what: place for place, what in enumerate(order)}
    ordered = sorted(lines, key=lambda line: places.get(line.what, len(places)))
    told = [
        "# The bots, measured",
        "",
        "Written by `make bench-bots`. Single rounds, classic edition, seats in rotation; 95 % intervals by deal.",
        "Strength is not transitive in this game: who beats whom says more than any one number.",
        "A contest of `benchmarks/bots.py` that is not listed here has not been run to its end yet.",
        "",
        *(f"- {line}" for line in setting()),
        "",
        *markdown([HEAD, *(line.cells for line in ordered)]),
        "",
        "## To repeat a line",
        "",
        *(f"- {line.what}: {line.command}" for line in ordered if line.command),
        "",
    ]
    path.write_text("\n".join(told), encoding="utf-8")
