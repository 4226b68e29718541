"""What the README shows runs, and says what it says."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

import flipdeck

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_lines_of_code_in_the_readme_run(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    exec(compile(code, "README.md", "exec"), {})  # noqa: S102
    shown = capsys.readouterr().out.splitlines()
    assert shown[0].count("/") == 7
    assert shown[2].startswith("{'event': ")
    assert shown[-1] == "flipdeck record 2"


def test_every_file_that_the_documents_point_to_is_there() -> None:
    for document in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", document.read_text(encoding="utf-8")):
            assert (document.parent / target).exists(), f"{document.name} points to {target}"


def test_the_public_names_are_those_that_can_be_had() -> None:
    homes = [name for names in flipdeck._HOMES.values() for name in names]
    assert sorted([*homes, "__version__"]) == flipdeck.__all__ == dir(flipdeck)
    for home, names in flipdeck._HOMES.items():
        for name in names:
            thing = getattr(flipdeck, name)
            assert thing is getattr(importlib.import_module(home, "flipdeck"), name)
    with pytest.raises(AttributeError, match="no attribute 'Dealer'"):
        _ = flipdeck.Dealer


@pytest.mark.parametrize(("name", "examples"), [("bulk.md", 2), ("arena.md", 1)])
def test_the_lines_of_code_in_the_documents_run(name: str, examples: int, capsys: pytest.CaptureFixture[str]) -> None:
    found = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / name).read_text(encoding="utf-8"), re.DOTALL)
    assert len(found) == examples
    for code in found:
        exec(compile(code, name, "exec"), {})  # noqa: S102
        assert capsys.readouterr().out
