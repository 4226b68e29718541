"""All that a connection is sent by a real table and session, and what HTTP tells meanwhile, is the same for a twin.

``test_leaks`` has every channel in ten thousand states, of tables where nothing can be written.  Here fewer go through
the doors that a client has: the journal takes what it is given, somebody else is there and leaves, and HTTP is asked
by requests, from the table to the metrics.
"""

from __future__ import annotations

import asyncio
import json
from random import Random

import httpx
import pytest

from flipdeck.server import identity
from flipdeck.server.app import make_app
from flipdeck.server.config import Config
from flipdeck.server.journal import StoredReplay
from flipdeck.server.journal.memory import MemoryJournal
from flipdeck.server.lobby import Lobby
from flipdeck.server.table import state as state_module
from flipdeck.server.table.actor import Table
from flipdeck.server.table.connections import TablePresence
from flipdeck.server.table.frames import Viewer
from flipdeck.server.table.state import TableState
from flipdeck.server.transport.session import ClientSession
from tests.resampling import sayings
from tests.server.outbox import LocalConnection

from .channels import Lines, Silent, the_log
from .hearing import receive
from .outbox import Message
from .redrawing import NAMES, match_of, positions, token_of, with_own_chairs


class Yielding(MemoryJournal):
    """Takes any entry: the tables here were never written down from their beginning."""

    async def append(self, table: str, epoch: int, seq: int, body: bytes, replay: StoredReplay | None = None) -> None:
        """It is as good as kept."""


class Guest:
    """A connection whose frames are kept."""

    def __init__(self, lobby: Lobby, table: Table, viewer: Viewer) -> None:
        self.connection = LocalConnection("guest", lambda: None)
        self._session = ClientSession(lobby, self.connection)
        self._table = table
        self._token = None if viewer is None else token_of(viewer)

    async def greet(self) -> None:
        await self.say(
            {"type": "hello", "protocol": 1, "table": self._table.state.code, "token": self._token, "have": 0}
        )

    async def say(self, message: Message | str) -> None:
        await receive(self._session, message if isinstance(message, str) else json.dumps(message))
        while self._table.busy:
            await asyncio.sleep(0)

    async def leave(self) -> list[bytes]:
        """All that it was sent."""
        self.connection.finish()
        frames = []
        while (frame := await self.connection.next_frame()) is not None:
            frames.append(frame)
        self._session.end()
        return frames


class SocketlessServer:
    """A whole server, without its sockets: one for the tables, one for their twins, so that both have the same past."""

    def __init__(self, log: Lines) -> None:
        self._app = make_app(Config(), journal=Yielding(), thinkers=Silent())
        self._lobby = self._app.lobby
        self._lobby.guesses.note_failure = lambda *_: None  # type: ignore[method-assign]  # all have one address
        self._log = log
        self._http = httpx.AsyncClient(transport=httpx.ASGITransport(self._app), base_url="http://localhost")

    async def open(self) -> None:
        await self._lobby.context.journal.open()

    async def everything_heard(self, state: TableState, viewer: Viewer, said: list[str]) -> list[object]:
        """By a viewer who greets, tries things, and hears what another one does; by whoever asks; by the log."""
        self._log.taken()
        state, lobby = with_own_chairs(state), self._lobby
        table = lobby.tables[state.code] = Table(state, 1, lobby.context)
        other = 0 if viewer is None else (viewer + 1) % len(state.seats)
        me, neighbour = Guest(lobby, table, viewer), Guest(lobby, table, other)
        stranger = Guest(lobby, table, len(NAMES))  # with a token that is nobody's
        await me.greet()
        await neighbour.greet()
        await neighbour.say({"type": "chat", "text": "Good luck!"})
        await neighbour.say({"type": "emote", "emote": "wow"})
        for number, move in enumerate(said):
            await me.say({"type": "move", "cmd_id": f"m{number}", "version": state.version, "move": move})
        await me.say({"type": "ready", "cmd_id": "r"})
        await me.say('{"type":"move","cmd_id":"x","version":1}')
        await neighbour.say({"type": "leave", "cmd_id": "l"})
        await stranger.greet()
        told = await self._asked(state) if viewer is None else []
        told += await stranger.leave()
        await neighbour.leave()
        frames = await me.leave()
        table.close()
        del lobby.tables[state.code]
        return [*frames, *told, *self._log.taken()]

    async def _asked(self, state: TableState) -> list[object]:
        """All that HTTP has to say of a table, and of the server with it."""
        replay = f"/api/replays/{state.replay if state.phase != 'over' else '0' * identity.REPLAY_LENGTH}"
        table = f"/api/tables/{state.code}"
        paths = (table, f"{table}/invite.svg", "/api/tables", "/metrics", "/health")
        found = [await self._http.get(path) for path in paths]
        kept_back = [await self._http.get(path) for path in (replay, f"{replay}/match", f"{replay}/rounds/1?seat=0")]
        assert [answer.status_code for answer in found + kept_back] == [200] * 5 + [404] * 3
        assert state.code in found[2].text
        return [(answer.status_code, answer.headers.raw, answer.content) for answer in found + kept_back]


async def compare_all_doors(name: str, states: int, log: Lines, loop: Standing) -> None:
    dice, houses = Random(f"{name} dice"), (SocketlessServer(log), SocketlessServer(log))
    for house in houses:
        await house.open()
    for number, position in enumerate(positions(name, 7 * states, valued=True)):
        if number % 7:  # not all of the same tables
            continue
        match = match_of(position.state)
        for viewer in position.viewers:
            texts = [] if viewer is None else dice.sample(sayings(match._game, viewer, dice), 4)
            said = [text for text in texts if viewer is not None and match.why_not(viewer, text) is not None]
            twin = position.twin(viewer, len(position.moments), renumber=True)
            mine = await houses[0].everything_heard(position.state, viewer, said)
            others = await houses[1].everything_heard(twin, viewer, said)
            assert len(mine) > 5
            assert mine == others, f"something leaks to {viewer}"
            loop.now += 600  # so that nobody asks too fast


class Standing(asyncio.SelectorEventLoop):
    """Time stands still, though threads are waited for: some requests are looked at in one."""

    now = 1000.0

    def time(self) -> float:
        return self.now


def compare(name: str, states: int) -> None:
    loop = Standing()
    with the_log() as log, asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(compare_all_doors(name, states, log, loop))


@pytest.fixture
def a_commitment_that_tells_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state_module, "commitment_of", lambda _: "a hash")


@pytest.mark.usefixtures("a_commitment_that_tells_nothing")
@pytest.mark.parametrize("part", range(2))
def test_nothing_that_comes_out_of_any_door_depends_on_what_a_viewer_cannot_know(part: int) -> None:
    compare(f"doors {part}", 20)


@pytest.mark.usefixtures("a_commitment_that_tells_nothing")
def test_a_frame_that_goes_to_the_wrong_seat_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TablePresence, "_viewer", lambda _company, _connection: 0)
    with pytest.raises(AssertionError, match="leaks"):
        compare("wrong seat", 10)
