"""Shares of wins are those of a count by hand, with intervals that take deals as what is independent."""

from __future__ import annotations

import random

import pytest

from flipdeck.bulk.batches import Setting
from flipdeck.lab.report.arena.standings import Score, Standings
from flipdeck.lab.run.arena import Arena
from flipdeck.lab.stats import intervals
from flipdeck.lab.stats.intervals import Estimate, Sums
from flipdeck.lab.stats.tally import Tally

NAMES = ("rookie", "casual", "regular")


def arena(seats: int, league: bool, deals: int, bots: tuple[str, ...] = NAMES) -> Arena:
    return Arena(Setting(players=seats), bots, deals * seats, bytes(32), league)


def invented(what: Arena, dice: random.Random) -> Tally:
    """Rounds that anybody won, or nobody, in an order that they may have been finished in."""
    tally = what.summary()
    rounds = [(deal, shift) for deal in range(what.games) for shift in range(what.seats)]
    dice.shuffle(rounds)
    for deal, shift in rounds:
        winner = dice.randrange(-1, what.seats)
        tally.add_round(deal, shift, deal % what.seats, winner, dice.randrange(9, 99), False)
    return tally


def by_hand(what: Arena, tally: Tally, bot: int, other: int) -> tuple[int, int]:
    """Wins and rounds of a bot where it met another, alone of its kind."""
    wins = rounds = 0
    for deal, shift, _, winner, _, _ in tally.table.tolist():
        seating = what.seating(deal, shift)
        if other in seating and seating.count(bot) == 1:
            rounds += 1
            wins += winner >= 0 and seating[winner] == bot
    return wins, rounds


@pytest.mark.parametrize(("seats", "league"), [(2, True), (3, True), (5, True), (3, False)])
def test_wins_are_those_of_a_count_by_hand(seats: int, league: bool) -> None:
    what = arena(seats, league, deals=11)
    tally = invented(what, random.Random(seats))
    standings = Standings(what, tally)
    for bot in range(3):
        others = [other for other in range(3) if other != bot]
        counted = {other: by_hand(what, tally, bot, other) for other in others}
        if not league:
            assert (standings.scores[bot].wins, standings.scores[bot].rounds) == counted[others[0]]
            assert standings.matrix[bot] == [standings.scores[bot]]
            continue
        for other in others:
            cell = standings.matrix[bot][other]
            assert cell is not None
            assert (cell.wins, cell.rounds) == counted[other]
        assert standings.matrix[bot][bot] is None
        assert standings.scores[bot].wins == sum(wins for wins, _ in counted.values())
        assert standings.scores[bot].rounds == sum(rounds for _, rounds in counted.values()) == 2 * 11 * seats


def test_the_order_in_which_rounds_were_finished_changes_nothing() -> None:
    what = arena(3, True, deals=6)
    tally = invented(what, random.Random(1))
    ordered = what.summary()
    for row in sorted(tally.table.tolist()):
        ordered.add_round(*row)
    one, other = Standings(what, tally), Standings(what, ordered)
    assert one.matrix == other.matrix
    assert one.places == other.places
    assert list(one.rounds_in_order()) == list(other.rounds_in_order())
    assert list(one.lines_of_table()) == list(other.lines_of_table())


def test_an_interval_takes_deals_as_what_is_independent() -> None:
    what = arena(2, False, deals=40, bots=NAMES[:2])
    mixed, alike = what.summary(), what.summary()
    for deal in range(40):
        for shift in range(2):
            alike.add_round(deal, shift, 0, shift if deal % 2 else 1 - shift, 30, False)  # a deal is won whole
            mixed.add_round(deal, shift, 0, shift if (deal + shift) % 2 else 1 - shift, 30, False)
    whole, shared = (Standings(what, tally).scores[0] for tally in (alike, mixed))
    assert whole.wins == shared.wins == 40
    assert whole == Score(40, 80, intervals.share(Sums(40, 40, 80, 4 * 20, 2 * 40, 4 * 40)))
    assert shared == Score(40, 80, intervals.share(Sums(40, 40, 80, 40, 2 * 40, 4 * 40)))
    assert whole.share.low == pytest.approx(0.35, abs=0.02)  # as 40 tosses of a coin


def test_an_interval_for_many_bots_at_once_is_wider() -> None:
    what = arena(3, False, deals=30)
    standings = Standings(what, invented(what, random.Random(2)))
    one, all_of_them = standings.score(0), standings.score(0, among=3)
    assert one.share.low is not None
    assert all_of_them.share.low is not None
    assert all_of_them.share.low < one.share.low


def test_places_are_counted_from_the_dealer_and_nobody_wins_a_void_round() -> None:
    what = arena(3, False, deals=2)
    tally = what.summary()
    for deal in range(2):
        for shift in range(3):
            tally.add_round(deal, shift, 1, -1 if shift == 2 else (1 + shift) % 3, 20 + shift, deal == 1 and shift == 2)
    standings = Standings(what, tally)
    assert [score.wins for score in standings.places] == [2, 2, 0]
    assert [score.rounds for score in standings.places] == [6, 6, 6]
    assert (standings.void, standings.given_up) == (1, 1)
    assert standings.turns == {"mean": 21.0, "p50": 21, "p95": 22, "most": 22}


def test_the_raw_table_tells_who_sat_where_and_who_won() -> None:
    what = arena(2, True, deals=1)
    tally = what.summary()
    for deal in range(3):
        tally.add_round(deal, 0, 0, 1, 20, False)
        tally.add_round(deal, 1, 0, -1, 21, False)
    assert list(Standings(what, tally).lines_of_table()) == [
        "table,deal,shift,dealer,winner,turns,given_up,won_by,seat_0,seat_1",
        "0,0,0,0,1,20,0,1,0,1",
        "0,0,1,0,-1,21,0,-1,1,0",
        "1,1,0,0,1,20,0,2,0,2",
        "1,1,1,0,-1,21,0,-1,2,0",
        "2,2,0,0,1,20,0,2,1,2",
        "2,2,1,0,-1,21,0,-1,2,1",
    ]


def test_nothing_played_tells_nothing() -> None:
    what = arena(3, True, deals=2)
    standings = Standings(what, what.summary())
    assert standings.scores == [Score(0, 0, Estimate())] * 3
    assert standings.turns["most"] == 0
    assert list(standings.rounds_in_order()) == []


def test_bots_of_one_name_are_told_apart() -> None:
    what = arena(3, False, deals=1, bots=("sharp", "casual", "sharp"))
    assert Standings(what, what.summary()).labels == ["sharp (1)", "casual", "sharp (2)"]
