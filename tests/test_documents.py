"""The documents keep up with the code: a code, event or file that they don't name makes a test fail."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from flipdeck.cli import COMMANDS
from flipdeck.cli.referee import CODES, Referee
from flipdeck.core import errors
from flipdeck.core.events import What

ROOT = Path(__file__).parent.parent


def document(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


REFUSALS: list[type[errors.Refusal]] = [errors.Refusal, *errors.Refusal.__subclasses__()]


@pytest.mark.parametrize("code", [*CODES, *sorted({refusal.code for refusal in REFUSALS})])
def test_every_code_of_a_refusal_is_documented(code: str) -> None:
    assert f"| `{code}` |" in document("referee.md")


@pytest.mark.parametrize("what", [what.value for what in What])
def test_every_event_is_documented(what: str) -> None:
    assert f"`{what}`" in document("referee.md")


@pytest.mark.parametrize("op", sorted(Referee()._ops))
def test_every_request_is_documented(op: str) -> None:
    assert f'"op":"{op}"' in document("referee.md")


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_is_in_the_readme(command: str) -> None:
    assert command in (ROOT / "README.md").read_text(encoding="utf-8")


def test_every_file_of_core_is_in_the_map() -> None:
    chart = document("architecture.md")
    for path in (ROOT / "src/flipdeck/core").glob("*"):
        if not path.name.startswith("__"):
            assert f"`{path.stem}" in chart, path.name


def test_every_file_of_the_walks_is_there() -> None:
    """A path is relative to the package, or to the project where it begins with one of its folders."""
    steps = [line for line in document("walks.md").splitlines() if re.match(r"\d+\. ", line)]
    named = [path for step in steps for path in re.findall(r"`([\w./*-]+\.\w+)`", step.partition(": ")[0])]
    assert len(named) > 40
    for path in named:
        home = ROOT if path.startswith(("web/", "tests/", "docs/", "CHANGELOG")) else ROOT / "src/flipdeck"
        assert list(home.glob(path)), path
