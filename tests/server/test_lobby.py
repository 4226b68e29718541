"""Tables are made, found, listed and joined; what can't be is refused with a code, and nothing is made."""

from __future__ import annotations

import asyncio
import re
from dataclasses import fields
from typing import Any

import msgspec
import pytest

from flipdeck.core import editions
from flipdeck.core.options import Options
from flipdeck.server import identity
from flipdeck.server.journal import Unavailable
from flipdeck.wire import rest

from .sitting import Ledger, at_once, hall, refused

LEVELS = ("rookie", "casual", "regular", "sharp", "master")


def values_of(spec: Any) -> tuple[Any, ...]:
    about = spec.metadata
    return (True, False, "on", "off") if "switch" in about else about.get("choices") or about["range"]


# ---------------------------------------------------------------- making
@pytest.mark.parametrize("edition", editions.NAMES)
@at_once
async def test_every_edition_makes_tables_of_two_to_ten_seats(edition: str) -> None:
    async with hall() as it:
        for seats in range(2, 11):
            made = await it.make(settings={"edition": edition, "seats": seats})
            info = it.table(made.code).info
            assert (info.settings.edition, info.players, info.phase, info.match) == (edition, seats, "waiting", 1)
            assert [seat.kind for seat in info.seats] == ["person"] + ["empty"] * (seats - 1)
            assert made.seat == 0
            assert info.seats[0].host
            assert info.fairness.commitment == made.commitment
            assert info.fairness.seed is None


@pytest.mark.parametrize("spec", [spec for spec in fields(Options) if spec.name != "most_moves"], ids=lambda s: s.name)
@at_once
async def test_every_option_can_be_set_to_all_it_can_be_and_the_table_can_be_played(spec: Any) -> None:
    async with hall() as it:
        for value in [value for value in values_of(spec) if value != "mini"]:
            made = await it.make(settings={"seats": 2, "options": {spec.name: value}}, bots={"1": "rookie"}, start=True)
            state = it.table(made.code).state
            assert state.phase == "playing"
            assert state.match is not None
            assert state.match.options == Options().changed({spec.name: value, "most_moves": 2000})


@at_once
async def test_bots_of_every_level_sit_in_whatever_seats_they_are_given() -> None:
    async with hall() as it:
        for first in range(1, 10):
            bots = {str(1 + (first + n) % 9): level for n, level in enumerate(LEVELS)}
            made = await it.make(settings={"seats": 10}, bots=bots)
            seats = it.table(made.code).info.seats
            assert {str(seat.seat): seat.level for seat in seats if seat.kind == "bot"} == bots
            names = [seat.name for seat in seats if seat.kind == "bot"]
            assert all(names)
            assert len(set(names)) == len(names)


@at_once
async def test_the_turn_time_and_whatever_else_is_set_is_kept() -> None:
    async with hall() as it:
        for turn in (15, 16, 300):
            wanted = {
                "turn_seconds": turn,
                "public": True,
                "watchers": True,
                "chat": False,
                "speed": "slow",
                "grace_ms": 5000,
                "next_round_seconds": 3,
                "takeover": True,
                "watchers_chat": True,
            }
            made = await it.make(settings=wanted)
            kept = msgspec.to_builtins(it.table(made.code).info.settings)
            assert kept == {"edition": "classic", "options": {}, "seats": 4, **wanted}


@pytest.mark.parametrize(
    ("wanted", "code", "reason"),
    [
        ({"name": "\u200b \u202e"}, "bad-name", "bad-name"),
        ({"settings": {"edition": "deluxe"}}, "bad-option", "unknown-edition"),
        ({"settings": {"options": {"stackin": True}}}, "bad-option", "unknown-option"),
        ({"settings": {"options": {"stacking": "perhaps"}}}, "bad-option", "not-a-switch"),
        ({"settings": {"options": {"target": 0}}}, "bad-option", "not-a-number"),
        ({"settings": {"options": {"deck": 54}}}, "bad-option", "not-a-choice"),
        ({"settings": {"options": {"pairing": "printed", "deck": 108}}}, "bad-option", "no-printed-pairing"),
        ({"settings": {"options": {"most_moves": 0}}}, "bad-option", "not-at-tables"),
        ({"settings": {"options": {"most_moves": 2000}}}, "bad-option", "not-at-tables"),
        ({"settings": {"options": {"most_moves": "1000000"}}}, "bad-option", "not-at-tables"),
        ({"settings": {"options": {"deck": "mini"}}}, "bad-option", "not-at-tables"),
        (
            {"settings": {"seats": 2, "options": {"deck": "mini", "hand_size": 2, "most_moves": 20}}},
            "bad-option",
            "not-at-tables",
        ),
        (
            {"settings": {"seats": 10, "options": {"hand_size": 10}, "edition": "splash"}},
            "bad-option",
            "deck-too-small",
        ),
        ({"settings": {"turn_seconds": 1}}, "not-now", "turn-seconds"),
        ({"settings": {"turn_seconds": 14}}, "not-now", "turn-seconds"),
        ({"bots": {"0": "rookie"}}, "not-now", "no-such-seat"),
        ({"bots": {"4": "rookie"}}, "not-now", "no-such-seat"),
        ({"bots": {"-1": "rookie"}}, "not-now", "no-such-seat"),
        ({"bots": {"01": "rookie"}}, "not-now", "no-such-seat"),
        ({"bots": {"٣": "rookie"}}, "not-now", "no-such-seat"),
        ({"bots": {"": "rookie"}}, "not-now", "no-such-seat"),
        ({"bots": {"1": "rookie"}, "start": True}, "seats-empty", "seats-empty"),
    ],
)
@at_once
async def test_a_table_that_can_not_be_is_refused_and_not_made(wanted: dict[str, Any], code: str, reason: str) -> None:
    ledger = Ledger()
    async with hall(ledger) as it:
        refusal = await refused(it.make(**wanted))
        assert (refusal.code, refusal.reason) == (code, reason)
        assert not it.lobby.tables
        assert not ledger.order


@at_once
async def test_what_is_for_research_is_refused_with_its_name() -> None:
    async with hall() as it:
        for options, name in (({"most_moves": 5}, "most_moves"), ({"deck": "mini"}, "deck=mini")):
            refusal = await refused(it.make(settings={"options": options}))
            assert str(refusal) == f"{name} is for research: a table can't choose it."
            assert refusal.facts == {"name": name}


@pytest.mark.parametrize(
    "settings",
    [
        {"seats": 1},
        {"seats": 11},
        {"seats": "4"},
        {"turn_seconds": -1},
        {"turn_seconds": 301},
        {"grace_ms": 5001},
        {"next_round_seconds": 2},
        {"speed": "furious"},
        {"public": 1},
        {"colour": "red"},
        {"options": {"target": None}},
    ],
    ids=str,
)
def test_a_body_with_settings_out_of_their_limits_can_not_be_read(settings: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"name": "Ann", "settings": settings}, rest.NewTable)


@at_once
async def test_there_are_never_more_tables_than_the_limit() -> None:
    async with hall(most_tables=3) as it:
        for _ in range(3):
            await it.make()
        refusal = await refused(it.make())
        assert (refusal.code, refusal.facts) == ("limit", {"what": "tables"})
        assert len(it.lobby.tables) == 3


@at_once
async def test_those_who_make_tables_at_once_are_counted_before_their_tables_are_there() -> None:
    ledger = Ledger()
    async with hall(ledger, most_tables=3) as it:
        ledger.slow = 0.5
        made = await asyncio.gather(*(it.make() for _ in range(8)), return_exceptions=True)
        assert sorted(type(each).__name__ for each in made) == ["Seated"] * 3 + ["TableRefusal"] * 5
        assert len(it.lobby.tables) == 3


@at_once
async def test_a_table_that_could_not_be_made_takes_no_place() -> None:
    ledger = Ledger()
    async with hall(ledger, most_tables=1) as it:
        ledger.failing = True
        for _ in range(3):
            with pytest.raises(Unavailable):
                await it.make()
        ledger.failing = False
        await it.make()


@at_once
async def test_one_address_makes_tables_at_a_bounded_rate() -> None:
    async with hall() as it:
        wanted = rest.NewTable("Ann")
        for _ in range(20):
            await it.lobby.make(wanted, "one")
        assert (await refused(it.lobby.make(wanted, "one"))).code == "too-fast"
        await it.lobby.make(wanted, "another")


# ---------------------------------------------------------------- finding
@at_once
async def test_a_code_is_eight_unmistakable_letters_and_read_however_it_is_typed() -> None:
    async with hall() as it:
        made = await it.make()
        assert re.fullmatch(r"[0-9A-HJKMNP-TV-Z]{8}", made.code)
        assert made.invite == f"/#/table/{made.code[:4]}-{made.code[4:]}"
        table = it.table(made.code)
        for typed in (made.code, made.code.lower(), f" {made.code[:4]}-{made.code[4:]} ", made.code.replace("0", "o")):
            assert await it.lobby.find(typed, "a") is table


@at_once
async def test_whoever_guesses_codes_waits_longer_and_longer_and_others_do_not() -> None:
    async with hall() as it:
        for _ in range(11):
            assert (await refused(it.lobby.find("NO-SUCH-1", "guesser"))).code == "no-table"
        assert (await refused(it.lobby.find("NO-SUCH-1", "guesser"))).code == "too-fast"
        assert (await refused(it.lobby.find("NO-SUCH-1", "friend"))).code == "no-table"


@pytest.mark.parametrize("where", ["in memory", "asleep", "after a restart"])
@at_once
async def test_a_right_code_or_token_is_served_however_many_wrong_ones_came_from_that_address(where: str) -> None:
    """Many people share an address behind a NAT: the backoff of a guesser is not theirs."""
    async with hall() as it:
        ann, ben = await it.sit(2)
        if where == "after a restart":
            await it.restart()
        elif where == "asleep":
            ann.hang_up()
            ben.hang_up()
            await asyncio.sleep(120)
        assert (ann.code in it.lobby.tables) == (where == "in memory")
        for _ in range(3):  # the first success pardons the guesses before it, the others don't
            answers = [(await refused(it.lobby.find(identity.new_code(), ann.address))).code for _ in range(300)]
            assert answers[-280:] == ["too-fast"] * 280
            assert (await ann.connect())["type"] == "welcome"
            assert (await it.lobby.find(ann.code, ann.address)).state.code == ann.code
        assert (await refused(it.lobby.find(identity.new_code(), ann.address))).code == "too-fast"


@at_once
async def test_an_address_in_backoff_looks_up_one_code_at_a_time() -> None:
    class Watched(Ledger):
        now = most = 0

        async def first(self, table: str) -> bytes | None:
            self.now += 1
            self.most = max(self.most, self.now)
            await asyncio.sleep(0.01)
            self.now -= 1
            return await super().first(table)

    journal = Watched()
    async with hall(journal) as it:
        guesses = [it.lobby.find(identity.new_code(), "guesser") for _ in range(100)]
        await asyncio.gather(*guesses, return_exceptions=True)
        assert journal.most == 32
        journal.most = 0
        guesses = [it.lobby.find(identity.new_code(), "guesser") for _ in range(100)]
        await asyncio.gather(*guesses, return_exceptions=True)
        assert journal.most == 1


@at_once
async def test_the_list_has_public_tables_with_somebody_there_and_those_to_join_first() -> None:
    async with hall() as it:
        begun = await it.sit(1, {1: "rookie"}, public=True)
        open_one = await it.sit(1, seats=3, public=True, start=False, turn_seconds=30, options={"stacking": True})
        await it.sit(1, seats=2, public=False, start=False)
        await it.make("Nobody there", settings={"public": True})
        watcher = await it.watcher(open_one[0].code)
        listed = it.lobby.public()
        assert [card.code for card in listed.tables] == [open_one[0].code, begun[0].code]
        assert listed.tables[0] == rest.TableCard(
            open_one[0].code,
            "classic",
            1,
            3,
            free=2,
            people=1,
            watching=1,
            phase="waiting",
            host="Ann",
            turn_seconds=30,
        )
        one = it.lobby.public(most=1)
        assert ([card.code for card in one.tables], one.more) == ([open_one[0].code], 1)
        watcher.hang_up()
        open_one[0].hang_up()
        assert [card.code for card in it.lobby.public().tables] == [begun[0].code]
