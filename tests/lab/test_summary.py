"""A summary does not depend on how a run is cut into parts, and shares what is won together."""

from __future__ import annotations

import pickle
from random import Random

import numpy as np
import pytest

from flipdeck.bulk import rows
from flipdeck.bulk.batches import IntArray, Setting
from flipdeck.lab.experiments import whole_table
from flipdeck.lab.run.shards import Shard
from flipdeck.lab.stats.measures import groups, measures, sums_of
from flipdeck.lab.stats.pair_summary import PairSummary
from flipdeck.lab.stats.summary import Summary

SETTING = Setting("splash", 3, {"target": 200}, ("random", "eager", "eager"))
SEED = bytes([7] * 32)


def won(match: int, number: int, dealer: int, winner: int, *match_winners: int) -> list[int]:
    row = [0] * rows.WIDTH
    row[rows.MATCH], row[rows.ROUND], row[rows.DEALER], row[rows.WINNER] = match, number, dealer, winner
    row[rows.WON_BY] = sum(1 << seat for seat in match_winners)
    return row


def table(*lines: list[int]) -> IntArray:
    return np.array(lines, np.int64)


def whole(shard: Shard) -> IntArray:
    return whole_table(SETTING, SEED, shard)


def counted(*tables: IntArray) -> Summary:
    summary = Summary(3)
    for each in tables:
        summary.add(each)
    return summary


def test_parts_merged_in_any_order_are_the_whole() -> None:
    run = counted(whole(Shard(0, 0, 60)))
    parts = [counted(whole(Shard(i, 20 * i, 20))) for i in range(3)]
    Random(5).shuffle(parts)
    merged = Summary(3)
    for part in parts:
        merged.merge(part)
    assert merged == run
    assert merged.figures() == run.figures()
    assert counted(*(whole(Shard(i, 20 * i, 20)) for i in range(3))) == run
    assert merged != parts[0]


def test_a_summary_travels() -> None:
    run = counted(whole(Shard(0, 0, 20)))
    there = pickle.loads(pickle.dumps(run))
    assert there == run
    there.merge(run)
    assert there.matches == 40


def test_settings_with_other_seats_are_not_mixed() -> None:
    with pytest.raises(ValueError, match="2 players"):
        Summary(3).merge(Summary(2))
    with pytest.raises(ValueError, match="pair"):
        PairSummary(3, 3).merge(Summary(3))
    assert Summary(3) != PairSummary(3, 3)
    assert Summary(3) != "a summary"


def test_half_a_match_is_not_counted() -> None:
    with pytest.raises(ValueError, match="whole matches"):
        Summary(2).add(table(won(0, 1, 0, 1)))
    with pytest.raises(ValueError, match="whole matches"):
        Summary(2).add(np.zeros((0, rows.WIDTH), np.int64))


def test_a_match_won_together_counts_in_parts() -> None:
    summary = counted(table(won(0, 1, 2, 0), won(0, 2, 0, 1, 0, 1), won(1, 1, 1, 2, 2)))
    assert summary.win_rate() == [0.25, 0.25, 0.5]
    first, second, third = groups(3)["Matches won, by place from the first dealer"]
    # of the match that seat 2 dealt first, its neighbours won half each; of the other, who sat left of the dealer
    assert [summary.estimate(place).value for place in (first, second, third)] == [0, 0.75, 0.25]


def test_rounds_that_nobody_won_are_not_among_the_rounds_won() -> None:
    void = won(0, 1, 0, -1)
    summary = counted(table(void, won(0, 2, 1, 1, 1)))
    seats = groups(3)["Rounds won, by seat"]
    assert [summary.estimate(seat).value for seat in seats] == [0, 1, 0]
    assert summary.rounds == 2


def test_sums_beyond_a_machine_word_stay_exact() -> None:
    row = won(0, 1, 0, 0, 0)
    row[rows.DECISIONS] = 3 * 10**9
    summary = counted(table(row))
    for _ in range(5):
        summary.merge(pickle.loads(pickle.dumps(summary)))
    decisions = next(m for m in measures(3) if m.key == "decisions_per_round")
    assert summary.sums(decisions).top_top == 32 * 9 * 10**18
    assert summary.estimate(decisions).low == summary.estimate(decisions).value == 3e9


def test_sums_are_by_match() -> None:
    sums = sums_of(whole(Shard(0, 0, 12)), 3)
    assert sums.shape[1] == 12
    assert len({measure.name for measure in measures(3)}) == len(measures(3))


def test_no_game_has_eleven_players() -> None:
    with pytest.raises(ValueError, match="11 players"):
        groups(11)
