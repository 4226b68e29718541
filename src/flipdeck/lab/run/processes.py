"""A pool of worker processes, for what interpreted Python plays: threads would wait for the interpreter lock.

One thread of the parent waits for each worker.  A worker that dies ends the run: the shard it played may be the cause,
and would kill the next worker too.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from queue import Empty, SimpleQueue
from typing import Generic

from ...child_process import PickleProcess
from . import process_worker
from .execution import on_threads
from .shards import Part, RunError, S, Shard, ShardPlayer


class WorkerError(RunError):
    """A worker failed; the message is one sentence."""

    began = True


def on_processes(work: ShardPlayer[S], shards: Sequence[Shard], processes: int) -> Iterator[Part[S]]:
    """Results as they come.  Closing the iterator stops the shards under way and ends the workers."""
    pool = ProcessPool(work)
    return on_threads(pool, shards, min(processes, len(shards)) or 1, pool.end)


class ProcessPool(Generic[S]):
    """Plays a shard on an idle worker; workers are started on demand."""

    def __init__(self, work: ShardPlayer[S]) -> None:
        self._work = work
        self._workers: list[PickleProcess] = []
        self._idle: SimpleQueue[PickleProcess] = SimpleQueue()
        self._starting = threading.Lock()
        self._ended = False

    def play(self, shard: Shard) -> Part[S]:
        try:
            worker = self._idle.get_nowait()
        except Empty:
            worker = self._start()
        worker.send(shard)
        answer = worker.receive()
        if answer is None:
            raise WorkerError(f"The worker that played {shard.name} died.")
        if isinstance(answer, str):
            raise WorkerError(f"The worker that played {shard.name} failed: {answer}")
        self._idle.put(worker)
        part: Part[S] = answer
        return part

    def _start(self) -> PickleProcess:
        with self._starting:
            if self._ended:
                raise WorkerError("The run has ended.")
            worker = PickleProcess(process_worker.__name__)
            self._workers.append(worker)
        worker.send(self._work)
        return worker

    def end(self) -> None:
        """Ask all workers to exit, wait for each, and kill those that stay."""
        with self._starting:
            self._ended = True
        for step in (PickleProcess.close_input, PickleProcess.close):
            for worker in self._workers:
                step(worker)
