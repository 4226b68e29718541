"""What every journal promises of clocks and replays, of forgetting, of many at once, and of its end."""

from __future__ import annotations

import asyncio

import pytest

from flipdeck.server.journal import (
    Clock,
    Fenced,
    Journal,
    Leased,
    LeaseEnded,
    ReplayPlayer,
    SequenceConflict,
    StoredReplay,
    Unavailable,
)

from .journals import HOUR, Tell, WallClock, bodies, body, claim, tell, write, write_replay

__all__ = ["tell"]


def test_the_last_note_of_a_clock_counts(tell: Tell) -> None:
    async def story(journal: Journal, _: WallClock) -> None:
        await write(journal, "AAAA", 1)
        await write(journal, "AAAB", 1)
        assert await journal.clock("AAAA") is None
        await journal.note_clocks("one", {"AAAA": Clock(4, 30_000), "AAAB": Clock(1, 5), "NONE": Clock(1, 1)})
        await journal.note_clocks("one", {"AAAA": Clock(5, 29_000)})
        await journal.note_clocks("one", {})
        assert await journal.clock("AAAA") == Clock(5, 29_000)
        assert await journal.clock("AAAB") == Clock(1, 5)
        assert await journal.clock("NONE") is None

    tell(story)


def test_a_replay_kept_again_stays_as_it_was(tell: Tell) -> None:
    async def story(journal: Journal, _: WallClock) -> None:
        assert await journal.replay("r1") is None
        first = StoredReplay("r1", "the record – ñ\n", [ReplayPlayer("Ana"), ReplayPlayer("Ñandú 2", "sharp")])
        await write_replay(journal, "AAAA", first)
        await write_replay(journal, "AAAB", StoredReplay("r1", "another", [ReplayPlayer("Ben"), ReplayPlayer("Ana")]))
        assert await journal.replay("r1") == "the record – ñ\n"
        assert await journal.replay_players("r1") == [ReplayPlayer("Ana"), ReplayPlayer("Ñandú 2", "sharp")]
        assert await journal.replay_players("r2") == []
        assert await journal.replay("r2") is None

    tell(story)


def test_the_entry_that_ends_a_match_is_kept_together_with_its_replay(tell: Tell) -> None:
    async def story(journal: Journal, watch: WallClock) -> None:
        epoch = await write(journal, "AAAA", 2)
        over = StoredReplay("r1", "the record – ñ\n", [ReplayPlayer("Ana"), ReplayPlayer("Ñandú 2", "sharp")])
        await journal.append("AAAA", epoch, 3, body("AAAA", 3), over)
        assert await journal.load("AAAA") == bodies("AAAA", 3)
        assert await journal.replay("r1") == over.record
        assert await journal.replay_players("r1") == over.players
        await journal.append("AAAA", epoch, 4, body("AAAA", 4), StoredReplay("r1", "another"))
        assert await journal.load("AAAA") == bodies("AAAA", 4)
        assert await journal.replay("r1") == over.record
        watch.time += 2 * HOUR + 1
        assert await journal.prune(HOUR) == 2  # the table, and the replay for itself

    tell(story)


def test_no_replay_is_kept_with_an_entry_that_is_refused(tell: Tell) -> None:
    async def story(journal: Journal, _: WallClock) -> None:
        epoch = await write(journal, "AAAA", 2)
        for seq in (2, 4):
            with pytest.raises(SequenceConflict):
                await journal.append("AAAA", epoch, seq, b"", StoredReplay("r1", "record"))
        with pytest.raises(Fenced):
            await journal.append("AAAA", epoch + 1, 3, b"", StoredReplay("r1", "record"))
        assert await journal.replay("r1") is None
        assert await journal.load("AAAA") == bodies("AAAA", 2)

    tell(story)


def test_a_table_that_was_prolonged_or_released_just_now_is_not_old(tell: Tell) -> None:
    async def story(journal: Journal, watch: WallClock) -> None:
        epochs = {"OLD": await write(journal, "OLD", 1, "gone")}
        epochs |= {table: await write(journal, table, 1) for table in ("PLAYED", "LEFT")}
        for _ in range(3):
            watch.time += 0.9 * HOUR
            await journal.renew("one", HOUR)
        watch.time += 1.5 * HOUR  # the server that played stood still
        with pytest.raises(LeaseEnded):
            await journal.renew("one", HOUR)
        watch.time += 0.9 * HOUR
        await journal.release("LEFT", epochs["LEFT"])
        assert await journal.prune(HOUR) == 1
        assert [await journal.first(table) is not None for table in epochs] == [False, True, True]

    tell(story)


def test_pruning_forgets_what_is_old_and_nobodys(tell: Tell) -> None:
    async def story(journal: Journal, watch: WallClock) -> None:
        epochs = {table: await write(journal, table, 3) for table in ("OLD", "VISITED", "PLAYED", "LEASED")}
        await claim(journal, "EMPTY", "one", HOUR)
        await journal.note_clocks("one", {"OLD": Clock(3, 7)})
        await journal.append("OLD", epochs["OLD"], 4, b"", StoredReplay("old", "1"))
        watch.time += 3.5 * HOUR  # the lease has ended since
        played = await claim(journal, "PLAYED", "player", 60)
        await claim(journal, "VISITED", "visitor", 60)
        await claim(journal, "LEASED", "two", 9 * HOUR)
        await journal.append("PLAYED", played, 4, body("PLAYED", 4), StoredReplay("new", "2"))
        for _ in range(120):
            watch.time += 59
            await journal.renew("player", 60)
        await journal.append("PLAYED", played, 5, body("PLAYED", 5))
        assert await journal.prune(4 * HOUR) == 3  # OLD, EMPTY and a replay
        assert await journal.prune(4 * HOUR) == 0
        assert await journal.load("OLD") == []
        assert await journal.clock("OLD") is None
        assert await journal.first("OLD") is None
        assert await journal.replay("old") is None
        assert await journal.prune(1 * HOUR) == 2  # VISITED and the other replay
        assert await journal.load("VISITED") == []
        assert await journal.load("PLAYED") == bodies("PLAYED", 5)
        assert await journal.load("LEASED") == bodies("LEASED", 3)

    tell(story)


def test_a_refused_entry_leaves_no_trace_not_even_a_touch(tell: Tell) -> None:
    async def story(journal: Journal, watch: WallClock) -> None:
        epoch = await claim(journal, "AAAA", "one", 10)
        watch.time += HOUR
        with pytest.raises(SequenceConflict):
            await journal.append("AAAA", epoch, 2, b"")
        assert await journal.prune(60) == 1

    tell(story)


def test_a_forgotten_tables_owner_can_not_write_into_a_new_one_of_the_same_name(tell: Tell) -> None:
    async def story(journal: Journal, watch: WallClock) -> None:
        old = await claim(journal, "AAAA", "one", 10)
        watch.time += HOUR
        assert await journal.prune(60) == 1
        with pytest.raises(Fenced):
            await journal.append("AAAA", old, 1, b"")
        assert await claim(journal, "AAAA", "two", 10) > old
        with pytest.raises(Fenced):
            await journal.append("AAAA", old, 1, b"")

    tell(story)


def test_many_tables_write_at_once_and_none_disturbs_another(tell: Tell) -> None:
    async def story(journal: Journal, _: WallClock) -> None:
        tables = [f"T{number:03}" for number in range(100)]
        await asyncio.gather(*(write(journal, table, 8) for table in tables))
        for table in tables:
            assert await journal.load(table) == bodies(table, 8)

    tell(story)


def test_entries_of_one_table_asked_for_at_once_are_kept_in_the_order_of_asking(tell: Tell) -> None:
    async def story(journal: Journal, _: WallClock) -> None:
        epoch = await claim(journal, "AAAA", "one", HOUR)
        await asyncio.gather(*(journal.append("AAAA", epoch, seq, body("AAAA", seq)) for seq in range(1, 21)))
        assert await journal.load("AAAA") == bodies("AAAA", 20)

    tell(story)


def test_one_wrong_entry_among_many_fails_alone(tell: Tell) -> None:
    async def story(journal: Journal, _: WallClock) -> None:
        good = {table: await claim(journal, table, "one", HOUR) for table in ("AAAA", "AAAB", "AAAC")}
        outcomes = await asyncio.gather(
            journal.append("AAAA", good["AAAA"], 1, body("AAAA", 1)),
            journal.append("AAAA", good["AAAA"], 1, b"again"),
            journal.append("AAAB", good["AAAB"] + 100, 1, b"fenced"),
            journal.append("AAAB", good["AAAB"], 1, body("AAAB", 1)),
            claim(journal, "AAAC", "two", HOUR),
            journal.append("AAAC", good["AAAC"], 1, body("AAAC", 1)),
            return_exceptions=True,
        )
        assert [type(outcome) for outcome in outcomes] == [
            type(None),
            SequenceConflict,
            Fenced,
            type(None),
            Leased,
            type(None),
        ]
        for table in good:
            assert await journal.load(table) == bodies(table, 1)

    tell(story)


def test_who_stops_waiting_for_an_append_harms_nobody(tell: Tell) -> None:
    async def story(journal: Journal, _: WallClock) -> None:
        epoch = await claim(journal, "AAAA", "one", HOUR)
        other = await claim(journal, "AAAB", "one", HOUR)
        given_up = asyncio.ensure_future(journal.append("AAAA", epoch, 1, body("AAAA", 1)))
        await asyncio.sleep(0)
        given_up.cancel()
        await journal.append("AAAB", other, 1, body("AAAB", 1))
        assert await journal.load("AAAB") == bodies("AAAB", 1)
        kept = len(await journal.load("AAAA"))  # it may be there or not, and one can go on from either
        await journal.append("AAAA", epoch, kept + 1, body("AAAA", kept + 1))
        assert await journal.load("AAAA") == bodies("AAAA", kept + 1)

    tell(story)


def test_a_check_of_a_sound_journal_passes(tell: Tell) -> None:
    async def story(journal: Journal, _: WallClock) -> None:
        await journal.check()
        await journal.check()

    tell(story)


def test_all_is_there_after_closing_and_opening_again(tell: Tell) -> None:
    async def story(journal: Journal, _: WallClock) -> None:
        epoch = await write(journal, "AAAA", 4)
        await journal.append("AAAA", epoch, 5, body("AAAA", 5), StoredReplay("r1", "record"))
        await journal.note_clocks("one", {"AAAA": Clock(5, 400)})
        await journal.close()
        await journal.open()
        assert await journal.load("AAAA") == bodies("AAAA", 5)
        assert await journal.clock("AAAA") == Clock(5, 400)
        assert await journal.replay("r1") == "record"
        assert await claim(journal, "AAAA", "one", HOUR) > epoch

    tell(story)


def test_a_closed_journal_does_nothing_and_says_so(tell: Tell) -> None:
    async def story(journal: Journal, _: WallClock) -> None:
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
