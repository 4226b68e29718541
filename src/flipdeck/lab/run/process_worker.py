"""A worker of the process pool: it receives the run, then shard after shard, and answers each with its result or with
a sentence about the failure.  It exits when its input ends, even in the middle of a shard.
"""

from __future__ import annotations

import pickle
import signal
import threading
import traceback
from contextlib import suppress
from queue import SimpleQueue
from types import FrameType
from typing import IO, Any

from ...child_process import parent_pipes, pickle_sender
from .shards import Part, Shard, ShardPlayer, play_shard


def main() -> None:
    requests, answers = parent_pipes()
    send = pickle_sender(answers)
    signal.signal(signal.SIGTERM, leave)
    with suppress(EOFError, BrokenPipeError):  # the parent is gone
        work: ShardPlayer[Any] = pickle.load(requests)  # noqa: S301  # from the process that started us
        inbox: SimpleQueue[Shard] = SimpleQueue()
        threading.Thread(target=listen, args=(requests, inbox), daemon=True).start()
        while True:
            send(try_shard(work, inbox.get()))


def try_shard(work: ShardPlayer[Any], shard: Shard) -> Part[Any] | str:
    try:
        return play_shard(work, shard)
    except Exception as error:
        traceback.print_exc()  # for the author of the bot; the parent gets a sentence
        return f"{type(error).__name__}: {error}"


def leave(number: int, frame: FrameType | None) -> None:
    """Exit by an exception, once, so that bots are closed on the way out."""
    del frame
    signal.signal(number, signal.SIG_IGN)
    raise SystemExit


def listen(requests: IO[bytes], inbox: SimpleQueue[Shard]) -> None:
    with suppress(EOFError, pickle.UnpicklingError):
        while True:
            inbox.put(pickle.load(requests))  # noqa: S301
    ident = threading.main_thread().ident
    if ident is not None:
        signal.pthread_kill(ident, signal.SIGTERM)  # interrupts a blocking wait of the main thread, too


if __name__ == "__main__":
    main()
