"""Verify a finished match: every card, the seed, the commitment, and what was seen of it before the match."""

from __future__ import annotations

import argparse
import re
import sys

from ..core.errors import BadRecord
from ..core.events import What
from ..core.match import Match
from ..core.record import parse
from ..core.seeds import pledge_of
from ..i18n import LANGUAGES, Catalogue, catalogue, language_of_environment
from . import FAILED, OK, CommandError
from .terminal.record_files import other_version, read_text

EXAMPLE = """example:
  flipdeck verify match.txt
  flipdeck verify match.txt --commitment 91ab6f…"""
_DIGITS = re.compile(r"[0-9a-f]{64}")
_PLEDGE = re.compile(r"([0-9]):(.*)")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", metavar="RECORD", help="the file of the record, or - for standard input")
    parser.add_argument("--commitment", metavar="HEX", help="as it was seen before the match: the record must have it")
    parser.add_argument(
        "--pledge",
        action="append",
        default=[],
        metavar="SEAT:HEX",
        help="as it was seen before the match: the seat's value must be that one; can be given for every seat",
    )
    parser.add_argument("--lang", choices=LANGUAGES, default=language_of_environment(), help="language")


def run(args: argparse.Namespace) -> int:
    words = catalogue(args.lang)
    seen = None if args.commitment is None else _digits(args.commitment, words)
    pledges = [_pledge(text, words) for text in args.pledge]
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
    difference = _other_than_seen(match, seen, pledges, words)
    if difference is not None:
        return _fail(difference)
    print(words.text("verify.good", rounds=len(match.history), moves=_moves(match), cards=_cards(match)))
    print(words.text("verify.commitment", commitment=match.commitment))
    print(words.text("verify.values", n=len(match.values)) if match.values else words.text("verify.alone"))
    if pledges:
        print(words.text("verify.pledges", n=len(pledges)))
    print(words.text("verify.unseen" if seen is None else "verify.seen"))
    return OK


def _digits(text: str, words: Catalogue) -> str:
    """Pages show them in groups."""
    digits = "".join(text.split()).lower()
    if not _DIGITS.fullmatch(digits):
        raise CommandError(words.text("verify.bad_digits", text=repr(text[:80])))
    return digits


def _pledge(text: str, words: Catalogue) -> tuple[int, str]:
    found = _PLEDGE.fullmatch(text)
    if found is None:
        raise CommandError(words.text("verify.bad_pledge", text=repr(text[:80])))
    return int(found[1]), _digits(found[2], words)


def _other_than_seen(
    match: Match, commitment: str | None, pledges: list[tuple[int, str]], words: Catalogue
) -> str | None:
    """What differs from what was seen before the match.  A record that was forged as a whole agrees with itself."""
    if commitment is not None and commitment != match.commitment:
        return words.text("verify.other_commitment", commitment=match.commitment)
    for seat, pledge in pledges:
        if seat not in match.values:
            return words.text("verify.unopened", seat=seat)
        if pledge_of(match.commitment, match.values[seat]) != pledge:
            return words.text("verify.other_pledge", seat=seat)
    return None


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
