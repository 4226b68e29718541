"""A window of the browser that notices whatever goes wrong in it."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import ConsoleMessage, Page, Request

from tests.patience import HANG

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
PATIENCE = 1000 * HANG  # milliseconds for any one thing to appear
STILL = """() => document.getAnimations().every(
  (each) => each.playState !== 'running' || each.effect.getTiming().iterations === Infinity)"""
WIDE = """() => document.documentElement.scrollWidth <= innerWidth + 1 ? [] : [...document.querySelectorAll('body *')]
  .map((each) => [each, each.getBoundingClientRect()])
  .filter(([, box]) => box.width > 0 && box.right > innerWidth + 1)
  .map(([each, box]) => `${each.tagName}.${each.className} to ${box.right}: ${each.textContent.trim().slice(0, 60)}`)"""
BOARD = "() => document.querySelector('.table .board').getBoundingClientRect().toJSON()"
EMPTY = "/empty"
NOTHING = '<link rel="icon" href="data:,">'  # without it a browser asks the server for an icon, and reports a 404
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"
WITHOUT_SERVER = ("ERR_CONNECTION_REFUSED", "ERR_CONNECTION_RESET", "WebSocket connection to", "ERR_EMPTY_RESPONSE")


class Window:
    def __init__(self, page: Page) -> None:
        self.page = page
        self.forget()
        page.set_default_timeout(PATIENCE)
        page.on("console", self._said)
        page.on("pageerror", lambda error: self.problems.append(f"error in the page: {error}"))
        page.on("request", self._asked)
        page.on("websocket", lambda line: line.on("framereceived", lambda frame: self.frames.append(str(frame))))

    @property
    def expects_complaints(self) -> bool:
        return self.without_server or self.looking_in_vain

    def forget(self) -> None:
        """What was noticed in the test before."""
        self.problems: list[str] = []
        self.hosts: set[str] = set()
        self.frames: list[str] = []  # all that came over websockets
        self.board: dict[str, float] | None = None  # where it was when it was first looked at
        # A browser grumbles about a server that is gone and about what is not found; some tests expect that.
        self.without_server = False
        self.looking_in_vain = False

    def leave(self) -> None:
        """Nothing of this test is left in it: the next one finds an empty window, as new."""
        page, place = self.page, urlsplit(self.page.url)
        if place.scheme == "http" and place.path != EMPTY:
            page.unroute_all()
            # of the same origin, or a browser would start another process for it; and whether there is a server or not
            page.route(f"**{EMPTY}", lambda route: route.fulfill(body=NOTHING, content_type="text/html"))
            page.goto(f"{place.scheme}://{place.netloc}{EMPTY}")
            page.evaluate("localStorage.clear(); sessionStorage.clear()")
            page.unroute_all()

    def _said(self, message: ConsoleMessage) -> None:
        expected = self.without_server and any(words in message.text for words in WITHOUT_SERVER)
        expected = expected or (self.looking_in_vain and re.search("status of 4(0|10)", message.text) is not None)
        if message.type in ("error", "warning") and not expected:
            self.problems.append(f"{message.type}: {message.text} {message.location.get('url', '')}".strip())

    def _asked(self, request: Request) -> None:
        if urlsplit(request.url).scheme in ("http", "https", "ws", "wss"):
            self.hosts.add(urlsplit(request.url).hostname or "")

    def nothing_went_wrong(self) -> None:
        assert not self.problems, "\n".join(self.problems)
        assert self.hosts <= {"127.0.0.1"}, "the page asks other hosts"

    def accessible(self) -> None:
        """What axe-core finds against WCAG 2.2 AA and good practice, once nothing fades in any more: nothing.

        Where others play on while it looks, it looks once more: what was there for a moment is not there again.
        """
        if found := self._found_by_axe():
            again = self._found_by_axe()
            found = [each for each in found if each in again]
        assert not found, "\n".join(found)

    def _found_by_axe(self) -> list[str]:
        page = self.page
        page.wait_for_selector("h1", state="attached")
        page.wait_for_function(STILL)
        if not page.evaluate("'axe' in window"):
            page.evaluate(AXE.read_text(encoding="utf-8"))  # by the debugger: the page itself would not let it in
        found: list[dict[str, Any]] = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
        return [f"{each['id']}: {each['help']}: {node['target']}" for each in found for node in each["nodes"]]

    def drawn(self) -> None:
        """Returns when all that has changed is on the screen: seats are placed when the board has its size."""
        self.page.evaluate(DRAWN)

    def resize(self, width: int, height: int) -> None:
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.wait_for_function("([w, h]) => innerWidth === w && innerHeight === h", arg=[width, height])
        self.drawn()

    def fits(self) -> None:
        """Nobody has to scroll sideways."""
        assert self.page.evaluate(WIDE) == [], self.page.url

    def steady(self) -> None:
        """Whatever is asked, the board is as large as it was, and where it was."""
        box = self.page.evaluate(BOARD)
        self.board = self.board or box
        assert box == self.board, self.page.locator(".prompt").inner_text()


def made() -> bool:
    return files("flipdeck.server").joinpath("web", "index.html").is_file()
