"""Count the frames of a flip in a real browser: ``python benchmarks/page.py [--window] [--times N]``.

A match is dealt in which the first player may flip; that card is played, and every frame is counted until nothing moves
any more.  The table is printed and written to ``PAGE.md`` beside this file.  Without a graphics chip every pixel is
drawn by the processor; then there is no verdict.  Exit code 1 if there is one and it is no.

What the page itself can do is measured on any machine: the same flips with a sixteenth of the pixels, which cost next
to nothing then, and the processor time of each task of its main thread.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from statistics import median

import results
from measuring import Row
from playwright.sync_api import Browser, Page, sync_playwright
from tests.cli.processes import Process
from tests.web.conftest import NO_BROWSER, chromium
from tests.web.playing import Person
from tests.web.staging import make_table, scene
from tests.web.test_motion import flips_to_a_number
from tests.web.watching import STILL, Window

DOCUMENT = Path(__file__).with_name("PAGE.md")
SEATS = (2, 4, 10)
FULL = 60  # frames a second, if the screen has them
IN_TIME = 1.1 * 1000 / FULL  # milliseconds: a frame that came with the refresh it was made for
COUNT = """() => {
  window.frames_at = [];
  new MutationObserver(() => (window.turned_at ??= performance.now())).observe(document.body, { attributes: true });
  const look = (now) => { window.frames_at.push(now); requestAnimationFrame(look); };
  requestAnimationFrame(look);
}"""
CHIP = """() => {
  const gl = document.createElement('canvas').getContext('webgl');
  const more = gl?.getExtension('WEBGL_debug_renderer_info');
  return more ? gl.getParameter(more.UNMASKED_RENDERER_WEBGL) : '';
}"""
FLIPS = '.hand .fan button[aria-disabled=false][aria-label*="Flip, light"]'
FLIP_MS = 900
FEW_PIXELS = 0.25  # of a pixel for each of the page's, either way
FRAME = 1000 / FULL  # milliseconds: what a task of the page may take, or a frame is late
MARK = """() => new MutationObserver(() => performance.mark('sides change'))
  .observe(document.body, { attributes: true })"""
TRACED = ["toplevel", "blink.user_timing"]  # tasks, and our mark


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
        rows = [row_of(browser, seats, told.times, bool(chip)) for seats in SEATS]
        rows += [row_of(browser, seats, told.times, False, FEW_PIXELS) for seats in SEATS]
        rows += [work_row_of(browser, seats, told.times) for seats in SEATS]
        about = f"Chromium {browser.version}, {chip or 'no graphics chip: the processor draws every pixel'}"
        browser.close()
    print(results.for_terminal(rows))
    DOCUMENT.write_text(document(rows, load, about), encoding="utf-8")
    return 1 if any(row.passed is False for row in rows) else 0


def chip_of(browser: Browser) -> str:
    """The graphics chip that the browser draws with; nothing where it has none."""
    page = browser.new_page()
    name = str(page.evaluate(CHIP))
    page.close()
    return "" if re.search("swiftshader|llvmpipe|software", name, re.IGNORECASE) else name


def row_of(browser: Browser, seats: int, times: int, has_chip: bool, scale: float = 1.0) -> Row:
    where = f"{seats} seats" + (", a sixteenth of the pixels" if scale == FEW_PIXELS else "")
    print(f"{where} …", file=sys.stderr, flush=True)
    flips = [frames_of_a_flip(browser, seats, scale) for _ in range(times)]
    rates = sorted(1000 * len(gaps) / sum(gaps) for gaps in flips)
    every = [gap for gaps in flips for gap in gaps]
    in_time = sum(gap <= IN_TIME for gap in every) / len(every)
    rate = median(rates)
    return Row(
        f"frames a second while a flip moves, {where}",
        f"{rate:.0f} ({rates[0]:.0f} to {rates[-1]:.0f})",
        bar=f"{FULL}",
        passed=rate >= 0.97 * FULL if has_chip else None,
        note=f"half of the frames took {median(every):.1f} ms or less, {in_time:.0%} came with the next refresh; "
        f"the longest took {median(max(gaps) for gaps in flips):.0f} ms (median of {times} flips)",
    )


def frames_of_a_flip(browser: Browser, seats: int, scale: float) -> list[float]:
    """Milliseconds from frame to frame, from the moment the sides change until nothing moves any more."""
    with at_a_table(browser, seats, scale) as page:
        page.wait_for_function(STILL)
        page.evaluate(COUNT)
        page.locator(FLIPS).first.click()
        page.wait_for_timeout(2000)  # longer than anything moves; asking meanwhile would take time from it
        began, frames = page.evaluate("[window.turned_at, window.frames_at]")
    before = [at for at in frames if at < began][-1:]  # the frame in which all cards get their other face counts too
    frames = before + [at for at in frames if began <= at <= began + FLIP_MS]
    return [after - before for before, after in pairwise(frames)]


def work_row_of(browser: Browser, seats: int, times: int) -> Row:
    print(f"{seats} seats, the page's own work …", file=sys.stderr, flush=True)
    flips = [tasks_of_a_flip(browser, seats) for _ in range(times)]
    longest = sorted(max(moving) for _, moving in flips)
    late = [sum(task > FRAME for task in moving) for _, moving in flips]
    together = median(sum(moving) for _, moving in flips)
    news = median(news for news, _ in flips)
    return Row(
        f"the page's longest task while a flip moves, {seats} seats",
        f"{median(longest):.0f} ms ({longest[0]:.0f} to {longest[-1]:.0f})",
        bar=f"{FRAME:.1f} ms",
        note=f"{median(late):.0f} ({min(late)} to {max(late)}) tasks of a flip took more than {FRAME:.1f} ms; all its "
        f"tasks together took {together:.0f} ms of {FLIP_MS}; before that, while nothing moves yet, taking in what has "
        f"happened took {news:.0f} ms (median of {times} flips)",
    )


def tasks_of_a_flip(browser: Browser, seats: int) -> tuple[float, list[float]]:
    """Milliseconds of the processor: of the task in which the sides change, and of each one until nothing moves."""
    with at_a_table(browser, seats) as page:
        page.wait_for_function(STILL)
        page.evaluate(MARK)
        browser.start_tracing(page=page, categories=TRACED)
        page.locator(FLIPS).first.click()
        page.wait_for_timeout(2000)
        events = json.loads(browser.stop_tracing())["traceEvents"]
    mark = next(each for each in events if each["name"] == "sides change")
    began, thread = mark["ts"], (mark["pid"], mark["tid"])
    tasks = [
        each
        for each in events
        if each["name"] == "ThreadControllerImpl::RunTask" and (each["pid"], each["tid"]) == thread and "tdur" in each
    ]
    news = [each["tdur"] / 1000 for each in tasks if each["ts"] <= began <= each["ts"] + each["dur"]]
    moving = [each["tdur"] / 1000 for each in tasks if began < each["ts"] <= began + FLIP_MS * 1000]
    return max(news), moving


@contextmanager
def at_a_table(browser: Browser, seats: int, scale: float = 1.0) -> Iterator[Page]:
    seed = scene(flips_to_a_number, players=seats).seed.hex()
    bots = {str(seat): "casual" for seat in range(1, seats)}
    with tempfile.TemporaryDirectory() as data, Process(Path(data), seed, "0", module="tests.web.staged") as server:
        address = server.address()
        context = browser.new_context(
            viewport={"width": 1280, "height": 800}, device_scale_factor=scale, reduced_motion="no-preference"
        )
        person = Person(Window(context.new_page()))
        person.sit(address, make_table(address, "Ana", bots=bots, start=True, seats=seats, speed="slow"))
        person.page.wait_for_selector(FLIPS)
        yield person.page
        context.close()


def document(rows: Sequence[Row], load: float, about: str) -> str:
    return "\n".join(
        [
            "# The page, measured",
            "",
            "Written by `make bench-page`, in a window of 1280 × 800. Frames are counted from the moment the sides",
            "change, with `--window` on the screen of the machine. A verdict needs a graphics chip.",
            "",
            "What a laptop's chip does, drawing and putting together pixels, takes most of a frame without one. The",
            "same flip with a sixteenth of the pixels comes near to what the page itself can do; its tasks are counted",
            "in processor time of its main thread.",
            "",
            f"- {datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
            f"- {results.processor()}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}",
            f"- load of the machine before the run: {load:.1f}",
            f"- {about}",
            "",
            *results.counted(rows),
            "",
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
