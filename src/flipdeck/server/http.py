"""The part of the server that is plain HTTP: making, finding and joining tables, records, health, metrics."""

from __future__ import annotations

import asyncio
import logging
import math
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from dataclasses import fields
from io import BytesIO
from typing import Annotated, Any, Generic, TypeVar, get_args

import msgspec
import segno
from litestar import Litestar, MediaType, Request, Response, get, post
from litestar.exceptions import HTTPException, ValidationException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.params import FromPath, JSONBody, Parameter
from litestar.types import ControllerRouterHandler

from ..core import editions
from ..core.options import Options
from ..wire import rest
from ..wire.errors import Code, TableRefusal
from ..wire.parts import Level, TableInfo
from . import identity, origins
from .journal import JournalError
from .limits import address_key
from .lobby import Lobby
from .logs import log_event
from .metrics import Metrics
from .replays import Replays

MOST_BODY = 16 * 1024
STATUSES: Mapping[Code, int] = {
    "bad-origin": 403,
    "bad-token": 403,
    "not-host": 403,
    "no-replay": 404,
    "no-such-path": 404,
    "no-table": 404,
    "seat-taken": 409,
    "table-full": 409,
    "not-now": 409,
    "limit": 503,
    "shutting-down": 503,
    "unavailable": 503,
    "too-fast": 429,
    "too-big": 413,
}
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; connect-src 'self'; img-src 'self' data:; object-src 'none'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}
NO_FILES = ("/api", "/health", "/metrics")
RETRY_SECONDS = 2  # after which one table may be made, and many a request
FILE_PRICE = 0.2  # of a file of the page, in requests: it lies ready, and a page has many
PICTURES, PICTURE_PRICE = 500, 10  # kept; what a new one costs
TABLES_A_SECOND = 1000  # of so many tables a list is good for a second, of fewer for less
_log = logging.getLogger("flipdeck.http")
CodeInPath = Annotated[str, Parameter(max_length=12)]
ReplayInPath = Annotated[str, Parameter(max_length=40)]


T = TypeVar("T")
Asgi = Callable[[MutableMapping[str, Any], Any, Any], Awaitable[None]]


class Turnstile:
    """Requests of one address pass at a bounded rate.  To refuse one costs next to nothing: no handler hears of it."""

    def __init__(self, lobby: Lobby, within: Asgi) -> None:
        self._lobby = lobby
        self._within = within
        refusal = TableRefusal("too-fast")
        self._body = msgspec.json.encode(rest.Failure(refusal.code, refusal.reason, str(refusal)))
        told = {**HEADERS, "Content-Type": "application/json", "Content-Length": str(len(self._body))}
        told["Retry-After"] = str(RETRY_SECONDS)
        self._headers = [(name.lower().encode(), value.encode()) for name, value in told.items()]

    async def __call__(self, scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
        address = address_key((scope.get("client") or ("",))[0])
        now = asyncio.get_running_loop().time()
        if scope["type"] != "http" or self._lobby.allowances.requests.take(address, now, _price(scope["path"])):
            await self._within(scope, receive, send)
        else:
            await send({"type": "http.response.start", "status": 429, "headers": self._headers})
            await send({"type": "http.response.body", "body": self._body})


class Kept(Generic[T]):
    """What was found a moment ago by looking through all tables: the more there are, the longer it is good."""

    def __init__(self, lobby: Lobby, find: Callable[[], T]) -> None:
        self._lobby = lobby
        self._find = find
        self._found: tuple[float, T] | None = None  # with when it is too old

    def now(self) -> T:
        now = asyncio.get_running_loop().time()
        if self._found is None or now >= self._found[0]:
            good_for = min(1.0, len(self._lobby.tables) / TABLES_A_SECOND)
            self._found = now + good_for, self._find()
        return self._found[1]


class Pictures:
    """Links as pictures to point a phone at.  One takes milliseconds to draw, so that those asked for last are kept."""

    def __init__(self) -> None:
        self._drawn: OrderedDict[str, str] = OrderedDict()

    def __contains__(self, link: str) -> bool:
        return link in self._drawn

    def of(self, link: str) -> str:
        if link not in self._drawn:
            drawn = BytesIO()
            segno.make(link, error="m").save(drawn, kind="svg", scale=4, border=4, dark="#000", light="#fff")
            self._drawn[link] = drawn.getvalue().decode()
        self._drawn.move_to_end(link)
        if len(self._drawn) > PICTURES:
            self._drawn.popitem(last=False)
        return self._drawn[link]


class Doors:
    """The handlers, around one lobby."""

    def __init__(self, lobby: Lobby, metrics: Metrics, pages: list[ControllerRouterHandler]) -> None:
        self._lobby = lobby
        self._replays = Replays(lobby)
        self._metrics = Kept(lobby, metrics.text)
        self._public = Kept(lobby, lobby.public)
        self._pictures = Pictures()
        self._pages = pages
        self._checked_until = 0.0
        self._checking: asyncio.Task[None] | None = None
        self._problem: str | None = None

    def app(self, **more: Any) -> Litestar:
        return Litestar(
            [*self._table_doors(), *self._replay_doors(), *self._other_doors(), *self._pages],
            exception_handlers={
                TableRefusal: self._refused,
                JournalError: _journal_failed,
                ValidationException: _invalid,
                HTTPException: _http_error,
                UnicodeDecodeError: _unreadable,
                RecursionError: _unreadable,
                Exception: _fault,
            },
            logging_config=None,  # our logs are our own: Litestar's would write texts of exceptions
            before_request=self._check_origin,
            openapi_config=OpenAPIConfig(
                title="Flipdeck",
                version=self._lobby.around.version,
                path="/api/schema",
                render_plugins=[JsonRenderPlugin()],
            ),
            response_headers=HEADERS,
            request_max_body_size=MOST_BODY,
            **more,
        )

    def _check_origin(self, request: Request[Any, Any, Any]) -> None:
        """A page of somebody else's must not make tables here; programs that are no pages send no Origin."""
        origin = request.headers.get("origin")
        listed = self._lobby.config.listed_origins
        if origin is not None and not origins.allowed(origin, request.headers.get("host"), listed):
            raise TableRefusal("bad-origin")

    def _refused(self, request: Request[Any, Any, Any], refusal: TableRefusal) -> Response[rest.Failure]:
        answer = _failure(refusal)
        if refusal.code == "too-fast":
            wait = self._lobby.guesses.wait(_address(request), asyncio.get_running_loop().time())
            answer.headers["Retry-After"] = str(max(RETRY_SECONDS, math.ceil(wait)))
        return answer

    def _draw(self, link: str, address: str) -> str:
        requests, now = self._lobby.allowances.requests, asyncio.get_running_loop().time()
        if link not in self._pictures and not requests.take(address, now, PICTURE_PRICE):
            raise TableRefusal("too-fast")
        return self._pictures.of(link)

    def _table_doors(self) -> list[ControllerRouterHandler]:
        lobby = self._lobby

        @post("/api/tables")
        async def make_table(data: JSONBody[rest.NewTable], request: Request[Any, Any, Any]) -> rest.Seated:
            """Make a table and sit down at it."""
            return await lobby.make(data, _address(request))

        @get("/api/tables")
        async def public_tables() -> rest.Tables:
            """The tables that anybody may join."""
            return self._public.now()

        @get("/api/tables/{code:str}")
        async def look_at_table(code: CodeInPath, request: Request[Any, Any, Any]) -> TableInfo:
            """A table from outside: its settings, and who sits there."""
            return (await lobby.find(code, _address(request))).info

        @post("/api/tables/{code:str}/seats")
        async def join_table(
            code: CodeInPath, data: JSONBody[rest.Join], request: Request[Any, Any, Any]
        ) -> rest.Seated:
            """Sit down."""
            return await lobby.join(code, data, _address(request))

        @get("/api/tables/{code:str}/invite.svg", media_type="image/svg+xml")
        async def invite(code: CodeInPath, request: Request[Any, Any, Any]) -> str:
            """The link to the table as a picture to point a phone at."""
            ours = f"{request.url.scheme}://{request.headers.get('host', '')}"
            if not origins.is_origin(ours):
                raise TableRefusal("bad-message", problem="its Host is no name of a server.")
            table = await lobby.find(code, _address(request))
            return self._draw(f"{ours}/#/table/{identity.shown_code(table.state.code)}", _address(request))

        return [make_table, public_tables, look_at_table, join_table, invite]

    def _replay_doors(self) -> list[ControllerRouterHandler]:
        lobby, replays = self._lobby, self._replays

        @get("/api/replays/{name:str}", media_type=MediaType.TEXT)
        async def record(name: ReplayInPath, request: Request[Any, Any, Any]) -> str:
            """The record of a match that is over."""
            return await lobby.replay(name, _address(request))

        @get("/api/replays/{name:str}/match")
        async def replay(name: ReplayInPath, request: Request[Any, Any, Any]) -> rest.Replay:
            """A match that is over: who played, and how its rounds ended."""
            return await replays.match(name, _address(request))

        @get("/api/replays/{name:str}/rounds/{number:int}")
        async def replay_round(
            name: ReplayInPath,
            number: FromPath[int],
            request: Request[Any, Any, Any],
            seat: Annotated[int | None, Parameter(ge=0, le=9)] = None,
        ) -> rest.ReplayRound:
            """One of its rounds, step by step, as a seat saw it; without a seat, all cards are open."""
            return await replays.round(name, number, seat, _address(request))

        return [record, replay, replay_round]

    def _other_doors(self) -> list[ControllerRouterHandler]:
        lobby = self._lobby

        @post("/api/transfers")
        async def move_seat(data: JSONBody[rest.Redeem], request: Request[Any, Any, Any]) -> rest.Seated:
            """The secret of a transfer link for a token on this device."""
            return await lobby.redeem(data, _address(request))

        @get("/api/editions")
        async def all_editions() -> rest.Editions:
            """What a table can be set to."""
            return editions_info()

        @get("/health")
        async def health() -> Response[dict[str, object]]:
            """Green while the journal can write."""
            problem = await self._health_problem()
            told: dict[str, object] = {"ok": problem is None, "tables": len(lobby.tables)}
            if problem is not None:
                told["problem"] = problem
            return Response(told, status_code=200 if problem is None else 503)

        @get("/metrics", media_type=MediaType.TEXT)
        async def metrics() -> str:
            """For Prometheus."""
            return self._metrics.now()

        return [move_seat, all_editions, health, metrics]

    async def _health_problem(self) -> str | None:
        """A real write; never two at a time, and while all is well not more than one a second, whoever asks."""
        now = asyncio.get_running_loop().time()
        if self._lobby.closing:
            return "shutting down"
        if now >= self._checked_until and self._checking is None:
            self._checking = asyncio.get_running_loop().create_task(self._check())
        if self._checking is not None:
            await asyncio.shield(self._checking)
        return self._problem

    async def _check(self) -> None:
        try:
            await asyncio.wait_for(self._lobby.around.journal.check(), 5.0)
            self._problem = None
            self._checked_until = asyncio.get_running_loop().time() + 1.0
        except (JournalError, TimeoutError):
            self._problem = "the journal can't write"
        finally:
            self._checking = None


def editions_info() -> rest.Editions:
    names = editions.NAMES
    own = {name: editions.edition(name).options for name in names}
    told = [
        rest.EditionInfo(name, {spec.name: getattr(options, spec.name) for spec in fields(Options)})
        for name, options in own.items()
    ]
    return rest.Editions(told, [_option_info(spec) for spec in fields(Options)], list(get_args(Level)))


def _option_info(spec: Any) -> rest.OptionInfo:
    about = spec.metadata
    if "switch" in about:
        return rest.OptionInfo(spec.name, "switch")
    if "range" in about:
        return rest.OptionInfo(spec.name, "number", low=about["range"][0], high=about["range"][1])
    return rest.OptionInfo(spec.name, "choice", choices=[str(choice) for choice in about["choices"]])


def _price(path: str) -> float:
    return 1.0 if path.startswith(NO_FILES) else FILE_PRICE


def _address(request: Request[Any, Any, Any]) -> str:
    return address_key(request.client.host if request.client else None)


# ---------------------------------------------------------------- refusing
def _failure(refusal: TableRefusal, status: int | None = None) -> Response[rest.Failure]:
    told = rest.Failure(refusal.code, refusal.reason, str(refusal), refusal.facts)
    return Response(told, status_code=status or STATUSES.get(refusal.code, 400), headers=dict(HEADERS))


def _journal_failed(_: Request[Any, Any, Any], __: JournalError) -> Response[rest.Failure]:
    return _failure(TableRefusal("unavailable"))


def _invalid(_: Request[Any, Any, Any], error: ValidationException) -> Response[rest.Failure]:
    """What is wrong with a body, and where; nothing of what was sent is repeated."""
    problems = [str(each.get("message", "")) for each in error.extra or [] if isinstance(each, dict)]
    problem = "; ".join(filter(None, problems)) or "the body does not fit."
    return _failure(TableRefusal("bad-message", problem=problem[:300]))


def _unreadable(_: Request[Any, Any, Any], __: Exception) -> Response[rest.Failure]:
    """What Litestar does not take for a fault of the body."""
    return _failure(TableRefusal("bad-message", problem="it is no UTF-8, or too deep."))


def _http_error(_: Request[Any, Any, Any], error: HTTPException) -> Response[rest.Failure]:
    ours = {404: TableRefusal("no-such-path"), 413: TableRefusal("too-big", most=MOST_BODY)}
    other = TableRefusal("bad-message", problem=f"{error.detail}.")
    return _failure(ours.get(error.status_code, other), error.status_code)


def _fault(_: Request[Any, Any, Any], error: Exception) -> Response[rest.Failure]:
    """A fault of ours: it costs this request, and is written down."""
    log_event(_log, "request-failed", logging.ERROR, error=error)
    return _failure(TableRefusal("unavailable"), 500)
