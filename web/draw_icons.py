"""Draws the icons and the picture of a preview into ``public``, from ``icon.svg`` and from the fan of the home page.

.venv/bin/python web/draw_icons.py ADDRESS     a running server, for the fan
"""

from __future__ import annotations

import base64
import os
import shutil
import struct
import sys
from pathlib import Path

from playwright.sync_api import Browser, FloatRect, Page, sync_playwright

PUBLIC = Path(__file__).resolve().parent / "public"
PAPER, INK, NIGHT = "#f6efe2", "#1d1a16", "#0d0f1c"
SIZES = (180, 192, 512)
PREVIEW = (1200, 630)
ONLY_FAN = """
html, body { background: none !important; }
body::before, body::after { display: none !important; }
body * { visibility: hidden; }
.fan, .fan * { visibility: visible; outline: none !important; }
"""
PREVIEW_STYLE = f"""
html, body {{ margin: 0; height: 100%; overflow: hidden; }}
body {{ background: linear-gradient(115deg, #efe4cf 0 56%, {NIGHT} 56.1%); }}
div {{ position: absolute; left: 64px; top: 44px; display: flex; align-items: center; gap: 24px; color: {INK};
  font: 700 92px system-ui, sans-serif; letter-spacing: -2px; }}
svg {{ width: 112px; height: 112px; }}
img {{ position: absolute; top: 215px; left: -20px; }}
img + img {{ left: 555px; }}
"""


def main(address: str) -> None:
    icon = (PUBLIC / "icon.svg").read_text(encoding="utf-8")
    with sync_playwright() as playwright:
        program = os.environ.get("FLIPDECK_CHROMIUM") or shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page()
        for size in SIZES:  # iOS shows what is transparent as black
            keep(f"icon-{size}.png", draw(page, icon, size, size, 0.9, PAPER if size == SIZES[0] else "transparent"))
        keep("icon-maskable.png", draw(page, icon, 512, 512, 0.66, PAPER))
        keep("favicon.ico", as_ico(draw(page, icon, 32, 32, 1, "transparent")))
        keep("preview.png", compose(page, icon, *fans(browser, address)))
        browser.close()


def draw(page: Page, icon: str, width: int, height: int, share: float, background: str) -> bytes:
    page.set_viewport_size({"width": width, "height": height})
    page.set_content(
        f"<style>html,body{{margin:0;height:100%;background:{background}}}body{{display:grid;place-items:center}}"
        f"svg{{width:{share * 100}%;height:{share * 100}%}}</style>{icon}"
    )
    return page.screenshot(omit_background=True)


def fans(browser: Browser, address: str) -> tuple[bytes, bytes]:
    """The fan of the home page on either side, without the page around it."""
    page = browser.new_page(viewport={"width": 700, "height": 1000}, reduced_motion="reduce", bypass_csp=True)
    page.goto(address)
    page.add_style_tag(content=ONLY_FAN)
    fan = page.locator("button.fan")
    box = fan.bounding_box()
    assert box is not None  # noqa: S101  # it is on the page
    middle, top = box["x"] + box["width"] / 2, box["y"]
    clip: FloatRect = {"x": middle - 330, "y": max(0, top - 40), "width": 660, "height": box["height"] + 80}
    light = page.screenshot(omit_background=True, clip=clip)
    fan.click()
    page.mouse.move(0, 0)
    fan.evaluate("(fan) => fan.blur()")
    page.wait_for_timeout(1500)
    return light, page.screenshot(omit_background=True, clip=clip)


def compose(page: Page, icon: str, light: bytes, dark: bytes) -> bytes:
    page.set_viewport_size({"width": PREVIEW[0], "height": PREVIEW[1]})
    page.set_content(
        f"<style>{PREVIEW_STYLE}</style><div>{icon}Flipdeck</div>"
        + "".join(f'<img src="data:image/png;base64,{base64.b64encode(each).decode()}">' for each in (light, dark))
    )
    for image in page.locator("img").all():
        image.evaluate("image => image.decode()")
    return page.screenshot()


def as_ico(png: bytes) -> bytes:
    """One picture of 32 by 32, as a PNG within."""
    return struct.pack("<HHHBBBBHHII", 0, 1, 1, 32, 32, 0, 0, 1, 32, len(png), 22) + png


def keep(name: str, content: bytes) -> None:
    (PUBLIC / name).write_bytes(content)
    print(f"{name}: {len(content)} bytes")


if __name__ == "__main__":
    main(*sys.argv[1:])
