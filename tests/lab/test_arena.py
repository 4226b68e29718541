"""An arena seats everybody everywhere equally often, and counts what was really played."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest

from flipdeck.bots import Bot
from flipdeck.bots.belief.memory import Memory
from flipdeck.bots.match_runner import MatchRunner
from flipdeck.bots.player import BotPlayer
from flipdeck.bots.random_bot import RandomBot
from flipdeck.bots.registry import bot_named
from flipdeck.bulk.batches import Setting
from flipdeck.core.match import Match
from flipdeck.core.notation import Keep, Move
from flipdeck.core.seeds import derived_seed
from flipdeck.core.view import View
from flipdeck.lab.report.arena.standings import Standings
from flipdeck.lab.run import arena as playing
from flipdeck.lab.run.arena import Arena
from flipdeck.lab.run.shards import Shard
from flipdeck.lab.stats.tally import COLUMNS, DEAL, DEALER, SHIFT, TURNS, WINNER, Tally

SEED = bytes([3] * 32)
SHORT = {"hand_size": 3, "scoring": "quick"}


def arena(*bots: str, seats: int = 0, rounds: int = 8, league: bool = False, edition: str = "classic") -> Arena:
    return Arena(Setting(edition, seats or len(bots), SHORT), bots, rounds, SEED, league)


def played(what: Arena) -> Tally:
    tally = what.summary()
    for shard in what.shards():
        tally.merge(what.play(shard).summary)
    return tally


# ---------------------------------------------------------------- who sits where
def test_as_many_bots_as_seats_sit_at_one_table() -> None:
    assert arena("rookie", "casual", "rookie").tables == ((0, 1, 2),)


def test_in_a_league_of_two_seats_every_pair_meets_once() -> None:
    assert arena("rookie", "casual", "regular", seats=2, league=True).tables == ((0, 1), (0, 2), (1, 2))


def test_in_a_league_of_more_seats_one_meets_the_others_both_ways() -> None:
    tables = arena("rookie", "casual", "regular", seats=4, league=True).tables
    assert tables == tuple((one, other, other, other) for one, other in product(range(3), range(3)) if one != other)


@pytest.mark.parametrize("seats", range(2, 11))
def test_in_every_deal_every_bot_sits_once_in_every_seat(seats: int) -> None:
    what = arena(*["rookie"] * seats)
    seatings = [what.seating(0, shift) for shift in range(seats)]
    for seat in range(seats):
        assert sorted(seating[seat] for seating in seatings) == list(range(seats))
    for seating in seatings:
        left_of_first = seating[(seating.index(0) + 1) % seats]
        assert left_of_first == 1  # everybody moves on: the neighbors stay


def test_rounds_are_rounded_up_to_whole_deals_and_tables_take_turns() -> None:
    what = arena("rookie", "casual", "regular", seats=2, rounds=5, league=True)
    assert (what.deals, what.games) == (3, 9)
    assert sum(shard.count for shard in what.shards()) == 9
    assert [what.seating(number, 0) for number in range(4)] == [[0, 1], [0, 2], [1, 2], [0, 1]]


# ---------------------------------------------------------------- rounds
@pytest.mark.parametrize("seats", [2, 4])
def test_equal_bots_win_equally(seats: int) -> None:
    what = arena(*["casual"] * seats, rounds=6 * seats)
    tally = played(what)
    scores = Standings(what, tally).scores
    assert tally.rounds == 6 * seats
    assert {score.wins for score in scores} == {6}
    by_deal = tally.table.reshape(6, seats, len(COLUMNS))
    assert (by_deal[:, :, WINNER] == by_deal[:, :1, WINNER]).all()  # always the same seat
    assert (by_deal[:, :, TURNS] == by_deal[:, :1, TURNS]).all()


def test_every_round_is_one_that_can_be_played_again_by_hand() -> None:
    what = arena("rookie", "casual", "regular", seats=3, rounds=6, league=True)
    rows = played(what).table
    assert rows[:, DEAL].tolist() == [deal for deal in range(what.games) for _ in range(3)]
    for row in rows[:: len(rows) // 7].tolist():
        seed = derived_seed(SEED, f"deal {row[DEAL]} of an arena")
        match = Match("classic", 3, seed=seed, options=SHORT)
        one, other = what.tables[row[DEAL] % 6][:2]
        names = [what.bots[one if seat == row[SHIFT] else other] for seat in range(3)]
        seats = {
            seat: BotPlayer(
                bot_named(name), seat, 3, match.options, random.Random(derived_seed(seed, f"dice of seat {seat}"))
            )
            for seat, name in enumerate(names)
        }
        turns = MatchRunner(match, seats, random.Random(derived_seed(seed, "dice of the table"))).play_round()
        assert (match.round.winner, match.round.dealer, turns) == (row[WINNER], row[DEALER], row[TURNS])


def test_turns_and_decisions_are_counted_without_forced_keeps() -> None:
    what, forced = arena("rookie", "regular"), 0
    for number in range(6):
        tally = what.summary()
        match = what.play_round(number, 0, tally)
        again = Match("classic", 2, seed=match.seed, options=SHORT)
        turns = 0
        for said in match.history[0].said:
            forced += (no_choice := again.legal(said.seat) == [Keep()])
            turns += said.seat == again.to_act and not no_choice
            again.say(said.seat, said.move)
        assert tally.table[0, TURNS] == turns == sum(cost.decisions for cost in tally.costs)
    assert forced > 5


@pytest.mark.parametrize(("edition", "seats"), [("splash", 5), ("argentina", 2), ("mild-wild", 10)])
def test_any_edition_and_number_of_seats_can_be_played(edition: str, seats: int) -> None:
    what = arena("regular", *["rookie"] * (seats - 1), rounds=1, edition=edition)
    tally = played(what)
    assert tally.rounds == seats
    assert sum(score.wins for score in Standings(what, tally).scores) == seats


class Strange(RandomBot):
    """Has a fault a round, and now and then a crash."""

    def __init__(self, log: list[str], breaks: bool = False) -> None:
        self.faults = Counter({"garbage": 1})
        self._log = log
        self._breaks = breaks
        log.append("sat down")

    def choose(self, view: View, legal: Sequence[Move], memory: Memory, rng: random.Random) -> Move:
        if self._breaks:
            raise RuntimeError("out of order")
        return super().choose(view, legal, memory, rng)

    def close(self) -> None:
        self._log.append("left")


@pytest.mark.parametrize("breaks", [False, True])
def test_who_sat_down_leaves_whatever_happens(breaks: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    log: list[str] = []

    def named(name: str) -> Bot:
        return Strange(log, breaks) if name == "strange" else bot_named(name)

    monkeypatch.setattr(playing, "bot_named", named)
    monkeypatch.setattr(playing, "_WARM", {"casual", "strange"})
    what = arena("casual", "strange", "strange", rounds=3)
    if breaks:
        with pytest.raises(RuntimeError, match="out of order"):
            what.play(Shard(0, 0, 1))
        assert log == ["sat down", "sat down", "left", "left"]
    else:
        costs = what.play(Shard(0, 0, 1)).summary.costs
        assert [dict(cost.faults) for cost in costs] == [{}, {"garbage": 3}, {"garbage": 3}]
        assert log.count("left") == log.count("sat down") == 6


def test_a_bot_wakes_up_once_a_process_and_that_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    log: list[str] = []
    monkeypatch.setattr(playing, "bot_named", lambda _: Strange(log))
    monkeypatch.setattr(playing, "_WARM", set())
    what = arena("strange", "strange", rounds=2)
    parts = [what.play(Shard(0, 0, 1)) for _ in range(2)]
    assert log.count("left") == log.count("sat down") == 1 + 2 * 2 * 2
    turns = [row[TURNS] for row in parts[0].summary.table.tolist()]
    assert sum(cost.decisions for cost in parts[0].summary.costs) == sum(turns)


def test_a_round_without_end_is_given_up_and_won_by_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing, "MOST_TURNS", 4)
    what = arena("rookie", "rookie", rounds=4)
    standings = Standings(what, played(what))
    assert standings.given_up == 4
    assert standings.void == 0
    assert [score.wins for score in standings.scores] == [0, 0]
    assert standings.turns["most"] == 4


# ---------------------------------------------------------------- tallies
def test_a_tally_is_the_same_after_a_way_through_json() -> None:
    what = arena("rookie", "casual", rounds=4)
    part = what.play(Shard(0, 0, 2))
    again = what.part_of(0, json.loads(json.dumps(part.summary.to_dict())))
    assert again.shard == what.shards()[0]
    assert np.array_equal(again.summary.table, part.summary.table)
    assert again.summary.costs == part.summary.costs
    assert sum(part.summary.costs[0].times.values()) == part.summary.costs[0].decisions > 0


@pytest.mark.parametrize("damage", ["other deals", "other bots", "no rounds", "no numbers", "nothing", "a further one"])
def test_what_is_no_tally_of_a_shard_is_not_taken_for_one(damage: str) -> None:
    what = arena("rookie", "casual", rounds=4)
    told = json.loads(json.dumps(what.play(Shard(0, 0, 2)).summary.to_dict()))
    number = 0
    match damage:
        case "other deals":
            told["rounds"][0][DEAL] = 5
        case "other bots":
            told["costs"].pop()
        case "no rounds":
            del told["rounds"]
        case "no numbers":
            told["rounds"][1][2] = "many"
        case "nothing":
            told = None
        case _:
            number = 1
    with pytest.raises((ValueError, TypeError, LookupError)):
        what.part_of(number, told)


def test_tallies_of_other_bots_do_not_add_up() -> None:
    with pytest.raises(ValueError, match="a tally of 3 bots"):
        Tally(2).merge(Tally(3))


def test_time_is_told_by_mean_and_95th_percentile() -> None:
    tally = Tally(2)
    for microseconds in range(1, 101):
        tally.add_decision(0, 1000 * microseconds)
    assert tally.costs[0].mean == pytest.approx(50.5)
    assert tally.costs[0].p95 == pytest.approx(95, rel=1 / 32)
    assert (tally.costs[1].mean, tally.costs[1].p95) == (None, None)
