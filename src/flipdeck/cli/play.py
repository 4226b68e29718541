"""Play a match against bots: in the browser, or with --text in the terminal.

In the terminal, answer with the number of a choice; help lists the other commands.  Input may come from a file or
a pipe.
"""

from __future__ import annotations

import argparse
import io
import random
import secrets
import sys
from collections.abc import Callable, Iterable

from ..bots.match_runner import MatchRunner, Participant
from ..bots.player import BotPlayer
from ..core.errors import Refusal
from ..core.events import Event
from ..core.match import Match
from ..core.notation import Keep, Move
from ..core.seeds import derived_seed
from ..core.view import View
from ..i18n import Catalogue
from . import OK, CommandError
from .terminal.choices import can_only_keep
from .terminal.console import Console, EndOfInput
from .terminal.hesitation import Hesitation
from .terminal.language import catalogue_for, options_in, refusals_in, whole_number
from .terminal.narration import Teller
from .terminal.opponents import Opponents, names_of_bots
from .terminal.person import Quit, TerminalPlayer
from .terminal.record_files import RecordFile
from .terminal.telling import Telling

EXAMPLE = """examples:
  flipdeck play
  flipdeck play --new
  flipdeck play --edition splash --players 3 --bots sharp
  flipdeck play --text
  flipdeck play --text --edition splash --players 3 --option stacking=on --record match.txt
  flipdeck play --text --players 3 --bots regular --bot 'cmd:./mybot --fast'
  flipdeck play --text --watch --seed abc --lang es-AR"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--text", action="store_true", help="play in the terminal (default: in the browser)")
    add("--no-browser", action="store_true", help="print the address of the table without opening a browser")
    add("--new", action="store_true", help="in the browser: a new table, even if a match at the last one is not over")
    add("--port", metavar="N", help="in the browser: the port to listen on; 0 takes a free one (default 23547)")
    add("--edition", metavar="E", help="classic (default), splash, argentina or mild-wild")
    add("--players", metavar="N", help="number of players including you, 2 to 10 (default 4)")
    add("--option", action="append", default=[], metavar="NAME=VALUE", help="change a rule; may be repeated")
    add("--seed", metavar="TEXT", help="with --text: the same text gives the same cards and the same bots")
    add("--lang", metavar="L", help="en, es or es-AR (default: the language of the terminal)")
    add("--seat", metavar="N", help="with --text: your seat, counted from 0 (default 0)")
    add(
        "--bots", metavar="B[,B…]", help="one for all or one per seat: rookie, casual (default), regular, sharp, master"
    )
    add(
        "--bot",
        action="append",
        default=[],
        metavar="B",
        help="with --text: one more, such as 'cmd:./mybot' or py:mymodule:MyBot; may be repeated",
    )
    add("--names", metavar="A,B,…", help="with --text: names for the bots, in the order of the seats")
    add("--record", metavar="FILE", help="with --text: write the match to a file that flipdeck replay reads")
    add("--watch", action="store_true", help="with --text: watch bots play")
    add(
        "--ask-always",
        action="store_true",
        help="with --text: ask after every draw (default: a card that can't be played is kept after a moment)",
    )


def run(args: argparse.Namespace) -> int:
    _fill_in_table(args)
    catalogue = catalogue_for(args.lang, args.edition)
    if args.watch and args.seat is not None:
        raise CommandError(catalogue.text("error.seat_and_watch"))
    if not args.text:
        return _in_browser(args, catalogue)
    with refusals_in(catalogue):
        match = _match(args, catalogue)
        you = None if args.watch else match.view(whole_number(args.seat or "0")).you  # type: ignore[arg-type]  # refused if it is no seat
    names = _names(args.names, match.players, you, catalogue)
    wanted = names_of_bots(args.bots, args.bot, match.players - (you is not None), catalogue)
    record = RecordFile(args.record, catalogue) if args.record is not None else None
    with Opponents(wanted, catalogue) as opponents:
        console = Console(sys.stdin or io.StringIO(), sys.stdout)
        hesitate = None if args.ask_always else Hesitation(random.SystemRandom())
        TerminalMatch(match, Teller(catalogue, you, names), console, opponents, record, hesitate).play()
    return OK


def _in_browser(args: argparse.Namespace, catalogue: Catalogue) -> int:
    from . import play_browser

    play_browser.check_flags(args, catalogue)
    with refusals_in(catalogue):
        match = _match(args, catalogue)
        play_browser.check_offered(match)
    return play_browser.play(args, match, options_in(args.option, catalogue), catalogue)


class Keyboard:
    """The seat of the user."""

    def __init__(self, ask: Callable[[View], Move | None]) -> None:
        self._ask = ask

    def see(self, events: Iterable[Event], view: View) -> None:
        """Nothing: events are printed as they happen."""

    def answer(self, view: View) -> Move | None:
        return self._ask(view)


class TerminalMatch:
    """A match in the terminal, from its title to its seed."""

    def __init__(
        self,
        match: Match,
        teller: Teller,
        console: Console,
        opponents: Opponents,
        record: RecordFile | None,
        hesitate: Callable[[], None] | None,
    ) -> None:
        """``hesitate`` waits before a card that can't be played is kept; None: the user is asked about it."""
        self._match = match
        self._opponents = opponents
        self._teller = teller
        self._text = teller.text
        self._console = console
        self._record = record
        self._telling = Telling(console, teller)
        self._hesitate = hesitate
        self._person = None if teller.you is None else TerminalPlayer(console, teller, self._why_not)

    def play(self) -> None:
        """Play to the end; the record is written however it ends."""
        try:
            self._console.say(*self._title(), *self._opponents.remarks())
            self._play_rounds()
        except EndOfInput:
            self._stop("play.ended")
        except Quit:
            self._stop("play.stopped")
        except KeyboardInterrupt:
            self._stop("play.stopped")
            self._dismiss_bots()
            raise
        except BaseException:
            self._save()
            raise
        self._save()
        self._dismiss_bots()
        if self._record:
            self._console.say(self._text("play.record", path=self._record.name))
        self._console.say(self._text("play.seed", seed=self._match.seed.hex()))

    # ------------------------------------------------------------ within
    def _title(self) -> list[str]:
        match, teller = self._match, self._teller
        others = [teller.name(seat) for seat in self._bot_seats()]
        title = self._text(
            "play.title_watch" if teller.you is None else "play.title",
            edition=self._text(f"edition.{match.edition.name}"),
            players=match.players,
            seat=teller.you,
            names=teller.catalogue.listed(others),
        )
        return [title, self._text("play.commitment", commitment=match.commitment)]

    def _play_rounds(self) -> None:
        match = self._match
        table = MatchRunner(match, self._seats(), self._dice("bots"), self._tell)
        while True:
            self._console.say("", self._text("play.round", number=match.round.number))
            table.play_round()
            if match.over:
                return
            if self._person:
                self._save()
                self._person.pause(self._text("ask.next_round"), match.view(self._teller.you))
            match.next_round()

    def _bot_seats(self) -> list[int]:
        return [seat for seat in range(self._match.players) if seat != self._teller.you]

    def _seats(self) -> dict[int, Participant]:
        match = self._match
        seats: dict[int, Participant] = {}
        for seat, bot in zip(self._bot_seats(), self._opponents.bots, strict=True):
            seats[seat] = BotPlayer(bot, seat, match.players, match.options, self._dice(f"bot in seat {seat}"))
        if self._teller.you is not None:
            seats[self._teller.you] = Keyboard(self._ask)
        return seats

    def _dice(self, purpose: str) -> random.Random:
        return random.Random(derived_seed(self._match.seed, purpose))  # noqa: S311  # they decide no card

    def _ask(self, view: View) -> Move | None:
        assert self._person is not None  # noqa: S101  # only a person's seat is asked here
        self._save()  # the answer may take long, or never come
        if self._hesitate is not None and can_only_keep(view):
            self._telling.keep_unfit()
            if self._console.is_watched:
                self._hesitate()
            return Keep()
        self._telling.flush()
        self._console.say("")
        return self._person.choose(view)

    def _why_not(self, move: Move) -> Refusal | None:
        assert self._teller.you is not None  # noqa: S101
        return self._match.why_not(self._teller.you, move)

    def _tell(self, events: Iterable[Event]) -> None:
        self._telling.tell(self._match.seen(events, self._teller.you))

    def _save(self) -> None:
        if self._record:
            self._record.save(self._match.record())

    def _dismiss_bots(self) -> None:
        self._opponents.close()
        self._console.say(*self._opponents.complaints([self._teller.name(seat) for seat in self._bot_seats()]))

    def _stop(self, key: str) -> None:
        self._save()
        self._telling.flush()
        self._console.say("", self._text(key))
        if not self._record:
            self._console.say(self._text("play.no_record"))


# ---------------------------------------------------------------- arguments
def _fill_in_table(args: argparse.Namespace) -> None:
    """Whoever describes a table wants a new one."""
    args.new = (
        args.new or bool(args.option) or any(each is not None for each in (args.edition, args.players, args.bots))
    )
    args.edition = "classic" if args.edition is None else args.edition
    args.players = "4" if args.players is None else args.players


def _match(args: argparse.Namespace, catalogue: Catalogue) -> Match:
    seed = secrets.token_bytes(32) if args.seed is None else args.seed
    players = whole_number(args.players)
    options = options_in(args.option, catalogue)
    return Match(args.edition, players, seed=seed, options=options)  # type: ignore[arg-type]  # refused if it is no number


def _names(given: str | None, players: int, you: int | None, catalogue: Catalogue) -> list[str]:
    """A name for every seat; the user's own is not used."""
    if given is None:
        return catalogue.text("seat.names").split()[:players]
    names = [name.strip() for name in given.split(",")]
    want = players if you is None else players - 1
    if len(names) != want or len(set(names)) != want or not all(name and name.isprintable() for name in names):
        raise CommandError(catalogue.text("error.names", want=want, text=repr(given)))
    if you is not None:
        names.insert(you, catalogue.text("seat.you"))
    return names
