"""Clients at the end of a bad line, over virtual time: what they send may come late, twice, in another order, or never.

A client plays as a person would who knows no more than its messages: it shows what it is told, resends what was not
acknowledged, and greets again with its last version when the line breaks.  It checks as it goes that what it is told
makes sense: versions without a gap, nothing twice, what was acknowledged never taken back.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from zlib import crc32

import msgspec

from flipdeck.core.seeds import pledge_of
from flipdeck.server.lobby import Lobby
from flipdeck.server.table.connections import Connection
from flipdeck.server.transport.session import ClientSession
from tests.server.outbox import LocalConnection, Message, Outbox

OPENING = "open"  # what the cmd_id of an opened value begins with
_decode, _encode = msgspec.json.decode, msgspec.json.encode  # quicker than json, and thousands are heard
Note = Callable[..., None]


@dataclass
class LineQuality:
    """How bad a line is: chances for each message, and seconds."""

    delay: tuple[float, float] = (0.0, 0.05)
    lose: float = 0.0
    double: float = 0.0
    reorder: float = 0.0
    breaks: float = 0.0


@dataclass
class ClientLog:
    """What one client was told, in order."""

    acks: dict[str, int] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    versions: list[int] = field(default_factory=list)
    events: dict[int, list[Message]] = field(default_factory=dict)
    fresh: int = 0  # the version of the view it began with
    byes: list[str] = field(default_factory=list)


class NotedBox(Outbox):
    def __init__(self, cut: Callable[[], object], note: Callable[[bytes], None]) -> None:
        super().__init__(cut)
        self._note = note

    def write(self, *messages: bytes) -> int:
        for message in messages:
            self._note(message)
        return super().write(*messages)


class Numbered(LocalConnection):
    """A table tells those who are there in the order of a set: by their numbers, that is the same each time."""

    __slots__ = ("_number",)

    def __init__(self, number: int, cut: Callable[[], object], note: Callable[[bytes], None]) -> None:
        self._number = number
        self._box = NotedBox(cut, note)
        Connection.__init__(self, "simulated", self._box)

    def __hash__(self) -> int:
        return self._number


def not_noted(*_: object) -> None:
    """Nobody wants to know it again."""


class SimulatedClient:
    def __init__(
        self, lobby: Callable[[], Lobby], code: str, token: str | None, line: LineQuality, dice: random.Random
    ) -> None:
        self.lobby = lobby
        self.story = ClientLog()
        self.view: Message | None = None
        self.table: Message | None = None
        self.version: int | None = None
        self.you: int | None = None
        self.code, self.token = code, token
        self._line, self._dice = line, dice
        self._session: ClientSession | None = None
        self._number = 0
        self.pending: dict[str, Message] = {}
        self.wants: Callable[[SimulatedClient], Message | None] = just_play
        self.stopped = False
        self.steps_may_be_lost: Callable[[], bool] = bool  # no; but a table may wake from behind what was damaged
        self.note: Note = not_noted  # hears all that is said on the line: when, whose line, what
        self._lines = 0

    # ------------------------------------------------------------ the line
    async def live(self) -> None:
        """Connects, plays, connects again, until it is stopped."""
        while not self.stopped:
            await self._one_connection()
            await asyncio.sleep(self._dice.uniform(0.05, 1.0))

    async def _one_connection(self) -> None:
        loop = asyncio.get_running_loop()
        self._broken: asyncio.Future[None] = loop.create_future()
        number, self._lines = self._lines, self._lines + 1
        connection = Numbered(crc32(f"{self.token}/{number}".encode()), self._break, self._note_told)
        self._session = session = ClientSession(self.lobby(), connection)
        try:
            self._send({"type": "hello", "protocol": 1, "table": self.code, "token": self.token, "have": self.version})
            reader = loop.create_task(self._read(connection))
            resender = loop.create_task(self._resend())
            await self._broken
            for task in (reader, resender):
                task.cancel()
            await asyncio.gather(reader, resender, return_exceptions=True)
        finally:
            session.end()

    def _break(self) -> None:
        if not self._broken.done():
            self._broken.set_result(None)

    def cut(self) -> None:
        """The other side is gone, without a word."""
        if self._session is not None:
            self._session.connection.hang_up()
        self._break()

    def heal(self) -> None:
        self._line = LineQuality()

    def stop(self) -> None:
        self.stopped = True
        self._break()

    def _send(self, message: Message) -> None:
        """On its way; whoever sends does not know what becomes of it."""
        line, dice, session = self._line, self._dice, self._session
        assert session is not None
        text = _encode(message)
        greeting = message["type"] == "hello"  # a socket keeps its order: only what is resent comes twice
        if dice.random() < line.breaks:
            self._break()
            return
        if not greeting and dice.random() < line.lose:
            return
        copies = 2 if not greeting and dice.random() < line.double else 1
        for _ in range(copies):
            late = dice.uniform(*line.delay) * (20 if dice.random() < line.reorder and not greeting else 1)
            asyncio.get_running_loop().call_later(late, self._arrive, session, text)

    def _arrive(self, session: ClientSession, text: bytes) -> None:
        self.note(asyncio.get_running_loop().time(), "from", self.token, text)
        session.receive(text)

    def _note_told(self, message: bytes) -> None:
        self.note(asyncio.get_running_loop().time(), "to", self.token, message)

    async def _read(self, connection: LocalConnection) -> None:
        while (frame := await connection.next_frame()) is not None:
            await asyncio.sleep(self._dice.uniform(*self._line.delay))
            if self._dice.random() < self._line.breaks:
                break
            self.hear(_decode(frame))
        self._break()

    async def _resend(self) -> None:
        while True:
            await asyncio.sleep(2.0)
            for message in list(self.pending.values()):
                self._send(message)
            if self.view is not None:
                self._act()

    # ------------------------------------------------------------ the person
    def hear(self, message: Message) -> None:
        getattr(self, f"_hear_{message['type']}", lambda _: None)(message)

    def _hear_welcome(self, message: Message) -> None:
        if message["missed"] is not None:
            for step in message["missed"]:
                self._learn(step["version"], step["events"])
        else:
            assert self.version is None or self.steps_may_be_lost(), "what was missed can be told at any age"
            self.story.fresh = message["version"]
        assert self.version is None or message["version"] >= self.version, "the table went back"
        self._now(message)
        for message in self.pending.values():
            self._send(message)

    def _hear_update(self, message: Message) -> None:
        assert self.version is not None
        assert message["version"] == self.version + 1, f"a gap: {self.version} then {message['version']}"
        self._learn(message["version"], message["events"])
        self._now(message)

    def _learn(self, version: int, events: list[Message]) -> None:
        assert not self.story.versions or version > self.story.versions[-1], "told twice"
        self.story.versions.append(version)
        self.story.events[version] = events

    def _now(self, message: Message) -> None:
        self.version, self.view, self.you = message["version"], message["view"], message["you"]
        self.table = message["table"] or self.table
        for cmd_id in [c for c, m in self.pending.items() if c in self.story.acks]:
            del self.pending[cmd_id]
        self._act()

    def _hear_ack(self, message: Message) -> None:
        if message["cmd_id"].startswith(OPENING):  # nothing is kept of it before the deal
            self.pending.pop(message["cmd_id"], None)
            return
        known = self.story.acks.setdefault(message["cmd_id"], message["version"])
        assert known == message["version"], "the same command became two versions"
        self.pending.pop(message["cmd_id"], None)

    def _hear_refused(self, message: Message) -> None:
        if message["cmd_id"]:
            assert message["cmd_id"] not in self.story.acks or message["code"] == "too-fast", (
                "acknowledged, then refused"
            )
            self.story.refused[message["cmd_id"]] = message["code"]
            self.pending.pop(message["cmd_id"], None)

    def _hear_ping(self, message: Message) -> None:
        self._send({"type": "pong", "n": message["n"]})

    def _hear_bye(self, message: Message) -> None:
        self.story.byes.append(message["code"])

    def _act(self) -> None:
        if self.token is None or self.pending:
            return
        request = self.wants(self)
        if request is not None:
            self._number += 1
            cmd_id = f"{OPENING if request['type'] == 'open' else ''}{self._number}"
            self.pending[cmd_id] = {"cmd_id": cmd_id, **request}
            self._send(self.pending[cmd_id])

    def choose(self, moves: list[str]) -> str:
        """A card if there is one, so that rounds end."""
        cards = [move for move in moves if "/" in move]
        return self._dice.choice(cards if cards and self._dice.random() < 0.9 else moves)


def pledge_and_play(client: SimulatedClient) -> Message | None:
    """Adds a value to the deal; the host starts when everybody has pledged one."""
    table, you = client.table, client.you
    if table is None or you is None or table["phase"] not in ("waiting", "starting"):
        return just_play(client)
    commitment, pledges = table["fairness"]["commitment"], table["fairness"]["pledges"]
    value = sha256(f"{commitment} {client.token}".encode()).digest()
    if table["phase"] == "starting":
        return {"type": "open", "value": value.hex()}
    if pledges[you] is None:
        return {"type": "pledge", "pledge": pledge_of(commitment, value)}
    pledged = all(seat["kind"] == "bot" or pledges[seat["seat"]] for seat in table["seats"])
    return {"type": "start"} if pledged and table["seats"][you]["host"] else None


def just_play(client: SimulatedClient) -> Message | None:
    """Any legal move on turn, now and then a catch or a late UNO; ready for the next round at once."""
    view, table = client.view, client.table
    if table is not None and table["phase"] == "between":
        me = table["seats"][view["you"]] if view else None
        return None if me is None or me["ready"] else {"type": "ready"}
    if view is None or not view["legal"] or view["you"] is None:
        return None
    on_turn = view["to_act"] == view["you"]
    moves = view["legal"] if on_turn else [m for m in view["legal"] if m == "uno" or m.startswith("catch")]
    if not moves:
        return None
    return {"type": "move", "version": client.version, "move": client.choose(moves)}
