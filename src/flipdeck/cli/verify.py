"""Verify a finished match: recompute every card from the seed in its record, and the commitment from the seed."""

from __future__ import annotations

import argparse
import sys

from ..core.errors import BadRecord
from ..core.events import What
from ..core.match import Match
from ..core.record import parse
from ..i18n import LANGUAGES, catalogue, language_of_environment
from . import FAILED, OK
from .terminal.record_files import other_version, read_text

EXAMPLE = """example:
  flipdeck verify match.txt"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", metavar="RECORD", help="the file of the record, or - for standard input")
    parser.add_argument("--lang", choices=LANGUAGES, default=language_of_environment(), help="language")


def run(args: argparse.Namespace) -> int:
    words = catalogue(args.lang)
    try:
        match = parse(read_text(args.record))
    except BadRecord as error:
        other = other_version(args.record, error, words)
        problem = words.refusal(error.reason, error.facts, str(error))
        return _fail(other or words.text("verify.damaged", problem=problem))
    if not match.over:
        return _fail(words.text("verify.unfinished"))
    if match.given_deck is not None:
        return _fail(words.text("verify.given_deck"))
    print(words.text("verify.good", rounds=len(match.history), moves=_moves(match), cards=_cards(match)))
    print(words.text("verify.commitment", commitment=match.commitment))
    if match.values:
        print(words.text("verify.values", n=len(match.values)))
    print(words.text("verify.meaning"))
    return OK


def _fail(sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return FAILED


def _moves(match: Match) -> int:
    return sum(len(played.said) for played in match.history)


def _cards(match: Match) -> int:
    """The number of cards that the seed decided: dealt, turned up and drawn."""
    events = [event for played in match.history for event in played.dealt]
    events += [event for played in match.history for said in played.said for event in said.events]
    in_hands = sum(len(event.cards or ()) for event in events if event.what is What.DEALT)
    return in_hands + sum(event.what in (What.TURNED_UP, What.DREW) for event in events)
