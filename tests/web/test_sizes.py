"""Every size of a window: nothing is too wide, and whatever can be pressed is not under something else."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from flipdeck.core.match import Match

from .playing import Person
from .staging import Stage, make_table, plays, scene
from .watching import STILL, Window

ON_ITS_SIDE = ((568, 320), (640, 360), (667, 375), (844, 390), (932, 430), (1088, 470))
UPRIGHT = ((360, 640), (390, 844), (768, 1024), (1024, 768), (1280, 720), (1366, 768))
# What a finger would hit that goes for the middle of each button: something else, or nothing.
COVERED = """() => [...document.querySelectorAll('.table .bar button, .actions button')]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }))
  .map((each) => [each, each.getBoundingClientRect()])
  .map(([each, box]) => [each, document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)])
  .filter(([each, hit]) => !each.contains(hit))
  .map(([each, hit]) => `${each.textContent.trim() || each.ariaLabel} is under ${hit?.className ?? 'the edge'}`)"""


def in_spanish(page: Page) -> None:
    page.evaluate("localStorage.setItem('preferences', JSON.stringify({ language: 'es' }))")
    page.reload()
    page.wait_for_selector(".hand .fan button")


def forgets_uno_with_a_wild_draw(match: Match) -> bool:
    return match.to_act == 1 and bool(plays(match, 1, "W+2"))


def test_a_challenge_and_a_catch_at_once_can_both_be_pressed_at_every_size(stage: Stage) -> None:
    options: dict[str, object] = {"hand_size": 2}
    ana, ben, _ = stage(scene(forgets_uno_with_a_wild_draw, options=options), options=options)
    wild = next(move for move in ben.view["legal"] if move.startswith("W+2") and not move.endswith("!"))
    assert ben.say(wild)["type"] == "ack"
    page, window = ana.page, ana.window
    in_spanish(page)
    expect(page.locator(".catches button")).to_have_count(1)
    expect(page.locator(".bar .main button")).to_have_count(2)
    for width, height in (*ON_ITS_SIDE, *UPRIGHT):
        window.resize(width, height)
        window.fits()
        assert page.evaluate(COVERED) == [], (width, height)
    window.accessible()
    page.get_by_role("button", name="Menú").click()
    for width, height in (*ON_ITS_SIDE, *UPRIGHT):
        window.resize(width, height)
        window.fits()
        assert page.evaluate(COVERED) == [], (width, height)
        for each in page.locator("dialog :is(button, summary, a)").all():
            each.click(trial=True)  # it can be brought where a finger hits it
    window.accessible()


def test_a_table_fits_on_a_phone_on_its_side_and_the_keys_fit_on_any_screen(
    server: str, open_window: Callable[..., Window]
) -> None:
    window = open_window(1280, 800, "es-MX")
    ana, page = Person(window), window.page
    bots = {str(seat): "casual" for seat in range(1, 6)}
    ana.sit(server, make_table(server, "Wilhelmina-Alexandra", bots=bots, start=True, seats=6))
    page.wait_for_selector(".prompt.mine")
    for width, height in (*ON_ITS_SIDE, *UPRIGHT):
        window.resize(width, height)
        window.fits()
        assert page.evaluate(COVERED) == [], (width, height)
    page.keyboard.press("?")
    for width, height in (*ON_ITS_SIDE, *UPRIGHT):
        window.resize(width, height)
        expect(page.locator(".help header button")).to_be_in_viewport(ratio=1)
    window.accessible()


def test_a_log_that_closes_while_it_scrolls_is_no_error(server: str, open_window: Callable[..., Window]) -> None:
    window = open_window(360, 640, touch=True)
    ana, page = Person(window), window.page
    bots = {str(seat): "casual" for seat in range(1, 10)}
    ana.sit(server, make_table(server, "Ana", bots=bots, start=True, seats=10))
    page.locator(".newest").click()
    page.wait_for_selector(".log li")
    page.evaluate("document.querySelector('.log').scrollTop = 0; document.querySelector('.newest').click()")
    expect(page.locator(".log")).to_have_count(0)
    window.drawn()


# Cards of one's own hand that lean; how far they stick out of it; how far it could be scrolled.
LEANING = """() => {
  const fan = document.querySelector('.hand .fan'), { left, right } = fan.getBoundingClientRect();
  const boxes = [...fan.querySelectorAll('.turning svg')].map((each) => each.getBoundingClientRect());
  const out = boxes.map((box) => Math.max(left - box.left, box.right - right, 0));
  const leans = getComputedStyle(fan.querySelector('li')).getPropertyValue('--lean') !== '0deg';
  return [leans, Math.max(...out), fan.scrollWidth - fan.clientWidth];
}"""


@pytest.mark.parametrize("cards", [3, 7, 10])
def test_cards_that_lean_are_on_the_screen_whole(server: str, open_window: Callable[..., Window], cards: int) -> None:
    ana = Person(open_window(1280, 800))
    ana.sit(server, make_table(server, "Ana", bots={"1": "rookie"}, start=True, seats=2, options={"hand_size": cards}))
    page, leaning = ana.page, 0
    for width in (360, 420, 480, 540, 600, 660, 720, 768, 820, 900, 1024, 1280):
        ana.window.resize(width, 800)
        page.wait_for_function(STILL)
        leans, out, over = page.evaluate(LEANING)
        leaning += leans
        assert not leans or (out <= 1 and over <= 1), (width, out, over)
    assert leaning > 0
