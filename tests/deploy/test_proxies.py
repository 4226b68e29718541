"""A server behind nginx and behind Caddy, with the files of ``deploy/``."""

from __future__ import annotations

import json
import shutil
import ssl
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.sync.client import connect
from websockets.typing import Origin

from tests.deploy.proxies import CERTIFICATE, DEPLOY, NAME, ProxiedServer, free_port, house
from tests.patience import HANG

PROXIES = ("nginx", "caddy")
ORIGIN = Origin(f"https://{NAME}")
TABLE = {"name": "Ann", "settings": {"seats": 2}, "bots": {"1": "casual"}}


@pytest.fixture(scope="module", params=PROXIES)
def behind(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProxiedServer]:
    if shutil.which(request.param) is None:
        pytest.skip(f"There is no {request.param} here.")
    with house(tmp_path_factory.mktemp(request.param), request.param) as made:
        yield made


# ---------------------------------------------------------------- the files
def test_nginx_has_nothing_to_say_about_its_file(tmp_path: Path) -> None:
    made = checked_house(tmp_path)
    command, _ = made.nginx()
    checked = subprocess.run([*command, "-t"], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr
    assert "[warn]" not in checked.stderr
    assert "[emerg]" not in checked.stderr


def test_caddy_has_nothing_to_say_about_its_file(tmp_path: Path) -> None:
    made = checked_house(tmp_path)
    _, home = made.caddy()
    conf = str(tmp_path / "Caddyfile")
    command = ["caddy", "validate", "--adapter", "caddyfile", "--config", conf]
    checked = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**home, "PATH": "/usr/bin:/bin"}
    )
    assert checked.returncode == 0, checked.stderr
    assert "nnecessary" not in checked.stderr, "it says so of what it does by itself"
    form = subprocess.run(["caddy", "fmt", str(DEPLOY / "Caddyfile")], capture_output=True, text=True, check=True)
    assert form.stdout == (DEPLOY / "Caddyfile").read_text()


def checked_house(folder: Path) -> ProxiedServer:
    files = ["-keyout", str(folder / "privkey.pem"), "-out", str(folder / "fullchain.pem")]
    subprocess.run([*CERTIFICATE, *files], check=True, capture_output=True)
    return ProxiedServer(folder, free_port())


# ---------------------------------------------------------------- what comes through
def test_the_page_comes_through_with_each_security_header_once(behind: ProxiedServer) -> None:
    page = behind.ask("/")
    assert page.status == 200
    assert b"<script" in page.body
    for name in (
        *("Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy", "Cross-Origin-Opener-Policy"),
        "Strict-Transport-Security",
    ):
        assert len(page.headers.get_all(name) or []) == 1, name


def test_browsers_are_offered_http_2(behind: ProxiedServer) -> None:
    with behind.connect("127.0.0.1", NAME, "h2", "http/1.1") as line:
        assert line.selected_alpn_protocol() == "h2"


def test_a_match_is_played_over_a_websocket_and_a_page_from_elsewhere_is_kept_out(behind: ProxiedServer) -> None:
    made = behind.ask("/api/tables", TABLE, headers={"Origin": ORIGIN})
    assert made.status == 201
    assert behind.ask("/api/tables", TABLE, headers={"Origin": "https://evil.example"}).status == 403
    seated = made.json()
    with connect(f"wss://{NAME}/ws", sock=behind.connect_plain(), ssl=behind.context(), origin=ORIGIN) as socket:
        socket.send(json.dumps({"type": "hello", "protocol": 1, "table": seated["code"], "token": seated["token"]}))
        assert json.loads(socket.recv(HANG))["type"] == "welcome"
        socket.send(json.dumps({"type": "start", "cmd_id": "deal"}))
        while json.loads(socket.recv(HANG))["type"] != "update":
            pass


def test_requests_that_are_too_large_are_refused(behind: ProxiedServer) -> None:
    assert behind.ask("/api/tables", b"x" * 20_000).status in (413, 502), "Caddy 2.6 says 502"


# ---------------------------------------------------------------- what does not
@pytest.mark.parametrize(
    "path",
    [
        *("/metrics", "/metrics/", "//metrics", "/%6detrics", "/%6Detrics/", "/./metrics", "/x/../metrics"),
        *("/metrics?x=1", "/metrics/.", "/metrics/../metrics", "/metrics//", "/metrics%2f", "/metrics;x", "/METRICS"),
    ],
)
def test_the_metrics_are_for_the_operator(behind: ProxiedServer, path: str) -> None:
    answer = behind.ask(path)
    assert answer.status in (400, 404)
    assert b"flipdeck_" not in answer.body
    assert b"flipdeck_moves" in behind.ask_server("/metrics", {}).body


def test_another_name_is_not_answered(behind: ProxiedServer) -> None:
    with pytest.raises((ssl.SSLError, ConnectionError)):
        behind.connect("127.0.0.1", "other.example.org").do_handshake()
    assert behind.ask("/api/editions", headers={"Host": "other.example.org"}).status in (200, 404, 421)
    assert behind.ask_server("/api/editions", {"Host": "other.example.org"}).status == 421


TOLD_AGAIN = 1.1  # seconds: the log tells of wrong guesses of one address once a second


def wrong_guess(behind: ProxiedServer, address: str = "127.0.0.1", **headers: str) -> str:
    """The tag of the address that the server believes a wrong guess came from."""
    time.sleep(TOLD_AGAIN)
    before = len(behind.logged())
    assert behind.ask("/api/tables/WRONG234", address=address, headers=headers).status == 404
    (line,) = [line for line in behind.logged()[before:] if line["event"] == "guessed-wrong"]
    return line["address"]


def test_the_server_believes_the_proxy_and_no_client(behind: ProxiedServer) -> None:
    honest, other = wrong_guess(behind), wrong_guess(behind, "127.0.0.7")
    assert honest != other, "clients have addresses of their own"
    forged = {
        "X-Forwarded-For": "198.51.100.7",
        "X-Real-IP": "198.51.100.7",
        "Forwarded": "for=198.51.100.7",
        "X-Forwarded-Host": "evil.example",
    }
    for name, value in forged.items():
        assert wrong_guess(behind, **{name: value}) == honest, name
    assert wrong_guess(behind, "127.0.0.7", **forged) == other
    before = len(behind.logged())
    behind.ask_server("/api/tables/WRONG234", {"X-Forwarded-For": "198.51.100.7"})
    assert behind.logged()[before]["address"] not in (honest, other), "whom the proxy names is believed"


def test_no_log_of_the_proxy_has_a_code_or_an_address(behind: ProxiedServer) -> None:
    """Nor when the server is gone and the proxy has something to complain about: this comes last."""
    code = behind.ask("/api/tables", TABLE).json()["code"]
    assert behind.ask(f"/api/tables/{code}", headers={"Referer": f"{ORIGIN}/?{code}"}).status == 200
    assert behind.ask(f"/api/tables/{code}/invite.svg").status == 200
    assert behind.ask(f"/table/{code}?{code}").status == 200
    assert behind.ask(f"/replay/{code}").status == 303
    assert behind.ask(f"/api/tables/{code}/seats", {"name": "Ben"}, "127.0.0.9").status in (400, 409)
    assert behind.server is not None
    behind.server.terminate()
    behind.server.wait(HANG)
    assert behind.ask(f"/api/tables/{code}", None, "127.0.0.9").status == 502
    written = behind.proxy_logs_with("502")
    assert "/api/tables/-/invite.svg" in written
    assert "/table/-" in written
    assert "/replay/-" in written
    assert code not in written
    assert "127.0.0.9" not in written
