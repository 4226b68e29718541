"""A real browser, the page as it is shipped, and servers in processes of their own.

Starting a browser, a window or a server costs a second of a processor each.  So a browser and its windows serve one
test after the other, and servers are forked from one that is loaded.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.patience import HANG
from tests.seeding import seed_for

from .playing import Person
from .staged import StagedServers
from .staging import SeatSocket, Stage, StagedScene, join, lead, line_to, make_table
from .watching import PATIENCE, Window

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge")
QUIET = (
    "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
OF_PLAYWRIGHT = ""  # it knows itself where it has put it
NO_BROWSER = (
    "There is no Chromium here and none could be fetched, so the page was not tried in a browser. On Debian and "
    "Ubuntu: apt-get install chromium. Elsewhere, install Chrome or Edge, or name one with FLIPDECK_CHROMIUM."
)
NO_PAGE = "The page is not made: python web/make.py."
# what a page adds to the deal is the same each time: a match that is played once is played so again
OWN_VALUE = """
const draw = crypto.getRandomValues.bind(crypto);
crypto.getRandomValues = (bytes) => (bytes.length === 32 ? bytes.fill(7) : draw(bytes));
"""
# a worker for each server costs more than the test: test_shell.py has windows of its own
NO_WORKER = "delete Navigator.prototype.serviceWorker;"
Kind = tuple[str, bool, bool]  # of a window: what can't be changed later


@cache
def chromium() -> str | None:
    """A browser of this machine, else the one that Playwright can fetch; None where neither is to be had."""
    named = os.environ.get("FLIPDECK_CHROMIUM")
    found = named or next(filter(None, map(shutil.which, PROGRAMS)), None)
    return found or (OF_PLAYWRIGHT if _fetched() else None)


def _fetched() -> bool:
    command = [sys.executable, "-m", "playwright", "install", "chromium"]
    try:
        return subprocess.run(command, capture_output=True, timeout=HANG, check=False).returncode == 0
    except subprocess.TimeoutExpired:
        return False


@pytest.fixture(scope="package")  # Playwright keeps an event loop: others that come later must find none
def browser() -> Iterator[Browser]:
    program = chromium()
    if program is None:
        if os.environ.get("FLIPDECK_NO_SKIPS"):
            pytest.fail(NO_BROWSER)
        pytest.skip(NO_BROWSER)
    sandbox = () if os.getuid() else ("--no-sandbox",)  # Chromium refuses root a sandbox
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program or None, args=[*QUIET, *sandbox], timeout=PATIENCE)
        expect.set_options(timeout=PATIENCE)
        yield started
        started.close()


@pytest.fixture(scope="package")
def servers() -> Iterator[StagedServers]:
    with StagedServers() as started:
        yield started


@pytest.fixture
def server(tmp_path: Path, servers: StagedServers, request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a server of this test's own, which deals by the test's name."""
    yield servers.start(tmp_path / "data", seed_for(request.node.name))
    servers.end()


@pytest.fixture(scope="package")
def spare_windows(browser: Browser) -> dict[Kind, list[Window]]:  # noqa: ARG001  # they end with it
    """Those that a test has left as it found them."""
    return {}


@pytest.fixture
def open_window(browser: Browser, spare_windows: dict[Kind, list[Window]]) -> Iterator[Callable[..., Window]]:
    """A window with a memory of its own, like another person's; whatever goes wrong in it fails the test.

    ``fresh``: nobody had it before, and nobody gets it afterwards.
    """
    windows: list[tuple[Kind, Window]] = []
    unlike: list[Window] = []

    def opened(
        width: int = 1280, height: int = 800, language: str = "en-US", still: bool = True, touch: bool = False,
        fresh: bool = False,
    ) -> Window:  # fmt: skip
        kind = language, still, touch
        spare = spare_windows.setdefault(kind, [])
        if spare and not fresh:
            window = spare.pop()
            window.forget()
            window.page.set_viewport_size({"width": width, "height": height})
        else:
            context = browser.new_context(
                viewport={"width": width, "height": height}, locale=language, has_touch=touch,
                reduced_motion="reduce" if still else "no-preference",
            )  # fmt: skip
            context.add_init_script(OWN_VALUE)
            context.add_init_script(NO_WORKER)
            window = Window(context.new_page())
        windows.append((kind, window))
        if fresh:
            unlike.append(window)
        return window

    yield opened
    for _, window in windows:
        window.leave()
    for kind, window in windows:
        if window in unlike or window.problems or window.expects_complaints:  # the next test would hear late ones
            window.page.context.close()
        else:
            spare_windows[kind].append(window)
    for _, window in windows:
        window.nothing_went_wrong()


@pytest.fixture
def window(open_window: Callable[..., Window]) -> Window:
    return open_window()


@pytest.fixture
def stage(tmp_path: Path, servers: StagedServers, open_window: Callable[..., Window]) -> Iterator[Stage]:
    """A table for two at the point of the scene: a browser in seat 0, people without one in seat 1 and looking on."""
    with ExitStack() as stack:
        stack.callback(servers.end)

        def staged(
            wanted: StagedScene, still: bool = True, fresh: bool = False, **settings: Any
        ) -> tuple[Person, SeatSocket, SeatSocket]:
            address = servers.start(tmp_path / "data", wanted.seed.hex())
            host = make_table(address, "Ana", seats=2, **settings)
            guest = join(address, host["code"], "Ben")
            ben = SeatSocket(stack.enter_context(line_to(address)), host["code"], guest["token"])
            eve = SeatSocket(stack.enter_context(line_to(address)), host["code"], None)
            ana = Person(open_window(still=still, fresh=fresh))
            stack.callback(ana.window.leave)  # before its server ends, which it would complain of
            ana.sit(address, host)
            ana.page.get_by_role("button", name="Deal the cards").click()
            ben.hear(lambda message: message["type"] == "update" and message["view"] is not None)
            lead([None, ben], wanted)
            ana.page.wait_for_selector(".hand .fan button")
            return ana, ben, eve

        yield staged
