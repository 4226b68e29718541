"""A pool of worker processes for bots (``worker``), so that the event loop never waits for one.

Questions of one ``who`` always go to the same worker, which has its memory; ``queue`` orders them.  A worker that dies,
hangs or sends garbage is replaced; its current question is asked once more, and then answered by ``default_move``.
Every question gets an answer.
"""

from __future__ import annotations

import asyncio
import logging
import os
import pickle
import zlib
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from itertools import count
from typing import ClassVar

from ...child_process import AsyncChildProcess, module_command
from ...core.notation import Move
from ..default_move import default_move
from ..logs import log_event
from .port import Question
from .queue import PendingQuestion, QuestionQueue
from .worker import ANSWER, FAILED, FORGET, PASS, READY, frame

TRIES = 2  # how often a question is asked
AHEAD = 2  # questions in flight: the current one, and the next, so that a worker is never idle
LIMIT = 3  # times the patience: what a question may take in all, queueing included
START = 30.0  # seconds until a new worker must be ready
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0  # seconds before a restart, after a worker that answered nothing
# the environment variables that a worker gets: the server's may hold secrets
ENVIRONMENT = ("FLIPDECK_CACHE", "HOME", "LANG", "LOCALAPPDATA", "PATH", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR")
ENVIRONMENT_PREFIXES = ("LC_", "LD_", "NUMBA_", "PYTHON", "XDG_")

log = logging.getLogger(__name__)


class WorkerPool:
    command: ClassVar[tuple[str, ...]] = module_command("flipdeck.server.thinkers.worker")

    def __init__(self, workers: int = 1, patience: float = 10.0) -> None:
        """``patience`` is the time limit of one question, in seconds."""
        self.patience = patience
        self.failures = 0  # questions that no bot answered with a legal move
        self._workers = [Worker(self.command, patience) for _ in range(workers)]
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def restarts(self) -> int:
        """Workers that were lost and replaced."""
        return sum(worker.lost for worker in self._workers)

    @property
    def hurried(self) -> int:
        """Questions that a plainer bot answered, as a search would have waited too long."""
        return sum(worker.queue.hurried for worker in self._workers)

    @property
    def pids(self) -> list[int]:
        """The processes that are ready."""
        return [worker.process.pid for worker in self._workers if worker.process and worker.ready.is_set()]

    async def start(self) -> None:
        """Return when all workers are ready, or the time to start is over."""
        self._tasks = [asyncio.create_task(worker.run()) for worker in self._workers]
        with suppress(TimeoutError):
            async with asyncio.timeout(START):
                for worker in self._workers:
                    await worker.ready.wait()

    async def ask(self, question: Question) -> Move | None:
        view = question.shown[-1].view
        choice = await self._choice(question) if self._tasks else FAILED
        if 0 <= choice < len(view.legal):
            return view.legal[choice]
        on_turn = view.to_act == view.you
        if choice == PASS and not on_turn:
            return None
        self.failures += 1
        return default_move(view) if on_turn else None

    async def _choice(self, question: Question) -> int:
        try:
            async with asyncio.timeout(LIMIT * self.patience):
                return await self._worker_of(question.who).ask(question)
        except TimeoutError:
            return FAILED

    def forget(self, who: str) -> None:
        self._worker_of(who).forget(who)

    async def close(self) -> None:
        """Stop all processes; open questions get the default move."""
        tasks, self._tasks = self._tasks, []
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _worker_of(self, who: str) -> Worker:
        return self._workers[zlib.crc32(who.encode()) % len(self._workers)]


class WorkerLost(Exception):  # noqa: N818  # what has happened
    """The message says how."""


class Worker:
    """One worker process after the other, and its questions."""

    def __init__(self, command: tuple[str, ...], patience: float) -> None:
        self.lost = 0
        self.ready = asyncio.Event()
        self.process: AsyncChildProcess | None = None
        self._command = command
        self._patience = patience
        self.queue = QuestionQueue()
        self._numbers = count(FORGET + 1)
        self._in_flight: deque[PendingQuestion] = deque()  # questions that it was sent, in the order of its answers
        self._watchdog: asyncio.TimerHandle | None = None
        self._was_ready = False  # the process was ready once

    # ------------------------------------------------------------ for those who ask
    async def ask(self, question: Question) -> int:
        """The index of the move in ``view.legal``, or PASS, or FAILED."""
        loop = asyncio.get_running_loop()
        pending = PendingQuestion(next(self._numbers), question, loop.time(), loop.create_future())
        self.queue.add(pending)
        self._feed()
        return await pending.answer

    def forget(self, who: str) -> None:
        if self.ready.is_set():  # a new process has nothing to forget
            self._write(FORGET, who.encode())

    # ------------------------------------------------------------ the process
    async def run(self) -> None:
        """Keep a process running until cancelled; failed starts back off."""
        pause = FIRST_PAUSE
        try:
            while True:
                answered = await self._run_once()
                self.lost += 1
                self._requeue()
                if answered:
                    pause = FIRST_PAUSE
                else:
                    await asyncio.sleep(pause)
                    pause = min(2 * pause, LONGEST_PAUSE)
        finally:
            for pending in (*self._in_flight, *self.queue):
                _resolve(pending, FAILED)
            self._in_flight.clear()
            self.queue.tidy()

    async def _run_once(self) -> int:
        """Run one process until it is lost; how many questions it answered."""
        answered, self._was_ready = 0, False
        try:
            await self._start()
            while True:
                choice = await self._read_answer()
                _resolve(self._in_flight.popleft(), choice)
                answered += 1
                self._stop_watchdog()
                self._feed()
        except (OSError, WorkerLost) as error:
            log_event(log, "bot-worker-lost", logging.WARNING, error=error)
        finally:
            await self._stop()
        return answered

    async def _start(self) -> None:
        self.process = await AsyncChildProcess.start(self._command, worker_environment(os.environ))
        async with asyncio.timeout(START):
            if await self._read() != READY:
                raise WorkerLost("its first frame was not READY")
        self.ready.set()
        self._was_ready = True
        self._feed()

    async def _read_answer(self) -> int:
        number, choice = await self._read()
        if not self._in_flight or number != self._in_flight[0].number:
            raise WorkerLost("its answer has another number than its question")
        return choice

    async def _stop(self) -> None:
        self.ready.clear()
        self._stop_watchdog()
        process, self.process = self.process, None
        if process is not None:
            await process.end()

    # ------------------------------------------------------------ its questions
    def _feed(self) -> None:
        """Keep a few questions in flight; the others wait in the queue, where tables take turns."""
        now = asyncio.get_running_loop().time()
        while self.ready.is_set() and len(self._in_flight) < AHEAD and (pending := self.queue.next(now)):
            try:
                body = pickle.dumps(pending.question, pickle.HIGHEST_PROTOCOL)
            except Exception as error:  # a fault of the server: it costs this question, not the worker
                log_event(log, "bot-failed", logging.ERROR, error=error)
                _resolve(pending, FAILED)
                continue
            self._in_flight.append(pending)
            self._write(pending.number, body)
        if self._in_flight and self._watchdog is None:
            self._start_watchdog()

    def _requeue(self) -> None:
        """Requeue what was in flight.  The first question, or all if no process ever got ready, lose one of their
        tries.
        """
        had, self._in_flight = list(self._in_flight), deque()
        for pending in had[:1] if self._was_ready else list(self.queue):
            pending.tries += 1
            if pending.tries >= TRIES:
                _resolve(pending, FAILED)
        for pending in had:
            self.queue.add_again(pending)
        self.queue.tidy()

    def _start_watchdog(self) -> None:
        """Kill the process if the first question in flight is not answered in time."""
        if self.process:
            self._watchdog = asyncio.get_running_loop().call_later(self._patience, self.process.kill)

    def _stop_watchdog(self) -> None:
        if self._watchdog:
            self._watchdog.cancel()
            self._watchdog = None

    # ------------------------------------------------------------ pipes
    def _write(self, number: int, body: bytes) -> None:
        if self.process:
            self.process.stdin.write(frame(number, body))  # if the process has died, reading will notice

    async def _read(self) -> tuple[int, int]:
        if self.process is None:
            raise WorkerLost("it is not running")
        try:
            number, choice = ANSWER.unpack(await self.process.stdout.readexactly(ANSWER.size))
        except asyncio.IncompleteReadError:
            raise WorkerLost("it exited or was killed") from None
        return number, choice


def _resolve(pending: PendingQuestion, choice: int) -> None:
    if not pending.answer.done():  # else the caller has given up
        pending.answer.set_result(choice)


def worker_environment(all_of_them: Mapping[str, str]) -> dict[str, str]:
    return {
        name: value
        for name, value in all_of_them.items()
        if name in ENVIRONMENT or name.startswith(ENVIRONMENT_PREFIXES)
    }
