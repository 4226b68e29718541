"""Evenings of friends on bad lines, over virtual time.  A seed decides all of one: who comes, what cards there are,
what is lost on the way, when the server falls over; so that a seed that fails fails again, in the same place.

``python -m tests.server.evenings 217`` plays one alone, and prints what a transcript of it comes to.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import itertools
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from unittest.mock import patch

import msgspec

from flipdeck.core.events import Event
from flipdeck.core.seeds import pledge_of
from flipdeck.server import identity
from flipdeck.server.config import Config
from flipdeck.server.journal import StoredReplay
from flipdeck.server.journal.memory import MemoryJournal
from flipdeck.server.lobby import Lobby
from flipdeck.server.table import bot_driver, entries
from flipdeck.server.table.context import Context
from flipdeck.server.table.state import TableState
from flipdeck.server.thinkers.inline import InlineThinkers
from flipdeck.server.transport import session
from flipdeck.wire import rest
from flipdeck.wire.parts import BotLevel, Settings

from .short_journals import short_journals
from .simulated import LineQuality, SimulatedClient, pledge_and_play
from .sitting import stop_renewing
from .virtual import run

LEVELS: tuple[BotLevel, ...] = ("rookie", "casual", "regular")
HOUR = 3600.0
Steps = dict[int, Sequence[Event]]  # by version


def bad_line(dice: random.Random) -> LineQuality:
    """From good to hardly usable."""
    badness = dice.choice((0.0, 0.3, 1.0))
    return LineQuality(
        delay=(0.0, 0.02 + 0.5 * badness * dice.random()),
        lose=0.15 * badness * dice.random(),
        double=0.2 * badness * dice.random(),
        reorder=0.3 * badness * dice.random(),
        breaks=0.03 * badness * dice.random(),
    )


@contextlib.contextmanager
def all_chance_from(seed: int) -> Iterator[None]:
    """A server takes its secrets from the system; here they come from the seed too, and what it counts begins anew."""
    dice = random.Random(f"secrets of {seed}")

    def letters(number: int) -> str:
        return "".join(dice.choices(identity.CODE_LETTERS, k=number))

    with (
        patch.object(identity, "new_seed", lambda: dice.randbytes(32)),
        patch.object(identity, "new_token", lambda: letters(22)),
        patch.object(identity, "new_code", lambda: letters(identity.CODE_LENGTH)),
        patch.object(identity, "new_replay_name", lambda: letters(identity.REPLAY_LENGTH).lower()),
        patch.object(bot_driver, "_dice", random.Random(f"pauses of {seed}")),
        patch.object(session, "_numbers", itertools.count(1)),
    ):
        yield


class Transcript:
    """All that is said on any line, when and by whom, and all that is written down: as one hash."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()
        self.notes = 0

    def note(self, *facts: object) -> None:
        self.notes += 1
        self._hash.update(f"{facts!r}\n".encode())

    def __str__(self) -> str:
        return f"{self.notes} {self._hash.hexdigest()}"


class TranscriptJournal(MemoryJournal):
    """Writes everything into the transcript as well; its clock is the loop's."""

    transcript: Transcript

    async def append(self, table: str, epoch: int, seq: int, body: bytes, replay: StoredReplay | None = None) -> None:
        await super().append(table, epoch, seq, body, replay)
        self.transcript.note(asyncio.get_running_loop().time(), table, epoch, seq, body, replay)


class Evening:
    """One table, people and bots at it, somebody who looks on; the server may fall over and get up again."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.target = 20 if seed % 3 else 60  # one round, mostly; or some
        self.pledging = seed % 4 < 2  # people add values to the deal
        self.transcript = Transcript()
        self.journal = TranscriptJournal(
            delay=lambda: self.dice.uniform(0.0, 0.02),
            fail=self._journal_fails,
            fail_late=self._answer_is_lost,
            now=asyncio.get_running_loop().time,
        )
        self.journal.transcript = self.transcript
        self.failing = self.failing_late = 0.0
        self.damaged: int | None = None  # an entry with a bit that flipped
        self.damages = 0
        self.lobby: Lobby
        self.clients: list[SimulatedClient] = []
        self.tasks: list[asyncio.Task[None]] = []
        self.code = ""

    def _journal_fails(self) -> bool:
        return self.dice.random() < self.failing

    def _answer_is_lost(self) -> bool:
        return self.dice.random() < self.failing_late

    async def open(self) -> None:
        await self.journal.open()
        self.lobby = self._new_lobby()
        people = self.dice.choice((1, 2, 2, 3))
        bots = self.dice.choice((0, 1, 2)) if people > 1 else self.dice.choice((1, 3))
        settings = Settings(
            edition=self.dice.choice(("classic", "splash", "argentina", "mild-wild")),
            options={
                "target": self.target,
                "jump_in": self.dice.random() < 0.2,
                "hand_size": self.dice.choice((3, 5, 7)),
            },
            seats=people + bots,
            turn_seconds=self.dice.choice((0, 15, 30)),
            speed="fast",
            grace_ms=self.dice.choice((0, 300, 1000)),
            next_round_seconds=5,
        )
        levels: dict[str, BotLevel] = {str(people + n): self.dice.choice(LEVELS) for n in range(bots)}
        host = await self.lobby.make(rest.NewTable("Ann", settings, levels), "a")
        tokens = [host.token]
        for number in range(1, people):
            tokens.append((await self.lobby.join(host.code, rest.Join(f"P{number}", number), "a")).token)
        self.code = host.code
        for token in (*tokens, None):
            client = SimulatedClient(lambda: self.lobby, host.code, token, bad_line(self.dice), self.dice)
            client.note = self.transcript.note
            client.steps_may_be_lost = lambda: self.damages > 0
            self.clients.append(client)
            if self.pledging:
                client.wants = pledge_and_play
        if not self.pledging:
            self.clients[0].pending["start"] = {"type": "start", "cmd_id": "start"}
        self.tasks = [asyncio.get_running_loop().create_task(client.live()) for client in self.clients]

    def _new_lobby(self) -> Lobby:
        config = Config(data=Path("nowhere"), messages_per_second=1000, sleep_seconds=30)
        lobby = Lobby(Context(self.journal, InlineThinkers(str(self.dice.random()))), config)
        lobby.guesses.note_failure = lambda *_: None  # type: ignore[method-assign]  # all clients share an address
        lobby.start()
        return lobby

    async def play(self) -> None:
        """Until the match is over, or for an hour of theirs."""
        loop = asyncio.get_running_loop()
        end = loop.time() + HOUR
        while loop.time() < end and not self._over():
            await asyncio.sleep(self.dice.uniform(1.0, 20.0))
            self._mend()
            self.failing = self.dice.choice((0.0, 0.0, 0.0, 0.3))
            self.failing_late = self.dice.choice((0.0, 0.0, 0.0, 0.1))
            if self.dice.random() < 0.15:
                if self.dice.random() < 0.8:
                    self._flip_bits()
                self._fall_over()
            for task in self.tasks:
                if task.done():
                    task.result()
        self._mend()
        self.failing = self.failing_late = 0.0

    def _flip_bits(self) -> None:
        """In an entry and in a snapshot of the sleeping table, as a disk that rots."""
        stored = self.journal._tables[self.code]
        for each in list(stored.snapshots):
            if self.dice.random() < 0.5:
                self.journal.flip_bit(self.code, each.seq, snapshot=True)
        self.damaged = self.dice.randint(stored.first, stored.newest)
        self.damages += 1
        self.journal.flip_bit(self.code, self.damaged)

    def _mend(self) -> None:
        """Somebody has put a sound copy in place.  Nobody has played on from what was damaged."""
        if self.damaged is None:
            return
        stored = self.journal._tables[self.code]
        covered = any(each.seq >= self.damaged for each in stored.snapshots)
        assert covered or self.code not in self.lobby.tables, "a damaged table woke up"
        if self.damaged >= stored.first:  # else it was compacted
            self.journal.flip_bit(self.code, self.damaged)
        self.damaged = None

    def _over(self) -> bool:
        table = self.lobby.tables.get(self.code)
        return table is not None and table.state.phase == "over"

    def _fall_over(self) -> None:
        """What was in memory is gone, all lines break; what the journal has is there."""
        old, self.lobby = self.lobby, self._new_lobby()
        self.lobby.lease.node = stop_renewing(old)
        if old._maintenance is not None:
            old._maintenance.cancel()
        for table in old.tables.values():
            if table._worker is not None:
                table._worker.cancel()
            table.close()
        for client in self.clients:
            client.cut()

    async def settle(self) -> tuple[TableState, Steps]:
        """Good lines at last: everybody hears the rest of it."""
        for client in self.clients:
            client.heal()
        for _ in range(600):
            await asyncio.sleep(1.0)
            version = len(await self.journal.load(self.code))  # every entry is one
            if all(client.version == version and not client.pending for client in self.clients):
                break
        else:
            raise AssertionError([(c.version, c.pending) for c in self.clients], version)
        for client in self.clients:
            client.stop()
        await asyncio.gather(*self.tasks)
        await self.lobby.close()
        return replay_all(await self.journal.load(self.code))


def replay_all(bodies: Sequence[bytes]) -> tuple[TableState, Steps]:
    """The table that the entries make, with all of its steps; it keeps the last of them itself."""
    state, steps = entries.replay(bodies[:1]), Steps()
    for body in bodies[1:]:
        events = entries.apply(state, entries.decode(body))
        steps[state.version] = events
    return state, steps


def check_story(client: SimulatedClient, state: TableState, steps: Steps, written: list[dict[str, object]]) -> None:
    """Everything the client was told is in the journal, and everything that was acknowledged to it."""
    seat = None if client.view is None else client.view["you"]
    told = {
        version: [event.to_dict() for event in _seen(state, events, seat)]
        for version, events in steps.items()
        if events
    }
    for version, events in client.story.events.items():
        assert told.get(version, []) == events, f"version {version} was never so"
    due = {version for version in told if version > client.story.fresh}
    assert set(client.story.events) >= due, "something was never told"
    by_command = {
        (entry.get("by", -1), entry.get("cmd_id")): n for n, entry in enumerate(written, 1) if entry.get("cmd_id")
    }
    assert len(by_command) == sum(bool(entry.get("cmd_id")) for entry in written), "a command was carried out twice"
    for cmd_id, version in client.story.acks.items():
        assert by_command[seat, cmd_id] == version, f"{cmd_id} was acknowledged and is not there"


def check_values(state: TableState, pledging: bool) -> None:
    """Whoever pledged a value is in the deal with that one, or is named."""
    shown = state.fairness
    assert any(shown.pledges) == pledging
    for seat, (pledge, value) in enumerate(zip(shown.pledges, shown.values, strict=True)):
        assert (pledge is not None and value is None) == (seat in shown.unopened)
        assert value is None or pledge_of(state.commitment, bytes.fromhex(value)) == pledge


def _seen(state: TableState, events: Sequence[Event], seat: int | None) -> tuple[Event, ...]:
    assert state.match is not None
    return state.match.seen(events, seat)


async def _evening(seed: int) -> Transcript:
    it = Evening(seed)
    await it.open()
    await it.play()
    state, steps = await it.settle()
    assert state.phase == "over", "an hour was not enough"
    written = [msgspec.json.decode(body) for body in await it.journal.load(it.code)]
    for client in it.clients:
        check_story(client, state, steps, written)
    check_values(state, it.pledging)
    return it.transcript


def command_for(seed: int) -> str:
    return f"python -m tests.server.evenings {seed}"


def evening(seed: int) -> Transcript:
    """Played and checked; if it fails, the error says how to play it again."""
    try:
        with all_chance_from(seed), short_journals() if seed % 2 else contextlib.nullcontext():
            return run(_evening(seed))
    except BaseException as error:
        error.add_note(f"To play this evening again: {command_for(seed)}")
        raise


if __name__ == "__main__":
    for given in sys.argv[1:]:
        print(given, evening(int(given)))
