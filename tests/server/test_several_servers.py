"""Two real servers on one database: what one knows the other acts on, and limits are those of one."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest

from flipdeck.server import public_list, sharing
from flipdeck.server.admin.messages import (
    AddressKeptOut,
    BanLifted,
    BanList,
    CloseTable,
    KeepAddressOut,
    LiftBan,
    ListBans,
    ListTables,
    TableClosed,
    TableList,
)
from flipdeck.server.identity import AddressHashes, new_token
from flipdeck.server.journal import Unavailable
from flipdeck.server.journal.postgres import PostgresJournal
from flipdeck.server.limits import GUESSES, TABLES_MADE
from flipdeck.server.shared import postgres as shared_postgres
from flipdeck.server.shared.here import OneServer
from flipdeck.server.shared.postgres import PostgresShared
from flipdeck.wire.connection import CLOSE_CODES, ELSEWHERE_SECONDS
from flipdeck.wire.routing import routed
from tests.patience import HANG

from .administering import asked
from .databases import postgres
from .running import Client, Running, play, running
from .shared_states import two_running
from .sitting import refused
from .steered import eventually, live, steered_loop

HERE = {"X-Forwarded-For": "203.0.113.7"}


def from_there(number: int) -> dict[str, str]:
    return {"X-Forwarded-For": f"198.51.100.{number}"}


@pytest.fixture(autouse=True)
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers tell each other what is new at once."""
    monkeypatch.setattr(public_list, "CACHE_SECONDS", 0.0)
    monkeypatch.setattr(sharing, "PUBLISH_SECONDS", 0.02)
    monkeypatch.setattr(sharing, "SEATS_SECONDS", 0.02)


async def listed(server: Running) -> list[str]:
    answer = (await server.http.get("/api/tables")).json()
    return [card["code"] for card in answer["tables"]]


async def listed_until(server: Running, codes: list[str]) -> None:
    while await listed(server) != codes:
        await asyncio.sleep(0.02)


async def public_table(server: Running, number: int) -> tuple[str, Client]:
    body = {"name": "Ana", "settings": {"seats": 4, "public": True}}
    made = (await server.http.post("/api/tables", json=body, headers=from_there(number))).json()
    return made["code"], await server.greet(made["code"], made["token"])


# ---------------------------------------------------------------- public tables
@live
async def test_the_public_tables_of_all_servers_are_listed_at_each_until_they_are_over() -> None:
    async with two_running(proxies="127.0.0.1") as (one, two):
        (first, ana), (second, _) = await public_table(one, 1), await public_table(two, 2)
        await listed_until(one, sorted([first, second], key=lambda code: code == first))
        await listed_until(two, sorted([first, second], key=lambda code: code == second))
        await ana.command("leave")
        await listed_until(two, [second])
        await listed_until(one, [second])


@live
async def test_a_server_that_can_not_ask_lists_its_own_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(public_list, "STALE_SECONDS", HANG)
    async with two_running(proxies="127.0.0.1") as (one, two):
        (first, _), (second, _) = await public_table(one, 1), await public_table(two, 2)
        await listed_until(two, [first, second])
        await two.app.lobby.shared.close()
        assert await listed(two) == [first, second], "the last answer counts for a while"
        monkeypatch.setattr(public_list, "STALE_SECONDS", 0.0)
        await listed_until(two, [second])  # the list of a moment ago may be answered from a cache


@live
async def test_whoever_looks_at_a_table_at_the_wrong_server_takes_it_from_nobody() -> None:
    async with two_running(hold_seconds=0.0) as (one, two):
        code, _, (ana, _) = await one.seated()
        for path in (f"/api/tables/{code}", f"/api/tables/{code}/invite.svg"):
            answer = await two.http.get(path)
            assert (answer.status_code, answer.json()["code"]) == (503, "table-elsewhere")
            assert answer.headers["Retry-After"] == str(ELSEWHERE_SECONDS)
        assert (await two.http.get(f"/table/{code}")).status_code == 200
        assert (await ana.command("transfer"))["type"] != "bye"
        assert (one.app.lobby.handed_over, two.app.lobby.takeovers.asked) == (0, 0)
        placed = await two.http.get(routed(f"/api/tables/{code}", code))
        assert placed.status_code == 200, "a proxy has brought it where the table belongs"
        assert one.app.lobby.handed_over == 1


# ---------------------------------------------------------------- transfers
@live
async def test_a_seat_moves_to_a_device_that_reaches_another_server() -> None:
    async with two_running(hold_seconds=0.0) as (one, two):
        code, tokens, (ana, ben) = await one.seated()
        secret = (await ana.command("transfer"))["secret"]
        body = {"secret": secret, "token": new_token()}
        moved = await two.http.post("/api/transfers", json=body)
        assert (moved.status_code, moved.json()["seat"], moved.json()["code"]) == (201, 0, code)
        assert (await ben.end())[1] == CLOSE_CODES["shutting-down"], "the table went with it"
        phone = await two.greet(code, body["token"])
        assert phone.view is not None
        assert phone.view["you"] == 0
        again = await two.http.post("/api/transfers", json=body)
        assert (again.status_code, again.json()) == (201, moved.json())
        for server in (one, two):
            other = await server.http.post("/api/transfers", json={**body, "token": new_token()})
            assert (other.status_code, other.json()["code"]) == (403, "bad-token")
        old = await two.connect()
        await old.send("hello", protocol=1, table=code, token=tokens[0])
        assert (await old.until("refused"))["code"] == "bad-token"


@live
async def test_no_transfer_is_given_or_taken_while_the_database_does_not_answer() -> None:
    """Nobody can know whether a secret was used before."""
    async with two_running() as (one, two):
        _, _, (ana, _) = await one.seated()
        secret = (await ana.command("transfer"))["secret"]
        await one.app.lobby.shared.close()
        assert (await ana.command("transfer"))["code"] == "unavailable"
        answer = await one.http.post("/api/transfers", json={"secret": secret})
        assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
        assert (await two.http.post("/api/transfers", json={"secret": secret})).status_code in (201, 503)


# ---------------------------------------------------------------- limits of an address
@live
async def test_wrong_guesses_at_one_server_are_waited_for_at_the_other_and_the_right_code_is_served() -> None:
    async with two_running(proxies="127.0.0.1") as (one, two):
        code = (await one.make())["code"]
        steered_loop().stop_clock()
        told = [
            (await (one, two)[n % 2].http.get("/api/tables/00000000", headers=HERE)).status_code
            for n in range(GUESSES.free + 5)
        ]
        assert told == [404] * (GUESSES.free + 1) + [429] * 4
        assert (await two.http.get("/api/tables/00000000", headers=from_there(1))).status_code == 404
        assert (await one.http.get(f"/api/tables/{code}", headers=HERE)).status_code == 200
        steered_loop().run_clock()


@live
async def test_a_server_that_can_not_ask_counts_the_guesses_at_itself() -> None:
    async with two_running(proxies="127.0.0.1") as (one, two):
        await two.app.lobby.shared.close()
        steered_loop().stop_clock()
        told = [(await two.http.get("/api/replays/unknown", headers=HERE)).status_code for _ in range(GUESSES.free + 3)]
        assert told == [404] * (GUESSES.free + 1) + [429] * 2
        assert (await one.http.get("/api/replays/unknown", headers=HERE)).status_code == 404
        steered_loop().run_clock()


@live
async def test_an_address_makes_as_many_tables_at_two_servers_as_at_one() -> None:
    async with two_running(proxies="127.0.0.1") as (one, two):
        body: dict[str, Any] = {"name": "Ana"}
        told = [
            (await (one, two)[n % 2].http.post("/api/tables", json=body, headers=HERE)).status_code
            for n in range(int(TABLES_MADE.burst) + 12)
        ]
        made = told.count(201)
        assert {*told} == {201, 429}
        assert TABLES_MADE.burst <= made < TABLES_MADE.burst + 12, "some more if the machine is slow"


@live
async def test_an_address_sits_at_as_many_public_tables_of_two_servers_as_of_one() -> None:
    async with two_running(proxies="127.0.0.1") as (one, two):
        codes = [(server, (await public_table(server, number))[0]) for number in range(3) for server in (one, two)]

        async def sit(server: Running, code: str) -> Any:
            answer = await server.http.post(f"/api/tables/{code}/seats", json={"name": "Ben"}, headers=HERE)
            return answer.json().get("token") or answer.json()["code"]

        told = await asyncio.gather(*(sit(server, code) for server, code in codes))
        assert told.count("limit") == len(codes) - 3
        (server, code), token = next(
            (where, token)
            for where, token in zip(codes, told, strict=True)
            if token != "limit"  # noqa: S105
        )
        ben = await server.connect(additional_headers=HERE)
        await ben.send("hello", protocol=1, table=code, token=token)
        await ben.until("welcome")
        assert (await ben.command("leave"))["type"] == "ack"
        free = [where for where, token in zip(codes, told, strict=True) if token == "limit"]  # noqa: S105
        elsewhere, other = next(where for where in free if where[0] is not server)
        while await sit(elsewhere, other) == "limit":  # until the other server has heard of it
            await asyncio.sleep(0.02)


# ---------------------------------------------------------------- a database that hangs
@live
async def test_while_what_is_shared_does_not_answer_moves_go_on_and_requests_wait_for_a_moment_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with two_running(proxies="127.0.0.1") as (one, _):
        code, _, clients = await one.seated()
        hanging = asyncio.get_running_loop().create_future()
        asking: list[str] = []

        async def fetch(statement: str, *_: object) -> Any:
            asking.append(statement)
            return await asyncio.shield(hanging)

        shared = one.app.lobby.shared
        assert isinstance(shared, PostgresShared)
        monkeypatch.setattr(shared._links, "fetch", fetch)
        monkeypatch.setattr(shared_postgres, "ANSWER_SECONDS", 60.0)
        monkeypatch.setattr(shared_postgres, "REST_SECONDS", 60.0)
        lobby, address = one.app.lobby, HERE["X-Forwarded-For"]
        guess = asyncio.create_task(refused(lobby.find("00000000", address)))
        await eventually(lambda: any("guesses" in statement for statement in asking))
        assert await play(clients, 5, random.Random(1)) == 5
        assert not guess.done()
        steered_loop().advance(60.0)
        assert (await guess).code == "no-table", "it is counted here"
        count = len(asking)
        assert (await refused(lobby.find("11111111", address))).code == "no-table"
        assert len(asking) == count, "nobody else is kept waiting"
        assert (await lobby.find(code, address)).state.code == code
        monkeypatch.undo()
        hanging.cancel()


# ---------------------------------------------------------------- bans
@live
async def test_who_is_kept_out_at_one_server_is_sent_away_from_all_and_let_in_at_all(tmp_path: Path) -> None:
    url = postgres().url(postgres().new())

    def a_server(**more: Any) -> Any:
        return running(PostgresJournal(url), shared=PostgresShared(url), proxies="127.0.0.1", lease_seconds=600, **more)

    async with a_server(door=tmp_path), a_server() as two:
        code = (await two.make())["code"]
        there = await two.connect(additional_headers=HERE)
        await there.send("hello", protocol=1, table=code)
        await there.until("welcome")
        ban = (await asked(tmp_path, KeepAddressOut(HERE["X-Forwarded-For"], 1), AddressKeptOut)).ban
        await two.app.lobby.lease.renew()
        assert await there.end() == ("kept-out", CLOSE_CODES["kept-out"])
        assert (await two.http.get("/api/tables", headers=HERE)).status_code == 403
        assert (await two.http.get("/api/tables", headers=from_there(1))).status_code == 200
        assert [each.name for each in two.app.lobby.kept_out.running()] == [ban]
        assert [each.ban for each in (await asked(tmp_path, ListBans(), BanList)).bans] == [ban]
        await asked(tmp_path, LiftBan(ban), BanLifted)
        await two.app.lobby.lease.renew()
        await eventually(lambda: two.app.lobby.kept_out.running() == [])
        assert (await two.http.get("/api/tables", headers=HERE)).status_code == 200


@live
async def test_a_table_of_another_server_is_closed_by_its_code_and_the_operator_hears_of_the_others(
    tmp_path: Path,
) -> None:
    url = postgres().url(postgres().new())
    async with (
        running(PostgresJournal(url), shared=PostgresShared(url), door=tmp_path, hold_seconds=0.0) as one,
        running(PostgresJournal(url), shared=PostgresShared(url), hold_seconds=0.0) as two,
    ):
        code, tokens, _ = await two.seated()
        await one.app.lobby.lease.renew()
        assert await asked(tmp_path, ListTables(), TableList) == TableList([], 0, 1)
        await asked(tmp_path, CloseTable(code, "Enough."), TableClosed)
        for server in (one, two):
            late = await server.connect()
            await late.send("hello", protocol=1, table=code, token=tokens[0])
            assert (await late.until("refused"))["code"] in ("closed-by-operator", "table-elsewhere")
            if server is one:
                assert one.table(code).state.closed == "Enough."


# ---------------------------------------------------------------- the key
@live
async def test_servers_of_one_database_know_an_address_by_the_same_hash_and_a_repeated_request_by_its_code() -> None:
    async with two_running() as (one, two):
        hashes = {server.app.lobby.context.address_hashes.of("203.0.113.7") for server in (one, two)}
        assert len(hashes) == 1
        body = {"name": "Ana", "token": new_token()}
        first, again = [await server.http.post("/api/tables", json=body) for server in (one, two)]
        assert first.status_code == 201
        assert again.json()["code"] == first.json()["code"], "not another table"


@live
async def test_a_server_with_another_key_in_its_folder_does_not_start(tmp_path: Path) -> None:
    url = postgres().url(postgres().new())
    (tmp_path / "server.key").write_bytes(b"k" * 32)
    async with running(PostgresJournal(url), shared=PostgresShared(url)):
        mine = AddressHashes(tmp_path / "server.key")
        shared = PostgresShared(url)
        await shared.open()
        with pytest.raises(Unavailable, match=r"remove server\.key from the data folder"):
            await shared.settle_key(mine.stored(), mine.key)
        await shared.close()


# ---------------------------------------------------------------- one at a time
@live
async def test_one_server_at_a_time_prunes_and_the_others_leave_it_at_that() -> None:
    async with two_running() as (one, two):
        counts = [0, 0]

        def counting(number: int, server: Running) -> None:
            async def prune(_: float) -> int:
                counts[number] += 1
                return 0

            server.app.lobby.context.journal.prune = prune  # type: ignore[method-assign, assignment]

        for number, server in enumerate((one, two)):
            await server.app.lobby.lease.hold()
            counting(number, server)
        await asyncio.gather(*(server.app.lobby._prune() for server in (one, two)))
        for server in (one, two):
            await server.app.lobby._prune()
        assert sorted(counts) == [0, 1]


def test_a_server_that_is_alone_asks_nobody() -> None:
    assert not OneServer.several
