"""A match has an end, however it is played: with it what is done with a match as a whole is bounded."""

from __future__ import annotations

import random

import pytest

from flipdeck.core.record import parse
from flipdeck.server.http.replays import LONGEST
from flipdeck.server.table import entries, match_length, snapshot
from flipdeck.server.table.match_length import is_too_long
from flipdeck.server.table.state import TableState
from flipdeck.wire.parts import Settings
from tests.bots.seats import THOROUGH

from .playing import play_on, play_out
from .seats import SeatClient
from .sitting import Hall, Ledger, at_once, hall

ENDLESS: dict[str, int] = {"target": 1_000_000, "hand_size": 3}


async def check_ended(it: Hall, ann: SeatClient) -> None:
    """Over, and nobody has won; the record is there and true; a rematch can be had."""
    info = ann.table
    assert (info["phase"], ann.view["winners"], info["next_round_ms"]) == ("over", [], None)
    record = await it.lobby.replay(info["replay"], "anybody")
    assert "end: unfinished" in record
    assert parse(record).seed.hex() == info["fairness"]["seed"]
    assert await ann.refusal_to("ready") == ("not-now", "not-between")
    await ann.do("rematch")
    assert ann.table["phase"] == "waiting"
    assert ann.table["last"]["replay"] == info["replay"]


@pytest.mark.parametrize(
    ("rounds", "moves", "over"), [(299, 39_999, False), (300, 1, True), (1, 40_000, True), (1, 42_000, True)]
)
def test_a_match_is_over_with_its_round_300_or_its_move_40_000(rounds: int, moves: int, over: bool) -> None:
    assert is_too_long(rounds, moves) == over


@at_once
@pytest.mark.parametrize("falls_over", [False, True])
async def test_a_match_of_so_many_rounds_is_over_and_nobody_has_won(
    falls_over: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_length, "MOST_ROUNDS", 3)
    async with hall() as it:
        ann, ben = seats = await it.sit(2, options=ENDLESS)
        await play_on(seats, lambda: len(ann.table["rounds"]) == 2)
        assert ann.table["phase"] == "between"
        await play_out(seats)
        assert len(ann.table["rounds"]) == 3
        if falls_over:
            it.fall_over()
            await ann.connect()
            await ben.connect()
        await check_ended(it, ann)


@at_once
@pytest.mark.parametrize(("left", "round_"), [(6, 1), (7, 2)])
async def test_a_match_of_so_many_moves_is_over_with_its_round_even_if_nobody_could_go_out(
    left: int, round_: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rounds of six moves that are void: with the last of them the record is stored, though nobody has one card."""
    monkeypatch.setattr(entries, "MOST_MOVES", 6)
    async with hall() as it:
        seats = await it.sit(2, options={**ENDLESS, "hand_size": 7})
        it.table(seats[0].code).state.moves = match_length.MOST_MATCH_MOVES - left
        await play_out(seats)
        assert [each["winner"] for each in seats[0].table["rounds"]] == [None] * round_
        await check_ended(it, seats[0])


@at_once
async def test_the_moves_of_a_match_are_counted_anew_with_the_next_and_known_after_a_restart() -> None:
    ledger = Ledger()
    async with hall(ledger) as it:
        seats = await it.sit(2, options={"target": 5, "hand_size": 2})
        await play_out(seats)
        moves = it.table(seats[0].code).state.moves
        assert moves == sum(entry["what"] == "moved" for entry in await ledger.written(seats[0].code))
        it.fall_over()
        for seat in seats:
            await seat.connect()
        assert it.table(seats[0].code).state.moves == moves
        await seats[0].do("rematch")
        await seats[0].do("start")
        assert it.table(seats[0].code).state.moves == 0


def test_a_journal_from_before_in_which_a_longer_match_went_on_is_replayed_as_it_was_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    state = played(rounds=4)
    assert (state.phase, len(state.rounds)) == ("between", 3)
    monkeypatch.setattr(match_length, "MOST_ROUNDS", 2)
    again = played(rounds=4)
    assert (again.phase, again.rounds, again.version) == ("over", state.rounds, state.version)


def test_the_snapshot_and_the_record_of_the_longest_match_stay_below_a_million_bytes() -> None:
    """A work counter for what is encoded in one piece on the loop: two milliseconds for 0.7 MB."""
    state = played(moves=match_length.MOST_MATCH_MOVES if THOROUGH else 2000)
    assert state.match is not None
    longest = match_length.MOST_MATCH_MOVES + entries.MOST_MOVES
    assert state.moves <= longest
    assert len(snapshot.to_bytes(snapshot.take(state))) / state.moves * longest < 1_000_000
    assert len(state.match.record()) / state.moves * longest < LONGEST, "it can be shown"


def played(rounds: int = 1000, moves: int = 1_000_000) -> TableState:
    """A table at which two people have played at random, until before that round or after so many moves."""
    made = entries.Made(code="AAAABBBB", settings=Settings(seats=2, options={**ENDLESS}), seed="11" * 32, replay="r")
    state, dice = made.make_state(), random.Random(1)
    for seat, name in enumerate(("Ann", "Ben")):
        entries.apply(state, entries.Sat(seat=seat, name=name, token=name))
    entries.apply(state, entries.Started())
    assert state.match is not None
    while state.match.to_act is not None or (len(state.rounds) < rounds - 1 and state.moves < moves):
        on_turn = state.match.to_act
        if on_turn is None:
            entries.apply(state, entries.NextRound())
        else:
            entries.apply(state, entries.Moved(seat=on_turn, move=str(dice.choice(state.match.legal(on_turn)))))
    return state
