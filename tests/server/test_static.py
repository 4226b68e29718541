"""The page in the browser is served as it was made: its own files, compressed if that is understood."""

from __future__ import annotations

import json
import re
import struct
from importlib.resources import files
from pathlib import Path

import pytest

from flipdeck.server.http.static import (
    ASK_AGAIN,
    COMPRESSED_ALREADY,
    FIRST,
    FOREVER,
    KINDS,
    NOT_MADE,
    make_page_handlers,
)
from tests.server.running import running
from tests.server.steered import live

MADE = Path(str(files("flipdeck.server").joinpath("web")))
NAMES = sorted(path.relative_to(MADE).as_posix() for path in MADE.rglob("*") if path.suffix[1:] in KINDS)


def paths_of(folder: Path) -> set[str]:
    return {path for page in make_page_handlers(folder) for path in page.paths}  # type: ignore[union-attr]  # all are handlers


def test_every_file_is_served_under_its_name_and_the_first_at_the_root() -> None:
    assert FIRST in NAMES, "the page is not made: python web/make.py"
    assert paths_of(MADE) == {"/" if name == FIRST else f"/{name}" for name in NAMES}


@live
async def test_a_file_comes_as_it_was_made_compressed_or_not() -> None:
    async with running() as server:
        for name in NAMES:
            for encoding in ("identity", "gzip"):
                path = "/" if name == FIRST else f"/{name}"
                answer = await server.http.get(path, headers={"accept-encoding": encoding})
                assert answer.status_code == 200
                assert answer.content == (MADE / name).read_bytes()  # as a browser reads it
                smaller = "identity" if name.endswith(COMPRESSED_ALREADY) else encoding
                assert answer.headers.get("content-encoding", "identity") == smaller
                assert answer.headers["content-type"].startswith(KINDS[name.rpartition(".")[2]])
                assert answer.headers["cache-control"] == (FOREVER if name.startswith("assets/") else ASK_AGAIN)
                assert "unsafe" not in answer.headers["content-security-policy"]


@live
async def test_a_file_can_be_asked_for_without_its_content() -> None:
    async with running() as server:
        for path in ("/", "/favicon.ico", "/manifest.webmanifest", "/sw.js"):
            whole = await server.http.get(path, headers={"accept-encoding": "identity"})
            head = await server.http.head(path, headers={"accept-encoding": "identity"})
            assert (head.status_code, head.content) == (200, b"")
            assert head.headers["content-length"] == str(len(whole.content))


def test_the_icons_of_the_manifest_are_there_in_the_sizes_it_names() -> None:
    manifest = json.loads((MADE / "manifest.webmanifest").read_text(encoding="utf-8"))
    for icon in manifest["icons"]:
        content = (MADE / icon["src"].removeprefix("/")).read_bytes()
        assert icon["type"] == KINDS[icon["src"].rpartition(".")[2]]
        if icon["type"] == "image/png":
            assert "{}x{}".format(*struct.unpack(">II", content[16:24])) == icon["sizes"]


def test_without_the_page_the_server_says_so(tmp_path: Path) -> None:
    assert paths_of(tmp_path) == {"/"}
    assert paths_of(tmp_path / "nowhere") == {"/"}
    assert b"make play" in NOT_MADE


def test_only_files_of_a_page_are_served(tmp_path: Path) -> None:
    (tmp_path / "made-from.txt").write_text("0")
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "a.js").write_text("1")
    (tmp_path / "assets" / "a.js.map").write_text("{}")
    assert paths_of(tmp_path) == {"/", "/assets/a.js"}


@live
async def test_an_address_without_its_hash_leads_to_the_page() -> None:
    async with running() as server:
        for path, behind in {
            "/new": "/new",
            "/replay/abc?seat=1&round=2": "/replay/abc?seat=1&round=2",
            "/rules/END-5": "/rules/END-5",
            "/rules/%0d%0aSet-Cookie:%20a=b": "/rules/%0D%0ASet-Cookie%3A%20a%3Db",
        }.items():
            answer = await server.http.get(path, follow_redirects=False)
            assert (answer.status_code, answer.headers["location"]) == (303, f"/#{behind}")
            assert "set-cookie" not in answer.headers
        # What is secret belongs behind the #, and who writes it elsewhere is not helped to send it again.
        assert (await server.http.get("/seat/secret", follow_redirects=False)).status_code == 404


def test_the_page_has_no_script_and_no_style_within() -> None:
    page = (MADE / FIRST).read_text(encoding="utf-8")
    assert set(re.findall(r"<script[^>]*>(.*?)</script>", page, re.DOTALL)) == {""}
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|javascript:", page)


@pytest.mark.parametrize("name", [name for name in NAMES if not name.endswith((".svg", ".png", ".ico"))])
def test_a_file_asks_no_other_host(name: str) -> None:
    text = (MADE / name).read_text(encoding="utf-8")
    asked = re.findall(r"(?:https?:|wss?:)?//[a-z0-9-]+\.[a-z][^\s\"'`)]*", text)
    # addresses in the messages of Svelte, and of the languages that SVG and XHTML are written in: names, not requests
    assert [one for one in asked if not re.match(r"https://svelte\.dev/|http://www\.w3\.org/", one)] == []
