"""A table that is asked for again, because no answer came, is the same table: with the token that the client chose."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from flipdeck.server import identity
from flipdeck.server.app import make_app
from flipdeck.server.config import Config
from flipdeck.server.journal import Unavailable
from flipdeck.wire import rest

from .sitting import Ledger, at_once, hall, refused

TOKEN = "hT3vQ0pYxk2mJr8WzB5nLA"  # noqa: S105  # of nobody
OTHER = "AAAAAAAAAAAAAAAAAAAAAA"
ALONE: dict[str, Any] = {"settings": {"seats": 2}, "bots": {"1": "rookie"}, "start": True}


@at_once
async def test_the_same_token_gets_the_same_table_and_seat_and_another_another() -> None:
    async with hall() as it:
        made = [await it.make(token=TOKEN) for _ in range(3)]
        assert made[0] == made[1] == made[2]
        assert (made[0].token, made[0].seat, list(it.lobby.tables)) == (TOKEN, 0, [made[0].code])
        assert it.table(made[0].code).state.version == 2
        assert (await it.make(token=OTHER)).code != made[0].code
        assert len({(await it.make()).code for _ in range(3)}) == 3
        assert len(it.lobby.tables) == 5


@at_once
async def test_requests_that_overlap_make_one_table() -> None:
    ledger = Ledger()
    async with hall(ledger) as it:
        ledger.slow = 0.5
        made = await asyncio.gather(*(it.make(token=TOKEN, **ALONE) for _ in range(5)))
        assert len(set(made)) == len(it.lobby.tables) == 1
        assert [entry["what"] for entry in await ledger.written(made[0].code)][:3] == ["made", "sat", "started"]


@pytest.mark.parametrize("lost", [0, 1, 2, 3])
@at_once
async def test_after_a_fall_at_any_step_the_rest_is_done_once(lost: int) -> None:
    """``lost``: how many of the three entries were durable when the server fell over."""
    ledger = Ledger()
    async with hall(ledger) as it:
        ledger.slow = 1.0
        first = asyncio.create_task(it.make(token=TOKEN, **ALONE))
        await asyncio.sleep(0.5)
        while len(ledger.order) < lost:
            await asyncio.sleep(0.1)
        first.cancel()
        it.fall_over()
        ledger.slow = 0.0
        await asyncio.sleep(2.0)
        made = await it.make(token=TOKEN, **ALONE)
        assert await it.make(token=TOKEN, **ALONE) == made
        written = [entry["what"] for entry in await ledger.written(made.code)]
        assert written[:3] == ["made", "sat", "started"]
        assert [written.count(what) for what in ("made", "sat", "started")] == [1, 1, 1]
        state = it.table(made.code).state
        assert state.seats[0].kind == "person"
        assert state.host is state.seats[0]


@at_once
async def test_an_entry_that_was_saved_though_the_answer_was_lost_is_not_doubled() -> None:
    ledger = Ledger()
    async with hall(ledger) as it:
        ledger.losing_answers = True
        with pytest.raises(Unavailable):
            await it.make(token=TOKEN)
        ledger.losing_answers = False
        made = await it.make(token=TOKEN)
        assert [entry["what"] for entry in await ledger.written(made.code)] == ["made", "sat"]


@at_once
async def test_a_table_that_is_asleep_is_found_and_what_was_asked_for_first_holds() -> None:
    async with hall() as it:
        made = await it.make(token=TOKEN, settings={"seats": 3})
        await it.restart()
        again = await it.make("Somebody else", token=TOKEN, settings={"seats": 5}, bots={"1": "rookie"})
        assert again == made
        info = it.table(made.code).info
        assert (info.players, info.seats[0].name, info.seats[1].kind) == (3, "Ann", "empty")


@at_once
async def test_a_late_repetition_starts_no_rematch() -> None:
    async with hall() as it:
        made = await it.make(token=TOKEN, **ALONE)
        state = it.table(made.code).state
        state.number, state.match = 2, None  # as after the rematch
        assert await it.make(token=TOKEN, **ALONE) == made
        assert state.match is None


@at_once
async def test_who_has_left_or_meets_the_table_of_somebody_else_is_refused() -> None:
    async with hall() as it:
        made = await it.make(token=TOKEN)
        await it.join(made.code, "Ben")
        host = it.seat(made.code, TOKEN)
        await host.connect()
        assert (await host.ask("leave"))["type"] == "ack"
        assert (await refused(it.make(token=TOKEN))).code == "bad-token"
        assert len(it.lobby.tables) == 1


@at_once
async def test_asking_again_and_again_is_limited_as_making_is() -> None:
    async with hall() as it:
        wanted = rest.NewTable("Ann", token=TOKEN)
        for _ in range(20):
            await it.lobby.make(wanted, "192.0.2.1")
        assert (await refused(it.lobby.make(wanted, "192.0.2.1"))).code == "too-fast"


# ---------------------------------------------------------------- the code
def test_a_code_follows_from_the_token_and_the_key_and_outlives_a_restart(tmp_path: Path) -> None:
    codes = []
    for folder in (tmp_path / "one", tmp_path / "one", tmp_path / "other"):
        folder.mkdir(exist_ok=True)
        hashes = make_app(Config(data=folder)).lobby.context.address_hashes
        hashes.load()
        codes.append((hashes.code_for(TOKEN), hashes.code_for(OTHER)))
    assert codes[0] == codes[1]
    assert len({*codes[0], *codes[2]}) == 4
    assert all(identity.read_code(code) == code for pair in codes for code in pair)


def test_every_letter_comes_at_every_place_of_a_code_that_follows_from_a_token() -> None:
    hashes = identity.AddressHashes()
    made = [hashes.code_for(identity.new_token()) for _ in range(3000)]
    assert all({code[place] for code in made} == set(identity.CODE_LETTERS) for place in range(identity.CODE_LENGTH))
