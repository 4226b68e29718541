"""For those who listen: every event of a match is announced once, in words; UNO and one's own turn interrupt."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from playwright.sync_api import Page

from flipdeck.i18n import catalogue
from flipdeck.i18n.catalogue import Catalogue
from tests.cli.processes import ask

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
    seated = make_table(server, "Ana", bots={"1": "casual"}, seats=2, options=short)
    ana.sit(server, seated)
    page.get_by_role("button", name="Deal the cards").click()
    ana.play()
    told = [json.loads(text) for text in page.evaluate("window.told")]
    heard, alerts = page.evaluate("window.heard"), page.evaluate("window.alerts")
    words = catalogue("en")
    names = [seat["name"] for seat in next(m["table"] for m in told if m["type"] == "welcome")["seats"]]
    updates = [message for message in told if message["type"] == "update"]
    events = [event for message in updates for event in message["events"]]
    assert events == events_of_match(server, page), "the match had others"
    drawn = [message for message in updates if is_in_prompt(message)]
    expected = [facts for message in updates if message not in drawn for facts in lines_of(message, names, words)]
    log = [text for text in heard if not text.startswith(REFUSED)]
    assert len(log) == len(expected)
    for facts, text in zip(expected, log, strict=True):
        assert all(fact.lower() in text.lower() for fact in facts), (facts, text)
    unos = [words.event(event, 0, names) for event in events if event["event"] == "said_uno"]
    assert unos
    assert sum(alert.count("said UNO!") for alert in alerts) == len(unos)
    assert any("Your turn" in alert for alert in alerts)
    assert sum("You drew" in alert for alert in alerts) == len(drawn)


def is_in_prompt(message: Mapping[str, Any]) -> bool:
    """A card of one's own that was just drawn: the prompt names it, and is announced."""
    events = message["events"]
    return (
        len(events) == 1 and events[0]["event"] == "drew" and events[0]["seat"] == 0 and bool(message["view"]["drawn"])
    )


def lines_of(message: Mapping[str, Any], names: Sequence[str], words: Catalogue) -> Iterator[list[str]]:
    """What each line about a version has to say: hands that are dealt one by one, all the rest in one sentence.

    Of the cards that chose the dealer, the one that did is named.
    """
    apart = ("dealer_card", "dealt", "said_uno", "laid_open")
    events = message["events"]
    rest = [event for event in events if event["event"] not in apart]
    for event in events:
        if event["event"] == "dealt":
            yield [names[event["seat"]] if event["seat"] else "you"]
    if rest:
        yield [fact for event in (*rest, *dealer_card(events)) for fact in facts_of(event, names, words)]


def dealer_card(events: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    chosen = [event["seat"] for event in events if event["event"] == "dealer_chosen"]
    return [event for event in events if event["event"] == "dealer_card" and event["seat"] in chosen][-1:]


def events_of_match(server: str, page: Page) -> list[dict[str, Any]]:
    """As its replay has them for seat 0, from the first card to the last."""
    name = str(page.get_by_role("link", name="Watch the replay").get_attribute("href")).split("/")[-1].split("?")[0]
    status, match = ask(f"{server}/api/replays/{name}/match")
    assert status == 200, match
    events: list[dict[str, Any]] = []
    for number in range(1, len(match["rounds"]) + 1):
        status, played = ask(f"{server}/api/replays/{name}/rounds/{number}?seat=0")
        assert status == 200, played
        events += [event for step in played["steps"] for event in step["events"]]
    return events


def facts_of(event: Mapping[str, Any], names: Sequence[str], words: Catalogue) -> Iterator[str]:
    """The card as far as one may know it, the color, and who it is about."""
    if "card" in event:
        front = event["card"].split("/")[event["side"] == "dark"]
        if front != "?":
            yield words.face(front)
    if "color" in event:
        yield words.color(event["color"])
    if event["event"] in SAID_SO:
        yield SAID_SO[event["event"]]
    elif "seat" in event and event["event"] not in ("flipped", "turned_up", "returned"):
        yield names[event["seat"]] if event["seat"] else "you"


SAID_SO = {"reversed": "play now goes to the", "found_guilty": "it was a bluff", "found_innocent": "it was no bluff",
           "skipped": "miss", "kept": "keep", "went_out": "out", "scored": "score", "won": "win",
           "reshuffled": "new draw pile"}  # fmt: skip
