"""One thread that owns a database: whatever waits is done in one transaction, and answered after its commit.

A commit waits for the disk; while it does, more jobs come, and they share the next one.  So a hundred tables cost
hardly more than one, and nobody is told that something is done before it outlives a crash.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from . import Unavailable

MOST_AT_ONCE = 512
BEFORE_COMMIT, AFTER_COMMIT = "journal:before-commit", "journal:after-commit"
JOBS_OWN_FAULT = (sqlite3.DataError, sqlite3.IntegrityError, sqlite3.InterfaceError, sqlite3.ProgrammingError)

Step = Callable[[str], None]
T = TypeVar("T")


@dataclass(slots=True, eq=False)
class Job:
    answer: asyncio.Future[Any]
    work: Callable[[sqlite3.Connection], Any]
    writes: bool
    whole: bool = False  # it does all or nothing by itself
    result: Any = None
    error: Exception | None = None


class Writer:
    """``database`` is entered, used and left in the thread; what it raises is raised by ``start``."""

    def __init__(self, database: Callable[[], AbstractContextManager[sqlite3.Connection]], step: Step) -> None:
        self._database = database
        self._step = step
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()  # None: no more will come
        self._loop = asyncio.get_running_loop()
        self._opened, self._closed = self._plain_job(), self._plain_job()
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)

    async def start(self) -> None:
        self._thread.start()
        await self._opened.answer

    async def stop(self) -> None:
        """Finish all that was asked for; nothing may be asked afterwards."""
        self._jobs.put(None)
        await self._closed.answer
        self._thread.join()  # the answer was its last act

    async def do(self, work: Callable[[sqlite3.Connection], T], *, writes: bool, whole: bool = False) -> T:
        """Who stops waiting for a write doesn't take it back.  ``whole``: the work does all or nothing by itself."""
        job = Job(self._loop.create_future(), work, writes, whole)
        self._jobs.put(job)
        result: T = await job.answer
        return result

    def _plain_job(self) -> Job:
        return Job(self._loop.create_future(), lambda _: None, writes=False)

    # in the thread, all that follows

    def _run(self) -> None:
        try:
            with self._database() as db:
                self._answer([self._opened])
                while self._serve(db):
                    pass
        except Exception as error:  # of opening: what goes wrong later is its job's
            self._opened.error = error
            self._answer([self._opened])
        self._answer([self._closed])

    def _serve(self, db: sqlite3.Connection) -> bool:
        """Do what waits, at least one job; whether more can come."""
        waiting = [self._jobs.get()]
        with suppress(Empty):
            while waiting[-1] is not None and len(waiting) < MOST_AT_ONCE:
                waiting.append(self._jobs.get_nowait())
        jobs = [job for job in waiting if job is not None]
        if writes := [job for job in jobs if job.writes]:
            self._write(db, writes)
            self._answer(writes)
        if reads := [job for job in jobs if not job.writes]:  # after the commit: what they see is there to stay
            for job in reads:
                _read(db, job)
            self._answer(reads)
        return waiting[-1] is not None

    def _write(self, db: sqlite3.Connection, jobs: Sequence[Job]) -> None:
        try:
            db.execute("BEGIN IMMEDIATE")
            for job in jobs:
                _write_one(db, job)
            self._step(BEFORE_COMMIT)
            db.execute("COMMIT")
            self._step(AFTER_COMMIT)
        except Exception as error:
            for job in jobs:
                job.error = Unavailable(f"The journal can't write: {error}.")
            with suppress(sqlite3.Error):  # of its own accord SQLite may have gone back already
                db.execute("ROLLBACK")

    def _answer(self, jobs: Sequence[Job]) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self._loop.call_soon_threadsafe(_settle, jobs)


def _write_one(db: sqlite3.Connection, job: Job) -> None:
    """What a job does wrong is undone and its own; only what goes wrong with the disk concerns the others."""
    if not job.whole:
        db.execute("SAVEPOINT job")
    try:
        job.result = job.work(db)
    except Exception as error:
        if isinstance(error, sqlite3.Error) and not isinstance(error, JOBS_OWN_FAULT):
            raise
        job.error = error
        if not job.whole:
            db.execute("ROLLBACK TO job")
    if not job.whole:
        db.execute("RELEASE job")


def _read(db: sqlite3.Connection, job: Job) -> None:
    try:
        job.result = job.work(db)
    except sqlite3.Error as error:
        job.error = Unavailable(f"The journal can't read: {error}.")
    except Exception as error:
        job.error = error


def _settle(jobs: Sequence[Job]) -> None:
    for job in jobs:
        if job.answer.done():  # cancelled by who waited for it
            continue
        if job.error is not None:
            job.answer.set_exception(job.error)
        else:
            job.answer.set_result(job.result)
