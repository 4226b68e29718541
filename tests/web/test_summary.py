"""The rules on one page: at home, at the door, in the waiting room and in the menu; the labels of a first match."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from .playing import Person
from .staging import make_table
from .test_comfort import ONE_ROUND, SIZES
from .watching import STILL, Window

HOUSE = {"stacking": True, "hand_size": 5}
# Labels that lie over each other, or out of the piles' middle.
LABELS_OVERLAP = """() => {
  const boxes = [...document.querySelectorAll('.piles .labelled, .piles .pile > .label')]
    .map((each) => each.getBoundingClientRect());
  return boxes.length !== 2 || boxes[0].right > boxes[1].left + 1;
}"""


def tells_the_house_rules(page: Page) -> None:
    page.locator("summary", has_text="How to play").click()
    chapters = page.locator(".chapters")
    expect(chapters).to_contain_text("Everyone gets 5 cards.")
    expect(chapters).to_contain_text("may answer with the same symbol")
    expect(chapters.locator("li.changed")).to_have_count(2)


def test_the_summary_is_at_the_home_page_and_leads_to_the_rule_book(
    server: str, open_window: Callable[..., Window]
) -> None:
    window = open_window(360, 640, touch=True)
    page = window.page
    page.goto(server)
    page.get_by_role("link", name="How to play").tap()
    expect(page.get_by_role("heading", name="Your turn")).to_be_visible()
    page.get_by_label("Edition").select_option("mild-wild")
    expect(page.locator(".chapters")).to_contain_text("a Mild face and a Wild face")
    page.get_by_role("button", name="Skip Everyone").tap()
    expect(page.locator(".help")).to_contain_text("ACT-4")
    for width, height in SIZES:
        window.resize(width, height)
        window.fits()
    window.accessible()
    page.get_by_role("link", name="The Flip: in the rule book").tap()
    expect(page.get_by_role("heading", name="The Flip", exact=True)).to_be_focused()


def test_the_rules_of_a_table_are_told_in_its_waiting_room_at_its_door_and_in_its_menu(
    server: str, open_window: Callable[..., Window]
) -> None:
    host, guest = Person(open_window(360, 640)), open_window()
    seated = make_table(server, "Ana", seats=2, bots={"1": "casual"}, options=HOUSE)
    host.sit(server, seated)
    tells_the_house_rules(host.page)
    host.window.fits()
    host.window.accessible()
    guest.page.goto(f"{server}/#/table/{seated['code']}")
    tells_the_house_rules(guest.page)
    guest.accessible()
    host.page.get_by_role("button", name="Deal the cards").click()
    host.page.wait_for_selector(".hand .fan button")
    host.page.get_by_role("button", name="Menu").click()
    tells_the_house_rules(host.page)
    for width, height in SIZES:
        host.window.resize(width, height)
        host.window.fits()
    host.window.accessible()


def test_the_piles_are_labelled_in_a_first_match_alone(server: str, open_window: Callable[..., Window]) -> None:
    for language, draw, discard in (("es-AR", "Tomá", "Jugá acá"), ("en-US", "Draw", "Play here")):
        window = open_window(language=language)
        ana, page = Person(window), window.page
        ana.sit(server, make_table(server, "Ana", bots={"1": "rookie"}, start=True, **ONE_ROUND))
        expect(page.locator(".piles .labelled")).to_contain_text(draw)
        expect(page.locator(".piles .pile > .label")).to_have_text(discard)
        for width, height in SIZES:
            window.resize(width, height)
            page.wait_for_function(STILL)
            assert page.evaluate(LABELS_OVERLAP) is False, (language, width, height)
    window.resize(1280, 800)
    ana.play()
    ana.sit(server, make_table(server, "Ana", bots={"1": "rookie"}, start=True, **ONE_ROUND))
    page.wait_for_selector(".piles .count")
    expect(page.locator(".piles .label")).to_have_count(0)
    page.reload()
    page.wait_for_selector(".piles .count")
    expect(page.locator(".piles .label")).to_have_count(0)
