"""Moments that don't come by themselves: found by their seed, played in a browser."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from flipdeck.core.match import Match
from flipdeck.core.view import Phase
from tests.random_matches import copy_of

from .playing import Person, says
from .staging import Stage, make_table, plays, scene
from .watching import Window


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
    ana.window.accessible()
    ana.page.get_by_role("button", name="Bluff?").click()
    says(ana.page, "You draw 2 cards and miss your turn.")
    ana.window.accessible()
    held = len(ben.view["hand"])
    ana.page.get_by_role("button", name="Challenge").click()
    says(ana.page, "You challenged Ben, who showed you")
    ana.page.get_by_role("button", name="See hand").click()
    says(ana.page, "shown only to you")
    ana.window.accessible()
    ben.hear(lambda message: message["type"] == "update" and len(message["view"]["hand"]) > held - 1)
    eve.hear(lambda message: any(event["event"] == "challenged" for event in message.get("events", ())))
    (challenged,) = [event for event in eve.events if event["event"] == "challenged"]
    assert all(card.startswith("?/") for card in challenged["cards"])  # the backs, which everybody sees anyway
    ana.page.get_by_role("button", name="Close").first.click()
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
    expect(ana.page.get_by_role("button", name="UNO!")).to_have_attribute("aria-pressed", "true")
    place.first.click()
    ben.hear(lambda message: any(event["event"] == "said_uno" for event in message.get("events", ())))


def test_uno_can_still_be_said_after_the_play(stage: Stage) -> None:
    options: dict[str, object] = {"hand_size": 2}
    ana, ben, _ = stage(
        scene(lambda match: match.to_act == 0 and number_of(match, 0), options=options), options=options
    )
    numbers = ana.page.locator(".hand .fan button[aria-disabled=false]").filter(has_not_text="Wild")
    numbers.first.click()
    ben.on_turn()
    assert ben.view["catchable"] == [0]
    ana.page.get_by_role("button", name="UNO!").click()
    ben.hear(lambda message: any(event["event"] == "said_uno" for event in message.get("events", ())))
    assert ben.view["catchable"] == []


def wild_and_one_more(match: Match) -> bool:
    return match.to_act == 0 and match.view(0).phase is Phase.TURN and bool(plays(match, 0, "W"))


def test_a_wild_before_the_last_card_fits_on_a_phone_in_the_longest_words(stage: Stage) -> None:
    options: dict[str, object] = {"hand_size": 2}
    ana, _, _ = stage(
        scene(wild_and_one_more, options=options, edition="argentina"), options=options, edition="argentina"
    )
    page, window = ana.page, ana.window
    page.evaluate("localStorage.setItem('preferences', JSON.stringify({ language: 'es-AR' }))")
    page.reload()
    page.locator(".hand .fan button[aria-disabled=false][aria-label*=omodín]").first.click()
    for width, height in ((320, 256), (320, 640), (640, 360), (360, 640)):  # the first: 1280 by 1024, at 400 %
        window.resize(width, height)
        expect(page.locator(".bar .colors button")).to_have_count(4)
        window.fits()
        if height > 256:  # there one scrolls down
            expect(page.get_by_role("button", name="¡UNO!")).to_be_in_viewport(ratio=1)
            expect(page.locator(".bar .colors button").last).to_be_in_viewport(ratio=1)
    window.accessible()


def test_a_refused_play_is_taken_back_with_the_reason(stage: Stage) -> None:
    ana, _, _ = stage(scene(lambda match: match.to_act == 0 and match.view(0).phase is Phase.TURN), fresh=True)
    page = ana.page
    page.route_web_socket("**/ws*", lambda line: too_late(line, line.connect_to_server()))
    page.reload()
    page.wait_for_selector(".prompt.mine")
    before = ana.hand()
    page.locator(".bar .main button", has_text="Draw").click()
    says(page, "look again")
    ana.window.accessible()
    assert ana.hand() == before
    page.get_by_role("button", name="Close").click()
    page.locator(".bar .main button", has_text="Draw").click()  # now as it was meant
    ana.holds_more_than(len(before))


def too_late(line: WebSocketRoute, server: WebSocketRoute) -> None:
    """The first move is said as if it had been chosen from a view of long ago."""
    moves = 0

    def forward(message: str | bytes) -> None:
        nonlocal moves
        told = json.loads(message)
        if told["type"] == "move":
            moves += 1
            told["version"] = 1 if moves == 1 else told["version"]
        server.send(json.dumps(told))

    line.on_message(forward)


def draws_what_does_not_fit(match: Match) -> bool:
    if match.to_act != 0 or match.view(0).phase is not Phase.TURN:
        return False
    after = copy_of(match)
    after.say(0, "draw")
    return [str(move) for move in after.legal(0)] == ["keep"]


def test_a_drawn_card_that_does_not_fit_is_kept_by_itself_unless_one_wants_to_be_asked(stage: Stage) -> None:
    ana, ben, _ = stage(scene(draws_what_does_not_fit))
    page = ana.page
    prefer(page, askToKeep=True)
    page.wait_for_selector(".prompt.mine")
    page.locator(".bar .main button", has_text="Draw").click()
    says(page, "It doesn’t fit, so you keep it.")
    expect(page.locator(".hand .fan .unfit")).to_have_count(1)
    expect(page.locator(".bar .main button")).to_have_text(re.compile("Keep it"))
    ana.window.accessible()
    assert ben.view["to_act"] == 0
    prefer(page, askToKeep=False)  # and looks at the page again, in the middle of the decision
    ben.on_turn()
    assert [event["event"] for event in ben.events if event.get("seat") == 0][-2:] == ["drew", "kept"]
    expect(page.locator(".hand .fan .unfit")).to_have_count(0)


def prefer(page: Page, **preferences: object) -> None:
    page.evaluate("kept => localStorage.setItem('preferences', JSON.stringify(kept))", preferences)
    page.reload()


def draws_in_vain(match: Match) -> bool:
    """Seat 0 begins, and nobody is skipped or asked for a color while both draw and keep."""
    after = copy_of(match)
    for seat in (0, 1, 0):
        if after.to_act != seat or after.view(seat).phase is not Phase.TURN:
            return False
        after.say(seat, "draw")
        after.say(seat, "keep")
    return after.to_act == 1


def test_whose_time_runs_out_twice_finds_a_bot_in_their_place_and_takes_it_back(stage: Stage) -> None:
    ana, ben, _ = stage(scene(draws_in_vain), turn_seconds=1)
    ben.on_turn()
    ben.draw()
    while not ben.table["seats"][0]["sits_in"]:
        ben.hear(lambda message: message["type"] == "update")
    ben.on_turn()  # and so the bot has nothing to do, for as long as we look
    says(ana.page, "A bot is playing for you.")
    ana.window.accessible()
    expect(ana.page.locator(".actions .bar")).to_have_count(0)
    ana.page.get_by_role("button", name="I’m back", exact=True).click()
    expect(ana.page.get_by_text("A bot is playing for you.")).to_have_count(0)
    ben.draw()
    expect(ana.page.locator(".actions .bar")).to_be_visible()
    ana.window.accessible()


def test_between_rounds_the_results_lie_over_the_table(server: str, open_window: Callable[..., Window]) -> None:
    ana = Person(open_window(360, 640, touch=True))
    ana.sit(server, make_table(server, "Ana", bots={"1": "casual"}, start=True, seats=2, options={"hand_size": 3}))
    ana.play(until="ready")
    expect(ana.page.locator("#results-title")).to_contain_text("round 1")
    ana.window.accessible()
    ana.page.get_by_role("button", name="Show the table").click()
    ana.window.accessible()
    ana.page.get_by_role("button", name="Ready").click()
    ana.page.wait_for_selector(".results", state="detached")


@pytest.mark.parametrize(("width", "height"), [(360, 640), (640, 360), (1280, 800)])
def test_ten_players_are_all_there(server: str, open_window: Callable[..., Window], width: int, height: int) -> None:
    ana = Person(open_window(width, height, touch=width < 700))
    levels = {str(seat): "rookie" for seat in range(1, 10)}
    ana.sit(server, make_table(server, "Ana", bots=levels, start=True, seats=10, options={"hand_size": 7}))
    others = ana.page.locator("[aria-haspopup=dialog]:visible")
    expect(others).to_have_count(9)
    ana.window.drawn()
    for number in range(9):
        box = others.nth(number).bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width + 1
        assert box["height"] >= 43
    ana.window.fits()
    ana.window.accessible()
