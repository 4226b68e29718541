"""Whoever shares an address with a guesser (NAT) is served, however much is guessed, and the guesser gains nothing."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from flipdeck.server import lobby
from flipdeck.server.identity import new_code, new_replay_name, new_token
from flipdeck.server.journal.memory import MemoryJournal
from flipdeck.server.limits import TokenBuckets
from flipdeck.server.waiting_lines import WaitingLines
from tests.server.running import Running, eventually, running
from tests.server.steered import live, steered_loop

HERE = "127.0.0.1"
GUESSED_REQUESTS = 1_500  # an address may make 1,200 requests at once
GUESSED_HELLOS = 250  # … and say hello 200 times
AT_ONCE = 20


class CountedJournal(MemoryJournal):
    """Counts how many codes are looked up, and how many at a time."""

    def __init__(self) -> None:
        super().__init__()
        self.lookups = self.now = self.most = 0

    async def first(self, table: str) -> bytes | None:
        self.lookups += 1
        self.now += 1
        self.most = max(self.most, self.now)
        await asyncio.sleep(0)
        self.now -= 1
        return await super().first(table)


async def say_hello(server: Running, code: str, token: str) -> str:
    """The refusal of a wrong hello."""
    client = await server.connect()
    await client.send("hello", protocol=1, table=code, token=token)
    refused = await client.until("refused")
    await client.end()
    return str(refused["code"])


async def guess_codes(server: Running, count: int) -> Counter[str]:
    answers: Counter[str] = Counter()
    for _ in range(count // AT_ONCE):
        asked = [server.http.get(f"/api/tables/{new_code()}") for _ in range(AT_ONCE)]
        answers.update(answer.json()["code"] for answer in await asyncio.gather(*asked))
    return answers


async def guess_tokens(server: Running, code: str, count: int) -> Counter[str]:
    return Counter([await say_hello(server, code, new_token()) for _ in range(count)])


async def check_served(server: Running, code: str, token: str) -> None:
    """Everything that somebody with a link or a seat does."""
    assert (await server.http.get("/")).status_code == 200
    answer = await server.http.get(f"/api/tables/{code}")
    assert answer.status_code == 200, answer.text
    assert (await server.http.get(f"/api/tables/{code}/invite.svg")).status_code == 200
    ana = await server.greet(code, token)
    ben = await server.join(code, f"Guest {new_code()[:4]}")
    await server.greet(code, ben["token"])
    assert (await ana.command("ready"))["code"] == "not-now"


@asynccontextmanager
async def guessed_at(journal: MemoryJournal) -> AsyncIterator[tuple[Running, str, str]]:
    """A server with a table, and a clock that stands: nothing refills, no wait ends."""
    async with running(journal) as server:
        host = await server.make(seats=10)
        steered_loop().stop_clock()
        yield server, host["code"], host["token"]


def left(buckets: TokenBuckets) -> float:
    """How much an address has left."""
    return next(amount for amount in range(2_000, -1, -1) if buckets.take(HERE, steered_loop().time(), amount))


# ---------------------------------------------------------------- those who are right
@live
async def test_wrong_codes_use_up_nothing_that_others_behind_the_address_need() -> None:
    async with guessed_at(MemoryJournal()) as (server, code, token):
        assert (await guess_codes(server, GUESSED_REQUESTS))["too-fast"] >= GUESSED_REQUESTS - 50
        await check_served(server, code, token)
        await guess_codes(server, GUESSED_REQUESTS)  # the first right code pardons, the second does not
        await check_served(server, code, token)


@live
async def test_wrong_hellos_use_up_nothing_that_others_behind_the_address_need() -> None:
    async with guessed_at(MemoryJournal()) as (server, code, token):
        answers = await guess_tokens(server, code, GUESSED_HELLOS)
        assert answers["too-fast"] >= GUESSED_HELLOS - 25
        answers = Counter([await say_hello(server, new_code(), new_token()) for _ in range(GUESSED_HELLOS)])
        assert answers["too-fast"] >= GUESSED_HELLOS - 25
        await check_served(server, code, token)


@live
async def test_so_many_wrong_hellos_that_their_messages_and_handshakes_would_not_be_allowed_harm_nobody() -> None:
    async with guessed_at(MemoryJournal()) as (server, code, token):
        limits = server.app.lobby.rate_limits
        now = steered_loop().time()
        assert limits.requests.take(HERE, now, 1_100)  # as if others were busy
        assert limits.messages.take(HERE, now, 750)
        assert (await guess_tokens(server, code, 150))["too-fast"] >= 125
        await check_served(server, code, token)


@live
async def test_after_a_restart_the_right_ones_are_served_too() -> None:
    journal = MemoryJournal()
    async with guessed_at(journal) as (_, code, token):
        pass
    async with running(journal) as server:
        steered_loop().stop_clock()
        await guess_codes(server, GUESSED_REQUESTS)
        await guess_tokens(server, code, 1)
        assert code in server.app.lobby.tables
    async with running(journal) as server:
        steered_loop().stop_clock()
        await guess_codes(server, GUESSED_REQUESTS)
        assert Counter([await say_hello(server, new_code(), token) for _ in range(GUESSED_HELLOS)])["too-fast"] > 225
        assert code not in server.app.lobby.tables
        await check_served(server, code, token)


@live
async def test_wrong_replays_and_transfers_use_up_nothing_either() -> None:
    async with guessed_at(MemoryJournal()) as (server, code, token):
        before = left(server.app.lobby.rate_limits.requests)
        server.app.lobby.rate_limits.requests.give_back(HERE, before)
        for _ in range(100):
            await server.http.get(f"/api/replays/{new_replay_name()}/match")
            await server.http.get(f"/api/replays/{new_replay_name()}")
            await server.http.post("/api/transfers", json={"secret": new_token()})
        assert left(server.app._http._lobby.rate_limits.requests) == before
        server.app.lobby.rate_limits.requests.give_back(HERE, before)
        ana = await server.greet(code, token)
        moved = await ana.command("transfer")
        answer = await server.http.post("/api/transfers", json={"secret": moved["secret"]})
        assert answer.status_code == 201, answer.text


# ---------------------------------------------------------------- those who guess
@live
async def test_guesses_are_looked_up_one_at_a_time_and_beyond_a_short_line_not_at_all() -> None:
    journal = CountedJournal()
    async with guessed_at(journal) as (server, code, _):
        await guess_codes(server, 40)
        journal.lookups = journal.most = 0
        turn = await server.app.lobby.doubtful_requests.enter(f"{HERE} tables")  # a lookup that takes long
        assert turn is not None
        waiting = [asyncio.create_task(server.http.get(f"/api/tables/{new_code()}")) for _ in range(lobby.MOST_WAITING)]
        await eventually(lambda: _is_full(server.app.lobby.doubtful_requests))
        for _ in range(100):
            answer = await server.http.get(f"/api/tables/{new_code()}")
            assert (answer.status_code, answer.json()["code"]) == (429, "too-fast")
        assert journal.lookups == 0
        assert (await server.http.get(f"/api/tables/{code}")).status_code == 200  # nothing has to be looked up
        turn()
        assert {answer.json()["code"] for answer in await asyncio.gather(*waiting)} <= {"too-fast", "no-table"}
        assert (journal.lookups, journal.most) == (lobby.MOST_WAITING, 1)
        assert len(server.app.lobby.doubtful_requests) == 0


@live
async def test_handshakes_of_a_guesser_come_a_few_at_a_time_and_who_says_hello_or_goes_makes_room() -> None:
    async with guessed_at(MemoryJournal()) as (server, code, token):
        await guess_codes(server, 40)
        lines = server.app.lobby.doubtful_handshakes
        silent = [await server.connect() for _ in range(lobby.HANDSHAKES_AT_ONCE)]
        waiting = asyncio.create_task(server.greet(code, token))
        await eventually(lambda: lines._lines[HERE].there == lobby.HANDSHAKES_AT_ONCE + 1)
        assert not waiting.done()
        await silent[0].socket.close()
        await waiting
        ben = await server.join(code)
        assert (await server.greet(code, ben["token"])).version  # whoever said hello before is not in the line any more
        for client in silent[1:]:
            await client.socket.close()
        await eventually(lambda: len(lines) == 0)


@live
async def test_wrong_guesses_earn_nobody_more_requests() -> None:
    async with guessed_at(MemoryJournal()) as (server, _, _):
        requests = server.app.lobby.rate_limits.requests
        await guess_codes(server, 40)
        requests.take(HERE, steered_loop().time(), left(requests))
        before = left(requests)
        requests.give_back(HERE, 30)
        await guess_codes(server, 200)
        for _ in range(10):
            await say_hello(server, new_code(), new_token())
        assert left(requests) == before + 30


# ---------------------------------------------------------------- lines
def _is_full(lines: WaitingLines) -> bool:
    return any(line.there == lines._most for line in lines._lines.values())


@live
async def test_in_a_line_each_has_a_turn_and_one_too_many_is_refused() -> None:
    lines, order = WaitingLines(1, 2), []

    async def come(name: str) -> None:
        end = await lines.enter("key")
        order.append(name if end else f"not {name}")
        if end is not None:
            await asyncio.sleep(0)
            end()
            end()

    await asyncio.gather(*(come(name) for name in "abcd"))
    assert sorted(order) == ["a", "b", "c", "not d"]
    assert [name for name in order if len(name) == 1] == ["a", "b", "c"]
    assert len(lines) == 0


@live
async def test_who_gives_up_waiting_leaves_the_line() -> None:
    lines = WaitingLines(1, 1)
    end = await lines.enter("key")
    assert end is not None
    waiting = asyncio.create_task(lines.enter("key"))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    next_in_line = asyncio.create_task(lines.enter("key"))
    end()
    ended: Callable[[], None] | None = await next_in_line
    assert ended is not None
    ended()
    assert len(lines) == 0


def test_what_is_given_back_never_makes_more_than_a_burst() -> None:
    buckets = TokenBuckets(1, 5, 10)
    buckets.give_back("nobody")
    assert buckets.take("key", 0.0, 3)
    buckets.give_back("key", 1)
    assert not buckets.take("key", 0.0, 4)
    buckets.give_back("key", 100)
    assert buckets.take("key", 0.0, 5)
    assert not buckets.take("key", 0.0, 1)
