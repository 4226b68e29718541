"""The HTTP requests that the server answers, each with every status it can answer: what OpenAPI and docs/wire.md say.

A handler in ``server/http`` answers nothing else; Schemathesis finds out (``tests/server/test_openapi.py``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from msgspec import Struct

from . import rest
from .errors import Code
from .parts import TableInfo
from .routing import ROUTE_PARAMETER

# by the code of the refusal.  400: the request does not fit its schema; 422: it does, but can't be carried out by
# anybody at any time; 409: not as things are now.
STATUSES: Mapping[Code, int] = {
    "bad-host": 421,  # Misdirected Request
    "bad-message": 400,
    "bad-name": 422,
    "bad-option": 422,
    "bad-origin": 403,
    "bad-token": 403,
    "banned": 403,
    "closed-by-operator": 410,
    "damaged-replay": 503,
    "damaged-table": 503,
    "internal-error": 500,
    "kept-out": 403,
    "level-unavailable": 409,
    "limit": 503,
    "locked": 409,
    "newer-table": 503,
    "no-replay": 404,
    "no-such-path": 404,
    "no-table": 404,
    "not-host": 403,
    "not-now": 409,
    "old-replay": 410,
    "old-table": 410,
    "seat-taken": 409,
    "seats-empty": 422,
    "shutting-down": 503,
    "table-elsewhere": 503,
    "table-full": 409,
    "too-big": 413,
    "too-fast": 429,
    "unavailable": 503,
    "voted-out": 403,
}
JSON, TEXT, SVG = "application/json", "text/plain", "image/svg+xml"
_EVERYWHERE: tuple[Code, ...] = ("bad-host", "bad-origin", "too-fast", "internal-error")
_API: tuple[Code, ...] = ("kept-out",)
_BODY: tuple[Code, ...] = ("bad-message", "too-big")
_TABLE: tuple[Code, ...] = (
    "bad-message",
    "no-such-path",
    "no-table",
    "old-table",
    "closed-by-operator",
    "damaged-table",
    "newer-table",
    "limit",
    "shutting-down",
    "table-elsewhere",
    "unavailable",
)
_REPLAY: tuple[Code, ...] = ("bad-message", "no-such-path", "no-replay", "old-replay", "damaged-replay", "unavailable")


@dataclass(frozen=True, slots=True)
class RequestParameter:
    name: str
    place: Literal["path", "query"]
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Operation:
    method: Literal["get", "post"]
    path: str
    name: str
    about: str  # the answer, in a few words
    answer: type[Struct] | None = None  # none: a text of this kind
    kind: str = JSON
    body: type[Struct] | None = None
    parameters: tuple[RequestParameter, ...] = ()
    codes: tuple[Code, ...] = ()  # of refusals, besides those of every operation
    answer_when_ill: bool = False  # status 503 has the same body

    @property
    def success(self) -> int:
        return 201 if self.method == "post" else 200

    @property
    def refusals(self) -> dict[int, list[Code]]:
        """The codes of its refusals, by status."""
        found: dict[int, list[Code]] = {}
        api = _API if self.path.startswith("/api/") else ()
        for code in dict.fromkeys((*self.codes, *api, *_EVERYWHERE)):
            found.setdefault(STATUSES[code], []).append(code)
        return dict(sorted(found.items()))


_CODE = RequestParameter("code", "path", {"type": "string", "minLength": 1, "maxLength": 12})
# any text: a wrong one does no harm
_ROUTE = RequestParameter(ROUTE_PARAMETER, "query", {"type": "string"})
_NAME = RequestParameter("name", "path", {"type": "string", "minLength": 1, "maxLength": 40})
_ROUND = RequestParameter("number", "path", {"type": "integer"})
_SEAT = RequestParameter("seat", "query", {"type": "integer", "minimum": 0, "maximum": 9})
_FROM = RequestParameter("from", "query", {"type": "integer", "minimum": 0, "maximum": 1_000_000})
_MOST = RequestParameter("most", "query", {"type": "integer", "minimum": 1, "maximum": rest.MOST_STEPS})

OPERATIONS = (
    Operation(
        "post",
        "/api/tables",
        "make_table",
        "the table is made, and you are its host",
        rest.Seated,
        body=rest.NewTable,
        codes=(
            *_BODY,
            "bad-name",
            "bad-option",
            "seats-empty",
            "bad-token",
            "closed-by-operator",
            "damaged-table",
            "newer-table",
            "level-unavailable",
            "not-now",
            "limit",
            "shutting-down",
            "table-elsewhere",
            "unavailable",
        ),
    ),
    Operation("get", "/api/tables", "public_tables", "those that anybody may join", rest.Tables),
    Operation(
        "get",
        "/api/tables/{code}",
        "look_at_table",
        "a table from outside",
        TableInfo,
        parameters=(_CODE, _ROUTE),
        codes=_TABLE,
    ),
    Operation(
        "post",
        "/api/tables/{code}/seats",
        "join_table",
        "you sit there",
        rest.Seated,
        body=rest.Join,
        parameters=(_CODE, _ROUTE),
        codes=(
            *_BODY,
            *_TABLE,
            "bad-name",
            "bad-token",
            "banned",
            "voted-out",
            "locked",
            "seat-taken",
            "table-full",
            "not-now",
        ),
    ),
    Operation(
        "get",
        "/api/tables/{code}/invite.svg",
        "invite",
        "the link to the table, as a picture for the camera of a phone",
        kind=SVG,
        parameters=(_CODE, _ROUTE),
        codes=_TABLE,
    ),
    Operation(
        "post",
        "/api/transfers",
        "move_seat",
        "the seat, on another device",
        rest.Seated,
        body=rest.Redeem,
        parameters=(_ROUTE,),
        codes=(*_BODY, *_TABLE, "bad-token"),
    ),
    Operation(
        "get",
        "/api/replays/{name}",
        "record",
        "the [record](records.md) of a match that is over, as text",
        kind=TEXT,
        parameters=(_NAME,),
        codes=_REPLAY,
    ),
    Operation(
        "get",
        "/api/replays/{name}/match",
        "replay",
        "who played it, and how its rounds ended",
        rest.ReplayInfo,
        parameters=(_NAME,),
        codes=(*_REPLAY, "not-now"),
    ),
    Operation(
        "get",
        "/api/replays/{name}/rounds/{number}",
        "replay_round",
        "step by step; with `?seat=2` as seat 2 saw it, without with all cards open. At most 400 steps come at once: "
        "`?from=400` goes on where `next` says, `most` asks for fewer",
        rest.ReplayRound,
        parameters=(_NAME, _ROUND, _SEAT, _FROM, _MOST),
        codes=(*_REPLAY, "not-now"),
    ),
    Operation("get", "/api/editions", "all_editions", "what a table can be made with", rest.Editions),
    Operation(
        "get",
        "/health",
        "health",
        "200 while it can save what is played and takes new people, else 503",
        rest.Health,
        answer_when_ill=True,
    ),
    Operation("get", "/health/live", "live", "200 while it answers at all", rest.Liveness),
    Operation("get", "/health/ready", "ready", "as `/health`, for a proxy", rest.Health, answer_when_ill=True),
    Operation("get", "/metrics", "metrics", "Prometheus metrics", kind=TEXT),
)
