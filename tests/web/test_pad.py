"""The score pad in a real browser: whole matches of the rules, entered by fingers alone and by keys alone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.wire.test_scores_of_the_page import matches

from .playing import Person
from .test_states import for_fingers
from .watching import STILL, Window

SIZES = ((360, 640), (740, 360), (1280, 800), (1920, 1080), (2560, 1440))
NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hana", "Ivo", "June")
NO_KEYS = "addEventListener('keydown', () => { throw new Error('a key was used') }, true);"
NO_MOUSE = (
    "addEventListener('pointerdown', (it) => { if (it.pointerType !== 'touch') throw new Error('a mouse') }, true);"
)
NO_POINTER = "addEventListener('pointerdown', () => { throw new Error('a pointer was used') }, true)"
# Things to press in the round that is entered, where a finger would hit something else.
COVERED = """() => [...document.querySelectorAll('.entry button, .entry .chip')]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }))
  .filter((each) => {
    each.scrollIntoView({ block: 'center' });
    const box = each.getBoundingClientRect();
    return !each.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
  }).map((each) => each.ariaLabel || each.textContent.trim())"""
SMALL_CHIPS = """() => [...document.querySelectorAll('.chip, .way, nav a')].map((each) => each.getBoundingClientRect())
  .filter((box) => box.width < 43.5 || box.height < 43.5).length"""


def match_of(edition: str, scoring: str) -> dict[str, Any]:
    return next(match for match in matches() if (match["edition"], match["scoring"]) == (edition, scoring))


class PadFingers:
    """Somebody who enters a match by touch."""

    def __init__(self, window: Window) -> None:
        self.window, self.page = window, window.page

    def hit(self, what: Locator) -> None:
        what.tap()

    def start(self, match: dict[str, Any]) -> None:
        page, names = self.page, NAMES[: match["players"]]
        for _ in range(match["players"] - 3):
            self.hit(page.get_by_role("button", name="Add a player"))
        for _ in range(3 - match["players"]):
            self.hit(page.get_by_role("button", name="Remove Player 3"))
        for n, name in enumerate(names):
            page.get_by_label(f"Name of player {n + 1}", exact=True).fill(name)  # by the keyboard of the screen
        page.get_by_label("Edition").select_option(match["edition"])
        self.hit(page.locator(f".way input[value={match['scoring']}]"))
        if match["scoring"] != "quick":
            page.get_by_role("spinbutton").fill(str(match["target"]))
        page.get_by_label("First dealer").select_option(str(match["rounds"][0]["dealer"]))
        self.hit(page.get_by_role("button", name="Start"))

    def enter(self, match: dict[str, Any], told: dict[str, Any]) -> None:
        page = self.page
        expect(page.locator(".entry .head")).to_contain_text(f"{NAMES[told['dealer']]} deals.")
        self.out(match, told["out"])
        if told["out"] is not None and match["scoring"] != "quick":
            if told["side"] == "dark":
                self.turn_over()
            for seat in (seat for seat in range(match["players"]) if seat != told["out"]):
                self.hand(seat, told["hands"][seat])
        self.go_on("Record the round")

    def out(self, match: dict[str, Any], seat: int | None) -> None:  # noqa: ARG002  # keys need it
        self.hit(self.page.locator(".entry fieldset").first.locator(".chip").nth(-1 if seat is None else seat))

    def turn_over(self) -> None:
        self.hit(self.page.locator(".entry .chip:has(input[name$=side])").last)

    def hand(self, seat: int, symbols: list[str]) -> None:
        expect(self.page.locator("[role=toolbar]")).to_have_accessible_name(f"Cards left in {NAMES[seat]}’s hand")
        for symbol in symbols:
            self.add(symbol)
        button = self.page.locator(".entry .buttons .strong")
        if "Next" in button.inner_text():
            self.go_on("Next: ")

    def add(self, symbol: str) -> None:
        self.hit(self.page.locator(f"button.key:has([data-face$='{symbol}'])").first)  # 1 is before +1

    def go_on(self, name: str) -> None:
        button = self.page.locator(".entry .buttons .strong")
        expect(button).to_contain_text(name)
        self.hit(button)


class PadKeys(PadFingers):
    """Somebody who has no pointer at all."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self.person = Person(window)

    def hit(self, what: Locator) -> None:
        what.evaluate("each => each.setAttribute('data-wanted', '')")
        self.person.tab_to("[data-wanted]")
        self.page.evaluate("document.querySelector('[data-wanted]')?.removeAttribute('data-wanted')")
        self.page.keyboard.press("Space" if what.get_attribute("type") == "radio" else "Enter")

    def start(self, match: dict[str, Any]) -> None:
        page, keys = self.page, self.page.keyboard
        if match["players"] == 2:
            self.hit(page.get_by_role("button", name="Remove Player 3"))
        page.evaluate("document.activeElement.blur()")
        self.person.tab_to(".names input")
        for n, name in enumerate(NAMES[: match["players"]]):
            keys.type(name)
            if n + 1 < match["players"]:
                keys.press("Enter")  # the next name; after the last one another player
        self.person.tab_to("select[id$=dealer]")
        for _ in range(match["rounds"][0]["dealer"]):
            keys.press("ArrowDown")
        self.person.tab_to("input[type=radio]:checked")
        way = ["points", "lowest", "quick"].index(match["scoring"])
        for _ in range(way):
            keys.press("ArrowDown")
        self.person.tab_to("input[type=number]")
        keys.press("Control+a")
        keys.type(str(match["target"]))
        keys.press("Enter")

    def out(self, match: dict[str, Any], seat: int | None) -> None:
        self.person.tab_to(".entry fieldset:first-of-type input")
        self.page.keyboard.press("Space")
        for _ in range(match["players"] if seat is None else seat):
            self.page.keyboard.press("ArrowRight")

    def turn_over(self) -> None:
        self.person.tab_to("input[name$=side]")
        self.page.keyboard.press("ArrowRight")

    def hand(self, seat: int, symbols: list[str]) -> None:
        self.person.tab_to("[role=toolbar] button")
        super().hand(seat, symbols)

    def add(self, symbol: str) -> None:
        page = self.page
        if symbol.isdigit():
            return page.keyboard.press(symbol)
        page.keyboard.press("End")
        for _ in range(20):
            if page.evaluate("document.activeElement.querySelector('svg').dataset.face").endswith(symbol):
                return page.keyboard.press("Enter")
            page.keyboard.press("ArrowLeft")
        raise AssertionError(f"arrows never come to {symbol}")


def totals(window: Window, players: int) -> list[int]:
    rows = window.page.locator(".board li .total")
    expect(rows).to_have_count(players)
    return [int(str(text).split()[-2].replace(",", "")) for text in rows.all_inner_texts()]


def play(somebody: PadFingers, match: dict[str, Any]) -> None:
    """The match of the rules on the pad: after every round the scores are those of the rules."""
    page = somebody.page
    somebody.start(match)
    for told in match["rounds"]:
        somebody.enter(match, told)
        if match["scoring"] != "quick":
            expect(page.locator(".board li .total").first).to_contain_text(f"{told['scores'][0]:,}")
            assert totals(somebody.window, match["players"]) == told["scores"]
    winners = " and ".join(NAMES[seat] for seat in match["rounds"][-1]["winners"])
    expect(page.get_by_role("heading", name=f"{winners} won the match")).to_be_visible()


def test_a_match_by_fingers_alone_on_a_small_phone(server: str, open_window: Callable[..., Window]) -> None:
    window = open_window(360, 640, touch=True, fresh=True)
    window.page.add_init_script(NO_KEYS + NO_MOUSE)
    window.page.goto(server)
    window.page.get_by_role("link", name="Score pad").tap()
    match = match_of("mild-wild", "points")
    play(PadFingers(window), match)
    window.fits()
    window.accessible()
    window.page.get_by_role("button", name="New match, same players").tap()
    expect(window.page.get_by_label(NAMES[match["players"] - 1])).to_be_attached()
    expect(window.page.locator(".entry h2")).to_have_text("Round 1")


def test_a_match_by_keys_alone(server: str, open_window: Callable[..., Window]) -> None:
    window = open_window(fresh=True)
    window.page.add_init_script(NO_POINTER)
    window.page.goto(f"{server}/#/pad")
    window.page.wait_for_selector(".names input")
    play(PadKeys(window), match_of("classic", "lowest"))
    window.accessible()


def test_ten_players_and_the_quick_way(server: str, open_window: Callable[..., Window]) -> None:
    window = open_window(360, 640, touch=True)
    window.page.goto(f"{server}/#/pad")
    play(PadFingers(window), match_of("mild-wild", "quick"))


@pytest.mark.parametrize("language", ["en-US", "es-AR"])
def test_the_pad_fits_every_size_on_both_sides(server: str, open_window: Callable[..., Window], language: str) -> None:
    window = open_window(360, 640, language, touch=True)
    page = window.page
    page.goto(f"{server}/#/pad")
    names = ["Wilhelmina-Alexandra", *NAMES[1:]]
    start = {"do": "start", "names": names, "edition": "classic", "scoring": "points", "target": 1000, "dealer": 0}
    cards = [{"do": "add", "seat": seat, "symbol": symbol} for seat in (1, 2) for symbol in "11122233347"]
    for side in ("light", "dark"):
        actions = [start, {"do": "side", "side": side}, {"do": "out", "seat": 0}, *cards]
        page.evaluate("text => localStorage.setItem('score pad', text)", json.dumps(actions))
        page.reload()
        page.wait_for_selector("button.key")
        page.wait_for_function("side => document.documentElement.dataset.side === side", arg=side)
        for width, height in SIZES:
            window.resize(width, height)
            page.wait_for_function(STILL)
            window.fits()
            for_fingers(page)
            assert page.evaluate(SMALL_CHIPS) == 0, (width, height)
            assert page.evaluate(COVERED) == [], (width, height)
        window.accessible()
    for section in ("cards", "rules"):
        page.goto(f"{server}/#/pad/{section}")
        page.wait_for_selector(".answer, .chapters")
        for width, height in SIZES:
            window.resize(width, height)
            window.fits()
            for_fingers(page)
        window.accessible()


def test_the_scores_outlive_a_reload_and_several_steps_can_be_undone(
    server: str, open_window: Callable[..., Window]
) -> None:
    window = open_window()
    page = window.page
    page.goto(f"{server}/#/pad")
    page.get_by_label("Name of player 1").fill("Ana")
    page.reload()
    expect(page.get_by_label("Name of player 1")).to_have_value("Ana")  # the form too
    page.get_by_role("button", name="Start").click()
    page.locator(".entry .chip").first.click()
    page.locator("button.key").nth(6).click()
    page.reload()
    expect(page.locator(".entry .chip", has_text="Player 2").last).to_have_text(re.compile(r"Player 2\s+7"))
    for what in ("7 of Player 2", "who went out", "the new match"):
        page.get_by_role("button", name=f"Undo: {what}").click()
    expect(page.get_by_label("Name of player 1")).to_have_value("Ana")


def test_a_pad_that_is_damaged_is_told_and_begun_anew(server: str, open_window: Callable[..., Window]) -> None:
    window = open_window()
    page = window.page
    page.goto(server)
    page.evaluate("localStorage.setItem('score pad', '[{\"do\":\"record\"}]')")
    page.goto(f"{server}/#/pad")
    expect(page.get_by_role("alert")).to_contain_text("could not be read")
    window.accessible()
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("alert")).to_have_count(0)
    page.reload()
    expect(page.locator(".entry")).to_be_visible()


def test_two_tabs_show_the_same_pad(server: str, open_window: Callable[..., Window]) -> None:
    window = open_window(fresh=True)
    page = window.page
    page.goto(f"{server}/#/pad")
    other = page.context.new_page()
    other.goto(f"{server}/#/pad")
    page.get_by_role("button", name="Start").click()
    expect(other.locator(".entry")).to_be_visible()
    other.close()


def test_what_a_card_does_is_told_for_the_edition_of_the_pad(server: str, open_window: Callable[..., Window]) -> None:
    window = open_window(360, 640, touch=True)
    page = window.page
    page.goto(f"{server}/#/pad")
    page.get_by_label("Edition").select_option("splash")
    page.get_by_role("button", name="Start").tap()
    page.get_by_role("link", name="Cards").tap()
    page.get_by_role("button", name="Wild Draw Color, Dark side").tap()
    answer = page.locator(".answer")
    expect(answer).to_contain_text("is shown to everyone. ACT-8")
    expect(answer).to_contain_text("Classic and Mild / Wild: The card that ends the drawing is not shown.")
    page.get_by_role("link", name="Scores").tap()
    expect(page.locator(".entry")).to_be_visible()
