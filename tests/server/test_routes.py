"""The requests in plain HTTP: what each gives, and how each is refused."""

from __future__ import annotations

import asyncio
import json
import random
from typing import Any
from xml.etree import ElementTree

import httpx
import pytest
import segno
import websockets

from flipdeck.core.record import parse
from flipdeck.server.http import throttle
from flipdeck.server.http.errors import HEADERS, MOST_BODY
from flipdeck.server.identity import new_code, new_replay_name
from flipdeck.server.limits import TokenBuckets
from tests.server.running import fingerprint, play, run, running
from tests.server.steered import live, steered_loop

SLOWLY = 0.001  # a second: as good as never


def failure(answer: httpx.Response) -> tuple[int, str, str]:
    """Status, code and reason of a refusal, which has a sentence and its facts too and nothing else."""
    told = answer.json()
    assert set(told) == {"code", "reason", "message", "facts"}, told
    assert told["message"]
    return answer.status_code, told["code"], told["reason"]


# ---------------------------------------------------------------- tables
@live
async def test_a_table_is_made_looked_at_joined_and_listed() -> None:
    async with running() as server:
        made = await server.http.post("/api/tables", json={"name": "Ana", "settings": {"public": True}})
        assert made.status_code == 201
        seated = made.json()
        assert set(seated) == {"code", "seat", "token", "invite", "commitment"}
        code = seated["code"]
        assert (seated["seat"], seated["invite"]) == (0, f"/table/{code[:4]}-{code[4:]}")
        joined = await server.http.post(f"/api/tables/{code[:4]}-{code[4:].lower()}/seats", json={"name": "Ana"})
        assert (joined.status_code, joined.json()["seat"]) == (201, 1)
        looked = (await server.http.get(f"/api/tables/{code}")).json()
        assert [seat["name"] for seat in looked["seats"]] == ["Ana", "Ana 2", None, None]
        assert looked["fairness"]["commitment"] == seated["commitment"]
        assert (looked["fairness"]["seed"], looked["fairness"]["secret"]) == (None, None)
        assert (await server.http.get("/api/tables")).json() == {"tables": [], "more": 0}
        await server.greet(code, seated["token"])
        listed = (await server.http.get("/api/tables")).json()["tables"]
        assert [(card["code"], card["host"], card["free"], card["people"]) for card in listed] == [(code, "Ana", 2, 2)]


@live
async def test_a_private_table_is_not_listed_and_no_answer_tells_a_token() -> None:
    async with running() as server:
        code, tokens, _ = await server.seated()
        assert (await server.http.get("/api/tables")).json() == {"tables": [], "more": 0}
        for path in (f"/api/tables/{code}", "/metrics", "/health", "/api/tables"):
            text = (await server.http.get(path)).text
            assert not any(token in text for token in tokens)
            assert server.table(code).state.seed.hex() not in text
            assert server.table(code).state.replay not in text


BAD_TABLES: dict[str, tuple[Any, tuple[int, str]]] = {
    "no name": ({}, (400, "bad-message")),
    "an unknown field": ({"name": "Ana", "seat": 1}, (400, "bad-message")),
    "an empty name": ({"name": ""}, (400, "bad-message")),
    "a name of nothing": ({"name": "\u200b\u202e"}, (422, "bad-name")),
    "a long name": ({"name": "x" * 1001}, (400, "bad-message")),
    "one seat": ({"name": "Ana", "settings": {"seats": 1}}, (400, "bad-message")),
    "eleven seats": ({"name": "Ana", "settings": {"seats": 11}}, (400, "bad-message")),
    "an unknown setting": ({"name": "Ana", "settings": {"cheat": True}}, (400, "bad-message")),
    "an unknown edition": ({"name": "Ana", "settings": {"edition": "../../etc"}}, (422, "bad-option")),
    "an unknown option": ({"name": "Ana", "settings": {"options": {"cheat": True}}}, (422, "bad-option")),
    "an option out of range": ({"name": "Ana", "settings": {"options": {"hand_size": 10**9}}}, (422, "bad-option")),
    "a list as an option": ({"name": "Ana", "settings": {"options": {"hand_size": [7]}}}, (400, "bad-message")),
    "a hasty clock": ({"name": "Ana", "settings": {"turn_seconds": 3}}, (409, "not-now")),
    "a bot in the host's seat": ({"name": "Ana", "bots": {"0": "rookie"}}, (409, "not-now")),
    "a bot in no seat": ({"name": "Ana", "bots": {"9": "rookie"}}, (409, "not-now")),
    "a bot in a seat by another number": ({"name": "Ana", "bots": {"٣": "rookie"}}, (409, "not-now")),
    "an unknown bot": ({"name": "Ana", "bots": {"1": "god"}}, (400, "bad-message")),
    "a start with empty seats": ({"name": "Ana", "start": True}, (422, "seats-empty")),
    "a list": ([], (400, "bad-message")),
    "null": (None, (400, "bad-message")),
}


@live
async def test_a_table_that_can_not_be_is_refused_with_a_stable_code_and_none_is_made() -> None:
    async with running() as server:
        answers = {}
        for what, (body, _) in BAD_TABLES.items():
            answers[what] = failure(await server.http.post("/api/tables", content=json.dumps(body)))[:2]
        assert answers == {what: expected for what, (_, expected) in BAD_TABLES.items()}
        assert not server.app.lobby.tables


BAD_BODIES: dict[str, bytes] = {
    "nothing": b"",
    "no JSON": b"name=Ana",
    "half of it": b'{"name":',
    "no UTF-8": b'{"name":"\xff"}',
    "half a surrogate pair": b'{"name":"\\ud800"}',
    "not a number": b'{"name":"Ana","settings":{"seats":NaN}}',
    "deep lists": b"[" * 8000,
    "deep objects": b'{"settings":' * 1000 + b"{}" + b"}" * 1000,
    "a deep option": b'{"name":"Ana","settings":{"options":{"hand_size":' + b"[" * 6000 + b"]" * 6000 + b"}}}",
}


@live
async def test_a_body_that_can_not_be_read_is_refused_and_one_that_is_too_big_is_not_read() -> None:
    async with running() as server:
        code, _, _ = await server.seated()
        before = fingerprint(server.table(code))
        for path in ("/api/tables", f"/api/tables/{code}/seats", "/api/transfers"):
            for what, body in BAD_BODIES.items():
                assert failure(await server.http.post(path, content=body))[:2] == (400, "bad-message"), what
            big = await server.http.post(path, content=json.dumps({"name": "x" * MOST_BODY}))
            assert failure(big)[:2] == (413, "too-big")
        assert fingerprint(server.table(code)) == before
        assert len(server.app.lobby.tables) == 1


@live
async def test_sitting_down_is_refused_where_there_is_no_place() -> None:
    async with running() as server:
        code = (await server.make(seats=3))["code"]
        at = f"/api/tables/{code}/seats"
        taken = await server.http.post(at, json={"name": "Eve", "seat": 0})
        assert failure(taken)[:2] == (409, "seat-taken")
        assert failure(await server.http.post(at, json={"name": "Eve", "seat": 3}))[0] == 409
        assert failure(await server.http.post(at, json={"name": "Eve", "seat": 10}))[:2] == (400, "bad-message")
        assert failure(await server.http.post(at, json={"name": "\u202e"}))[:2] == (422, "bad-name")
        await server.join(code, "Ben")
        await server.join(code, "Carla")
        before = fingerprint(server.table(code))
        assert failure(await server.http.post(at, json={"name": "Eve"}))[:2] == (409, "table-full")
        begun, _, _ = await server.seated()
        late = await server.http.post(f"/api/tables/{begun}/seats", json={"name": "Eve"})
        assert failure(late) == (409, "not-now", "begun")
        assert fingerprint(server.table(code)) == before


@live
async def test_what_is_not_there_is_not_found() -> None:
    async with running() as server:
        assert failure(await server.http.get(f"/api/tables/{new_code()}"))[:2] == (404, "no-table")
        nowhere = await server.http.post(f"/api/tables/{new_code()}/seats", json={"name": "Eve"})
        assert failure(nowhere)[:2] == (404, "no-table")
        assert failure(await server.http.get("/api/tables/UUUUUUUU"))[:2] == (404, "no-table")
        assert failure(await server.http.get("/api/tables/UUUUUUUU/invite.svg"))[:2] == (404, "no-table")
        assert failure(await server.http.get("/api/tables/" + "A" * 13))[0] == 400
        assert failure(await server.http.get(f"/api/replays/{new_replay_name()}"))[:2] == (404, "no-replay")
        wrong = await server.http.post("/api/transfers", json={"secret": "x"})
        assert failure(wrong)[:2] == (403, "bad-token")
        for path in ("/nothing", "/api", "/api/tables/x/y/z", "/../../etc/passwd", "/%2e%2e/config.py", "/static/"):
            assert failure(await server.http.get(path)) == (404, "no-such-path", "no-such-path")
        assert failure(await server.http.delete("/api/tables"))[0] == 405


@live
async def test_requests_from_pages_of_others_are_refused() -> None:
    async with running() as server:
        for origin in ("https://evil.example", "null"):
            made = await server.http.post("/api/tables", json={"name": "Eve"}, headers={"origin": origin})
            assert failure(made) == (403, "bad-origin", "bad-origin")
        assert not server.app.lobby.tables
        own = await server.http.post("/api/tables", json={"name": "Ana"}, headers={"origin": server.base})
        assert own.status_code == 201


@live
async def test_what_a_refusal_says_can_be_said_in_other_languages() -> None:
    async with running() as server:
        code = (await server.make())["code"]
        taken = await server.http.post(f"/api/tables/{code}/seats", json={"name": "Eve", "seat": 0})
        assert taken.json()["facts"] == {"seat": 0}
        big = await server.http.post("/api/tables", json={"name": "x" * MOST_BODY})
        assert big.json()["facts"] == {"most": MOST_BODY}
        hasty = await server.http.post("/api/tables", json={"name": "Ana", "settings": {"options": {"hand_size": 99}}})
        assert hasty.json()["facts"]["name"] == "hand_size"


# ---------------------------------------------------------------- too many requests
@live
async def test_one_address_asks_so_much_and_then_has_to_wait_and_others_do_not() -> None:
    async with running() as server:
        server.app.lobby.rate_limits.requests = TokenBuckets(SLOWLY, 20, 10)
        answers = [await server.http.get("/api/editions") for _ in range(22)]
        refused = [answer for answer in answers if answer.status_code == 429]
        assert [answer.status_code for answer in answers] == [200] * 20 + [429] * 2
        assert failure(refused[0]) == (429, "too-fast", "too-fast")
        assert int(refused[0].headers["retry-after"]) >= 1
        assert {name: refused[0].headers.get(name) for name in HEADERS} == HEADERS
        for path in ("/health", "/metrics", "/api/tables", "/api/nothing"):
            assert (await server.http.get(path)).status_code == 429, path
        with pytest.raises(websockets.InvalidStatus) as denied:
            await server.connect()
        assert denied.value.response.status_code == 429
        assert server.app.lobby.rate_limits.requests.take("another", asyncio.get_running_loop().time())


@live
async def test_a_page_has_many_files_and_each_costs_little() -> None:
    async with running() as server:
        server.app.lobby.rate_limits.requests = TokenBuckets(SLOWLY, 20, 10)
        statuses = [(await server.http.get("/")).status_code for _ in range(102)]
        assert statuses[:98] == [200] * 98
        assert statuses[-1] == 429


@live
async def test_who_has_guessed_too_much_is_told_how_long_to_wait() -> None:
    async with running() as server:
        steered_loop().stop_clock()
        answers = [await server.http.get(f"/api/tables/{new_code()}") for _ in range(20)]
        assert failure(answers[-1])[:2] == (429, "too-fast")
        assert 1 <= int(answers[-1].headers["retry-after"]) <= 300
        server.app.lobby.guesses.note_failure("127.0.0.1", asyncio.get_running_loop().time() + 100)
        assert int((await server.http.get(f"/api/tables/{new_code()}")).headers["retry-after"]) > 90


def test_what_is_found_by_looking_through_all_tables_is_kept_for_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throttle, "TABLES_A_SECOND", 2)

    async def story() -> None:
        async with running() as server:
            steered_loop().stop_clock()
            tables = [await server.make(public=True) for _ in range(2)]
            await server.greet(tables[0]["code"], tables[0]["token"])
            before = {path: (await server.http.get(path)).text for path in ("/api/tables", "/metrics")}
            await server.greet(tables[1]["code"], tables[1]["token"])
            assert {path: (await server.http.get(path)).text for path in before} == before
            steered_loop().advance(1.1)
            assert len((await server.http.get("/api/tables")).json()["tables"]) == 2
            assert (await server.http.get("/metrics")).text != before["/metrics"]

    run(story())


def test_a_picture_is_drawn_once_and_a_new_one_costs_as_much_as_many_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []
    make = segno.make

    def noted(link: str, **more: Any) -> segno.QRCode:
        drawn.append(link)
        return make(link, **more)

    monkeypatch.setattr(segno, "make", noted)

    async def story() -> None:
        async with running() as server:
            server.app.lobby.rate_limits.requests = TokenBuckets(SLOWLY, 200, 10)
            code = (await server.make())["code"]
            pictures = {(await server.http.get(f"/api/tables/{code}/invite.svg")).text for _ in range(5)}
            assert (len(pictures), len(drawn)) == (1, 1)
            nowhere = await server.http.get(f"/api/tables/{new_code()}/invite.svg")
            assert failure(nowhere)[:2] == (404, "no-table")
            statuses = [
                (
                    await server.http.get(f"/api/tables/{code}/invite.svg", headers={"host": f"h{n}.localhost"})
                ).status_code
                for n in range(40)
            ]
            assert statuses[0] == 200
            assert statuses[-1] == 429
            assert len(drawn) < 25

    run(story())


def test_only_the_last_pictures_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throttle, "MOST_QR_CODES", 2)
    pictures = throttle.QrCodes()
    for link in ("a", "b", "a", "c"):
        pictures.of(link)
    assert [link for link in "abc" if link in pictures] == ["a", "c"]


# ---------------------------------------------------------------- invitations, records, editions
@live
async def test_an_invitation_is_a_picture_of_its_link() -> None:
    async with running() as server:
        code = (await server.make())["code"]
        picture = await server.http.get(f"/api/tables/{code}/invite.svg")
        assert picture.headers["content-type"].startswith("image/svg+xml")
        root = ElementTree.fromstring(picture.text)  # noqa: S314  # our own
        assert root.tag.endswith("svg")
        assert "<script" not in picture.text
        for host in ("x" * 4000, '"><script>alert(1)</script>', "é"):
            odd = await server.http.get(f"/api/tables/{code}/invite.svg", headers=[(b"host", host.encode())])
            assert odd.status_code in (400, 421)
            assert "script" not in odd.text


@live
async def test_the_record_of_a_match_can_be_read_when_it_is_over_and_not_before() -> None:
    async with running(messages_per_second=100_000) as server:
        code, _, clients = await server.seated(options={"target": 1, "hand_size": 3})
        name = server.table(code).state.replay
        assert failure(await server.http.get(f"/api/replays/{name}"))[:2] == (404, "no-replay")
        dice = random.Random(1)
        while server.table(code).state.phase != "over":
            await play(clients, 1, dice)
        answer = await server.http.get(f"/api/replays/{name}")
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/plain")
        match = server.table(code).state.match
        assert match is not None
        assert answer.text == match.record()
        assert parse(answer.text).record() == answer.text
        looked = (await server.http.get(f"/api/tables/{code}")).json()
        assert (looked["replay"], looked["fairness"]["seed"]) == (name, server.table(code).state.seed.hex())


@live
async def test_the_editions_say_all_that_a_table_can_be_made_with() -> None:
    async with running() as server:
        told = (await server.http.get("/api/editions")).json()
        options = {option["name"]: option for option in told["options"]}
        for edition in told["editions"]:
            assert edition["options"].keys() == options.keys()
            seated = await server.make(edition=edition["name"])
            assert server.table(seated["code"]).state.settings.edition == edition["name"]
        assert told["levels"] == ["rookie", "casual", "regular", "sharp", "master"]
        number = next(option for option in options.values() if option["kind"] == "number")
        assert number["low"] < number["high"]
