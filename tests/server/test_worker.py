"""The worker of the bots by itself: what it makes of frames, when it ends, who plays while the search is loaded."""

from __future__ import annotations

import pickle
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO

import pytest

from flipdeck.server.thinkers import worker
from flipdeck.server.thinkers.pool import WorkerPool
from flipdeck.server.thinkers.worker import ANSWER, FAILED, FORGET, HEAD, LONGEST, READY, SearchLoader, frame
from tests.patience import HANG
from tests.server.asking import ODD, desk


@contextmanager
def running_worker(
    command: tuple[str, ...] = WorkerPool.command,
) -> Iterator[tuple[IO[bytes], Callable[[], object], subprocess.Popen[bytes]]]:
    """Where to write, how to read an answer, the process."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        out = process.stdout
        try:
            assert ANSWER.unpack(out.read(ANSWER.size)) == READY
            yield process.stdin, lambda: ANSWER.unpack(out.read(ANSWER.size)), process
        finally:
            process.kill()


def test_a_frame_of_garbage_is_a_failure_of_that_question_alone() -> None:
    with running_worker() as (words, answer, _):
        words.write(frame(5, b"\x80garbage") + frame(6, pickle.dumps({"not": "a question"})) + frame(FORGET, b"nobody"))
        words.write(frame(7, pickle.dumps(desk().question((desk().on_turn + 1) % 3))))
        words.flush()
        assert [answer(), answer(), answer()] == [(5, FAILED), (6, FAILED), (7, worker.PASS)]


@pytest.mark.parametrize("data", [HEAD.pack(LONGEST + 1, 1), HEAD.pack(100, 1) + b"cut off", b"\x00"])
def test_a_worker_ends_with_its_input_or_where_the_frames_end(data: bytes) -> None:
    with running_worker() as (words, _, process):
        words.write(data)
        words.close()
        assert process.wait(HANG) == 0


def test_a_worker_ends_with_its_input_in_the_middle_of_a_thought() -> None:
    with running_worker(ODD) as (words, _, process):
        words.write(frame(1, pickle.dumps(desk(level="endless").question())))
        words.close()
        assert process.wait(HANG) == 0


# ---------------------------------------------------------------- who has to be compiled
def test_somebody_else_plays_while_the_search_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    loading, loaded = threading.Event(), threading.Event()

    def load() -> None:
        loading.set()
        assert loaded.wait(HANG)

    monkeypatch.setattr(worker, "load_search", load)
    stand_ins = SearchLoader()
    assert [stand_ins.level_now(level) for level in ("rookie", "net", "nobody")] == ["rookie", "net", "nobody"]
    assert not loading.is_set(), "nobody has asked for it"
    assert [stand_ins.level_now(level) for level in ("sharp", "master", "master:5ms")] == ["regular"] * 3
    assert loading.wait(HANG)
    loaded.set()
    thread = stand_ins._loading
    assert thread
    thread.join(HANG)
    assert not thread.is_alive()
    assert stand_ins.level_now("master:5ms") == "master:5ms"
