"""The OpenAPI document is what the server answers: Schemathesis asks all that it allows, and much that it does not.

It runs as a command against a real server, with all its checks and without dice, once as a stranger who knows no table
and no replay, and once with the name of a match that is over.
"""

from __future__ import annotations

import asyncio
import dataclasses
import inspect
import json
import random
import sys
from pathlib import Path
from typing import Any

import pytest
from litestar import Litestar
from litestar.handlers import HTTPRouteHandler

from flipdeck.server.http import replays
from flipdeck.server.limits import Backoff, TokenBuckets
from flipdeck.wire import openapi, operations
from flipdeck.wire.errors import TableRefusal
from flipdeck.wire.operations import OPERATIONS, STATUSES
from flipdeck.wire.routing import ROUTE_PARAMETER
from tests.server.running import Running, play, run, running
from tests.server.steered import live
from tests.thorough import THOROUGH

COMMAND = [sys.executable, "-c", "from schemathesis.cli import schemathesis; schemathesis()"]
# 403, 404, 409 and 422 refuse what fits the schema: nobody's token, no such table, not now, against the rules
CONFIG = """
[checks]
positive_data_acceptance.expected-statuses = ["2xx", "403", "404", "409", "422"]
"""
KNOWN = """
[[operations]]
include-path = "{path}"
parameters = {{ name = "{name}" }}
"""
UNLINKED = "--phases=examples,coverage,fuzzing"  # no links lead from one to the other
NOT_DESCRIBED = {("get", "/api/schema"), ("get", "/api/schema/openapi.json")}  # the document itself


async def examined(server: Running, folder: Path, config: str, *more: str) -> tuple[int, str]:
    """What Schemathesis says: its exit code and its report."""
    lift_limits(server)
    (folder / "schemathesis.toml").write_text(config, encoding="utf-8")
    schema = f"{server.base}/api/schema/openapi.json"
    options = ["--checks=all", "--generation-deterministic", "--no-color", *more]
    process = await asyncio.create_subprocess_exec(
        *COMMAND, "run", schema, *options, cwd=folder, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    told, _ = await process.communicate()
    assert process.returncode is not None
    return process.returncode, told.decode()


def lift_limits(server: Running) -> None:
    """Whoever asks so much would soon only hear ``too-fast``."""
    lobby = server.app.lobby
    lobby.rate_limits.requests = lobby._making = TokenBuckets(1e9, 1e9, 10)
    lobby.guesses = Backoff(free=10**9, base=1.0, longest=300.0, most=10)


def test_a_stranger_is_answered_as_the_document_says(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(most_tables=100_000) as server:
            code, report = await examined(server, tmp_path, CONFIG, f"--max-examples={400 if THOROUGH else 20}")
            assert code == 0, report
            assert f"{len(OPERATIONS)} selected / {len(OPERATIONS)} total" in report
            assert "3 covered / 3 selected / 3 total" in report  # links, from a table that was made to its seats
            assert "nresolvable" not in report, report

    run(story())


def test_who_knows_a_match_is_answered_as_the_document_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replays, "TokenBuckets", lambda **_: TokenBuckets(1e9, 1e9, 10))

    async def story() -> None:
        async with running(messages_per_second=100_000, most_tables=100_000) as server:
            name = await finished(server)
            paths = [each.path for each in OPERATIONS if each.path.startswith("/api/replays")]
            config = CONFIG + "".join(KNOWN.format(path=path, name=name) for path in paths)
            more = (UNLINKED, "--include-path-regex=/api/replays", f"--max-examples={100 if THOROUGH else 10}")
            code, report = await examined(server, tmp_path, config, *more)
            assert code == 0, report
            assert f"{len(paths)} selected" in report
            assert "404" not in report, report

    run(story())


async def finished(server: Running) -> str:
    """The name of a match that was played to its end."""
    code, _, clients = await server.seated(options={"target": 1, "hand_size": 3})
    dice = random.Random(1)
    while server.table(code).state.phase != "over":
        await play(clients, 1, dice)
    return server.table(code).state.replay


def test_a_status_that_the_document_does_not_have_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    less = [dataclasses.replace(each, codes=()) if each.name == "look_at_table" else each for each in OPERATIONS]
    monkeypatch.setattr(openapi, "OPERATIONS", tuple(less))

    async def story() -> None:
        async with running() as server:
            code, report = await examined(server, tmp_path, CONFIG, UNLINKED, "--include-operation-id=look_at_table")
            assert (code, "Undocumented status code" in report) == (1, True), report

    run(story())


# ---------------------------------------------------------------- what Schemathesis can't know
@live
async def test_every_route_with_its_parameters_is_in_the_document_and_no_other() -> None:
    async with running() as server:
        declared = {  # the routing key is for a proxy: no handler reads it
            (each.method, each.path): {parameter.name for parameter in each.parameters} - {ROUTE_PARAMETER}
            for each in OPERATIONS
        }
        app: Any = server.app._http._within
        assert dict(routes_of(app)) == declared


def routes_of(app: Litestar) -> list[tuple[tuple[str, str], set[str]]]:
    """Method and path of each handler that is not of the page, and what it takes from the address."""
    found = []
    for route in app.routes:
        for handler in getattr(route, "route_handlers", ()):
            assert isinstance(handler, HTTPRouteHandler)
            path = route.path_format
            for method in handler.http_methods - {"OPTIONS"}:
                taken = set(inspect.signature(handler.fn).parameters) - {"request", "data"}
                taken = {"from" if name == "first" else name for name in taken}  # a word of Python
                if handler.include_in_schema is not False and (method.lower(), path) not in NOT_DESCRIBED:
                    found.append(((method.lower(), path), taken))
    return found


def test_every_code_of_a_refusal_over_http_has_its_status() -> None:
    for operation in OPERATIONS:
        for code in operation.codes:
            assert code in STATUSES
    assert operations.STATUSES["bad-message"] == 400


def test_what_a_refusal_tells_is_texts_and_numbers() -> None:
    assert TableRefusal("limit", what=True).facts == {"what": "True"}
    assert TableRefusal("seat-taken", seat=3).facts == {"seat": 3}


@live
async def test_a_method_that_a_path_does_not_have_is_refused_with_those_it_has() -> None:
    async with running() as server:
        for method in ("PUT", "DELETE", "TRACE", "HEAD"):
            answer = await server.http.request(method, "/api/tables")
            assert answer.status_code == 405
            assert set(answer.headers["allow"].split(", ")) == {"GET", "OPTIONS", "POST"}
        asked = await server.http.options("/api/tables")
        assert (asked.status_code, asked.headers["allow"]) == (204, "GET, OPTIONS, POST")


@live
async def test_the_document_is_json_and_the_same_at_both_addresses() -> None:
    async with running() as server:
        one, other = await server.http.get("/api/schema"), await server.http.get("/api/schema/openapi.json")
        assert json.loads(one.text) == other.json()
        assert other.json()["openapi"] == "3.1.0"
