"""The command line as a whole: help, versions, wrong words, interruptions."""

from __future__ import annotations

import importlib
import os
import re
import signal
import subprocess
import sys

import pytest

import flipdeck
from flipdeck.cli import COMMANDS, main
from tests.patience import HANG


def test_without_a_command_it_lists_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    shown = capsys.readouterr().out
    for name, what in COMMANDS.items():
        assert re.search(rf"{name} +{re.escape(what)}", shown)


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_has_help_with_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main([command, "--help"])
    assert end.value.code == 0
    shown = capsys.readouterr().out
    assert "example" in shown
    assert f"flipdeck {command}" in shown
    assert importlib.import_module(f"flipdeck.cli.{command}").__doc__


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["--version"])
    assert end.value.code == 0
    assert capsys.readouterr().out == f"flipdeck {flipdeck.__version__}\n"


def test_a_reader_that_goes_away_is_no_failure() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "flipdeck", "rules"],
            stdout=writer,
            stderr=subprocess.PIPE,
            timeout=HANG,
            check=False,
        )
    finally:
        os.close(writer)
    assert done.returncode == 0
    assert done.stderr == b""


def obey() -> None:
    """Whoever runs the tests in the background of a shell has interruptions ignored, for all they start."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_an_interruption_ends_quietly() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "flipdeck", "referee"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        preexec_fn=obey,  # noqa: PLW1509  # there are no threads here
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b'{"op":"new"}\n')
    process.stdin.flush()
    assert process.stdout.readline().startswith(b'{"ok":true')
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=HANG)
    assert process.returncode == 130
    assert b"Traceback" not in errors


def test_a_terminal_that_cannot_show_a_letter_still_shows_the_rest() -> None:
    ascii_only = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = subprocess.run(
        [sys.executable, "-m", "flipdeck", "rules", "--lang", "es", "flip"],
        env=ascii_only, capture_output=True, timeout=HANG, check=False,
    )  # fmt: skip
    assert done.returncode == 0
    assert b"FLIP-1" in done.stdout


@pytest.mark.parametrize("closed", ["stdin", "stdout", "stderr"])
@pytest.mark.parametrize("command", ["referee", "rules"])
def test_streams_that_are_closed_or_full_give_no_traceback(closed: str, command: str) -> None:
    redirect = {"stdin": "<&-", "stdout": ">&-", "stderr": "2>&-"}[closed]
    line = f'"{sys.executable}" -m flipdeck {command} {redirect}'
    done = subprocess.run(["/bin/sh", "-c", line], input=b"", capture_output=True, timeout=HANG, check=False)
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no device that is always full")
def test_output_that_cannot_be_written_is_told_in_a_sentence() -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "flipdeck", "rules"], stdout=full, stderr=subprocess.PIPE, timeout=HANG, check=False
        )
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr
    assert b"can't be written" in done.stderr


def test_control_characters_of_a_name_do_not_reach_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "\x1b[31m"]) == 2
    assert "\x1b" not in capsys.readouterr().err
