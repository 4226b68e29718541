"""A short film of a flip, for the README: ``python -m tests.web.film [FILE]``.

The page's clock stands still and is moved on by hand, and with it every animation: each frame is what the browser shows
at that moment of the flip, however slow the machine is.  The other seats belong to people who do nothing.
"""

from __future__ import annotations

import io
import os
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from .conftest import NO_BROWSER, NO_WORKER, OWN_VALUE, QUIET, chromium
from .playing import Person
from .staged import StagedServers
from .staging import SeatSocket, join, line_to, make_table, scene
from .test_motion import FLIPS, flips_to_a_number
from .watching import STILL, Window

FILE = Path(__file__).parents[2] / "docs" / "flip.webp"
NAMES = ("Ana", "Ben", "Cleo", "Diego")
WIDTH, HEIGHT = 960, 600
FRAME_MS = 40
BEFORE_MS, FLIP_MS, AFTER_MS = 900, 2000, 1600  # one looks, it flips, one looks again
QUALITY = 72
# Whatever began to move has its own time, and goes on with the page's.
MOVE_ON = """() => {
  const now = performance.now();
  window.begun ??= new Map();
  for (const each of document.getAnimations()) {
    if (!window.begun.has(each)) window.begun.set(each, now - (each.currentTime ?? 0));
    each.pause();
    const at = now - window.begun.get(each);
    if (at >= each.effect.getComputedTiming().endTime) each.finish();
    else each.currentTime = at;
  }
}"""


def main() -> int:
    program = chromium()
    if program is None:
        print(NO_BROWSER, file=sys.stderr)
        return 2
    file = Path(sys.argv[1]) if len(sys.argv) > 1 else FILE
    sandbox = () if os.getuid() else ("--no-sandbox",)
    with ExitStack() as stack:
        data = stack.enter_context(tempfile.TemporaryDirectory())
        servers = stack.enter_context(StagedServers())
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=program or None, args=[*QUIET, *sandbox])
        stack.callback(browser.close)
        context = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT}, reduced_motion="no-preference")
        context.add_init_script(OWN_VALUE)
        context.add_init_script(NO_WORKER)
        page = at_a_table(stack, context.new_page(), servers.start(Path(data), scene(flips_to_a_number, 4).seed.hex()))
        write(frames_of_a_flip(page), file)
    print(f"{file}: {file.stat().st_size / 1e6:.2f} MB")
    return 0


def at_a_table(stack: ExitStack, page: Page, address: str) -> Page:
    """It is the turn of the one who looks, who may flip."""
    ana = Person(Window(page))
    host = make_table(address, NAMES[0], seats=len(NAMES))
    for name in NAMES[1:]:
        line = stack.enter_context(line_to(address))
        SeatSocket(line, host["code"], join(address, host["code"], name)["token"])
    ana.sit(address, host)
    page.get_by_role("button", name="Deal the cards").click()
    page.wait_for_selector(FLIPS)
    page.wait_for_function(STILL)
    return page


def frames_of_a_flip(page: Page) -> list[tuple[Image.Image, int]]:
    """Each frame, and for how many milliseconds it is shown."""
    page.mouse.move(0, 0)
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))
    first = picture(page)
    page.locator(FLIPS).first.evaluate("card => card.click()")
    page.wait_for_function("() => document.body.dataset.light === 'dark'")
    frames = [(first, BEFORE_MS)]
    for _ in range(FLIP_MS // FRAME_MS):
        page.evaluate(MOVE_ON)
        frames.append((picture(page), FRAME_MS))
        page.clock.run_for(FRAME_MS)
    return [*frames[:-1], (frames[-1][0], AFTER_MS)]


def picture(page: Page) -> Image.Image:
    return Image.open(io.BytesIO(page.screenshot())).convert("RGB")


def write(frames: list[tuple[Image.Image, int]], file: Path) -> None:
    (first, _), *rest = frames
    file.parent.mkdir(parents=True, exist_ok=True)
    first.save(
        file, save_all=True, append_images=[frame for frame, _ in rest],
        duration=[shown for _, shown in frames], loop=0, quality=QUALITY, method=4,
    )  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
