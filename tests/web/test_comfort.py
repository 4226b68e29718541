"""Comfort: a hand in one's own order, every size of a screen with ten seats, keys alone, fingers alone, own matches."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from .playing import LONG, Person
from .staging import make_table
from .watching import STILL, Window

SIZES = ((360, 640), (740, 360), (1280, 800), (1920, 1080), (2560, 1440))
ONE_ROUND = {"options": {"hand_size": 3, "target": 1}, "seats": 2}
# Things of the table that lie over each other: seats, piles, one's own seat, the bar, the hand; and within a seat the
# face, the name, the numbers and the cards.
OVERLAPS = """() => {
  const box = (each) => each.getBoundingClientRect();
  const seen = (each) => each.checkVisibility({ visibilityProperty: true }) && box(each).width > 1;
  const over = (a, b) => Math.min(box(a).right, box(b).right) - Math.max(box(a).left, box(b).left) > 1
    && Math.min(box(a).bottom, box(b).bottom) - Math.max(box(a).top, box(b).top) > 1;
  const named = (each) => `${each.className} ${each.textContent.trim().slice(0, 30)}`;
  const among = (all) => all.filter(seen).flatMap((a, n, some) => some.slice(n + 1).filter((b) => over(a, b))
    .map((b) => `${named(a)} / ${named(b)}`));
  const all = (where, root = document) => [...root.querySelectorAll(where)];
  return [
    ...among(all('.board li, .board .piles, .table > :is(.me, .actions, .hand, .bar, .side)')),
    ...all('.seat').flatMap((seat) => among(all(':scope > .backs, .who > *', seat))),
    ...all('.me').flatMap((me) => among(all(':scope > .face, .text > *', me))),
  ];
}"""
OUTSIDE = """() =>
  [...document.querySelectorAll('.board li, .piles, .me :is(.name, .score), .hand .fan, .actions button')]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }))
  .map((each) => [each, each.getBoundingClientRect()])
  .filter(([, box]) => box.width > 1 && (box.left < -1 || box.top < -1 || box.right > innerWidth + 1
    || box.bottom > innerHeight + 1))
  .map(([each]) => `${each.className} ${each.textContent.trim().slice(0, 30)}`)"""
CARD_WIDTH = "() => document.querySelector('.hand .fan svg').getBoundingClientRect().width"


@pytest.mark.parametrize("language", ["en-US", "es-AR"])
def test_ten_seats_lie_over_nothing_at_any_size(server: str, open_window: Callable[..., Window], language: str) -> None:
    window = open_window(360, 640, language)
    ana, page = Person(window), window.page
    bots = {str(seat): "casual" for seat in range(1, 10)}
    ana.sit(server, make_table(server, "Wilhelmina-Alexandra", bots=bots, start=True, seats=10, speed="slow"))
    page.wait_for_selector(".hand .fan button")
    widths = []
    for width, height in SIZES:
        window.resize(width, height)
        page.wait_for_function(STILL)
        window.fits()
        assert page.evaluate(OVERLAPS) == [], (width, height)
        assert page.evaluate(OUTSIDE) == [], (width, height)
        expect(page.locator(".me .name")).to_be_visible()
        widths.append(page.evaluate(CARD_WIDTH))
    assert widths[4] > 1.2 * widths[3] > 1.2 * widths[2], "cards grow with a large screen"
    window.accessible()


class WithNextKey(Person):
    """Plays by keys, and goes from one card that can be played to the next."""

    def press(self, offered: str) -> None:
        if not offered.startswith("card"):
            return super().press(offered)
        held = self.hand()
        self.page.keyboard.press("n")
        assert self.page.evaluate("document.activeElement.ariaDisabled") == "false"
        self.page.keyboard.press("Enter")
        self._settled(offered, ",".join(held), LONG)
        return None


class WithFingers(Person):
    def hit(self, button: Locator, patience: float) -> None:
        button.tap(timeout=patience)


def test_a_round_by_keys_with_a_sorted_hand(server: str, open_window: Callable[..., Window]) -> None:
    window = open_window(fresh=True)
    page = window.page
    page.add_init_script("addEventListener('pointerdown', () => { throw new Error('a pointer was used') }, true)")
    ana = WithNextKey(window)
    ana.sit(server, make_table(server, "Ana", bots={"1": "rookie"}, start=True, seats=2, options={"target": 1}))
    page.wait_for_selector(".prompt.mine")
    before = ana.hand()
    page.keyboard.press("o")
    expect(page.get_by_text("Your hand: by color")).to_be_attached()
    after = ana.hand()
    assert after != before
    assert sorted(after) == sorted(before)
    ana.play(keys=True)
    expect(page.locator("#results-title")).to_contain_text("won the match")


def test_a_match_by_fingers_alone_on_a_small_phone_is_kept_among_ones_own(
    server: str, open_window: Callable[..., Window]
) -> None:
    window = open_window(360, 640, touch=True, fresh=True)
    page = window.page
    page.add_init_script(
        "addEventListener('pointerdown', (it) => { if (it.pointerType !== 'touch') throw new Error('a mouse') }, true);"
        "addEventListener('keydown', () => { throw new Error('a key was used') }, true)"
    )
    ana = WithFingers(window)
    ana.sit(server, make_table(server, "Ana", bots={"1": "rookie"}, start=True, **ONE_ROUND))
    ana.play()
    expect(page.locator("#results-title")).to_contain_text("won the match")
    won = (
        "Ana won" in page.locator("#results-title").inner_text()
        or "You won" in page.locator("#results-title").inner_text()
    )
    page.goto(f"{server}/#/statistics")
    page.get_by_role("heading", name="Your matches").wait_for()
    window.fits()
    window.accessible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Export as JSON").tap()
    (match,) = json.loads(download.value.path().read_text(encoding="utf-8"))
    assert (match["edition"], match["players"], match["bots"], match["won"]) == ("classic", 2, 1, won)
    page.get_by_role("button", name="Delete all of it").tap()
    page.get_by_role("button", name="Delete", exact=True).tap()
    expect(page.get_by_text("You have not finished a match")).to_be_visible()
    window.accessible()
