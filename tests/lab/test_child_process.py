"""A child process answers until its input is closed, exits by itself, and is killed where it does not."""

from __future__ import annotations

import os

import pytest

from flipdeck.bulk.batches import Setting
from flipdeck.lab.experiments import MatchJob
from flipdeck.lab.run import child_process, process_worker
from flipdeck.lab.run.child_process import ChildProcess
from flipdeck.lab.run.shards import Part

from .process_tree import below

JOB = MatchJob(Setting("classic", 2, {"scoring": "quick"}), bytes(32), 2)


def test_it_answers_what_it_is_asked_and_exits_when_its_input_is_closed() -> None:
    child = ChildProcess(process_worker.__name__)
    child.send(JOB, JOB.shards()[0])
    answer = child.receive()
    assert isinstance(answer, Part)
    assert answer.summary == JOB.play(JOB.shards()[0]).summary
    child.close_input()
    assert child.receive() is None
    child.wait_or_kill()
    child.close_output()
    assert not below(os.getpid(), "process_worker")


def test_one_that_was_killed_is_found_dead_and_can_still_be_sent_to() -> None:
    child = ChildProcess(process_worker.__name__)
    child.kill()
    assert child.receive() is None
    child.send(JOB)
    child.close_input()
    child.wait_or_kill()
    child.close_output()


def test_one_that_does_not_exit_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child_process, "CLOSE_SECONDS", 0.01)
    child = ChildProcess(process_worker.__name__)  # its input stays open: it waits for ever
    child.wait_or_kill()
    assert child.receive() is None
    child.close_input()
    child.close_output()
    assert not below(os.getpid(), "process_worker")
