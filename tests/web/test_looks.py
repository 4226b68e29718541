"""How it looks and what it weighs: phones, languages, motion, pictures, and every screen by axe-core."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from .playing import Person, Toucher, says
from .staging import make_table
from .watching import STILL, Window

PICTURES = Path(__file__).parents[2] / "build" / "pictures"
FIRST_LOAD = 150 * 1024  # bytes of JavaScript, compressed
HOME_LOAD = 68 * 1024
SHORT = {"hand_size": 4, "target": 1}
SCREENS = (
    "#/",
    "#/new",
    "#/rules",
    "#/rules/FLIP-1",
    "#/settings",
    "#/statistics",
    "#/summary",
    "#/pad",
    "#/pad/cards",
    "#/pad/rules",
    "#/nowhere",
    "#/table/AAAA-AAAA",
    "#/replay/none",
    "#/seat/used-up",
)


@pytest.mark.parametrize(
    ("language", "spoken", "width", "height"),
    [("en-US", "en", 1280, 800), ("es-MX", "es", 640, 360), ("es-AR", "es-AR", 320, 640)],
)
def test_every_screen_is_accessible_in_every_language_and_size(
    server: str, open_window: Callable[..., Window], language: str, spoken: str, width: int, height: int
) -> None:
    window = open_window(width, height, language)
    window.looking_in_vain = True
    page = window.page
    for screen in SCREENS:
        page.goto(f"{server}/{screen}")
        page.wait_for_selector("main h1")
        expect(page.get_by_role("status").filter(has_text="…")).to_have_count(0)
        window.accessible()
        window.fits()
        assert page.evaluate("document.documentElement.lang") == spoken


def test_the_language_is_chosen_and_kept(server: str, window: Window) -> None:
    page = window.page
    page.goto(server)
    page.get_by_role("combobox", name="Language").select_option("es")
    expect(page.get_by_role("button", name="Jugar")).to_be_visible()
    page.reload()
    expect(page.get_by_role("button", name="Jugar")).to_be_visible()


FINGERS_ONLY = """
  addEventListener('pointerdown', ({ pointerType }) => {
    if (pointerType !== 'touch') throw new Error('something else than a finger was used');
  }, true);
  addEventListener('keydown', () => { throw new Error('a key was used') }, true);
"""


def test_a_match_on_a_phone_in_spanish_by_touch(server: str, open_window: Callable[..., Window]) -> None:
    window = open_window(360, 640, "es-AR", touch=True, fresh=True)
    window.page.add_init_script(FINGERS_ONLY)
    ana = Toucher(window)
    seated = make_table(server, "Ana", bots={"1": "casual"}, start=True, seats=2, options=SHORT, edition="argentina")
    ana.sit(server, seated)
    ana.play(watched=[window.fits, window.steady])
    window.accessible()
    expect(ana.page.locator("#results-title")).to_contain_text("partida")


def test_the_first_load_is_light_and_from_this_server_alone(server: str, open_window: Callable[..., Window]) -> None:
    window = open_window(fresh=True)
    page = window.page
    sizes: dict[str, int] = {}
    page.on("response", lambda answer: sizes.update({urlsplit(answer.url).path: len(gzip.compress(answer.body()))})
            if answer.url.endswith(".js") else None)  # fmt: skip
    ana = Person(window)
    ana.sit(server, make_table(server, "Ana", bots={"1": "casual"}, start=True, seats=2))
    page.wait_for_load_state("networkidle")
    assert 20_000 < sum(sizes.values()) <= FIRST_LOAD, sizes


def test_the_home_page_does_not_pay_for_what_others_open(server: str, open_window: Callable[..., Window]) -> None:
    page = open_window(fresh=True).page
    sizes: dict[str, int] = {}
    page.on("response", lambda answer: sizes.update({urlsplit(answer.url).path: len(gzip.compress(answer.body()))})
            if answer.url.endswith(".js") else None)  # fmt: skip
    page.goto(server)
    page.wait_for_load_state("networkidle")
    assert not [name for name in sizes if "ScorePad" in name or "RulesPage" in name]
    assert 20_000 < sum(sizes.values()) <= HOME_LOAD, sizes
    page.get_by_role("link", name="Score pad").click()
    page.wait_for_selector(".names input")
    page.wait_for_load_state("networkidle")
    assert sum(sizes.values()) <= FIRST_LOAD, sizes


def on_turn_on(side: str, person: Person, server: str, bots: dict[str, str]) -> None:
    """At a table where nobody has flipped before it is the turn of this person, and nothing moves any more."""
    for _ in range(10):
        seats, options = len(bots) + 1, {"start_side": side}
        person.sit(server, make_table(server, "Ana", bots=bots, start=True, seats=seats, options=options))
        says(person.page, "Your turn")
        person.page.wait_for_function(STILL)
        if person.page.evaluate("document.documentElement.dataset.side") == side:
            return
    raise AssertionError("they flip all the time")


def test_pictures_for_the_readme(server: str, open_window: Callable[..., Window]) -> None:
    """The light table, the dark table and the phone, as they are; `make pictures` puts them into the documents."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    bots = {"1": "regular", "2": "sharp", "3": "master"}
    for side in ("light", "dark"):
        ana = Person(open_window(1280, 800))
        on_turn_on(side, ana, server, bots)
        ana.page.wait_for_function(STILL)
        ana.page.screenshot(path=PICTURES / f"{side}.png")
    phone = Person(open_window(360, 640, touch=True))
    on_turn_on("light", phone, server, {str(seat): "casual" for seat in range(1, 6)})
    phone.page.wait_for_function(STILL)
    phone.page.screenshot(path=PICTURES / "phone.png")
    assert all((PICTURES / f"{name}.png").stat().st_size > 20_000 for name in ("light", "dark", "phone"))
