"""At every step of whole matches, at five sizes: what matters can be seen and hit, and everything that happens is told.

A watcher in the page looks after every change of it: at the top card, at the hand, at whatever can be done, and at the
colors of what is written.  What is shown for the eyes alone counts as something that covers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from flipdeck.i18n import catalogue

from .playing import Person
from .staging import Stage, make_table, scene
from .test_scenes import bluffed
from .watching import STILL, Window

SHORT = {"hand_size": 3, "target": 1, "stacking": True}
SIZES = ((360, 640, False), (740, 360, True), (1280, 800, False), (1920, 1080, True), (2560, 1440, True))
WATCH = """() => {
  window.faults = new Set(); window.looked = 0; window.lines = new Set();
  const solid = new CSSStyleSheet();
  solid.replaceSync('.callouts p, .mark, .bubble { pointer-events: auto !important }');
  document.adoptedStyleSheets = [solid];
  const all = (selector) => [...document.querySelectorAll(selector)];
  const seen = (each) => each.checkVisibility({ visibilityProperty: true }) && each.getClientRects().length > 0;
  const named = (each) =>
    `${each?.className || each?.localName || 'the edge'} ${each?.textContent?.trim().slice(0, 30)}`;
  const hit = (each, within, what) => {
    const box = each.getBoundingClientRect();
    const at = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    if (!within.contains(at)) window.faults.add(`${what} is under ${named(at)}`);
  };
  const reach = () => {
    const pile = document.querySelector('.piles .pile:last-child');
    hit(pile, pile, 'the top card');
    const fan = document.querySelector('.hand .fan');
    const { left, right } = fan.getBoundingClientRect();
    for (const card of fan.querySelectorAll('button')) {
      const box = card.getBoundingClientRect(), x = box.x + Math.min(box.width, 40) / 2;
      const at = document.elementFromPoint(x, box.y + box.height / 2);
      if (x > left && x < right && !fan.contains(at)) window.faults.add(`${card.ariaLabel} is under ${named(at)}`);
    }
    for (const each of all('.actions button, .table > .bar button, button.catch, button.draw').filter(seen))
      hit(each, each, each.ariaLabel || each.textContent.trim());
  };

  const parts = (color) => {
    const n = color.match(/[\\d.]+/g).map(Number), unit = color.startsWith('color(') ? 255 : 1;
    return { rgb: n.slice(0, 3).map((v) => v * unit), alpha: n[3] ?? 1 };
  };
  const over = (top, below) => top.rgb.map((v, i) => v * top.alpha + below[i] * (1 - top.alpha));
  const luminance = (rgb) => rgb.map((v) => v / 255)
    .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (each) => {
    const room = document.body.dataset.light === 'dark' ? [13, 15, 28] : [246, 239, 226];
    const layers = [];
    for (let at = each; at && at !== document.body; at = at.parentElement)
      layers.unshift(parts(getComputedStyle(at).backgroundColor));
    return layers.reduce((below, layer) => over(layer, below), room);
  };
  const contrast = (each) => {
    const ground = behind(each), ink = over(parts(getComputedStyle(each).color), ground);
    const [light, dark] = [luminance(ground), luminance(ink)].sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  };
  const TEXT = '.prompt, .seat .name, .seat .count, .middle .color, .callouts p, .mark, .table > .bar p, .me .name';
  const read = () => {
    const running = document.getAnimations().filter((each) => each.playState === 'running');
    if (running.some(({ effect }) => effect.target === document.body)) return; // the light is changing
    const { side } = document.documentElement.dataset, { light } = document.body.dataset;
    if (side !== light) window.faults.add(`the text of the ${side} side in a ${light} room`);
    const moving = new Set(running.map(({ effect }) => effect.target));
    for (const each of all(TEXT).filter(seen))
      if (!moving.has(each) && contrast(each) < 4.5)
        window.faults.add(`${named(each)}: contrast ${contrast(each).toFixed(1)} in a ${light} room`);
  };

  const look = () => {
    due = false;
    if (!document.querySelector('.hand .fan') || document.querySelector('.results, dialog[open]')) return;
    window.looked += 1;
    reach();
    read();
  };
  let due = false;
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes)
      if (target.classList?.contains('callouts'))
        for (const { textContent } of addedNodes) window.lines.add(textContent);
    if (!due) requestAnimationFrame(look);
    due = true;
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
  look();
}"""


@pytest.mark.parametrize(("width", "height", "still"), SIZES)
def test_at_every_step_what_matters_can_be_hit_and_read(
    server: str, open_window: Callable[..., Window], width: int, height: int, still: bool
) -> None:
    window = open_window(width, height, still=still)
    ana, page = Person(window), window.page
    bots = {"1": "casual", "2": "casual", "3": "casual"}
    ana.sit(server, make_table(server, "Ana", bots=bots, seats=4, options=SHORT))
    page.evaluate(WATCH)
    page.get_by_role("button", name="Deal the cards").click()
    ana.play(until="results")
    page.wait_for_function(STILL)
    faults, looked = page.evaluate("[[...window.faults], window.looked]")
    assert faults == []
    assert looked > 10
    told = list(plays_told(window.frames))
    shown = page.evaluate("[...window.lines]")
    assert told
    assert [text for text in told if not any(text in line for line in shown)] == []


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
