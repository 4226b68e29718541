"""What every journal promises of damage: it is found, it names its table and entry, and it concerns nobody else."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from flipdeck.server.journal import Clock, Damaged, Journal, StoredReplay, StoredSnapshot
from flipdeck.server.journal.checksums import checksum
from flipdeck.server.journal.sqlite import SqliteJournal

from .damaging import change_stored, flip_entry, flip_replay, rot_unseen
from .journals import HOUR, Tell, WallClock, bodies, body, lease, tell, write, write_replay
from .steered import run

__all__ = ["rot_unseen", "tell"]


async def damage_in(asked: Awaitable[object]) -> tuple[str, int]:
    with pytest.raises(Damaged) as told:
        await asked
    return told.value.name, told.value.seq


def test_one_bit_in_an_entry_names_table_and_number_and_nothing_is_claimed_by_finding_it(tell: Tell) -> None:
    async def story(journal: Journal, watch: WallClock) -> None:
        epoch = await write(journal, "AAAA", 8)
        await write(journal, "AAAB", 8)
        watch.time += HOUR
        await lease(journal, "two")
        flip_entry(journal, "AAAA", 5)
        assert await damage_in(journal.load("AAAA")) == ("AAAA", 5)
        assert await damage_in(journal.load("AAAA", after=4)) == ("AAAA", 5)
        assert await damage_in(journal.take_up("AAAA", "two")) == ("AAAA", 5)
        assert await journal.load("AAAA", after=5) == bodies("AAAA", 8)[5:]
        assert await journal.first("AAAA") == body("AAAA", 1)
        await journal.append("AAAA", epoch, 9, body("AAAA", 9))  # it is still owned by who had it
        assert await journal.load("AAAB") == bodies("AAAB", 8)
        flip_entry(journal, "AAAA", 5)
        assert await journal.load("AAAA") == bodies("AAAA", 9)

    tell(story)


def test_a_damaged_first_entry_is_found_by_who_asks_for_it_alone(tell: Tell) -> None:
    async def story(journal: Journal, _: WallClock) -> None:
        await write(journal, "AAAA", 3)
        flip_entry(journal, "AAAA", 1)
        assert await damage_in(journal.first("AAAA")) == ("AAAA", 1)

    tell(story)


def test_a_damaged_entry_that_a_snapshot_covers_costs_nothing(tell: Tell) -> None:
    async def story(journal: Journal, _: WallClock) -> None:
        epoch = await write(journal, "AAAA", 10)
        for seq in (3, 7):
            await journal.keep_snapshot("AAAA", epoch, StoredSnapshot(seq, b"as of %d" % seq), 6)
        flip_entry(journal, "AAAA", 5)
        taken = await journal.take_up("AAAA", "one", 6)  # it would be from the third
        assert taken is not None
        assert (taken.snapshot, taken.entries) == (StoredSnapshot(7, b"as of 7"), bodies("AAAA", 10)[7:])
        flip_entry(journal, "AAAA", 9)
        assert await damage_in(journal.take_up("AAAA", "one", 6)) == ("AAAA", 9)

    tell(story)


def test_a_compaction_has_its_checksum_too(tell: Tell) -> None:
    async def story(journal: Journal, _: WallClock) -> None:
        epoch = await write(journal, "AAAA", 8)
        await journal.compact("AAAA", epoch, 6, b"all of it")
        assert await journal.load("AAAA") == [b"all of it", *bodies("AAAA", 8)[6:]]
        flip_entry(journal, "AAAA", 6)
        assert await damage_in(journal.load("AAAA")) == ("AAAA", 6)

    tell(story)


def test_a_damaged_replay_is_none_that_is_shown(tell: Tell) -> None:
    async def story(journal: Journal, _: WallClock) -> None:
        await write_replay(journal, "AAAA", StoredReplay("r1", "the record of a match"))
        await write_replay(journal, "AAAB", StoredReplay("r2", "another"))
        flip_replay(journal, "r1")
        assert await damage_in(journal.replay("r1")) == ("r1", 0)
        assert await damage_in(journal.replay_players("r1")) == ("r1", 0)
        assert await journal.replay("r2") == "another"

    tell(story)


# ---------------------------------------------------------------- what only rows can suffer
def in_a_file(tmp_path: Path, story: Callable[[SqliteJournal], Awaitable[None]]) -> None:
    async def whole() -> None:
        journal = SqliteJournal(tmp_path / "tables.sqlite3")
        await journal.open()
        epoch = await write(journal, "AAAA", 8)
        await write(journal, "AAAB", 8)
        await journal.note_clocks("one", {"AAAA": Clock(8, 5000)})
        await journal.release("AAAA", epoch)
        await story(journal)
        await journal.close()

    run(whole())


OTHER = "SELECT {} FROM entries AS other WHERE code = 'AAAB' AND seq = 3"
HARMS = {  # what was done to the rows of AAAA, and the entry that is named
    "swapped": ("SET seq = -1 WHERE seq = 3; SET seq = 3 WHERE seq = 4; SET seq = 4 WHERE seq = -1", 3),
    "of another table": (f"SET body = ({OTHER.format('body')}), sum = ({OTHER.format('sum')}) WHERE seq = 3", 3),
    "one missing": ("DELETE WHERE seq = 5", 5),
    "the first missing": ("DELETE WHERE seq = 1", 1),
    "the end missing": ("DELETE WHERE seq > 6", 7),
    "all missing": ("DELETE WHERE seq > 0", 1),
    "a text": ("SET body = CAST(x'ff00' AS TEXT) WHERE seq = 2", 2),
    "a number": ("SET body = 17 WHERE seq = 2", 2),
    "its checksum": ("SET sum = sum + 1 WHERE seq = 2", 2),
}


def harm(path: Path, what: str) -> int:
    statements, seq = HARMS[what]
    for statement in statements.split("; "):
        begun = statement.replace("DELETE", "DELETE FROM entries").replace("SET", "UPDATE entries SET", 1)
        change_stored(path, f"{begun} AND code = 'AAAA'")
    return seq


@pytest.mark.parametrize("what", HARMS)
def test_an_entry_in_another_place_or_missing_is_found_as_well(tmp_path: Path, what: str) -> None:
    async def story(journal: SqliteJournal) -> None:
        seq = harm(journal.path, what)
        assert await damage_in(journal.take_up("AAAA", "one")) == ("AAAA", seq)
        assert await damage_in(journal.load("AAAA")) == ("AAAA", seq)
        assert await journal.load("AAAB") == bodies("AAAB", 8)

    in_a_file(tmp_path, story)


def test_a_compaction_that_was_none_is_found(tmp_path: Path) -> None:
    async def story(journal: SqliteJournal) -> None:
        change_stored(journal.path, "INSERT INTO compactions VALUES ('AAAA', 4, 0)")
        assert await damage_in(journal.first("AAAA")) == ("AAAA", 0)

    in_a_file(tmp_path, story)


@pytest.mark.parametrize("change", ["left_ms = left_ms + 1024", "seq = seq - 1", "left_ms = 'much'"])
def test_a_damaged_clock_is_none(tmp_path: Path, change: str) -> None:
    async def story(journal: SqliteJournal) -> None:
        assert await journal.clock("AAAA") == Clock(8, 5000)
        change_stored(journal.path, f"UPDATE clocks SET {change}")  # noqa: S608
        assert await journal.clock("AAAA") is None
        taken = await journal.take_up("AAAA", "one")
        assert taken is not None
        assert taken.clock is None

    in_a_file(tmp_path, story)


@pytest.mark.parametrize("at", range(0, 40, 7))
def test_a_checksum_is_of_every_bit_and_of_the_place(at: int) -> None:
    whole = b"what was written, every bit of it, forty"
    total = checksum("AAAA", 7, whole)
    assert -(2**63) <= total < 2**63
    for bit in range(8):
        assert checksum("AAAA", 7, whole[:at] + bytes([whole[at] ^ 1 << bit]) + whole[at + 1 :]) != total
    assert len({total, checksum("AAAB", 7, whole), checksum("AAAA", 8, whole), checksum("AAAA", 7, whole[1:])}) == 4
