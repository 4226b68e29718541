"""Addresses that the operator keeps out: at once, everywhere, for as long as it was said, and no longer."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

import pytest
import websockets

from flipdeck.server import kept_out, logs
from flipdeck.server.admin.commands import Operator, Use
from flipdeck.server.admin.messages import (
    AddressKeptOut,
    AdminRefusal,
    BanLifted,
    BanLine,
    BanList,
    ConnectionList,
    KeepAddressOut,
    LiftBan,
    ListBans,
    ListConnections,
)
from flipdeck.server.http.errors import HEADERS
from flipdeck.server.identity import AddressHashes
from flipdeck.server.journal.memory import MemoryJournal
from flipdeck.server.kept_out import KeptOut
from flipdeck.server.limits import NO_ADDRESS, address_key
from flipdeck.server.logs import address_tag
from flipdeck.server.transport import websocket
from flipdeck.wire import rest
from flipdeck.wire.connection import CLOSE_CODES
from tests.server.administering import asked, refusal_of, refused_to_operator, uses
from tests.server.running import Running, running
from tests.server.sitting import Ledger, at_once, hall, refused
from tests.server.steered import eventually, live, steered_loop

HERE = "127.0.0.1"
TOLD = ("kept-out", CLOSE_CODES["kept-out"])


async def is_kept_out(server: Running) -> None:
    for method, path, body in (
        ("GET", "/api/tables", None),
        ("GET", "/api/editions", None),
        ("GET", "/api/tables/ABCDEFGH", None),
        ("POST", "/api/tables", {"name": "Ana"}),
    ):
        answer = await server.http.request(method, path, json=body)
        assert (answer.status_code, answer.json()["code"]) == (403, "kept-out"), path
        assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS
    assert (await server.http.get("/")).status_code == 200  # the page, which shows why
    assert (await server.http.get("/health")).status_code == 200
    assert await (await server.connect()).end() == TOLD


async def let_pass(server: Running, seconds: float) -> None:
    """With connections that are kept alive nobody asks afterwards."""
    steered_loop().advance(seconds)
    if seconds > 5:
        await eventually(lambda: not server.server.server_state.connections)


# ---------------------------------------------------------------- kept out
@live
async def test_an_address_is_kept_out_at_once_and_let_in_when_its_time_is_over(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    async with running(door=tmp_path) as server:
        code, tokens, people = await server.seated()
        watcher, silent = await server.greet(code), await server.connect()
        found = await asked(tmp_path, ListConnections(), ConnectionList)
        tag = found.connections[0].address
        steered_loop().stop_clock()
        done = await asked(tmp_path, KeepAddressOut(tag[:8], 2, "insults", force=True), AddressKeptOut)
        assert (done.address, done.ended) == (tag, 4)
        assert uses(caplog)[-1] == {"what": "keep-out", "address": tag, "ban": done.ban, "count": 4, "seconds": 7200}
        for client in (*people, watcher, silent):
            assert await client.end() == TOLD
        await is_kept_out(server)
        assert (await asked(tmp_path, ListBans(), BanList)).bans == [BanLine(done.ban, 7200, "insults")]
        await let_pass(server, 7199)
        await is_kept_out(server)
        await let_pass(server, 1)
        assert (await server.http.get(f"/api/tables/{code}")).status_code == 200
        await server.greet(code, tokens[0])
        assert (await asked(tmp_path, ListBans(), BanList)).bans == []
        steered_loop().run_clock()


@live
async def test_far_too_many_who_are_kept_out_are_not_even_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(websocket, "MOST_REJECTED_PER_ADDRESS", 0)
    async with running(door=tmp_path) as server:
        await asked(tmp_path, KeepAddressOut(HERE, 1, force=True), AddressKeptOut)
        with pytest.raises(websockets.InvalidStatus) as denied:
            await server.connect()
        assert denied.value.response.status_code == 403


@live
async def test_a_ban_is_lifted_by_its_name_or_its_address(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    async with running(door=tmp_path) as server:
        for named in (None, 6, HERE):
            made = await asked(tmp_path, KeepAddressOut(HERE, 1, force=True), AddressKeptOut)
            assert (await server.http.get("/api/tables")).status_code == 403
            name = made.ban[:named] if named is None or isinstance(named, int) else named
            assert await asked(tmp_path, LiftBan(name), BanLifted) == BanLifted(made.ban)
            assert (await server.http.get("/api/tables")).status_code == 200
        assert uses(caplog)[1] == {"what": "lift", "ban": made.ban}
        for name, code in {
            "b-00000000": "no-such-ban",
            HERE: "no-such-ban",
            "b-1": "bad-tag",
            "me": "no-such-address",
        }.items():
            assert await refused_to_operator(tmp_path, LiftBan(name)) == code


@at_once
async def test_of_two_bans_that_begin_alike_more_has_to_be_given() -> None:
    async with hall() as it:
        operator = Operator(it.lobby)
        it.lobby.kept_out._hashes.of = lambda address: "abcd" + address.replace(".", "")  # type: ignore[method-assign]
        for address in ("192.0.2.1", "192.0.2.2"):
            await operator.carry_out(KeepAddressOut(address, 1), Use("keep-out"))
        with pytest.raises(AdminRefusal, match="2 tags begin with b-abcd"):
            await operator.carry_out(LiftBan("b-abcd"), Use("lift"))
        await operator.carry_out(LiftBan("b-abcd192022"), Use("lift"))
        assert [ban.key for ban in it.lobby.kept_out.running()] == ["abcd192021"]


# ---------------------------------------------------------------- which address
@live
async def test_who_has_gone_is_found_by_the_tag_in_the_log(tmp_path: Path) -> None:
    async with running(door=tmp_path, proxies=HERE) as server:
        for address in ("192.0.2.7", "2001:db8:1:2::3"):
            headers = {"X-Forwarded-For": address}
            assert (await server.http.get("/api/tables", headers=headers)).status_code == 200
            await asked(tmp_path, KeepAddressOut(address_tag(address), 1), AddressKeptOut)
            assert (await server.http.get("/api/tables", headers=headers)).status_code == 403
        neighbours = {"192.0.2.8": 200, "2001:db8:1:2::4": 403, "2001:db8:1:3::3": 200, HERE: 200}
        for address, status in neighbours.items():
            answer = await server.http.get("/api/tables", headers={"X-Forwarded-For": address})
            assert answer.status_code == status, address
        for name, code in {"a-0000": "no-such-address", "a-": "bad-tag", "a-xyz1": "bad-tag"}.items():
            assert await refused_to_operator(tmp_path, KeepAddressOut(name, 1)) == code


@at_once
async def test_an_address_that_many_share_needs_force() -> None:
    async with hall(proxies="192.0.2.1, 198.51.100.0/24") as it:
        operator, use = Operator(it.lobby), Use("keep-out")
        for address in (HERE, "127.9.9.9", "::1", "::ffff:127.0.0.1", "::", "192.0.2.1", "198.51.100.9"):
            assert await refusal_of(operator, KeepAddressOut(address, 1), use) == "shared-address", address
            assert (use.address, use.seconds) == (address_tag(address), 3600)
        assert operator._is_shared(NO_ADDRESS)
        for request in (KeepAddressOut("192.0.2.2", 1), KeepAddressOut("192.0.2.1", 1, force=True)):
            await operator.carry_out(request, use)
        assert len(it.lobby.kept_out.running()) == 2


@at_once
async def test_what_is_no_address_is_refused() -> None:
    async with hall() as it:
        names = {"": "no-such-address", "unknown": "no-such-address", "192.0.2": "no-such-address"}
        names |= {"192.0.2.1/64": "no-such-address", "2001:db8::/32": "no-such-address"}
        for name, code in names.items():
            assert await refusal_of(Operator(it.lobby), KeepAddressOut(name, 1), Use("keep-out")) == code, name


def test_every_network_has_a_tag_of_its_own_however_often_it_is_asked_for() -> None:
    """The lobby logs addresses as keys: those of IPv6 all had one tag."""
    keys = [address_key(address) for address in ("2001:db8:1::1", "2001:db8:2::1", "192.0.2.1")]
    assert [address_key(key) for key in keys] == keys
    assert len({address_tag(key) for key in [*keys, None]}) == 4
    assert address_tag(keys[0]) == address_tag("2001:db8:1::9")


# ---------------------------------------------------------------- kept
@at_once
async def test_bans_outlive_a_restart_under_the_servers_key_and_only_under_it(tmp_path: Path) -> None:
    journal = Ledger()
    await journal.open()
    hashes = AddressHashes(tmp_path / "server.key")
    hashes.load()
    await KeptOut(journal, hashes).add("192.0.2.7", 3600, "why")
    await asyncio.sleep(600)
    again, stranger = AddressHashes(tmp_path / "server.key"), AddressHashes()
    again.load()
    restarted, elsewhere = KeptOut(journal, again), KeptOut(journal, stranger)
    await restarted.load()
    await elsewhere.load()
    assert restarted.refusal("192.0.2.7") is not None
    assert restarted.refusal("192.0.2.8") is None
    assert elsewhere.refusal("192.0.2.7") is None
    await asyncio.sleep(2999)
    assert restarted.refusal("192.0.2.7") is not None
    await asyncio.sleep(1)
    assert restarted.refusal("192.0.2.7") is None
    assert "192.0.2" not in repr(await journal.kept_out())


@at_once
async def test_there_is_a_bound_for_bans_that_run_and_the_known_can_be_prolonged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(kept_out, "MOST_BANS", 2)
    async with hall() as it:
        operator = Operator(it.lobby)
        for address in ("192.0.2.1", "192.0.2.2", "192.0.2.2"):
            await operator.carry_out(KeepAddressOut(address, 1), Use("keep-out"))
        with pytest.raises(AdminRefusal, match="too many bans"):
            await operator.carry_out(KeepAddressOut("192.0.2.3", 1), Use("keep-out"))
        await asyncio.sleep(3601)
        await operator.carry_out(KeepAddressOut("192.0.2.3", 1), Use("keep-out"))


@at_once
async def test_a_ban_that_can_not_be_written_is_refused_and_keeps_nobody_out() -> None:
    ledger = Ledger()
    async with hall(ledger) as it:
        ledger.failing = True
        with pytest.raises(AdminRefusal, match="can't be written"):
            await Operator(it.lobby).carry_out(KeepAddressOut("192.0.2.1", 1), Use("keep-out"))
        ledger.failing = False
        assert it.lobby.kept_out.refusal("192.0.2.1") is None


@at_once
async def test_who_is_kept_out_while_the_table_loads_does_not_get_in() -> None:
    class SlowToWake(Ledger):
        async def first(self, table: str) -> bytes | None:
            await asyncio.sleep(1.0)
            return await super().first(table)

    async with hall(SlowToWake()) as it:
        host = await it.make()
        await it.restart()
        seat = it.seat(host.code, host.token)
        arriving = asyncio.ensure_future(seat.connect())
        await asyncio.sleep(0.5)
        await it.lobby.kept_out.add(seat.address, 3600)
        assert (await arriving)["code"] == "kept-out"
        assert (await refused(it.lobby.join(host.code, rest.Join("Eve"), seat.address))).code == "kept-out"
        assert not it.table(host.code).connections


# ---------------------------------------------------------------- the log
@live
async def test_every_use_is_logged_however_quiet_the_log_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logs.LogPolicy, "strict", True)
    before = [(log := logging.getLogger(name), log.level, log.handlers[:]) for name in ("", "flipdeck", logs.ALWAYS)]
    try:
        async with running(MemoryJournal(), door=tmp_path):
            logs.set_up("ERROR", json=True, strict=True)
            await asked(tmp_path, ListBans(), BanList)
            await refused_to_operator(tmp_path, LiftBan("b-00000000"))
        lines = [line for line in capsys.readouterr().err.splitlines() if '"event":"admin"' in line]
        assert ['"what":"bans"' in lines[0], '"what":"lift"' in lines[1], len(lines)] == [True, True, 2]
    finally:
        for log, level, handlers in before:
            log.setLevel(level)
            log.handlers[:] = handlers
