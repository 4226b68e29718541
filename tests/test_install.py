"""``make play`` before there is anything: what it tells while it installs, and when it can't."""

from __future__ import annotations

import importlib.util
from itertools import count
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent
PIP_SAYS = """Obtaining file:///home/ana/flipdeck
  Installing build dependencies: started
  Installing build dependencies: finished with status 'done'
  Preparing editable metadata (pyproject.toml): started
  Preparing editable metadata (pyproject.toml): finished with status 'done'
Collecting numpy>=2 (from flipdeck==0.1)
  Downloading numpy-2.3-cp313.whl (16.6 MB)
Collecting numba>=0.61 (from flipdeck==0.1)
Building wheels for collected packages: flipdeck
  Building editable for flipdeck (pyproject.toml): started
Installing collected packages: numpy, numba, flipdeck
Successfully installed flipdeck-0.1 numba-0.61 numpy-2.3
"""
PAGE_FAILS = """  error: subprocess-exited-with-error
      npm error code ECONNREFUSED
        File "web/make.py", line 97, in npm
      make.CannotMake: The page in the browser is not made: {why}
      [end of output]
ERROR: Failed to build 'flipdeck' when getting requirements to build editable
"""


@pytest.fixture(name="install", scope="module")
def _install() -> ModuleType:
    spec = importlib.util.spec_from_file_location("install", ROOT / "install.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_step_is_told_while_it_is_done(install: ModuleType) -> None:
    told: list[str] = []
    ticks = count(step=10)
    install.follow(PIP_SAYS.splitlines(keepends=True), told.append, lambda: float(next(ticks)))
    assert told == [
        "getting what Flipdeck is made with",
        "making Flipdeck and its page in the browser",
        "getting numpy",
        "getting numba",
        "putting 3 packages into place",
    ]


def test_of_steps_of_one_kind_that_follow_at_once_the_first_is_told(install: ModuleType) -> None:
    told: list[str] = []
    install.follow([f"Collecting part-{number}\n" for number in range(50)], told.append, lambda: 0.0)
    assert told == ["getting part-0"]


def test_a_page_that_can_not_be_made_is_one_sentence(install: ModuleType) -> None:
    said = install.follow(PAGE_FAILS.format(why="no npm.").splitlines(keepends=True) + ["more\n"] * 99, lambda _: None)
    assert install.explain(said) == "The page in the browser is not made: no npm."


def test_other_failures_show_what_pip_said_last(install: ModuleType) -> None:
    said = install.follow(["Collecting numpy\n", "ERROR: No matching distribution found\n"], lambda _: None)
    told = install.explain(said).splitlines()
    assert told[-2:] == ["ERROR: No matching distribution found", install.NO_PYTHON_PACKAGES]


def test_a_failure_of_pip_is_a_failure_of_the_command(install: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert install.main(["--no-index", "no-such-package"]) == 1
    assert capsys.readouterr().err.endswith(f"{install.NO_PYTHON_PACKAGES}\n")


def test_a_registry_that_can_not_be_reached_is_one_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "web"))
    make = importlib.import_module("make")
    for name in ("package.json", "package-lock.json"):
        (tmp_path / name).write_bytes((ROOT / "web" / name).read_bytes())
    monkeypatch.setattr(make, "WEB", tmp_path)
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:1/")  # nobody listens there
    monkeypatch.setenv("npm_config_replace_registry_host", "always")
    monkeypatch.setenv("npm_config_cache", str(tmp_path / "cache"))
    monkeypatch.setenv("npm_config_fetch_retries", "0")
    with pytest.raises(make.CannotMake, match="its registry must be reachable once") as problem:
        make.prepare()
    assert "\n" not in str(problem.value)
    assert "--text" in str(problem.value)
