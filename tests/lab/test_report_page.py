"""A report is one page that fetches nothing, tells every figure, and says so when it is not the whole run."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from flipdeck.bulk.batches import Setting
from flipdeck.lab.experiments import MatchJob, PairedJob
from flipdeck.lab.report import pair_page, report_page, wording
from flipdeck.lab.report.run_result import RunResult
from flipdeck.lab.run.execution import collect, on_threads
from flipdeck.lab.stats.measures import groups
from flipdeck.lab.stats.pair_summary import PairSummary
from flipdeck.lab.stats.summary import Summary

from .pages import Page

SEED = bytes([2] * 32)
CLASSIC = Setting("classic", 4, {}, ("eager",))
SETTINGS = [
    CLASSIC,
    Setting("mild-wild", 10, {"jump_in": True}, ("eager",)),
    Setting("splash", 2, {"bluffing": False, "false_catch_penalty": 1}, ("eager", "random")),
]


def about(job: MatchJob, seed: str = "abc") -> RunResult[Summary]:
    outcome = collect(job, on_threads(job, job.shards(), 2), lambda _: None)
    return RunResult(outcome, job.games, 2, seed, "flipdeck simulate --games 40", "rounds.csv")


def simulated(setting: Setting, games: int = 40) -> RunResult[Summary]:
    return about(MatchJob(setting, SEED, games))


@pytest.fixture
def without_plots(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests that are about the words."""
    monkeypatch.setattr("flipdeck.lab.report.figures.plots_of", lambda *_: "")


def check_alone(page: Page, text: str) -> None:
    assert page.fetched == []
    assert page.tags["script"] == page.tags["link"] == 0
    assert not re.search(r"https?:|@import|url\((?!#)", text)
    assert max(page.ids.values()) == 1


@pytest.mark.parametrize("setting", SETTINGS, ids=wording.describe)
def test_a_simulation_is_a_page_of_its_own_with_every_figure(setting: Setting) -> None:
    told = simulated(setting)
    text = report_page.simulation(setting, told)
    page = Page(text)
    check_alone(page, text)
    assert page.tags["svg"] >= 5
    for title, group in groups(setting.players).items():
        for measure in group:
            if measure.shown(setting.rules()):
                found = told.outcome.summary.estimate(measure)
                assert title in page.words
                assert f"{measure.title} {wording.value_text(found, measure.share)}" in page.words
    assert "Stopped early" not in text
    assert "flipdeck simulate --games 40" in page.words
    assert "prefers-color-scheme: dark" in text
    assert "var(--ink)" in text
    assert not re.search(r"#0(\d)0\1(0\1)", text)  # a color that does not follow the page


@pytest.mark.usefixtures("without_plots")
def test_measures_that_say_nothing_are_left_out() -> None:
    quick = Page(report_page.simulation(SETTINGS[1], simulated(SETTINGS[1])))
    assert "Rounds won, by seat" not in quick.words
    assert "points a round" not in quick.words
    assert "jump-ins a round" in quick.words
    assert "Challenges" not in Page(report_page.simulation(SETTINGS[2], simulated(SETTINGS[2]))).words


@pytest.mark.usefixtures("without_plots")
def test_a_run_that_was_stopped_says_so_first() -> None:
    whole = simulated(CLASSIC)
    partial = replace(whole, asked=1000, outcome=replace(whole.outcome, complete=False))
    text = report_page.simulation(CLASSIC, partial)
    assert "Stopped early. This is what 40 of 1,000 matches gave" in Page(text).words
    assert text.index("Stopped early") < text.index("In pictures")


def test_a_single_match_makes_a_page_too() -> None:
    page = Page(report_page.simulation(CLASSIC, simulated(CLASSIC, 1)))
    assert "one match is too few for an interval" in page.words


@pytest.mark.usefixtures("without_plots")
def test_what_people_type_stays_text() -> None:
    text = report_page.simulation(CLASSIC, replace(simulated(CLASSIC), seed="<script>alert(1)</script>"))
    assert Page(text).tags["script"] == 0


@pytest.mark.parametrize("b", SETTINGS[1:], ids=wording.describe)
def test_a_comparison_is_a_page_of_its_own_with_every_difference(b: Setting) -> None:
    told = about(PairedJob(CLASSIC, SEED, 60, other=b))
    text = pair_page.comparison(CLASSIC, b, told)
    page, pair = Page(text), told.outcome.summary
    check_alone(page, text)
    assert isinstance(pair, PairSummary)
    for group in pair_page.shown_measures(CLASSIC, b).values():
        for measure in group:
            found = pair.difference(measure)
            assert f"{wording.value_text(found, measure.share, signed=True)}" in page.words
    assert text.count('class="differs"') > 3
    assert wording.describe(b) in page.words


def test_settings_of_the_same_seats_have_their_wins_drawn_side_by_side() -> None:
    b = Setting("classic", 4, {"stacking": True}, ("eager",))
    text = pair_page.comparison(CLASSIC, b, about(PairedJob(CLASSIC, SEED, 30, other=b)))
    assert Page(text).tags["svg"] == 8


# ---------------------------------------------------------------- words
def test_the_highest_of_several_seats_is_called_more_only_where_that_holds_for_all_of_them() -> None:
    alike = wording.win_sentence(CLASSIC, simulated(CLASSIC, 200).outcome.summary)
    assert "can't be told apart from an equal share of 25 %" in alike
    uneven = Setting("classic", 2, {}, ("random", "eager"))
    assert "Seat 1 (eager) won most" in wording.win_sentence(uneven, simulated(uneven, 60).outcome.summary)
    assert "more than an equal share of 50 %" in wording.win_sentence(uneven, simulated(uneven, 60).outcome.summary)


def test_settings_that_play_alike_are_said_to() -> None:
    b = Setting("classic", 4, {"wilds_match_in_challenge": True}, ("eager",))
    pair = about(PairedJob(CLASSIC, SEED, 30, other=b)).outcome.summary
    assert isinstance(pair, PairSummary)
    assert "can't be told apart in any of" in wording.pair_sentence(pair, pair.common)


def test_a_setting_is_told_as_people_write_it() -> None:
    assert wording.describe(SETTINGS[1]) == "Mild / Wild, 10 players (all eager); jump_in=on"
    assert wording.as_pairs(SETTINGS[2]) == (
        "edition=splash,players=2,policy=eager,random,bluffing=off,false_catch_penalty=1"
    )
    assert wording.where(None) == "a cluster"
