"""The page that comes with the server keeps to what browsers are told of it: its own files, no markup of others."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path
from typing import get_args

import pytest

from flipdeck.server.pages import KINDS, pages
from flipdeck.wire import PROTOCOL
from flipdeck.wire.asked import EMOTES
from flipdeck.wire.parts import EventName, Level

STATIC = Path(str(files("flipdeck.server").joinpath("static")))
NAMES = sorted(path.name for path in STATIC.iterdir())


def text(name: str) -> str:
    return (STATIC / name).read_text(encoding="utf-8")


def test_every_file_is_served_under_its_name_and_the_first_at_the_root() -> None:
    paths = {path for page in pages() for path in page.paths}  # type: ignore[union-attr]  # all are handlers
    assert paths == {"/" if name == "index.html" else f"/{name}" for name in NAMES}
    assert {name.rpartition(".")[2] for name in NAMES} == set(KINDS)


@pytest.mark.parametrize("name", NAMES)
def test_a_file_asks_for_files_that_are_there_and_for_no_other_host(name: str) -> None:
    asked = re.findall(r'(?:href|src)="/([^"]*)"|from "\./([^"]*)"', text(name))
    assert {first or second for first, second in asked} <= set(NAMES)
    assert not re.search(r"(https?:)?//[a-z0-9-]+\.[a-z]", re.sub(r"(?m)^\s*//.*|/\*.*?\*/", "", text(name)))


def test_the_page_has_no_script_and_no_style_within() -> None:
    page = text("index.html")
    assert re.findall(r"<script[^>]*>(.*?)</script>", page, re.DOTALL) == [""]
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|javascript:", page)


@pytest.mark.parametrize("name", [name for name in NAMES if name.endswith(".js")])
def test_what_people_write_never_becomes_markup(name: str) -> None:
    ways = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment|setHTML|srcdoc"
    assert not re.search(ways + r"|\beval\(|new Function", text(name))


def test_the_page_knows_every_event_emote_and_level() -> None:
    told = re.search(r"const TOLD = \{(.*?)\n\};", text("words.js"), re.DOTALL)
    assert told
    assert sorted(re.findall(r"^  (\w+):", told[1], re.MULTILINE)) == sorted(get_args(EventName))
    emotes = re.search(r"const EMOTES = \{(.*?)\n\};", text("table.js"), re.DOTALL)
    assert emotes
    assert re.findall(r"(\w+): \"", emotes[1]) == list(EMOTES)
    assert str(list(get_args(Level))).replace("'", '"') in text("rooms.js")
    assert f"const PROTOCOL = {PROTOCOL};" in text("line.js")
