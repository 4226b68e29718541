"""A process in which bots think: ``python -m flipdeck.server.thinkers.worker``, started by a ``WorkerPool``.

Frames come in at standard input: a length, a number, a pickled ``Question``; number 0 brings a ``who`` to forget.
Answers go out in the order of the questions: the number, and the place of the move among what is legal, so that nothing
but a legal move can be said and the house need not unpickle anything.  It ends when its input does, at once.
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
from ..logs import log_event, set_up
from .memories import Memories
from .port import Question

HEAD = struct.Struct(">IQ")  # how long it is, its number
ANSWER = struct.Struct(">Qi")  # the number of the question, the place of the move
FORGET = 0  # the number of what is no question
READY = (0, 0)  # the first answer: questions may come
PASS, FAILED = -1, -2  # instead of a place
LONGEST = 1 << 24  # no question comes near

Frame = tuple[int, bytes]

log = logging.getLogger("flipdeck.bots")


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # that one is for the server, who ends us in good order
    words, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # what a bot prints is no answer
    set_up(logging.WARNING, json=True)
    inbox: SimpleQueue[Frame] = SimpleQueue()
    threading.Thread(target=listen, args=(words, inbox), daemon=True).start()
    memories = Memories(lambda who: random.Random(secrets.randbits(128)), SearchLoader().level_now)  # noqa: ARG005, S311
    try:
        answers.write(ANSWER.pack(*READY))
        while True:
            number, body = inbox.get()
            if number == FORGET:
                memories.forget(body.decode())
            else:
                answers.write(ANSWER.pack(number, thought(memories, body)))
    except BrokenPipeError:
        os._exit(0)  # nobody wants to know any more


def listen(words: IO[bytes], inbox: SimpleQueue[Frame]) -> None:
    """In a thread of its own, so that the end is heard even if a bot never comes to one."""
    while len(head := words.read(HEAD.size)) == HEAD.size:
        length, number = HEAD.unpack(head)
        if length > LONGEST or len(body := words.read(length)) < length:
            break
        inbox.put((number, body))
    os._exit(0)


def thought(memories: Memories, body: bytes) -> int:
    """The place of the bot's move.  Whatever goes wrong is the matter of this question alone."""
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
    """Nobody waits for a compiler: while the search is loaded or compiled, somebody else plays for those who use it."""

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
    """As it is written by who asks."""
    return HEAD.pack(len(body), number) + body


if __name__ == "__main__":
    main()
