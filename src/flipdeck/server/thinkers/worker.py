"""The worker process of bots: ``python -m flipdeck.server.thinkers.worker``, started by a ``WorkerPool``.

Frames on standard input are a length, a number and a pickled ``Question``; number 0 is a ``who`` to forget, number 1
the order to load the search.  Answers on standard output come in the order of the questions: the number, and the index
of the move in ``view.legal``, so that only legal moves can be expressed and the server unpickles nothing.  Number 0 is
news of the worker itself: it is ready, it has loaded the search, or it can't.  The process exits as soon as its input
ends.
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
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from typing import IO

from ...bots.registry import load_search
from ...child_process import parent_pipes
from ..logs import log_event, set_up
from .memories import Memories
from .port import Question

HEAD = struct.Struct(">IQ")  # length, number
ANSWER = struct.Struct(">Qi")  # number of the question, index of the move
FORGET, LOAD = 0, 1  # numbers of frames that are no questions
NEWS = 0  # number of an answer that is about the worker
READY, LOADED, NOT_LOADED = (NEWS, 0), (NEWS, 1), (NEWS, 2)  # the first answer is READY: questions may come
PASS, FAILED = -1, -2  # instead of an index
LONGEST = 1 << 24  # bytes, far beyond any question
NICENESS = 10  # of the compiler: whoever plays goes first

Frame = tuple[int, bytes]

log = logging.getLogger("flipdeck.bots")


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which stops its workers
    words, answers = parent_pipes()
    set_up(logging.WARNING, json=True)
    inbox: SimpleQueue[Frame] = SimpleQueue()
    threading.Thread(target=listen, args=(words, inbox), daemon=True).start()
    memories = Memories(lambda who: random.Random(secrets.randbits(128)))  # noqa: ARG005, S311
    sending = threading.Lock()

    def send(number: int, choice: int) -> None:
        with sending:
            answers.write(ANSWER.pack(number, choice))
            answers.flush()

    try:
        send(*READY)
        while True:
            number, body = inbox.get()
            if number == FORGET:
                memories.forget(body.decode())
            elif number == LOAD:
                threading.Thread(target=load, args=(send,), daemon=True).start()
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


def load(send: Callable[[int, int], None]) -> None:
    """Load the search in a thread of low priority, while plainer bots answer, and say how it went."""
    with suppress(AttributeError, OSError):  # other systems than Linux don't set the priority of one thread
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
    try:
        load_search()
    except Exception as error:
        log_event(log, "search-failed", logging.ERROR, error=error)
        news = NOT_LOADED
    else:
        news = LOADED
    with suppress(BrokenPipeError):  # the server is gone; the end of the input ends the process
        send(*news)


def frame(number: int, body: bytes) -> bytes:
    """A frame as the pool writes it."""
    return HEAD.pack(len(body), number) + body


if __name__ == "__main__":
    main()
