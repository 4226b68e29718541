"""A server in this process, from its socket to its shutdown, for ``flipdeck serve`` and ``flipdeck play``."""

from __future__ import annotations

import asyncio
import errno
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from . import CommandError

if TYPE_CHECKING:
    from ..server.app import App
    from ..server.config import Config

PACKAGES = ("httptools", "litestar", "msgspec", "prometheus_client", "segno", "uvicorn", "websockets")


def can_serve() -> bool:
    """Whether the packages of the extra ``server`` are installed."""
    return all(find_spec(package) is not None for package in PACKAGES)


def can_use_postgres() -> bool:
    return find_spec("asyncpg") is not None


def journal_problem(config: Config) -> str | None:
    """Why tables can't be stored where they are to be."""
    if not config.journal:
        return folder_problem(config.data)
    from ..server.app import make_journal
    from ..server.journal import Unavailable

    async def open_and_close() -> None:
        journal = make_journal(config)
        await journal.open()
        await journal.close()

    try:
        config.data.mkdir(mode=0o700, parents=True, exist_ok=True)  # for the key, and the operator's door
        asyncio.run(open_and_close())
    except Unavailable as error:
        return str(error)
    except OSError as error:
        return f"The folder {config.data} can't be made: {error.strerror or error}."
    return None


def folder_problem(folder: Path) -> str | None:
    """Why tables can't be stored there: it can't be written, or another server has locked it."""
    from ..server.journal import Unavailable
    from ..server.journal.sqlite import SqliteJournal
    from ..server.paths import database_in

    async def open_and_close() -> None:
        journal = SqliteJournal(database_in(folder))
        await journal.open()
        await journal.close()

    try:
        asyncio.run(open_and_close())
    except Unavailable as error:
        return str(error)
    return None


def listening(host: str, port: int) -> socket.socket:
    """A listening socket; clients that connect early wait until the server is ready."""
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            sentence = f"Port {port} is in use already; --port names another, and --port 0 takes a free one."
        else:
            sentence = f"It can't listen on {host}, port {port}: {error.strerror or error}."
        raise CommandError(sentence) from None


def serve_until_stopped(app: App, config: Config, door: socket.socket, started: Callable[[int], None]) -> None:
    """Serve until Ctrl-C or SIGTERM, then shut down gracefully: clients are notified, requests finish."""
    from ..server.app import serve

    with _treat_termination_as_interrupt(), suppress(KeyboardInterrupt):
        try:
            with asyncio.Runner(loop_factory=_loop_factory()) as runner:
                runner.run(serve(app, config, started, door))
        except SystemExit:  # of uvicorn, when the application did not start
            raise CommandError("The server could not start; its log says where.") from None


@contextmanager
def _treat_termination_as_interrupt() -> Iterator[None]:
    """Treat SIGTERM as Ctrl-C: uvicorn raises the signal that stopped it once more after its shutdown."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop]:
    """uvloop, if installed."""
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop
    return uvloop.new_event_loop
