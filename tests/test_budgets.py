"""What is said about the time of tests is said once, and names files that are there."""

from __future__ import annotations

import re
from pathlib import Path

from tests.budgets import BUDGETS
from tests.conftest import HERE, SLOWEST
from tests.grouping import GROUPS

CONTRIBUTING = (HERE.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")


def test_every_room_has_its_budget_in_contributing() -> None:
    names, seconds = (
        re.findall(pattern, CONTRIBUTING, re.MULTILINE) for pattern in (r"^\| bots \|.*$", r"^\| \d+ \|.*$")
    )
    cells = [[cell.strip() for cell in line[0].strip("|").split("|")] for line in (names, seconds)]
    assert dict(zip(cells[0], map(int, cells[1]), strict=True)) == BUDGETS


def test_every_folder_of_tests_has_a_budget() -> None:
    folders = {path.parent.relative_to(HERE).parts[0] for path in HERE.rglob("test_*.py") if path.parent != HERE}
    assert folders == set(BUDGETS)


def test_the_files_that_start_first_or_together_are_there() -> None:
    missing = [name for name in (*SLOWEST, *GROUPS) if not Path(HERE, f"{name}.py").exists()]
    assert not missing
