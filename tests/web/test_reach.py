"""At every step of whole matches, at five sizes: what matters can be seen and hit, and everything that happens is told.

A watcher in the page (``reaching``) looks after every change of it: at the top card, at the hand, at whatever can be
done, at names and counts, and at the colors of what is written.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from flipdeck.i18n import catalogue
from tests.thorough import THOROUGH

from .playing import Person
from .reaching import lines_shown, nothing_was_out_of_reach, watch
from .staging import Stage, make_table, scene
from .test_scenes import bluffed
from .watching import Window

# One to three rounds of few cards; at full length a match as it is printed.
MATCH = {"stacking": True} if THOROUGH else {"hand_size": 3, "target": 60, "stacking": True}
SIZES = ((360, 640, False), (740, 360, True), (1280, 800, False), (1920, 1080, True), (2560, 1440, True))


@pytest.mark.parametrize(("width", "height", "still"), SIZES)
def test_at_every_step_of_a_match_what_matters_can_be_hit_and_read(
    server: str, open_window: Callable[..., Window], width: int, height: int, still: bool
) -> None:
    window = open_window(width, height, still=still)
    ana, page = Person(window), window.page
    bots = {"1": "casual", "2": "casual", "3": "casual"}
    ana.sit(server, make_table(server, "Ana", bots=bots, seats=4, options=MATCH))
    watch(page)
    page.get_by_role("button", name="Deal the cards").click()
    ana.play()
    nothing_was_out_of_reach(page, least=20)
    told, shown = list(plays_told(window.frames)), lines_shown(page)
    assert told
    assert [text for text in told if not any(text in line for line in shown)] == []


def test_ten_people_on_a_phone_cover_nothing_of_each_other(server: str, open_window: Callable[..., Window]) -> None:
    ana = Person(open_window(360, 640, touch=True))
    bots = {str(seat): "casual" for seat in range(1, 10)}
    ana.sit(server, make_table(server, "Ana", bots=bots, seats=10, options={"hand_size": 3, "target": 1}))
    watch(ana.page)
    ana.page.get_by_role("button", name="Deal the cards").click()
    ana.play()
    nothing_was_out_of_reach(ana.page, least=20)


def plays_told(frames: list[str]) -> Iterator[str]:
    """What the sentence beside the piles has to begin with, for every card that was played before seat 0."""
    words = catalogue("en")
    messages: list[dict[str, Any]] = [json.loads(frame) for frame in frames]
    names = next(each["table"] for each in messages if each["type"] == "welcome")["seats"]
    for message in messages:
        for event in message["events"] if message["type"] == "update" else ():
            if event["event"] == "played":
                front = event["card"].split("/")[event["side"] == "dark"]
                who = "You" if event["seat"] == 0 else names[event["seat"]]["name"]
                yield f"{who}: {words.face(front)}"


def test_a_menu_lies_over_the_results_and_all_of_it_can_be_hit(server: str, open_window: Callable[..., Window]) -> None:
    window = open_window(360, 640)
    ana, page = Person(window), window.page
    ana.sit(server, make_table(server, "Ana", bots={"1": "casual"}, start=True, seats=2, options={"hand_size": 3}))
    ana.play(until="ready")
    page.get_by_role("button", name="Menu").click()
    for width, height, _ in SIZES:
        window.resize(width, height)
        for each in page.locator("dialog :is(button, summary, a, input)").all():
            each.click(trial=True)
    window.accessible()
    page.keyboard.press("Escape")  # closes the menu, and leaves the results
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator(".results .body")).to_be_visible()


COVERS = """(selector) => [...document.querySelectorAll(selector)].filter((each) => {
  const box = each.getBoundingClientRect();
  return !each.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
}).map((each) => each.className)"""
IN_SIGHT = ".piles .pile, .seat .who, .hand .fan, .actions .main button, .chip-button"


def test_a_challenge_is_asked_and_its_hand_shown_at_the_seat_and_covers_nothing(stage: Stage) -> None:
    ana, ben, _ = stage(scene(bluffed))
    page, window = ana.page, ana.window
    wild = next(move for move in ben.view["legal"] if move.startswith("W+2") and not move.endswith("!"))
    assert ben.say(wild)["type"] == "ack"
    for chip, decide in (("Bluff?", True), ("See hand", False)):
        button = page.locator(".chip-button", has_text=chip)
        button.wait_for()
        for width, height, _ in SIZES:
            window.resize(width, height)
            window.fits()
            assert page.evaluate(COVERS, IN_SIGHT) == [], (chip, width, height)
        window.accessible()
        button.click()
        expect(page.get_by_role("dialog")).to_be_visible()
        window.accessible()
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
        if decide:
            page.get_by_role("button", name="Challenge").click()
    expect(page.locator(".chip-button")).to_have_count(0)  # the hand was seen


def test_the_end_of_a_round_is_seen_before_its_results(server: str, open_window: Callable[..., Window]) -> None:
    ana = Person(open_window())
    page = ana.page
    ana.sit(server, make_table(server, "Ana", bots={"1": "casual"}, start=True, seats=2, options={"hand_size": 3}))
    ana.play(until="results")
    expect(page.locator(".results")).to_have_count(0)
    expect(page.locator(".callouts p").last).to_contain_text("out")
    page.wait_for_selector(".backs .value, .hand .value")
    open_values = page.locator(".backs .value, .hand .value").all_inner_texts()
    ana.click("results")
    expect(page.locator("#results-title")).to_contain_text("won round 1")
    assert page.locator(".results .value").all_inner_texts() == open_values
    points = max(int(text.removeprefix("+")) for text in page.locator(".results .points").all_inner_texts())
    assert sum(map(int, open_values)) == points
    won = "You won" in page.locator("#results-title").inner_text()
    assert page.locator(".cheer").count() == 0 or won
