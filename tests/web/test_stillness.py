"""Nothing jumps: the browser counts no layout shift while the page loads, nor in a round of play.

What follows within half a second of a click or a key counts as wanted, says the browser.  Here the page is played by
clicks that no browser takes for those of a person, so that everything counts.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator

from .playing import Person
from .staging import make_table
from .watching import STILL, Window

# The cards of one's own hand make room for each other, which is motion and no jump.
SHIFTS = """
  window.shifts = [];
  const element = (node) => (node?.nodeType === 1 ? node : node?.parentElement);
  const told = ({ node, previousRect: from, currentRect: to }) =>
    `${element(node)?.localName}.${element(node)?.getAttribute('class')} ${node?.textContent?.trim().slice(0, 40)}: ` +
    `${from.x}, ${from.y} to ${to.x}, ${to.y}`;
  new PerformanceObserver((list) => {
    for (const { sources, hadRecentInput, value } of list.getEntries()) {
      const jumped = sources.filter(({ node }) => !element(node)?.closest('.fan'));
      if (!hadRecentInput && jumped.length) window.shifts.push(`${value.toFixed(5)}: ${jumped.map(told).join('; ')}`);
    }
  }).observe({ type: 'layout-shift', buffered: true });
"""
SHIFTED = "window.shifts.splice(0)"
# A sentence that comes in above others, which have to move: that is noticed.
A_JUMP = """() => document.querySelector('.seats li, main > *').before(document.createElement('hr'))"""


class UnseenHand(Person):
    """Presses buttons by the page's own means: the browser sees no input."""

    def hit(self, button: Locator, patience: float) -> None:
        button.evaluate("button => button.click()", timeout=patience)


@pytest.mark.parametrize(("width", "height", "still"), [(360, 640, False), (740, 360, True), (1280, 800, True)])
def test_nothing_jumps_while_the_page_loads_and_a_round_is_played(
    server: str, open_window: Callable[..., Window], width: int, height: int, still: bool
) -> None:
    window = open_window(width, height, still=still, fresh=True)
    ana, page = UnseenHand(window), window.page
    page.add_init_script(SHIFTS)
    page.goto(server)
    page.wait_for_load_state("networkidle")
    window.drawn()
    assert page.evaluate(SHIFTED) == []
    bots = {"1": "casual", "2": "casual", "3": "casual"}
    ana.sit(server, make_table(server, "Ana", bots=bots, seats=4))
    page.wait_for_load_state("networkidle")
    window.drawn()
    assert page.evaluate(SHIFTED) == []
    page.evaluate(A_JUMP)
    window.drawn()
    assert page.evaluate(SHIFTED) != [], "this would not be noticed"
    ana.sit(server, make_table(server, "Ana", bots=bots, seats=4, start=True, options={"hand_size": 3}))
    ana.play(until="results")
    page.wait_for_function(STILL)
    assert page.evaluate(SHIFTED) == []
