"""Keeps requests cheap: a rate limit for each address, who is kept out, and caches."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping
from io import BytesIO
from typing import Any, Generic, TypeVar

import msgspec
import segno

from ...wire import rest
from ...wire.errors import TableRefusal
from ..bounded import BoundedDict
from ..journal import JournalError
from ..limits import address_key
from ..lobby import Lobby
from .errors import HEADERS

NO_FILES = ("/api", "/health", "/metrics")
RETRY_SECONDS = 2  # by then one table may be created, or many requests made
FILE_PRICE = 0.2  # price of a static file, in requests: it is ready, and a page has many
MOST_QR_CODES, QR_CODE_PRICE = 500, 10  # cached; price of a new one, in requests
TABLES_A_SECOND = 1000  # a cached list is valid for a second with so many tables, for less with fewer

T = TypeVar("T")
HttpScope = MutableMapping[str, Any]
Asgi = Callable[[HttpScope, Any, Any], Awaitable[None]]


class Throttle:
    """In front of the application, a rate limit, and the addresses that the operator keeps out.

    A refused request reaches no handler and costs next to nothing.
    """

    def __init__(self, lobby: Lobby, within: Asgi) -> None:
        self._lobby = lobby
        self._within = within
        self._too_fast = _too_fast(RETRY_SECONDS)
        self._kept_out = _messages(403, TableRefusal("kept-out"), {})

    async def __call__(self, scope: HttpScope, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self._within(scope, receive, send)
            return
        address = address_key((scope.get("client") or ("",))[0])
        kind, name = _named(scope["path"])
        if kind is not None and self._is_doubtful(scope, kind, name, address):
            await self._serve_in_line(scope, receive, send, address, kind, name)
        elif await self._admit(scope, send, address):
            await self._within(scope, receive, send)

    async def _admit(self, scope: HttpScope, send: Any, address: str) -> bool:
        path, now = scope["path"], asyncio.get_running_loop().time()
        if not self._lobby.rate_limits.requests.take(address, now, _price(path)):
            await _answer(send, self._too_fast)
        elif path.startswith("/api") and self._lobby.kept_out.refusal(address) is not None:
            await _answer(send, self._kept_out)
        else:
            return True
        return False

    def _is_doubtful(self, scope: HttpScope, kind: str, name: str, address: str) -> bool:
        """Whether it may be one more guess of many wrong ones.  What is in memory, or refused anyway, costs little."""
        if not self._lobby.backs_off(address) or (kind == "tables" and self._lobby.is_in_memory(name)):
            return False
        return self._lobby.config.origin_policy.refusal(scope["headers"]) is None

    async def _serve_in_line(
        self, scope: HttpScope, receive: Any, send: Any, address: str, kind: str, name: str
    ) -> None:
        """One request of a kind at a time, until it is known whether it was a wrong guess."""
        end_turn = await self._lobby.doubtful_requests.enter(f"{address} {kind}")
        if end_turn is None:
            await _answer(send, self._too_fast)
            return
        try:
            if not await self._admit(scope, send, address):
                return
            if kind == "tables":
                if not await self._finds(name, send, address):
                    return
                end_turn()  # whoever sends a body slowly holds nobody up
            await self._within(scope, receive, _before_sending(end_turn, send))
        finally:
            end_turn()

    async def _finds(self, code: str, send: Any, address: str) -> bool:
        """Whether there is such a table, here or at another server; if not, that is answered."""
        try:
            await self._lobby.find(code, address, asks=False)
        except TableRefusal as refusal:
            if refusal.code not in ("too-fast", "no-table"):
                return True  # the route says what is wrong with it
            await _answer(send, _too_fast(self._lobby.guesses.wait(address, asyncio.get_running_loop().time())))
            return False
        except JournalError:
            return True
        return True


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


def _named(path: str) -> tuple[str | None, str]:
    """What kind of thing a request names that can be guessed, and its name; a transfer is in the body."""
    kind, _, rest_of_path = path.removeprefix("/api/").partition("/")
    name = rest_of_path.partition("/")[0]
    guessable = path.startswith("/api/") and (kind == "transfers" or (kind in ("tables", "replays") and name != ""))
    return (kind if guessable else None), name


def _before_sending(do: Callable[[], None], send: Any) -> Any:
    async def do_and_send(message: Any) -> None:
        do()
        await send(message)

    return do_and_send


def _too_fast(wait: float) -> list[dict[str, Any]]:
    return _messages(429, TableRefusal("too-fast"), {"Retry-After": str(max(RETRY_SECONDS, math.ceil(wait)))})


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
