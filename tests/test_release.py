"""What a release is made of: one version everywhere, workflows that name what is there, no invented address."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

import flipdeck

ROOT = Path(__file__).parent.parent
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
YAML = [*WORKFLOWS, *(ROOT / ".github").glob("**/*.yml"), ROOT / ".pre-commit-config.yaml", ROOT / "CITATION.cff"]


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_version_is_one() -> None:
    citation = yaml.safe_load(text_of("CITATION.cff"))
    assert citation["version"] == flipdeck.__version__
    released = re.findall(r"^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d{2}-\d{2}$", text_of("CHANGELOG.md"), re.MULTILINE)
    assert not released or released[0] == flipdeck.__version__


@pytest.mark.parametrize("path", YAML, ids=lambda path: path.name)
def test_every_file_can_be_read(path: Path) -> None:
    assert isinstance(yaml.safe_load(path.read_text(encoding="utf-8")), dict)


def test_workflows_run_what_is_there() -> None:
    runs = [
        step["run"]
        for path in WORKFLOWS
        for job in yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"].values()
        for step in job["steps"]
        if "run" in step
    ]
    named = [word for run in runs for word in run.split() if word.startswith(("tests/", ".ci/"))]
    assert ".ci/run" in named
    assert [name for name in named if not (ROOT / name).exists()] == []
    extras = {extra for run in runs for each in re.findall(r"\.\[([\w,]+)\]", run) for extra in each.split(",")}
    assert extras <= set(re.findall(r"^(\w+) = \[", text_of("pyproject.toml"), re.MULTILINE))


def test_hooks_before_a_commit_call_tools_of_the_environment() -> None:
    (local,) = yaml.safe_load(text_of(".pre-commit-config.yaml"))["repos"]
    tools = {hook["entry"].split()[0].removeprefix(".venv/bin/") for hook in local["hooks"]}
    assert tools == {"ruff", "mypy", "lint-imports"}


def test_every_python_that_is_tested_is_named() -> None:
    (tests,) = (path for path in WORKFLOWS if path.stem == "tests")
    tested = yaml.safe_load(tests.read_text(encoding="utf-8"))["jobs"]["everywhere"]["strategy"]["matrix"]["python"]
    assert re.findall(r"Python :: (3\.\d+)\"", text_of("pyproject.toml")) == tested


def test_no_address_was_invented() -> None:
    assert "[project.urls]" not in text_of("pyproject.toml")
    for name in ("SECURITY.md", "CODE_OF_CONDUCT.md", "RELEASING.md", "CITATION.cff"):
        assert re.findall(r"https?://\S+|\S+@\w+\.\w+", text_of(name)) == []
