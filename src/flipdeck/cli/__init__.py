"""The command line: one module per command, imported only when that command runs.

A command is a module of this package with ``EXAMPLE``, ``add_arguments(parser)`` and ``run(args) -> exit code``.
"""

from __future__ import annotations

import argparse
import importlib
import os
import re
import sys
from collections.abc import Sequence
from typing import NoReturn

COMMANDS = {
    "play": "play a match against bots, in the browser or in the terminal",
    "serve": "run a server: online tables for people and bots",
    "admin": "what the operator of a running server can do",
    "journal": "move the tables of a server into a database that several share, or back",
    "prune": "delete tables of a server that were not used for a while",
    "repair": "find damage in the folder of a server, and go on from before it",
    "hint": "what to play, and why: every move with its chance to win",
    "replay": "watch a recorded match in the terminal",
    "verify": "recompute every card of a finished match from its record",
    "referee": "the rules for other programs: JSON lines in, JSON lines out",
    "rules": "read the rule book",
    "simulate": "play many matches and report statistics of them",
    "compare": "two settings side by side: what a rule changes",
    "train": "train the net from scratch by self-play",
    "arena": "bots against bots: who beats whom, and ratings",
    "warm": "compile the rules for bulk play ahead of time",
}
OK, FAILED, BAD_ARGUMENTS, INTERRUPTED = 0, 1, 2, 130
PROBLEMS = {  # messages of argparse: our sentences
    r"unrecognized arguments: (.+)": r"\1 means nothing here",
    r"argument (\S+): expected .+": r"\1 needs a value",
    r"argument (\S+): ignored explicit argument .+": r"\1 takes no value",
    r"argument (\S+): invalid choice: (.+) \(choose from (.+)\)": r"\1 is one of \3, not \2",
    r"the following arguments are required: (.+)": r"\1 is missing",
}


class CommandError(Exception):
    """An error that the user can correct: one sentence, exit code 2."""

    code = BAD_ARGUMENTS


class FailedError(CommandError):
    """The arguments were good, and the command failed: one sentence, exit code 1."""

    code = FAILED


class Parser(argparse.ArgumentParser):
    """Reports an error in one sentence, without a page of usage before it."""

    def error(self, message: str) -> NoReturn:
        for theirs, ours in PROBLEMS.items():
            if found := re.fullmatch(theirs, message, re.DOTALL):
                message = found.expand(ours)
                break
        message = message.replace("\n", "\\n")
        raise CommandError(f"{message}; {self.prog} --help shows what there is.")


def main(argv: Sequence[str] | None = None) -> int:
    arguments = list(sys.argv[1:] if argv is None else argv)
    _mend_streams()
    command = arguments.pop(0) if arguments and arguments[0] in COMMANDS else None
    try:
        return _without_command(arguments) if command is None else _run(command, arguments)
    except CommandError as error:
        print(f"flipdeck {command}:" if command else "flipdeck:", _printable(str(error)), file=sys.stderr)
        return error.code
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # the reader of the output is gone: no failure of ours, and nobody is left to read about it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except OSError as error:  # a full disk, say; commands handle the files that they name themselves
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        print(f"flipdeck: the output can't be written: {error.strerror}.", file=sys.stderr)
        return FAILED


def _mend_streams() -> None:
    """Open closed standard streams on /dev/null; replace characters that a stream can't encode."""
    sys.stdin = sys.stdin or open(os.devnull, encoding="utf-8")  # noqa: SIM115
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def parser_of(command: str) -> Parser:
    module = importlib.import_module(f".{command}", __name__)
    parser = Parser(
        prog=f"flipdeck {command}",
        description=module.__doc__,
        epilog=module.EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    module.add_arguments(parser)
    return parser


def _run(command: str, arguments: list[str]) -> int:
    from ..core.errors import Refusal

    args = parser_of(command).parse_args(arguments)
    try:
        code = importlib.import_module(f".{command}", __name__).run(args)
        sys.stdout.flush()
    except Refusal as refusal:
        raise CommandError(str(refusal)) from None
    return int(code)


def _printable(text: str) -> str:
    """Escape control characters, which the name of a file may contain."""
    return "".join(letter if letter.isprintable() or letter == "\n" else repr(letter)[1:-1] for letter in text)


def _without_command(arguments: list[str]) -> int:
    from .. import __version__

    commands = "\n".join(f"  {name:9} {what}" for name, what in COMMANDS.items())
    parser = Parser(
        prog="flipdeck",
        usage="flipdeck [--version] COMMAND [--help] …",
        description="Flipdeck: the double-sided shedding card game.\n\ncommands:\n" + commands,
        epilog="example:\n  flipdeck play\n  flipdeck play --text --players 3\n  flipdeck rules FLIP-4",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"flipdeck {__version__}")
    if arguments:
        _, words = parser.parse_known_args(arguments)
        parser.error(f"there is no command {(words or arguments)[0][:40]!r}")
    parser.print_help()
    return OK
