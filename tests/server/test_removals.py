"""Whoever the host removes stays out: by token and by address, after a restart and a rematch too; and the lock."""

from __future__ import annotations

import asyncio

import pytest

from flipdeck.server.identity import hash_token, new_token
from flipdeck.server.lobby import Lobby
from flipdeck.server.table.requests import LiftBans
from flipdeck.server.table.state import MOST_BANS
from flipdeck.wire import rest

from .playing import play_out
from .running import running
from .seats import SeatClient
from .sitting import Hall, Ledger, at_once, hall, refused
from .steered import live

BEN, CLEO = "203.0.113.7", "198.51.100.8"


async def hosted(it: Hall, seats: int = 4, **settings: object) -> SeatClient:
    """Ann, alone at her table."""
    made = await it.make(settings={"seats": seats, **settings})
    ann = it.seat(made.code, made.token)
    await ann.connect()
    return ann


# ---------------------------------------------------------------- over HTTP
@live
async def test_a_script_that_was_removed_gets_no_seat_again() -> None:
    """Once it sat down ten times of ten, with the same token, before the host had seated a bot."""
    async with running() as server:
        host = await server.make(seats=3, public=True)
        code, token = host["code"], new_token()
        ana = await server.greet(code, host["token"])
        body = {"name": "Ben", "token": token}
        ben = (await server.http.post(f"/api/tables/{code}/seats", json=body)).json()
        assert (await ana.command("clear_seat", seat=ben["seat"]))["type"] == "ack"
        answers = [await server.http.post(f"/api/tables/{code}/seats", json=body) for _ in range(10)]
        assert {(answer.status_code, answer.json()["code"]) for answer in answers} == {(403, "banned")}
        assert answers[0].json()["message"] == "The host has removed you from this table: you can't come back."
        again = await server.connect()
        await again.send("hello", protocol=1, table=code, token=token)
        assert (await again.until("refused"))["code"] == "banned"
        assert (await ana.command("seat_bot", seat=ben["seat"]))["type"] == "ack"


# ---------------------------------------------------------------- one step
@at_once
async def test_a_bot_takes_the_place_of_a_person_in_one_step_that_nobody_can_race() -> None:
    ledger = Ledger()
    async with hall(ledger) as it:
        ann = await hosted(it)
        ben = await it.enter(ann.code, "Ben", address=BEN)
        ledger.slow = 0.1
        replacing = asyncio.create_task(ann.do("seat_bot", seat=1, level="casual"))
        await asyncio.sleep(0.05)  # while that is written
        racing = [asyncio.create_task(refused(it.join(ann.code, "Ben", 1, ben.token, BEN))) for _ in range(3)]
        version = await replacing
        # a request with the old token that came while it was written is told "repeated", and then that it is gone
        assert {(await race).code for race in racing} <= {"banned", "bad-token"}
        assert (await ben.hear("bye"))["code"] == "removed"
        assert (ann.version, ann.table["seats"][1]["kind"]) == (version, "bot")
        assert ann.table["seats"][1]["name"] != "Ben"


@at_once
async def test_nobody_replaces_the_host_and_who_has_the_rights_meanwhile_removes_nobody_who_is_there() -> None:
    async with hall() as it:
        ann = await hosted(it)
        ben, cleo = await it.enter(ann.code, "Ben"), await it.enter(ann.code, "Cleo")
        assert await ben.refusal_to("seat_bot", seat=0) == ("not-host", "not-host")
        ann.hang_up()
        await asyncio.sleep(0.1)  # it is noted that she was there
        assert await ben.refusal_to("seat_bot", seat=0) == ("not-host", "not-host")
        assert await ben.refusal_to("seat_bot", seat=2) == ("not-host", "not-host")
        cleo.hang_up()
        await ben.do("seat_bot", seat=2)
        assert (await cleo.connect())["code"] == "bad-token", "whoever stands in for the host bans nobody"
        assert not it.table(ann.code).state.bans
        assert (await it.join(ann.code, "Cleo", 3, address=cleo.address)).seat == 3


# ---------------------------------------------------------------- who stays out
@at_once
async def test_a_removed_person_stays_out_with_any_token_from_that_address_and_with_that_token_from_any() -> None:
    async with hall() as it:
        ann = await hosted(it, public=True)
        ben = await it.enter(ann.code, "Ben", address=BEN)
        await ann.do("clear_seat", seat=1)
        for _ in range(2):
            assert (await refused(it.join(ann.code, "Bob", address=BEN))).code == "banned"
            assert (await refused(it.join(ann.code, "Bob", token=ben.token, address=CLEO))).code == "banned"
            looking = it.seat(ann.code, None, BEN)
            assert (await looking.connect())["code"] == "banned", "who was removed does not watch and chat"
            ben.address = CLEO
            assert (await ben.connect())["code"] == "banned"
            it.fall_over()
            await ann.connect()
        assert (await it.join(ann.code, "Cleo", address=CLEO)).seat == 1


@at_once
async def test_a_window_in_which_the_removed_person_watches_is_closed_too() -> None:
    async with hall() as it:
        ann = await hosted(it)
        await it.enter(ann.code, "Ben", address=BEN)
        looking, other = it.seat(ann.code, None, BEN), it.seat(ann.code, None, CLEO)
        for watcher in (looking, other):
            await watcher.connect()
        await ann.do("clear_seat", seat=1)
        assert (await looking.hear("bye"))["code"] == "removed"
        assert (other.on_line, ann.table["watching"]) == (True, 1)


@pytest.mark.parametrize(
    "address", ["127.0.0.1", "192.168.1.7", "10.1.2.3", "172.20.0.1", "fe80::/64", "::/64", "unknown"]
)
@at_once
async def test_an_address_of_the_local_network_is_not_kept_out(address: str) -> None:
    async with hall() as it:
        ann = await hosted(it)
        ben = await it.enter(ann.code, "Ben", address=address)
        await ann.do("clear_seat", seat=1)
        assert (await ben.connect())["code"] == "banned"
        assert (await it.join(ann.code, "Cleo", address=address)).seat == 1


@at_once
async def test_an_address_that_somebody_else_at_the_table_shares_is_not_kept_out() -> None:
    async with hall() as it:
        ann = await hosted(it)
        for name in ("Ben", "Cleo"):
            await it.enter(ann.code, name, address=BEN)
        await ann.do("clear_seat", seat=1)
        assert (await it.join(ann.code, "Dan", address=BEN)).seat == 1
        assert [ban.spared for ban in it.table(ann.code).state.bans] == [True]


@at_once
async def test_two_who_share_an_address_do_not_come_back_in_turns_for_ever() -> None:
    async with hall() as it:
        ann = await hosted(it)
        await it.enter(ann.code, "Eve", 1, address=BEN)
        await it.enter(ann.code, "Evf", 2, address=BEN)
        await ann.do("clear_seat", seat=1)
        await it.enter(ann.code, "Eve again", 1, address=BEN)
        await ann.do("clear_seat", seat=2)
        assert (await refused(it.join(ann.code, "Evf again", address=BEN))).code == "banned"
        it.fall_over()
        await ann.connect()
        assert (await refused(it.join(ann.code, "Evf again", address=BEN))).code == "banned"
        assert ann.table["seats"][1]["name"] == "Eve again", "who sits there stays until they are removed"


@at_once
async def test_a_friend_with_a_seat_comes_in_from_an_address_that_is_kept_out() -> None:
    async with hall() as it:
        ann = await hosted(it)
        cleo = await it.enter(ann.code, "Cleo", address=CLEO)
        await it.enter(ann.code, "Ben", address=BEN)
        await ann.do("clear_seat", seat=2)
        cleo.address = BEN
        assert (await cleo.connect())["type"] == "welcome"


@at_once
async def test_bans_outlive_a_rematch_and_compaction_and_only_the_last_are_kept() -> None:
    ledger = Ledger()
    async with hall(ledger) as it:
        ann = await hosted(it, 2, options={"target": 1, "hand_size": 2})
        first = new_token()
        for number in range(MOST_BANS + 1):
            await it.join(ann.code, "Ben", 1, token=first if number == 0 else None, address=f"203.0.113.{number}")
            await ann.do("clear_seat", seat=1)
            await asyncio.sleep(0.1)  # or she says too much at once
        assert len(it.table(ann.code).state.bans) == MOST_BANS
        assert (await it.join(ann.code, "Ben", token=first)).seat == 1, "the oldest is forgotten"
        ben = it.seat(ann.code, first)
        await ben.connect()
        await ann.do("start")
        await ben.reach(ann.version)
        await play_out([ann, ben])
        await ann.do("rematch")
        await asyncio.sleep(1)
        assert (await ledger.written(ann.code))[0]["what"] == "compacted"
        it.fall_over()
        await ann.connect()
        await ann.do("clear_seat", seat=1)
        assert (await refused(it.join(ann.code, "Eve", address="203.0.113.9"))).code == "banned"


@at_once
@pytest.mark.parametrize("shortened", [False, True])
async def test_somebody_who_is_away_after_a_restart_is_removed_with_the_address_all_the_same(
    shortened: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once only the token stayed out: the address was in memory alone."""
    if shortened:
        monkeypatch.setattr("flipdeck.server.table.shortener.MOST_ENTRIES", 2)
    ledger = Ledger()
    async with hall(ledger) as it:
        ann = await hosted(it)
        await it.enter(ann.code, "Ben", address=BEN)
        await asyncio.sleep(5)
        assert shortened == ((await ledger.written(ann.code))[0]["what"] == "compacted")
        it.fall_over()
        await ann.connect()
        await ann.do("clear_seat", seat=1)
        assert (await refused(it.join(ann.code, "Eve", address=BEN))).code == "banned"
        assert (await it.join(ann.code, "Cleo", address=CLEO)).seat == 1


@at_once
async def test_an_address_of_the_local_network_is_spared_after_a_restart_too() -> None:
    async with hall() as it:
        ann = await hosted(it)
        await it.enter(ann.code, "Ben", address="192.168.0.7")
        it.fall_over()
        await ann.connect()
        await ann.do("clear_seat", seat=1)
        assert (await it.join(ann.code, "Cleo", address="192.168.0.7")).seat == 1


@at_once
async def test_the_journal_has_no_address_and_no_token() -> None:
    ledger = Ledger()
    async with hall(ledger) as it:
        ann = await hosted(it)
        ben = await it.enter(ann.code, "Ben", address=BEN)
        await ann.do("clear_seat", seat=1)
        entry = (await ledger.written(ann.code))[-1]
        assert (entry["what"], entry["banned"], entry["address"]) == ("cleared", True, it.lobby.peer(BEN).hashed)
        written = str(await ledger.written(ann.code))
        assert BEN not in written
        assert str(ben.token) not in written
        assert hash_token(str(ben.token)) in written


@at_once
async def test_bans_can_be_lifted() -> None:
    async with hall() as it:
        ann = await hosted(it)
        ben = await it.enter(ann.code, "Ben", address=BEN)
        await ann.do("clear_seat", seat=1)
        await submit(it.lobby, ann.code)
        assert not it.table(ann.code).state.bans
        assert (await it.join(ann.code, "Ben", token=ben.token, address=BEN)).seat == 1
        version = it.table(ann.code).state.version
        await submit(it.lobby, ann.code)
        assert it.table(ann.code).state.version == version, "there is none to lift"


async def submit(lobby: Lobby, code: str) -> None:
    await lobby._submit(lobby.tables[code], LiftBans())


# ---------------------------------------------------------------- the lock
@at_once
async def test_a_locked_table_takes_no_new_people_until_it_is_unlocked() -> None:
    async with hall() as it:
        ann = await hosted(it, public=True)
        ben = await it.enter(ann.code, "Ben")
        assert await ben.refusal_to("lock", locked=True) == ("not-host", "not-host")
        await ann.do("lock", locked=True)
        assert ann.table["locked"]
        refusal = await refused(it.join(ann.code, "Cleo"))
        assert (refusal.code, str(refusal)) == ("locked", "The host has locked this table: it takes no new people.")
        (card,) = it.lobby.public().tables
        assert (card.locked, card.free) == (True, 0)
        secret = (await ben.ask("transfer"))["secret"]
        phone = it.seat(ann.code, (await it.lobby.redeem(rest.Redeem(secret), "phone")).token)
        assert (await phone.connect())["you"] == 1, "those who sit there go on"
        it.fall_over()
        await ann.connect()
        assert (await refused(it.join(ann.code, "Cleo"))).code == "locked"
        await ann.do("lock", locked=False)
        assert (await it.join(ann.code, "Cleo")).seat == 2


@at_once
async def test_a_locked_table_without_spectators_is_not_listed() -> None:
    async with hall() as it:
        ann = await hosted(it, public=True, watchers=False)
        assert [card.code for card in it.lobby.public().tables] == [ann.code]
        await ann.do("lock", locked=True)
        assert it.lobby.public().tables == []


@at_once
async def test_while_the_host_is_away_nobody_else_locks_or_unlocks() -> None:
    async with hall() as it:
        ann = await hosted(it)
        ben = await it.enter(ann.code, "Ben")
        ann.hang_up()
        await asyncio.sleep(0.1)  # it is noted that she was there
        assert await ben.refusal_to("lock", locked=True) == ("not-host", "not-host")


# ---------------------------------------------------------------- the clock
@at_once
async def test_a_public_table_always_has_a_clock() -> None:
    """Once a stranger who did nothing could keep the others waiting for ever, and nothing could be done about it."""
    async with hall() as it:
        ann = await hosted(it, 2, public=True)
        assert ann.table["settings"]["turn_seconds"] == 60
        assert (await hosted(it, 2, public=True, turn_seconds=15)).table["settings"]["turn_seconds"] == 15
        assert (await hosted(it, 2, public=False)).table["settings"]["turn_seconds"] == 0
        ben = await it.enter(ann.code, "Ben")
        version = await ann.do("start")
        await asyncio.sleep(600)
        assert ben.version > version, "both do nothing, and the table goes on"
