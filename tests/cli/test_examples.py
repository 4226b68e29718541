"""The examples in the help of every command: whoever types one gets what it says."""

from __future__ import annotations

import argparse
import importlib
import json
import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from flipdeck.bots.hints import Hint
from flipdeck.bots.reasons import Reason
from flipdeck.cli import COMMANDS, OK, admin, journal, play_browser, prune, repair, serve
from flipdeck.core.match import Match
from flipdeck.core.record import parse
from flipdeck.core.view import View
from tests.cli.terminal import Terminal, terminal
from tests.random_matches import play_round

__all__ = ["terminal"]  # a fixture


def examples() -> Iterator[str]:
    for command in COMMANDS:
        for line in importlib.import_module(f"flipdeck.cli.{command}").EXAMPLE.splitlines()[1:]:
            yield re.split(r"  +", line.strip())[0]  # what comes after is for the reader


def commands_in(line: str) -> Iterator[tuple[list[str], str | None]]:
    """The commands of ours in a line, each with the file that it reads from standard input."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    words: list[str] = []
    for word in (*lexer, "&&"):
        if word not in ("|", "&&"):
            words.append(word)
            continue
        file = words[words.index("<") + 1] if "<" in words else None
        if words[0] == "flipdeck":
            yield words[1 : words.index("<") if file else None], file
        words = []


def test_every_command_has_an_example_of_its_own() -> None:
    found = [words[0] for line in examples() for words, _ in commands_in(line)]
    assert set(found) == set(COMMANDS)
    assert list(commands_in("a b | flipdeck b -c 'd e' < f && flipdeck g")) == [
        (["b", "-c", "d e"], "f"),
        (["g"], None),
    ]


# ---------------------------------------------------------------- all but the work
def a_copy(args: argparse.Namespace) -> int:
    journal.check(args)
    return OK


@pytest.fixture
def nothing_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command checks what it was asked, and would begin now."""

    def put(name: str, instead: Callable[..., Any]) -> None:
        monkeypatch.setattr(f"flipdeck.cli.{name}", instead)

    def nothing(*_: Any) -> int:
        return OK

    def a_table(args: argparse.Namespace, match: Match, options: dict[str, str], words: Any) -> int:
        play_browser.describe_table(args, match, options, words)
        return OK

    def a_server(args: argparse.Namespace) -> int:
        serve.config_of(args)
        return OK

    def a_request(args: argparse.Namespace) -> int:
        admin.request_of(args)
        return OK

    def an_age(args: argparse.Namespace) -> int:
        prune.age(args.older)
        return OK

    def a_repair(args: argparse.Namespace) -> int:
        repair.check(args)
        return OK

    def a_hint(view: View, *_: Any, **__: Any) -> list[Hint]:
        return [Hint(view.legal[0], None, Reason("leaves_none"))]

    for name in ("play.TerminalMatch.play", "runs.runner.run", "train._train", "warm.run"):
        put(name, nothing)
    put("play_browser.play", a_table)
    put("serve.run", a_server)
    put("prune.run", an_age)
    put("admin.run", a_request)
    put("repair.run", a_repair)
    put("journal.run", a_copy)
    put("hint.hints", a_hint)
    put("hint._say_first", nothing)


def view_in(edition: str) -> str:
    match = Match(edition, 3, seed="examples")
    return json.dumps(match.view(match.to_act).to_dict())


@pytest.fixture(scope="module")
def record() -> str:
    match = Match("classic", 4, seed="examples", options={"scoring": "quick"})
    play_round(match, Random(1), eager=True)
    assert match.over
    return match.record()


@pytest.fixture
def folder(tmp_path: Path, record: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where all files lie that the examples name."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "match.txt").write_text(record)
    (tmp_path / "mybot").write_text("#!/bin/sh\ncat > /dev/null\n")
    (tmp_path / "mybot").chmod(0o755)
    return tmp_path


@pytest.mark.usefixtures("nothing_is_done")
@pytest.mark.parametrize("line", list(examples()))
def test_no_example_is_refused(line: str, terminal: Terminal, folder: Path, record: str) -> None:
    commitment = parse(record).commitment
    (folder / "view.json").write_text(view_in("splash" if "splash" in line else "classic"))
    for words, file in commands_in(line):
        whole = [commitment if word.endswith("…") else word for word in words]  # nobody types 64 digits in an example
        ran = terminal(*whole, typed=(folder / file).read_bytes() if file else "")
        assert (ran.code, ran.err) == (OK, "")


@pytest.mark.usefixtures("nothing_is_done", "folder")
@pytest.mark.parametrize(
    "line",
    [
        "flipdeck play --watch --record match.txt",
        "flipdeck play --bots genius",
        "flipdeck serve --lan --host 0.0.0.0",
        "flipdeck prune --older 30",
        "flipdeck admin keep-out a-5e6f7a8b --hours 0",
        "flipdeck repair --forget-after 41",
        "flipdeck simulate --policy wild",
        "flipdeck hint --record match.txt --move 1200",
        "flipdeck train --out net anew",
    ],
)
def test_an_example_that_is_wrong_would_be_refused(line: str, terminal: Terminal) -> None:
    for words, _ in commands_in(line):
        assert terminal(*words).code == 2
