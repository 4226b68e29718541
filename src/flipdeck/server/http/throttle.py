"""What keeps requests cheap: a rate for each address, and answers that are kept for a while."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
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
RETRY_SECONDS = 2  # after which one table may be made, and many a request
FILE_PRICE = 0.2  # of a file of the page, in requests: it lies ready, and a page has many
MOST_QR_CODES, QR_CODE_PRICE = 500, 10  # kept; what a new one costs
TABLES_A_SECOND = 1000  # of so many tables a list is good for a second, of fewer for less

T = TypeVar("T")
Asgi = Callable[[MutableMapping[str, Any], Any, Any], Awaitable[None]]


class Throttle:
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
        if scope["type"] != "http" or self._lobby.rate_limits.requests.take(address, now, _price(scope["path"])):
            await self._within(scope, receive, send)
        else:
            await send({"type": "http.response.start", "status": 429, "headers": self._headers})
            await send({"type": "http.response.body", "body": self._body})


class Cached(Generic[T]):
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


class QrCodes:
    """Links as pictures to point a phone at.  One takes milliseconds to draw, so that those asked for last are kept."""

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


def _price(path: str) -> float:
    return 1.0 if path.startswith(NO_FILES) else FILE_PRICE
