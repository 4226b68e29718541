"""A hundred thousand frames of nonsense: each is refused or ignored, and the table stays as it was."""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
import random
from collections import Counter
from collections.abc import Iterator

import pytest

from flipdeck.server.config import Config
from flipdeck.server.journal.memory import MemoryJournal
from flipdeck.server.lobby import Lobby
from flipdeck.server.table.actor import Table
from flipdeck.server.table.context import Context
from flipdeck.server.thinkers.inline import InlineThinkers
from flipdeck.server.transport import session
from flipdeck.server.transport.session import ClientSession
from flipdeck.wire import rest
from flipdeck.wire.parts import Settings
from tests.server.fuzzing import RawFrame, frames
from tests.server.outbox import LocalConnection
from tests.server.running import eventually, fingerprint, play, running
from tests.server.steered import live

from .hearing import receive

IN_ALL = 100_000
AT_ONCE = 50  # fewer than an outbox holds
OVER_A_SOCKET = 3_000
REFUSED = {  # what is understood and yet not done
    "guest": ["illegal-move", "not-host", "not-now", "not-your-turn", "stale-version", "too-fast", "bad-notation"],
    "watcher": ["not-seated"],
}
FROM_THE_TABLE = {"welcome", "refused", "presence", "said", "emoted", "ping"}


@pytest.fixture(autouse=True)
def no_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is about what is said here, and not about how fast."""
    monkeypatch.setattr(session, "_BURST", 10**9)


@pytest.fixture(autouse=True)
def nothing_goes_wrong(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    yield
    assert not [record for record in caplog.get_records("call") if record.levelno >= logging.WARNING]


class Listener:
    """The far end of a session without a socket."""

    def __init__(self, lobby: Lobby) -> None:
        self.types, self.codes = Counter[str](), Counter[str]()
        self.connection = LocalConnection("10.6.6.6", lambda: None)
        self.session = ClientSession(lobby, self.connection)
        self._hearing = asyncio.get_running_loop().create_task(self._hear())

    async def _hear(self) -> None:
        while (frame := await self.connection.next_frame()) is not None:
            message = json.loads(frame)
            self.types[message["type"]] += 1
            if message["type"] == "refused":
                self.codes[message["code"]] += 1

    async def end(self) -> None:
        self.session.end()
        await self._hearing


async def make_lobby() -> tuple[Lobby, Table, dict[str, str | None]]:
    """A table of two people in mid-game; the one of them who is not on turn and not the host, and somebody without."""
    journal = MemoryJournal()
    await journal.open()
    lobby = Lobby(Context(journal, InlineThinkers()), Config(messages_per_second=100_000))
    while True:
        host = await lobby.make(rest.NewTable("Ana", Settings(seats=2)), f"10.0.0.{len(lobby.tables)}")
        table = lobby.tables[host.code]
        guest = await lobby.join(host.code, rest.Join("Ben"), "10.0.0.1")
        starting = Listener(lobby)
        await receive(starting.session, greeting(host.code, host.token))
        await receive(starting.session, '{"type":"start","cmd_id":"go"}')
        await eventually(lambda table=table: table.state.phase == "playing")  # type: ignore[misc]  # of this turn
        if table.state.to_act == 0:  # the host stays: who is away can be stood in for
            return lobby, table, {"guest": guest.token, "watcher": None}
        await starting.end()


def greeting(code: str, token: str | None) -> str:
    return json.dumps({"type": "hello", "protocol": 1, "table": code, "token": token})


async def idle(table: Table) -> None:
    while table.busy:
        await asyncio.sleep(0)
    await asyncio.sleep(0)


def some(seed: int, count: int) -> Iterator[list[RawFrame]]:
    source = itertools.islice(frames(seed), count)
    while batch := list(itertools.islice(source, AT_ONCE)):
        yield batch


@pytest.mark.parametrize(("who", "seed"), [("guest", 1), ("watcher", 2)])
@live
async def test_a_hundred_thousand_frames_of_nonsense_change_nothing(who: str, seed: int) -> None:
    lobby, table, tokens = await make_lobby()
    listener = Listener(lobby)
    await receive(listener.session, greeting(table.state.code, tokens[who]))
    await idle(table)
    before = fingerprint(table)
    for batch in some(seed, IN_ALL // 2):
        for frame in batch:
            await receive(listener.session, frame)
        await idle(table)
        assert listener.connection.closing is None, batch
    assert fingerprint(table) == before
    assert set(listener.types) <= FROM_THE_TABLE
    assert listener.codes["bad-message"] > 0.6 * IN_ALL / 2
    assert set(listener.codes) == {"bad-message", "greet-first", *REFUSED[who]}
    await listener.end()
    await lobby.close()


@live
async def test_nonsense_instead_of_a_greeting_opens_no_table() -> None:
    lobby, table, _ = await make_lobby()
    before, ended = fingerprint(table), 0
    for frame in itertools.islice(frames(3), 5_000):
        listener = Listener(lobby)
        await receive(listener.session, frame)
        assert listener.session.table is None
        ended += listener.connection.closing is not None
        await listener.end()
        assert listener.types["welcome"] == 0
    assert ended > 100  # those that could be read
    assert fingerprint(table) == before
    assert len(table.connections) == 1
    await lobby.close()


@live
async def test_nonsense_over_a_real_socket_is_refused_while_the_others_play_on() -> None:
    async with running(messages_per_second=100_000) as server:
        code, _, clients = await server.seated()
        other_code, _, others = await server.seated()
        watcher = await server.greet(other_code)
        before = fingerprint(server.table(other_code))
        playing, versions = asyncio.create_task(play(clients, 100, random.Random(1))), []
        for batch in some(4, OVER_A_SOCKET):
            for frame in batch:
                await watcher.raw(frame)
            await watcher.send("ready", cmd_id="mark")
            await watcher.until("refused", cmd_id="mark")
            versions.append(server.table(code).state.version)
        assert versions[0] < versions[len(versions) // 2] < versions[-1] or playing.done(), "they had to wait"
        assert await playing == 100
        assert fingerprint(server.table(other_code)) == before
        codes = Counter(message["code"] for message in watcher.told if message["type"] == "refused")
        assert codes["bad-message"] > 0.6 * OVER_A_SOCKET
        heard = {message["type"] for each in others for message in each.told}
        assert heard <= FROM_THE_TABLE | {"update", "ack"}
