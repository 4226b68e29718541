"""How it moves: a flip turns everything over, smoothly, and nothing jumps."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from flipdeck.core.match import Match
from flipdeck.core.view import Phase

from .playing import Person
from .staging import Stage, make_table, plays, scene
from .watching import STILL, Window

# What moves for more than a moment, and by which properties: noted when it begins, so that it does not matter how many
# frames there are of it.
WATCH = """() => {
  window.moved = {}; window.shifts = [];
  const element = (node) => (node?.nodeType === 1 ? node : node?.parentElement);
  const glides = ({ sources }) => element(sources[0]?.node)?.closest('.fan, .said');  // these come and go
  new PerformanceObserver((list) => {
    window.shifts.push(...list.getEntries().filter((each) => !glides(each)).map((each) => each.value));
  }).observe({ type: 'layout-shift', buffered: false });
  const long = ({ effect }) => effect.getTiming().duration > 400;  // ms
  const named = new Set(['offset', 'computedOffset', 'easing', 'composite']);
  const note = ({ effect }) => {
    for (const frame of effect.getKeyframes())
      for (const name of Object.keys(frame).filter((each) => !named.has(each)))
        (window.moved[name] ??= new Set()).add(effect.target.localName + '.' + effect.target.classList);
  };
  const { animate } = Element.prototype;
  Element.prototype.animate = function (...all) {
    const begun = animate.apply(this, all);
    if (long(begun)) note(begun);
    return begun;
  };
  for (const begins of ['transitionrun', 'animationstart'])
    document.addEventListener(begins, ({ target }) =>
      document.getAnimations().filter((each) => each.effect.target === target && long(each)).forEach(note), true);
}"""
MOVED = "() => Object.fromEntries(Object.entries(window.moved).map(([name, what]) => [name, [...what]]))"
FLIPS = '.hand .fan button[aria-disabled=false][aria-label*="Flip, light"]'
# What a browser can move without laying out or painting anything again.
SMOOTH = {"transform", "opacity"}
A_JUMP = 0.006  # of what a browser calls a layout shift: a word that is longer than the one before is less


def flips_to_a_number(match: Match) -> bool:
    """Seat 0 may play a Flip card."""
    return match.to_act == 0 and match.view(0).phase is Phase.TURN and any(plays(match, 0, f"{c}F") for c in "RYGB")


def test_a_flip_turns_everything_over_without_a_jump(stage: Stage) -> None:
    ana, _, _ = stage(scene(flips_to_a_number), still=False)
    page = ana.page
    page.wait_for_function(STILL)
    page.evaluate(WATCH)
    page.locator(FLIPS).first.click()
    page.wait_for_function("() => document.documentElement.dataset.side === 'dark'")
    page.wait_for_function(STILL)
    moved = page.evaluate(MOVED)
    assert "transform" in moved, "nothing has turned"
    assert moved.keys() <= SMOOTH, moved
    assert max(page.evaluate("window.shifts"), default=0) < A_JUMP
    assert all("dark side" in name for name in ana.hand())
    expect(page.locator(".flights > *")).to_have_count(0)


# A layer that moves has nothing painted where it comes into sight: the browser shows no frame at all until it has.
NOT_PAINTED = "AppendQuads checkerboard"
# Something that takes long to paint comes up edge on: that is noticed.
EDGE_ON = """() => {
  const slow = document.body.appendChild(document.createElement('div'));
  slow.style.cssText = 'position: fixed; inset: 0; z-index: 100';
  slow.style.background = Array(60).fill('repeating-conic-gradient(#0001 0 1deg, #fff1 2deg 3deg)').join();
  return slow.animate({ transform: ['perspective(60rem) rotateY(-90deg)', 'none'] }, 300).finished
    .then(() => slow.remove());
}"""


MOST_TIMES = 30


def frames_not_shown(page: Page, what: Callable[[], object]) -> int:
    """How often the browser had to wait for something to be painted, while this happened and until all was still."""
    browser = page.context.browser
    assert browser is not None
    browser.start_tracing(page=page, categories=["cc"])
    what()
    page.wait_for_function(STILL)
    return sum(NOT_PAINTED in event["name"] for event in json.loads(browser.stop_tracing())["traceEvents"])


def test_a_flip_never_waits_for_what_is_not_painted(stage: Stage) -> None:
    ana, _, _ = stage(scene(flips_to_a_number), still=False)
    page = ana.page
    page.wait_for_function(STILL)

    def flip() -> None:
        page.locator(FLIPS).first.click()
        page.wait_for_function("() => document.documentElement.dataset.side === 'dark'")

    assert frames_not_shown(page, flip) == 0
    # a machine that stands still for a moment may show no frame of it at all: then it is done again
    noticed = (frames_not_shown(page, lambda: page.evaluate(EDGE_ON)) > 0 for _ in range(MOST_TIMES))
    assert any(noticed), "this would not be noticed"


# The plate of somebody, and what is written on it.
PLATE = "(({ backgroundColor, color }) => [backgroundColor, color])(getComputedStyle(document.querySelector('.seat')))"
INK = f"""() => new MutationObserver(() => (window.ink = {PLATE}))
  .observe(document.documentElement, {{ attributes: true, attributeFilter: ['data-side'] }})"""


@pytest.mark.parametrize("still", [True, False])
def test_what_is_written_and_what_it_stands_on_change_at_once(stage: Stage, still: bool) -> None:
    ana, _, _ = stage(scene(flips_to_a_number), still=still)
    page = ana.page
    page.wait_for_function(STILL)
    before = page.evaluate(PLATE)
    page.evaluate(INK)
    page.locator(FLIPS).first.click()
    then = page.wait_for_function("() => window.ink").json_value()
    page.wait_for_function(STILL)
    assert then == page.evaluate(PLATE)
    assert all(one != other for one, other in zip(before, then, strict=True))


def test_a_match_with_all_its_motion_leaves_nothing_behind(server: str, open_window: Callable[..., Window]) -> None:
    ana = Person(open_window(still=False))
    short = {"hand_size": 3, "target": 1}
    ana.sit(server, make_table(server, "Ana", bots={"1": "casual"}, start=True, seats=2, options=short))
    ana.page.evaluate(WATCH)
    ana.play(watched=[ana.window.steady])
    ana.page.wait_for_function(STILL)
    assert max(ana.page.evaluate("window.shifts"), default=0) < A_JUMP
    expect(ana.page.locator(".flights > *")).to_have_count(0)
