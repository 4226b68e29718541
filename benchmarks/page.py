"""Count the frames of a flip in a real browser: ``python -m benchmarks.page [--window] [--times N]``.

A match is dealt in which the first player may flip; that card is played, and every frame that comes onto the screen is
counted until nothing moves any more.  A flip is moved by the browser's compositor; what the page has to do meanwhile is
counted too, in processor time of each task of its main thread.  The table is printed and written to ``PAGE.md`` beside
this file.  Without a graphics chip the processor draws every pixel: too few frames are no verdict then.  Exit code 1 if
there is one and it is no.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import NamedTuple

from playwright.sync_api import Browser, Page, sync_playwright
from tests.web.conftest import NO_BROWSER, chromium
from tests.web.playing import Person
from tests.web.staged import StagedServers
from tests.web.staging import make_table, scene
from tests.web.test_motion import FLIPS, flips_to_a_number
from tests.web.watching import STILL, Window

from . import results
from .measuring import Row

DOCUMENT = Path(__file__).with_name("PAGE.md")
SEATS = (2, 4, 10)
FULL = 60  # frames a second, if the screen has them
FRAME = 1000 / FULL  # milliseconds
ENOUGH = 0.97  # of them: one frame of a flip may be missing
FLIP_MS = 900
CHIP = """() => {
  const gl = document.createElement('canvas').getContext('webgl');
  const more = gl?.getExtension('WEBGL_debug_renderer_info');
  return more ? gl.getParameter(more.UNMASKED_RENDERER_WEBGL) : '';
}"""
MARK = """() => new MutationObserver(() => performance.mark('sides change'))
  .observe(document.body, { attributes: true })"""
TRACED = ["toplevel", "blink.user_timing", "viz"]  # tasks, our mark, what comes onto the screen
SHOWN, TASK = "Display::DrawAndSwap", "ThreadControllerImpl::RunTask"


class Flip(NamedTuple):
    """In milliseconds: from frame to frame; the task in which the sides change, and each one until nothing moves."""

    frames: list[float]
    news: float
    tasks: list[float]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--window", action="store_true", help="in a window on the screen, as people see it")
    parser.add_argument("--times", type=int, default=7, metavar="N", help="flips a row (7)")
    told = parser.parse_args()
    program = chromium()
    if program is None:
        print(NO_BROWSER, file=sys.stderr)
        return 2
    load = os.getloadavg()[0]
    sandbox = () if os.getuid() else ("--no-sandbox",)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program or None, headless=not told.window, args=[*sandbox, "--ignore-gpu-blocklist"]
        )
        chip = chip_of(browser)
        flips = {seats: [one_flip(browser, seats) for _ in range(told.times)] for seats in SEATS}
        about = f"Chromium {browser.version}, {chip or 'no graphics chip: the processor draws every pixel'}"
        browser.close()
    rows = [row_of(seats, each, bool(chip)) for seats, each in flips.items()]
    rows += [work_row_of(seats, each) for seats, each in flips.items()]
    print(results.for_terminal(rows))
    DOCUMENT.write_text(document(rows, load, about), encoding="utf-8")
    return 1 if any(row.passed is False for row in rows) else 0


def chip_of(browser: Browser) -> str:
    """The graphics chip that the browser draws with; nothing where it has none."""
    page = browser.new_page()
    name = str(page.evaluate(CHIP))
    page.close()
    return "" if re.search("swiftshader|llvmpipe|software", name, re.IGNORECASE) else name


def row_of(seats: int, flips: Sequence[Flip], has_chip: bool) -> Row:
    rates = sorted(1000 * len(flip.frames) / sum(flip.frames) for flip in flips)
    longest = sorted(max(flip.frames) for flip in flips)
    rate = median(rates)
    enough = rate >= ENOUGH * FULL
    return Row(
        f"frames a second on the screen while a flip moves, {seats} seats",
        f"{rate:.0f} ({rates[0]:.0f} to {rates[-1]:.0f})",
        bar=f"{FULL}",
        passed=enough if enough or has_chip else None,
        note=f"the longest time from one frame to the next was {median(longest):.0f} ms ({longest[0]:.0f} to "
        f"{longest[-1]:.0f}; median of {len(flips)} flips)",
    )


def work_row_of(seats: int, flips: Sequence[Flip]) -> Row:
    longest = sorted(max(flip.tasks) for flip in flips)
    late = [sum(task > FRAME for task in flip.tasks) for flip in flips]
    together = median(sum(flip.tasks) for flip in flips)
    news = median(flip.news for flip in flips)
    return Row(
        f"the page's longest task while a flip moves, {seats} seats",
        f"{median(longest):.0f} ms ({longest[0]:.0f} to {longest[-1]:.0f})",
        note=f"{median(late):.0f} ({min(late)} to {max(late)}) tasks of a flip took more than a frame, {FRAME:.1f} ms; "
        f"all its tasks together took {together:.0f} ms of {FLIP_MS}; before that, while nothing moves yet, taking in "
        f"what has happened took {news:.0f} ms (median of {len(flips)} flips)",
    )


def one_flip(browser: Browser, seats: int) -> Flip:
    print(f"{seats} seats …", file=sys.stderr, flush=True)
    with at_a_table(browser, seats) as page:
        page.wait_for_function(STILL)
        page.evaluate(MARK)
        browser.start_tracing(page=page, categories=TRACED)
        page.locator(FLIPS).first.click()
        page.wait_for_timeout(2000)  # longer than anything moves; asking meanwhile would take time from it
        events = json.loads(browser.stop_tracing())["traceEvents"]
    mark = next(each for each in events if each["name"] == "sides change")
    began, thread = mark["ts"], (mark["pid"], mark["tid"])
    end = began + FLIP_MS * 1000
    tasks = [each for each in events if each["name"] == TASK and (each["pid"], each["tid"]) == thread]
    shown = sorted(each["ts"] for each in events if each["name"] == SHOWN)
    # The frame before it counts too: from it to the one in which all cards have their other face may take long.
    shown = [at for at in shown if at < began][-1:] + [at for at in shown if began <= at <= end]
    return Flip(
        frames=[(after - before) / 1000 for before, after in pairwise(shown)],
        news=max(each.get("tdur", 0) / 1000 for each in tasks if each["ts"] <= began <= each["ts"] + each["dur"]),
        tasks=[each.get("tdur", 0) / 1000 for each in tasks if began < each["ts"] <= end],
    )


@contextmanager
def at_a_table(browser: Browser, seats: int) -> Iterator[Page]:
    seed = scene(flips_to_a_number, players=seats).seed.hex()
    bots = {str(seat): "casual" for seat in range(1, seats)}
    with tempfile.TemporaryDirectory() as data, StagedServers() as servers:
        address = servers.start(Path(data), seed)
        context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="no-preference")
        person = Person(Window(context.new_page()))
        person.sit(address, make_table(address, "Ana", bots=bots, start=True, seats=seats, speed="slow"))
        person.page.wait_for_selector(FLIPS)
        yield person.page
        context.close()


def document(rows: Sequence[Row], load: float, browser: str) -> str:
    about = [
        "Written by `make bench-page`, in a window of 1280 × 800. Counted are the frames that come onto the screen",
        "from the moment the sides change; with `--window` on the screen of the machine. Without a graphics chip",
        "the processor draws every pixel: enough frames are enough there too, too few are no verdict. The page's",
        "own tasks are counted in processor time of its main thread.",
    ]
    return results.document("The page, measured", about, results.machine(load, browser), results.counted(rows))


if __name__ == "__main__":
    sys.exit(main())
