"""What the commands say of a cluster that is not there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.lab_commands import LabTerminal
from tests.lab.process_tree import below

pytestmark = pytest.mark.usefixtures("compiled_rules")


@pytest.mark.parametrize(
    ("command", "arguments", "sentence"),
    [
        ("simulate", "--games 5 --cluster 127.0.0.1:1 --out new", "The cluster at 127.0.0.1:1 can't be reached"),
        ("compare", "--b stacking=on --cluster nowhere", "is not the address of a cluster"),
        (
            "arena",
            "--bots rookie,casual --cluster 127.0.0.1:1 --out new",
            "The cluster at 127.0.0.1:1 can't be reached",
        ),
    ],
)
def test_a_cluster_that_is_not_there_gets_one_sentence_and_leaves_no_report(
    command: str,
    arguments: str,
    sentence: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    LabTerminal(command, capsys).refuses(arguments, sentence, tmp_path)
    assert not below(os.getpid(), "process_worker")
