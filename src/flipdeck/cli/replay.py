"""Watch a recorded match: one sentence per event, all cards open or as one seat saw it."""

from __future__ import annotations

import argparse
import io
import sys

from ..core.events import Event
from ..core.match import Match
from ..core.record import parse
from ..i18n import Catalogue
from . import OK, CommandError
from .terminal.choices import command_in
from .terminal.console import Console, EndOfInput
from .terminal.language import catalogue_for, refusals_in, whole_number
from .terminal.narration import Teller
from .terminal.record_files import read_text

EXAMPLE = """examples:
  flipdeck replay match.txt
  flipdeck replay match.txt --seat 0 --step
  flipdeck play --text --watch --record match.txt && flipdeck replay - --lang es < match.txt"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("record", metavar="RECORD", help="the file of a recorded match, or - for standard input")
    add("--seat", metavar="N", help="as seat N saw it, counted from 0 (default: all cards open)")
    add("--step", action="store_true", help="wait for Enter between moves")
    add("--lang", metavar="L", help="en, es or es-AR (default: the language of the terminal)")


def run(args: argparse.Namespace) -> int:
    match = _read(args.record, catalogue_for(args.lang))
    catalogue = catalogue_for(args.lang, match.edition.name)
    with refusals_in(catalogue):
        you = None if args.seat is None else match.view(whole_number(args.seat)).you  # type: ignore[arg-type]  # refused if it is no seat
    Show(match, Teller(catalogue, you, ()), Console(sys.stdin or io.StringIO(), sys.stdout), step=args.step).run()
    return OK


def _read(name: str, catalogue: Catalogue) -> Match:
    text = read_text(name, catalogue)
    try:
        with refusals_in(catalogue):
            return parse(text)
    except CommandError as problem:
        raise CommandError(catalogue.text("error.not_record", path=name, problem=problem)) from None


class Show:
    def __init__(self, match: Match, teller: Teller, console: Console, step: bool) -> None:
        self._match = match
        self._teller = teller
        self._text = teller.text
        self._console = console
        self._step = step

    def run(self) -> None:
        self._console.say(self._title())
        if self._step:
            self._console.say(self._text("ask.step"))
        for played in self._match.history:
            if played.number > 1 and not self._go_on():
                return
            self._console.say("", self._text("play.round", number=played.number), *self._narrate(played.dealt))
            for said in played.said:
                if not self._go_on():
                    return
                self._console.say(*self._narrate(said.events))
        if not self._match.over:
            self._console.say(self._text("replay.unfinished"))

    def _title(self) -> str:
        match, you = self._match, self._teller.you
        key = "replay.title" if you is None else "replay.title_seat"
        edition = self._text(f"edition.{match.edition.name}")
        return self._text(key, edition=edition, players=match.players, seat=you)

    def _narrate(self, events: tuple[Event, ...]) -> list[str]:
        you = self._teller.you
        return self._teller.narrate(events if you is None else self._match.seen(events, you))

    def _go_on(self) -> bool:
        """Wait for Enter with ``--step``; False when the user quits."""
        if not self._step:
            return True
        try:
            command = command_in(self._console.ask(), self._teller.catalogue)
        except EndOfInput:
            self._step = False
            return True
        return command is None or command.name != "quit"
