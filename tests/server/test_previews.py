"""A link to a table shows what it is, and tells whoever merely looks at it nothing about tables that are not public."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from flipdeck.server.http.previews import Previews, choose_language
from tests.server.running import running
from tests.server.steered import live

NAME = "Ana <b>&\"'"
ALL_LANGUAGES = dict.fromkeys(("en", "es", "es-AR"))


def tags(page: str) -> dict[str, str]:
    return dict(re.findall(r'<meta (?:property|name)="([^"]+)" content="([^"]*)"', page))


@live
async def test_unknown_private_and_mistyped_codes_have_the_same_page() -> None:
    async with running() as server:
        private = (await server.http.post("/api/tables", json={"name": NAME})).json()["code"]
        pages = [
            (await server.http.get(f"/table/{code}")).text for code in (private, "7K3M-Q2XA", "no code", "%0d%0a", "é")
        ]
        assert len(set(pages)) == 1
        assert "<title>A table on Flipdeck</title>" in pages[0]
        assert private not in pages[0]
        assert 'id="app"' in pages[0], "it is the page itself"


@live
async def test_a_public_table_shows_its_host() -> None:
    async with running() as server:
        made = {"name": NAME, "settings": {"public": True, "seats": 3}}
        code = (await server.http.post("/api/tables", json=made)).json()["code"]
        page = (await server.http.get(f"/table/{code[:4]}-{code[4:].lower()}")).text
        title = "Ana &lt;b&gt;&amp;&quot;&#x27;’s table on Flipdeck"
        assert f"<title>{title}</title>" in page
        assert tags(page)["og:title"] == title
        assert code not in page


@live
async def test_a_preview_wakes_no_table_and_is_no_guess() -> None:
    async with running() as server:
        for number in range(50):
            assert (await server.http.get(f"/table/7K3M-Q2X{number % 8}")).status_code == 200
        assert (await server.http.get("/api/tables/7K3M-Q2XA")).status_code == 404, "nobody is in backoff"
        woken: list[str] = []
        server.app.lobby.wake = woken.append  # type: ignore[method-assign, assignment]
        made = (await server.http.post("/api/tables", json={"name": "Ana"})).json()["code"]
        del server.app.lobby.tables[made]
        assert (await server.http.get(f"/table/{made}")).status_code == 200
        assert woken == []


@live
async def test_a_preview_has_a_picture_with_a_whole_address_and_is_in_the_readers_language() -> None:
    async with running() as server:
        answer = await server.http.get("/table/7K3M-Q2XA", headers={"accept-language": "es-AR,es;q=0.9"})
        found = tags(answer.text)
        assert found["og:image"] == f"{server.base}/preview.png"
        assert (await server.http.get(found["og:image"])).headers["content-type"] == "image/png"
        assert found["og:title"] == "Una mesa de Flipdeck"
        assert found["robots"] == "noindex"
        assert (await server.http.head("/table/7K3M-Q2XA")).status_code == 200


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("", "en"),
        ("de, fr;q=0.8", "en"),
        ("es-ES,es;q=0.9,en;q=0.8", "es"),
        ("es-ar", "es-AR"),
        ("de,es;q=0.5", "es"),
        (";;,,=", "en"),
        ("x" * 10_000, "en"),
    ],
)
def test_the_first_language_that_there_is_is_taken(accepted: str, language: str) -> None:
    assert choose_language(accepted, ALL_LANGUAGES) == language


@live
async def test_without_the_page_there_is_still_an_answer(tmp_path: Path) -> None:
    async with running() as server:
        bare = Previews(server.app.lobby, tmp_path)
        assert "<title>Flipdeck</title>" in bare._tags("7K3M-Q2XA", "en", "http://here")
