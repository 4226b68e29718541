"""Moments that don't come by themselves: found by their seed, played in a browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from flipdeck.core.match import Match
from flipdeck.core.view import Phase
from tests.cli.processes import Process
from tests.random_matches import copy_of

from .playing import Person, says
from .staging import Scene, Seat, join, lead, line_to, make_table, scene
from .watching import Window

Stage = Callable[..., tuple[Person, Seat, Seat]]


@pytest.fixture
def stage(tmp_path: Path, open_window: Callable[..., Window]) -> Iterator[Stage]:
    """A table for two at the point of the scene: a browser in seat 0, people without one in seat 1 and looking on."""
    with ExitStack() as stack:

        def staged(wanted: Scene, **settings: Any) -> tuple[Person, Seat, Seat]:
            process = Process(tmp_path / "data", wanted.seed.hex(), "0", module="tests.web.staged")
            address = stack.enter_context(process).address()
            host = make_table(address, "Ana", seats=2, **settings)
            guest = join(address, host["code"], "Ben")
            ben = Seat(stack.enter_context(line_to(address)), host["code"], guest["token"])
            eve = Seat(stack.enter_context(line_to(address)), host["code"], None)
            ana = Person(open_window())
            ana.sit(address, host)
            ana.page.get_by_role("button", name="Deal the cards").click()
            ben.hear(lambda message: message["type"] == "update" and message["view"] is not None)
            lead([None, ben], wanted)
            ana.page.wait_for_selector(".hand .fan button")
            return ana, ben, eve

        yield staged


def plays(match: Match, seat: int, face: str) -> list[str]:
    """What a seat may play whose light face begins so, without a word of UNO."""
    return [text for text in map(str, match.legal(seat)) if text.startswith(face) and not text.endswith("!")]


def test_an_opening_wild_asks_for_its_color(stage: Stage) -> None:
    opening = scene(lambda match: match.to_act == 0 and match.view(0).phase is Phase.COLOR)
    ana, ben, _ = stage(opening)
    says(ana.page, "The wild on top needs a color.")
    ana.window.accessible()
    ana.page.locator(".colors button", has_text="green").click()
    ben.hear(lambda message: message["type"] == "update" and message["view"]["color"] == "G")
    expect(ana.page.get_by_role("region", name="The table")).to_contain_text("green")
    says(ana.page, "Your turn.")


def bluffed(match: Match) -> bool:
    """Seat 1 begins, can play a Wild Draw Two, and holds the color in force."""
    if match.to_act != 1 or not plays(match, 1, "W+2"):
        return False
    view = match.view(1)
    return view.color is not None and any(str(card).startswith(view.color.value) for card in view.hand)


def test_a_challenge_says_what_is_at_stake_and_shows_the_hand_to_the_challenger_only(stage: Stage) -> None:
    ana, ben, eve = stage(scene(bluffed))
    wild = next(move for move in ben.view["legal"] if move.startswith("W+2") and not move.endswith("!"))
    assert ben.say(wild)["type"] == "ack"
    says(ana.page, "Ben played Wild Draw Two on you.")
    says(ana.page, "You draw 2 cards and miss your turn.")
    ana.window.accessible()
    held = len(ben.view["hand"])
    ana.page.get_by_role("button", name="Challenge").click()
    says(ana.page, "shown only to you")
    says(ana.page, "You challenged Ben, who showed you")
    ana.window.accessible()
    ben.hear(lambda message: message["type"] == "update" and len(message["view"]["hand"]) > held - 1)
    eve.hear(lambda message: any(event["event"] == "challenged" for event in message.get("events", ())))
    (challenged,) = [event for event in eve.events if event["event"] == "challenged"]
    assert all(card.startswith("?/") for card in challenged["cards"])  # the backs, which everybody sees anyway
    ana.page.get_by_role("button", name="Put away").first.click()
    expect(ana.page.get_by_text("shown only to you")).to_have_count(0)


def number_of(match: Match, seat: int) -> bool:
    return any(text[1:2].isdigit() for text in plays(match, seat, ""))


def test_who_forgets_uno_can_be_caught_whatever_else_is_open(stage: Stage) -> None:
    options: dict[str, object] = {"hand_size": 2}
    ana, ben, _ = stage(
        scene(lambda match: match.to_act == 1 and number_of(match, 1), options=options), options=options
    )
    move = next(move for move in ben.view["legal"] if move[1:2].isdigit() and not move.endswith("!"))
    assert ben.say(move)["type"] == "ack"
    catching = ana.page.get_by_role("button", name="Catch Ben")
    catching.first.wait_for()
    ana.window.accessible()
    ana.page.keyboard.press("?")  # the help is open, and catching is still within reach
    ana.page.get_by_role("heading", name="Keys").or_(ana.page.get_by_text("Draw a card, or pass")).first.wait_for()
    ana.page.locator(".catches button").click()
    ben.hear(lambda message: message["type"] == "update" and len(message["view"]["hand"]) == 3)
    says(ana.page, "You caught Ben without UNO.")
    expect(catching).to_have_count(0)


def turns_up_a_wild(match: Match) -> bool:
    if match.to_act != 0 or match.view(0).phase is not Phase.TURN:
        return False
    for color in "RYGB":
        for move in plays(match, 0, f"{color}F"):
            after = copy_of(match)
            after.say(0, move)
            if after.to_act == 0 and after.view(0).phase is Phase.COLOR:
                return True
    return False


def test_a_flip_onto_a_wild_turns_the_room_over_and_asks_for_a_color(stage: Stage) -> None:
    ana, ben, _ = stage(scene(turns_up_a_wild))
    page = ana.page
    assert page.evaluate("document.documentElement.dataset.side") == "light"
    flips = page.locator('.hand .fan button[aria-disabled=false][aria-label*="Flip, light"]')
    flips.first.click()
    page.wait_for_function("() => document.documentElement.dataset.side === 'dark'")
    says(page, "The wild on top needs a color.")
    ana.window.accessible()
    page.locator(".colors button", has_text="teal").click()
    ben.hear(lambda message: message["type"] == "update" and message["view"]["color"] == "T")
    assert all("dark side" in name for name in ana.hand())


def test_uno_said_before_the_play_goes_with_it(stage: Stage) -> None:
    options: dict[str, object] = {"hand_size": 2}
    ready = scene(
        lambda match: match.to_act == 0 and any(t[1:2].isdigit() for t in plays(match, 0, "")), options=options
    )
    ana, ben, _ = stage(ready, options=options)
    place = ana.page.locator(".hand .fan button[aria-disabled=false]")
    ana.page.get_by_role("button", name="UNO!").click()
    says(ana.page, "UNO goes with your next card")
    place.first.click()
    ben.hear(lambda message: any(event["event"] == "said_uno" for event in message.get("events", ())))


@pytest.mark.parametrize(("width", "height"), [(360, 640), (640, 360), (1280, 800)])
def test_ten_players_are_all_there(server: str, open_window: Callable[..., Window], width: int, height: int) -> None:
    ana = Person(open_window(width, height, touch=width < 700))
    levels = {str(seat): "rookie" for seat in range(1, 10)}
    ana.sit(server, make_table(server, "Ana", bots=levels, start=True, seats=10, options={"hand_size": 7}))
    others = ana.page.locator("[aria-haspopup=dialog]:visible")
    expect(others).to_have_count(9)
    for number in range(9):
        box = others.nth(number).bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width + 1
        assert box["height"] >= 43
    assert ana.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    ana.window.accessible()
