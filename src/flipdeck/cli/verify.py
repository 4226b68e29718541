"""Verify a finished match: recompute every card from the seed in its record, and the commitment from the seed."""

from __future__ import annotations

import argparse
import sys

from ..core.errors import BadRecord
from ..core.events import What
from ..core.match import Match
from ..core.record import parse
from ..i18n import LANGUAGES, Catalogue, catalogue, language_of_environment
from . import FAILED, OK
from .terminal.record_files import read_text

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
        return _fail(words, "damaged", problem=words.refusal(error.reason, error.facts, str(error)))
    if not match.over:
        return _fail(words, "unfinished")
    if match.given_deck is not None:
        return _fail(words, "given_deck")
    print(words.text("verify.good", rounds=len(match.history), moves=_moves(match), cards=_cards(match)))
    print(words.text("verify.commitment", commitment=match.commitment))
    print(words.text("verify.meaning"))
    return OK


def _fail(words: Catalogue, why: str, **facts: object) -> int:
    print(words.text(f"verify.{why}", **facts), file=sys.stderr)
    return FAILED


def _moves(match: Match) -> int:
    return sum(len(played.said) for played in match.history)


def _cards(match: Match) -> int:
    """The number of cards that the seed decided: dealt, turned up and drawn."""
    events = [event for played in match.history for event in played.dealt]
    events += [event for played in match.history for said in played.said for event in said.events]
    in_hands = sum(len(event.cards or ()) for event in events if event.what is What.DEALT)
    return in_hands + sum(event.what in (What.TURNED_UP, What.DREW) for event in events)
