"""``flipdeck play``: a server of one's own, a table at it, and the browser on it."""

from __future__ import annotations

import argparse
import json
import os
import re
import select
import signal
import sys
import webbrowser
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.typing import Origin

from flipdeck.cli import CommandError, browser_window, main, play, play_browser
from flipdeck.i18n import LANGUAGES, catalogue
from tests.cli.processes import Process, ask
from tests.patience import HANG

FREE = ("--port", "0")  # tests run side by side
LINK = re.compile(r"(?P<address>http://127\.0\.0\.1:[0-9]+)/#/seat/(?P<secret>[A-Za-z0-9_-]{22})")


def sit_down(line: str) -> tuple[str, dict[str, Any]]:
    """What the page does with the link: the address of the server, and the seat."""
    link = LINK.search(line)
    assert link, line
    status, seated = ask(f"{link['address']}/api/transfers", {"secret": link["secret"]})
    assert status == 201
    assert ask(f"{link['address']}/api/transfers", {"secret": link["secret"]})[0] == 403  # good once
    return link["address"], seated


def greet(address: str, seated: dict[str, Any]) -> dict[str, Any]:
    """What the table says to whoever comes to this seat; a server gives little time to say who one is."""
    greeting = {"type": "hello", "protocol": 1, "table": seated["code"], "token": seated["token"]}
    while True:
        place = f"ws{address.removeprefix('http')}/ws"
        with connect(place, origin=Origin(address), open_timeout=HANG) as line, suppress(ConnectionClosed):
            line.send(json.dumps(greeting))
            welcome: dict[str, Any] = json.loads(line.recv(timeout=HANG))
            return welcome


def told(pipe: int) -> str:
    """All that is written to a pipe, once somebody does."""
    assert select.select([pipe], [], [], HANG)[0], "nobody writes"
    os.set_blocking(pipe, True)
    with os.fdopen(pipe, encoding="utf-8") as text:
        return text.read()


def test_it_opens_the_browser_on_a_table_as_it_was_wished(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "opened")
    opened = os.open(tmp_path / "opened", os.O_RDONLY | os.O_NONBLOCK)
    browser = tmp_path / "browser.py"
    browser.write_text(
        "import signal, sys\n"
        "signal.signal(signal.SIGINT, lambda *_: sys.exit())\n"
        f"with open({str(tmp_path / 'opened')!r}, 'w') as told: told.write(sys.argv[1])\n"
        "signal.pause()\n"  # some browsers stay: nobody waits for them
    )
    wishes = ("--players", "3", "--edition", "splash", "--option", "stacking=on", "--bots", "rookie,sharp")
    with Process(
        tmp_path / "data", "play", *FREE, *wishes, more={"BROWSER": f"{sys.executable} {browser} %s"}
    ) as playing:
        line = playing.line()
        address, seated = sit_down(line)
        welcome = greet(address, seated)
        link = told(opened)
        code, out, _ = playing.stop(signal.SIGINT, everybody=True)
        assert (code, out) == (0, "")
        assert playing.leaves_nothing_behind()
    assert link == LINK.search(line)[0]  # type: ignore[index]  # it was found before
    table, view = welcome["table"], welcome["view"]
    assert (welcome["you"], table["phase"], view["hand"] != []) == (0, "playing", True)
    assert (table["settings"]["edition"], table["settings"]["options"]) == ("splash", {"stacking": "on"})
    assert [seat["level"] for seat in table["seats"]] == [None, "rookie", "sharp"]


def test_without_a_browser_it_shows_the_address_only(tmp_path: Path) -> None:
    with Process(
        tmp_path / "data", "play", *FREE, "--no-browser", "--lang", "es-AR", more={"BROWSER": "false"}
    ) as playing:
        line = playing.line()
        assert line.startswith("Tu mesa está en http://127.0.0.1:")
        address, seated = sit_down(line)
        assert len(ask(f"{address}/api/tables/{seated['code']}")[1]["seats"]) == 4
        assert playing.stop(signal.SIGTERM) == (0, "", "")
        assert playing.leaves_nothing_behind()
    assert (tmp_path / "data" / "tables.sqlite3").is_file()


def test_beside_another_server_it_uses_a_folder_for_this_match_only(tmp_path: Path) -> None:
    (tmp_path / "temporary").mkdir()
    with Process(tmp_path / "data", "serve", "--port", "0") as server:
        server.address()
        temporary = {"TMPDIR": str(tmp_path / "temporary")}
        with Process(tmp_path / "data", "play", *FREE, "--no-browser", more=temporary) as playing:
            first = playing.line()
            sit_down(playing.line())
            assert [path.name for path in (tmp_path / "temporary").glob("*/tables.sqlite3")] == ["tables.sqlite3"]
            assert playing.stop(signal.SIGINT)[0] == 0
    using = f"A Flipdeck server is using the folder {tmp_path / 'data'} already."
    assert first == f"{using} {catalogue('en').text('browser.not_kept')}\n"
    assert list((tmp_path / "temporary").iterdir()) == []


# ---------------------------------------------------------------- the last table
def resumed(line: str) -> bool:
    return line.startswith("Your last match is not over; it goes on at http://127.0.0.1:")


def test_a_restart_goes_on_with_the_match_that_is_not_over(tmp_path: Path) -> None:
    with Process(tmp_path, "play", *FREE, "--no-browser", "--edition", "splash") as playing:
        _, before = sit_down(playing.line())
        playing.stop(signal.SIGTERM)
    with Process(tmp_path, "play", *FREE, "--no-browser") as playing:
        line = playing.line()
        assert resumed(line)
        address, after = sit_down(line)
        assert greet(address, after)["table"]["settings"]["edition"] == "splash"
        assert (after["code"], after["seat"]) == (before["code"], 0)
        playing.stop(signal.SIGTERM)
    assert (tmp_path / "last-table").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("wish", ["--new", "--edition classic", "--players 4", "--bots casual", "--option target=500"])
def test_whoever_wants_a_new_table_gets_one(wish: str) -> None:
    parsed = parse_play(*wish.split())
    play._fill_in_table(parsed)
    assert parsed.new


def test_whoever_wants_nothing_in_particular_gets_the_last_table() -> None:
    parsed = parse_play("--no-browser", "--lang", "es", "--port", "0")
    play._fill_in_table(parsed)
    assert not parsed.new
    assert (parsed.edition, parsed.players) == ("classic", "4")


def parse_play(*arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    play.add_arguments(parser)
    return parser.parse_args(arguments)


# ---------------------------------------------------------------- the port
def test_the_port_is_the_same_each_time_unless_it_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    words = catalogue("en")
    with play_browser.own_door(0, words) as first:
        usual = first.getsockname()[1]
        with play_browser.own_door(None, words, usual) as other:
            assert other.getsockname()[1] != usual
        assert capsys.readouterr().out.startswith(f"Port {usual} is in use, so it takes a free one")
        with pytest.raises(CommandError, match=f"Port {usual} is in use already"):
            play_browser.own_door(usual, words)
    with play_browser.own_door(None, words, usual) as again:
        assert again.getsockname()[1] == usual
    assert capsys.readouterr().out == ""


def test_the_help_names_the_usual_port() -> None:
    parser = argparse.ArgumentParser()
    play.add_arguments(parser)
    assert f"(default {play_browser.PORT})" in parser.format_help()


# ---------------------------------------------------------------- no window
@pytest.mark.parametrize(
    ("where", "sentence"),
    [
        ({}, "No browser opened here: open this address yourself."),
        ({"SSH_CONNECTION": "192.0.2.1 2 192.0.2.2 22"}, "From the computer you sit at, ssh -L "),
    ],
)
def test_a_text_browser_does_not_take_the_terminal(tmp_path: Path, where: dict[str, str], sentence: str) -> None:
    for name in browser_window.TEXT_BROWSERS:
        grabs = tmp_path / "bin" / name
        grabs.parent.mkdir(exist_ok=True)
        grabs.write_text(f"#!/bin/sh\necho grabbed\ntouch {tmp_path / 'grabbed'}\n")
        grabs.chmod(0o755)
    over_ssh = {"PATH": f"{tmp_path / 'bin'}", "TERM": "xterm", "DISPLAY": "", "WAYLAND_DISPLAY": "", "BROWSER": ""}
    with Process(tmp_path / "data", "play", *FREE, more={**over_ssh, **where}) as playing:
        assert LINK.search(playing.line())
        assert sentence in playing.line()
        assert playing.stop(signal.SIGINT) == (0, "", "")
    assert not (tmp_path / "grabbed").exists()


@pytest.mark.parametrize("name", ["lynx", "/usr/bin/w3m", "www-browser"])
def test_a_text_browser_is_known_by_its_name(name: str) -> None:
    assert browser_window.is_text_browser(webbrowser.GenericBrowser(name))
    assert not browser_window.is_text_browser(webbrowser.GenericBrowser("firefox"))


# ---------------------------------------------------------------- what can't be
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("--port nine", "--port is a number from 0 to 65535, not 'nine'."),
        ("--port 65536", "--port is a number from 0 to 65535, not '65536'."),
        ("--lang es --port -1", "--port es un número de 0 a 65535, no '-1'."),
        ("--seed abc", "--seed goes with --text only."),
        ("--seat 0", "--seat goes with --text only."),
        ("--watch", "--watch goes with --text only."),
        ("--ask-always", "--ask-always goes with --text only."),
        ("--names A,B,C", "--names goes with --text only."),
        ("--record match.txt", "--record goes with --text only."),
        ("--bot cmd:./mybot", "--bot goes with --text only."),
        ("--bots net", "There is no bot 'net' in the browser; there are rookie, casual, regular, sharp and master."),
        ("--bots sharp,sharp", "There are 3 bots in this match: "),
        ("--players 11", "2 to 10 can play, not 11."),
        ("--edition nope", "There is no edition 'nope'; "),
        ("--option most_moves=9", "most_moves is for research: a table can't choose it."),
        ("--lang es --option most_moves=9", "most_moves es para investigar: una mesa no lo puede elegir."),
        ("--players 2 --option deck=mini --option hand_size=1 --option most_moves=9", "deck is for research: a table"),
        ("--option target", "An option is written name=value"),
        ("--lang es --option target=0", "target es un número entero de 1 a 1000000, no 0."),
    ],
)
def test_what_can_not_be_is_refused_before_anything_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: str, sentence: str
) -> None:
    monkeypatch.setenv("FLIPDECK_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("LC_ALL", "C")
    assert main(["play", "--no-browser", *arguments.split()]) == 2
    told = capsys.readouterr()
    assert told.err.startswith(f"flipdeck play: {sentence}")
    assert (told.out, told.err.count("\n")) == ("", 1)
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_the_packages_it_says_how_to_play_all_the_same(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], language: str
) -> None:
    monkeypatch.setattr("flipdeck.cli.local_server.PACKAGES", ("no_such_package",))
    assert main(["play", "--lang", language]) == 2
    told = capsys.readouterr().err
    assert told == f"flipdeck play: {catalogue(language).text('browser.packages')}\n"
    assert "pip install 'flipdeck[server]'" in told
    assert "--text" in told
