"""For those who listen: every event of a match is announced once, in words; UNO and one's own turn interrupt."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from flipdeck.i18n import catalogue
from flipdeck.i18n.happenings import together

from .playing import Person
from .staging import make_table
from .watching import Window

# What is added to either live region, in order; and every message of the line, as the page gets it.
LISTEN = """
  window.heard = []; window.alerts = []; window.told = [];
  const Socket = window.WebSocket;
  window.WebSocket = class extends Socket {
    constructor(...all) { super(...all); this.addEventListener('message', ({ data }) => window.told.push(data)); }
  };
  new MutationObserver((changes) => {
    for (const { addedNodes, target } of changes)
      for (const node of addedNodes) {
        const region = (node.nodeType === 1 ? node : node.parentElement)?.closest('[aria-live]');
        const text = (node.textContent || '').trim();
        if (!region || !text || node === region || node.contains?.(region)) continue;
        (region.getAttribute('aria-live') === 'polite' ? window.heard : window.alerts).push(text);
      }
  }).observe(document, { childList: true, subtree: true });
"""


REFUSED = ("You can’t", "It is not", "The table has moved on")  # somebody was too quick, or did it again


def test_every_event_is_announced_once_and_in_order(server: str, open_window: Callable[..., Window]) -> None:
    window = open_window(fresh=True)
    page = window.page
    page.add_init_script(LISTEN)
    ana = Person(window)
    short = {"hand_size": 4, "target": 40}
    ana.sit(server, make_table(server, "Ana", bots={"1": "casual"}, start=True, seats=2, options=short))
    ana.play()
    told = [json.loads(text) for text in page.evaluate("window.told")]
    heard, alerts = page.evaluate("window.heard"), page.evaluate("window.alerts")
    words = catalogue("en")
    names = [seat["name"] for seat in next(m["table"] for m in told if m["type"] == "welcome")["seats"]]
    updates = [message for message in told if message["type"] == "update"]
    told_in = [(event, message) for message in updates for event in together(message["events"])]
    events = [event for event, _ in told_in]
    drawn = [event for event, message in told_in if is_in_prompt(event, message)]
    rest = [event for event, message in told_in if not is_in_prompt(event, message)]
    polite = [event for event in rest if event["event"] not in ("said_uno", "laid_open")]
    log = [text for text in heard if not text.startswith(REFUSED)]
    assert len(log) == len(polite)
    for event, text in zip(polite, log, strict=True):
        assert announced(words.event(event, 0, names), event, text), (event, text)
    unos = [words.event(event, 0, names) for event in events if event["event"] == "said_uno"]
    assert unos
    assert sum(alert.count("said UNO!") for alert in alerts) == len(unos)
    assert any("Your turn" in alert for alert in alerts)
    assert sum("You drew" in alert for alert in alerts) == len(drawn)


def is_in_prompt(event: Mapping[str, Any], message: Mapping[str, Any]) -> bool:
    """A card of one's own that was just drawn: the prompt names it, and is announced."""
    return event["event"] == "drew" and event["seat"] == 0 and message["view"]["drawn"] is not None


def announced(sentence: str, event: Mapping[str, Any], text: str) -> bool:
    """The sentence of the log; a flip, or a card on another side than the one before, has the side with it."""
    if event["event"] == "flipped":
        return text.startswith(("You flipped everything", sentence.split(" flipped")[0]))
    return text == sentence or text.endswith((f": {sentence}", f": {sentence[0].lower()}{sentence[1:]}"))
