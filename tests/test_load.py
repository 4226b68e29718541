"""A test that would only pass on a fast machine is found by ``make test-loaded``; an honest one passes there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
HURRIED = """
import time

def test_a_nap_is_short():
    for _ in range(10_000):
        begun = time.monotonic()
        time.sleep(0.01)
        assert time.monotonic() - begun < 0.4
"""
PATIENT = """
import threading

def test_a_nap_ends():
    for _ in range(50):
        awake = threading.Event()
        threading.Timer(0.01, awake.set).start()
        assert awake.wait()
"""


@pytest.mark.parametrize(("source", "code"), [(HURRIED, 1), (PATIENT, 0)], ids=["hurried", "patient"])
def test_a_machine_that_stalls_finds_who_is_in_a_hurry(source: str, code: int, tmp_path: Path) -> None:
    planted = tmp_path / "test_planted.py"
    planted.write_text(source, encoding="utf-8")
    more = [
        "--pause",
        "0.2",
        "0.4",
        "--stop",
        "0.5",
        "0.6",
        "--once",
        str(planted),
        "-n0",
        "-p",
        "no:cacheprovider",
        f"--rootdir={tmp_path}",
    ]
    command = [sys.executable, "-m", "tests.load", "--loops", "0", *more]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    assert "times a process stood still" in done.stdout
