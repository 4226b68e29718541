"""The page of an invitation, ``/table/CODE``: the page itself, with a preview for the messenger that shows the link.

Nothing is looked up for it but a table that is awake and public, as in the list of public tables: a preview wakes no
table and is no guess, and unknown, private and sleeping tables have the same page.  The code is not in it; the page
reads it from its address.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from litestar import HttpMethod, Request, Response, route
from litestar.params import FromPath
from litestar.types import ControllerRouterHandler

from .. import identity
from ..lobby import Lobby
from .static import ASK_AGAIN, FIRST, NOT_MADE

WORDS = "previews.json"  # by language, as the page was made with them
PICTURE, PICTURE_SIZE = "/preview.png", (1200, 630)
USUAL = "en"
NO_WORDS = {USUAL: {"title": "Flipdeck", "title_of": "{name} – Flipdeck", "about": "Flipdeck"}}
TITLE = "<title>Flipdeck</title>"
LONGEST_HEADER = 200  # of Accept-Language


class Previews:
    def __init__(self, lobby: Lobby, folder: Traversable | None = None) -> None:
        made = folder or files("flipdeck.server").joinpath("web")
        page, words = made.joinpath(FIRST), made.joinpath(WORDS)
        self._lobby = lobby
        self._page = page.read_text(encoding="utf-8") if page.is_file() else NOT_MADE.decode()
        self._words: Mapping[str, Mapping[str, str]] = (
            json.loads(words.read_text(encoding="utf-8")) if words.is_file() else NO_WORDS
        )

    def handler(self) -> ControllerRouterHandler:
        @route(
            "/table/{code:str}",
            http_method=[HttpMethod.GET, HttpMethod.HEAD],
            name="page of an invitation",
            include_in_schema=False,
        )
        async def invitation(code: FromPath[str], request: Request[Any, Any, Any]) -> Response[bytes]:
            language = choose_language(request.headers.get("accept-language", ""), self._words)
            tags = self._tags(code, language, f"{request.url.scheme}://{request.headers['host']}")
            content = self._page.replace(TITLE, tags, 1).encode()
            headers = {"Cache-Control": ASK_AGAIN, "Vary": "Accept-Language"}
            return Response(content, media_type="text/html", headers=headers)

        return invitation

    def _tags(self, code: str, language: str, ours: str) -> str:
        words, host = self._words[language], self._host_of_public(code)
        title = words["title"] if host is None else words["title_of"].replace("{name}", host)
        shown = {
            "og:title": title,
            "og:description": words["about"],
            "og:type": "website",
            "og:site_name": "Flipdeck",
            "og:locale": language.replace("-", "_"),
            "og:image": f"{ours}{PICTURE}",
            "og:image:width": str(PICTURE_SIZE[0]),
            "og:image:height": str(PICTURE_SIZE[1]),
        }
        named = {"twitter:card": "summary_large_image", "robots": "noindex"}
        return "".join(
            [
                f"<title>{escape(title)}</title>",
                *(f'<meta property="{escape(name)}" content="{escape(value)}">' for name, value in shown.items()),
                *(f'<meta name="{escape(name)}" content="{escape(value)}">' for name, value in named.items()),
            ]
        )

    def _host_of_public(self, text: str) -> str | None:
        code = identity.read_code(text)
        table = None if code is None else self._lobby.in_memory(code)
        if table is None or not table.info.settings.public or table.state.closed is not None:
            return None
        return next((seat.name for seat in table.info.seats if seat.host and seat.name), None)


def choose_language(accepted: str, known: Mapping[str, object]) -> str:
    """The first language of ``Accept-Language`` that there is; weights are in order nearly always."""
    for wanted in accepted[:LONGEST_HEADER].split(","):
        name = wanted.partition(";")[0].strip().lower()
        for language in (name, name.partition("-")[0]):
            found = next((each for each in known if each.lower() == language), None)
            if found is not None:
                return found
    return USUAL
