"""Static files: the built page from the folder ``web``, and nothing else.

Files are read and compressed once, at startup, so that the first visit is quick and no request reaches the file system.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any
from urllib.parse import quote

from litestar import HttpMethod, Request, Response, get, route
from litestar.response import Redirect
from litestar.status_codes import HTTP_303_SEE_OTHER
from litestar.types import ControllerRouterHandler

KINDS = {
    "html": "text/html",
    "js": "text/javascript",
    "css": "text/css",
    "svg": "image/svg+xml",
    "png": "image/png",
    "ico": "image/x-icon",
    "webmanifest": "application/manifest+json",
}
COMPRESSED_ALREADY = ("png", "ico")
FIRST = "index.html"
NAMED_BY_CONTENT = "assets/"  # their names contain a hash: immutable
SCREENS = ("new", "settings", "statistics", "rules", "rules/{rule:str}", "replay/{match:str}")
FOREVER, ASK_AGAIN = "public, max-age=31536000, immutable", "no-cache"

NOT_MADE = b"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Flipdeck</title>
<h1>Flipdeck</h1>
<p>This server was installed without its page. In a checkout, <code>make play</code> makes it; without one,
<code>pip install flipdeck</code> brings it. <code>flipdeck play --text</code> plays in a terminal.</p>
</html>
"""


def make_page_handlers(folder: Traversable | None = None) -> list[ControllerRouterHandler]:
    """One handler for each file."""
    found = dict(_files(folder or files("flipdeck.server").joinpath("web")))
    found.setdefault(FIRST, NOT_MADE)
    return [_page(name, content) for name, content in found.items()]


def _files(folder: Traversable, before: str = "") -> Iterator[tuple[str, bytes]]:
    if not folder.is_dir():
        return
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _files(entry, f"{before}{entry.name}/")
        elif entry.name.rpartition(".")[2] in KINDS:
            yield f"{before}{entry.name}", entry.read_bytes()


def _page(name: str, content: bytes) -> ControllerRouterHandler:
    ending = name.rpartition(".")[2]
    kind = KINDS[ending]
    smaller = content if ending in COMPRESSED_ALREADY else gzip.compress(content, mtime=0)
    plain = {"Cache-Control": FOREVER if name.startswith(NAMED_BY_CONTENT) else ASK_AGAIN, "Vary": "Accept-Encoding"}
    compressed = {**plain, "Content-Encoding": "gzip"}

    @route(
        "/" if name == FIRST else f"/{name}",
        http_method=[HttpMethod.GET, HttpMethod.HEAD],
        name=f"page {name}",
        include_in_schema=False,
    )
    async def page(request: Request[Any, Any, Any]) -> Response[bytes]:
        if smaller is not content and "gzip" in request.headers.get("accept-encoding", ""):
            return Response(smaller, media_type=kind, headers=compressed)
        return Response(content, media_type=kind, headers=plain)

    return page


@get([f"/{screen}" for screen in SCREENS], name="page behind the #", include_in_schema=False)
async def behind_the_hash(request: Request[Any, Any, Any]) -> Redirect:
    """The page routes behind the #; an address that was typed without it is redirected."""
    asked = request.url.query
    return Redirect(f"/#{quote(request.url.path)}{'?' * bool(asked)}{asked}", status_code=HTTP_303_SEE_OTHER)
