"""What people see of the operator: a notice that stays until it is closed, and a table that was closed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect

from flipdeck.server.admin.client import ask
from flipdeck.server.admin.messages import Announce, CloseTable

from .playing import Person
from .staging import make_table
from .watching import Window

WITHIN = """(notice) => {
  const { left, right, top, bottom } = notice.getBoundingClientRect();
  return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
}"""


def test_a_notice_is_shown_and_closed_and_a_closed_table_says_why(
    server: str, tmp_path: Path, open_window: Callable[..., Window]
) -> None:
    ana = Person(open_window(width=320, height=568))
    page = ana.page
    bots = {"1": "rookie"}
    seated = make_table(server, "Ana", seats=2, bots=bots)
    ana.sit(server, seated)
    long = "We restart at nine; games are kept. " + "Wort" * 40
    ask(tmp_path / "data", Announce(long))
    notice = page.get_by_role("status").filter(has_text="From whoever runs this server: We restart at nine")
    expect(notice).to_be_visible()
    assert notice.evaluate(WITHIN)
    ana.window.accessible()
    page.get_by_role("button", name="Deal the cards").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".hand .fan button")
    expect(notice).to_be_visible()  # the same one: it is not read again
    close = page.get_by_role("button", name="Close", exact=True)
    close.focus()
    page.keyboard.press("Enter")
    expect(close).to_have_count(0)
    expect(notice).to_have_count(0)
    page.wait_for_function("() => document.activeElement !== document.body")

    ask(tmp_path / "data", CloseTable(seated["code"], "Too many complaints."))
    expect(page.get_by_role("heading", name="This table was closed")).to_be_visible()
    alert = page.get_by_role("alert")
    expect(alert).to_have_text("Whoever runs this server has closed this table. “Too many complaints.”")
    expect(page.get_by_role("button", name="Try again")).to_have_count(0)
    ana.window.looking_in_vain = True
    page.goto(f"{server}/#/")
    page.goto(f"{server}/#/table/{seated['code']}")
    expect(page.get_by_text("“Too many complaints.”")).to_be_visible()  # without a seat, at the door
