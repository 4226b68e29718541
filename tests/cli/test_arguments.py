"""Arguments that can't be: one sentence that says what to do, exit code 2, and nothing where a result would be."""

from __future__ import annotations

import argparse

import pytest

from flipdeck.cli import COMMANDS, parser_of
from tests.cli.terminal import Terminal, terminal

__all__ = ["terminal"]  # a fixture

REQUIRED = {
    "journal": ["copy", "FROM", "TO"],
    "replay": ["RECORD"],
    "verify": ["RECORD"],
    "prune": ["--older"],
    "train": ["--out"],
    "admin": ["COMMAND"],
}


def check(terminal: Terminal, words: list[str], sentence: str) -> None:
    ran = terminal(*words)
    prog = "flipdeck" + (f" {words[0]}" if words[0] in COMMANDS else "")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"{prog}: {sentence}; {prog} --help shows what there is.\n"


def actions_of(command: str) -> list[argparse.Action]:
    return parser_of(command)._actions


def required(command: str) -> list[argparse.Action]:
    return [action for action in actions_of(command) if action.required and action.nargs != "*"]


def enough(command: str) -> list[str]:
    """So much that nothing is missing."""
    return [
        word for action in required(command) for word in (*action.option_strings, next(iter(action.choices or ["x"])))
    ]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_flag_that_there_is_not_is_refused_in_a_sentence(command: str, terminal: Terminal) -> None:
    check(terminal, [command, *enough(command), "--dance"], "--dance means nothing here")
    check(terminal, [command, *enough(command), "--dance=3", "--sing"], "--dance=3 --sing means nothing here")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_flag_without_its_value_is_refused_in_a_sentence(command: str, terminal: Terminal) -> None:
    for action in actions_of(command):
        name = "/".join(action.option_strings)
        if name and action.nargs is None:
            check(terminal, [command, *enough(command), action.option_strings[0]], f"{name} needs a value")
        elif name and "--help" not in name:
            check(terminal, [command, *enough(command), f"{name}=3"], f"{name} takes no value")


@pytest.mark.parametrize("command", COMMANDS)
def test_what_must_be_given_and_is_not_is_asked_for_in_a_sentence(command: str, terminal: Terminal) -> None:
    missing = [str((*action.option_strings, action.metavar)[0]) for action in required(command)]
    assert missing == REQUIRED.get(command, [])
    if missing:
        check(terminal, [command], f"{', '.join(missing)} is missing")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["dance"], "there is no command 'dance'"),
        (["--dance"], "there is no command '--dance'"),
        (["--dance", "play"], "there is no command '--dance'"),
        (["--"], "there is no command '--'"),
        (["--version=3"], "--version takes no value"),
        (["warm", "up"], "up means nothing here"),
        (["rules", "--a\nb\x1b"], "--a\\nb\\x1b means nothing here"),
    ],
)
def test_words_that_mean_nothing_are_refused_in_a_sentence(words: list[str], sentence: str, terminal: Terminal) -> None:
    check(terminal, words, sentence)


def test_a_choice_that_there_is_not_is_refused_with_those_there_are(terminal: Terminal) -> None:
    ran = terminal("rules", "--lang", "fr")
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert ran.err.startswith("flipdeck rules: --lang is one of ")
    assert all(part in ran.err for part in ("en", "es-AR", "not 'fr'; flipdeck rules --help shows what there is."))


@pytest.mark.parametrize("command", ["arena", "compare", "hint"])
def test_what_a_command_misses_by_its_own_rules_is_said_in_a_sentence(command: str, terminal: Terminal) -> None:
    ran = terminal(command)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert ran.err.startswith(f"flipdeck {command}: ")
