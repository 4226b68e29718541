"""A match against bots in the browser: a server of one's own on this computer, and a table at it."""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, get_args

from ..core.errors import BadOption
from ..core.options import is_for_research
from ..i18n import Catalogue
from . import OK, CommandError
from .browser_window import open_window
from .last_table import LastTable
from .local_server import can_serve, folder_problem, listening, serve_until_stopped
from .terminal.language import whole_number
from .terminal.opponents import names_of_bots

if TYPE_CHECKING:
    from ..core.match import Match
    from ..server.lobby import Lobby
    from ..wire.rest import NewTable

HERE = "127.0.0.1"
# The same port each time is the same origin: what a browser keeps for it (seats, settings, marks of fairness) is there
# again.  Below the ports that systems lend to outgoing connections, and registered to nobody.
PORT = 23547
HIGHEST_PORT = 65535
CTRL_C_SECONDS = 1.0  # it ends a browser that stayed, and then us: nobody is told that none opened
# flags that a table on a server doesn't have
IN_THE_TERMINAL = ("seed", "seat", "bot", "names", "record", "watch", "ask_always")


def play(args: argparse.Namespace, match: Match, options: dict[str, str], words: Catalogue) -> int:
    """``match`` only validates the arguments; the table gets its own seed."""
    if not can_serve():
        raise CommandError(words.text("browser.packages"))
    wanted = describe_table(args, match, options, words)
    port = _port(args.port, words)
    from ..server import logs
    from ..server.app import make_app
    from ..server.config import Config

    with _folder(words) as folder, own_door(port, words) as door:
        logs.set_up("WARNING", json=False)
        config = Config(host=HERE, port=0, data=folder, most_connections=100)
        app = make_app(config)
        last = LastTable(folder)
        host = _Host(app.lobby, wanted, words, last, resume=not args.new, browser=not args.no_browser)
        serve_until_stopped(app, config, door, host.open)
    if host.problem is not None:
        raise CommandError(host.problem)
    return OK


def check_flags(args: argparse.Namespace, words: Catalogue) -> None:
    for name in IN_THE_TERMINAL:
        if getattr(args, name) not in (None, False, []):
            raise CommandError(words.text("browser.text_only", flag=f"--{name.replace('_', '-')}"))


def check_offered(match: Match) -> None:
    """Tables play with whole decks and a limit of moves of their own."""
    for spec in fields(match.options):
        if is_for_research(spec, getattr(match.options, spec.name)):
            raise BadOption("not-at-tables", name=spec.name)


def describe_table(args: argparse.Namespace, match: Match, options: dict[str, str], words: Catalogue) -> NewTable:
    from ..wire.parts import BotLevel, Settings
    from ..wire.rest import NewTable

    levels = names_of_bots(args.bots, (), match.players - 1, words)
    for level in levels:
        if level not in get_args(BotLevel):
            known = words.listed(list(get_args(BotLevel)))
            raise CommandError(words.text("browser.level", name=repr(level), known=known))
    settings = Settings(edition=match.edition.name, options=dict(options), seats=match.players)
    bots = {str(seat): level for seat, level in enumerate(levels, start=1)}
    return NewTable(words.text("browser.name"), settings, bots, start=True)  # type: ignore[arg-type]  # they are levels


def _port(text: str | None, words: Catalogue) -> int | None:
    """None: the usual one."""
    port = None if text is None else whole_number(text)
    if port is not None and not (isinstance(port, int) and 0 <= port <= HIGHEST_PORT):
        raise CommandError(words.text("browser.port", text=repr(text)))
    return port


def own_door(port: int | None, words: Catalogue, usual: int = PORT) -> socket.socket:
    """The usual port, or a free one if that is in use; a port that was asked for is that one or none."""
    if port is not None:
        return listening(HERE, port)
    try:
        return listening(HERE, usual)
    except CommandError:
        door = listening(HERE, 0)
        print(words.text("browser.other_port", usual=str(usual)), flush=True)
        return door


@contextmanager
def _folder(words: Catalogue) -> Iterator[Path]:
    """The data folder, or a temporary one if that can't be used."""
    from ..server.paths import data_folder

    usual = data_folder()
    problem = folder_problem(usual)
    if problem is None:
        yield usual
        return
    print(problem, words.text("browser.not_kept"), flush=True)
    with TemporaryDirectory(prefix="flipdeck-") as name:
        yield Path(name)


class _Host:
    """Creates the table when the server is up, or finds the last one, and opens it in the browser."""

    def __init__(
        self, lobby: Lobby, wanted: NewTable, words: Catalogue, last: LastTable, *, resume: bool, browser: bool
    ) -> None:
        self._lobby = lobby
        self._wanted = wanted
        self._words = words
        self._last = last
        self._resume = resume
        self._browser = browser
        self._opening: asyncio.Task[None] | None = None
        self.problem: str | None = None

    def open(self, port: int) -> None:
        self._opening = asyncio.get_running_loop().create_task(self._open(port))

    async def _open(self, port: int) -> None:
        from ..server.journal import JournalError
        from ..wire.errors import TableRefusal

        found = await self._last.seat_in_play(self._lobby) if self._resume else None
        try:
            code, seat = found or await self._make()
        except (TableRefusal, JournalError) as error:
            reason, facts = getattr(error, "reason", ""), getattr(error, "facts", {})
            self.problem = self._words.refusal(reason, facts, str(error))
            signal.raise_signal(signal.SIGINT)  # without a table there is nothing to serve
            return
        # a one-time secret transfers the seat to the browser; in the fragment, which browsers never send to a server
        secret = await self._lobby.shared.give_transfer(code, seat)
        link = f"http://{HERE}:{port}/#/seat/{secret}"
        print(self._words.text("browser.resumed" if found else "browser.open", link=link), flush=True)
        if self._browser:
            threading.Thread(target=self._show, args=(link, port), daemon=True).start()

    async def _make(self) -> tuple[str, str]:
        """The code of a new table, and the hash of the token of its host."""
        from ..server.identity import hash_token

        seated = await self._lobby.make(self._wanted, HERE)
        self._last.keep(seated.code)
        return seated.code, hash_token(seated.token)

    def _show(self, link: str, port: int) -> None:
        if open_window(link):
            return
        time.sleep(CTRL_C_SECONDS)
        if not self._lobby.closing:
            far = "SSH_CONNECTION" in os.environ
            print(self._words.text("browser.tunnel" if far else "browser.none", port=str(port)), flush=True)
