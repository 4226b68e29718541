"""The operator and tables: lists without cards, notices, and tables that are closed for good."""

from __future__ import annotations

import asyncio
import random
import re
from pathlib import Path
from typing import Any, get_args, get_type_hints

import msgspec
import pytest

from flipdeck.server.admin.client import ask
from flipdeck.server.admin.commands import Operator, Use
from flipdeck.server.admin.messages import (
    AdminRefusal,
    Announce,
    Announced,
    AnyAdminReply,
    AnyAdminRequest,
    BanLifted,
    BanList,
    CloseTable,
    ConnectionList,
    KeepAddressOut,
    LiftBan,
    ListBans,
    ListConnections,
    ListTables,
    TableBanList,
    TableClosed,
    TableList,
)
from flipdeck.server.identity import hash_token
from flipdeck.server.journal.memory import MemoryJournal
from flipdeck.server.logs import address_tag, table_tag
from flipdeck.server.table import snapshot
from flipdeck.wire.connection import CLOSE_CODES
from tests.server.administering import asked, refusal_of, refused_to_operator, uses
from tests.server.running import Client, play, running
from tests.server.sitting import Ledger, at_once, hall
from tests.server.steered import eventually, live, steered_loop

# everything that the operator may be told: a new field has to be thought about
TOLD = {
    *("table", "phase", "edition", "seats", "people", "bots", "here", "watching", "public"),
    *("awake_seconds", "quiet_seconds", "closed", "names", "code"),
    *("address", "seat", "since_seconds", "lag_ms", "ban", "seconds_left", "why"),
    *("tables", "connections", "bans", "more", "others", "told", "ended", "message"),
}
PLAIN = {str, int, bool, float, type(None)}


def fields_of_replies(kind: Any) -> set[str]:
    """The names of all fields, after all of them were found to be plain."""
    found: set[str] = set()
    waiting = [kind]
    while waiting:
        one = waiting.pop()
        if isinstance(one, type) and issubclass(one, msgspec.Struct):
            hints = get_type_hints(one)
            found |= hints.keys() & set(one.__struct_fields__)
            waiting += [hints[name] for name in one.__struct_fields__]
        elif get_args(one):
            waiting += [each for each in get_args(one) if not isinstance(each, str)]
        else:
            assert one in PLAIN, one
    return found


def test_no_reply_has_a_place_for_cards_seeds_tokens_or_chat() -> None:
    assert fields_of_replies(AnyAdminReply) == TOLD


# ---------------------------------------------------------------- lists
@live
async def test_tables_and_connections_are_listed_by_their_tags(tmp_path: Path) -> None:
    async with running(door=tmp_path) as server:
        code, _, _ = await server.seated(public=True)
        await server.greet(code)
        quiet = await server.make("Zoe", seats=3, bots={"1": "rookie"})
        steered_loop().advance(90)
        await server.connect()
        listed = await asked(tmp_path, ListTables(), TableList)
        first, second = listed.tables
        assert listed.more == 0
        assert (first.table, first.phase, first.edition) == (table_tag(code), "playing", "classic")
        assert (first.seats, first.people, first.bots, first.here, first.watching) == (2, 2, 0, 2, 1)
        assert (first.public, first.closed, first.names, first.code) == (True, False, [], None)
        assert (second.table, second.people, second.bots, second.here) == (table_tag(quiet["code"]), 1, 1, 0)
        assert second.awake_seconds >= 90
        assert second.quiet_seconds >= 90
        more = await asked(tmp_path, ListTables(names=True, codes=True), TableList)
        assert (more.tables[1].names, more.tables[1].code) == (["Zoe"], f"{quiet['code'][:4]}-{quiet['code'][4:]}")
        found = await asked(tmp_path, ListConnections(), ConnectionList)
        assert {line.address for line in found.connections} == {address_tag("127.0.0.1")}
        assert [(line.table, line.seat) for line in found.connections] == [
            (None, None),  # has not greeted yet
            *[(table_tag(code), seat) for seat in (None, 1, 0)],
        ]
        assert found.connections[-1].since_seconds >= 90


@live
async def test_long_lists_are_cut_and_say_how_much_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flipdeck.server.admin.commands.MOST_LISTED", 2)
    async with running(door=tmp_path) as server:
        for _ in range(5):
            await server.greet((await server.make())["code"])
        listed = await asked(tmp_path, ListTables(), TableList)
        assert (len(listed.tables), listed.more) == (2, 3)
        found = await asked(tmp_path, ListConnections(), ConnectionList)
        assert (len(found.connections), found.more) == (2, 3)


@live
async def test_no_reply_shows_anything_of_a_match_in_play(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    async with running(door=tmp_path) as server:
        code, tokens, clients = await server.seated(3)
        await play(clients, 12, random.Random(4))
        await clients[0].send("chat", text="open sesame")
        await clients[1].until("said")
        state = server.table(code).state
        assert state.match is not None
        hands: Any = state.match.secret_state()["hands"]
        cards = [str(card) for hand in hands for card in hand]
        assert len(cards) > 10
        requests: list[AnyAdminRequest] = [
            ListTables(names=True, codes=True),
            ListConnections(),
            KeepAddressOut("192.0.2.1", 1, "a note"),
            ListBans(),
            LiftBan("192.0.2.1"),
            ListBans(table_tag(code)),
            Announce("Hello."),
            CloseTable("t-0000", "Enough."),
            CloseTable(table_tag(code), "Enough."),
        ]
        replies = " ".join([str(await _any_reply(tmp_path, request)) for request in requests])
        faces = {face for card in cards for face in card.split("/")}
        assert not faces & set(re.findall(r"[\w+]+", replies))
        secrets = [state.seed.hex(), state.commitment, state.replay, "open sesame", *tokens, *map(hash_token, tokens)]
        for secret in [*cards, *secrets]:
            assert secret not in replies
        log = "\n".join(str(record.__dict__) for record in caplog.records if record.name == "flipdeck.admin")
        for secret in [*cards, *secrets, code, "Enough.", "Hello.", "a note", "192.0.2.1", "127.0.0.1", "Ana"]:
            assert secret not in log
        assert [use["what"] for use in uses(caplog)] == [
            *("tables-names-codes", "connections", "keep-out", "bans", "lift", "bans", "say", "close", "close"),
        ]


async def _any_reply(folder: Path, request: AnyAdminRequest) -> object:
    try:
        return await asyncio.to_thread(ask, folder, request)
    except AdminRefusal as refusal:
        return refusal  # its sentence is what the operator sees


# ---------------------------------------------------------------- whom a host has removed
@live
async def test_whom_a_host_has_removed_is_listed_and_let_in_again_one_by_one(tmp_path: Path) -> None:
    async with running(door=tmp_path) as server:
        host = await server.make(seats=4)
        code = host["code"]
        ana = await server.greet(code, host["token"])
        away = []
        for name in ("Ben", "Cleo"):
            seated = await server.join(code, name)
            await ana.command("clear_seat", seat=seated["seat"])
            away.append(seated["token"])
        listed = await asked(tmp_path, ListBans(table_tag(code)), TableBanList)
        assert [line.address for line in listed.bans] == [False, False], "loopback is never kept out"
        assert (await asked(tmp_path, ListBans(), BanList)).bans == [], "they are the table's own"
        ben, cleo = (line.ban for line in listed.bans)
        assert await refused_to_operator(tmp_path, LiftBan("b-00000000", table_tag(code))) == "no-such-ban"
        lifted = await asked(tmp_path, LiftBan(ben, table_tag(code)), BanLifted)
        assert lifted.ban == ben
        again = [await server.http.post(f"/api/tables/{code}/seats", json={"name": "x", "token": t}) for t in away]
        assert [answer.status_code for answer in again] == [201, 403]
        listed = await asked(tmp_path, ListBans(table_tag(code)), TableBanList)
        assert [line.ban for line in listed.bans] == [cleo]


# ---------------------------------------------------------------- notices
@live
async def test_a_notice_reaches_everybody_once_and_is_no_version(tmp_path: Path) -> None:
    async with running(door=tmp_path) as server:
        code, _, people = await server.seated()
        other = await server.greet((await server.make())["code"])
        watcher = await server.greet(code)
        version = server.table(code).state.version
        said = await asked(tmp_path, Announce("  We\u202e restart\nat nine. <b> "), Announced)
        assert said.told == 4
        for client in (*people, watcher, other):
            notice = await client.until("notice")
            assert notice == {"type": "notice", "text": "We restart at nine. <b>"}
        assert server.table(code).state.version == version
        late = await server.greet(code)
        assert (await asked(tmp_path, Announce("Bye."), Announced)).told == 5
        assert (await late.until("notice"))["text"] == "Bye."


@live
async def test_a_notice_to_one_table_stays_there(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    async with running(door=tmp_path) as server:
        codes = [(await server.make())["code"] for _ in range(2)]
        here, there = [await server.greet(code) for code in codes]
        for named in (table_tag(codes[0]), table_tag(codes[0])[:7], codes[0], codes[0].lower()):
            assert (await asked(tmp_path, Announce("Be kind.", named), Announced)).told == 1
            await here.until("notice", text="Be kind.")
        await asked(tmp_path, Announce("All."), Announced)
        await there.until("notice", text="All.")
        assert [message["text"] for message in there.told if message["type"] == "notice"] == ["All."]
        assert uses(caplog)[0] == {"what": "say", "table": table_tag(codes[0]), "count": 1}


@at_once
async def test_what_can_not_be_said_is_refused() -> None:
    async with hall() as it:
        operator, watcher = Operator(it.lobby), await it.watcher((await it.make()).code)
        for text, code in (
            ("", "no-words"),
            (" \u200b\n", "no-words"),
            ("x" * 201, "too-long"),
            ("x" * 999, "too-long"),
        ):
            assert await refusal_of(operator, Announce(text), Use("say")) == code
        await operator.carry_out(Announce("ñ" * 200), Use("say"))
        assert (await watcher.hear("notice"))["text"] == "ñ" * 200
        assert [message["type"] for message in watcher.told].count("notice") == 1


# ---------------------------------------------------------------- which table
@at_once
async def test_a_table_that_is_named_badly_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    async with hall() as it:
        operator, use = Operator(it.lobby), Use("close")
        first, second = [(await it.make()).code for _ in range(2)]
        names = {"t-": "bad-tag", "t-12": "bad-tag", "t-zzzz": "bad-tag", "t-00000000": "no-such-table"}
        names |= {"": "no-such-table", "a-12345678": "no-such-table", "ZZZZ-ZZZZ": "no-such-table"}
        for named, code in names.items():
            assert await refusal_of(operator, CloseTable(named, "Enough."), use) == code, named
        monkeypatch.setattr(
            "flipdeck.server.admin.commands.table_tag", lambda code: {first: "t-12345678", second: "t-12349999"}[code]
        )
        assert await refusal_of(operator, CloseTable("t-1234", "Enough."), use) == "several-match"
        assert all(table.state.closed is None for table in it.lobby.tables.values())


# ---------------------------------------------------------------- closed for good
async def _is_closed_to(client: Client) -> None:
    assert await client.end() == ("closed-by-operator", CLOSE_CODES["closed-by-operator"])
    bye = client.told[-1]
    assert bye["message"] == "Whoever runs this server has closed this table."
    assert bye["facts"] == {"word": "Closed after complaints."}


@live
async def test_a_table_that_is_closed_in_a_match_is_closed_to_everybody(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    journal = MemoryJournal()
    async with running(journal, door=tmp_path) as server:
        code, tokens, people = await server.seated()
        await play(people, 6, random.Random(2))
        watcher = await server.greet(code)
        replay = server.table(code).state.replay
        closed = await asked(tmp_path, CloseTable(table_tag(code), "Closed\n after complaints."), TableClosed)
        assert closed == TableClosed(table_tag(code), 3)
        for client in (*people, watcher):
            await _is_closed_to(client)
        assert uses(caplog)[-1] == {"what": "close", "table": table_tag(code), "count": 3}
        await _nobody_gets_in(server, code, tokens[0])
        assert await refused_to_operator(tmp_path, CloseTable(table_tag(code), "Again.")) == "closed-already"
        assert (await asked(tmp_path, ListTables(), TableList)).tables[0].closed
    async with running(journal, door=tmp_path) as server:
        await _nobody_gets_in(server, code, tokens[0])
        assert await refused_to_operator(tmp_path, CloseTable(code, "Again.")) == "closed-already"
        assert await journal.replay(replay) is None
        assert (await server.http.get("/api/tables")).json()["tables"] == []


async def _nobody_gets_in(server: Any, code: str, token: str) -> None:
    for method, path, body in (
        ("GET", f"/api/tables/{code}", None),
        ("GET", f"/api/tables/{code}/invite.svg", None),
        ("POST", f"/api/tables/{code}/seats", {"name": "Eve"}),
    ):
        answer = await server.http.request(method, path, json=body)
        told = answer.json()
        assert (answer.status_code, told["code"]) == (410, "closed-by-operator"), path
        assert told["facts"] == {"word": "Closed after complaints."}
    for greeting in (token, None):
        client = await server.connect()
        await client.send("hello", protocol=1, table=code, token=greeting)
        refused = await client.until("refused")
        assert (refused["code"], refused["facts"]) == ("closed-by-operator", {"word": "Closed after complaints."})
        assert (await client.end())[1] == CLOSE_CODES["closed-by-operator"]


@live
async def test_a_sleeping_table_is_closed_by_its_code_and_stays_so_through_a_rest(tmp_path: Path) -> None:
    async with running(door=tmp_path, sleep_seconds=1.0) as server:
        code = (await server.make())["code"]
        steered_loop().advance(10)
        await eventually(lambda: code not in server.app.lobby.tables)
        assert await asked(tmp_path, CloseTable(code, "Enough."), TableClosed) == TableClosed(table_tag(code), 0)
        steered_loop().advance(10)
        await eventually(lambda: code not in server.app.lobby.tables)
        assert (await server.http.get(f"/api/tables/{code}")).status_code == 410


@at_once
async def test_whoever_arrives_or_moves_while_the_table_is_being_closed_is_told_so() -> None:
    ledger = Ledger()
    async with hall(ledger) as it:
        ann, ben = await it.sit(2)
        table = it.table(ann.code)
        mover = ann if ann.view["to_act"] == ann.you else ben
        version = table.state.version
        ledger.slow = 1.0
        closing = asyncio.ensure_future(it.lobby.close_table(table, "Enough."))
        await asyncio.sleep(0.5)
        late = it.seat(ann.code)
        arriving = asyncio.ensure_future(late.connect())
        await mover.say("move", cmd_id="late", version=version, move="draw")
        await closing
        told = await arriving
        assert (told["type"], told["code"], told["facts"]) == ("bye", "closed-by-operator", {"word": "Enough."})
        await asyncio.sleep(60)
        assert [message["code"] for message in mover.told if message["type"] in ("bye", "refused")] == [
            "closed-by-operator"
        ]
        assert table.state.version == version + 1
        assert [entry["what"] for entry in await ledger.written(ann.code)][-1] == "closed"


@at_once
async def test_a_closed_table_is_closed_in_its_snapshots_too() -> None:
    async with hall() as it:
        (ann,) = await it.sit(1, {1: "rookie"})
        state = it.table(ann.code).state
        await it.lobby.close_table(it.table(ann.code), "Enough.")
        restored = snapshot.from_bytes(snapshot.to_bytes(snapshot.take(state)))
        assert restored is not None
        assert restored.closed == "Enough."


@at_once
async def test_bots_and_clocks_of_a_closed_table_stand_still_for_ever() -> None:
    async with hall() as it:
        (ann,) = await it.sit(1, {1: "rookie"}, turn_seconds=15)
        table = it.table(ann.code)
        await it.lobby.close_table(table, "Enough.")
        version = table.state.version
        await asyncio.sleep(50)
        assert (table.state.version, table.connections) == (version, set())


@at_once
async def test_a_table_whose_closing_can_not_be_written_plays_on() -> None:
    ledger = Ledger()
    async with hall(ledger) as it:
        ann, _ = await it.sit(2)
        operator, use = Operator(it.lobby), Use("close")
        ledger.failing = True
        with pytest.raises(AdminRefusal, match="can't be saved") as refused:
            await operator.carry_out(CloseTable(table_tag(ann.code), "Enough."), use)
        assert (refused.value.code, use.table) == ("unavailable", table_tag(ann.code))
        ledger.failing = False
        assert it.table(ann.code).state.closed is None
        assert ann.on_line
