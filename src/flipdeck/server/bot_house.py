"""Bots that think in processes of their own (``bot_worker``), so that the event loop never waits for one.

A ``who`` always goes to the same worker, where its memory is.  A worker that dies, hangs or talks nonsense is replaced;
what it was asked is asked once more, and then answered here by ``in_need``.  An answer always comes.
"""

from __future__ import annotations

import asyncio
import logging
import os
import pickle
import sys
import zlib
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from typing import ClassVar

from ..core.notation import Move
from .bot_worker import ANSWER, FAILED, FORGET, PASS, READY, frame
from .logs import log_event
from .needs import in_need
from .thinking import Question

TRIES = 2  # how often a question is asked
LIMIT = 3  # times the patience: what a question may take where the worker is well, but has too much to do
START = 30.0  # seconds that a worker may take to be ready
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0  # seconds before another start, after a worker that answered nothing at all
# all that a worker is told of its surroundings: a server's may hold secrets
SURROUNDINGS = ("FLIPDECK_CACHE", "HOME", "LANG", "LOCALAPPDATA", "PATH", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR")
KINDS_OF_SURROUNDINGS = ("LC_", "LD_", "NUMBA_", "PYTHON", "XDG_")

log = logging.getLogger(__name__)


class BotHouse:
    command: ClassVar[tuple[str, ...]] = (sys.executable, "-P", "-m", "flipdeck.server.bot_worker")

    def __init__(self, workers: int = 1, patience: float = 10.0) -> None:
        """``patience`` is how many seconds a worker may think about one question."""
        self.patience = patience
        self.failures = 0  # questions that no bot answered, or not with a legal move
        self._workers = [Worker(self.command, patience) for _ in range(workers)]
        self._lives: list[asyncio.Task[None]] = []

    @property
    def restarts(self) -> int:
        """Workers that were lost and replaced."""
        return sum(worker.lost for worker in self._workers)

    @property
    def pids(self) -> list[int]:
        """The processes that are at work."""
        return [worker.process.pid for worker in self._workers if worker.process and worker.ready.is_set()]

    async def start(self) -> None:
        """Returns when all workers are ready, or had time enough to be."""
        self._lives = [asyncio.create_task(worker.live()) for worker in self._workers]
        with suppress(TimeoutError):
            async with asyncio.timeout(START):
                for worker in self._workers:
                    await worker.ready.wait()

    async def ask(self, question: Question) -> Move | None:
        view = question.shown[-1].view
        choice = await self._choice(question) if self._lives else FAILED
        if 0 <= choice < len(view.legal):
            return view.legal[choice]
        on_turn = view.to_act == view.you
        if choice == PASS and not on_turn:
            return None
        self.failures += 1
        return in_need(view) if on_turn else None

    async def _choice(self, question: Question) -> int:
        try:
            async with asyncio.timeout(LIMIT * self.patience):
                return await self._worker_of(question.who).ask(question)
        except TimeoutError:
            return FAILED

    def forget(self, who: str) -> None:
        self._worker_of(who).forget(who)

    async def close(self) -> None:
        """No process is left; who still waits for an answer gets one in need."""
        lives, self._lives = self._lives, []
        for life in lives:
            life.cancel()
        await asyncio.gather(*lives, return_exceptions=True)

    def _worker_of(self, who: str) -> Worker:
        return self._workers[zlib.crc32(who.encode()) % len(self._workers)]


@dataclass(slots=True)
class Asked:
    body: bytes
    answer: asyncio.Future[int]
    tries: int = 0  # workers that were lost over it


class WorkerLost(Exception):  # noqa: N818  # what has happened
    """The message says how."""


class Worker:
    """One process at a time, and what it was asked."""

    def __init__(self, command: tuple[str, ...], patience: float) -> None:
        self.lost = 0
        self.ready = asyncio.Event()
        self.process: Process | None = None
        self._command = command
        self._patience = patience
        self._numbers = count(FORGET + 1)
        self._open: dict[int, Asked] = {}  # in the order of their numbers, in which they are answered
        self._watch: asyncio.TimerHandle | None = None

    # ------------------------------------------------------------ for those who ask
    async def ask(self, question: Question) -> int:
        """The place of the move among what is legal, or PASS, or FAILED."""
        answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        number, body = next(self._numbers), pickle.dumps(question, pickle.HIGHEST_PROTOCOL)
        self._open[number] = Asked(body, answer)
        if self.ready.is_set():
            self._write(number, body)
            if self._watch is None:
                self._watch_on()
        return await answer

    def forget(self, who: str) -> None:
        if self.ready.is_set():  # a new one has nothing to forget
            self._write(FORGET, who.encode())

    # ------------------------------------------------------------ its life
    async def live(self) -> None:
        """One process after the other, until it is cancelled."""
        pause = FIRST_PAUSE
        try:
            while True:
                answered = await self._live_once()
                self.lost += 1
                self._give_up()
                if answered:
                    pause = FIRST_PAUSE
                else:
                    await asyncio.sleep(pause)
                    pause = min(2 * pause, LONGEST_PAUSE)
        finally:
            for number in list(self._open):
                self._close(number, FAILED)

    async def _live_once(self) -> int:
        """How many questions were answered before the process was lost."""
        answered = 0
        try:
            await self._start()
            while True:
                self._close(*await self._hear())
                self._watch_on()
                answered += 1
        except (OSError, WorkerLost) as error:
            log_event(log, "bot-worker-lost", logging.WARNING, error=error)
        finally:
            await self._end()
        return answered

    async def _start(self) -> None:
        self.process = await asyncio.create_subprocess_exec(
            *self._command, stdin=PIPE, stdout=PIPE, start_new_session=True, env=surroundings(os.environ)
        )
        async with asyncio.timeout(START):
            if await self._read() != READY:
                raise WorkerLost("it does not begin as it should")
        self.ready.set()
        for number, asked in self._open.items():
            self._write(number, asked.body)
        self._watch_on()

    async def _hear(self) -> tuple[int, int]:
        number, choice = await self._read()
        if number != next(iter(self._open), None):
            raise WorkerLost("it answers what it was not asked")
        return number, choice

    async def _end(self) -> None:
        self.ready.clear()
        self._watch_off()
        process, self.process = self.process, None
        if process is None or process.stdin is None or process.stdout is None:
            return
        _kill(process)
        process.stdin.close()
        await process.stdout.read()  # what it said last, or its end is not seen
        await process.wait()

    # ------------------------------------------------------------ what is open
    def _close(self, number: int, choice: int) -> None:
        answer = self._open.pop(number).answer
        if not answer.done():  # else nobody waits for it any more
            answer.set_result(choice)

    def _give_up(self) -> None:
        """What was asked often enough, and what nobody waits for."""
        for number, asked in list(self._open.items()):
            asked.tries += 1
            if asked.tries >= TRIES or asked.answer.done():
                self._close(number, FAILED)

    def _watch_on(self) -> None:
        """From now on it has time to answer what is the first in the row."""
        self._watch_off()
        if self._open and self.process:
            self._watch = asyncio.get_running_loop().call_later(self._patience, _kill, self.process)

    def _watch_off(self) -> None:
        if self._watch:
            self._watch.cancel()
            self._watch = None

    # ------------------------------------------------------------ the pipes
    def _write(self, number: int, body: bytes) -> None:
        if self.process and self.process.stdin:
            self.process.stdin.write(frame(number, body))  # if it has died, reading finds that out

    async def _read(self) -> tuple[int, int]:
        if self.process is None or self.process.stdout is None:
            raise WorkerLost("it has no pipes")
        try:
            number, choice = ANSWER.unpack(await self.process.stdout.readexactly(ANSWER.size))
        except asyncio.IncompleteReadError:
            raise WorkerLost("it ended, or had to be ended") from None
        return number, choice


def _kill(process: Process) -> None:
    with suppress(ProcessLookupError):
        process.kill()


def surroundings(all_of_them: Mapping[str, str]) -> dict[str, str]:
    return {
        name: value
        for name, value in all_of_them.items()
        if name in SURROUNDINGS or name.startswith(KINDS_OF_SURROUNDINGS)
    }
