"""A view is declared once: a field that is planted there turns up everywhere, or something named here fails.

The sources are copied, a field is written into the copy, and another interpreter looks at what came of it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from flipdeck.wire.__main__ import ROOT
from tests.patience import HANG

DECLARED = '    winners: Annotated[tuple[Seat, ...], "winners of the match; empty until it is over"]\n'
PLANTED = '    weather: Annotated[tuple[Seat, ...], "who got wet"]\n'
FILLED = "            winners=seats_in(g.winners),\n"

# what each of the derived forms says of the planted field
LOOK = """
import json
from flipdeck.bots.view_json import read_view
from flipdeck.core.match import Match
from flipdeck.wire.reference import reference
from flipdeck.wire.schema import json_schema
from flipdeck.wire.typescript import typescript

match = Match(players=3, seed="planted")
text = match.view_text(1)
view = read_view(text, match.options)
schema = json_schema()["$defs"]["ViewInfo"]
print(json.dumps({
    "text": json.loads(text)["weather"],
    "dict": match.view(1).to_dict()["weather"],
    "read": view.weather,
    "again": json.dumps(view.to_dict(), separators=(",", ":")) == text,
    "schema": [schema["properties"]["weather"], "weather" in schema["required"]],
    "typescript": "  /** who got wet */\\n  weather: number[];" in typescript(),
    "reference": "| `weather` | list of integer | | who got wet |" in reference(),
}))
"""


def planted(folder: Path, *, filled: bool) -> Path:
    """A copy of the sources with one more field in the declaration, and its value in ``moment`` if ``filled``."""
    source = folder / "src"
    shutil.copytree(ROOT / "src", source, ignore=shutil.ignore_patterns("__pycache__", "web"))
    write_after(source / "flipdeck/core/view.py", DECLARED, PLANTED)
    if filled:
        write_after(source / "flipdeck/core/moment.py", FILLED, "            weather=(Seat(0), Seat(2)),\n")
    return source


def write_after(path: Path, line: str, more: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(line) == 1
    path.write_text(text.replace(line, line + more), encoding="utf-8")


def look(source: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(source), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, "-c", LOOK], env=environment, capture_output=True, text=True, timeout=HANG, check=False
    )


def test_a_new_field_of_a_view_is_written_read_and_documented_everywhere(tmp_path: Path) -> None:
    ran = look(planted(tmp_path, filled=True))
    assert ran.returncode == 0, ran.stderr
    found: dict[str, Any] = json.loads(ran.stdout)
    described = {"description": "who got wet", "type": "array", "items": {"type": "integer"}}
    assert found == {
        "text": [0, 2],
        "dict": [0, 2],
        "read": [0, 2],
        "again": True,
        "schema": [described, True],
        "typescript": True,
        "reference": True,
    }


def test_a_new_field_without_a_value_fails_at_the_first_view(tmp_path: Path) -> None:
    """The type checker says so too: ``PublicView`` is made by keyword, in one place."""
    ran = look(planted(tmp_path, filled=False))
    assert ran.returncode == 1
    assert "KeyError: 'weather'" in ran.stderr
