"""Everything that a table lets out to one viewer, as bytes: on the line, over HTTP, and into the log.

A viewer greets, talks, and tries this and that; the journal can't write, so that what could be done is refused too, and
the table stays as it is.  The clock is virtual, that of the log as well.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import msgspec

from flipdeck.server import identity
from flipdeck.server.config import Config
from flipdeck.server.journal.memory import MemoryJournal
from flipdeck.server.lobby import Lobby
from flipdeck.server.logs import JsonLines
from flipdeck.server.table.actor import Table
from flipdeck.server.table.connections import Connection
from flipdeck.server.table.context import Context
from flipdeck.server.table.frames import Viewer
from flipdeck.server.table.state import TableState
from flipdeck.server.thinkers.inline import InlineThinkers
from flipdeck.server.thinkers.port import BotAnswer, Question
from flipdeck.server.transport.session import ClientSession
from flipdeck.wire import server_messages
from flipdeck.wire.errors import TableRefusal

from .redrawing import token_of
from .virtual import VirtualLoop

T = TypeVar("T")
ADDRESS = "192.0.2.7"
SAID = server_messages.ChatLine(0, "Ana", "hello")
CHAT, UNREADABLE = b'{"type":"chat","text":"Good luck!"}', b"["
MORE = (  # of which nothing is ever done at a table that plays
    b'{"type":"emote","emote":"wow"}',
    b'{"type":"start","cmd_id":"s"}',
    b'{"type":"move","cmd_id":"x","version":1}',
)
CONFIG = Config()
_encode = msgspec.json.encode


class ReadOnly(MemoryJournal):
    """It has nothing, and takes nothing."""

    def __init__(self) -> None:
        super().__init__(fail=lambda: True)
        self._is_open = True


class Silent(InlineThinkers):
    """Nothing is said by a bot here."""

    async def ask(self, question: Question) -> BotAnswer:
        del question
        return BotAnswer(None)


class Heap:
    """A line whose other end keeps all."""

    def __init__(self) -> None:
        self.frames: list[bytes] = []

    def write(self, *messages: bytes) -> int:
        self.frames.extend(messages)
        return 0

    def close(self, code: int) -> None:
        self.frames.append(b"closed %d" % code)

    def cut(self) -> None:
        self.frames.append(b"cut")


# ---------------------------------------------------------------- the log
class Lines(logging.Handler):
    """What is written to the log, line by line; the time of a line is the loop's."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.events: Counter[str] = Counter()  # of all that was written, how often each
        self._layout = JsonLines()

    def emit(self, record: logging.LogRecord) -> None:
        try:
            record.created = asyncio.get_running_loop().time()
        except RuntimeError:  # nothing runs: it is about no table
            return
        self.events[str(record.msg)] += 1
        self.lines.append(self._layout.format(record))

    def taken(self) -> list[str]:
        lines, self.lines = self.lines, []
        return lines


@contextmanager
def the_log() -> Iterator[Lines]:
    """Whatever any logger of the process says, at every level, goes there and nowhere else."""
    root, log = logging.getLogger(), Lines()
    before = root.handlers, root.level
    root.handlers = [log]
    root.setLevel(logging.DEBUG)
    try:
        yield log
    finally:
        root.handlers, level = before
        root.setLevel(level)


# ---------------------------------------------------------------- what comes out
class ChannelOutput(NamedTuple):
    """By one viewer, by whoever asks over HTTP meanwhile, and by whoever reads the log."""

    line: list[bytes]
    http: list[bytes]
    log: list[str]


@dataclass(frozen=True)
class ViewerScript:
    """What a viewer does: the last version they have, the moves they try, what else; and whether strangers ask too."""

    have: int
    moves: Sequence[str] = ()
    more: bool = False
    strangers: bool = False


async def heard(state: TableState, viewer: Viewer, asking: ViewerScript, log: Lines) -> ChannelOutput:
    log.taken()
    lobby = Lobby(Context(ReadOnly(), Silent()), CONFIG)
    table = lobby.tables[state.code] = Table(state, 1, lobby.context)
    table.add_chat(SAID)  # it is in the welcome
    line = Heap()
    session = await greeted(lobby, line, state.code, None if viewer is None else token_of(viewer), asking.have)
    table.add_chat(SAID)
    for text in (CHAT, UNREADABLE, *(MORE if asking.more else ())):
        session.receive(text)
    for number, move in enumerate(asking.moves):
        session.receive(_encode({"type": "move", "cmd_id": f"m{number}", "version": state.version, "move": move}))
    while table.busy:
        await asyncio.sleep(0)
    http = await asked_by_strangers(lobby, state) if asking.strangers else []
    session.end()
    table.close()
    return ChannelOutput(line.frames, http, log.taken())


async def greeted(lobby: Lobby, line: Heap, code: str, token: str | None, have: int) -> ClientSession:
    session = ClientSession(lobby, Connection(ADDRESS, line))
    session.receive(_encode({"type": "hello", "protocol": 1, "table": code, "token": token, "have": have}))
    assert session._greeting is not None
    await session._greeting
    while session.table is not None and session.table.busy:
        await asyncio.sleep(0)
    return session


async def asked_by_strangers(lobby: Lobby, state: TableState) -> list[bytes]:
    """The table, the list of tables, a replay before there is one: as the handlers of ``http`` get them."""
    table = (await lobby.find(state.code, ADDRESS)).info
    name = state.replay if state.phase != "over" else "0" * identity.REPLAY_LENGTH
    try:
        replay = (await lobby.replay(name, ADDRESS)).encode()
    except TableRefusal as refusal:
        replay = f"{refusal.code} {refusal.reason} {refusal} {refusal.facts}".encode()
    return [_encode(table), _encode(lobby.public()), replay]


class Hurried(VirtualLoop):
    """Nothing here comes from a socket, so that none is looked at while there is something to do."""

    def __init__(self) -> None:
        super().__init__()
        selector: Any = vars(self)["_selector"]
        look = selector.select
        selector.select = lambda timeout=None: [] if timeout == 0 else look(timeout)


def run(story: Coroutine[Any, Any, T]) -> T:
    with asyncio.Runner(loop_factory=Hurried) as runner:
        return runner.run(story)
