"""What a server keeps back while a match is played: on the line, over HTTP, and in its logs always."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import httpx
import msgspec
import pytest

from flipdeck.core.seeds import commitment_of
from flipdeck.server import identity
from flipdeck.server.app import make_app
from flipdeck.server.config import Config
from flipdeck.server.journal.memory import MemoryJournal
from flipdeck.server.lobby import Lobby
from flipdeck.server.logs import JsonLines, PlainLines
from flipdeck.server.table import bot_driver
from flipdeck.server.table.context import Context
from flipdeck.server.thinkers.inline import InlineThinkers
from flipdeck.server.transport.session import ClientSession
from flipdeck.wire import rest
from flipdeck.wire.errors import TableRefusal
from flipdeck.wire.parts import Settings
from tests.server.outbox import LocalConnection

from . import virtual
from .hearing import receive
from .outbox import Message
from .simulated import LineQuality, SimulatedClient, just_play

# ---------------------------------------------------------------- a whole match, with logs
NAMES, ADDRESS, CHAT = ("Zacharias", "Yolanthe"), "198.51.100.77", "zanzibar"
SETTINGS = Settings(options={"hand_size": 5, "target": 500}, seats=3, speed="fast", public=True, next_round_seconds=3)


class Host(SimulatedClient):
    """Keeps all it is told, starts the match, and says something."""

    told: list[Message]

    def hear(self, message: Message) -> None:
        self.told.append(message)
        super().hear(message)


def start_then_play(client: SimulatedClient) -> Message | None:
    if client.table is not None and client.table["phase"] == "waiting":
        return {"type": "start"}
    return just_play(client)


class WholeMatch:
    """Two people, a bot and somebody who looks on, from the first card to the last; the journal fails at times."""

    def __init__(self, name: str) -> None:
        self.dice = Random(name)
        self.tokens: list[str] = []
        self.told: list[Message] = []
        self.kept_back = 0  # how often a replay was asked for and refused
        self._writes, self._failing = 0, False

    async def play(self) -> None:
        self.lobby = Lobby(Context(MemoryJournal(fail=self._fails), InlineThinkers(1)), Config(lease_seconds=1e9))
        await self.lobby.context.journal.open()
        seated = await self.lobby.make(rest.NewTable(NAMES[0], SETTINGS, {"2": "casual"}), ADDRESS)
        joined = await self.lobby.join(seated.code, rest.Join(NAMES[1]), ADDRESS)
        self.tokens = [seated.token, joined.token]
        self.table = self.lobby.tables[seated.code]
        self._failing = True
        line = LineQuality(lose=0.02, double=0.05)
        clients = [Host(lambda: self.lobby, seated.code, token, line, self.dice) for token in (*self.tokens, None)]
        for client in clients:
            client.told = self.told
        clients[0].wants = start_then_play
        lives = [asyncio.get_running_loop().create_task(client.live()) for client in clients]
        await self._misbehave(seated)
        await asyncio.wait_for(self._watch(), 4 * 3600)
        await asyncio.sleep(5)
        for client in clients:
            client.stop()
        await asyncio.gather(*lives)
        self._failing = False
        await self.lobby.close()

    def _fails(self) -> bool:
        self._writes += 1
        return self._failing and self._writes % 20 == 0

    async def _misbehave(self, seated: rest.Seated) -> None:
        """What should not get into a log either: a token in a bad message, a guess, chat, a move that can't be read."""
        for token in (seated.token, identity.new_token()):
            session = ClientSession(self.lobby, LocalConnection(ADDRESS, lambda: None))
            await receive(session, f'{{"type":"hello","tokn":"{seated.token}"}}')
            await receive(session, json.dumps({"type": "hello", "protocol": 1, "table": seated.code, "token": token}))
            await receive(session, json.dumps({"type": "chat", "text": CHAT}))
            await receive(session, json.dumps({"type": "move", "cmd_id": "x", "version": 1, "move": "R7/O1"}))
            await asyncio.sleep(0.1)
            session.end()

    async def _watch(self) -> None:
        state = self.table.state
        for number in range(10**6):
            if state.phase == "over":
                return
            with pytest.raises(TableRefusal) as refusal:
                await self.lobby.replay(state.replay, f"10.0.{number // 250}.{number % 250}")
            assert refusal.value.code == "no-replay"
            info = msgspec.json.encode([self.table.info, self.lobby.public()]).decode()
            assert state.seed.hex() not in info
            assert state.replay not in info
            self.kept_back += 1
            await asyncio.sleep(0.3)


@pytest.fixture
def the_same_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    dice = Random("the same")
    monkeypatch.setattr(identity, "new_seed", lambda: dice.randbytes(32))
    monkeypatch.setattr(identity, "new_code", lambda: "K7QM2XRD")  # bots have their dice by it
    monkeypatch.setattr(bot_driver, "_dice", dice)


class Kept(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


@contextmanager
def all_logs() -> Iterator[list[logging.LogRecord]]:
    """Whatever any logger of the process says, at every level."""
    handler = Kept()
    root = logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        yield handler.records
    finally:
        root.removeHandler(handler)
        root.setLevel(before)


def secrets_in(text: str, played: WholeMatch) -> list[str]:
    state = played.table.state
    code = state.code
    texts = [*played.tokens, *map(identity.hash_token, played.tokens), code, identity.shown_code(code), *NAMES, ADDRESS]
    texts += [CHAT, state.seed.hex(), state.replay]
    cards = re.findall(r"\b(?:[RYGB][0-9A-Z+]{1,2}|W(?:\+\w)?)/\S+|\b[RYGBPOTV](?:[0-9SRFE]|\+\d)\b|\bW\+[2C]", text)
    return [secret for secret in texts if secret.lower() in text.lower()] + cards


@pytest.mark.usefixtures("the_same_each_time")
def test_no_log_of_a_whole_match_names_a_card_or_anybody() -> None:
    played = WholeMatch("logs")
    with all_logs() as records:
        virtual.run(played.play())
    lines = [layout.format(record) for record in records for layout in (JsonLines(), PlainLines())]
    events = {record.msg for record in records}
    assert {"table-made", "journal-failed"} <= events, "there was too little to write down"
    for line in lines:
        assert not secrets_in(line, played), line
    for leak in (played.tokens[1], played.table.state.code.lower(), "yolanthe", "R7", "W+C", "move W/O1", CHAT):
        assert secrets_in(f"something {leak} else", played), f"{leak} would not be found"


@pytest.mark.usefixtures("the_same_each_time")
def test_the_seed_and_the_replay_are_kept_back_until_the_match_is_over() -> None:
    played = WholeMatch("kept back")
    virtual.run(played.play())
    state = played.table.state
    assert played.kept_back > 20
    secrets = (state.seed.hex(), state.replay)
    phases = {True: set[Any](), False: set[Any]()}
    for message in played.told:
        table = message.get("table") or {}
        text = json.dumps(message)
        phases[any(secret in text for secret in secrets)].add(table.get("phase"))
    assert phases[True] == {"over"}
    assert {"waiting", "playing", "between"} <= phases[False]
    fairness = played.told[0]["table"]["fairness"]
    assert fairness["commitment"] == commitment_of(state.seed)
    assert (fairness["seed"], fairness["secret"]) == (None, None)


def test_over_http_a_match_that_is_played_has_no_replay() -> None:
    async def story() -> None:
        app = make_app(Config(), journal=MemoryJournal(), thinkers=InlineThinkers())
        await app.lobby.context.journal.open()
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            body = {"name": "Ana", "settings": {"seats": 2, "public": True}, "bots": {"1": "casual"}, "start": True}
            seated = (await client.post("/api/tables", json=body)).json()
            state = app.lobby.tables[seated["code"]].state
            assert state.phase == "playing"
            answer = await client.get(f"/api/replays/{state.replay}")
            assert (answer.status_code, answer.json()["code"]) == (404, "no-replay")
            for path in (f"/api/tables/{state.code}", "/api/tables", "/metrics", "/health"):
                text = (await client.get(path)).text
                assert text
                assert not {secret for secret in (state.seed.hex(), state.replay, seated["token"]) if secret in text}
        await app.lobby.close()

    asyncio.run(story())
