"""The files of a journal that are deleted, replaced or overwritten under a running server: nothing is acknowledged into
nothing, and whoever runs it hears why.
"""

from __future__ import annotations

import asyncio
import io
import logging
import os
import random
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from flipdeck.server import app, logs
from flipdeck.server.journal import Displaced, Unavailable, file_guard
from flipdeck.server.journal.high_water import HighWaterFile, Mark, mark_file
from flipdeck.server.journal.sqlite import SqliteJournal
from flipdeck.server.journal.writer import AFTER_COMMIT, BEFORE_COMMIT
from tests.server.running import fingerprint, play, running

from .journals import HOUR, body, claim
from .sqlite_files import path, run
from .steered import live, steered_loop

__all__ = ["path"]
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="open files can't be deleted there")
GONE = "The file of the tables is gone: it was deleted or moved. Nothing is saved until the server is started again."


def log_of(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


def other_database(path: Path) -> Path:
    """A database of another server, closed in order."""
    other = path.parent.parent / "other" / "tables.sqlite3"

    async def write() -> None:
        journal = SqliteJournal(other)
        await journal.open()
        await journal.append("BBBB", await claim(journal, "BBBB", "one", HOUR), 1, b"other")
        await journal.close()

    with closing(asyncio.new_event_loop()) as loop:
        loop.run_until_complete(write())
    return other


def shell(*command: str | Path) -> None:
    """In another process: closing a file in this one would take SQLite's locks away."""
    subprocess.run([str(word) for word in command], check=True)


def delete_all(path: Path, _: Path) -> None:
    for each in path.parent.glob("tables.sqlite3*"):
        each.unlink()


def delete_the_database(path: Path, _: Path) -> None:
    path.unlink()


def move_another_over_it(path: Path, other: Path) -> None:
    os.replace(other, path)


def copy_another_over_it(path: Path, other: Path) -> None:
    shell("cp", other, path)


def copy_a_folder_over_it(path: Path, other: Path) -> None:
    shell("cp", "-r", f"{other.parent}/.", path.parent)


def copy_itself_over_it(path: Path, other: Path) -> None:
    """As it was some time ago: what is in the log belongs to another state of it."""
    shell("cp", path, other)
    shell("cp", other, path)


def truncate(path: Path, _: Path) -> None:
    os.truncate(path, 0)


def delete_the_log(path: Path, _: Path) -> None:
    log_of(path).unlink()


def truncate_the_log(path: Path, _: Path) -> None:
    os.truncate(log_of(path), 0)


def copy_another_log_over_it(path: Path, other: Path) -> None:
    """Longer than the own one."""
    other.write_bytes(log_of(path).read_bytes()[::-1] * 2)
    shell("cp", other, log_of(path))


def truncate_the_log_to_half(path: Path, _: Path) -> None:
    """SQLite goes on where its end was: the file is long again, with a hole."""
    os.truncate(log_of(path), log_of(path).stat().st_size // 2)


def cut_a_byte_off_the_log(path: Path, _: Path) -> None:
    os.truncate(log_of(path), log_of(path).stat().st_size - 1)


def move_the_log_away(path: Path, _: Path) -> None:
    log_of(path).rename(path.with_name("elsewhere"))


def move_a_copy_over_the_log(path: Path, other: Path) -> None:
    shutil.copy2(log_of(path), other)
    os.replace(other, log_of(path))


def overwrite(file: Path, at: int) -> None:
    with file.open("r+b") as log:
        log.seek(at)
        log.write(bytes(16))


def overwrite_the_middle_of_the_log(path: Path, _: Path) -> None:
    overwrite(log_of(path), log_of(path).stat().st_size // 2)


def overwrite_the_header_of_the_log(path: Path, _: Path) -> None:
    overwrite(log_of(path), 0)


def write_the_same_into_the_log(path: Path, _: Path) -> None:
    """Nothing is lost yet, but somebody else writes there."""
    data = log_of(path).read_bytes()
    with log_of(path).open("r+b") as log:
        log.write(data)


def rename_the_folder(path: Path, _: Path) -> None:
    path.parent.rename(path.parent.with_name("elsewhere"))


FileHarm = Callable[[Path, Path], None]
HARMS: dict[FileHarm, str] = {
    delete_all: "deleted",
    delete_the_database: "deleted",
    rename_the_folder: "deleted",
    move_another_over_it: "replaced",
    copy_another_over_it: "overwritten",
    copy_a_folder_over_it: "overwritten",
    copy_itself_over_it: "overwritten",
    truncate: "overwritten",
    delete_the_log: "log-deleted",
    truncate_the_log: "log-overwritten",
    copy_another_log_over_it: "log-overwritten",
    truncate_the_log_to_half: "log-overwritten",
    cut_a_byte_off_the_log: "log-overwritten",
    move_the_log_away: "log-deleted",
    move_a_copy_over_the_log: "log-deleted",
    overwrite_the_middle_of_the_log: "log-overwritten",
    overwrite_the_header_of_the_log: "log-overwritten",
    write_the_same_into_the_log: "log-overwritten",
}
each_harm = pytest.mark.parametrize("harm", HARMS, ids=lambda harm: harm.__name__)


@each_harm
def test_nothing_is_acknowledged_any_more(path: Path, harm: FileHarm) -> None:
    other, alarms = other_database(path), list[str]()

    async def story() -> None:
        journal = SqliteJournal(path, alarm=lambda displaced: alarms.append(displaced.why))
        await journal.open()
        epochs = {table: await claim(journal, table, "one", HOUR) for table in ("AAAA", "AAAB")}
        for seq in range(1, 20):
            await journal.append("AAAA", epochs["AAAA"], seq, body("AAAA", seq))
        harm(path, other)
        for _ in range(2):
            appends = [journal.append(table, epoch, 20, b"") for table, epoch in epochs.items()]
            asked = [*appends, journal.check(), journal.release("AAAA", epochs["AAAA"])]
            for outcome in await asyncio.gather(*asked, return_exceptions=True):
                assert isinstance(outcome, Displaced)
                assert outcome.why == HARMS[harm]
        with pytest.raises(Displaced):
            await journal.load("AAAA")
        await journal.close()

    run(story())
    assert alarms == [HARMS[harm]], "it is said once"


@each_harm
def test_who_only_reads_hears_of_it_too(path: Path, harm: FileHarm) -> None:
    other = other_database(path)

    async def story() -> None:
        journal = SqliteJournal(path)
        await journal.open()
        await journal.append("AAAA", await claim(journal, "AAAA", "one", HOUR), 1, body("AAAA", 1))
        harm(path, other)
        with pytest.raises(Displaced):
            await journal.load("AAAA")
        await journal.close()

    run(story())


@pytest.mark.parametrize(
    "harm",
    [
        delete_the_database,
        copy_another_over_it,
        truncate_the_log_to_half,
        move_the_log_away,
        overwrite_the_middle_of_the_log,
        overwrite_the_header_of_the_log,
    ],
    ids=lambda harm: harm.__name__,
)
def test_players_are_refused_the_health_is_red_and_the_log_says_it_once(
    path: Path, harm: FileHarm, monkeypatch: pytest.MonkeyPatch
) -> None:
    other, out = other_database(path), io.StringIO()
    handler = logging.StreamHandler(out)
    handler.setFormatter(logs.JsonLines())
    monkeypatch.setattr(logging.getLogger(), "handlers", [handler])

    async def story() -> None:
        async with running(SqliteJournal(path, alarm=app.log_displaced)) as server:
            code, _, clients = await server.seated()
            actor = next(client for client in clients if client.on_turn)
            assert actor.view is not None
            assert (await server.http.get("/health")).json()["ok"]
            harm(path, other)
            before = fingerprint(server.table(code))
            for _ in range(3):
                answer = await actor.command("move", version=actor.version, move=actor.view["legal"][0])
                assert (answer["type"], answer["code"]) == ("refused", "unavailable")
                made = await server.http.post("/api/tables", json={"name": "Eve"})
                assert (made.status_code, made.json()["code"]) == (503, "unavailable")
            assert fingerprint(server.table(code)) == before
            steered_loop().advance(1.1)
            for _ in range(2):
                health = await server.http.get("/health")
                assert (health.status_code, health.json()["ok"]) == (503, False)
                assert health.json()["problem"].endswith("Nothing is saved until the server is started again.")

    run(story())
    assert out.getvalue().count('"level":"critical"') == 1
    assert f'"event":"journal-displaced","why":"{HARMS[harm]}"' in out.getvalue()
    assert "journal-failed" not in out.getvalue()


def test_what_was_acknowledged_before_the_log_was_deleted_is_there_after_an_ordered_stop(path: Path) -> None:
    async def story() -> None:
        journal = SqliteJournal(path)
        await journal.open()
        epoch = await claim(journal, "AAAA", "one", HOUR)
        await journal.append("AAAA", epoch, 1, body("AAAA", 1))
        log_of(path).unlink()
        with pytest.raises(Displaced):
            await journal.append("AAAA", epoch, 2, body("AAAA", 2))
        await journal.close()
        await journal.open()
        assert (await journal.load("AAAA"))[0] == body("AAAA", 1)
        await journal.close()

    run(story())


@pytest.mark.parametrize("step", [BEFORE_COMMIT, AFTER_COMMIT])
@pytest.mark.parametrize(
    "harm",
    [truncate_the_log_to_half, move_the_log_away, overwrite_the_header_of_the_log, delete_the_database],
    ids=lambda harm: harm.__name__,
)
def test_harm_while_a_batch_is_written_is_found_before_it_is_acknowledged(
    path: Path, harm: FileHarm, step: str
) -> None:
    due = False

    def harm_once(at: str) -> None:
        nonlocal due
        if due and at == step:
            due = False
            harm(path, path)

    async def story() -> None:
        nonlocal due
        journal = SqliteJournal(path, step=harm_once)
        await journal.open()
        epoch = await claim(journal, "AAAA", "one", HOUR)
        for seq in range(1, 20):
            await journal.append("AAAA", epoch, seq, body("AAAA", seq))
        due = True
        with pytest.raises(Displaced) as found:
            await journal.append("AAAA", epoch, 20, body("AAAA", 20))
        assert found.value.why == HARMS[harm]
        await journal.close()

    run(story())


def test_a_log_that_was_truncated_before_an_ordered_stop_is_not_written_into_the_database(path: Path) -> None:
    async def story() -> None:
        journal = SqliteJournal(path)
        await journal.open()
        epoch = await claim(journal, "AAAA", "one", HOUR)
        for seq in range(1, 20):
            await journal.append("AAAA", epoch, seq, body("AAAA", seq))
        before = path.read_bytes()
        truncate_the_log_to_half(path, path)
        await journal.close()
        if sys.version_info >= (3, 12):
            assert path.read_bytes() == before
        with pytest.raises(Unavailable, match="flipdeck repair"):
            await journal.open()

    run(story())


def test_a_folder_that_can_not_be_looked_at_is_no_displaced_one_and_all_goes_on_when_it_can(path: Path) -> None:
    async def story() -> None:
        journal = SqliteJournal(path)
        await journal.open()
        epoch = await claim(journal, "AAAA", "one", HOUR)
        away = path.parent.with_name("away")
        path.parent.rename(away)
        path.parent.symlink_to(path.parent)  # to itself
        for asked in (journal.append("AAAA", epoch, 1, b""), journal.load("AAAA"), journal.check()):
            with pytest.raises(Unavailable) as refused:
                await asked
            assert not isinstance(refused.value, Displaced)
        path.parent.unlink()
        away.rename(path.parent)
        there = await journal.load("AAAA")
        await journal.append("AAAA", epoch, len(there) + 1, b"next")
        assert await journal.load("AAAA") == [*there, b"next"]
        await journal.close()

    run(story())


@pytest.mark.parametrize("step", [BEFORE_COMMIT, AFTER_COMMIT])
def test_what_was_written_while_the_folder_could_not_be_looked_at_is_not_taken_for_a_stranger_s(
    path: Path, step: str
) -> None:
    away, due = path.parent.with_name("away"), False

    def hide(at: str) -> None:
        nonlocal due
        if due and at == step:
            due = False
            path.parent.rename(away)
            path.parent.symlink_to(path.parent)

    async def story() -> None:
        nonlocal due
        journal = SqliteJournal(path, step=hide)
        await journal.open()
        epoch = await claim(journal, "AAAA", "one", HOUR)
        due = True
        with pytest.raises(Unavailable):
            await journal.append("AAAA", epoch, 1, b"first")
        path.parent.unlink()
        away.rename(path.parent)
        there = await journal.load("AAAA")
        await journal.append("AAAA", epoch, len(there) + 1, b"next")
        assert await journal.load("AAAA") == [*there, b"next"]
        await journal.close()

    run(story())


# ---------------------------------------------------------------- no false alarm
def test_checkpoints_backups_and_other_readers_raise_no_alarm(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_guard, "PAGES_IN_LOG", 20)

    async def story() -> list[int]:
        journal, sizes = SqliteJournal(path), list[int]()
        await journal.open()
        epoch = await claim(journal, "AAAA", "one", HOUR)
        for seq in range(1, 300):
            await journal.append("AAAA", epoch, seq, body("AAAA", seq) * 50)
            if seq % 60 == 0:
                with closing(sqlite3.connect(path)) as reader, closing(sqlite3.connect(path.with_name("copy"))) as copy:
                    reader.backup(copy)
                with pytest.raises(Unavailable):
                    await SqliteJournal(path).open()
            sizes.append(log_of(path).stat().st_size)
        assert len(await journal.load("AAAA")) == 299
        await journal.close()
        return sizes

    sizes = run(story())
    assert max(sizes) < 1_000_000, "the log begins anew after a checkpoint"


@live
async def test_a_long_log_is_checkpointed_though_its_entries_are_few(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_guard, "PAGES_IN_LOG", 200)
    journal = SqliteJournal(path)
    await journal.open()
    epoch = await claim(journal, "AAAA", "one", HOUR)
    for seq in range(1, 30):
        await journal.append("AAAA", epoch, seq, bytes(300_000))
    assert log_of(path).stat().st_size < 3_000_000
    await journal.close()


# ---------------------------------------------------------------- the next start
def after_a_kill(path: Path, harm: Callable[[], object]) -> str:
    """What a server says that is started after another was killed and something has happened to its files."""
    killed = path.parent.with_name("killed")

    async def write() -> None:
        journal = SqliteJournal(path)
        await journal.open()
        epoch = await claim(journal, "AAAA", "one", HOUR)
        for seq in range(1, 20):
            await journal.append("AAAA", epoch, seq, body("AAAA", seq))
        shutil.copytree(path.parent, killed)  # as a kill leaves them
        await journal.close()

    run(write())
    shutil.rmtree(path.parent)
    killed.rename(path.parent)
    harm()

    async def start() -> str:
        journal = SqliteJournal(path)
        try:
            await journal.open()
            return f"{len(await journal.load('AAAA'))} entries"
        except Unavailable as error:
            return str(error)
        finally:
            await journal.close()

    return run(start())


MISSING = (
    "What was acknowledged is missing in the file of the tables, or it was replaced while a server was running: "
    "flipdeck repair says what is lost, and how to go on."
)


def test_a_server_that_was_killed_starts_again(path: Path) -> None:
    assert after_a_kill(path, lambda: None) == "19 entries"


def test_a_log_that_was_deleted_after_a_kill_is_missed(path: Path) -> None:
    assert after_a_kill(path, lambda: log_of(path).unlink()) == MISSING


def test_a_bit_in_the_middle_of_the_log_is_missed_though_sqlite_says_nothing(path: Path) -> None:
    def flip() -> None:
        data = bytearray(log_of(path).read_bytes())
        data[len(data) // 2] ^= 4
        log_of(path).write_bytes(data)

    assert after_a_kill(path, flip) == MISSING


def test_a_database_that_was_deleted_is_missed_and_not_begun_anew(path: Path) -> None:
    assert after_a_kill(path, path.unlink) == MISSING


def test_a_mark_that_is_torn_or_gone_raises_no_alarm(path: Path) -> None:
    assert after_a_kill(path, lambda: mark_file(path).write_bytes(b"0")) == "19 entries"
    mark_file(path).unlink()
    run(start_and_stop(path))
    with closing(HighWaterFile(path)) as marks:
        assert marks.mark == Mark()


async def start_and_stop(path: Path) -> None:
    journal = SqliteJournal(path)
    await journal.open()
    await journal.close()


def test_files_that_were_mixed_up_while_a_server_ran_are_not_opened_by_the_next(path: Path) -> None:
    other = other_database(path)

    async def story() -> None:
        journal = SqliteJournal(path)
        await journal.open()
        await journal.append("AAAA", await claim(journal, "AAAA", "one", HOUR), 1, body("AAAA", 1))
        copy_another_over_it(path, other)
        with pytest.raises(Displaced):
            await journal.check()
        await journal.close()
        with pytest.raises(Unavailable, match="flipdeck repair"):
            await journal.open()

    run(story())


def test_a_table_that_was_pruned_is_not_missed(path: Path) -> None:
    async def story() -> None:
        journal = SqliteJournal(path)
        await journal.open()
        await journal.append("AAAA", await claim(journal, "AAAA", "one", HOUR), 1, body("AAAA", 1))
        await journal.end_lease("one")
        assert await journal.prune(-1) == 1
        await journal.close()
        await journal.open()
        await journal.close()

    run(story())


def test_a_server_with_clients_leaves_a_mark_that_fits(path: Path) -> None:
    async def story() -> tuple[str, int]:
        async with running(SqliteJournal(path)) as server:
            code, _, clients = await server.seated()
            await play(clients, 4, random.Random(1))
            return code, server.table(code).state.version

    played = run(story())
    with closing(HighWaterFile(path)) as marks:
        assert marks.mark == Mark(*played)
