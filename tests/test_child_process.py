"""A child process answers until its input is closed, exits by itself, and is killed where it does not."""

from __future__ import annotations

import os

import pytest

from flipdeck.bulk.batches import Setting
from flipdeck.child_process import ChildProcess, PickleProcess
from flipdeck.lab.experiments import MatchJob
from flipdeck.lab.run import process_worker
from flipdeck.lab.run.shards import Part
from tests.lab.process_tree import below, has_ended

JOB = MatchJob(Setting("classic", 2, {"scoring": "quick"}), bytes(32), 2)


def test_it_answers_what_it_is_asked_and_exits_when_its_input_is_closed() -> None:
    child = PickleProcess(process_worker.__name__)
    child.send(JOB, JOB.shards()[0])
    answer = child.receive()
    assert isinstance(answer, Part)
    assert answer.summary == JOB.play(JOB.shards()[0]).summary
    child.close_input()
    assert child.receive() is None
    child.close()
    assert not below(os.getpid(), "process_worker")


def test_one_that_was_killed_is_found_dead_and_can_still_be_sent_to() -> None:
    child = PickleProcess(process_worker.__name__)
    child.kill()
    assert child.receive() is None
    child.send(JOB)
    child.close()


def test_one_that_does_not_exit_is_killed_with_all_that_it_started() -> None:
    child = ChildProcess(["sh", "-c", "sleep 600 & echo $!; wait"])  # nobody looks at the input
    other = int(child.stdout.readline())
    child.end(0.01)
    assert not below(os.getpid(), "sleep 600")
    assert has_ended(other)
    child.end()  # twice is no harm
    child.kill()


def test_one_that_nobody_ends_is_ended_when_it_is_forgotten() -> None:
    child = ChildProcess(["sleep", "600"])
    pid = child.pid
    del child
    assert has_ended(pid)


def test_one_without_a_pipe_says_so() -> None:
    child = ChildProcess(["cat"])
    with pytest.raises(ValueError, match="without that pipe"):
        _ = child.stderr
    child.end()
