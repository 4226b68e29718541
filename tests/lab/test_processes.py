"""Worker processes give what this process gives; they end with the run, whatever they are doing."""

from __future__ import annotations

import os
import select
import signal
import threading
from collections.abc import Generator, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, cast

import numpy as np
import pytest

from flipdeck import child_process
from flipdeck.bulk.batches import Setting
from flipdeck.lab.run.arena import Arena
from flipdeck.lab.run.processes import ProcessPool, WorkerError, on_processes
from flipdeck.lab.run.shards import Part, Shard
from flipdeck.lab.stats.tally import Tally
from tests.patience import HANG

from .process_tree import below, has_ended

QUICK = Setting("classic", 2, {"hand_size": 3, "scoring": "quick"})
ARENA = Arena(QUICK, ("rookie", "casual"), 24, bytes([4] * 32))
# the first table is quickly done; at most of the others one waits for a program that never answers, until it is given
# up and the next round begins: a quarter of an hour in all
DONE, STUCK = Shard(0, 0, 1), Shard(1, 1, 30)


def workers() -> list[int]:
    return below(os.getpid(), "process_worker")


@pytest.fixture(autouse=True)
def all_end(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(child_process, "CLOSE_SECONDS", HANG)  # who is slow is waited for, and not ended by force
    assert not workers()
    yield
    assert not workers()


class Waiting(NamedTuple):
    arena: Arena
    pipe: int

    def program(self) -> int:
        """The one that is waited for, as soon as it has been started."""
        assert select.select([self.pipe], [], [], HANG)[0], "no program was started"
        return int(os.read(self.pipe, 100).split()[0])


@pytest.fixture
def waiting(tmp_path: Path) -> Iterator[Waiting]:
    os.mkfifo(tmp_path / "begun")
    pipe = os.open(tmp_path / "begun", os.O_RDONLY | os.O_NONBLOCK)
    program = f"cmd:sh -c 'echo $$ >> {tmp_path}/begun; exec sleep 600'"
    yield Waiting(Arena(QUICK, ("rookie", "casual", program), 60, bytes([4] * 32), league=True), pipe)
    os.close(pipe)


def closed(results: Iterator[Part[Tally]]) -> bool:
    """Close it, from a thread, so that one that hangs fails the test."""
    thread = threading.Thread(target=cast(Generator[Part[Tally]], results).close, daemon=True)
    thread.start()
    thread.join(HANG)
    return not thread.is_alive()


@pytest.mark.parametrize("processes", [1, 3])
def test_workers_give_what_is_played_here(processes: int) -> None:
    parts = sorted(on_processes(ARENA, ARENA.shards(), processes), key=lambda part: part.shard.number)
    here = [ARENA.play(shard) for shard in ARENA.shards()]
    assert [part.shard for part in parts] == [part.shard for part in here]
    for part, other in zip(parts, here, strict=True):
        assert np.array_equal(part.summary.table, other.summary.table)
        for cost, same in zip(part.summary.costs, other.summary.costs, strict=True):
            assert (cost.decisions, cost.faults) == (same.decisions, same.faults)


def test_nothing_to_play_starts_nobody() -> None:
    assert list(on_processes(ARENA, [], 2)) == []


def test_closing_ends_workers_and_what_they_have_started_in_the_middle_of_a_round(waiting: Waiting) -> None:
    results = on_processes(waiting.arena, [DONE, STUCK], 2)
    assert next(results).shard == DONE
    started = [waiting.program(), *workers()]
    assert len(started) == 3
    assert closed(results)
    assert all(has_ended(pid) for pid in started)


def test_a_worker_that_is_killed_ends_the_run_in_a_sentence(waiting: Waiting) -> None:
    results = on_processes(waiting.arena, [DONE, STUCK], 2)
    assert next(results).shard == DONE
    program = waiting.program()
    for worker in workers():
        os.kill(worker, signal.SIGKILL)
    with pytest.raises(WorkerError, match=r"^The worker that played shard 1 \(matches 1 to 30\) died\.$"):
        next(results)
    with suppress(ProcessLookupError):
        os.kill(program, signal.SIGKILL)  # it does not look at its input, and those who would have ended it are gone


def test_what_goes_wrong_in_a_worker_is_told_in_a_sentence(capfd: pytest.CaptureFixture[str]) -> None:
    wrong = Arena(QUICK, ("rookie", "genius"), 2, bytes(32))
    with pytest.raises(
        WorkerError, match=r"^The worker that played shard 0 .* failed: BadRequest: There is no bot 'gen"
    ):
        list(on_processes(wrong, wrong.shards(), 1))
    assert "Traceback" in capfd.readouterr().err  # for whoever mends the bot


def test_nobody_is_started_after_the_end() -> None:
    pool = ProcessPool(ARENA)
    pool.end()
    with pytest.raises(WorkerError, match="has ended"):
        pool.play(DONE)
