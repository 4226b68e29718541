"""Keeps requests cheap: a rate limit for each address, who is kept out, and caches."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping
from io import BytesIO
from typing import Any, Generic, TypeVar

import msgspec
import segno

from ...wire import rest
from ...wire.errors import TableRefusal
from ..bounded import BoundedDict
from ..limits import address_key
from ..lobby import Lobby
from .errors import HEADERS

NO_FILES = ("/api", "/health", "/metrics")
RETRY_SECONDS = 2  # by then one table may be created, or many requests made
FILE_PRICE = 0.2  # price of a static file, in requests: it is ready, and a page has many
MOST_QR_CODES, QR_CODE_PRICE = 500, 10  # cached; price of a new one, in requests
TABLES_A_SECOND = 1000  # a cached list is valid for a second with so many tables, for less with fewer

T = TypeVar("T")
Asgi = Callable[[MutableMapping[str, Any], Any, Any], Awaitable[None]]


class Throttle:
    """In front of the application, a rate limit, and the addresses that the operator keeps out.

    A refused request reaches no handler and costs next to nothing.
    """

    def __init__(self, lobby: Lobby, within: Asgi) -> None:
        self._lobby = lobby
        self._within = within
        self._too_fast = _messages(429, TableRefusal("too-fast"), {"Retry-After": str(RETRY_SECONDS)})
        self._kept_out = _messages(403, TableRefusal("kept-out"), {})

    async def __call__(self, scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self._within(scope, receive, send)
            return
        address = address_key((scope.get("client") or ("",))[0])
        path, now = scope["path"], asyncio.get_running_loop().time()
        if not self._lobby.rate_limits.requests.take(address, now, _price(path)):
            await _answer(send, self._too_fast)
        elif path.startswith("/api") and self._lobby.kept_out.refusal(address) is not None:
            await _answer(send, self._kept_out)
        else:
            await self._within(scope, receive, send)


class Cached(Generic[T]):
    """A cached scan over all tables: the more there are, the longer it is valid."""

    def __init__(self, lobby: Lobby, find: Callable[[], T]) -> None:
        self._lobby = lobby
        self._find = find
        self._found: tuple[float, T] | None = None  # with when it expires

    def now(self) -> T:
        now = asyncio.get_running_loop().time()
        if self._found is None or now >= self._found[0]:
            good_for = min(1.0, len(self._lobby.tables) / TABLES_A_SECOND)
            self._found = now + good_for, self._find()
        return self._found[1]


class QrCodes:
    """An LRU cache of QR codes: one takes milliseconds to draw."""

    def __init__(self) -> None:
        self._drawn: BoundedDict[str, str] = BoundedDict(MOST_QR_CODES)

    def __contains__(self, link: str) -> bool:
        return link in self._drawn

    def of(self, link: str) -> str:
        drawn = self._drawn.recent(link)
        if drawn is None:
            image = BytesIO()
            segno.make(link, error="m").save(image, kind="svg", scale=4, border=4, dark="#000", light="#fff")
            drawn = self._drawn[link] = image.getvalue().decode()
        return drawn


def _messages(status: int, refusal: TableRefusal, more: Mapping[str, str]) -> list[dict[str, Any]]:
    """A refusal as the messages of ASGI."""
    body = msgspec.json.encode(rest.Failure(refusal.code, refusal.reason, str(refusal)))
    headers = {**HEADERS, "Content-Type": "application/json", "Content-Length": str(len(body)), **more}
    encoded = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    return [
        {"type": "http.response.start", "status": status, "headers": encoded},
        {"type": "http.response.body", "body": body},
    ]


async def _answer(send: Any, messages: Iterable[dict[str, Any]]) -> None:
    for message in messages:
        await send(message)


def _price(path: str) -> float:
    return 1.0 if path.startswith(NO_FILES) else FILE_PRICE
