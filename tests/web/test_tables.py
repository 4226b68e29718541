"""Several people at one table, each seeing just what they may; reloads and restarts in the middle, and nothing lost."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Route, expect

from flipdeck.core.match import Match
from flipdeck.core.view import Phase
from tests.cli.processes import ask

from .playing import Person, says
from .staged import StagedServers
from .staging import Stage, join, make_table, scene
from .watching import Window

BACK = re.compile(r", ([^,]+) on the back")


def backs_of(person: Person) -> list[str]:
    """The other sides of one's own cards, as one is told them oneself."""
    found = [BACK.search(name) for name in person.hand()]
    assert all(found), person.hand()
    return [each[1] for each in found if each]


def shown_of(person: Person, name: str) -> str:
    """What the page says of somebody else at the table."""
    words = person.page.locator("[aria-haspopup=dialog]").evaluate_all(
        "all => all.map(each => each.ariaLabel || each.textContent)"
    )
    (found,) = [str(text) for text in words if str(text).strip().startswith(name)]
    return found


def test_two_people_and_a_spectator_see_just_what_they_may(server: str, open_window: Callable[..., Window]) -> None:
    seated = make_table(server, "Ana", seats=2)
    ana, ben, eve = (Person(open_window()) for _ in range(3))
    ana.sit(server, seated)
    says(ana.page, "Invite others")
    ana.window.accessible()

    ben.page.goto(f"{server}/#/table/{seated['code']}")
    ben.window.accessible()
    ben.page.get_by_label("Your name").fill("Ben")
    ben.page.get_by_role("button", name="Sit down").click()
    ana.page.get_by_role("button", name="Deal the cards").click()
    for person in (ana, ben):
        person.page.wait_for_selector(".hand .fan button")
    eve.page.goto(f"{server}/#/table/{seated['code']}")
    eve.page.get_by_role("button", name="Watch").click()
    says(eve.page, "You are watching.")
    eve.window.accessible()
    assert eve.page.locator(".hand .fan button").count() == 0

    for looker in (ben, eve):  # the backs of a hand are what everybody else sees, in the same order
        told = shown_of(looker, "Ana")
        assert ", ".join(backs_of(ana)[:-1]) in told
        assert backs_of(ana)[-1] in told
    whole = {who: set(hand_of(who)) for who in (ana, ben)}
    for looker in (ben, eve):  # no whole card of hers has come over the line, and no front of one is in the page
        hidden = whole[ana] - whole.get(looker, set())
        assert len(hidden) >= 5
        assert not [card for card in hidden if any(f'"{card}"' in frame for frame in looker.window.frames)]
        assert "light side" not in shown_of(looker, "Ana")
    eve.page.reload()  # who looks on is not asked again
    says(eve.page, "You are watching.")


def hand_of(person: Person) -> list[str]:
    """The whole cards of somebody's hand, as their own line told them last."""
    views = [json.loads(frame).get("view") for frame in person.window.frames if '"hand"' in frame]
    return [str(card) for card in [view for view in views if view][-1]["hand"]]


def quiet_turn(match: Match) -> bool:
    """Seat 0 may play or draw, and has nothing else to decide."""
    return match.to_act == 0 and match.view(0).phase is Phase.TURN


def draw(person: Person) -> None:
    held = len(person.hand())
    person.page.locator(".bar .main button", has_text="Draw").click()
    person.holds_more_than(held)
    person.page.get_by_role("button", name="Keep it").click()


def test_a_reload_in_the_middle_loses_nothing(stage: Stage) -> None:
    ana, ben, _ = stage(scene(quiet_turn))
    for _ in range(2):
        ana.page.wait_for_selector(".prompt.mine")
        hand, log = ana.hand(), ana.log()
        ana.page.reload()
        ana.page.wait_for_selector(".prompt.mine")
        assert [name.split(", can")[0] for name in ana.hand()] == [name.split(", can")[0] for name in hand]
        assert ana.log()[: len(log)] == log  # the whole story is told again
        draw(ana)
        ben.on_turn()
        ben.draw()


def test_a_restart_of_the_server_in_the_middle_loses_nothing(
    tmp_path: Path, servers: StagedServers, window: Window
) -> None:
    window.without_server = True
    data, ana, seed = tmp_path / "data", Person(window), scene(quiet_turn).seed.hex()
    address = servers.start(data, seed, 0)
    ana.sit(address, make_table(address, "Ana", bots={"1": "casual"}, start=True, seats=2))
    ana.page.wait_for_selector(".prompt.mine")
    hand = ana.hand()
    servers.end()  # killed
    says(ana.page, "The connection is lost.")
    ana.window.accessible()
    assert servers.start(data, seed, int(address.rpartition(":")[2])) == address
    expect(ana.page.get_by_text("The connection is lost.")).to_have_count(0)
    assert ana.hand() == hand
    draw(ana)
    servers.end()


def test_a_seat_that_moves_to_another_device_says_so_where_it_was(
    server: str, open_window: Callable[..., Window]
) -> None:
    seated = make_table(server, "Ana", bots={"1": "casual"}, start=True, seats=2)
    here, there = Person(open_window()), Person(open_window(390, 780))
    here.sit(server, seated)
    here.page.wait_for_selector(".hand .fan button")
    there.sit(server, seated)
    there.page.wait_for_selector(".hand .fan button")
    says(here.page, "You are playing elsewhere")
    here.window.accessible()
    here.page.get_by_role("button", name="Play here").click()
    here.page.wait_for_selector(".hand .fan button")
    says(there.page, "You are playing elsewhere")


def test_hostile_names_and_words_are_only_text(server: str, window: Window) -> None:
    seated = make_table(server, "Ana", seats=2)
    join(server, seated["code"], "<img src=x onerror=alert(1)>")
    ana = Person(window)
    ana.sit(server, seated)
    says(ana.page, "<img src=x")
    assert ana.page.locator("img[src=x]").count() == 0


def test_who_sits_down_and_hears_no_answer_has_one_seat(server: str, open_window: Callable[..., Window]) -> None:
    code = make_table(server, "Ana", seats=3)["code"]
    window = open_window()
    window.without_server = True
    asked: list[int] = []

    def lose_the_first_answer(route: Route) -> None:
        asked.append(route.fetch().status)  # the server has heard it, and done it
        route.abort("connectionreset") if len(asked) == 1 else route.continue_()

    window.page.route("**/seats*", lose_the_first_answer)
    window.page.goto(f"{server}/#/table/{code}")
    window.page.get_by_label("Your name").fill("Ben")
    window.page.get_by_role("button", name="Sit down").click()
    says(window.page, "Invite others")
    assert asked == [201, 201]
    _, table = ask(f"{server}/api/tables/{code}")
    assert [seat["name"] for seat in table["seats"]] == ["Ana", "Ben", None]
