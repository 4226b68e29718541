"""Around the game: the room before it, the results after it, and the keyboard on the way from one to the other."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from .playing import Person, says
from .staging import join, make_table
from .watching import Window

FOCUSED = "() => document.activeElement.localName"
FOCUSED_IN_ROUND = "() => document.querySelector('.results') ? 'over' : document.activeElement.localName"
HIDDEN = """() => {
  const [at, foot] = [document.activeElement, document.querySelector('footer')];
  if (foot.contains(at)) return false;
  const [top, edge] = [at.getBoundingClientRect().top, foot.getBoundingClientRect().top];
  return top >= edge && `${at.outerHTML.slice(0, 80)} at ${top}, below ${edge}`;
}"""
TWO_LINES = "name => name.getBoundingClientRect().height < 3.2 * parseFloat(getComputedStyle(name).fontSize)"
APART = """(row) => {
  const [name, question] = [row.querySelector('.who'), row.querySelector('[role=group]')];
  const [a, b] = [name.getBoundingClientRect(), question.getBoundingClientRect()];
  return a.width > 60 && (b.top >= a.bottom - 1 || b.left >= a.right - 1);
}"""
TOO_WIDE = "() => { const b = document.querySelector('.results .body'); return b.scrollWidth - b.clientWidth; }"


def has_focus_somewhere(page: Page) -> None:
    """A frame after something has gone the page has found another place for the focus."""
    page.wait_for_function("() => document.activeElement !== document.body")


def by_key(page: Page, name: str) -> None:
    page.get_by_role("button", name=name).first.focus()
    page.keyboard.press("Enter")


def test_the_focus_never_falls_out_of_the_page(server: str, open_window: Callable[..., Window]) -> None:
    ana = Person(open_window())
    page = ana.page
    ana.sit(server, make_table(server, "Ana", seats=5, options={"hand_size": 1, "target": 5000}))
    by_key(page, "Add a bot")
    expect(page.get_by_role("button", name="Add a bot")).to_have_count(3)
    has_focus_somewhere(page)
    assert page.evaluate(FOCUSED) == "select"  # of the same seat
    by_key(page, "Remove seat 5")
    expect(page.locator("main li")).to_have_count(4)
    has_focus_somewhere(page)
    by_key(page, "Fill with bots")
    expect(page.get_by_role("button", name="Add a bot")).to_have_count(0)
    has_focus_somewhere(page)
    by_key(page, "Deal the cards")
    page.wait_for_selector(".hand .fan button")
    has_focus_somewhere(page)
    for _ in range(20):  # with a card each, bots may end a round before anything of it is looked at
        ana.play(until="ready")
        by_key(page, "Ready")
        page.wait_for_selector(".results", state="detached")
        has_focus_somewhere(page)
        if (focused := page.evaluate(FOCUSED_IN_ROUND)) != "over":
            break
    assert focused == "main"  # an arrow finds the hand, and Enter does nothing
    page.evaluate("document.activeElement.blur()")  # whoever lets go of it is let go
    page.evaluate("() => new Promise((done) => setTimeout(() => requestAnimationFrame(done)))")
    assert page.evaluate(FOCUSED_IN_ROUND) in ("body", "over")


def test_whoever_is_sent_away_is_asked_about_beside_their_name(server: str, open_window: Callable[..., Window]) -> None:
    window = open_window(360, 640, "es-MX")
    ana, page = Person(window), window.page
    host = make_table(server, "Ana", seats=4)
    for name in ("Ben", "Wilhelmina-Alexandra"):
        join(server, host["code"], name)
    ana.sit(server, host)
    for row in (page.locator("li", has_text="Ben"), page.locator("li", has_text="Wilhelmina")):
        assert row.locator(".name").evaluate(TWO_LINES), "the tools leave the name no room"
        for question in (re.compile("^Sacar"), "Poner un bot"):
            row.get_by_role("button", name=question).click()
            for width, height in ((360, 640), (640, 400), (768, 1024), (1280, 800)):
                window.resize(width, height)
                window.fits()
                assert row.evaluate(APART), (width, height)
            page.keyboard.press("Escape")
            expect(row.get_by_role("group")).to_have_count(0)


def test_the_foot_of_a_page_hides_nothing_that_has_the_focus(server: str, open_window: Callable[..., Window]) -> None:
    page = open_window(640, 400).page
    page.goto(f"{server}/#/new")
    for fold in page.locator("summary").all():
        fold.click()
    page.get_by_label("Your name").focus()
    for _ in range(120):
        assert page.evaluate(HIDDEN) is False
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.closest('footer') !== null"):
            break
    else:
        raise AssertionError("Tab never comes to the foot")
    by_key(page, "Create the table")
    expect(page.get_by_label("Your name")).to_be_focused()
    by_key(page, "Create the table")  # and once more: it is told again
    expect(page.get_by_label("Your name")).to_be_focused()
    says(page, "Enter your name first")
    page.keyboard.type("Ana")
    expect(page.get_by_text("Enter your name first")).to_have_count(0)


def test_ten_scores_round_by_round_scroll_by_themselves(server: str, open_window: Callable[..., Window]) -> None:
    window = open_window(360, 640)
    ana, page = Person(window), window.page
    bots = {str(seat): "rookie" for seat in range(1, 10)}
    options = {"hand_size": 1, "target": 5000}
    ana.sit(server, make_table(server, "Ana", bots=bots, start=True, seats=10, options=options))
    for _ in range(2):
        ana.play(until="ready")
        ana.click("ready")
    ana.play(until="ready")
    assert ana.offered() == "ready"
    page.locator(".results summary").click()
    for width, height in ((360, 640), (1280, 800)):
        window.resize(width, height)
        assert page.evaluate(TOO_WIDE) <= 0, (width, height)
    window.accessible()


def test_the_host_names_the_first_dealer_where_the_rules_leave_it_open(server: str, window: Window) -> None:
    ana, page = Person(window), window.page
    for dealer in (2, 1):
        bots = {"1": "rookie", "2": "rookie"}
        ana.sit(server, make_table(server, "Ana", bots=bots, seats=3, edition="mild-wild"))
        page.get_by_label("First dealer").select_option(str(dealer))
        window.accessible()
        page.get_by_role("button", name="Deal the cards").click()
        page.wait_for_selector(".hand .fan button")
        dealt = next(json.loads(frame) for frame in reversed(window.frames) if '"dealt"' in frame)
        assert dealt["view"]["dealer"] == dealer


def test_the_way_back_from_the_settings_leads_to_the_table(server: str, open_window: Callable[..., Window]) -> None:
    ana = Person(open_window())
    ana.sit(server, make_table(server, "Ana", bots={"1": "casual"}, start=True, seats=2))
    ana.page.get_by_role("button", name="Menu").click()
    ana.page.get_by_role("link", name="Settings").click()
    ana.page.wait_for_selector("h1:has-text('Settings')")
    ana.page.locator("header .back a").click()
    ana.page.wait_for_selector(".hand .fan button")
