"""The composition root: everything a server is made of, put together and run."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import socket
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from types import FrameType

import uvicorn
from litestar import Litestar

from . import identity
from .admin.listener import AdminListener
from .config import Config
from .http.previews import Previews
from .http.routes import Routes
from .http.static import behind_the_hash, make_page_handlers
from .http.throttle import Throttle
from .journal import Displaced, Journal
from .journal.sqlite import SqliteJournal
from .lobby import Lobby
from .logs import log_event
from .metrics import Metrics
from .paths import database_in, key_in
from .shared import SharedState
from .shared.here import OneServer
from .table.context import Context, ignore_step
from .thinkers.pool import WorkerPool
from .thinkers.port import Thinkers
from .transport.protocols import BoundedHttpProtocol, TrustedProxies, WebSocketProtocol
from .transport.session import MOST_BYTES
from .transport.websocket import Receive, Scope, Send, WebSocketEndpoint

SOCKET_PATH = "/ws"
KEEPALIVE_SECONDS = 20.0  # between keepalive pings, and until one counts as lost: a dead peer is noticed within both
ROOM_FOR_REQUESTS = 1000  # concurrent HTTP requests, beside the websockets
# Tables live long and form hardly any cycles, so that full garbage collections cost a tenth of a server's time and
# delay whoever moves just then: the young generation is collected in small batches, the oldest rarely.  Measured in
# turns by the CPU for a move, 100 tables: batches five times as large take 0.996 of it, no collection at all 0.99.
COLLECTOR = (2_000, 10, 5_000)
OTHER_FILES = 100  # file descriptors beside the sockets: the journal, the bots' pipes, Python itself
TOO_FEW_FILES = (
    "The system allows fewer open files than --most-connections needs: raise its limit (ulimit -n, LimitNOFILE) "
    "or lower the setting."
)
_log = logging.getLogger("flipdeck.server")


class App:
    """The ASGI application: websockets at ``/ws``, everything else HTTP."""

    def __init__(
        self, config: Config, context: Context, door: Path | None = None, shared: SharedState | None = None
    ) -> None:
        """``door`` is the folder where the operator finds the server; None: nowhere."""
        self.lobby = Lobby(context, config, shared)
        self._admin = None if door is None else AdminListener(self.lobby, door)
        self._sockets = WebSocketEndpoint(self.lobby)
        page = [*make_page_handlers(), behind_the_hash, Previews(self.lobby).handler()]
        routes: Litestar = Routes(self.lobby, Metrics(self.lobby), page).app(lifespan=[self._lifespan])
        self._http = Throttle(self.lobby, routes)  # type: ignore[arg-type]  # Litestar's ASGI types are narrower

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket" and scope["path"] == SOCKET_PATH:
            await self._sockets(scope, receive, send)
        else:
            await self._http(scope, receive, send)

    @contextlib.asynccontextmanager
    async def _lifespan(self, _: Litestar) -> AsyncIterator[None]:
        context = self.lobby.context
        usual = gc.get_threshold()
        gc.set_threshold(*COLLECTOR)
        gc.freeze()  # what is loaded by now stays: the collector need not look at it again
        if not make_room_for_files(self.lobby.config.most_connections + ROOM_FOR_REQUESTS + OTHER_FILES):
            _log.warning(TOO_FEW_FILES)
        await context.journal.open()
        await self.lobby.shared.open()
        await self._load_key()
        await self.lobby.kept_out.load()
        await context.thinkers.start()
        self.lobby.start()
        if self._admin is not None:
            await self._admin.open()
        try:
            yield
        finally:
            if self._admin is not None:
                await self._admin.close()
            await self.lobby.close()
            await context.thinkers.close()
            await self.lobby.shared.close()
            await context.journal.close()
            gc.unfreeze()
            gc.set_threshold(*usual)

    async def _load_key(self) -> None:
        """Of the folder, which the journal in it has locked; or of all servers."""
        shared, hashes = self.lobby.shared, self.lobby.context.address_hashes
        if shared.several:
            hashes.key = await shared.settle_key(hashes.stored(), hashes.key)
        else:
            hashes.load()


class Server(uvicorn.Server):
    """uvicorn with a graceful shutdown: clients at tables get a ``bye`` before their sockets are closed."""

    def __init__(self, app: App, config: Config) -> None:
        self._app = app
        super().__init__(
            uvicorn.Config(
                app,
                host=config.host,
                port=config.port,
                http=BoundedHttpProtocol.limited_to(
                    max(10, config.most_per_address // 4), TrustedProxies(config.proxies)
                ),
                ws=WebSocketProtocol,
                ws_max_size=4
                * MOST_BYTES,  # a frame up to this size is refused with a sentence, a larger one closes the connection
                ws_per_message_deflate=False,
                ws_ping_interval=KEEPALIVE_SECONDS,
                ws_ping_timeout=KEEPALIVE_SECONDS,
                proxy_headers=bool(config.proxies),
                forwarded_allow_ips=config.proxies or None,
                server_header=False,
                access_log=False,
                log_config=None,
                lifespan="on",
                limit_concurrency=config.most_connections + ROOM_FOR_REQUESTS,
                timeout_graceful_shutdown=max(1, round(config.drain_seconds)),
            )
        )

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Every signal asks for a graceful shutdown.  uvicorn would abort on a second Ctrl-C, and raise the signal
        again after the shutdown.
        """
        del sig, frame
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._app.lobby.close()
        await super().shutdown(sockets)

    @property
    def port(self) -> int:
        """The port it listens on, once it does."""
        return int(self.servers[0].sockets[0].getsockname()[1])


def make_room_for_files(needed: int) -> bool:
    """Raise the soft limit of open files (each socket is one); whether it is sufficient."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return True
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        with contextlib.suppress(OSError, ValueError):  # macOS has a lower limit behind the hard limit
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            soft = most
    return soft == resource.RLIM_INFINITY or soft >= needed


def log_displaced(displaced: Displaced) -> None:
    log_event(_log, "journal-displaced", logging.CRITICAL, why=displaced.why)


def make_journal(config: Config, step: Callable[[str], None] = ignore_step) -> Journal:
    """The PostgreSQL database that is configured, or the SQLite file in the folder."""
    if not config.journal:
        return SqliteJournal(database_in(config.data), step=step, alarm=log_displaced)
    from .journal.postgres import PostgresJournal  # an extra

    return PostgresJournal(config.journal, step=step)


def make_shared(config: Config) -> SharedState:
    """What there is beside the journal."""
    if not config.journal:
        return OneServer()
    from .shared.postgres import PostgresShared  # an extra

    return PostgresShared(config.journal)


def make_app(
    config: Config,
    *,
    journal: Journal | None = None,
    shared: SharedState | None = None,
    thinkers: Thinkers | None = None,
    step: Callable[[str], None] = ignore_step,
    door: Path | None = None,
) -> App:
    """The application with its real parts; tests replace some.  The operator's door is beside the journal."""
    door = config.data if journal is None else door
    hashes = identity.AddressHashes(None if journal else key_in(config.data))
    shared = shared or (make_shared(config) if journal is None else OneServer())
    journal = journal or make_journal(config, step)
    thinkers = thinkers or WorkerPool(config.bot_workers)
    return App(config, Context(journal, thinkers, step, address_hashes=hashes), door, shared)


async def serve(
    app: App, config: Config, started: Callable[[int], None], listener: socket.socket | None = None
) -> bool:
    """Run until a signal; ``started`` gets the port.  False: startup failed.  ``listener`` is bound already."""
    server = Server(app, config)
    running = asyncio.get_running_loop().create_task(server.serve(None if listener is None else [listener]))
    while not server.started and not running.done():
        await asyncio.sleep(0.02)
    if server.started:
        started(server.port)
    await running
    return server.started
