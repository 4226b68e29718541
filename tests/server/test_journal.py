"""What every journal promises, whatever it writes on.  A new backend is one more line in ``KINDS``."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from flipdeck.server.journal import Clock, Fenced, Journal, Leased, Taken, Unavailable
from flipdeck.server.journal.memory import MemoryJournal
from flipdeck.server.journal.sqlite import SqliteJournal

HOUR = 3600.0
LONGEST_WAIT = 60  # seconds: a journal that forgets to answer fails


class Watch:
    """A wall clock that goes on when it is told."""

    def __init__(self) -> None:
        self.time = 1_000_000.0

    def __call__(self) -> float:
        return self.time


def in_memory(folder: Path, now: Watch) -> Journal:
    del folder
    return MemoryJournal(now=now)


def slowly_in_memory(folder: Path, now: Watch) -> Journal:
    del folder
    dice = random.Random(1)
    return MemoryJournal(now=now, delay=lambda: dice.random() / 1000)


def in_sqlite(folder: Path, now: Watch) -> Journal:
    return SqliteJournal(folder / "tables.sqlite3", now=now)


KINDS = [in_memory, slowly_in_memory, in_sqlite]
Story = Callable[[Journal, Watch], Awaitable[None]]
Tell = Callable[[Story], None]


@pytest.fixture(params=KINDS, ids=lambda kind: kind.__name__)
def tell(request: pytest.FixtureRequest, tmp_path: Path) -> Tell:
    """Runs a story with an open journal of each kind."""

    def run(story: Story) -> None:
        async def whole() -> None:
            watch = Watch()
            journal: Journal = request.param(tmp_path, watch)
            await journal.open()
            try:
                await story(journal, watch)
            finally:
                await journal.close()

        asyncio.run(asyncio.wait_for(whole(), LONGEST_WAIT))

    return run


async def write(journal: Journal, table: str, count: int, owner: str = "one") -> int:
    """A table with so many entries, and its epoch."""
    epoch = await journal.claim(table, owner, HOUR)
    for seq in range(1, count + 1):
        await journal.append(table, epoch, seq, body(table, seq))
    return epoch


def body(table: str, seq: int) -> bytes:
    return f"{table}:{seq}\0ä".encode()


def bodies(table: str, count: int) -> list[bytes]:
    return [body(table, seq) for seq in range(1, count + 1)]


def test_entries_come_back_in_order_and_only_those_of_their_table(tell: Tell) -> None:
    async def story(journal: Journal, _: Watch) -> None:
        await write(journal, "AAAA", 12)
        await write(journal, "AAAB", 3)
        assert await journal.load("AAAA") == bodies("AAAA", 12)
        assert await journal.load("AAAB") == bodies("AAAB", 3)

    tell(story)


def test_a_table_is_there_from_its_first_entry_on(tell: Tell) -> None:
    async def story(journal: Journal, _: Watch) -> None:
        assert await journal.load("AAAA") == []
        assert not await journal.exists("AAAA")
        epoch = await journal.claim("AAAA", "one", HOUR)
        assert not await journal.exists("AAAA")
        await journal.append("AAAA", epoch, 1, b"made")
        assert await journal.exists("AAAA")
        assert not await journal.exists("AAA")

    tell(story)


def test_a_table_is_taken_up_with_all_that_is_kept_of_it(tell: Tell) -> None:
    async def story(journal: Journal, watch: Watch) -> None:
        assert await journal.take_up("AAAA", "one", HOUR) is None
        old = await write(journal, "AAAA", 3)
        await write(journal, "AAAB", 1)
        taken = await journal.take_up("AAAA", "one", HOUR)
        assert taken is not None
        assert (taken.entries, taken.clock) == (bodies("AAAA", 3), None)
        assert taken.epoch > old
        with pytest.raises(Fenced):
            await journal.append("AAAA", old, 4, b"")
        await journal.append("AAAA", taken.epoch, 4, body("AAAA", 4))
        await journal.note_clocks({"AAAA": Clock(4, 1234)})
        with pytest.raises(Leased):
            await journal.take_up("AAAA", "two", HOUR)
        await journal.append("AAAA", taken.epoch, 5, body("AAAA", 5))  # who was turned away changed nothing
        watch.time += HOUR
        again = await journal.take_up("AAAA", "two", HOUR)
        assert again is not None
        assert (again.entries, again.clock) == (bodies("AAAA", 5), Clock(4, 1234))

    tell(story)


def test_nothing_is_taken_up_of_a_table_that_was_only_claimed(tell: Tell) -> None:
    async def story(journal: Journal, _: Watch) -> None:
        epoch = await journal.claim("AAAA", "one", HOUR)
        assert await journal.take_up("AAAA", "one", HOUR) is None
        await journal.append("AAAA", epoch, 1, b"made")

    tell(story)


@pytest.mark.parametrize("seq", [-1, 0, 1, 2, 4, 5])
def test_a_number_that_is_taken_or_leaves_a_gap_is_refused_and_nothing_changes(tell: Tell, seq: int) -> None:
    async def story(journal: Journal, _: Watch) -> None:
        epoch = await write(journal, "AAAA", 2)
        with pytest.raises(Taken):
            await journal.append("AAAA", epoch, seq, b"other")
        assert await journal.load("AAAA") == bodies("AAAA", 2)
        await journal.append("AAAA", epoch, 3, body("AAAA", 3))
        assert await journal.load("AAAA") == bodies("AAAA", 3)

    tell(story)


def test_the_first_number_is_one(tell: Tell) -> None:
    async def story(journal: Journal, _: Watch) -> None:
        epoch = await journal.claim("AAAA", "one", HOUR)
        for seq in (0, 2):
            with pytest.raises(Taken):
                await journal.append("AAAA", epoch, seq, b"")
        assert await journal.load("AAAA") == []

    tell(story)


def test_an_old_owner_can_not_write_once_another_has_claimed(tell: Tell) -> None:
    async def story(journal: Journal, watch: Watch) -> None:
        old = await write(journal, "AAAA", 2)
        watch.time += HOUR
        new = await journal.claim("AAAA", "two", HOUR)
        assert new > old
        with pytest.raises(Fenced):
            await journal.append("AAAA", old, 3, b"late")
        with pytest.raises(Fenced):
            await journal.append("AAAA", old, 1, b"late, and taken too")
        await journal.append("AAAA", new, 3, body("AAAA", 3))
        assert await journal.load("AAAA") == bodies("AAAA", 3)

    tell(story)


def test_nobody_writes_without_a_claim_or_under_an_epoch_that_was_not_given_out(tell: Tell) -> None:
    async def story(journal: Journal, _: Watch) -> None:
        with pytest.raises(Fenced):
            await journal.append("AAAA", 1, 1, b"")
        epoch = await journal.claim("AAAA", "one", HOUR)
        with pytest.raises(Fenced):
            await journal.append("AAAA", epoch + 1, 1, b"")
        with pytest.raises(Fenced):
            await journal.append("AAAB", epoch, 1, b"")
        assert await journal.load("AAAA") == await journal.load("AAAB") == []

    tell(story)


def test_a_lease_keeps_others_away_until_it_runs_out_and_not_its_owner(tell: Tell) -> None:
    async def story(journal: Journal, watch: Watch) -> None:
        first = await journal.claim("AAAA", "one", 10)
        watch.time += 9
        with pytest.raises(Leased):
            await journal.claim("AAAA", "two", 10)
        await journal.append("AAAA", first, 1, b"a refused claim changes nothing")
        second = await journal.claim("AAAA", "one", 10)
        assert second > first
        with pytest.raises(Fenced):
            await journal.append("AAAA", first, 2, b"")
        watch.time += 9
        with pytest.raises(Leased):
            await journal.claim("AAAA", "two", 10)
        watch.time += 1
        assert await journal.claim("AAAA", "two", 10) > second

    tell(story)


def test_an_owner_whose_lease_ran_out_may_write_while_nobody_else_has_claimed(tell: Tell) -> None:
    async def story(journal: Journal, watch: Watch) -> None:
        epoch = await journal.claim("AAAA", "one", 10)
        watch.time += 60
        await journal.append("AAAA", epoch, 1, b"")
        assert await journal.renew({"AAAA": epoch}, 10) == []
        with pytest.raises(Leased):
            await journal.claim("AAAA", "two", 10)

    tell(story)


def test_renewing_prolongs_what_is_ours_and_names_what_is_not(tell: Tell) -> None:
    async def story(journal: Journal, watch: Watch) -> None:
        ours = await journal.claim("OURS", "one", 10)
        lost = await journal.claim("LOST", "one", 10)
        given = await journal.claim("GIVEN", "one", 10)
        await journal.release("GIVEN", given)
        watch.time += 10
        theirs = await journal.claim("LOST", "two", 10)
        claims = {"OURS": ours, "LOST": lost, "GIVEN": given, "NONE": 1}
        assert sorted(await journal.renew(claims, 20)) == ["GIVEN", "LOST", "NONE"]
        watch.time += 15
        with pytest.raises(Leased):
            await journal.claim("OURS", "two", 10)
        assert await journal.claim("LOST", "one", 10) > theirs  # their ten seconds were not prolonged by our asking
        assert await journal.renew({}, 10) == []

    tell(story)


def test_a_released_table_is_anybodys_and_no_longer_ours(tell: Tell) -> None:
    async def story(journal: Journal, _: Watch) -> None:
        old = await write(journal, "AAAA", 1)
        await journal.release("AAAA", old)
        with pytest.raises(Fenced):
            await journal.append("AAAA", old, 2, b"")
        new = await journal.claim("AAAA", "two", HOUR)
        await journal.release("AAAA", old)  # too late to matter
        with pytest.raises(Leased):
            await journal.claim("AAAA", "three", HOUR)
        await journal.append("AAAA", new, 2, body("AAAA", 2))
        await journal.release("NONE", 1)
        assert await journal.load("AAAA") == bodies("AAAA", 2)

    tell(story)


def test_the_last_note_of_a_clock_counts(tell: Tell) -> None:
    async def story(journal: Journal, _: Watch) -> None:
        await write(journal, "AAAA", 1)
        await write(journal, "AAAB", 1)
        assert await journal.clock("AAAA") is None
        await journal.note_clocks({"AAAA": Clock(4, 30_000), "AAAB": Clock(1, 5), "NONE": Clock(1, 1)})
        await journal.note_clocks({"AAAA": Clock(5, 29_000)})
        await journal.note_clocks({})
        assert await journal.clock("AAAA") == Clock(5, 29_000)
        assert await journal.clock("AAAB") == Clock(1, 5)
        assert await journal.clock("NONE") is None

    tell(story)


def test_a_replay_kept_again_stays_as_it_was(tell: Tell) -> None:
    async def story(journal: Journal, _: Watch) -> None:
        assert await journal.replay("r1") is None
        await journal.keep_replay("r1", "the record – ñ\n", ["Ana", "Ñandú 2"])
        await journal.keep_replay("r1", "another", ["Ben", "Ana"])
        assert await journal.replay("r1") == "the record – ñ\n"
        assert await journal.replay_names("r1") == ["Ana", "Ñandú 2"]
        assert await journal.replay_names("r2") == []
        assert await journal.replay("r2") is None

    tell(story)


def test_pruning_forgets_what_is_old_and_nobodys(tell: Tell) -> None:
    async def story(journal: Journal, watch: Watch) -> None:
        for table in ("OLD", "VISITED", "PLAYED", "LEASED"):
            await write(journal, table, 3)
        await journal.claim("EMPTY", "one", HOUR)
        await journal.note_clocks({"OLD": Clock(3, 7)})
        await journal.keep_replay("old", "1")
        watch.time += 3 * HOUR
        played = await journal.claim("PLAYED", "one", 0)
        await journal.claim("VISITED", "one", 0)
        await journal.claim("LEASED", "one", 9 * HOUR)
        await journal.keep_replay("new", "2")
        watch.time += 2 * HOUR
        await journal.append("PLAYED", played, 4, body("PLAYED", 4))
        await journal.renew({"PLAYED": played}, 0)  # as whoever plays a table does all the time
        assert await journal.prune(4 * HOUR) == 3  # OLD, EMPTY and a replay
        assert await journal.prune(4 * HOUR) == 0
        assert await journal.load("OLD") == []
        assert await journal.clock("OLD") is None
        assert not await journal.exists("OLD")
        assert await journal.replay("old") is None
        assert await journal.prune(1 * HOUR) == 2  # VISITED and the other replay
        assert await journal.load("VISITED") == []
        assert await journal.load("PLAYED") == bodies("PLAYED", 4)
        assert await journal.load("LEASED") == bodies("LEASED", 3)

    tell(story)


def test_a_refused_entry_leaves_no_trace_not_even_a_touch(tell: Tell) -> None:
    async def story(journal: Journal, watch: Watch) -> None:
        epoch = await journal.claim("AAAA", "one", 10)
        watch.time += HOUR
        with pytest.raises(Taken):
            await journal.append("AAAA", epoch, 2, b"")
        assert await journal.prune(60) == 1

    tell(story)


def test_a_forgotten_tables_owner_can_not_write_into_a_new_one_of_the_same_name(tell: Tell) -> None:
    async def story(journal: Journal, watch: Watch) -> None:
        old = await journal.claim("AAAA", "one", 10)
        watch.time += HOUR
        assert await journal.prune(60) == 1
        with pytest.raises(Fenced):
            await journal.append("AAAA", old, 1, b"")
        assert await journal.renew({"AAAA": old}, 10) == ["AAAA"]
        assert await journal.claim("AAAA", "two", 10) > old
        with pytest.raises(Fenced):
            await journal.append("AAAA", old, 1, b"")

    tell(story)


def test_many_tables_write_at_once_and_none_disturbs_another(tell: Tell) -> None:
    async def story(journal: Journal, _: Watch) -> None:
        tables = [f"T{number:03}" for number in range(100)]
        await asyncio.gather(*(write(journal, table, 8) for table in tables))
        for table in tables:
            assert await journal.load(table) == bodies(table, 8)

    tell(story)


def test_entries_of_one_table_asked_for_at_once_are_kept_in_the_order_of_asking(tell: Tell) -> None:
    async def story(journal: Journal, _: Watch) -> None:
        epoch = await journal.claim("AAAA", "one", HOUR)
        await asyncio.gather(*(journal.append("AAAA", epoch, seq, body("AAAA", seq)) for seq in range(1, 21)))
        assert await journal.load("AAAA") == bodies("AAAA", 20)

    tell(story)


def test_one_wrong_entry_among_many_fails_alone(tell: Tell) -> None:
    async def story(journal: Journal, _: Watch) -> None:
        good = {table: await journal.claim(table, "one", HOUR) for table in ("AAAA", "AAAB", "AAAC")}
        outcomes = await asyncio.gather(
            journal.append("AAAA", good["AAAA"], 1, body("AAAA", 1)),
            journal.append("AAAA", good["AAAA"], 1, b"again"),
            journal.append("AAAB", good["AAAB"] + 100, 1, b"fenced"),
            journal.append("AAAB", good["AAAB"], 1, body("AAAB", 1)),
            journal.claim("AAAC", "two", HOUR),
            journal.append("AAAC", good["AAAC"], 1, body("AAAC", 1)),
            return_exceptions=True,
        )
        assert [type(outcome) for outcome in outcomes] == [type(None), Taken, Fenced, type(None), Leased, type(None)]
        for table in good:
            assert await journal.load(table) == bodies(table, 1)

    tell(story)


def test_who_stops_waiting_for_an_append_harms_nobody(tell: Tell) -> None:
    async def story(journal: Journal, _: Watch) -> None:
        epoch = await journal.claim("AAAA", "one", HOUR)
        other = await journal.claim("AAAB", "one", HOUR)
        given_up = asyncio.create_task(journal.append("AAAA", epoch, 1, body("AAAA", 1)))
        await asyncio.sleep(0)
        given_up.cancel()
        await journal.append("AAAB", other, 1, body("AAAB", 1))
        assert await journal.load("AAAB") == bodies("AAAB", 1)
        kept = len(await journal.load("AAAA"))  # it may be there or not, and one can go on from either
        await journal.append("AAAA", epoch, kept + 1, body("AAAA", kept + 1))
        assert await journal.load("AAAA") == bodies("AAAA", kept + 1)

    tell(story)


def test_a_check_of_a_sound_journal_passes(tell: Tell) -> None:
    async def story(journal: Journal, _: Watch) -> None:
        await journal.check()
        await journal.check()

    tell(story)


def test_all_is_there_after_closing_and_opening_again(tell: Tell) -> None:
    async def story(journal: Journal, _: Watch) -> None:
        epoch = await write(journal, "AAAA", 5)
        await journal.note_clocks({"AAAA": Clock(5, 400)})
        await journal.keep_replay("r1", "record")
        await journal.close()
        await journal.open()
        assert await journal.load("AAAA") == bodies("AAAA", 5)
        assert await journal.clock("AAAA") == Clock(5, 400)
        assert await journal.replay("r1") == "record"
        assert await journal.claim("AAAA", "one", HOUR) > epoch

    tell(story)


def test_a_closed_journal_does_nothing_and_says_so(tell: Tell) -> None:
    async def story(journal: Journal, _: Watch) -> None:
        epoch = await write(journal, "AAAA", 1)
        await journal.close()
        await journal.close()
        with pytest.raises(Unavailable):
            await journal.append("AAAA", epoch, 2, b"")
        with pytest.raises(Unavailable):
            await journal.load("AAAA")
        with pytest.raises(Unavailable):
            await journal.check()
        await journal.open()
        assert await journal.load("AAAA") == bodies("AAAA", 1)

    tell(story)
