"""A watcher in the page: after every change, what matters can be hit, and what is written fits the light of the room.

What is shown for the eyes alone (sentences, marks, bubbles) counts as something that covers.
"""

from __future__ import annotations

from playwright.sync_api import Page

from .watching import STILL

_WATCH = """() => {
  window.faults = new Set(); window.looked = 0; window.concluded = 0; window.lines = new Set();
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
    for (const each of all('.seat :is(.name, .count)').filter(seen))
      hit(each, each.closest('.seat'), `${each.className} ${each.textContent.trim()}`);
  };
  // Results lie over the table: then what they offer is what can be done, when they have come.
  const conclude = () => {
    const coming = document.getAnimations()
      .filter(({ playState, effect }) => playState === 'running' && effect.getTiming().iterations !== Infinity)
      .filter(({ effect }) => effect.target?.closest('.results'));
    if (coming.length) return void Promise.allSettled(coming.map(({ finished }) => finished)).then(look);
    window.concluded += 1;
    for (const each of all('.results footer button, .results header button').filter(seen))
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
    if (!document.querySelector('.hand .fan')) return;
    window.looked += 1;
    if (document.querySelector('.results')) return conclude();
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


def watch(page: Page) -> None:
    """From now on, until the page is left."""
    page.evaluate(_WATCH)


def nothing_was_out_of_reach(page: Page, least: int) -> None:
    """It has looked at least so often, at the results too, and found no fault."""
    page.wait_for_function(STILL)
    page.wait_for_function("() => window.concluded > 0")
    faults, looked = page.evaluate("[[...window.faults], window.looked]")
    assert not faults, "\n".join(faults)
    assert looked >= least, looked


def lines_shown(page: Page) -> list[str]:
    """Every sentence that stood beside the piles."""
    return [str(line) for line in page.evaluate("[...window.lines]")]
