"""A pool of worker processes for bots (``worker``), so that the event loop never waits for one.

Questions of one ``who`` always go to the same worker, which has its memory; ``queue`` orders them.  A worker that dies,
hangs or sends garbage is replaced; its current question is asked once more, and then answered by ``default_move``.
Every question gets an answer.

The search is loaded as soon as the workers are ready: by the first one, which compiles it where that has not been done
on this machine, and then by the others, which find it in the cache.  Until a worker has it, a plainer bot answers
there, and the answer says so.
"""

from __future__ import annotations

import asyncio
import logging
import os
import pickle
import zlib
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import count
from typing import ClassVar

from ...bots.registry import needs_search
from ...child_process import AsyncChildProcess, module_command
from ...wire.parts import Substitute, SubstituteReason
from ..default_move import default_move
from ..logs import log_event
from .port import BotAnswer, Question
from .queue import PendingQuestion, QuestionQueue
from .search_status import SearchStatus
from .substitutions import Substitutions
from .worker import ANSWER, FAILED, FORGET, LOAD, LOADED, NEWS, NOT_LOADED, PASS, READY, frame

TRIES = 2  # how often a question is asked
AHEAD = 2  # questions in flight: the current one, and the next, so that a worker is never idle
LIMIT = 3  # times the patience: what a question may take in all, queueing included
LOADS = 3  # workers that may be lost while they load the search, until it counts as unavailable
START = 30.0  # seconds until a new worker must be ready
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0  # seconds before a restart, after a worker that answered nothing
# the environment variables that a worker gets: the server's may hold secrets
ENVIRONMENT = ("FLIPDECK_CACHE", "HOME", "LANG", "LOCALAPPDATA", "PATH", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR")
ENVIRONMENT_PREFIXES = ("LC_", "LD_", "NUMBA_", "PYTHON", "XDG_")

log = logging.getLogger(__name__)


class WorkerPool:
    command: ClassVar[tuple[str, ...]] = module_command("flipdeck.server.thinkers.worker")

    def __init__(self, workers: int = 1, patience: float = 10.0, search: bool = True) -> None:
        """``patience`` is the time limit of one question, in seconds.  Without ``search`` some levels can't play."""
        self.patience = patience
        self.failures = 0  # questions that no bot answered with a legal move
        self.search = SearchStatus(warming=True, wanted=search)
        self._substitutions = Substitutions()
        self._workers = [Worker(self.command, patience, self._search_news) for _ in range(workers)]
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def restarts(self) -> int:
        """Workers that were lost and replaced."""
        return sum(worker.lost for worker in self._workers)

    @property
    def substituted(self) -> Mapping[SubstituteReason, int]:
        return self._substitutions.counts

    @property
    def pids(self) -> list[int]:
        """The processes that are ready."""
        return [worker.process.pid for worker in self._workers if worker.process and worker.ready.is_set()]

    async def start(self) -> None:
        """Return when all workers are ready, or the time to start is over; the search is loaded later."""
        self.search.begin()
        self._workers[0].wants_search = self.search.state == "warming-up"
        self._tasks = [asyncio.create_task(worker.run()) for worker in self._workers]
        with suppress(TimeoutError):
            async with asyncio.timeout(START):
                for worker in self._workers:
                    await worker.ready.wait()

    async def ask(self, question: Question) -> BotAnswer:
        view = question.shown[-1].view
        on_turn = view.to_act == view.you
        choice, substitute = await self._choice(question)
        if 0 <= choice < len(view.legal):
            answer = BotAnswer(view.legal[choice], substitute)
        elif choice == PASS and not on_turn:
            answer = BotAnswer(None, substitute)
        else:
            self.failures += 1
            if substitute is None or substitute.level is not None:
                substitute = Substitute(None, "failed")
            answer = BotAnswer(default_move(view) if on_turn else None, substitute)
        if substitute is not None:
            self._substitutions.note(substitute.reason)
        return answer

    async def _choice(self, question: Question) -> tuple[int, Substitute | None]:
        """What a worker says, and who says it; FAILED by nobody, if it never got the question."""
        if not self._tasks:
            return FAILED, Substitute(None, "down")
        worker = self._worker_of(question.who)
        pending = worker.put(question, self.search.state == "unavailable")
        try:
            async with asyncio.timeout(LIMIT * self.patience):
                choice = await pending.answer
        except TimeoutError:
            choice = FAILED
        if choice == FAILED and not pending.sent:
            return FAILED, Substitute(None, "busy" if worker.ready.is_set() else "down")
        return choice, pending.substitute

    def _search_news(self, loaded: bool) -> None:
        """A worker has loaded the search, or can't.  One compiles, the others find it in the cache."""
        if not loaded:
            self.search.set_unavailable()
            return
        for worker in self._workers:
            worker.want_search()
        if all(worker.was_loaded for worker in self._workers):
            self.search.set_ready()

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

    def __init__(self, command: tuple[str, ...], patience: float, search_news: Callable[[bool], None]) -> None:
        """``search_news`` hears that this worker has loaded the search, or that it can't."""
        self.lost = 0
        self.wants_search = False  # it shall be loaded
        self.was_loaded = False  # … and a process has done so
        self._loaded = False  # the present process has it
        self._loads_lost = 0  # processes that were lost while they loaded it
        self._search_news = search_news
        self.ready = asyncio.Event()
        self.process: AsyncChildProcess | None = None
        self._command = command
        self._patience = patience
        self.queue = QuestionQueue()
        self._numbers = count(max(FORGET, LOAD) + 1)
        self._in_flight: deque[PendingQuestion] = deque()  # questions that it was sent, in the order of its answers
        self._watchdog: asyncio.TimerHandle | None = None
        self._was_ready = False  # the process was ready once

    # ------------------------------------------------------------ for those who ask
    def put(self, question: Question, unavailable: bool = False) -> PendingQuestion:
        """Its ``answer`` will be the index of the move in ``view.legal``, or PASS, or FAILED."""
        loop = asyncio.get_running_loop()
        pending = PendingQuestion(next(self._numbers), question, loop.time(), loop.create_future())
        if unavailable and needs_search(question.level):
            pending.leave_to_another("unavailable")
        self.queue.add(pending)
        self._feed()
        return pending

    def want_search(self) -> None:
        """Load it, now or as soon as the process is ready."""
        if not self.wants_search:
            self.wants_search = True
            if self.ready.is_set():
                self._write(LOAD, b"")

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
                self._note_lost_load()
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
        answered, self._was_ready, self._loaded = 0, False, False
        try:
            await self._start()
            while True:
                number, choice = await self._read()
                if number == NEWS:
                    self._hear_news((number, choice))
                    continue
                self._answer(number, choice)
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
        if self.wants_search:
            self._write(LOAD, b"")
        self._feed()

    def _answer(self, number: int, choice: int) -> None:
        if not self._in_flight or number != self._in_flight[0].number:
            raise WorkerLost("its answer has another number than its question")
        _resolve(self._in_flight.popleft(), choice)

    def _hear_news(self, news: tuple[int, int]) -> None:
        if news not in (LOADED, NOT_LOADED):
            raise WorkerLost("it has news that nobody knows")
        self.wants_search = self._loaded = news == LOADED
        self.was_loaded = self.was_loaded or self._loaded
        self._search_news(self._loaded)

    async def _stop(self) -> None:
        self.ready.clear()
        self._stop_watchdog()
        process, self.process = self.process, None
        if process is not None:
            await process.end()

    def _note_lost_load(self) -> None:
        """The compiler may have ended the process, with more memory than there is: it is not tried for ever."""
        if self.wants_search and self._was_ready and not self._loaded:
            self._loads_lost += 1
            if self._loads_lost >= LOADS:
                self.wants_search = False
                self._search_news(False)

    # ------------------------------------------------------------ its questions
    def _feed(self) -> None:
        """Keep a few questions in flight; the others wait in the queue, where tables take turns."""
        now = asyncio.get_running_loop().time()
        while self.ready.is_set() and len(self._in_flight) < AHEAD and (pending := self.queue.next(now)):
            if not self._loaded and needs_search(pending.question.level):
                pending.leave_to_another("warming-up")
            try:
                body = pickle.dumps(pending.question, pickle.HIGHEST_PROTOCOL)
            except Exception as error:  # a fault of the server: it costs this question, not the worker
                log_event(log, "bot-failed", logging.ERROR, error=error)
                _resolve(pending, FAILED)
                continue
            pending.sent = True
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
