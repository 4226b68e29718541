"""What to play, and why: every legal move of a position, with its estimated chance to win the round.

The position is a view, as the referee prints it, or a moment of a recorded match, as the seat on turn saw it then.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from dataclasses import dataclass

from .. import bulk
from ..bots.belief.memory import Memory
from ..bots.hints import SECONDS, Hint, hints
from ..bots.match_runner import replay_for
from ..bots.registry import INSTEAD
from ..bots.view_json import read_view
from ..core import editions
from ..core.cards import Seat
from ..core.errors import BadRequest
from ..core.match import Match
from ..core.notation import Move
from ..core.options import Options
from ..core.view import View
from ..i18n import Catalogue
from ..i18n.reasons import sentence
from . import OK, CommandError
from .terminal.language import catalogue_for, options_in, refusals_in, whole_number
from .terminal.narration import Teller
from .terminal.record_files import read_record, read_text

EXAMPLE = """examples:
  flipdeck hint view.json
  flipdeck hint - --edition splash --option stacking=on --json < view.json
  flipdeck hint --record match.txt --move 12 --seconds 2"""

MOST_SECONDS = 60
NOT_TRIED = "–"


@dataclass(frozen=True)
class Position:
    """What a seat sees, what it remembers, and, in a record, what came of it."""

    view: View
    options: Options
    memory: Memory | None = None
    number: int | None = None  # of the move in the match
    played: Move | None = None  # by this seat


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("view", nargs="?", metavar="VIEW", help="the file of a view in JSON, or - for standard input")
    add("--edition", metavar="E", help="of the view: classic (default), splash, argentina or mild-wild")
    add("--option", action="append", default=[], metavar="NAME=VALUE", help="of the view; may be given repeatedly")
    add("--record", metavar="FILE", help="the file of a recorded match, or -, in place of a view")
    add("--move", metavar="N", help="the moment before its N-th move, counted from 1 (default: the last)")
    add("--seat", metavar="N", help="as seat N saw it, counted from 0 (default: whoever made that move)")
    add("--seconds", metavar="S", help=f"how long to try moves out (default {SECONDS})")
    add("--json", action="store_true", help="print one JSON object and nothing else")
    add("--lang", metavar="L", help="en, es or es-AR (default: the language of the terminal)")


def run(args: argparse.Namespace) -> int:
    words = catalogue_for(args.lang, args.edition or editions.DEFAULT)
    if (args.view is None) is (args.record is None):
        raise CommandError(words.text("error.hint_source"))
    if (args.move or args.seat) if args.record is None else (args.edition or args.option):
        raise CommandError(words.text("error.hint_record"))
    seconds = _seconds(args.seconds, words)
    with refusals_in(words):
        position = _read_position(args, words) if args.record is None else _find_position(args, words)
        _say_first(words)
        view = position.view
        # the same position, the same dice; but how many worlds there is time for differs, and the chances with them
        dice = random.Random(json.dumps(view.to_dict()))  # noqa: S311
        found = hints(view, position.options, position.memory, rng=dice, seconds=seconds)
        if not found:
            raise BadRequest("nothing-to-say", seat=view.you)
    print(_as_json(position, found, words) if args.json else "\n".join(_lines(position, found, words)))
    return OK


def _say_first(words: Catalogue) -> None:
    if not bulk.available():
        print(words.text("hinting.no_chances", bot=INSTEAD), file=sys.stderr)
        return
    from ..bulk.searching import is_compiled

    if not is_compiled():
        print(words.text("hinting.compiling"), file=sys.stderr, flush=True)


# ---------------------------------------------------------------- the position
def _seconds(text: str | None, words: Catalogue) -> float:
    try:
        seconds = SECONDS if text is None else float(text)
    except ValueError:
        seconds = 0
    if not 0 < seconds <= MOST_SECONDS:
        raise CommandError(words.text("error.seconds", most=MOST_SECONDS, text=repr(text)))
    return seconds


def _read_position(args: argparse.Namespace, words: Catalogue) -> Position:
    changed = options_in(args.option, words)
    options = editions.edition(args.edition or editions.DEFAULT).options.changed(changed)
    return Position(read_view(read_text(args.view, words), options), options)


def _find_position(args: argparse.Namespace, words: Catalogue) -> Position:
    """The moment before a move, and all that the seat had seen until then."""
    match = read_record(args.record, words)
    said = [said for played in match.history for said in played.said]
    if not said:
        raise CommandError(words.text("error.no_moves"))
    number = len(said) if args.move is None else whole_number(args.move)
    if not isinstance(number, int) or not 1 <= number <= len(said):
        raise CommandError(words.text("error.move", last=len(said), text=repr(args.move)))
    mover = said[number - 1].seat
    seat = mover if args.seat is None else match.view(whole_number(args.seat)).you  # type: ignore[arg-type]  # refused if it is no seat
    assert seat is not None  # noqa: S101
    then, memory = _replay(match, number, seat)
    played = said[number - 1].move if seat == mover else None
    return Position(then.view(seat), match.options, memory, number, played)


def _replay(match: Match, number: int, seat: Seat) -> tuple[Match, Memory]:
    """The match anew up to before a move, and the memory of a seat that was there."""
    memory = Memory(match.options, match.players, seat)
    return replay_for(match, seat, memory.see, number - 1), memory


# ---------------------------------------------------------------- telling
def _as_json(position: Position, found: list[Hint], words: Catalogue) -> str:
    rows = [{**hint.to_dict(), "words": sentence(words, hint.reason.to_dict())} for hint in found]
    played = None if position.played is None else str(position.played)
    view = position.view
    where = {"seat": view.you, "round": view.round, "move": position.number, "played": played}
    return json.dumps({**where, "hints": rows}, ensure_ascii=False)


def _lines(position: Position, found: list[Hint], words: Catalogue) -> list[str]:
    """The table as the seat sees it, then a line a move: chance, move, why."""
    view, text = position.view, words.text
    names = text("seat.names").split()[: view.players]
    teller = Teller(words, view.you, names)
    title = []
    if position.number is not None:
        title = [text("hinting.title", round=view.round, number=position.number, seat=view.you)]
    rows = [(text("hinting.chance"), text("hinting.move"), text("hinting.why"))]
    for hint in found:
        chance = NOT_TRIED if hint.chance is None else text("hinting.percent", number=f"{100 * hint.chance:.0f}")
        move = text("hinting.let_go") if hint.move is None else str(hint.move)
        rows.append((chance, move, sentence(words, hint.reason.to_dict(), names)))
    marks = [" ", *("*" if hint.move is not None and hint.move == position.played else " " for hint in found)]
    wide, wider = (max(len(row[column]) for row in rows) for column in (0, 1))
    lines = [
        f"{mark} {chance:>{wide}}  {move:{wider}}  {why}" for mark, (chance, move, why) in zip(marks, rows, strict=True)
    ]
    played = [text("hinting.played")] if "*" in marks else []
    return [*title, *teller.table(view), *teller.hand(view), "", *lines, *played]
