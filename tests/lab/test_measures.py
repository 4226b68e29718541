"""The statistics of a run are those of the same matches played through the facade."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from flipdeck import Side, What
from flipdeck.bulk.batches import Setting
from flipdeck.lab.experiments import MatchJob
from flipdeck.lab.run.execution import on_threads
from flipdeck.lab.stats.measures import measures

from .facade_replay import CountedRound, replayed, table_of

SEED = bytes([1] * 32)
SETTINGS = {
    "classic, eager": (Setting(policies=("eager",)), 4),
    "classic, both": (Setting(players=3, policies=("eager", "random", "random")), 2),
    "splash, quick": (Setting("splash", 2, {"scoring": "quick"}), 2),
    "argentina": (Setting("argentina", 3, {"target": 150}, ("random", "eager", "random")), 2),
    # somebody goes out who could still be caught: one miss, not two
    "argentina, never caught": (Setting("argentina", 2, {"scoring": "quick", "late_uno": False}), 1),
    "mild-wild": (Setting("mild-wild", 5), 2),
    "lowest": (Setting("classic", 3, {"scoring": "lowest", "target": 100}, ("eager",)), 3),
    "house rules": (
        Setting(
            "classic",
            4,
            {"stacking": True, "jump_in": True, "false_catch_penalty": 1, "scoring": "quick", "start_side": "dark"},
            ("random", "eager", "random", "eager"),
        ),
        2,
    ),
    "mini": (Setting("classic", 2, {"deck": "mini", "hand_size": 2, "most_moves": 20}, ("steady",)), 2),
    "a pile that runs out": (Setting("splash", 10, {"hand_size": 9, "scoring": "quick"}), 1),
}


@cache
def facade(name: str) -> list[CountedRound]:
    setting, games = SETTINGS[name]
    return replayed(setting, SEED, games)


@pytest.mark.parametrize("name", SETTINGS)
def test_every_column_and_the_summary_agree_with_the_facade(name: str) -> None:
    setting, games = SETTINGS[name]
    job = MatchJob(setting, SEED, games, keep=True)
    (result,) = on_threads(job, job.shards(), 1)
    table = table_of(facade(name))
    assert result.rows is not None
    np.testing.assert_array_equal(result.rows, table)
    again = job.summary()
    again.add(table)
    assert again == result.summary


def total(counted: list[CountedRound], number: Callable[[CountedRound], float]) -> float:
    return sum(number(each) for each in counted)


def share(counted: list[CountedRound], holds: Callable[[CountedRound], bool]) -> float:
    return sum(map(holds, counted)) / len(counted)


def told_plainly(counted: list[CountedRound], players: int) -> dict[str, float | None]:
    """Every figure worked out anew, from the facade and in the plainest way."""

    def mean(what: What) -> float:
        return total(counted, lambda each: each.happened[what]) / len(counted)

    matches = [each for each in counted if each.match_winners]
    won = [each for each in counted if each.winner is not None]
    decisions, turns = total(counted, lambda each: each.decisions), total(counted, lambda each: each.turns)
    misses, challenges = total(counted, lambda each: each.missed_uno), mean(What.CHALLENGED)
    told: dict[str, float | None] = {
        "decisions_per_round": decisions / len(counted),
        "turns_per_round": turns / len(counted),
        "forced_keeps_per_round": total(counted, lambda each: each.forced_keeps) / len(counted),
        "rounds_per_match": len(counted) / len(matches),
        "decisions_per_match": decisions / len(matches),
        "points_per_round": total(counted, lambda each: each.points) / len(counted),
        "played_per_round": mean(What.PLAYED),
        "drawn_per_round": mean(What.DREW),
        "drawn_per_turn": mean(What.DREW) * len(counted) / turns,
        "jump_ins_per_round": mean(What.JUMPED_IN),
        "flips_per_round": mean(What.FLIPPED),
        "rounds_with_flip": share(counted, lambda each: each.happened[What.FLIPPED] > 0),
        "dark_share": total(counted, lambda each: each.dark_decisions) / decisions,
        "challenges_per_round": challenges,
        "challenges_won": mean(What.FOUND_GUILTY) / challenges if challenges else None,
        "uno_missed_per_round": misses / len(counted),
        "caught_per_round": mean(What.CAUGHT),
        "missed_and_caught": mean(What.CAUGHT) * len(counted) / misses if misses else None,
        "caught_in_vain_per_round": mean(What.CAUGHT_IN_VAIN),
        "reshuffles_per_round": mean(What.RESHUFFLED),
        "rounds_with_reshuffle": share(counted, lambda each: each.happened[What.RESHUFFLED] > 0),
        "passes_per_round": mean(What.PASSED),
        "rounds_with_pass": share(counted, lambda each: each.happened[What.PASSED] > 0),
        "ended_out_light": share(counted, lambda each: each.winner is not None and each.side is Side.LIGHT),
        "ended_out_dark": share(counted, lambda each: each.winner is not None and each.side is Side.DARK),
        "ended_void": share(counted, lambda each: each.happened[What.ROUND_VOID] == 1),
        "ended_unfinished": 0.0,
    }
    first_dealers = {each.match: each.dealer for each in counted if each.number == 1}
    for place in range(players):
        told[f"match_win_rate[{place}]"] = sum(
            (place in each.match_winners) / len(each.match_winners) for each in matches
        ) / len(matches)
        told[f"match_win_rate_by_place[{place}]"] = sum(
            ((first_dealers[each.match] + place) % players in each.match_winners) / len(each.match_winners)
            for each in matches
        ) / len(matches)
        told[f"round_win_rate[{place}]"] = sum(each.winner == place for each in won) / len(won)
        told[f"round_win_rate_by_place[{place}]"] = sum(
            each.winner == (each.dealer + place) % players for each in won
        ) / len(won)
    return told


@pytest.mark.parametrize("name", SETTINGS)
def test_every_figure_is_what_it_says(name: str) -> None:
    setting, games = SETTINGS[name]
    counted = facade(name)
    job = MatchJob(setting, SEED, games)
    (result,) = on_threads(job, job.shards(), 1)
    plain = told_plainly(counted, setting.players)
    assert {measure.name for measure in measures(setting.players)} == set(plain)
    for measure in measures(setting.players):
        assert result.summary.estimate(measure).value == pytest.approx(plain[measure.name]), measure.name
