"""A client on a good line that keeps all it is told, and acts only when a test does."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from flipdeck.server.table.actor import Table
from flipdeck.server.transport.session import ClientSession

from .hearing import receive
from .outbox import LocalConnection, Message

if TYPE_CHECKING:
    from .sitting import Hall

PATIENCE = 600.0  # seconds of theirs until somebody who waits gives up
_numbers = itertools.count(1)


def new_address() -> str:
    """Limits are kept for each address: here everybody has their own."""
    return f"address {next(_numbers)}"


class NotedConnection(LocalConnection):
    """A connection that notes what it is told the moment it is told."""

    def __init__(self, address: str, cut: Callable[[], object], heard: Callable[[bytes], None]) -> None:
        super().__init__(address, cut)
        self._heard = heard

    def send(self, message: bytes) -> None:
        if self.closing is None:
            self._heard(message)
        super().send(message)


class SeatClient:
    """``you``, ``view``, ``table``, ``clock`` and ``version`` are the last it was told."""

    def __init__(self, hall: Hall, code: str, token: str | None, address: str | None = None) -> None:
        self.hall, self.code, self.token = hall, code, token
        self.address = address or new_address()
        self.name: str | None = None  # of somebody who looks on, and may chat
        self.told: list[Message] = []
        self.you: int | None = None
        self.view: Message = {}
        self.table: Message = {}
        self.clock: Message | None = None
        self.version = 0
        self.pongs_after: float | None = None  # seconds; None: never
        self.on_line = False
        self._line: NotedConnection
        self._session: ClientSession
        self._reader: asyncio.Task[None] | None = None
        self._news = asyncio.Event()
        self._read = 0

    # ------------------------------------------------------------ the line
    async def connect(self, have: int | None = None) -> Message:
        """Greet; the answer, which is no welcome if it was refused."""
        self.on_line = True
        self._line = NotedConnection(self.address, lambda: None, lambda message: self.hall.heard(self, message))
        self._session = ClientSession(self.hall.lobby, self._line)
        self._reader = asyncio.get_running_loop().create_task(self._read_all(self._line, self._session))
        self._read = len(self.told)
        await self.say("hello", protocol=1, table=self.code, token=self.token, have=have, name=self.name)
        return await self.hear("welcome", "refused", "bye")

    async def _read_all(self, line: NotedConnection, session: ClientSession) -> None:
        while (frame := await line.next_frame()) is not None:
            if line is self._line:
                self._hear(json.loads(frame))
        if line is self._line:
            self.on_line = False
        session.end()

    def hang_up(self) -> None:
        if self.on_line:
            self.on_line = False
            self._session.end()

    def _hear(self, message: Message) -> None:
        self.told.append(message)
        if message["type"] in ("welcome", "update"):
            self.you, self.version, self.clock = message["you"], message["version"], message["clock"]
            self.view = message["view"] or {}
            self.table = message["table"] or self.table
        elif message["type"] == "ping" and self.pongs_after is not None:
            answer = json.dumps({"type": "pong", "n": message["n"]})
            loop = asyncio.get_running_loop()
            loop.call_later(self.pongs_after, lambda: loop.create_task(receive(self._session, answer)))
        self._news.set()

    # ------------------------------------------------------------ speaking
    async def say(self, kind: str, **fields: Any) -> None:
        await receive(self._session, json.dumps({"type": kind, **fields}))

    async def send(self, kind: str, **fields: Any) -> str:
        """A command, on its way; its ``cmd_id``."""
        cmd_id: str = fields.setdefault("cmd_id", f"c{next(_numbers)}")
        await self.say(kind, **fields)
        return cmd_id

    async def ask(self, kind: str, **fields: Any) -> Message:
        """A command, and its answer."""
        start = len(self.told)
        cmd_id = await self.send(kind, **fields)
        return await self.answer_to(cmd_id, start)

    async def answer_to(self, cmd_id: str, start: int = 0) -> Message:
        return await self._find(lambda m: m.get("cmd_id") == cmd_id and m["type"] != "held", start)

    async def do(self, kind: str, **fields: Any) -> int:
        """A command that is carried out; the version it became, which this seat has seen then."""
        answer = await self.ask(kind, **fields)
        assert answer["type"] == "ack", answer
        if self.on_line and kind != "leave":
            await self.reach(answer["version"])
        return int(answer["version"])

    async def move(self, move: str, **fields: Any) -> int:
        return await self.do("move", move=move, **{"version": self.version, **fields})

    async def try_move(self, move: str, **fields: Any) -> Message:
        return await self.ask("move", move=move, **{"version": self.version, **fields})

    async def refusal_to(self, kind: str, **fields: Any) -> tuple[str, str]:
        """The code and the reason why a command is not carried out; nothing has changed."""
        table = self.hall.table(self.code)
        before = print_of(table)
        answer = await self.ask(kind, **fields)
        assert answer["type"] == "refused", answer
        assert print_of(table) == before
        return answer["code"], answer["reason"]

    # ------------------------------------------------------------ listening
    async def hear(self, *kinds: str, **having: Any) -> Message:
        """The next message of these kinds with these fields that was not heard yet; what came before it is skipped."""
        return await self._find(
            lambda m: m["type"] in kinds and all(m.get(name) == value for name, value in having.items()), None
        )

    def turn_a_page(self) -> None:
        """What was told so far counts as heard."""
        self._read = len(self.told)

    async def reach(self, version: int) -> None:
        await self._find(lambda m: m["type"] in ("welcome", "update") and m["version"] >= version, 0)

    async def _find(self, fits: Callable[[Message], bool], start: int | None) -> Message:
        async with asyncio.timeout(PATIENCE):
            at = self._read if start is None else start
            while True:
                for number in range(at, len(self.told)):
                    if fits(self.told[number]):
                        if start is None:
                            self._read = number + 1
                        return self.told[number]
                at = len(self.told)
                self._news.clear()
                await self._news.wait()

    def all(self, kind: str) -> list[Message]:
        return [message for message in self.told if message["type"] == kind]

    @property
    def on_turn(self) -> bool:
        return bool(self.view) and self.view["to_act"] == self.you is not None


def print_of(table: Table) -> str:
    """All that a table is, hidden cards and all: equal only if nothing has changed."""
    state = table.state
    seats = [
        (c.kind, c.name, c.level, c.sits_in, c.left, c.ready, c.missed, c.pledge, c.tokens, c.done) for c in state.seats
    ]
    game = None if state.match is None else state.match.secret_state()
    return json.dumps([state.version, state.phase, state.number, state.seed.hex(), seats, game])
