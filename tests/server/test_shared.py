"""What servers on one database share: asked by two, decided once."""

from __future__ import annotations

import asyncio

import pytest

from flipdeck.server import identity
from flipdeck.server.journal import Unavailable
from flipdeck.server.limits import GUESSES, TABLES_MADE, Backoff, TokenBucket
from flipdeck.server.shared import SEAT_SECONDS, TRANSFER_SECONDS
from flipdeck.server.shared import postgres as shared_postgres
from flipdeck.server.shared.postgres import PostgresShared

from .shared_states import SharedDatabase, tell_both
from .steered import steered_loop

HERE, THERE = "hash-of-an-address", "hash-of-another"


# ---------------------------------------------------------------- the key
def test_all_servers_of_a_database_have_the_key_of_the_first() -> None:
    async def story(database: SharedDatabase, one: PostgresShared, two: PostgresShared) -> None:
        del database
        keys = await asyncio.gather(*(each.settle_key(None, bytes([n]) * 32) for n, each in enumerate((one, two) * 4)))
        assert len(set(keys)) == 1
        assert keys[0] in [bytes([n]) * 32 for n in range(8)]

    tell_both(story)


def test_the_operators_key_is_not_stored_and_no_other_is_taken_beside_it() -> None:
    async def story(database: SharedDatabase, one: PostgresShared, two: PostgresShared) -> None:
        own = b"o" * 32
        assert await one.settle_key(own, b"n" * 32) == own
        assert await two.settle_key(own, b"m" * 32) == own
        assert (await database.tell("SELECT key FROM address_key"))[0]["key"] is None
        with pytest.raises(Unavailable, match=r"copy server\.key from one of them"):
            await two.settle_key(None, b"n" * 32)
        with pytest.raises(Unavailable, match="have another key than this one: copy"):
            await two.settle_key(b"x" * 32, b"n" * 32)

    tell_both(story)


def test_an_operators_key_that_comes_later_must_be_the_one_in_use() -> None:
    async def story(_: SharedDatabase, one: PostgresShared, two: PostgresShared) -> None:
        key = await one.settle_key(None, b"n" * 32)
        with pytest.raises(Unavailable, match=r"remove server\.key"):
            await two.settle_key(b"o" * 32, b"m" * 32)
        assert await two.settle_key(key, b"m" * 32) == key

    tell_both(story)


# ---------------------------------------------------------------- transfers
def test_a_transfer_that_one_server_gave_is_taken_once_at_any() -> None:
    async def story(database: SharedDatabase, one: PostgresShared, two: PostgresShared) -> None:
        secret = await one.give_transfer("TABLE", "seat")
        takers = [(one, "a"), (two, "b"), (one, "c"), (two, "d")]
        assert [await each.table_of_transfer(secret, "any") for each in (one, two, one)] == ["TABLE"] * 3
        assert await one.table_of_transfer("unknown", "any") is None
        found = await asyncio.gather(*(each.take_transfer(secret, token) for each, token in takers))
        assert [each for each in found if each is not None] == [("TABLE", "seat")], "of all at once one gets it"
        (winner,) = [token for (_, token), each in zip(takers, found, strict=True) if each is not None]
        assert await two.take_transfer(secret, winner) == ("TABLE", "seat"), "its answer may have been lost"
        assert await two.take_transfer(secret, "another") is None
        assert await one.table_of_transfer(secret, winner) == "TABLE"
        assert await one.table_of_transfer(secret, "another") is None
        assert await one.take_transfer("unknown", "a") is None
        stored = repr([dict(row) for row in await database.tell("SELECT * FROM used_transfers")])
        assert secret not in stored
        await database.pass_time(TRANSFER_SECONDS)
        assert await two.take_transfer(secret, winner) is None

    tell_both(story)


def test_a_seat_has_one_transfer_the_newest_and_it_ends() -> None:
    async def story(database: SharedDatabase, one: PostgresShared, two: PostgresShared) -> None:
        old, new, other = [await one.give_transfer("T", seat) for seat in ("0", "0", "1")]
        assert await two.take_transfer(old, "t") is None
        assert await two.take_transfer(new, "t") == ("T", "0")
        await database.pass_time(TRANSFER_SECONDS - 1)
        late = await one.give_transfer("T", "2")
        await database.pass_time(1)
        assert await two.take_transfer(other, "t") is None
        assert await two.take_transfer(late, "t") == ("T", "2")

    tell_both(story)


# ---------------------------------------------------------------- limits of an address
def test_wrong_guesses_at_two_servers_wait_as_long_as_at_one() -> None:
    """The statement is compared with the class that counts them at one server."""

    async def story(database: SharedDatabase, one: PostgresShared, two: PostgresShared) -> None:
        alone, now = Backoff(*GUESSES, most=10), 0.0
        for number, pause in enumerate([0] * 12 + [1, 0.5, 1, 5, 20, 0, 300, 300, 3, GUESSES.quiet, 0, 0]):
            now += pause
            await database.pass_time(pause)
            waits = alone.wait(HERE, now) > 0
            if not waits:
                alone.note_failure(HERE, now)
            guess = await (one, two)[number % 2].note_wrong_guess(HERE)
            assert guess.counts == (not waits), number
            assert guess.wait == pytest.approx(alone.wait(HERE, now), abs=0.001), number
        assert (await two.note_wrong_guess(THERE)).wait == 0

    tell_both(story)


def test_wrong_guesses_are_pardoned_once() -> None:
    async def story(_: SharedDatabase, one: PostgresShared, two: PostgresShared) -> None:
        for pardoned in (True, False):
            guesses = [await one.note_wrong_guess(HERE) for _ in range(GUESSES.free + 1)]
            assert guesses[-1].wait > 0
            await two.pardon(HERE)
            assert (await one.note_wrong_guess(HERE)).counts == pardoned

    tell_both(story)


def test_a_hundred_wrong_guesses_at_once_at_two_servers_count_together() -> None:
    async def story(_: SharedDatabase, one: PostgresShared, two: PostgresShared) -> None:
        guesses = await asyncio.gather(*((one, two)[n % 2].note_wrong_guess(HERE) for n in range(100)))
        assert sum(guess.counts for guess in guesses) == GUESSES.free + 1

    tell_both(story)


def test_tables_made_at_two_servers_are_as_many_as_at_one() -> None:
    async def story(database: SharedDatabase, one: PostgresShared, two: PostgresShared) -> None:
        made = await asyncio.gather(*((one, two)[n % 2].take_allowance(HERE) for n in range(60)))
        assert sum(made) == TABLES_MADE.burst
        assert await one.take_allowance(THERE)
        alone, now = TokenBucket(*TABLES_MADE), 0.0
        alone.take(now, TABLES_MADE.burst)
        for pause in (1.9, 0.2, 2, 1, 0, 10, 0, 0, 0, 0, 0, 0, 100, 0):
            now += pause
            await database.pass_time(pause)
            assert await two.take_allowance(HERE) == alone.take(now), now

    tell_both(story)


def test_seats_at_public_tables_are_counted_over_all_servers_and_a_race_wins_nothing() -> None:
    async def story(database: SharedDatabase, one: PostgresShared, two: PostgresShared) -> None:
        taken = await asyncio.gather(*((one, two)[n % 2].take_public_seat(HERE, f"T{n}", 3, ()) for n in range(20)))
        assert sum(taken) == 3
        there = [f"T{n}" for n in range(20) if taken[n]]
        assert await two.take_public_seat(HERE, there[0], 3, ()), "at the same table, a family may sit"
        assert await two.take_public_seat(THERE, "T9", 3, ())
        assert not await two.take_public_seat(HERE, "NEW", 3, ())
        assert await two.take_public_seat(HERE, "NEW", 3, [there[0]]), "it has left one"
        assert not await one.take_public_seat(HERE, "NEWER", 3, ())
        await one.note_public_seats({}, {HERE: {"NEW"}})
        assert await one.take_public_seat(HERE, "NEWER", 3, ())
        await database.pass_time(SEAT_SECONDS / 2)
        await two.note_public_seats({HERE: {"NEWER"}, THERE: {"T9"}}, {})
        await database.pass_time(SEAT_SECONDS / 2 + 1)
        assert [await one.take_public_seat(HERE, f"N{n}", 3, ()) for n in range(3)] == [True, True, False]

    tell_both(story)


def test_what_addresses_are_noted_for_never_refuses_them_what_they_have() -> None:
    async def story(_: SharedDatabase, one: PostgresShared, two: PostgresShared) -> None:
        await one.note_public_seats({HERE: {f"T{n}" for n in range(5)}, THERE: {"T0"}}, {})
        await two.note_public_seats({HERE: {"T9"}}, {THERE: {"T0"}})
        assert not await two.take_public_seat(HERE, "NEW", 6, ())
        assert await two.take_public_seat(HERE, "NEW", 7, ())
        assert await two.take_public_seat(THERE, "T1", 1, ())

    tell_both(story)


# ---------------------------------------------------------------- public tables and chores
def test_listings_are_those_of_servers_that_live_and_go_on() -> None:
    async def story(database: SharedDatabase, one: PostgresShared, two: PostgresShared) -> None:
        journal = database.journal
        for node in ("A", "B"):
            await journal.begin_lease(node, 10)
        await one.publish("A", b"of A")
        await two.publish("B", b"of B")
        await one.publish("A", b"of A again")
        assert (await one.published("A"), await two.published("B")) == ([b"of B"], [b"of A again"])
        await journal.note_draining("B")
        assert await one.published("A") == []
        await database.pass_time(11)
        assert await two.published("B") == []

    tell_both(story)


def test_a_chore_is_done_by_one_server_at_a_time_and_when_it_is_due() -> None:
    async def story(database: SharedDatabase, one: PostgresShared, two: PostgresShared) -> None:
        for node in ("A", "B"):
            await database.journal.begin_lease(node, 1000)
        begun = await asyncio.gather(one.begin_chore("c", "A", 60, 30), two.begin_chore("c", "B", 60, 30))
        assert sorted(begun) == [False, True]
        winner, loser = ("A", "B") if begun[0] else ("B", "A")
        await database.pass_time(29)
        assert not await two.begin_chore("c", loser, 60, 30)
        assert await two.begin_chore("c", winner, 60, 30), "it begins again"
        await one.end_chore("c", winner, 60)
        await database.pass_time(59)
        assert not await two.begin_chore("c", loser, 60, 30), "it was done"
        await database.pass_time(1)
        assert await two.begin_chore("c", loser, 60, 30)
        await database.pass_time(30)
        assert await two.begin_chore("c", winner, 60, 30), "it took too long"
        await database.journal.end_lease(winner)
        assert await two.begin_chore("c", loser, 60, 30), "a server that is gone does nothing"

    tell_both(story)


def test_a_clock_that_was_set_back_keeps_no_chore_and_nobody_waiting() -> None:
    async def story(database: SharedDatabase, one: PostgresShared, two: PostgresShared) -> None:
        del two
        for node in ("A", "B"):
            await database.journal.begin_lease(node, 1000)
        assert await one.begin_chore("c", "A", 60, 30)
        await one.end_chore("c", "A", 60)
        for _ in range(GUESSES.free + 6):
            await one.note_wrong_guess(HERE)
            await database.pass_time(40)
        await database.pass_time(-100_000)
        for node in ("A", "B"):
            await database.journal.begin_lease(node, 1000)
        assert await one.begin_chore("c", "B", 60, 30)
        assert (await one.note_wrong_guess(HERE)).counts
        assert await one.take_public_seat(HERE, "T", 1, ())
        assert await one.take_allowance(HERE)

    tell_both(story)


def test_what_has_ended_is_swept_and_what_is_too_much_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = ("transfers", "used_transfers", "guesses", "allowances", "public_seats", "listings")

    async def fill(one: PostgresShared, count: int) -> None:
        for number in range(count):
            secret = await one.give_transfer("T", f"{number}")
            await one.give_transfer("T", f"{number} still")
            await one.take_transfer(secret, "token")
            await one.note_wrong_guess(f"{number}")
            await one.take_allowance(f"{number}")
            await one.take_public_seat(f"{number}", "T", 3, ())
        await one.publish("gone", b"")

    async def story(database: SharedDatabase, one: PostgresShared, two: PostgresShared) -> None:
        await fill(one, 5)
        await two.sweep()
        assert [await database.count(kind) for kind in kinds] == [5, 5, 5, 5, 5, 0]
        monkeypatch.setattr(shared_postgres, "MOST_ROWS", 3)
        await two.sweep()
        assert [await database.count(kind) for kind in kinds] == [3, 3, 3, 3, 3, 0]
        await database.pass_time(GUESSES.quiet)
        await two.sweep()
        assert [await database.count(kind) for kind in kinds] == [0] * 6

    tell_both(story)


# ---------------------------------------------------------------- a database that is slow
def test_whoever_asks_a_slow_database_does_not_wait_long_and_the_next_not_at_all() -> None:
    async def story(database: SharedDatabase, one: PostgresShared, two: PostgresShared) -> None:
        del database
        loop = steered_loop()
        assert await one.take_allowance(HERE)
        loop.run_clock(50.0)
        began = loop.time()
        with pytest.raises(Unavailable, match="not answer in time"):
            await one._fetch("SELECT pg_sleep(60)")
        assert loop.time() - began >= shared_postgres.ANSWER_SECONDS
        loop.stop_clock()
        with pytest.raises(Unavailable, match="next try comes soon"):
            await one.take_allowance(HERE)
        assert await two.take_allowance(HERE)
        loop.run_clock()
        await asyncio.sleep(shared_postgres.REST_SECONDS)
        assert await one.take_allowance(HERE)

    tell_both(story)


def test_a_secret_is_as_hard_to_guess_as_a_token() -> None:
    async def story(_: SharedDatabase, one: PostgresShared, two: PostgresShared) -> None:
        del two
        secret = await one.give_transfer("T", "0")
        assert len(secret) == len(identity.new_token())

    tell_both(story)
