"""A seat moves to another device: the old token ends, and a lost answer can be asked for again."""

from __future__ import annotations

import asyncio

import pytest

from flipdeck.server.identity import new_token
from flipdeck.server.shared.here import OneServer
from flipdeck.wire import rest

from .running import running
from .sitting import Hall, Ledger, at_once, hall, refused
from .steered import live


async def redeem(it: Hall, secret: str, token: str | None = None) -> rest.Seated:
    return await it.lobby.redeem(rest.Redeem(secret, token), "phone")


@live
async def test_after_a_transfer_the_old_token_opens_nothing_and_the_old_window_is_told() -> None:
    """Once it stayed valid, on a device that may have been given away."""
    async with running() as server:
        code, tokens, (ana, _) = await server.seated()
        secret = (await ana.command("transfer"))["secret"]
        body = {"secret": secret, "token": new_token()}
        got = await server.http.post("/api/transfers", json=body)
        assert (got.status_code, got.json()["token"], got.json()["seat"]) == (201, body["token"], 0)
        assert await ana.end() == ("moved", 4005)
        old = await server.connect()
        await old.send("hello", protocol=1, table=code, token=tokens[0])
        assert (await old.until("refused"))["code"] == "bad-token"
        again = await server.http.post("/api/transfers", json=body)
        assert (again.status_code, again.json()) == (201, got.json()), "a repeated request gets the same answer"
        other = await server.http.post("/api/transfers", json={**body, "token": new_token()})
        assert (other.status_code, other.json()["code"]) == (403, "bad-token")


@at_once
async def test_a_repeated_request_changes_nothing_and_ends_no_connection() -> None:
    async with hall() as it:
        ann, _ = await it.sit(2)
        secret, mine = (await ann.ask("transfer"))["secret"], new_token()
        phone = it.seat(ann.code, (await redeem(it, secret, mine)).token)
        await phone.connect()
        version = phone.version
        for _ in range(3):
            assert (await redeem(it, secret, mine)).seat == 0
        assert phone.on_line
        assert it.table(ann.code).state.version == version


@pytest.mark.parametrize("late", [True, False])
@at_once
async def test_a_transfer_that_the_journal_refused_can_be_tried_again(late: bool) -> None:
    """Whether the entry is there or not, nobody knows until the journal is read."""
    ledger = Ledger()
    async with hall(ledger) as it:
        ann, _ = await it.sit(2)
        secret, mine = (await ann.ask("transfer"))["secret"], new_token()
        ledger.failing, ledger.losing_answers = not late, late
        assert (await refused(redeem(it, secret, mine))).code == "unavailable"
        ledger.failing = ledger.losing_answers = False
        seated = await redeem(it, secret, mine)
        assert (await it.seat(ann.code, seated.token).connect())["you"] == 0
        entries = [entry["what"] for entry in await ledger.written(ann.code)]
        assert entries.count("transferred") == 1


@at_once
async def test_a_window_that_greets_while_the_seat_moves_is_not_let_in() -> None:
    ledger = Ledger()
    async with hall(ledger) as it:
        ann, _ = await it.sit(2)
        secret = (await ann.ask("transfer"))["secret"]
        ann.hang_up()
        ledger.slow = 0.2
        moving = asyncio.create_task(redeem(it, secret))
        await asyncio.sleep(0.1)
        old = asyncio.create_task(ann.connect())  # the token is still good at this moment
        phone = it.seat(ann.code, (await moving).token)
        assert (await old)["code"] == "moved"
        assert (await phone.connect())["you"] == 0


@at_once
async def test_the_seat_moves_on_from_the_device_that_has_it() -> None:
    async with hall() as it:
        ann, ben = await it.sit(2)
        for _ in range(6):
            seated = await redeem(it, (await ann.ask("transfer"))["secret"])
            before, ann = ann, it.seat(ann.code, seated.token)
            await ann.connect()
            assert (await before.connect())["code"] == "bad-token"
        it.fall_over()
        await ben.connect()
        assert (await ann.connect())["you"] == 0
        assert len(it.table(ann.code).state.seats[0].tokens) == 1


@at_once
async def test_a_transfer_to_a_table_that_another_server_keeps_can_be_tried_again_without_a_token() -> None:
    """Once the secret was used up by the attempt, for a token that nobody had got."""
    ledger, config = Ledger(), {"lease_seconds": 6, "hold_seconds": 30}
    shared = OneServer()  # by both
    async with hall(ledger, **config) as first, hall(ledger, **config) as second:
        first.lobby.shared = second.lobby.shared = shared
        ann, _ = await first.sit(2)
        secret = (await ann.ask("transfer"))["secret"]
        assert (await refused(redeem(second, secret))).code == "table-elsewhere"
        await asyncio.sleep(30)
        assert (await redeem(second, secret)).seat == 0
        assert (await refused(redeem(second, secret))).code == "bad-token"
