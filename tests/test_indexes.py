"""The index of a folder of tests names every module that has no test file of its own, and every helper.

``tests/server`` has an index of its own kind, and ``tests/server/test_index.py``.
"""

from __future__ import annotations

import importlib
import re
from fnmatch import fnmatch
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
SOURCE = TESTS.parent / "src/flipdeck"
ROOMS = ("bots", "bulk", "cli", "core", "envs", "lab", "wire")


def index_of(room: str) -> tuple[str, str]:
    """The text about modules, and the one about helpers."""
    modules, title, helpers = (importlib.import_module(f"tests.{room}").__doc__ or "").partition("\nHelpers:\n")
    assert title, f"tests/{room}/__init__.py has no helpers"
    return modules, helpers


def rows(text: str) -> set[str]:
    """What the first column of a table names."""
    cells = re.findall(r"^\| ([^|]+) \|", text, re.MULTILINE)
    return {name for cell in cells for name in cell.split(", ")} - {"module"}


def names_in(folder: Path) -> dict[str, str]:
    """The modules of a folder and of those in it, by their paths: their stems."""
    found = {path.relative_to(folder).with_suffix("").as_posix(): path.stem for path in folder.rglob("*.py")}
    return {name: stem for name, stem in found.items() if not stem.startswith("__")}


@pytest.mark.parametrize("room", ROOMS)
def test_every_module_has_a_test_of_its_name_or_is_in_the_index(room: str) -> None:
    tested, named = set(names_in(TESTS / room).values()), rows(index_of(room)[0])
    modules = names_in(SOURCE / room)
    lost = [name for name, stem in modules.items() if f"test_{stem}" not in tested]
    assert [name for name in lost if not any(fnmatch(name, row) for row in named)] == []
    assert [row for row in named if not any(fnmatch(name, row) for name in modules)] == []


@pytest.mark.parametrize("room", ROOMS)
def test_every_test_file_that_an_index_names_exists(room: str) -> None:
    there = {path.stem for path in TESTS.rglob("test_*.py")}
    assert set(re.findall(r"\btest_[a-z]\w+", index_of(room)[0])) <= there


@pytest.mark.parametrize("room", ROOMS)
def test_every_helper_is_in_the_index(room: str) -> None:
    helpers = {name for name, stem in names_in(TESTS / room).items() if not stem.startswith("test_")} - {"conftest"}
    assert helpers == rows(index_of(room)[1])
