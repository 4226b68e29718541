"""A run on worker processes: for what is played by interpreted Python, of which threads can't do two things at a time.

A thread of ours waits for each worker.  A worker that dies ends the run: what it played may be at fault, and would be
again.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from queue import Empty, SimpleQueue
from typing import Generic

from . import process_worker
from .child_process import ChildProcess
from .shards import Part, RunError, S, Shard, ShardPlayer, on_threads


class WorkerError(RunError):
    """A worker failed; the message says so in a sentence."""

    began = True


def on_processes(work: ShardPlayer[S], shards: Sequence[Shard], processes: int) -> Iterator[Part[S]]:
    """Results as they come.  Closing the iterator ends what is under way, and the workers."""
    crew = ProcessPool(work)
    return on_threads(crew, shards, min(processes, len(shards)) or 1, crew.end)


class ProcessPool(Generic[S]):
    """Plays a shard on a worker that is free; workers are started when they are needed."""

    def __init__(self, work: ShardPlayer[S]) -> None:
        self._work = work
        self._workers: list[ChildProcess] = []
        self._free: SimpleQueue[ChildProcess] = SimpleQueue()
        self._starting = threading.Lock()
        self._ended = False

    def play(self, shard: Shard) -> Part[S]:
        try:
            worker = self._free.get_nowait()
        except Empty:
            worker = self._start()
        worker.give(shard)
        told = worker.told()
        if told is None:
            raise WorkerError(f"The worker that played {shard.name} died.")
        if isinstance(told, str):
            raise WorkerError(f"The worker that played {shard.name} failed: {told}")
        self._free.put(worker)
        part: Part[S] = told
        return part

    def _start(self) -> ChildProcess:
        with self._starting:
            if self._ended:
                raise WorkerError("The run has ended.")
            worker = ChildProcess(process_worker.__name__)
            self._workers.append(worker)
        worker.give(self._work)
        return worker

    def end(self) -> None:
        """All at a time are asked to leave; who does not is ended."""
        with self._starting:
            self._ended = True
        for leave in (ChildProcess.dismiss, ChildProcess.see_off, ChildProcess.stop_listening):
            for worker in self._workers:
                leave(worker)
