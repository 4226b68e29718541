"""What a server tells of itself: its routes, its headers, its figures, its health, and that it stops."""

from __future__ import annotations

import random
import resource

import pytest
from prometheus_client.parser import text_string_to_metric_families

from flipdeck.server import app, logs
from flipdeck.server.app import TOO_FEW_FILES, make_room_for_files
from flipdeck.server.http.errors import HEADERS
from flipdeck.server.identity import new_code
from tests.server.running import fingerprint, play, run, running
from tests.server.steered import live

ROUTES = {
    "/api/tables": {"get", "post"},
    "/api/tables/{code}": {"get"},
    "/api/tables/{code}/seats": {"post"},
    "/api/tables/{code}/invite.svg": {"get"},
    "/api/transfers": {"post"},
    "/api/replays/{name}": {"get"},
    "/api/replays/{name}/match": {"get"},
    "/api/replays/{name}/rounds/{number}": {"get"},
    "/api/editions": {"get"},
    "/health": {"get"},
    "/health/live": {"get"},
    "/health/ready": {"get"},
    "/metrics": {"get"},
}


@live
async def test_the_openapi_document_has_every_route() -> None:
    async with running() as server:
        document = (await server.http.get("/api/schema/openapi.json")).json()
        paths = {path: set(methods) for path, methods in document["paths"].items()}
        assert paths == ROUTES
        assert document["info"]["title"] == "Flipdeck"
        assert {"NewTable", "Seated"} <= {name.rpartition("_")[2] for name in document["components"]["schemas"]}


@live
async def test_every_answer_has_the_headers_that_keep_pages_safe() -> None:
    async with running() as server:
        code = (await server.make())["code"]
        paths = [
            "/",
            "/health",
            "/metrics",
            "/api/editions",
            f"/api/tables/{code}",
            f"/api/tables/{code}/invite.svg",
        ]
        refused = ["/nothing", f"/api/tables/{new_code()}"]
        answers = [await server.http.get(path) for path in (*paths, *refused)]
        answers.append(await server.http.post("/api/tables", content=b"{"))
        answers.append(await server.http.post("/api/tables", json={"name": "E"}, headers={"origin": "null"}))
        for answer in answers:
            assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS, answer.url
            assert "server" not in answer.headers
            assert "access-control-allow-origin" not in answer.headers
        policy = HEADERS["Content-Security-Policy"]
        assert "unsafe" not in policy
        assert policy.startswith("default-src 'self';")


@live
async def test_the_first_page_is_there() -> None:
    async with running() as server:
        page = await server.http.get("/")
        assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
        assert "Flipdeck" in page.text


@live
async def test_the_metrics_can_be_read_and_count() -> None:
    async with running(messages_per_second=100_000) as server:
        code, _, clients = await server.seated()
        await play(clients, 5, random.Random(1))
        await clients[0].send("chat", text="nice")
        await clients[1].until("said")
        watcher = await server.greet(code)
        assert (await watcher.command("ready"))["type"] == "refused"
        text = (await server.http.get("/metrics")).text
        values = {
            sample.name: sample.value for family in text_string_to_metric_families(text) for sample in family.samples
        }
        assert values["flipdeck_moves_total"] == 5
        assert values["flipdeck_tables_awake"] == 1
        assert values["flipdeck_connections"] == 3
        assert values["flipdeck_chats_total"] == 1
        assert values["flipdeck_refusals_total"] >= 1
        assert values["flipdeck_commits_total"] >= 8


@live
async def test_the_health_is_green_and_red_while_it_shuts_down() -> None:
    async with running() as server:
        assert (await server.http.get("/health")).json() == {"ok": True, "state": "ready", "tables": 0}
        server.app.lobby.closing = True
        closing = await server.http.get("/health")
        assert (closing.status_code, closing.json()["ok"]) == (503, False)
        made = await server.http.post("/api/tables", json={"name": "Ana"})
        assert (made.status_code, made.json()["code"]) == (503, "shutting-down")


@live
async def test_whoever_is_at_a_table_is_told_when_the_server_stops() -> None:
    async with running() as server:
        code, _, clients = await server.seated()
        before = fingerprint(server.table(code))
        table = server.table(code)
        server.server.should_exit = True
        assert [await client.end() for client in clients] == [("shutting-down", 1012)] * 2
        assert fingerprint(table) == before


# ---------------------------------------------------------------- room for sockets
@pytest.mark.parametrize(
    ("soft", "hard", "raised_to", "enough"),
    [
        (1024, 65536, 21_000, True),
        (1024, resource.RLIM_INFINITY, 21_000, True),
        (1024, 4096, 4096, False),
        (4096, 4096, None, False),
        (30_000, 65536, None, True),
        (resource.RLIM_INFINITY, resource.RLIM_INFINITY, None, True),
    ],
)
def test_as_many_files_are_allowed_as_there_may_be_connections_where_the_system_lets_us(
    soft: int, hard: int, raised_to: int | None, enough: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    raised: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (soft, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: raised.append(limits))
    assert make_room_for_files(21_000) == enough
    assert raised == ([] if raised_to is None else [(raised_to, hard)])


def test_a_system_that_does_not_let_us_is_taken_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def no(*_: object) -> None:
        raise ValueError("not permitted")

    monkeypatch.setattr(resource, "getrlimit", lambda _: (256, resource.RLIM_INFINITY))
    monkeypatch.setattr(resource, "setrlimit", no)
    assert not make_room_for_files(21_000)
    assert make_room_for_files(200)


def test_where_there_is_too_little_room_the_log_says_so_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    assert len(TOO_FEW_FILES) <= logs.SENTENCE, "it would be cut"
    assert TOO_FEW_FILES.count(". ") == 0

    async def story(enough: bool) -> int:
        monkeypatch.setattr(app, "make_room_for_files", lambda needed: enough and needed > 0)
        caplog.clear()
        async with running():
            return [record.message for record in caplog.records].count(TOO_FEW_FILES)

    assert [run(story(enough)) for enough in (False, True)] == [1, 0]
