"""The page of an arena stands alone, shows the matrix first, and tells every share in figures, not by color alone."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from typing import Any

import pytest

from flipdeck.bulk.batches import Setting
from flipdeck.lab.report import plots, wording
from flipdeck.lab.report.arena import wording as words
from flipdeck.lab.report.arena.page import DEEPEST, arena_page, heat
from flipdeck.lab.report.arena.result import ArenaResult
from flipdeck.lab.run.arena import Arena
from flipdeck.lab.run.execution import Collected

from .pages import Page
from .test_report_page import check_alone

LADDER = ("rookie", "casual", "regular")


def finished(*bots: str, seats: int, league: bool = False, deals: int = 30, **strength: int) -> ArenaResult:
    """An arena whose rounds were won by luck, in proportion to strength."""
    what = Arena(Setting(players=seats, options={"scoring": "quick"}), bots, deals * seats, bytes(32), league)
    tally, dice = what.summary(), random.Random(seats)
    for deal in range(what.games):
        for shift in range(seats):
            weights = [strength.get(bots[bot], 1) for bot in what.seating(deal, shift)]
            winner = dice.choices(range(seats), weights)[0]
            tally.add_round(deal, shift, deal % seats, winner, dice.randrange(10, 90), False)
    for bot in range(len(bots)):
        tally.add_decision(bot, 1500 * (bot + 1))
    outcome = Collected(tally, 1.5, complete=True)
    return ArenaResult(outcome, what.games * seats, 2, "abc", "flipdeck arena --bots …", arena=what)


@pytest.fixture
def without_plots(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests that are about the words."""
    monkeypatch.setattr(plots, "win_rates", lambda *_: "")
    monkeypatch.setattr(plots, "histogram", lambda *_: "")


def cells(text: str) -> list[tuple[str, int]]:
    """Side and depth of every cell of the heat map."""
    (table,) = re.findall(r'<div class="table heat">.*?</div>', text, re.DOTALL)
    return [(side, int(depth)) for side, depth in re.findall(r'<td class="(\w+)" style="--heat: (\d+)%">', table)]


def test_a_league_is_a_page_of_its_own_with_the_matrix_first() -> None:
    told = finished(*LADDER, seats=2, league=True, regular=9)
    text = arena_page(told)
    page = Page(text)
    check_alone(page, text)
    assert page.tags["svg"] == 2
    assert page.words.index("Who beats whom") < page.words.index("Ratings") < page.words.index("Place and length")
    for row in told.standings.matrix:
        for score in row:
            if score is not None:
                value = wording.value_text(score.share, True)
                assert f"{value} {wording.interval_text(score.share, True)}" in page.words
    assert len(cells(text)) == 6
    assert "prefers-color-scheme: dark" in text
    assert "not transitive" in page.words
    assert "regular won most" in page.words
    assert told.command in page.words
    assert "Stopped early" not in text


@pytest.mark.usefixtures("without_plots")
def test_cells_are_colored_by_their_distance_from_an_equal_share() -> None:
    told = finished("rookie", "regular", seats=2, regular=20)
    (of_rookie, below), (of_regular, above) = cells(arena_page(told))
    assert (of_rookie, of_regular) == ("below", "above")
    assert min(below, above) > DEEPEST / 2
    low, high = (wording.value_text(score.share, True) for score in told.standings.scores)
    told_in_words = Page(arena_page(told)).words
    assert f"▼ {low}" in told_in_words
    assert f"▲ {high}" in told_in_words


@pytest.mark.parametrize(
    ("value", "fair", "found"),
    [
        (0.5, 0.5, ("above", 0)),
        (1.0, 0.5, ("above", DEEPEST)),
        (0.0, 0.25, ("below", DEEPEST)),
        (0.125, 0.25, ("below", DEEPEST // 2)),
        (None, 0.5, ("even", 0)),
    ],
)
def test_heat_goes_from_an_equal_share_to_all_or_nothing(
    value: float | None, fair: float, found: tuple[str, int]
) -> None:
    assert heat(value, fair) == found


@pytest.mark.usefixtures("without_plots")
def test_one_table_has_a_column_of_its_own() -> None:
    told = finished("sharp", "casual", "casual", "casual", seats=4, sharp=5)
    page = Page(arena_page(told))
    assert "Share of rounds won, all 4 at one table" in page.words
    assert "casual (3)" in page.words
    assert len(cells(arena_page(told))) == 4


@pytest.mark.usefixtures("without_plots")
def test_a_league_of_more_than_two_seats_says_what_its_cells_are() -> None:
    page = Page(arena_page(finished(*LADDER, seats=4, league=True)))
    assert "Share of rounds won by one of the row against 3 of the column" in page.words
    assert "Rounds that a bot plays as the one against others." in page.words


@pytest.mark.usefixtures("without_plots")
def test_a_run_that_was_stopped_says_so_first() -> None:
    told = finished("rookie", "casual", seats=2)
    partial = replace(told, asked=1000, outcome=replace(told.outcome, complete=False))
    assert "Stopped early. This is what 60 of 1,000 rounds gave" in Page(arena_page(partial)).words


@pytest.mark.usefixtures("without_plots")
def test_what_people_type_stays_text() -> None:
    told = finished("cmd:<script>alert(1)</script>", "casual", seats=2)
    text = arena_page(replace(told, seed="<b>", command="<i>"))
    assert Page(text).tags["script"] == 0
    assert "<script>" not in text


def test_a_single_deal_makes_a_page_too() -> None:
    assert (
        "one deal is too few for an interval" in Page(arena_page(finished("rookie", "casual", seats=2, deals=1))).words
    )


# ---------------------------------------------------------------- words
@pytest.mark.parametrize(
    ("bots", "seats", "league", "title"),
    [
        (LADDER[:2], 2, False, "rookie against casual"),
        (LADDER[:2], 4, True, "Every pair of rookie and casual"),
        (LADDER, 2, True, "Every pair of rookie, casual and regular"),
        (LADDER, 3, False, "One table of rookie, casual and regular"),
    ],
)
def test_titles_say_who_met(bots: tuple[str, ...], seats: int, league: bool, title: str) -> None:
    assert words.title(Arena(Setting(players=seats), bots, 2, bytes(32), league)) == title


def test_the_best_of_equals_is_not_called_better() -> None:
    assert "can't be told apart from an equal share of 50 %" in words.lead_sentence(
        finished("rookie", "casual", seats=2)
    )
    assert "more than an equal share of 25 %" in words.lead_sentence(
        finished("sharp", *["casual"] * 3, seats=4, deals=100, sharp=9)
    )


def test_rounds_without_a_winner_are_told() -> None:
    told = finished("rookie", "casual", seats=2, deals=1)
    tally: Any = told.outcome.summary
    tally.add_round(1, 0, 0, -1, 50, False)
    tally.add_round(1, 1, 0, -1, 20_000, True)
    assert words.turns_sentence(told).endswith("Of all rounds 1 were void, 1 were given up after 20,000 turns.")


@pytest.mark.parametrize(
    ("microseconds", "text"),
    [(None, "–"), (0.5, "0.5 µs"), (83.21, "83.2 µs"), (999.9, "1 ms"), (25_100, "25.1 ms"), (1.5e6, "1.5 s")],
)
def test_time_is_told_in_the_unit_that_suits(microseconds: float | None, text: str) -> None:
    assert wording.duration(microseconds) == text
