"""Two servers on one PostgreSQL behind nginx and behind HAProxy, with the files of ``deploy/several``."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import ClientConnection

from flipdeck.wire.routing import routed
from tests.deploy.proxies import NAME
from tests.deploy.several_proxied import ProxiedServers, prepare, two_servers_behind
from tests.patience import HANG

TABLES = 16  # so many that one server without any would be a wonder
ORIGIN = {"Origin": f"https://{NAME}"}
# what comes through is what is said of one server in test_proxies; these are its paths that could show the metrics
METRICS = (
    "/metrics",
    "/metrics/",
    "//metrics",
    "/%6detrics",
    "/./metrics",
    "/x/../metrics",
    "/metrics?t=5f0e",
    "/METRICS",
)


@pytest.fixture(scope="module", params=["nginx", "haproxy"])
def behind(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProxiedServers]:
    if shutil.which(request.param) is None:
        pytest.skip(f"There is no {request.param} here.")
    with two_servers_behind(tmp_path_factory.mktemp(request.param), request.param) as made:
        yield made


@pytest.mark.parametrize("words", [("nginx", "-t"), ("haproxy", "-c")], ids=["nginx", "haproxy"])
def test_a_proxy_has_nothing_to_say_about_its_file(tmp_path: Path, words: tuple[str, str]) -> None:
    proxy, check = words
    command = prepare(tmp_path).command(proxy)
    checked = subprocess.run([*command, check], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert not any(word in checked.stderr for word in ("[warn]", "[emerg]", "[WARNING]", "[ALERT]")), checked.stderr


def make_tables(behind: ProxiedServers) -> list[list[dict[str, Any]]]:
    """Two people each, who have taken seats."""
    found = []
    for _ in range(TABLES):
        made = behind.ask("/api/tables", {"name": "Ann", "settings": {"seats": 2}}, headers=ORIGIN)
        assert made.status == 201
        code = made.json()["code"]
        joined = behind.ask(routed(f"/api/tables/{code}/seats", code), {"name": "Ben"}, headers=ORIGIN)
        assert joined.status == 201, joined.body
        found.append([made.json(), joined.json()])
    return found


def is_alive(socket: ClientConnection) -> bool:
    socket.send(json.dumps({"type": "probe", "n": 7}))
    while (message := json.loads(socket.recv(HANG)))["type"] != "echo":
        if message["type"] == "bye":
            return False
    return True


def test_the_metrics_are_for_the_operator_and_health_is_for_all(behind: ProxiedServers) -> None:
    for path in METRICS:
        answer = behind.ask(path)
        assert answer.status in (400, 404), path
        assert b"flipdeck_" not in answer.body
    assert behind.ask("/health/ready").json()["state"] == "ready"


def test_the_people_of_a_table_meet_at_one_server_and_go_on_at_the_other_when_it_dies(behind: ProxiedServers) -> None:
    """This comes last: it kills a server."""
    tables = make_tables(behind)
    sockets = [behind.greet(seated) for table in tables for seated in table]
    assert all(map(is_alive, sockets)), "nobody was sent away by somebody else of the table"
    held = [behind.counted(node, "tables_held") for node in (0, 1)]
    assert sum(held) == TABLES
    assert min(held) > 0, "both have some"
    assert [behind.counted(node, "handovers_refused_total") for node in (0, 1)] == [0, 0]
    behind.servers[0].kill()
    behind.servers[0].wait(HANG)
    again = [behind.greet(seated) for table in tables for seated in table]
    assert all(map(is_alive, again))
    assert behind.counted(1, "tables_held") == TABLES
    assert behind.counted(1, "takeover_seconds_count") <= TABLES
    written = "".join(path.read_text() for path in behind.folder.glob("proxy*.log"))
    assert "/api/tables/-/seats" in written
    for table in tables:
        assert table[0]["code"] not in written, "no log has a code"
