"""A match against bots in the browser: a server of one's own on this computer, and a table at it."""

from __future__ import annotations

import argparse
import asyncio
import signal
import threading
import webbrowser
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
from .local_server import can_serve, folder_problem, listening, serve_until_stopped
from .terminal.opponents import names_of_bots

if TYPE_CHECKING:
    from ..core.match import Match
    from ..server.lobby import Lobby
    from ..wire.rest import NewTable

HERE = "127.0.0.1"
# flags that a table on a server doesn't have
IN_THE_TERMINAL = ("seed", "seat", "bot", "names", "record", "watch", "ask_always")


def play(args: argparse.Namespace, match: Match, options: dict[str, str], words: Catalogue) -> int:
    """``match`` only validates the arguments; the table gets its own seed."""
    if not can_serve():
        raise CommandError(words.text("browser.packages"))
    wanted = describe_table(args, match, options, words)
    from ..server import logs
    from ..server.app import make_app
    from ..server.config import Config

    with _folder(words) as folder, listening(HERE, 0) as door:
        logs.set_up("WARNING", json=False)
        config = Config(host=HERE, port=0, data=folder, most_connections=100)
        app = make_app(config)
        host = _Host(app.lobby, wanted, words, browser=not args.no_browser)
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
    """Creates the table when the server is up, and opens it in the browser."""

    def __init__(self, lobby: Lobby, wanted: NewTable, words: Catalogue, browser: bool) -> None:
        self._lobby = lobby
        self._wanted = wanted
        self._words = words
        self._browser = browser
        self._opening: asyncio.Task[None] | None = None
        self.problem: str | None = None

    def open(self, port: int) -> None:
        self._opening = asyncio.get_running_loop().create_task(self._open(port))

    async def _open(self, port: int) -> None:
        from ..server.identity import hash_token
        from ..server.journal import JournalError
        from ..wire.errors import TableRefusal

        try:
            seated = await self._lobby.make(self._wanted, HERE)
        except (TableRefusal, JournalError) as error:
            reason, facts = getattr(error, "reason", ""), getattr(error, "facts", {})
            self.problem = self._words.refusal(reason, facts, str(error))
            signal.raise_signal(signal.SIGINT)  # without a table there is nothing to serve
            return
        # a one-time secret transfers the seat to the browser; in the fragment, which browsers never send to a server
        now = asyncio.get_running_loop().time()
        secret = self._lobby.transfers.give(seated.code, hash_token(seated.token), now)
        link = f"http://{HERE}:{port}/#/seat/{secret}"
        print(self._words.text("browser.open", link=link), flush=True)
        if self._browser:
            # some browsers block until they are closed
            threading.Thread(target=webbrowser.open, args=(link,), daemon=True).start()
