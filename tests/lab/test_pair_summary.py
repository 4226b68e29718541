"""Two settings with common random numbers: what is alike drops out."""

from __future__ import annotations

import numpy as np
import pytest

from flipdeck.bulk.batches import Setting
from flipdeck.lab.experiments import MatchJob, PairedJob
from flipdeck.lab.run.execution import collect, on_threads
from flipdeck.lab.stats.intervals import Estimate
from flipdeck.lab.stats.measures import Measure, measures
from flipdeck.lab.stats.pair_summary import PairSummary

SEED = bytes([3] * 32)
A = Setting("classic", 3, {}, ("eager",))
B = Setting("classic", 4, {"stacking": True}, ("eager",))


def compared(a: Setting, b: Setting, games: int = 300) -> PairSummary:
    job = PairedJob(a, SEED, games, other=b)
    summary = collect(job, on_threads(job, job.shards(), 2), lambda _: None).summary
    assert isinstance(summary, PairSummary)
    return summary


def named(key: str, players: int = 3) -> Measure:
    return next(measure for measure in measures(players) if measure.key == key)


def test_both_sides_are_what_each_gives_alone() -> None:
    pair = compared(A, B)
    for setting, side in ((A, pair), (B, pair.other)):
        job = MatchJob(setting, SEED, 300)
        alone = collect(job, on_threads(job, job.shards(), 1), lambda _: None).summary
        assert side.figures() == alone.figures()
        assert side.histograms_to_dict() == alone.histograms_to_dict()
    assert pair.played() == (600, pair.rounds + pair.other.rounds, pair.decisions + pair.other.decisions)


def test_the_difference_is_that_of_the_figures_and_its_interval_holds_it() -> None:
    pair = compared(A, B)
    for measure in pair.common:
        a, b, found = pair.estimate(measure).value, pair.other.estimate(measure).value, pair.difference(measure)
        if a is None or b is None:
            assert found.value is None
        else:
            assert found.value == pytest.approx(b - a)
            assert found.low is None or not found.leaves_out(b - a)


def test_settings_that_play_alike_have_no_difference_and_no_interval_to_speak_of() -> None:
    # no challenge is made by eager players, so what wilds match in one changes nothing
    pair = compared(A, Setting("classic", 3, {"wilds_match_in_challenge": True}, ("eager",)))
    found = pair.difference(named("decisions_per_round"))
    assert found.value == 0
    assert found.high == pytest.approx(0, abs=1e-6)
    assert pair.correlation(named("decisions_per_round")) == pytest.approx(1)


def test_common_random_numbers_narrow_the_interval_of_settings_that_are_alike() -> None:
    pair = compared(Setting("classic", 4, {}, ("eager",)), Setting("classic", 4, {"target": 520}, ("eager",)))
    length = named("rounds_per_match", 4)
    shared = pair.correlation(length)
    assert shared is not None
    assert shared > 0.5
    found, a, b = pair.difference(length), pair.estimate(length), pair.other.estimate(length)
    widths = [(each.high or 0) - (each.low or 0) for each in (found, a, b)]
    assert widths[0] < np.hypot(widths[1], widths[2]) * 0.75
    assert found.leaves_out(0)


def test_a_seat_that_only_one_of_them_has_is_not_compared() -> None:
    pair = compared(A, B, 20)
    fourth = next(measure for measure in measures(4) if measure.key == "match_win_rate" and measure.place == 3)
    assert pair.difference(fourth) == pair.relative(fourth) == Estimate()
    assert pair.correlation(fourth) is None


def test_pairs_merged_are_the_whole() -> None:
    job = PairedJob(A, SEED, 600, other=B)
    whole = collect(job, on_threads(job, job.shards(), 1), lambda _: None).summary
    merged = job.summary()
    for result in reversed([job.play(shard) for shard in job.shards()]):
        merged.merge(result.summary)
    assert merged == whole
    assert merged != job.summary()


def test_rows_that_are_kept_tell_their_setting_first() -> None:
    job = PairedJob(A, SEED, 5, keep=True, other=B)
    (result,) = on_threads(job, job.shards(), 1)
    assert result.rows is not None
    assert sorted(set(result.rows[:, 0].tolist())) == [0, 1]
