"""What only a file on a disk can show: crashes, a full disk, commits that are shared."""

from __future__ import annotations

import asyncio
import random
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from flipdeck.server.journal import Fenced, StoredReplay, Unavailable
from flipdeck.server.journal.database_file import database
from flipdeck.server.journal.sqlite import FORGOTTEN_AT_ONCE, SqliteJournal
from flipdeck.server.journal.writer import AFTER_COMMIT, BEFORE_COMMIT
from tests.bots.seats import THOROUGH
from tests.patience import HANG
from tests.server import dying

from .journals import claim
from .sqlite_files import Gate, kept, path, run
from .steered import live

__all__ = ["path"]

HOUR = 3600.0
KILLS = [("returned", 40), ("returned", 40), (BEFORE_COMMIT, 8), (AFTER_COMMIT, 8)] * (6 if THOROUGH else 2)
ROOT = Path(__file__).parents[2]
posix = pytest.mark.skipif(sys.platform == "win32", reason="signals and limits of POSIX")


def run_dying(path: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.server.dying", str(path), *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=HANG, check=False)


def told(out: str) -> dict[str, int]:
    """The last entry of each table that the process was assured of."""
    return {table: int(seq) for table, seq in (line.split() for line in out.splitlines())}


@posix
def test_whatever_append_returned_for_outlives_a_kill_at_any_moment(path: Path) -> None:
    dice, assured = random.Random(7), dict.fromkeys(dying.TABLES, 0)
    for what, times in KILLS:
        ran = run_dying(path, what, dice.randint(1, times))
        assert ran.returncode == -signal.SIGKILL, ran.stderr
        assured.update(told(ran.stdout))
        for table, entries in kept(path).items():
            assert len(entries) >= assured[table]
            assert entries == [dying.body(table, seq) for seq in range(1, len(entries) + 1)]
    assert min(assured.values()) > 0


@posix
def test_killed_before_the_commit_nothing_is_there_and_after_it_all_of_it_is(path: Path) -> None:
    ran = run_dying(path, BEFORE_COMMIT, 1)
    assert (ran.returncode, ran.stdout) == (-signal.SIGKILL, "")
    assert not any(kept(path).values())
    ran = run_dying(path, AFTER_COMMIT, 1)
    assert (ran.returncode, ran.stdout) == (-signal.SIGKILL, "")
    assert any(kept(path).values())


@posix
def test_a_full_disk_refuses_honestly_and_works_again_when_there_is_room(path: Path) -> None:
    ran = run_dying(path, "full")
    assert ran.returncode == 0, ran.stderr
    lines = ran.stdout.splitlines()
    refused = lines.index("refused again") - 1
    assert lines[refused].startswith("refused The journal can't write: ")
    assert lines[refused + 1 :] == ["refused again", "refused again", f"T0 {refused + 1}"]
    assert refused > 1
    assert kept(path)["T0"] == [dying.body("T0", seq) for seq in range(1, refused + 2)]


def test_a_batch_that_finds_no_room_leaves_nothing_at_all(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def small(at: Path) -> Iterator[sqlite3.Connection]:
        with database(at) as db:
            db.execute("PRAGMA max_page_count = 40")
            yield db

    async def story() -> None:
        journal = SqliteJournal(path)
        with monkeypatch.context() as patched:
            patched.setattr("flipdeck.server.journal.sqlite.database", small)
            await journal.open()
        epochs = {table: await claim(journal, table, "one", HOUR) for table in dying.TABLES}
        asked = [journal.append(table, epoch, 1, bytes(30_000)) for table, epoch in epochs.items()]
        outcomes = await asyncio.gather(*asked, return_exceptions=True)
        assert {type(outcome) for outcome in outcomes} == {Unavailable}
        assert "full" in str(outcomes[0])
        assert [await journal.load(table) for table in epochs] == [[]] * len(epochs)
        await journal.append("T0", epochs["T0"], 1, b"a small one fits")
        await journal.close()

    run(story())
    assert kept(path)["T0"] == [b"a small one fits"]


def test_an_entry_that_can_not_be_stored_at_all_fails_alone(path: Path) -> None:
    async def story() -> None:
        journal = SqliteJournal(path)
        await journal.open()
        epoch, other = [await claim(journal, table, "one", HOUR) for table in ("T0", "T1")]
        huge, unwritable, good = await asyncio.gather(
            journal.append("T0", epoch, 2**70, b""),
            journal.append("T1", other, 1, b"", StoredReplay("lone \ud800", "")),
            journal.append("T0", epoch, 1, b"good"),
            return_exceptions=True,
        )
        assert isinstance(huge, OverflowError)
        assert isinstance(unwritable, UnicodeEncodeError)
        assert good is None
        await journal.close()

    run(story())
    assert kept(path)["T0"] == [b"good"]


def test_an_entry_whose_replay_can_not_be_stored_is_not_stored_either(path: Path) -> None:
    async def story() -> None:
        journal = SqliteJournal(path)
        await journal.open()
        epoch = await claim(journal, "T0", "one", HOUR)
        await journal.append("T0", epoch, 1, b"made")
        with pytest.raises(UnicodeEncodeError):
            await journal.append("T0", epoch, 2, b"the last", StoredReplay("name", "lone \ud800"))
        await journal.close()

    run(story())
    assert kept(path)["T0"] == [b"made"]


@live
async def test_a_folder_has_one_server_at_a_time(path: Path) -> None:
    journal, second = SqliteJournal(path), SqliteJournal(path)
    await journal.open()
    refused = f"A Flipdeck server is using the folder {path.parent} already."
    with pytest.raises(Unavailable) as told:
        await second.open()
    assert str(told.value) == refused
    assert (await asyncio.to_thread(run_dying, path, "open")).stdout == refused + "\n"
    await journal.check()
    await journal.close()
    await second.open()
    await second.close()
    assert (await asyncio.to_thread(run_dying, path, "open")).stdout == "open\n"


@live
async def test_a_server_that_is_gone_holds_no_table_back_and_can_not_write_any_more(path: Path) -> None:
    gone, next_one = SqliteJournal(path), SqliteJournal(path)
    await gone.open()
    old = await claim(gone, "AAAA", "one", HOUR)
    await gone.close()
    await next_one.open()
    assert await claim(next_one, "AAAA", "two", HOUR) > old
    with pytest.raises(Fenced):
        await next_one.append("AAAA", old, 1, b"")
    await next_one.close()


@live
async def test_who_stops_waiting_for_it_to_open_leaves_the_folder_free(path: Path) -> None:
    given_up = asyncio.create_task(SqliteJournal(path).open())
    await asyncio.sleep(0)
    given_up.cancel()
    with pytest.raises(asyncio.CancelledError):
        await given_up
    journal = SqliteJournal(path)
    await journal.open()
    await journal.close()


def test_commits_reach_the_disk_and_references_are_checked(path: Path) -> None:
    with database(path) as db:
        pragmas = {name: db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous")}
        assert pragmas == {"journal_mode": "wal", "synchronous": 2}
        with pytest.raises(sqlite3.IntegrityError):
            db.execute("INSERT INTO entries VALUES ('NONE', 1, x'00', 0)")


@posix
def test_only_its_owner_can_look_into_a_folder_it_made(path: Path) -> None:
    with database(path):
        assert path.parent.stat().st_mode & 0o777 == 0o700


def test_a_check_writes(path: Path) -> None:
    gate = Gate()

    async def story() -> None:
        journal = SqliteJournal(path, step=gate)
        await journal.open()
        for _ in range(3):
            await journal.check()
        await journal.close()

    run(story())
    with database(path) as db:
        assert db.execute("SELECT value FROM counters WHERE name = 'check'").fetchone() == (3,)
    assert gate.steps[AFTER_COMMIT] == 3


def test_pruning_many_tables_makes_room_on_the_disk(path: Path) -> None:
    count = FORGOTTEN_AT_ONCE * 2 + 1

    async def story() -> int:
        journal = SqliteJournal(path)
        await journal.open()

        async def write(table: str) -> None:
            await journal.append(table, await claim(journal, table, "one", HOUR), 1, bytes(10_000))

        await asyncio.gather(*(write(f"T{number}") for number in range(count)))
        await journal.close()
        assert path.stat().st_size > count * 10_000
        await journal.open()
        forgotten = await journal.prune(-1)
        await journal.close()
        return forgotten

    assert run(story()) == count
    assert path.stat().st_size < 200_000
