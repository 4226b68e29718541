"""What every journal promises of entries and of owners, whatever it writes on."""

from __future__ import annotations

import pytest

from flipdeck.server.journal import Clock, Fenced, Journal, Leased, LeaseEnded, SequenceConflict, StoredBan
from flipdeck.server.journal.sqlite import SqliteJournal

from .journals import HOUR, Tell, WallClock, bodies, body, claim, lease, tell, write

__all__ = ["tell"]


def test_entries_come_back_in_order_and_only_those_of_their_table(tell: Tell) -> None:
    async def story(journal: Journal, _: WallClock) -> None:
        await write(journal, "AAAA", 12)
        await write(journal, "AAAB", 3)
        assert await journal.load("AAAA") == bodies("AAAA", 12)
        assert await journal.load("AAAB") == bodies("AAAB", 3)

    tell(story)


def test_a_table_is_there_from_its_first_entry_on(tell: Tell) -> None:
    async def story(journal: Journal, _: WallClock) -> None:
        assert await journal.load("AAAA") == []
        assert await journal.first("AAAA") is None
        epoch = await claim(journal, "AAAA", "one", HOUR)
        assert await journal.first("AAAA") is None
        await journal.append("AAAA", epoch, 1, b"made")
        await journal.append("AAAA", epoch, 2, b"more")
        assert await journal.first("AAAA") == b"made"
        assert await journal.first("AAA") is None

    tell(story)


def test_a_table_is_taken_up_with_all_that_is_kept_of_it(tell: Tell) -> None:
    async def story(journal: Journal, watch: WallClock) -> None:
        await lease(journal)
        assert await journal.take_up("AAAA", "one") is None
        old = await write(journal, "AAAA", 3)
        await write(journal, "AAAB", 1)
        taken = await journal.take_up("AAAA", "one")
        assert taken is not None
        assert (taken.entries, taken.clock) == (bodies("AAAA", 3), None)
        assert taken.epoch > old
        with pytest.raises(Fenced):
            await journal.append("AAAA", old, 4, b"")
        await journal.append("AAAA", taken.epoch, 4, body("AAAA", 4))
        await journal.note_clocks("one", {"AAAA": Clock(4, 1234)})
        await lease(journal, "two", 2 * HOUR)
        with pytest.raises(Leased):
            await journal.take_up("AAAA", "two")
        await journal.append("AAAA", taken.epoch, 5, body("AAAA", 5))  # who was turned away changed nothing
        watch.time += HOUR
        again = await journal.take_up("AAAA", "two")
        assert again is not None
        assert (again.entries, again.clock) == (bodies("AAAA", 5), Clock(4, 1234))

    tell(story)


def test_nothing_is_taken_up_of_a_table_that_was_only_claimed(tell: Tell) -> None:
    async def story(journal: Journal, _: WallClock) -> None:
        epoch = await claim(journal, "AAAA", "one", HOUR)
        assert await journal.take_up("AAAA", "one") is None
        await journal.append("AAAA", epoch, 1, b"made")

    tell(story)


@pytest.mark.parametrize("seq", [-1, 0, 1, 2, 4, 5])
def test_a_number_that_is_taken_or_leaves_a_gap_is_refused_and_nothing_changes(tell: Tell, seq: int) -> None:
    async def story(journal: Journal, _: WallClock) -> None:
        epoch = await write(journal, "AAAA", 2)
        with pytest.raises(SequenceConflict):
            await journal.append("AAAA", epoch, seq, b"other")
        assert await journal.load("AAAA") == bodies("AAAA", 2)
        await journal.append("AAAA", epoch, 3, body("AAAA", 3))
        assert await journal.load("AAAA") == bodies("AAAA", 3)

    tell(story)


def test_the_first_number_is_one(tell: Tell) -> None:
    async def story(journal: Journal, _: WallClock) -> None:
        epoch = await claim(journal, "AAAA", "one", HOUR)
        for seq in (0, 2):
            with pytest.raises(SequenceConflict):
                await journal.append("AAAA", epoch, seq, b"")
        assert await journal.load("AAAA") == []

    tell(story)


def test_an_old_owner_can_not_write_once_another_has_claimed(tell: Tell) -> None:
    async def story(journal: Journal, watch: WallClock) -> None:
        old = await write(journal, "AAAA", 2)
        watch.time += HOUR
        new = await claim(journal, "AAAA", "two", HOUR)
        assert new > old
        with pytest.raises(Fenced):
            await journal.append("AAAA", old, 3, b"late")
        with pytest.raises(Fenced):
            await journal.append("AAAA", old, 1, b"late, and taken too")
        await journal.append("AAAA", new, 3, body("AAAA", 3))
        assert await journal.load("AAAA") == bodies("AAAA", 3)

    tell(story)


def test_nobody_writes_without_a_claim_or_under_an_epoch_that_was_not_given_out(tell: Tell) -> None:
    async def story(journal: Journal, _: WallClock) -> None:
        with pytest.raises(Fenced):
            await journal.append("AAAA", 1, 1, b"")
        epoch = await claim(journal, "AAAA", "one", HOUR)
        with pytest.raises(Fenced):
            await journal.append("AAAA", epoch + 1, 1, b"")
        with pytest.raises(Fenced):
            await journal.append("AAAB", epoch, 1, b"")
        assert await journal.load("AAAA") == await journal.load("AAAB") == []

    tell(story)


def test_a_lease_keeps_others_away_until_it_runs_out_and_not_its_owner(tell: Tell) -> None:
    async def story(journal: Journal, watch: WallClock) -> None:
        first = await claim(journal, "AAAA", "one", 10)
        watch.time += 9
        with pytest.raises(Leased):
            await claim(journal, "AAAA", "two", 10)
        await journal.append("AAAA", first, 1, b"a refused claim changes nothing")
        second = await claim(journal, "AAAA", "one", 10)
        assert second > first
        with pytest.raises(Fenced):
            await journal.append("AAAA", first, 2, b"")
        watch.time += 9
        with pytest.raises(Leased):
            await claim(journal, "AAAA", "two", 10)
        watch.time += 1
        assert await claim(journal, "AAAA", "two", 10) > second

    tell(story)


def test_an_owner_whose_lease_ran_out_may_write_while_nobody_else_has_claimed(tell: Tell) -> None:
    """Its epoch decides, not its lease."""

    async def story(journal: Journal, watch: WallClock) -> None:
        epoch = await claim(journal, "AAAA", "one", 10)
        watch.time += 60
        await journal.append("AAAA", epoch, 1, b"")
        await claim(journal, "AAAA", "two", 10)
        with pytest.raises(Fenced):
            await journal.append("AAAA", epoch, 2, b"")

    tell(story)


def test_a_lease_is_one_for_all_tables_of_a_node(tell: Tell) -> None:
    async def story(journal: Journal, watch: WallClock) -> None:
        tables = ("AAAA", "AAAB", "AAAC")
        for table in tables:
            await claim(journal, table, "one", 10)
        await claim(journal, "THEIRS", "two", 60)
        watch.time += 9
        assert list((await journal.renew("one", 10)).wanted) == []
        watch.time += 9
        for table in tables:
            with pytest.raises(Leased):
                await journal.claim(table, "two")
        watch.time += 1
        for table in tables:
            await journal.claim(table, "two")

    tell(story)


def test_a_node_whose_lease_has_ended_neither_renews_nor_claims(tell: Tell) -> None:
    async def story(journal: Journal, watch: WallClock) -> None:
        for unknown in (journal.renew("one", 10), journal.claim("AAAA", "one")):
            with pytest.raises(LeaseEnded):
                await unknown
        epoch = await claim(journal, "AAAA", "one", 10)
        watch.time += 10
        for late in (journal.renew("one", 10), journal.claim("AAAA", "one"), journal.claim("NEW", "one")):
            with pytest.raises(LeaseEnded):
                await late
        assert await claim(journal, "AAAA", "one, again", 10) > epoch

    tell(story)


def test_a_node_that_ends_its_lease_releases_all_its_tables_and_no_others(tell: Tell) -> None:
    async def story(journal: Journal, _: WallClock) -> None:
        ours = {table: await write(journal, table, 1) for table in ("AAAA", "AAAB")}
        await write(journal, "THEIRS", 1, "two")
        await journal.end_lease("one")
        with pytest.raises(LeaseEnded):
            await journal.renew("one", 10)
        for table, epoch in ours.items():
            with pytest.raises(Fenced):
                await journal.append(table, epoch, 2, b"")
            assert await claim(journal, table, "three") > epoch
        with pytest.raises(Leased):
            await journal.claim("THEIRS", "three")

    tell(story)


def test_who_asks_for_a_table_is_heard_with_the_next_renewal_for_a_while(tell: Tell) -> None:
    async def story(journal: Journal, watch: WallClock) -> None:
        hints: list[str] = []
        journal.watch(hints.append)
        epochs = {table: await claim(journal, table, "one", HOUR) for table in ("AAAA", "AAAB", "AAAC")}
        await lease(journal, "two")
        await journal.ask_for("AAAB", 10)
        await journal.ask_for("NONE", 10)
        assert list((await journal.renew("two", HOUR)).wanted) == []
        watch.time += 9
        assert list((await journal.renew("one", HOUR)).wanted) == ["AAAB"]
        assert list((await journal.renew("one", HOUR)).wanted) == ["AAAB"]
        watch.time += 1
        assert list((await journal.renew("one", HOUR)).wanted) == []
        await journal.ask_for("AAAC", 10)
        assert list((await journal.renew("one", HOUR)).wanted) == ["AAAC"]
        await journal.release("AAAC", epochs["AAAC"])
        assert list((await journal.renew("one", HOUR)).wanted) == []
        await journal.claim("AAAC", "two")
        assert list((await journal.renew("two", HOUR)).wanted) == [], "it was given"
        assert set(hints) <= {"one"}

    tell(story)


def test_entries_are_loaded_under_an_epoch_only_while_it_counts(tell: Tell) -> None:
    async def story(journal: Journal, watch: WallClock) -> None:
        old = await write(journal, "AAAA", 3)
        assert await journal.load("AAAA", 1, old) == bodies("AAAA", 3)[1:]
        watch.time += HOUR
        new = await claim(journal, "AAAA", "two")
        with pytest.raises(Fenced):
            await journal.load("AAAA", 3, old)
        assert await journal.load("AAAA", 3, new) == []
        await journal.release("AAAA", new)
        with pytest.raises(Fenced):
            await journal.load("AAAA", 0, new)
        with pytest.raises(Fenced):
            await journal.load("NONE", 0, 1)

    tell(story)


def test_a_released_table_is_anybodys_and_no_longer_ours(tell: Tell) -> None:
    async def story(journal: Journal, _: WallClock) -> None:
        old = await write(journal, "AAAA", 1)
        await journal.release("AAAA", old)
        with pytest.raises(Fenced):
            await journal.append("AAAA", old, 2, b"")
        new = await claim(journal, "AAAA", "two", HOUR)
        await journal.release("AAAA", old)  # too late to matter
        with pytest.raises(Leased):
            await claim(journal, "AAAA", "three", HOUR)
        await journal.append("AAAA", new, 2, body("AAAA", 2))
        await journal.release("NONE", 1)
        assert await journal.load("AAAA") == bodies("AAAA", 2)

    tell(story)


# ---------------------------------------------------------------- what a node learns of the others
def test_a_renewal_tells_how_often_bans_were_changed_where_others_can_change_them(tell: Tell) -> None:
    async def story(journal: Journal, clock: WallClock) -> None:
        del clock
        first = (await journal.begin_lease("one", HOUR)).bans
        await journal.keep_out(StoredBan("key", HOUR))
        second = (await journal.renew("one", HOUR)).bans
        await journal.let_in("key")
        third = (await journal.renew("one", HOUR)).bans
        alone = isinstance(journal, SqliteJournal)  # its file is locked
        assert len({first, second, third}) == (1 if alone else 3)
        assert (await journal.renew("one", HOUR)).bans == third

    tell(story)


def test_a_renewal_tells_what_the_others_that_live_can_read(tell: Tell) -> None:
    async def story(journal: Journal, clock: WallClock) -> None:
        if isinstance(journal, SqliteJournal):
            return  # its file is locked: there are no others
        assert (await journal.begin_lease("one", HOUR, ("a", "b"))).kinds == ()
        told = await journal.begin_lease("two", 10, ("b", "c"))
        assert (told.kinds, told.others) == ((frozenset("ab"),), 1)
        await journal.begin_lease("three", 20, ("c", "b"))
        told = await journal.renew("one", HOUR)
        assert (told.kinds, told.others) == ((frozenset("bc"),), 2)
        clock.time += 10
        await journal.begin_lease("four", 10, ())
        told = await journal.renew("one", HOUR)
        assert {*told.kinds} == {frozenset("bc"), frozenset()}
        await journal.note_draining("four")
        assert (await journal.renew("one", HOUR)).others == 2, "one that drains still has tables"
        await journal.end_lease("four")
        clock.time += 10
        assert (await journal.renew("one", HOUR)).kinds == ()

    tell(story)
