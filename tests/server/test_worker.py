"""The worker of the bots by itself: what it makes of frames, when it ends, how it loads the search."""

from __future__ import annotations

import pickle
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, cast

import pytest

from flipdeck.server.thinkers import worker
from flipdeck.server.thinkers.pool import WorkerPool
from flipdeck.server.thinkers.worker import (
    ANSWER,
    FAILED,
    FORGET,
    HEAD,
    LOAD,
    LOADED,
    LONGEST,
    NOT_LOADED,
    READY,
    frame,
)
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
@pytest.mark.parametrize(("loads", "news"), [(True, LOADED), (False, NOT_LOADED)])
def test_a_worker_that_is_told_to_load_the_search_says_how_it_went(loads: bool, news: object) -> None:
    with running_worker(ODD if loads else (*ODD, "broken-compiler")) as (words, answer, _):
        words.write(frame(LOAD, b""))
        words.flush()
        assert answer() == news


def test_plainer_bots_answer_while_the_search_is_loaded() -> None:
    """The compiler gets no word to go on before the answer is there."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        door.settimeout(HANG)
        with running_worker((*ODD, str(door.getsockname()[1]))) as (words, answer, _):
            words.write(frame(LOAD, b""))
            words.flush()
            loading, _ = door.accept()
            with loading:
                words.write(frame(7, pickle.dumps(desk().question())))
                words.flush()
                assert cast("tuple[int, int]", answer())[0] == 7
                loading.sendall(b"!")
                assert answer() == LOADED
