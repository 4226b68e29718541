"""The values of players in the deal, seen in a browser: pledged, opened, checked; an alarm when one is left out."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from flipdeck.core.seeds import commitment_of, pledge_of
from tests.cli.processes import ask

from .playing import Person
from .staged import StagedServers
from .staging import SeatSocket, join, line_to, make_table
from .watching import Window

OWN = b"\7" * 32  # what a page of these tests adds
VALUE = b"v" * 32  # … and somebody without one
SHORT = {"hand_size": 3, "target": 1}
LOT = "values in the deal"


def pledge(seat: SeatSocket) -> None:
    digits = pledge_of(seat.table["fairness"]["commitment"], VALUE)
    assert seat.command("pledge", pledge=digits)["type"] == "ack"


def hear_phase(seat: SeatSocket, phase: str) -> None:
    while seat.table["phase"] != phase:
        seat.hear(lambda message: message["type"] == "update")


def deal(page: Page) -> None:
    page.get_by_role("button", name="Deal the cards").click()


def test_values_of_two_players_make_the_deal_and_the_page_finds_that_they_do(server: str, window: Window) -> None:
    with ExitStack() as stack:
        host = make_table(server, "Ana", seats=2, options=SHORT)
        ben = SeatSocket(stack.enter_context(line_to(server)), host["code"], join(server, host["code"], "Ben")["token"])
        pledge(ben)
        ana = Person(window)
        ana.sit(server, host)
        ben.hear(lambda message: message["type"] == "update" and all(message["table"]["fairness"]["pledges"]))
        deal(ana.page)
        hear_phase(ben, "starting")
        assert ben.command("open", value=VALUE.hex())["type"] == "ack"
        hear_phase(ben, "playing")
        assert ben.table["fairness"]["values"] == [OWN.hex(), VALUE.hex()]
        ana.page.wait_for_selector(".hand .fan button")
        expect(ana.page.locator(".alarm")).to_have_count(0)
        assert ben.command("leave")["type"] == "ack"  # a bot plays on
        ana.play()
        ana.page.locator(".results summary", has_text="Fair deal").click()
        expect(ana.page.get_by_text("The numbers of Ana and Ben are in the deal.")).to_be_visible()
        ana.page.get_by_role("button", name="Check it here").click()
        expect(ana.page.get_by_text("The match was dealt as promised.")).to_be_visible()
        expect(ana.page.get_by_text("made from the secret and the numbers that 2 players added")).to_be_visible()
        window.accessible()
        status, told = ask(f"{server}/api/tables/{host['code']}")
        assert status == 200
        assert commitment_of(bytes.fromhex(told["fairness"]["secret"])) == host["commitment"]


def test_who_does_not_open_is_named_to_all(server: str, window: Window) -> None:
    with ExitStack() as stack:
        host = make_table(server, "Ana", seats=2, options=SHORT)
        ben = SeatSocket(stack.enter_context(line_to(server)), host["code"], join(server, host["code"], "Ben")["token"])
        eve = SeatSocket(stack.enter_context(line_to(server)), host["code"], None)
        pledge(ben)
        ana = Person(window)
        ana.sit(server, host)
        ben.hear(lambda message: message["type"] == "update" and all(message["table"]["fairness"]["pledges"]))
        deal(ana.page)
        hear_phase(ben, "starting")
        expect(ana.page.get_by_text("The cards are being dealt")).to_be_visible()
        window.accessible()
        assert ben.command("leave")["type"] == "ack"
        ana.page.wait_for_selector(".hand .fan button")
        hear_phase(eve, "playing")
        assert eve.table["fairness"]["unopened"] == [1]
        assert any("Ben did not open the number" in line for line in ana.log())
        expect(ana.page.locator(".alarm")).to_have_count(0)


@pytest.mark.parametrize("deaf", [True, False])
def test_a_server_that_leaves_the_value_out_is_found_out_at_once(
    tmp_path: Path, servers: StagedServers, window: Window, deaf: bool
) -> None:
    with ExitStack() as stack:
        stack.callback(servers.end)
        stack.callback(window.leave)
        address = servers.start(tmp_path / "data", LOT, deaf=deaf)
        ana, page = Person(window), window.page
        ana.sit(address, make_table(address, "Ana", bots={"1": "rookie"}, seats=2))
        expect(page.get_by_role("button", name="Deal the cards")).to_be_enabled()
        deal(page)
        page.wait_for_selector(".hand .fan button")
        if not deaf:
            expect(page.locator(".alarm")).to_have_count(0)
            return
        expect(page.locator("[role=alert] .alarm")).to_contain_text("The number of this browser is not in the deal")
        window.accessible()
        page.reload()
        expect(page.locator("[role=alert] .alarm")).to_contain_text("The number of this browser is not in the deal")
        page.get_by_role("button", name="Close").click()
        expect(page.locator(".alarm")).to_have_count(0)
        assert ana.offered() is not None  # it covers nothing that is needed


def test_play_now_has_the_number_of_the_page_in_the_deal(server: str, window: Window) -> None:
    window.page.goto(server)
    window.page.get_by_role("button", name="Play now").click()
    window.page.wait_for_selector(".hand .fan button")
    assert any(f'"values":["{OWN.hex()}",' in frame for frame in window.frames)
    expect(window.page.locator(".alarm")).to_have_count(0)
