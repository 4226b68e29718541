"""Whole matches in a browser, from the first screen to the last: by clicks, and by keys alone."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from .playing import Person
from .staging import make_table
from .watching import Window

SHORT_MATCH = {"options": {"hand_size": 3, "target": 1}, "seats": 2}


def test_a_whole_match_by_clicks_from_the_first_screen(server: str, window: Window) -> None:
    page = window.page
    page.goto(server)
    window.accessible()
    page.get_by_label("Your name").fill("Ana")
    page.get_by_role("link", name="Create a table").or_(page.get_by_role("button", name="Create a table")).first.click()
    page.get_by_role("heading", name="New table").wait_for()
    window.accessible()
    page.get_by_role("radio", name="2", exact=True).check(force=True)
    page.get_by_role("button", name="Fill with bots").click()
    page.get_by_label("Points that end a match").fill("1")
    page.locator("details.fold > summary", has_text="Pace").click()
    page.get_by_label("Speed of the bots").select_option("fast")
    page.get_by_label("Time to catch").select_option("0")
    page.locator("summary", has=page.get_by_role("heading", name="House rules")).click()
    page.get_by_label("Cards dealt to each player").fill("4")
    page.get_by_role("button", name="Deal the cards").click()
    ana = Person(window)
    page.wait_for_selector(".hand .fan")
    window.accessible()
    ana.play()
    expect(page.locator("#results-title")).to_contain_text("won the match")
    window.accessible()
    page.locator(".results summary", has_text="Fair deal").click()
    page.get_by_role("button", name="Check it here").click()
    expect(page.get_by_text("The match was dealt as promised.")).to_be_visible()
    expect(page.get_by_text("The number of Ana is in the deal.")).to_be_visible()
    expect(page.get_by_text("Every number is the one that its player had pledged")).to_be_visible()
    page.get_by_role("link", name="Watch the replay").click()
    expect(page.locator(".unseen", has_text="bot, ")).to_have_count(1)  # it is known as one still
    page.get_by_role("button", name="One step forward").click()
    page.get_by_role("button", name="One step forward").click()
    expect(page.get_by_role("slider", name="Position in the match")).to_have_value("2")
    window.accessible()
    page.wait_for_url("**step=2")  # written when the steps have come to rest
    page.reload()  # the address leads to the very moment
    expect(page.get_by_role("slider", name="Position in the match")).to_have_value("2")
    page.keyboard.press("End")
    expect(page.get_by_text("won the match").first).to_be_visible()


def test_a_whole_match_by_keys_alone(server: str, open_window: Callable[..., Window]) -> None:
    window = open_window(fresh=True)
    window.page.add_init_script(
        "addEventListener('pointerdown', () => { throw new Error('a pointer was used') }, true)"
    )
    ben = Person(window)
    ben.sit(server, make_table(server, "Ben", bots={"1": "rookie"}, start=True, **SHORT_MATCH))
    ben.play(keys=True)
    expect(window.page.locator("#results-title")).to_contain_text("won the match")


def test_another_match_with_the_same_people(server: str, window: Window) -> None:
    ana, page = Person(window), window.page
    ana.sit(server, make_table(server, "Ana", bots={"1": "rookie"}, start=True, **SHORT_MATCH))
    ana.play()
    page.get_by_role("button", name="Rematch").click()
    page.get_by_role("button", name="Deal the cards").click()
    page.wait_for_selector(".hand .fan button")
    assert len(ana.hand()) >= 2
    ana.play()  # the second match can be played to its end like the first


def test_play_now_is_one_click(server: str, window: Window) -> None:
    window.page.goto(server)
    window.page.get_by_role("button", name="Play now").click()
    window.page.wait_for_selector(".hand .fan button")
    assert len(Person(window).hand()) >= 7
