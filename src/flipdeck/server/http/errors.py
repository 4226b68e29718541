"""Error responses: a code, a sentence and a status, and nothing of what was sent."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from litestar import Request, Response
from litestar.exceptions import HTTPException, ValidationException

from ...wire import rest
from ...wire.errors import Code, TableRefusal
from ..journal import JournalError
from ..logs import log_event

MOST_BODY = 16 * 1024
STATUSES: Mapping[Code, int] = {
    "bad-host": 421,  # Misdirected Request
    "bad-origin": 403,
    "bad-token": 403,
    "not-host": 403,
    "no-replay": 404,
    "no-such-path": 404,
    "no-table": 404,
    "old-replay": 410,
    "old-table": 410,
    "seat-taken": 409,
    "table-full": 409,
    "not-now": 409,
    "damaged-replay": 503,
    "damaged-table": 503,
    "limit": 503,
    "shutting-down": 503,
    "unavailable": 503,
    "too-fast": 429,
    "too-big": 413,
    "internal-error": 500,
}
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; connect-src 'self'; img-src 'self' data:; object-src 'none'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}
_log = logging.getLogger("flipdeck.http")


def failure(refusal: TableRefusal, status: int | None = None) -> Response[rest.Failure]:
    body = rest.Failure(refusal.code, refusal.reason, str(refusal), refusal.facts)
    return Response(body, status_code=status or STATUSES.get(refusal.code, 400), headers=dict(HEADERS))


def _journal_failed(_: Request[Any, Any, Any], __: JournalError) -> Response[rest.Failure]:
    return failure(TableRefusal("unavailable"))


def _invalid(_: Request[Any, Any, Any], error: ValidationException) -> Response[rest.Failure]:
    """What is wrong with a body, and where; nothing of it is repeated."""
    problems = [str(each.get("message", "")) for each in error.extra or [] if isinstance(each, dict)]
    problem = "; ".join(filter(None, problems)) or "the body does not fit."
    return failure(TableRefusal("bad-message", problem=problem[:300]))


def _unreadable(_: Request[Any, Any, Any], __: Exception) -> Response[rest.Failure]:
    """What Litestar does not report as a validation error."""
    return failure(TableRefusal("bad-message", problem="it is no UTF-8, or too deep."))


def _http_error(_: Request[Any, Any, Any], error: HTTPException) -> Response[rest.Failure]:
    ours = {404: TableRefusal("no-such-path"), 413: TableRefusal("too-big", most=MOST_BODY)}
    other = TableRefusal("bad-message", problem=f"{error.detail}.")
    return failure(ours.get(error.status_code, other), error.status_code)


def _fault(_: Request[Any, Any, Any], error: Exception) -> Response[rest.Failure]:
    """A fault of the server: it costs this request, and is logged."""
    log_event(_log, "request-failed", logging.ERROR, error=error)
    return failure(TableRefusal("internal-error"))


HANDLERS: dict[int | type[Exception], Any] = {
    JournalError: _journal_failed,
    ValidationException: _invalid,
    HTTPException: _http_error,
    UnicodeDecodeError: _unreadable,
    RecursionError: _unreadable,
    Exception: _fault,
}
