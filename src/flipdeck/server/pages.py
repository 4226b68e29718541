"""The pages that come with the server: files of the folder ``static``, and no others."""

from __future__ import annotations

from importlib.resources import files

from litestar import Response, get
from litestar.types import ControllerRouterHandler

KINDS = {"html": "text/html", "js": "text/javascript", "css": "text/css"}  # Litestar adds that they are UTF-8
FIRST = "index.html"


def pages() -> list[ControllerRouterHandler]:
    """One handler a file: a path that isn't listed can't be asked for."""
    folder = files(__package__).joinpath("static")
    return [_page(file.name, file.read_bytes()) for file in folder.iterdir() if file.name.rpartition(".")[2] in KINDS]


def _page(name: str, content: bytes) -> ControllerRouterHandler:
    kind = KINDS[name.rpartition(".")[2]]

    @get("/" if name == FIRST else f"/{name}", name=f"page {name}", include_in_schema=False)
    async def page() -> Response[bytes]:
        return Response(content, media_type=kind, headers={"Cache-Control": "no-cache"})

    return page
