"""A real server on a free port of this machine, in the test's own loop, and clients that speak to it over sockets."""

from __future__ import annotations

import hashlib
import itertools
import json
import random
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager
from dataclasses import astuple, dataclass, field, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import httpx
import websockets
from websockets.asyncio.client import ClientConnection

from flipdeck.server import app as app_module
from flipdeck.server.admin import listener
from flipdeck.server.app import App, Server, make_app
from flipdeck.server.config import Config
from flipdeck.server.http import health
from flipdeck.server.journal import Journal
from flipdeck.server.journal.memory import MemoryJournal
from flipdeck.server.shared import SharedState
from flipdeck.server.table import connections, greetings
from flipdeck.server.table.actor import Table
from flipdeck.server.thinkers.inline import InlineThinkers
from flipdeck.server.thinkers.port import Thinkers
from flipdeck.server.transport import protocols, session
from tests.patience import HANG

from .outbox import Message
from .steered import eventually, run, steered_loop

__all__ = ["Client", "Message", "Running", "eventually", "fingerprint", "play", "run", "running"]

PLAIN = {"turn_seconds": 0, "grace_ms": 0, "speed": "fast"}
# what is cut after a while; a test that is about one of these sets it to another value
TIME_LIMITS = {
    (module, name): getattr(module, name)
    for module, name in (
        (app_module, "KEEPALIVE_SECONDS"),
        (listener, "LINE_SECONDS"),
        (connections, "FLUSH_SECONDS"),
        (greetings, "LAPSE_SECONDS"),
        (health, "CHECK_SECONDS"),
        (protocols, "LAST_SECONDS"),
        (protocols, "REQUEST_SECONDS"),
        (protocols, "RESPONSE_SECONDS"),
        (session, "GREETING_SECONDS"),
    )
}
# nothing sleeps, loses its lease or is broken off because the machine is slow
UNHURRIED = {
    "sleep_seconds": HANG,
    "lease_seconds": HANG,
    "idle_seconds": 604_800.0,
    "drain_seconds": 300.0,
    "most_connections": 2_000,
}
ENDING = 50.0  # times as fast the clock runs while the server stops, which waits in steps of a tenth of a second
_numbers = itertools.count(1)


def fingerprint(table: Table) -> str:
    """The same exactly as long as nothing at the table has changed: cards, chairs, versions."""
    state = table.state
    match = None if state.match is None else (state.match.secret_state(), state.match.record())
    seats = [astuple(replace(seat_state, address=None)) for seat_state in state.seats]
    host = None if state.host is None else state.seat_of(state.host)
    whole = (state.version, state.phase, state.number, state.seed, state.deciding_since, host, seats, match)
    return hashlib.sha256(repr(whole).encode()).hexdigest()


@dataclass
class Client:
    """One websocket: keeps what it was told, and answers pings."""

    socket: ClientConnection
    told: list[Message] = field(default_factory=list)
    view: Message | None = None
    table: Message = field(default_factory=dict)
    version: int = 0

    async def send(self, type: str, **fields: Any) -> None:  # noqa: A002  # as the wire has it
        await self.socket.send(json.dumps({"type": type, **fields}))

    async def raw(self, data: str | bytes | Sequence[str]) -> None:
        await self.socket.send(data)

    async def read(self) -> Message:
        message: Message = json.loads(await self.socket.recv())
        self.told.append(message)
        if message["type"] == "ping":
            await self.send("pong", n=message["n"])
        elif message["type"] in ("welcome", "update"):
            self.version, self.view = message["version"], message["view"]
            self.table = message["table"] or self.table
        return message

    async def until(self, *types: str, **fields: Any) -> Message:
        """The next message of one of these types that has these fields."""
        while True:
            message = await self.read()
            if message["type"] in types and fields.items() <= message.items():
                return message

    async def command(self, type: str, **fields: Any) -> Message:  # noqa: A002
        """A command and what became of it: an ack, a refusal, a transfer secret."""
        cmd_id = f"c{next(_numbers)}"
        await self.send(type, cmd_id=cmd_id, **fields)
        return await self.until("ack", "refused", "transfer", cmd_id=cmd_id)

    async def refusal(self, data: str | bytes | Sequence[str]) -> str:
        """The code with which this is refused."""
        await self.raw(data)
        return str((await self.until("refused"))["code"])

    async def up_to(self, version: int) -> None:
        while self.version < version:
            await self.read()

    async def end(self) -> tuple[str | None, int]:
        """Reads to the end: the code of the bye, if there was one, and that of the close."""
        bye = None
        try:
            while True:
                message = await self.read()
                bye = message["code"] if message["type"] == "bye" else bye
        except websockets.ConnectionClosed as closed:
            return bye, closed.rcvd.code if closed.rcvd else 1006

    @property
    def on_turn(self) -> bool:
        return self.view is not None and self.view["to_act"] == self.view["you"]


@dataclass
class Running:
    app: App
    server: Server
    http: httpx.AsyncClient
    stack: AsyncExitStack

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.server.port}"

    def table(self, code: str) -> Table:
        return self.app.lobby.tables[code]

    async def make(
        self, name: str = "Ana", seats: int = 2, bots: Message | None = None, start: bool = False, **settings: Any
    ) -> Message:
        body = {"name": name, "settings": {**PLAIN, "seats": seats, **settings}, "bots": bots or {}, "start": start}
        answer = await self.http.post("/api/tables", json=body)
        assert answer.status_code == 201, answer.text
        seated: Message = answer.json()
        return seated

    async def join(self, code: str, name: str = "Ben", **more: Any) -> Message:
        answer = await self.http.post(f"/api/tables/{code}/seats", json={"name": name, **more})
        assert answer.status_code == 201, answer.text
        seated: Message = answer.json()
        return seated

    async def connect(self, **more: Any) -> Client:
        """A websocket that has said nothing yet."""
        url = self.base.replace("http", "ws") + "/ws"
        options = {"origin": self.base, "compression": None, "ping_interval": None, "max_queue": None, **more}
        options["open_timeout"] = None
        return Client(await self.stack.enter_async_context(websockets.connect(url, **options)))

    async def greet(self, code: str, token: str | None = None, have: int | None = None) -> Client:
        client = await self.connect()
        await client.send("hello", protocol=1, table=code, token=token, have=have)
        await client.until("welcome")
        return client

    async def seated(self, people: int = 2, **settings: Any) -> tuple[str, list[str], list[Client]]:
        """A table with people at it, dealt: its code, their tokens, and they themselves."""
        host = await self.make(seats=people, **settings)
        code = host["code"]
        tokens = [host["token"]]
        for number in range(1, people):
            tokens.append((await self.join(code, f"Guest {number}"))["token"])
        clients = [await self.greet(code, token) for token in tokens]
        assert (await clients[0].command("start"))["type"] == "ack"
        for client in clients:
            await client.up_to(self.table(code).state.version)
        return code, tokens, clients


@contextmanager
def patient() -> Iterator[None]:
    """No time limit that a test has left as it is ends anything."""
    with ExitStack() as stack:
        for (module, name), usual in TIME_LIMITS.items():
            if getattr(module, name) == usual:
                stack.enter_context(patch.object(module, name, HANG))
        yield


@asynccontextmanager
async def running(
    journal: Journal | None = None,
    thinkers: Thinkers | None = None,
    data: Path = Path("unused"),
    door: Path | None = None,
    shared: SharedState | None = None,
    **settings: Any,
) -> AsyncIterator[Running]:
    """Nothing may go wrong in the loop meanwhile that nobody hears of.  ``door`` is a folder for the operator."""
    unheard: list[Message] = []
    loop = steered_loop()
    loop.set_exception_handler(lambda _, context: unheard.append(context))
    config = Config(data=data, **{"port": 0, **UNHURRIED, **settings})
    with patient():
        app = make_app(
            config,
            journal=journal or MemoryJournal(),
            shared=shared,
            thinkers=thinkers or InlineThinkers(),
            door=door,
        )
        server = Server(app, config)
        serving = loop.create_task(server.serve())
        try:
            await eventually(lambda: server.started or serving.done())
            base = f"http://127.0.0.1:{server.port}"
            no_tls = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # to load the certificates of the world takes a while
            async with (
                httpx.AsyncClient(base_url=base, timeout=None, verify=no_tls) as asking,  # noqa: S113  # ``run`` has one
                AsyncExitStack() as stack,
            ):
                yield Running(app, server, asking, stack)
                loop.run_clock(ENDING)
        finally:
            loop.run_clock(ENDING)
            server.should_exit = True
            await serving
            loop.run_clock()
    assert not unheard, unheard


async def play(clients: Sequence[Client], moves: int, dice: random.Random) -> int:
    """So many moves, round after round; how many were acknowledged."""
    made = 0
    while made < moves:
        newest = max(client.version for client in clients)
        for client in clients:
            await client.up_to(newest)
        phase = clients[0].table["phase"]
        if phase == "playing":
            actor = next(client for client in clients if client.on_turn)
            assert actor.view is not None
            better = [move for move in actor.view["legal"] if move != "draw"] or ["draw"]  # so that rounds end
            answer = await actor.command("move", version=actor.version, move=dice.choice(better))
            assert answer["type"] == "ack", answer
            await actor.up_to(answer["version"])
            made += 1
        else:
            await _go_on(clients, phase)
    return made


async def _go_on(clients: Sequence[Client], phase: str) -> None:
    wishes: dict[str, Callable[[], list[Awaitable[Message]]]] = {
        "between": lambda: [client.command("ready") for client in clients],
        "over": lambda: [clients[0].command("rematch")],
        "waiting": lambda: [clients[0].command("start")],
    }
    for request in wishes[phase]():
        answer = await request
        assert answer["type"] == "ack", answer
    for client in clients:
        await client.up_to(answer["version"] + (phase == "between"))
