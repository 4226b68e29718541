"""Storage that fails: commits that raise, logs that are torn, bits that flip.  Whatever was acknowledged is there, or
its loss is reported; nothing is ever silently other than it was written.

A process that writes is killed, and then harm is done to copies of what it has left: as much as a disk that loses power
or rots would do, and more.
"""

from __future__ import annotations

import asyncio
import random
import shutil
import signal
import sqlite3
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from flipdeck.server.journal import Damaged, Unavailable
from flipdeck.server.journal.database_file import database
from flipdeck.server.journal.high_water import mark_file
from flipdeck.server.journal.sqlite import SqliteJournal
from tests.bots.seats import THOROUGH
from tests.server import dying

from .damaging import flip_random_bit
from .journals import claim
from .sqlite_files import kept, path, run
from .test_sqlite import run_dying, told

__all__ = ["path"]
TRIALS = 400 if THOROUGH else 12  # of each harm
ROUNDS = 400 if THOROUGH else 60
posix = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")


def log_of(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


# ---------------------------------------------------------------- after a kill
def tear_the_log(path: Path, dice: random.Random) -> None:
    """A write that came to its middle, or less."""
    data = log_of(path).read_bytes()
    log_of(path).write_bytes(data[: dice.randrange(len(data))])


def tear_the_end_of_the_log(path: Path, dice: random.Random) -> None:
    """The last write did: of its last page some sectors are old."""
    data = log_of(path).read_bytes()
    log_of(path).write_bytes(data[: -dice.randrange(1, 4120)])


def lose_a_sector_of_the_log(path: Path, dice: random.Random) -> None:
    lose_a_sector(log_of(path), dice)


def lose_a_sector_of_the_database(path: Path, dice: random.Random) -> None:
    lose_a_sector(path, dice)


def lose_a_sector(file: Path, dice: random.Random) -> None:
    data = bytearray(file.read_bytes())
    at = dice.randrange(len(data) // 512) * 512
    data[at : at + 512] = bytes(512)
    file.write_bytes(data)


def flip_in_the_log(path: Path, dice: random.Random) -> None:
    flip_random_bit(log_of(path), dice)


def flip_in_the_database(path: Path, dice: random.Random) -> None:
    flip_random_bit(path, dice)


def flip_in_the_mark(path: Path, dice: random.Random) -> None:
    flip_random_bit(mark_file(path), dice)


HARMS = (
    tear_the_log,
    tear_the_end_of_the_log,
    lose_a_sector_of_the_log,
    lose_a_sector_of_the_database,
    flip_in_the_log,
    flip_in_the_database,
    flip_in_the_mark,
)
StorageHarm = Callable[[Path, random.Random], None]


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, int]]:
    """A folder that killed servers have left, and the last entry of each table that they acknowledged."""
    path = tmp_path_factory.mktemp("killed") / "tables.sqlite3"
    assured = dict.fromkeys(dying.TABLES, 0)
    for times in (800, 100):  # most of it is in the database, the rest in the log
        if path.exists():
            kept(path)
        ran = run_dying(path, "returned", times)
        assert ran.returncode == -signal.SIGKILL, ran.stderr
        assured.update(told(ran.stdout))
    assert min(assured.values()) > 5
    assert log_of(path).stat().st_size > 30_000
    return path, assured


async def outcome(path: Path, assured: dict[str, int]) -> str:
    """What becomes of a folder: it is refused, or tables are, or all is there.  Anything else is an error."""
    journal = SqliteJournal(path)
    try:
        await journal.open()
    except Unavailable as error:
        await journal.close()
        return "not to be opened" if "can't be opened" in str(error) else "missed"
    loaded = await asyncio.gather(*map(journal.load, assured), return_exceptions=True)
    await journal.close()
    for (table, last), entries in zip(assured.items(), loaded, strict=True):
        if isinstance(entries, BaseException):
            assert isinstance(entries, Damaged | Unavailable)
        else:
            assert entries == [dying.body(table, seq) for seq in range(1, len(entries) + 1)], "silently other"
            assert len(entries) >= last, f"{table}: entry {len(entries) + 1} of {last} is silently lost"
    return "a table reported" if any(isinstance(each, BaseException) for each in loaded) else "all there"


@posix
@pytest.mark.parametrize("harm", HARMS, ids=lambda harm: harm.__name__)
def test_what_was_acknowledged_is_there_or_its_loss_is_reported(
    harm: StorageHarm, killed: tuple[Path, dict[str, int]], tmp_path: Path
) -> None:
    (left, assured), dice, outcomes = killed, random.Random(f"{harm.__name__} 1"), Counter[str]()
    for trial in range(TRIALS):
        folder = tmp_path / str(trial)
        shutil.copytree(left.parent, folder)
        harm(folder / left.name, dice)
        try:
            outcomes[run(outcome(folder / left.name, assured))] += 1
        except BaseException as error:
            error.add_note(f"trial {trial}, what is left: {folder}")
            raise
        shutil.rmtree(folder)
    print(harm.__name__, dict(outcomes))
    if harm in (tear_the_log, lose_a_sector_of_the_log, flip_in_the_log):
        assert outcomes["missed"] > TRIALS // 2, "SQLite says nothing of it"
    if harm is lose_a_sector_of_the_database:
        assert outcomes["all there"] < TRIALS
    if harm in (tear_the_end_of_the_log, flip_in_the_mark):
        assert set(outcomes) <= {"all there", "missed"}


# ---------------------------------------------------------------- while it runs
class FailingDisk:
    """A connection whose statements fail now and then: before anything is done, or after."""

    def __init__(self, db: sqlite3.Connection, dice: random.Random, failures: Counter[str]) -> None:
        self._db, self._dice, self._failures = db, dice, failures
        self.failing = False

    def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
        kind = statement.split()[0]
        late = kind == "COMMIT" and self._fails(0.1)
        if not late and self._fails(0.1 if kind in ("COMMIT", "BEGIN", "ROLLBACK") else 0.01):
            self._fail(f"{kind} not done")
        done = self._db.execute(statement, *values)
        if late:
            self._fail(f"{kind} done")
        return done

    def _fails(self, chance: float) -> bool:
        return self.failing and self._dice.random() < chance

    def _fail(self, what: str) -> None:
        self._failures[what] += 1
        raise sqlite3.OperationalError("disk I/O error")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._db, name)


def test_when_syncs_fail_whoever_asks_again_finds_out_and_nothing_is_lost_or_doubled(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dice, failures, disks = random.Random(1), Counter[str](), list[FailingDisk]()

    @contextmanager
    def failing(at: Path) -> Iterator[Any]:
        with database(at) as db:
            disks.append(FailingDisk(db, dice, failures))
            yield disks[-1]
            disks[-1].failing = False

    monkeypatch.setattr("flipdeck.server.journal.sqlite.database", failing)
    written = {table: list[bytes]() for table in dying.TABLES}

    async def story() -> None:
        for _ in range(3):
            journal = SqliteJournal(path)
            await journal.open()
            epochs = {table: await claim(journal, table, "one", 60) for table in dying.TABLES}
            disks[-1].failing = True
            await asyncio.gather(*(write(journal, table, epochs[table], written[table], dice) for table in epochs))
            await journal.close()
            await journal.open()
            assert {table: await journal.load(table) for table in dying.TABLES} == written
            await journal.close()

    run(story())
    assert {"COMMIT done", "COMMIT not done", "BEGIN not done", "ROLLBACK not done"} <= set(failures)


async def write(journal: SqliteJournal, table: str, epoch: int, entries: list[bytes], dice: random.Random) -> None:
    """As a table does it: after a failure it looks what is there, and goes on from that."""
    for number in range(ROUNDS // 3):
        body = f"{table} {number} {dice.random()}".encode()
        try:
            await journal.append(table, epoch, len(entries) + 1, body)
            entries.append(body)
        except Unavailable:
            there = await load(journal, table)
            assert there in (entries, [*entries, body]), "other than what was acknowledged and asked"
            entries[:] = there


async def load(journal: SqliteJournal, table: str) -> list[bytes]:
    while True:
        try:
            return await journal.load(table)
        except Unavailable:
            continue
