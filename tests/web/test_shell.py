"""The shell in a real browser: a new version replaces an old one, nothing of the game comes from a cache."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from .watching import PATIENCE

MADE = Path(str(files("flipdeck.server").joinpath("web")))
CACHES = "async () => (await caches.keys()).filter((name) => name.startsWith('flipdeck shell '))"
CACHED = """async () => {
  const found = [];
  for (const name of await caches.keys())
    for (const request of await (await caches.open(name)).keys()) found.push(new URL(request.url).pathname);
  return found;
}"""
ACTIVE = "async () => { await navigator.serviceWorker.ready; }"


class Build:
    """A server of files whose build can be changed, and which can go away."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.asked: list[str] = []
        build = self

        class Handler(SimpleHTTPRequestHandler):
            def __init__(self, *given: Any) -> None:
                super().__init__(*given, directory=str(build.folder))

            def do_GET(self) -> None:
                build.asked.append(self.path)
                super().do_GET()

            def end_headers(self) -> None:
                self.send_header("Cache-Control", "no-cache")
                super().end_headers()

            def log_message(self, *_: object) -> None:
                """Nothing: tests are quiet."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()
        self.address = f"http://127.0.0.1:{self._server.server_port}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def built(folder: Path, name: str) -> Path:
    """The page as it was made, as a version of its own: another page, another worker."""
    shutil.copytree(MADE, folder / name)
    page, worker = folder / name / "index.html", folder / name / "sw.js"
    page.write_text(page.read_text(encoding="utf-8").replace("<html ", f'<html data-build="{name}" '), encoding="utf-8")
    worker.write_text(worker.read_text(encoding="utf-8").replace("flipdeck shell ", f"flipdeck shell {name} "))
    (folder / name / "api").mkdir()
    (folder / name / "api" / "tables").write_text(json.dumps({"tables": [], "more": 0}))
    return folder / name


@pytest.fixture(name="build")
def _build(tmp_path: Path) -> Iterator[Build]:
    build = Build(built(tmp_path, "first"))
    yield build
    build.close()


@pytest.fixture(name="page")
def _page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


def build_of(page: Page) -> str | None:
    return page.locator("html").get_attribute("data-build")


def test_a_new_build_is_there_after_one_reload(build: Build, page: Page, tmp_path: Path) -> None:
    page.goto(build.address)
    page.evaluate(ACTIVE)
    page.reload()  # from here on the worker answers
    assert page.evaluate("navigator.serviceWorker.controller !== null")
    assert build_of(page) == "first"
    build.folder = built(tmp_path, "second")
    page.reload()
    assert build_of(page) == "second"
    expect(page.locator("h1")).to_be_visible()


def test_the_caches_of_a_version_go_when_its_last_tab_is_closed(build: Build, page: Page, tmp_path: Path) -> None:
    page.goto(build.address)
    page.evaluate(ACTIVE)
    page.reload()
    (first,) = page.evaluate(CACHES)
    build.folder = built(tmp_path, "second")
    page.reload()
    page.evaluate("async () => (await navigator.serviceWorker.getRegistration()).update()")
    page.wait_for_function("async () => (await navigator.serviceWorker.getRegistration()).waiting !== null")
    assert first in page.evaluate(CACHES)  # a tab of the old version may still need its files
    page.goto("about:blank")
    page.goto(build.address)
    page.wait_for_function(f"async () => (await ({CACHES})()).length === 1")
    assert page.evaluate(CACHES) != [first]


def test_without_a_server_the_page_still_opens_and_says_so(build: Build, page: Page) -> None:
    page.goto(build.address)
    page.evaluate(ACTIVE)
    page.reload()  # the words of this language are kept now
    expect(page.locator("h1")).to_be_visible()
    build.close()
    page.reload()
    expect(page.locator("h1")).to_be_visible()
    assert build_of(page) == "first"


def test_the_score_pad_works_without_a_server(build: Build, page: Page) -> None:
    page.goto(build.address)
    page.evaluate(ACTIVE)
    page.reload()  # from here on the worker answers, and keeps what somebody has seen once
    page.goto(f"{build.address}/#/pad/cards")
    expect(page.get_by_role("heading", name="Flip")).to_be_visible()
    build.close()
    page.goto(f"{build.address}/#/pad")
    page.reload()
    page.get_by_role("button", name="Start").click()
    page.locator(".entry .chip").first.click()
    page.get_by_role("button", name="7, 7 points").click()
    expect(page.get_by_text("Still missing: Player 3.")).to_be_visible()
    page.get_by_role("link", name="Cards").click()
    page.get_by_role("button", name="Wild Draw Color, Dark side").click()
    expect(page.get_by_text("draws until a card of that color comes up")).to_be_visible()
    page.get_by_role("link", name="Rules").click()
    expect(page.get_by_role("heading", name="Your turn")).to_be_visible()


def test_nothing_of_the_game_is_ever_kept(build: Build, page: Page) -> None:
    page.goto(build.address)
    page.evaluate(ACTIVE)
    page.reload()
    expect(page.locator("h1")).to_be_visible()
    page.evaluate("async () => { await (await fetch('/api/tables')).text(); }")
    kept = page.evaluate(CACHED)
    assert "/" in kept
    assert {path for path in kept if not path.startswith("/assets/")} == {"/", "/icon.svg", "/manifest.webmanifest"}
    before = build.asked.count("/api/tables")
    page.evaluate("async () => { await (await fetch('/api/tables')).text(); }")
    assert build.asked.count("/api/tables") == before + 1


def test_the_page_can_be_installed(server: str, page: Page) -> None:
    page.goto(server)
    page.evaluate(ACTIVE)
    session = page.context.new_cdp_session(page)
    manifest = session.send("Page.getAppManifest")
    assert manifest["errors"] == []
    problems = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [each["errorId"] for each in problems if each["errorId"] != "in-incognito"] == []


def test_the_frame_of_the_browser_has_the_color_of_the_room(server: str, page: Page) -> None:
    page.goto(server)
    frame = page.locator('meta[name="theme-color"]')
    expect(frame).to_have_attribute("content", "#f6efe2")
    page.locator("button.fan").click()
    expect(frame).to_have_attribute("content", "#0d0f1c")
