"""A worker process of a ``crew``: it is given what is played, then shard after shard, and tells the part that each
gave, or a sentence about what went wrong.  It ends when its input does, in the middle of a shard too.
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

from .child_process import at_work
from .shards import Part, Shard, ShardPlayer, play_shard


def main() -> None:
    words, tell = at_work()
    signal.signal(signal.SIGTERM, leave)
    with suppress(EOFError, BrokenPipeError):  # nobody wants to know any more
        work: ShardPlayer[Any] = pickle.load(words)  # noqa: S301  # from the process that started us
        inbox: SimpleQueue[Shard] = SimpleQueue()
        threading.Thread(target=listen, args=(words, inbox), daemon=True).start()
        while True:
            tell(played(work, inbox.get()))


def played(work: ShardPlayer[Any], shard: Shard) -> Part[Any] | str:
    try:
        return play_shard(work, shard)
    except Exception as error:
        traceback.print_exc()  # for whoever mends it; those who asked get a sentence
        return f"{type(error).__name__}: {error}"


def leave(number: int, frame: FrameType | None) -> None:
    """As an exception, so that players are asked to leave, too; once is enough."""
    del frame
    signal.signal(number, signal.SIG_IGN)
    raise SystemExit


def listen(words: IO[bytes], inbox: SimpleQueue[Shard]) -> None:
    with suppress(EOFError, pickle.UnpicklingError):
        while True:
            inbox.put(pickle.load(words))  # noqa: S301
    ident = threading.main_thread().ident
    if ident is not None:
        signal.pthread_kill(ident, signal.SIGTERM)  # it ends a wait of the main thread as well


if __name__ == "__main__":
    main()
