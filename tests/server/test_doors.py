"""All that a connection is sent by a real table and session, and what HTTP tells meanwhile, is the same for a twin.

``test_leaks`` has the bytes of ten thousand states; here fewer go through the doors that a client has.
"""

from __future__ import annotations

import asyncio
import json
from random import Random

import msgspec
import pytest

from flipdeck.server import identity
from flipdeck.server import state as state_module
from flipdeck.server.company import Company
from flipdeck.server.config import Config
from flipdeck.server.inline_thinkers import InlineThinkers
from flipdeck.server.journal.memory import MemoryJournal
from flipdeck.server.lobby import Lobby
from flipdeck.server.session import Session
from flipdeck.server.state import TableState
from flipdeck.server.surroundings import Surroundings
from flipdeck.server.table import Table
from flipdeck.server.thinking import Question
from flipdeck.wire.errors import TableRefusal
from tests.resampling import sayings
from tests.server.outbox import Heard

from . import virtual
from .hearing import receive
from .redrawing import Viewer, match_of, positions, token_of, with_own_chairs
from .simulated import Message


class Yielding(MemoryJournal):
    """Takes any entry: the tables here were never written down from their beginning."""

    async def append(self, table: str, epoch: int, seq: int, body: bytes) -> None:
        """It is as good as kept."""


class Silent(InlineThinkers):
    async def ask(self, question: Question) -> None:
        """Nothing is said by a bot here."""


class Guest:
    """A connection whose frames are kept."""

    def __init__(self, lobby: Lobby, table: Table, viewer: Viewer) -> None:
        self.connection = Heard("guest", lambda: None)
        self._session = Session(lobby, self.connection)
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


async def everything_heard(state: TableState, viewer: Viewer, said: list[str]) -> list[bytes]:
    """By a viewer who greets, tries things, and hears what another one does; and what HTTP would tell meanwhile."""
    state = with_own_chairs(state)
    lobby = Lobby(Surroundings(Yielding(), Silent()), Config())
    await lobby.around.journal.open()
    table = lobby.tables[state.code] = Table(state, 1, lobby.around)
    other = 0 if viewer is None else (viewer + 1) % len(state.chairs)
    me, neighbour = Guest(lobby, table, viewer), Guest(lobby, table, other)
    await me.greet()
    await neighbour.greet()
    await neighbour.say({"type": "chat", "text": "Good luck!"})
    await neighbour.say({"type": "emote", "emote": "wow"})
    for number, move in enumerate(said):
        await me.say({"type": "move", "cmd_id": f"m{number}", "version": state.version, "move": move})
    await me.say({"type": "ready", "cmd_id": "r"})
    await me.say('{"type":"move","cmd_id":"x","version":1}')
    await neighbour.say({"type": "leave", "cmd_id": "l"})
    seen = [msgspec.json.encode((await lobby.find(state.code, "guest")).info), msgspec.json.encode(lobby.public())]
    with pytest.raises(TableRefusal) as refusal:
        await lobby.replay(state.replay if state.phase != "over" else "0" * identity.REPLAY_LENGTH, "guest")
    await neighbour.leave()
    frames = await me.leave()
    table.close()
    return [*frames, *seen, str(refusal.value).encode()]


async def compare_all_doors(name: str, states: int) -> None:
    dice = Random(f"{name} dice")
    for number, position in enumerate(positions(name, 7 * states)):
        if number % 7:  # not all of the same tables
            continue
        match = match_of(position.state)
        for viewer in position.viewers:
            texts = [] if viewer is None else dice.sample(sayings(match._game, viewer, dice), 4)
            said = [text for text in texts if viewer is not None and match.why_not(viewer, text) is not None]
            twin = position.twin(viewer, len(position.moments), renumber=True)
            mine, others = [await everything_heard(state, viewer, said) for state in (position.state, twin)]
            assert len(mine) > 8
            assert mine == others, f"something leaks to {viewer}"


@pytest.fixture
def a_commitment_that_tells_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state_module, "commitment_of", lambda _: "a hash")


@pytest.mark.long
@pytest.mark.usefixtures("a_commitment_that_tells_nothing")
@pytest.mark.parametrize("part", range(2))
def test_nothing_that_comes_out_of_any_door_depends_on_what_a_viewer_cannot_know(part: int) -> None:
    virtual.run(compare_all_doors(f"doors {part}", 40))


@pytest.mark.usefixtures("a_commitment_that_tells_nothing")
def test_a_frame_that_goes_to_the_wrong_seat_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Company, "_viewer", lambda _company, _connection: 0)
    with pytest.raises(AssertionError, match="leaks"):
        virtual.run(compare_all_doors("wrong seat", 10))
