"""Somebody who plays in a window, by clicks or by keys alone.  They do what the page offers, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from playwright.sync_api import Locator, Page, expect
from playwright.sync_api import TimeoutError as TooSlow

from .watching import PATIENCE, Window

MOST_STEPS = 600
SHORT = 2_000  # milliseconds until somebody who plays looks again: a button may be gone, since others play too
LONG = 10_000  # … until they do again what seems to have had no effect
LOOK = 60  # … between two looks; to look at every frame keeps a core busy

# What there is to do, as somebody sees it; null: nothing, wait.
OFFERED = """() => {
  const open = (each) => each.getClientRects().length > 0 && !each.disabled && each.ariaDisabled !== 'true';
  const button = (where, name) =>
    [...document.querySelectorAll(where + ' button')].find((each) => open(each) && name.test(each.textContent));
  if (button('.results', /Rematch|Revancha/)) return 'over';
  if (button('.results', /^\\s*(Ready|Listo)/)) return 'ready';
  if (button('.actions', /^\\s*(Show the results|Mostrar|Ver los)/)) return 'results';
  if (document.querySelector('.bar .note')) return 'note';
  const cards = [...document.querySelectorAll('.hand .fan button')];
  const places = cards.flatMap((card, place) => (card.ariaDisabled === 'false' ? [place] : []));
  const uno = document.querySelector('button.uno');
  if (uno && uno.ariaPressed !== 'true' && (places.length || uno.ariaPressed === null)) return 'uno';
  if (document.querySelector('.bar .colors')) return 'color';
  if (places.length) return 'card ' + places[places.length - 1];
  const turn = document.querySelector('.prompt.mine');
  if (turn && button('.bar .main', /Accept|Acept/)) return 'accept';
  if (turn && button('.bar .main', /Keep|Qued/)) return 'keep';
  if (turn && button('.bar .main', /Draw|Pass|Toma|Roba|Pasa/)) return 'draw';
  return null;
}"""
HELD = "[...document.querySelectorAll('.hand .fan button')].map((each) => each.ariaLabel).join()"


class Person:
    def __init__(self, window: Window) -> None:
        self.window = window
        self.page: Page = window.page

    # ------------------------------------------------------------ getting there
    def sit(self, address: str, seated: dict[str, Any]) -> None:
        """With a seat that was got elsewhere."""
        code = str(seated["code"]).replace("-", "")
        self.page.goto(address)
        self.page.evaluate("([code, token]) => localStorage.setItem('seat ' + code, token)", [code, seated["token"]])
        self.page.goto(f"{address}/#/table/{seated['code']}")
        self.page.wait_for_selector(".table, .fan, .seats")

    # ------------------------------------------------------------ looking
    def hand(self) -> list[str]:
        """The accessible names of one's own cards."""
        return [
            str(name)
            for name in self.page.locator(".hand .fan button").evaluate_all("all => all.map(e => e.ariaLabel)")
        ]

    def holds_more_than(self, count: int) -> None:
        self.page.wait_for_function(
            "n => document.querySelectorAll('.hand .fan button').length > n", arg=count, polling=LOOK
        )

    def log(self) -> list[str]:
        return [text.strip() for text in self.page.locator("aside li, .log li").all_inner_texts()]

    def announced(self) -> list[str]:
        return [text.strip() for text in self.page.locator("[role=log][aria-live=polite] p").all_inner_texts()]

    # ------------------------------------------------------------ doing
    def play(self, until: str = "over", keys: bool = False, watched: Sequence[Callable[[], None]] = ()) -> int:
        """Do what is offered until the match is over (or something else is); how much was done."""
        for step in range(MOST_STEPS):
            offered = self.offered()
            for look in watched:
                look()
            if offered.split()[0] == until:
                return step
            try:
                self.press(offered) if keys else self.click(offered, SHORT, LONG)
            except TooSlow:  # it is gone: others play too
                continue
        raise AssertionError(f"not over after {MOST_STEPS} steps")

    def offered(self) -> str:
        """What there is to do, as soon as there is something."""
        return str(self.page.wait_for_function(OFFERED, polling=LOOK).json_value())

    def hit(self, button: Locator, patience: float) -> None:
        """With a mouse; somebody else may have none."""
        button.click(timeout=patience)

    def click(self, offered: str, patience: float = PATIENCE, until_changed: float = PATIENCE) -> None:
        page, (what, *place) = self.page, offered.split()
        held = str(page.evaluate(HELD))
        if what == "card":
            self.hit(page.locator(".hand .fan button").nth(int(place[0])), patience)
        elif what == "color":
            self.hit(page.locator(".bar .colors button").first, patience)
        elif what == "ready":
            self.hit(page.locator(".results footer button.strong"), patience)
        elif what == "results":  # of a round that is still being looked at
            self.hit(page.locator(".actions .main button.strong"), patience)
        elif what == "note":
            self.hit(page.locator(".bar .note button"), patience)
        elif what == "uno":
            self.hit(page.locator("button.uno"), patience)
        else:
            self.hit(page.locator(".bar .main button").first, patience)
        self._settled(offered, held, until_changed)

    def press(self, offered: str) -> None:
        page, (what, *place) = self.page, offered.split()
        held = str(page.evaluate(HELD))
        keys = {"color": "1", "uno": "u", "accept": "a", "draw": "d", "keep": "k", "note": "Escape"}
        if what == "card":
            page.keyboard.press("Home")  # within the hand it goes to the first card; elsewhere an arrow finds the hand
            if not page.evaluate("document.activeElement?.closest('.hand .fan') !== null"):
                page.keyboard.press("ArrowRight")
                self._go_to_hand()
                page.keyboard.press("Home")
            for _ in range(int(place[0])):
                page.keyboard.press("ArrowRight")
            page.keyboard.press("Enter")
        elif what in ("ready", "results"):
            self.tab_to(".results footer button.strong" if what == "ready" else ".actions .main button.strong")
            page.keyboard.press("Enter")
        else:
            page.keyboard.press(keys[what])
        self._settled(offered, held, LONG)

    def _go_to_hand(self) -> None:
        if not self.page.evaluate("document.activeElement?.closest('.hand .fan') !== null"):
            self.tab_to(".hand .fan button[tabindex='0']")

    def tab_to(self, selector: str) -> None:
        for _ in range(80):
            if self.page.evaluate("selector => document.activeElement?.matches(selector) ?? false", selector):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab never comes to {selector}")

    def _settled(self, done: str, held: str, patience: float) -> None:
        """Something else is offered or held, or the same for a while: somebody who sees no change tries again."""
        changed = f"([done, held]) => ({OFFERED})() !== done || {HELD} !== held"
        try:
            self.page.wait_for_function(changed, arg=[done, held], timeout=patience, polling=LOOK)
        except TooSlow:
            return


class Toucher(Person):
    """With fingers alone."""

    def hit(self, button: Locator, patience: float) -> None:
        button.tap(timeout=patience)


def says(page: Page, text: str) -> None:
    expect(page.get_by_text(text).first).to_be_visible()
