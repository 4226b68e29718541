"""The index of this folder names every module of the server with its tests, and every helper."""

from __future__ import annotations

import re
from pathlib import Path

import flipdeck.server
import tests.server

HERE = Path(__file__).parent
SERVER = Path(flipdeck.server.__file__).parent
OUTSIDE = {
    "flipdeck.server",
    "admin",
    "table",
    "thinkers",
    "transport",
    "http",
}  # packages that hold nothing but a docstring


def rows(title: str) -> dict[str, str]:
    index = tests.server.__doc__ or ""
    return dict(
        re.findall(r"^\| ([a-z_.]+) \| (.+) \|$", index.partition(title)[2].partition("\n\nThe whole")[0], re.MULTILINE)
    )


TESTED, HELPERS = rows("Where a module"), rows("Helpers:")
TESTED.pop("module")
HELPERS.pop("module")


def module_name(path: Path) -> str:
    parts = path.relative_to(SERVER).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__") or "flipdeck.server"


def test_every_module_of_the_server_has_its_tests_in_the_index() -> None:
    modules = {module_name(path) for path in SERVER.rglob("*.py")} - OUTSIDE
    assert modules == set(TESTED)


def test_every_test_file_of_the_index_exists_and_none_is_left_out() -> None:
    there = {path.stem for path in HERE.glob("test_*.py")}
    named = set(re.findall(r"\btest_\w+", tests.server.__doc__ or ""))
    assert named == there


def test_every_helper_is_in_the_index() -> None:
    helpers = {path.stem for path in HERE.glob("*.py") if not path.stem.startswith("test_")} - {"__init__"}
    assert helpers == set(HELPERS)
