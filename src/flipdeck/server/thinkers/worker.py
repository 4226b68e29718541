"""The worker process of bots: ``python -m flipdeck.server.thinkers.worker``, started by a ``WorkerPool``.

Frames on standard input are a length, a number and a pickled ``Question``; number 0 is a ``who`` to forget.  Answers on
standard output come in the order of the questions: the number, and the index of the move in ``view.legal``, so that
only legal moves can be expressed and the server unpickles nothing.  The process exits as soon as its input ends.
"""

from __future__ import annotations

import logging
import os
import pickle
import random
import secrets
import signal
import struct
import threading
from queue import SimpleQueue
from typing import IO

from ...bots.registry import INSTEAD, load_search, searches
from ...child_process import parent_pipes
from ..logs import log_event, set_up
from .memories import Memories
from .port import Question

HEAD = struct.Struct(">IQ")  # length, number
ANSWER = struct.Struct(">Qi")  # number of the question, index of the move
FORGET = 0  # number of a frame that is no question
READY = (0, 0)  # the first answer: questions may come
PASS, FAILED = -1, -2  # instead of an index
LONGEST = 1 << 24  # bytes, far beyond any question

Frame = tuple[int, bytes]

log = logging.getLogger("flipdeck.bots")


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which stops its workers
    words, answers = parent_pipes()
    set_up(logging.WARNING, json=True)
    inbox: SimpleQueue[Frame] = SimpleQueue()
    threading.Thread(target=listen, args=(words, inbox), daemon=True).start()
    memories = Memories(lambda who: random.Random(secrets.randbits(128)), SearchLoader().level_now)  # noqa: ARG005, S311

    def send(number: int, choice: int) -> None:
        answers.write(ANSWER.pack(number, choice))
        answers.flush()

    try:
        send(*READY)
        while True:
            number, body = inbox.get()
            if number == FORGET:
                memories.forget(body.decode())
            else:
                send(number, think(memories, body))
    except BrokenPipeError:
        os._exit(0)  # the server is gone


def listen(words: IO[bytes], inbox: SimpleQueue[Frame]) -> None:
    """Read frames in a thread, so that the end of input is noticed even while a bot thinks."""
    while len(head := words.read(HEAD.size)) == HEAD.size:
        length, number = HEAD.unpack(head)
        if length > LONGEST or len(body := words.read(length)) < length:
            break
        inbox.put((number, body))
    os._exit(0)


def think(memories: Memories, body: bytes) -> int:
    """The index of the bot's move.  Any failure concerns this question only."""
    try:
        question = pickle.loads(body)  # noqa: S301  # from the server that started us
        if not isinstance(question, Question):
            raise TypeError(f"{type(question).__name__} is no question")
        move = memories.answer(question)
        return PASS if move is None else question.shown[-1].view.legal.index(move)
    except Exception as error:
        log_event(log, "bot-failed", logging.ERROR, error=error)
        return FAILED


class SearchLoader:
    """Loads the search in the background; until it is compiled, a plainer bot answers, so that nobody waits."""

    def __init__(self) -> None:
        self._loading: threading.Thread | None = None
        self._loaded = False

    def level_now(self, level: str) -> str:
        if self._loaded or not searches(level):
            return level
        if self._loading is None:
            self._loading = threading.Thread(target=self._load, daemon=True)
            self._loading.start()
        return INSTEAD

    def _load(self) -> None:
        load_search()
        self._loaded = True


def frame(number: int, body: bytes) -> bytes:
    """A frame as the pool writes it."""
    return HEAD.pack(len(body), number) + body


if __name__ == "__main__":
    main()
