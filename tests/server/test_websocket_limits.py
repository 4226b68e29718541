"""How many there may be, how fast, how much: whoever is one too many is told so, and nobody else notices."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress

import pytest
import websockets

from flipdeck.server.config import Config
from flipdeck.server.identity import new_code, new_replay_name, new_token
from flipdeck.server.journal.memory import MemoryJournal
from flipdeck.server.lobby import Lobby
from flipdeck.server.table.context import Context
from flipdeck.server.thinkers.inline import InlineThinkers
from flipdeck.server.transport import websocket
from flipdeck.wire import rest
from flipdeck.wire.errors import TableRefusal
from tests.server.by_hand import by_hand
from tests.server.running import Client, eventually, fingerprint, running
from tests.server.steered import live, steered_loop

ZALGO = "H" + "\u0301" * 400 + "i"


async def denied(connecting: Awaitable[Client]) -> tuple[int, str]:
    with pytest.raises(websockets.InvalidStatus) as refused:
        await connecting
    return refused.value.response.status_code, json.loads(refused.value.response.body)["code"]


# ---------------------------------------------------------------- how many
@live
async def test_so_many_connections_from_one_address_and_no_more() -> None:
    async with running(most_per_address=3) as server:
        code, _, (ana, _) = await server.seated()
        before = fingerprint(server.table(code))
        third = await server.greet(code)
        fourth = await server.connect()
        with suppress(websockets.ConnectionClosed):
            await fourth.send("hello", protocol=1, table=code)  # as a page does, before it knows
        assert await fourth.end() == ("limit", 1013)
        assert [message["type"] for message in fourth.told] == ["bye"]
        assert server.app.lobby.context.counters.connections == 3
        assert fingerprint(server.table(code)) == before
        await third.socket.close()
        await eventually(lambda: server.app.lobby.context.counters.connections == 2)
        assert (await server.greet(code)).table["watching"] == 1
        assert (await ana.command("ready"))["code"] == "not-now"


@live
async def test_so_many_connections_in_all_and_no_more() -> None:
    async with running(most_connections=2) as server:
        first, second = await server.connect(), await server.connect()
        assert await (await server.connect()).end() == ("limit", 1013)
        await second.socket.close()
        await eventually(lambda: server.app.lobby.context.counters.connections == 1)
        await server.connect()
        assert first.socket.close_code is None


@live
async def test_of_those_who_are_one_too_many_only_so_many_are_told_at_a_time() -> None:
    """The others get an answer that a browser can't read, and that costs nothing."""
    async with running(most_connections=1) as server, AsyncExitStack() as stack:
        await server.connect()
        for _ in range(websocket.MOST_REJECTED_PER_ADDRESS):
            await stack.enter_async_context(by_hand(server))  # they don't read it, and stay
        assert await denied(server.connect()) == (503, "limit")
        await stack.aclose()
        await eventually(lambda: not server.app._sockets._all_rejected)
        assert await (await server.connect()).end() == ("limit", 1013)
        assert server.app.lobby.context.counters.connections == 1


@live
async def test_who_comes_while_the_server_stops_is_told_that_it_does() -> None:
    async with running() as server:
        server.app.lobby.closing = True
        assert await (await server.connect()).end() == ("shutting-down", 1012)


@live
async def test_a_page_of_somebody_else_is_not_even_told() -> None:
    async with running(most_connections=1) as server:
        await server.connect()
        assert await denied(server.connect(origin="https://evil.example")) == (403, "bad-origin")


@live
async def test_so_many_look_on_and_no_more_but_players_always_find_room() -> None:
    async with running(most_watchers=2) as server:
        code, tokens, _ = await server.seated()
        before = fingerprint(server.table(code))
        watchers = [await server.greet(code) for _ in range(2)]
        third = await server.connect()
        await third.send("hello", protocol=1, table=code)
        refused = await third.until("refused")
        assert (refused["code"], refused["facts"]) == ("limit", {"what": "spectators"})
        assert await third.end() == (None, 1013)
        assert (await server.greet(code, tokens[0])).view is not None
        assert fingerprint(server.table(code)) == before
        await watchers[0].socket.close()
        await eventually(lambda: server.table(code).info.watching == 1)
        assert (await server.greet(code)).table["watching"] == 2


@live
async def test_many_who_greet_at_once_are_not_let_in_beyond_the_limit() -> None:
    async with running(most_watchers=2) as server:
        code, _, _ = await server.seated()
        crowd = [await server.connect() for _ in range(10)]
        await asyncio.gather(*(each.send("hello", protocol=1, table=code) for each in crowd))
        answers = [(await each.until("welcome", "refused"))["type"] for each in crowd]
        assert answers.count("welcome") == 2


@live
async def test_a_table_for_its_players_only_has_nobody_look_on() -> None:
    async with running() as server:
        code, tokens, _ = await server.seated(watchers=False)
        curious = await server.connect()
        await curious.send("hello", protocol=1, table=code)
        assert (await curious.until("refused"))["code"] == "no-watchers"
        assert await curious.end() == (None, 1008)
        assert (await server.greet(code, tokens[1])).view is not None


@live
async def test_so_many_tables_and_no_more() -> None:
    async with running(most_tables=2) as server:
        seated = [await server.make() for _ in range(2)]
        answer = await server.http.post("/api/tables", json={"name": "Ana"})
        assert (answer.status_code, answer.json()["code"]) == (503, "limit")
        assert set(server.app.lobby.tables) == {each["code"] for each in seated}
        assert (await server.join(seated[0]["code"]))["seat"] == 1


@live
async def test_one_address_makes_so_many_tables_at_once_and_then_has_to_wait() -> None:
    async with running() as server:
        steered_loop().stop_clock()
        answers = [await server.http.post("/api/tables", json={"name": "Ana"}) for _ in range(25)]
        assert [answer.status_code for answer in answers] == [201] * 20 + [429] * 5
        steered_loop().advance(2.0)
        again = await server.http.post("/api/tables", json={"name": "Ana"})
        assert again.status_code == 201
        assert answers[-1].json()["code"] == "too-fast"


# ---------------------------------------------------------------- chat
@live
async def test_chat_that_comes_too_fast_is_refused_and_nothing_worse() -> None:
    async with running() as server:
        code, _, (ana, ben) = await server.seated()
        before = fingerprint(server.table(code))
        steered_loop().stop_clock()
        for number in range(8):
            await ana.send("chat", text=f"line {number}")
        for _ in range(8):
            await ana.send("emote", emote="wow")
        refused = [await ana.until("refused") for _ in range(11)]
        assert {message["code"] for message in refused} == {"too-fast"}
        assert [(await ben.until("said"))["text"] for _ in range(5)] == [f"line {number}" for number in range(5)]
        assert fingerprint(server.table(code)) == before
        assert (await ana.command("ready"))["code"] == "not-now"
        assert not [message for message in ben.told if message["type"] == "emoted"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("  well\u202e played\x00\r\n\x1b[31m ", "well played [31m"),
        ("x" * 1000, "x" * 300),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        (ZALGO, "H\u0301\u0301\u0301i"),
    ],
)
@live
async def test_chat_is_cleaned_and_shortened(text: str, shown: str) -> None:
    async with running() as server:
        code, _, (ana, ben) = await server.seated()
        await ana.send("chat", text=text)
        said = await ben.until("said")
        assert said == {"type": "said", "seat": 0, "name": "Ana", "text": shown}
        assert (await server.greet(code)).told[0]["chat"] == [said]


@live
async def test_chat_of_nothing_is_not_said_and_too_much_is_not_read() -> None:
    async with running() as server:
        _, _, (ana, ben) = await server.seated()
        await ana.send("chat", text="\u200b\u202e\x07 ")
        assert await ana.refusal(json.dumps({"type": "chat", "text": "x" * 1001})) == "bad-message"
        await ana.send("chat", text="now")
        assert (await ben.until("said"))["text"] == "now"


@live
async def test_where_there_is_no_chat_nobody_talks() -> None:
    async with running() as server:
        _, _, (ana, ben) = await server.seated(chat=False)
        assert await ana.refusal('{"type":"chat","text":"psst"}') == "chat-off"
        assert await ana.refusal('{"type":"emote","emote":"wow"}') == "chat-off"
        assert (await ben.command("ready"))["code"] == "not-now"
        assert not {message["type"] for message in ben.told} & {"said", "emoted"}


# ---------------------------------------------------------------- guessing
async def refused_with(asking: Awaitable[object]) -> str:
    with pytest.raises(TableRefusal) as refused:
        await asking
    return str(refused.value.code)


@pytest.mark.parametrize("what", ["code", "replay", "secret"])
@live
async def test_after_a_few_wrong_guesses_an_address_has_to_wait_and_no_other_does(what: str) -> None:
    steered_loop().stop_clock()
    journal = MemoryJournal()
    await journal.open()
    lobby = Lobby(Context(journal, InlineThinkers()), Config())
    seated = await lobby.make(rest.NewTable("Ana"), "10.0.0.1")
    guesses: dict[str, Callable[[str], Awaitable[object]]] = {
        "code": lambda address: lobby.find(new_code(), address),
        "replay": lambda address: lobby.replay(new_replay_name(), address),
        "secret": lambda address: lobby.redeem(rest.Redeem(new_token()), address),
    }
    answers = [await refused_with(guesses[what]("10.6.6.6")) for _ in range(50)]
    wrong = {"code": "no-table", "replay": "no-replay", "secret": "bad-token"}[what]
    assert answers == [wrong] * 11 + ["too-fast"] * 39
    assert await refused_with(guesses[what]("10.0.0.2")) == wrong
    assert (await lobby.find(seated.code, "10.6.6.6")).state.code == seated.code  # somebody else behind that address
    await lobby.close()


@live
async def test_whoever_guesses_tokens_has_to_wait_too_and_harms_nobody() -> None:
    async with running() as server:
        code, tokens, _ = await server.seated()
        before = fingerprint(server.table(code))
        steered_loop().stop_clock()
        answers = []
        for _ in range(30):
            guesser = await server.connect()
            await guesser.send("hello", protocol=1, table=code, token=new_token())
            answers.append((await guesser.until("refused"))["code"])
            assert await guesser.end() == (None, 1013 if answers[-1] == "too-fast" else 1008)
        assert answers[0] == "bad-token"
        assert answers[-1] == "too-fast"
        assert answers.count("bad-token") <= 22  # ten are free, and as many once more
        assert fingerprint(server.table(code)) == before
        assert len(server.table(code).connections) == 2
        own = await server.greet(code, tokens[0])  # from the same address, with a right one
        assert own.told[0]["type"] == "welcome"
