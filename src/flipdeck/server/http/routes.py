"""The HTTP routes: create, find and join tables; replays, health, metrics."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterable
from typing import Annotated, Any, get_args

from litestar import HttpMethod, Litestar, MediaType, Request, Response, get, post, route
from litestar.params import FromPath, JSONBody, Parameter, QueryParameter
from litestar.status_codes import HTTP_204_NO_CONTENT
from litestar.types import ControllerRouterHandler

from ...wire import rest
from ...wire.errors import TableRefusal
from ...wire.facts import edition_infos, option_infos
from ...wire.openapi import openapi
from ...wire.parts import BotLevel, TableInfo
from ...wire.routing import ROUTE_PARAMETER, route_of
from .. import identity
from ..limits import address_key
from ..lobby import Lobby
from ..metrics import Metrics
from . import errors
from .health import HealthCheck
from .replays import Replays
from .throttle import QR_CODE_PRICE, RETRY_SECONDS, Cached, QrCodes

CodeInPath = Annotated[str, Parameter(max_length=12)]
ReplayInPath = Annotated[str, Parameter(max_length=40)]


class Routes:
    """The route handlers of one lobby."""

    def __init__(self, lobby: Lobby, metrics: Metrics, pages: list[ControllerRouterHandler]) -> None:
        self._lobby = lobby
        self._origin_policy = lobby.config.origin_policy
        self._replays = Replays(lobby)
        self._metrics = Cached(lobby, metrics.text)
        self._public = Cached(lobby, lobby.public)
        self._qr_codes = QrCodes()
        self._pages = pages

    def app(self, **more: Any) -> Litestar:
        return Litestar(
            [*self._table_routes(), *self._replay_routes(), *self._other_routes(), *self._pages],
            exception_handlers={TableRefusal: self._refuse, **errors.HANDLERS},
            logging_config=None,  # Litestar's logs would contain exception texts
            before_request=self._check_origin,
            openapi_config=None,  # ours says more: every refusal
            response_headers=errors.HEADERS,
            request_max_body_size=errors.MOST_BODY,
            **more,
        )

    def _check_origin(self, request: Request[Any, Any, Any]) -> None:
        """CSRF and DNS rebinding: a foreign page must not create tables here, nor read anything."""
        refusal = self._origin_policy.refusal(request.scope["headers"])
        if refusal is not None:
            raise refusal

    def _refuse(self, request: Request[Any, Any, Any], refusal: TableRefusal) -> Response[rest.Failure]:
        answer = errors.failure(refusal)
        if "retry_after" in refusal.facts:
            answer.headers["Retry-After"] = str(refusal.facts["retry_after"])
        elif refusal.code == "too-fast":
            wait = self._lobby.guesses.wait(_address(request), asyncio.get_running_loop().time())
            answer.headers["Retry-After"] = str(max(RETRY_SECONDS, math.ceil(wait)))
        return answer

    def _draw(self, link: str, address: str) -> str:
        requests, now = self._lobby.rate_limits.requests, asyncio.get_running_loop().time()
        if link not in self._qr_codes and not requests.take(address, now, QR_CODE_PRICE):
            raise TableRefusal("too-fast")
        return self._qr_codes.of(link)

    def _table_routes(self) -> list[ControllerRouterHandler]:
        lobby = self._lobby

        @route("/api/tables", http_method=HttpMethod.OPTIONS)
        async def table_methods() -> Response[None]:
            """Litestar itself would name only one of the methods, unless this is registered first."""
            return Response(None, status_code=HTTP_204_NO_CONTENT, headers={"Allow": "GET, OPTIONS, POST"})

        @post("/api/tables")
        async def make_table(data: JSONBody[rest.NewTable], request: Request[Any, Any, Any]) -> rest.Seated:
            """Create a table and take a seat at it."""
            return await lobby.make(data, _address(request))

        @get("/api/tables")
        async def public_tables() -> rest.Tables:
            """List public tables."""
            await lobby.public_list.refresh(lobby.lease.node)
            return self._public.now()

        @get("/api/tables/{code:str}")
        async def look_at_table(code: CodeInPath, request: Request[Any, Any, Any]) -> TableInfo:
            """Describe a table: its settings, and who sits there."""
            return (await lobby.find(code, _address(request), asks=_is_placed(code, request))).info

        @post("/api/tables/{code:str}/seats")
        async def join_table(
            code: CodeInPath, data: JSONBody[rest.Join], request: Request[Any, Any, Any]
        ) -> rest.Seated:
            """Take a seat."""
            return await lobby.join(code, data, _address(request))

        @get("/api/tables/{code:str}/invite.svg", media_type="image/svg+xml")
        async def invite(code: CodeInPath, request: Request[Any, Any, Any]) -> str:
            """The link to the table as a QR code."""
            ours = f"{request.url.scheme}://{request.headers['host']}"
            table = await lobby.find(code, _address(request), asks=False)
            return self._draw(f"{ours}/table/{identity.shown_code(table.state.code)}", _address(request))

        return [table_methods, make_table, public_tables, look_at_table, join_table, invite]

    def _replay_routes(self) -> list[ControllerRouterHandler]:
        lobby, replays = self._lobby, self._replays

        @get("/api/replays/{name:str}", media_type=MediaType.TEXT)
        async def record(name: ReplayInPath, request: Request[Any, Any, Any]) -> str:
            """The record of a finished match."""
            return await lobby.replay(name, _address(request))

        @get("/api/replays/{name:str}/match")
        async def replay(name: ReplayInPath, request: Request[Any, Any, Any]) -> rest.ReplayInfo:
            """A finished match: who played, and how its rounds ended."""
            return await replays.match(name, _address(request))

        @get("/api/replays/{name:str}/rounds/{number:int}")
        async def replay_round(
            name: ReplayInPath,
            number: FromPath[int],
            request: Request[Any, Any, Any],
            seat: Annotated[int | None, Parameter(ge=0, le=9)] = None,
            first: Annotated[int, QueryParameter(name="from", ge=0, le=1_000_000)] = 0,
            most: Annotated[int, Parameter(ge=1, le=rest.MOST_STEPS)] = rest.MOST_STEPS,
        ) -> Response[rest.ReplayRound]:
            """One round of it, step by step, as a seat saw it; without a seat, all cards are open.

            A long round comes in pages: ``next`` is the ``from`` of the next one.
            """
            page: Any = await replays.round(name, number, seat, first, most, _address(request))  # JSON already
            return Response(page, media_type=MediaType.JSON)

        return [record, replay, replay_round]

    def _other_routes(self) -> list[ControllerRouterHandler]:
        lobby = self._lobby

        @post("/api/transfers")
        async def move_seat(data: JSONBody[rest.Redeem], request: Request[Any, Any, Any]) -> rest.Seated:
            """Exchange the secret of a transfer link for a token on this device."""
            return await lobby.redeem(data, _address(request))

        @get("/api/editions")
        async def all_editions() -> rest.Editions:
            """All editions, options and levels of bots that a table of this server can have."""
            return editions_info(lobby.context.thinkers.search.levels)

        @get(["/api/schema", "/api/schema/openapi.json"])
        async def schema() -> dict[str, Any]:
            """The OpenAPI document."""
            return openapi(lobby.context.version, errors.HEADERS)

        @get("/metrics", media_type=MediaType.TEXT)
        async def metrics() -> str:
            """Prometheus metrics."""
            return self._metrics.now()

        return [move_seat, all_editions, schema, *HealthCheck(lobby).handlers(), metrics]


def editions_info(levels: Iterable[BotLevel] = get_args(BotLevel)) -> rest.Editions:
    return rest.Editions(edition_infos(), option_infos(), list(levels))


def _is_placed(code: str, request: Request[Any, Any, Any]) -> bool:
    """Whether a proxy has brought the request where this table's people belong.

    Whoever looks at a table elsewhere takes it from nobody; here, somebody is about to sit down.
    """
    read = identity.read_code(code)
    return read is not None and request.query_params.get(ROUTE_PARAMETER) == route_of(read)


def _address(request: Request[Any, Any, Any]) -> str:
    return address_key(request.client.host if request.client else None)
