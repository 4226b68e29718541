"""Tallies of parts add up, and survive a checkpoint."""

from __future__ import annotations

import json

import pytest

from flipdeck.lab.stats.tally import Tally


def tally(*deals: int) -> Tally:
    made = Tally(2)
    for deal in deals:
        for shift in range(2):
            made.add_round(deal, shift, 0, shift, 10 + deal, False)
            made.add_decision(shift, 1000 * (deal + 1))
    made.add_faults(1, {"timeout": 2})
    return made


def test_parts_add_up_to_the_whole() -> None:
    whole, parts = tally(0, 1), tally(0)
    parts.merge(tally(1))
    assert parts.table.tolist() == whole.table.tolist()
    assert (parts.rounds, parts.matches) == (4, 2)
    assert [cost.decisions for cost in parts.costs] == [2, 2]
    assert parts.costs[0].mean == 1.5
    assert parts.costs[1].faults == {"timeout": 4}


def test_a_tally_comes_back_from_json_as_it_was() -> None:
    before = tally(3, 4)
    after = Tally.from_dict(json.loads(json.dumps(before.to_dict())))
    assert after.to_dict() == before.to_dict()
    assert after.costs == before.costs


def test_tallies_of_other_bots_are_not_mixed() -> None:
    with pytest.raises(ValueError, match="a tally of 3 bots"):
        tally(0).merge(Tally(3))


def test_without_decisions_there_is_no_time() -> None:
    (cost, _) = Tally(2).costs
    assert (cost.mean, cost.p95) == (None, None)
