"""What opens over a table: each by axe-core, and each large enough for a finger."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from .playing import Person, says
from .staging import make_table
from .watching import Window

FINGER = 43.5  # pixels: 44, but for rounding
SMALL = """(most) => [...document.querySelectorAll('button, a.button, select, summary')]
  .filter((each) => each.getClientRects().length && !each.closest('.unseen, .fan') && !each.classList.contains('skip'))
  .map((each) => [each.textContent.trim() || each.ariaLabel, each.getBoundingClientRect()])
  .filter(([, box]) => box.width < most || box.height < most)
  .map(([name, box]) => `${name}: ${box.width} by ${box.height}`)"""


def for_fingers(page: Page) -> None:
    assert page.evaluate(SMALL, FINGER) == []


@pytest.mark.parametrize(("width", "height", "side"), [(1280, 800, "dark"), (360, 640, "light")])
def test_what_opens_over_a_table_is_accessible_and_closes_again(
    server: str, open_window: Callable[..., Window], width: int, height: int, side: str
) -> None:
    window = open_window(width, height, touch=width < 500)
    ana, page = Person(window), window.page
    bots = {"1": "casual", "2": "casual"}
    ana.sit(server, make_table(server, "Ana", bots=bots, start=True, seats=3, options={"start_side": side}))
    page.wait_for_selector(".prompt.mine")
    for_fingers(page)

    page.get_by_role("button", name="Menu").click()
    page.get_by_text("Is this fair?").click()
    says(page, "Commitment, shown before the deal")
    window.accessible()
    for_fingers(page)
    page.keyboard.press("Escape")
    expect(page.get_by_text("Is this fair?")).to_have_count(0)

    page.locator("[aria-haspopup=dialog]").first.click()
    says(page, "Everybody sees the")
    window.accessible()
    page.keyboard.press("Escape")
    expect(page.get_by_text("Everybody sees the")).to_have_count(0)

    page.keyboard.press("?")
    says(page, "Draw a card, or pass")
    window.accessible()
    page.keyboard.press("Escape")

    if width < 500:
        page.keyboard.press("l")
        says(page, "You got")
        window.accessible()
        for_fingers(page)
        page.keyboard.press("Escape")


def test_a_drawn_card_can_be_played_or_kept(server: str, open_window: Callable[..., Window]) -> None:
    """Drawn from until a card comes that fits; then both are offered."""
    window = open_window()
    ana, page = Person(window), window.page
    ana.sit(server, make_table(server, "Ana", bots={"1": "rookie"}, start=True, seats=2))
    for _ in range(40):
        page.wait_for_selector(".prompt.mine")
        offered = ana.offered()
        if page.get_by_role("button", name="Keep it").is_visible():
            break
        if offered == "color":
            ana.click("color")
        elif page.get_by_role("button", name="Accept").is_visible():
            page.get_by_role("button", name="Accept").click()
        else:
            held = len(ana.hand())
            page.locator(".bar .main button", has_text="Draw").click()
            ana.holds_more_than(held)
    window.accessible()
    held = len(ana.hand())
    page.get_by_role("button", name="Keep it").click()
    says(page, "You keep the card.")
    assert len(ana.hand()) >= held
