"""Friends on bad lines: hundreds of matches over virtual time, each with another seed; a seed that fails fails again.

python -m pytest tests/server/test_simulated.py -k "seed and 217"
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from flipdeck.core.events import Event
from flipdeck.server.config import Config
from flipdeck.server.inline_thinkers import InlineThinkers
from flipdeck.server.journal.memory import MemoryJournal
from flipdeck.server.lobby import Lobby
from flipdeck.server.showing import EventTexts
from flipdeck.server.state import TableState, replayed
from flipdeck.server.surroundings import Surroundings
from flipdeck.wire import rest
from flipdeck.wire.parts import Level, Settings

from .simulated import Client, Line
from .virtual import run

SEEDS = 520
SHARES = 8
LEVELS: tuple[Level, ...] = ("rookie", "casual", "regular")
HOUR = 3600.0


def bad_line(dice: random.Random) -> Line:
    """From good to hardly usable."""
    badness = dice.choice((0.0, 0.3, 1.0))
    return Line(
        delay=(0.0, 0.02 + 0.5 * badness * dice.random()),
        lose=0.15 * badness * dice.random(),
        double=0.2 * badness * dice.random(),
        reorder=0.3 * badness * dice.random(),
        breaks=0.03 * badness * dice.random(),
    )


class Evening:
    """One table, people and bots at it, somebody who looks on; the server may fall over and get up again."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.journal = MemoryJournal(delay=lambda: self.dice.uniform(0.0, 0.02), fail=self._journal_fails)
        self.failing = 0.0
        self.lobby: Lobby
        self.clients: list[Client] = []
        self.tasks: list[asyncio.Task[None]] = []
        self.code = ""

    def _journal_fails(self) -> bool:
        return self.dice.random() < self.failing

    async def open(self) -> None:
        await self.journal.open()
        self.lobby = self._new_lobby()
        people = self.dice.choice((1, 2, 2, 3))
        bots = self.dice.choice((0, 1, 2)) if people > 1 else self.dice.choice((1, 3))
        settings = Settings(
            edition=self.dice.choice(("classic", "splash", "argentina", "mild-wild")),
            options={"target": 60, "jump_in": self.dice.random() < 0.2, "hand_size": self.dice.choice((3, 5, 7))},
            seats=people + bots,
            turn_seconds=self.dice.choice((0, 15, 30)),
            speed="fast",
            grace_ms=self.dice.choice((0, 300, 1000)),
            next_round_seconds=5,
        )
        levels: dict[str, Level] = {str(people + n): self.dice.choice(LEVELS) for n in range(bots)}
        host = await self.lobby.make(rest.NewTable("Ann", settings, levels), "a")
        tokens = [host.token]
        for number in range(1, people):
            tokens.append((await self.lobby.join(host.code, rest.Join(f"P{number}", number), "a")).token)
        self.code = host.code
        for token in (*tokens, None):
            self.clients.append(Client(lambda: self.lobby, host.code, token, bad_line(self.dice), self.dice))
        self.clients[0].pending["start"] = {"type": "start", "cmd_id": "start"}
        self.tasks = [asyncio.get_running_loop().create_task(client.live()) for client in self.clients]

    def _new_lobby(self) -> Lobby:
        config = Config(data=Path("nowhere"), messages_per_second=1000, sleep_seconds=30)
        lobby = Lobby(Surroundings(self.journal, InlineThinkers(str(self.dice.random()))), config)
        lobby.guesses.failed = lambda *_: None  # type: ignore[method-assign]  # all clients share an address
        lobby.start()
        return lobby

    async def play(self) -> None:
        """Until the match is over, or for an hour of theirs."""
        loop = asyncio.get_running_loop()
        end = loop.time() + HOUR
        while loop.time() < end and not await self._over():
            await asyncio.sleep(self.dice.uniform(1.0, 20.0))
            self.failing = self.dice.choice((0.0, 0.0, 0.0, 0.3))
            if self.dice.random() < 0.15:
                await self._fall_over()
            for task in self.tasks:
                if task.done():
                    task.result()
        self.failing = 0.0

    async def _over(self) -> bool:
        table = self.lobby.tables.get(self.code)
        return table is not None and table.state.phase == "over"

    async def state(self) -> TableState:
        return replayed(await self.journal.load(self.code))

    async def _fall_over(self) -> None:
        """What was in memory is gone, all lines break; what the journal has is there."""
        old, self.lobby = self.lobby, self._new_lobby()
        self.lobby._owner = old._owner
        if old._tender is not None:
            old._tender.cancel()
        for table in old.tables.values():
            if table._worker is not None:
                table._worker.cancel()
            table.close()
        for client in self.clients:
            client.cut()

    async def settle(self) -> TableState:
        """Good lines at last: everybody hears the rest of it."""
        for client in self.clients:
            client.heal()
        for _ in range(600):
            await asyncio.sleep(1.0)
            state = await self.state()
            if all(client.version == state.version and not client.pending for client in self.clients):
                break
        else:
            raise AssertionError([(c.version, c.pending) for c in self.clients], state.version)
        for client in self.clients:
            client.stop()
        await asyncio.gather(*self.tasks)
        await self.lobby.close()
        return state


def check_story(client: Client, state: TableState, entries: list[dict[str, object]]) -> None:
    """Everything the client was told is in the journal, and everything that was acknowledged to it."""
    seat = None if client.view is None else client.view["you"]
    told = {
        version: json.loads(b"[" + EventTexts().seen(_seen(state, events, seat)) + b"]")
        for version, events in state.steps
    }
    for version, events in client.story.events.items():
        assert told.get(version, []) == events, f"version {version} was never so"
    due = {version for version in told if version > client.story.fresh}
    assert set(client.story.events) >= due, "something was never told"
    by_command = {
        (entry.get("by", -1), entry.get("cmd_id")): n for n, entry in enumerate(entries, 1) if entry.get("cmd_id")
    }
    assert len(by_command) == sum(bool(entry.get("cmd_id")) for entry in entries), "a command was carried out twice"
    for cmd_id, version in client.story.acks.items():
        assert by_command[seat, cmd_id] == version, f"{cmd_id} was acknowledged and is not there"


def _seen(state: TableState, events: Sequence[Event], seat: int | None) -> tuple[Event, ...]:
    assert state.match is not None
    return state.match.seen(events, seat)


async def evening(seed: int) -> None:
    it = Evening(seed)
    await it.open()
    await it.play()
    state = await it.settle()
    assert state.phase == "over", "an hour was not enough"
    entries = [json.loads(body) for body in await it.journal.load(it.code)]
    for client in it.clients:
        check_story(client, state, entries)


@pytest.mark.parametrize("share", range(SHARES))
def test_nothing_is_lost_doubled_or_shown_too_early_on_any_line(share: int) -> None:
    for seed in range(share, SEEDS, SHARES):
        try:
            run(evening(seed))
        except BaseException as error:
            error.add_note(f"seed {seed}")
            raise
