"""How people come to a table: the link, the waiting room on a phone, what others are told of a name."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from .playing import Person, says
from .staging import SeatSocket, join, line_to, make_table
from .watching import Window

SIZES = ((360, 640), (740, 360), (1280, 800), (1920, 1080), (2560, 1440))


def test_an_invitation_leads_to_the_table_with_one_load(server: str, open_window: Callable[..., Window]) -> None:
    seated = make_table(server, "Ana", seats=3)
    window = open_window(360, 640)
    pages: list[str] = []
    window.page.on("request", lambda asked: pages.extend([asked.url] * asked.is_navigation_request()))
    window.page.goto(server + seated["invite"])
    window.page.get_by_label("Your name").fill("Ben")
    assert window.page.evaluate("location.href") == f"{server}/#/table/{seated['invite'].rpartition('/')[2]}"
    assert pages == [server + seated["invite"]]
    window.page.get_by_role("button", name="Sit down").click()
    says(window.page, "Waiting for Ana, who made this table")
    window.page.reload()
    says(window.page, "Waiting for Ana, who made this table")


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_waiting_room_fits_and_says_who_can_open_its_link(
    server: str, open_window: Callable[..., Window], size: tuple[int, int]
) -> None:
    seated = make_table(server, "Ana", seats=4)
    ana = Person(open_window(*size))
    ana.sit(server, seated)
    says(ana.page, "Only this computer can open this link.")
    expect(ana.page.get_by_text("flipdeck serve --lan")).to_be_visible()
    expect(ana.page.get_by_text(f"{server}{seated['invite']}")).to_be_visible()
    ana.window.fits()
    ana.window.accessible()


def test_on_a_phone_the_chat_is_above_the_picture_and_marks_what_is_unread(
    server: str, open_window: Callable[..., Window]
) -> None:
    seated = make_table(server, "Ana", seats=4)
    ana = Person(open_window(360, 640, touch=True))
    ana.sit(server, seated)
    chat, picture = ana.page.get_by_role("log"), ana.page.locator("img[width='176']")
    expect(picture).to_be_attached()
    order = chat.evaluate("(log, image) => log.compareDocumentPosition(image)", picture.element_handle())
    assert order & 4, "the picture follows the chat"
    ana.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    expect(chat).not_to_be_in_viewport()
    with line_to(server) as line:
        ben = SeatSocket(line, seated["code"], join(server, seated["code"], "Ben")["token"])
        for text in ("hello", "anybody there?"):
            ben._send(type="chat", text=text)
        mark = ana.page.get_by_role("button", name="2 new messages")
        expect(mark).to_be_visible()
        ana.window.accessible()
        mark.click()
        expect(chat).to_be_in_viewport()
        expect(mark).to_have_count(0)
        says(ana.page, "anybody there?")


def test_a_name_that_is_cut_says_so(server: str, open_window: Callable[..., Window]) -> None:
    seated = make_table(server, "Ana", seats=3)
    window = open_window(360, 640)
    window.page.goto(server + seated["invite"])
    name = window.page.get_by_label("Your name")
    name.fill("Maximiliano Alejandro")
    says(window.page, "A name has 20 letters at most; others see: Maximiliano Alejandr")
    expect(name).to_have_accessible_description("A name has 20 letters at most; others see: Maximiliano Alejandr")
    window.accessible()
    window.page.get_by_role("button", name="Sit down").click()
    expect(window.page.get_by_text("Maximiliano Alejandr", exact=True)).to_be_visible()
