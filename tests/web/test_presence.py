"""Whether somebody is at the table, and knows that they are needed: lost lines, other tabs, the pace of bots."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, WebSocketRoute, expect

from .playing import SHORT, Person
from .staging import Stage, make_table, scene
from .watching import Window

BOTS = {"1": "rookie", "2": "rookie", "3": "rookie"}
LOST = "The connection is lost."
TITLE = "title => document.title === title"
ICON = "() => new URL(document.querySelector('link[rel=icon]').href).pathname"


class Cable:
    """The line of a page to its server, which can be cut without either noticing."""

    def __init__(self, page: Page) -> None:
        self.whole = True
        page.route_web_socket("**/ws*", self._connect)

    def _connect(self, line: WebSocketRoute) -> None:
        server = line.connect_to_server()
        line.on_message(lambda message: server.send(message) if self.whole else None)
        server.on_message(lambda message: line.send(message) if self.whole else None)


def test_a_line_that_dies_in_silence_is_shown_and_heals(server: str, open_window: Callable[..., Window]) -> None:
    window = open_window(fresh=True)
    page, cable = window.page, Cable(window.page)
    ana = Person(window)
    ana.sit(server, make_table(server, "Ana", bots=BOTS, start=True, seats=4, speed="slow"))
    page.wait_for_selector(".prompt.mine")
    for sign in ("dispatchEvent(new Event('offline'))", "document.dispatchEvent(new Event('visibilitychange'))"):
        cable.whole = False
        page.evaluate(sign)
        expect(page.get_by_text(LOST)).to_be_visible()
        cable.whole = True
        page.evaluate("dispatchEvent(new Event('online'))")
        expect(page.get_by_text(LOST)).to_have_count(0)


def test_a_move_that_nobody_answers_shows_that_the_line_is_dead_and_is_made_when_it_heals(
    server: str, open_window: Callable[..., Window]
) -> None:
    window = open_window(fresh=True)
    page, cable = window.page, Cable(window.page)
    ana = Person(window)
    ana.sit(server, make_table(server, "Ana", seats=2, bots={"1": "rookie"}, start=True, speed="slow"))
    while not ana.offered().startswith(("card", "draw")):  # an opening card may ask for something else first
        ana.click(ana.offered())
    offered, cards = ana.offered(), len(ana.hand())
    cable.whole = False
    ana.click(offered, SHORT, SHORT)
    expect(page.get_by_text(LOST)).to_be_visible()
    cable.whole = True
    expect(page.locator(".hand .fan button")).not_to_have_count(cards)


def test_another_tab_tells_by_title_and_icon_that_it_is_my_turn(stage: Stage) -> None:
    ana, ben, _ = stage(scene(lambda match: match.to_act == 1))
    page = ana.page
    page.wait_for_function(TITLE, arg="Ben’s turn – Flipdeck")
    assert page.evaluate(ICON) == "/icon.svg"
    other = page.context.new_page()
    other.goto(page.url.split("#")[0])
    other.bring_to_front()
    ben.draw()
    page.wait_for_function(TITLE, arg="● Your turn – Flipdeck")
    assert page.evaluate(ICON) == "/icon-turn.svg"
    assert page.evaluate("async () => (await fetch('/icon-turn.svg')).ok")
    other.close()


def test_my_turn_is_notified_when_i_asked_for_it_and_look_elsewhere(stage: Stage) -> None:
    ana, ben, _ = stage(scene(lambda match: match.to_act == 1), fresh=True)
    page = ana.page
    page.evaluate("""() => {
      window.told = [];
      window.Notification = class { static permission = 'default';
        static requestPermission() { return Promise.resolve(this.permission = 'granted'); }
        constructor(title) { window.told.push(title); } close() {} };
    }""")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("switch", name="Notify me when it is my turn").click()
    page.evaluate("Object.defineProperty(document, 'hidden', { get: () => true })")
    ben.draw()
    page.wait_for_function("() => window.told.includes('Your turn')")


# ---------------------------------------------------------------- pace
def test_the_host_changes_the_speed_in_the_menu_and_skips_to_their_turn(
    server: str, open_window: Callable[..., Window]
) -> None:
    window = open_window(360, 640, touch=True)
    page, ana, sent = window.page, Person(window), list[str]()
    page.on("websocket", lambda line: line.on("framesent", lambda frame: sent.append(str(frame))))
    bots = {str(seat): "casual" for seat in range(1, 10)}
    ana.sit(server, make_table(server, "Ana", bots=bots, start=True, seats=10, speed="slow"))
    page.get_by_role("button", name="Menu").tap()
    speed = page.get_by_label("Speed of the bots")
    expect(speed).to_have_value("slow")
    window.accessible()
    speed.select_option("normal")
    expect(speed).to_have_value("normal")
    page.get_by_role("button", name="Close").tap()
    skip = page.get_by_role("button", name="Skip to my turn")
    while ana.page.locator(".prompt.mine").count():
        ana.click(ana.offered())
    skip.tap()
    assert sum('"hurry"' in frame for frame in sent) == 1
    page.wait_for_selector(".prompt.mine")
    expect(skip).to_have_count(0)


def test_ten_lines_about_the_dealer_are_one(server: str, window: Window) -> None:
    ana = Person(window)
    bots = {str(seat): "casual" for seat in range(1, 10)}
    ana.sit(server, make_table(server, "Ana", bots=bots, start=True, seats=10, speed="slow"))
    window.page.wait_for_selector("aside li")
    assert sum("highest card" in line or "choose the dealer" in line for line in ana.log()) == 1
