"""The composition root: everything a server is made of, put together and run."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import socket
from collections.abc import AsyncIterator, Callable
from types import FrameType

import uvicorn
from litestar import Litestar

from .config import Config
from .http.routes import Routes
from .http.static import behind_the_hash, pages
from .http.throttle import Throttle
from .journal import Journal
from .journal.sqlite import SqliteJournal
from .lobby import Lobby
from .metrics import Metrics
from .paths import database_in
from .table.context import Context, ignore_step
from .thinkers.pool import WorkerPool
from .thinkers.port import Thinkers
from .transport.protocols import BoundedHttpProtocol, TrustedProxies, WebSocketProtocol
from .transport.session import MOST_BYTES
from .transport.websocket import Receive, Scope, Send, WebSocketEndpoint

SOCKET_PATH = "/ws"
KEEPALIVE_SECONDS = 20.0  # between the pings of a line, and until one is answered: whoever is gone is so by then
ROOM_FOR_REQUESTS = 1000  # of HTTP at a time, beside the websockets
# Tables are long-lived and hardly ever in cycles: to look through them all for garbage again and again costs a tenth
# of the time of a server.  And whoever moves just then waits for it, so what is new is looked through in small heaps.
COLLECTOR = (2_000, 10, 5_000)
OTHER_FILES = 100  # beside the sockets: the journal, the pipes of bots, what Python reads
TOO_FEW_FILES = (
    "The system allows fewer open files than --most-connections needs: raise its limit (ulimit -n, LimitNOFILE) "
    "or lower the setting."
)
_log = logging.getLogger("flipdeck.server")


class App:
    """One ASGI application: websockets at ``/ws``, everything else HTTP."""

    def __init__(self, config: Config, context: Context) -> None:
        self.lobby = Lobby(context, config)
        self._sockets = WebSocketEndpoint(self.lobby)
        page = [*pages(), behind_the_hash]
        doors: Litestar = Routes(self.lobby, Metrics(self.lobby), page).app(lifespan=[self._lifespan])
        self._http = Throttle(self.lobby, doors)  # type: ignore[arg-type]  # Litestar has narrower types for the same

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
        gc.freeze()  # the program itself is here to stay
        if not make_room_for_files(self.lobby.config.most_connections + ROOM_FOR_REQUESTS + OTHER_FILES):
            _log.warning(TOO_FEW_FILES)
        await context.journal.open()
        await context.thinkers.start()
        self.lobby.start()
        try:
            yield
        finally:
            await self.lobby.close()
            await context.thinkers.close()
            await context.journal.close()
            gc.unfreeze()
            gc.set_threshold(*usual)


class Server(uvicorn.Server):
    """A server that says good-bye: those at its tables are told before their sockets are closed."""

    def __init__(self, app: App, config: Config) -> None:
        self._app = app
        super().__init__(
            uvicorn.Config(
                app,
                host=config.host,
                port=config.port,
                http=BoundedHttpProtocol.bounded(max(10, config.most_per_address // 4), TrustedProxies(config.proxies)),
                ws=WebSocketProtocol,
                ws_max_size=4 * MOST_BYTES,  # a little too big is answered, far too big is cut off
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
        again after the shutdown."""
        del sig, frame
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._app.lobby.close()
        await super().shutdown(sockets)

    @property
    def port(self) -> int:
        """The one it listens on, once it does."""
        return int(self.servers[0].sockets[0].getsockname()[1])


def make_room_for_files(needed: int) -> bool:
    """Every socket is an open file, and few are allowed by default; whether it is enough, as far as is known."""
    try:
        import resource
    except ImportError:  # a system that counts otherwise
        return True
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        with contextlib.suppress(OSError, ValueError):  # some systems have a limit behind the limit
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            soft = most
    return soft == resource.RLIM_INFINITY or soft >= needed


def make_app(
    config: Config,
    *,
    journal: Journal | None = None,
    thinkers: Thinkers | None = None,
    step: Callable[[str], None] = ignore_step,
) -> App:
    """The application of a real server; tests put other parts in."""
    journal = journal or SqliteJournal(database_in(config.data), step=step)
    return App(config, Context(journal, thinkers or WorkerPool(config.bot_workers), step))


async def serve(app: App, config: Config, started: Callable[[int], None], door: socket.socket | None = None) -> bool:
    """Until a signal ends it; ``started`` hears the port.  False: it never started.  ``door`` listens already."""
    server = Server(app, config)
    running = asyncio.get_running_loop().create_task(server.serve(None if door is None else [door]))
    while not server.started and not running.done():
        await asyncio.sleep(0.02)
    if server.started:
        started(server.port)
    await running
    return server.started
