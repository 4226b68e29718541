"""A run gives the same on any number of threads, counts every match once, and can be stopped at any moment."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator

import numpy as np
import pytest

from flipdeck.bulk.batches import Setting
from flipdeck.lab.experiments import MatchJob, PairedJob
from flipdeck.lab.run.execution import Collected, collect, on_threads
from flipdeck.lab.run.shards import Part, play_shard
from flipdeck.lab.stats.summary import Summary

EAGER = Setting(policies=("eager",))
JOB = MatchJob(EAGER, bytes([9] * 32), 1500, keep=True)
PAIR = PairedJob(EAGER, bytes([9] * 32), 600, keep=True, other=Setting(players=3, policies=("eager",)))


def run(job: MatchJob, results: Iterator[Part[Summary]]) -> tuple[Collected[Summary], list[Part[Summary]]]:
    seen: list[Part[Summary]] = []
    return collect(job, results, seen.append), seen


@pytest.mark.parametrize("job", [JOB, PAIR], ids=["simulate", "compare"])
def test_one_two_and_three_threads_give_the_same(job: MatchJob) -> None:
    runs = [run(job, on_threads(job, job.shards(), threads)) for threads in (1, 2, 3)]
    tables = [np.concatenate([result.rows for result in seen if result.rows is not None]) for _, seen in runs]
    for (outcome, seen), table in zip(runs, tables, strict=True):
        assert outcome.complete
        assert outcome.matches == job.games
        assert outcome.summary == runs[0][0].summary
        assert [result.shard.number for result in seen] == list(range(len(seen)))
        np.testing.assert_array_equal(table, tables[0])


def test_results_are_counted_once_and_in_order_however_they_come() -> None:
    results = [play_shard(JOB, shard) for shard in JOB.shards()]
    last_first = [*results[::-1], results[2]]
    outcome, seen = run(JOB, iter(last_first))
    assert [result.shard.number for result in seen] == list(range(len(results)))
    assert outcome.complete
    assert outcome.summary == run(JOB, iter(results))[0].summary


def test_a_stopped_run_is_the_beginning_of_the_whole_one() -> None:
    def interrupted() -> Iterator[Part[Summary]]:
        results = [play_shard(JOB, shard) for shard in JOB.shards()[:4]]
        yield from (results[0], results[1], results[3])
        raise KeyboardInterrupt

    outcome, seen = run(JOB, interrupted())
    assert not outcome.complete
    assert outcome.matches == 512  # the fourth shard came before the third, and is left out
    assert len(seen) == 2
    short = MatchJob(JOB.setting, JOB.seed, 512)
    assert outcome.summary == run(short, on_threads(short, short.shards(), 2))[0].summary


def test_ctrl_c_while_a_result_is_counted_waits_for_the_end_of_that() -> None:
    closed = threading.Event()

    def endless() -> Iterator[Part[Summary]]:
        try:
            for shard in JOB.shards():
                yield play_shard(JOB, shard)
        finally:
            closed.set()

    seen: list[Part[Summary]] = []

    def each(result: Part[Summary]) -> None:
        if result.shard.number == 1:
            os.kill(os.getpid(), signal.SIGINT)
        seen.append(result)

    before = signal.getsignal(signal.SIGINT)
    outcome = collect(JOB, endless(), each)
    assert len(seen) == 2
    assert outcome.matches == 512
    assert not outcome.complete
    assert closed.is_set()
    assert signal.getsignal(signal.SIGINT) is before


def test_ctrl_c_while_waiting_for_threads_ends_the_wait() -> None:
    def waiting() -> Iterator[Part[Summary]]:
        yield play_shard(JOB, JOB.shards()[0])
        os.kill(os.getpid(), signal.SIGINT)
        threading.Event().wait(60)
        raise AssertionError("the wait was not ended")

    outcome, _ = run(JOB, waiting())
    assert outcome.matches == 256


def test_away_from_the_main_thread_nothing_is_done_to_signals() -> None:
    outcomes: list[Collected[Summary]] = []
    thread = threading.Thread(target=lambda: outcomes.append(run(JOB, on_threads(JOB, JOB.shards(), 2))[0]))
    thread.start()
    thread.join()
    assert outcomes[0].complete


def test_a_failure_of_the_workers_is_passed_on() -> None:
    def failing() -> Iterator[Part[Summary]]:
        yield play_shard(JOB, JOB.shards()[0])
        raise RuntimeError("the machine is on fire")

    with pytest.raises(RuntimeError, match="on fire"):
        run(JOB, failing())
