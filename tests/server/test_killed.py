"""A server that is killed loses nothing that it acknowledged, and has shown nothing that it had not committed.

Clients play over real sockets while the server dies at a chosen step of the way of a move, or at any moment; it is
started again on the same folder, they come back with the last version they have, and send again what was not
acknowledged.  After every death the clients and the journal are compared.
"""

from __future__ import annotations

import asyncio
import json
import random
import shutil
import signal
import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from flipdeck.core.record import parse
from flipdeck.server.app import make_app
from flipdeck.server.config import Config
from flipdeck.server.journal import Clock
from flipdeck.server.journal.memory import MemoryJournal
from flipdeck.server.journal.sqlite import SqliteJournal
from flipdeck.server.paths import database_in
from flipdeck.server.table.entries import Started, replay
from flipdeck.server.thinkers.inline import InlineThinkers
from flipdeck.server.transport.session import ClientSession
from flipdeck.wire import rest
from tests.bots.seats import THOROUGH
from tests.patience import HANG
from tests.server import virtual
from tests.server.killing import Nursery, loaded, nursery
from tests.server.outbox import LocalConnection, Message
from tests.server.short_journals import all_entries, keep_replaced
from tests.server.witnesses import CommittedTable, Witness, agree

from .hearing import receive
from .steered import eventually, live, run

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and forks of POSIX")

KILLS = 40 if THOROUGH else 2  # at each of eighteen steps, and at any moment
STOPS = (30, 60, 90, 120) if THOROUGH else (30, 60)  # after so many acknowledgements
MATCHES = 4 if THOROUGH else 2  # to their end
SOON = {"hand_size": 3, "target": 10}  # matches that end, so that there are rematches too
TABLES: list[dict[str, Any]] = [
    {"settings": {"seats": 2, "options": SOON, "grace_ms": 0}},
    {"settings": {"seats": 3, "edition": "argentina", "options": {**SOON, "jump_in": True}, "grace_ms": 20}},
    {"settings": {"seats": 2, "options": {"stacking": True}, "grace_ms": 5, "speed": "fast"}, "bots": {"1": "rookie"}},
]
LOST, KEPT = "lost", "kept"  # what has become of a command whose answer was not heard
STEPS: dict[str, str | None] = {  # None: the answer was on its way, and is heard as a rule
    "received": LOST,
    "decided": LOST,
    "journal:before-commit": LOST,
    "journal:after-commit": KEPT,
    "journal:noted": KEPT,
    "journal:before-checkpoint": None,
    "journal:after-checkpoint": None,
    "committed": KEPT,
    "acknowledged": None,
    "shown": None,
    "taken-up": None,
    "woken": None,
    "journal:snapshot": None,
    "journal:compacting": None,
    "journal:compacted": None,
    "journal:deleting": None,
    "journal:opening": None,
    "journal:opened": None,
}
STARTING = ("journal:opening", "journal:opened")  # before anybody can connect
RARE = {"checkpoint": 3, "snapshot": 6, "compact": 2, "deleting": 4, "taken-up": 3, "woken": 3}  # times in a life
EARLY = ("taken-up", "woken", *STARTING)  # nobody gets far before that, so others live in between


@pytest.fixture(scope="module", autouse=True)
def _servers() -> Iterator[None]:
    with loaded():
        yield


class House:
    """The tables of one folder: who plays there, and what its journal says."""

    def __init__(self, servers: Nursery, dice: random.Random) -> None:
        self.servers, self.dice = servers, dice
        self.witnesses: list[Witness] = []
        self.ledgers: dict[str, CommittedTable] = {}
        self.loaded: dict[str, list[bytes]] = {}
        self.unheard = {LOST: 0, KEPT: 0}
        self.kills = 0

    @property
    def acks(self) -> int:
        return sum(len(witness.acks) for witness in self.witnesses)

    def http(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(base_url=f"http://127.0.0.1:{self.servers.port}", timeout=HANG)

    @property
    def heard(self) -> int:
        """Messages, by all of them."""
        return sum(witness.heard for witness in self.witnesses)

    async def make(self, *tables: dict[str, Any]) -> None:
        """Needs a server; every table has somebody who looks on."""
        async with self.http() as client:
            for wanted in tables:
                seated = [(await client.post("/api/tables", json={"name": "Ana", **wanted})).json()]
                code = seated[0]["code"]
                for _ in range(wanted["settings"]["seats"] - 1 - len(wanted.get("bots", ""))):
                    joined = await client.post(f"/api/tables/{code}/seats", json={"name": "Ben"})
                    seated.append(joined.json())
                self.witnesses += [Witness(code, each["seat"], each["token"], self.dice) for each in seated]
                self.witnesses.append(Witness(code, None, None, self.dice))
                self.ledgers[code] = CommittedTable()

    async def life(self, step: str, after: int) -> None:
        """Played until the server dies; then everybody is heard."""
        await self.servers.start(step, after)
        heard = self.heard
        async with asyncio.TaskGroup() as group:
            for witness in self.witnesses:
                group.create_task(witness.live(self.servers.port))
            if not step:
                after = heard + self.dice.randint(0, 150)
                await eventually(lambda: self.heard >= after)
                self.servers.signal(signal.SIGKILL)
            assert await self.servers.ended() == -signal.SIGKILL
        self.kills += 1
        await self.prove()

    async def stillbirth(self, step: str) -> None:
        """A server that dies while it opens what the last one has left."""
        assert await self.servers.start_in_vain(step) == -signal.SIGKILL
        self.kills += 1
        await self.prove()

    async def rest(self) -> None:
        """Nobody plays on: everything that was ever acknowledged is asked about once more; then the server stops."""
        for witness in self.witnesses:
            witness.plays, witness.curious = False, len(witness.said)
        await self.servers.start()
        async with asyncio.TaskGroup() as group:
            lives = [group.create_task(witness.live(self.servers.port)) for witness in self.witnesses]
            await eventually(lambda: all(witness.settled for witness in self.witnesses))
            await self.stop(lives)
        await self.prove()

    async def stop(self, lives: list[asyncio.Task[int | None]]) -> None:
        """As an operator does it: everybody is told, and it is no failure."""
        self.servers.signal(signal.SIGTERM)
        assert await self.servers.ended() == 0
        assert set(await asyncio.gather(*lives)) == {1012}
        for witness in self.witnesses:
            assert witness.byes == 1
            witness.byes = 0

    async def prove(self) -> None:
        for code, bodies in (await self.journal()).items():
            self.ledgers[code].read(bodies)
            self.ledgers[code].check_compacted(self.loaded[code])
        for witness in self.witnesses:
            ledger = self.ledgers[witness.table]
            agree(witness, ledger)
            assert not witness.byes, "a server that is killed says no good-bye"
            for cmd_id in witness.pending:
                self.unheard[KEPT if (witness.seat, cmd_id) in ledger.commands else LOST] += 1

    async def journal(self) -> dict[str, list[bytes]]:
        """What the dead have written, from a copy, as whoever opens the folder puts it in order; ``loaded`` is what a
        server loads of it.
        """
        copy = self.servers.data.with_name("copy")
        shutil.copytree(self.servers.data, copy, ignore=shutil.ignore_patterns("admin.*"))  # no copy of a socket
        journal = SqliteJournal(database_in(copy))
        await journal.open()
        self.loaded = {code: await journal.load(code) for code in self.ledgers}
        await journal.close()
        found = {code: all_entries(database_in(copy), code) for code in self.ledgers}
        shutil.rmtree(copy)
        return found


def most_of(step: str) -> int:
    """How often a server comes to a step before long."""
    return next((times for part, times in RARE.items() if part in step), 30)


async def kill_again_and_again(data: Path, step: str) -> House:
    dice = random.Random(f"killed {step}")
    async with nursery(data) as servers:
        house = House(servers, dice)
        await servers.start()
        await house.make(*TABLES)
        servers.signal(signal.SIGKILL)
        assert await servers.ended() == -signal.SIGKILL
        keep_replaced(database_in(data))
        kills = max(2, KILLS // 4) if "compact" in step or step == "journal:deleting" else KILLS  # a match for each
        for _ in range(kills):
            if step in EARLY:
                await house.life("", 0)
            if step in STARTING:
                await house.stillbirth(step)
            else:
                await house.life(step, dice.randint(1, most_of(step)))
        await house.rest()
        for code, bodies in house.loaded.items():
            anew, followed = replay(bodies), house.ledgers[code].state
            assert anew.info((), 0, None) == followed.info((), 0, None)
    started = [e for ledger in house.ledgers.values() for e in ledger.entries if isinstance(e, Started)]
    assert kills < 20 or any(entry.values for entry in started), "nobody has opened a value"
    assert house.kills == (2 if step in EARLY else 1) * kills
    assert house.acks > KILLS
    print(
        f"{step or 'at any moment'}: {house.kills} kills, {house.acks} commands acknowledged, none lost, none doubled"
    )
    return house


@pytest.mark.parametrize("step", STEPS)
def test_nothing_is_lost_when_the_server_is_killed_at(step: str, tmp_path: Path) -> None:
    house = run(kill_again_and_again(tmp_path / "data", step))
    became = STEPS[step]
    assert became is None or house.unheard[became] >= KILLS // 4, "the server did not die where it should have"


def test_nothing_is_lost_when_the_server_is_killed_at_any_moment(tmp_path: Path) -> None:
    run(kill_again_and_again(tmp_path / "data", ""))


@live
async def test_who_stops_the_server_is_obeyed_at_once_and_the_match_goes_on_afterwards(tmp_path: Path) -> None:
    async with nursery(tmp_path / "data") as servers:
        house = House(servers, random.Random("stopped"))
        await servers.start()
        await house.make(*TABLES)
        servers.signal(signal.SIGTERM)
        assert await servers.ended() == 0
        keep_replaced(database_in(servers.data))
        await servers.start()
        for played in STOPS:
            async with asyncio.TaskGroup() as group:
                lives = [group.create_task(witness.live(servers.port)) for witness in house.witnesses]
                await eventually(
                    lambda played=played: (  # type: ignore[misc]
                        house.acks >= played and all(witness.welcomes for witness in house.witnesses)
                    )
                )
                await house.stop(lives)
            await house.prove()
            await servers.start()


@pytest.mark.parametrize("greeted", [True, False])
def test_who_comes_in_while_the_server_stops_hears_of_it_and_of_nothing_worse(greeted: bool) -> None:
    """Just before it stops, and just after: neither may be left at a table that is no longer there."""

    async def story() -> list[Message]:
        journal = MemoryJournal(delay=lambda: 0.5)
        lobby = make_app(Config(), journal=journal, thinkers=InlineThinkers()).lobby
        await journal.open()
        host = await lobby.make(rest.NewTable("Ana"), "here")
        connection = LocalConnection("here", lambda: None)
        session = ClientSession(lobby, connection)
        hello = json.dumps({"type": "hello", "protocol": 1, "table": host.code, "token": host.token})
        joining = asyncio.create_task(lobby.join(host.code, rest.Join("Ben"), "there"))
        await asyncio.sleep(0)  # the table is busy
        if greeted:
            await receive(session, hello)
        closing = asyncio.create_task(lobby.close())
        await asyncio.sleep(0)  # it has begun to close
        if not greeted:
            await receive(session, hello)
        await asyncio.gather(joining, closing)
        heard = []
        while (frame := await connection.next_frame()) is not None:
            heard.append(json.loads(frame))
        session.end()
        assert connection.closing == 1012
        return heard

    heard = virtual.run(story())
    told = [message["type"] for message in heard if message["type"] not in ("ping", "update")]
    assert told == (["welcome", "bye"] if greeted else ["refused"])
    assert heard[-1]["code"] == "shutting-down"


class ToTheEnd(Witness):
    """Plays one match, and says when it has heard that it is over."""

    def __init__(self, *who: Any) -> None:
        super().__init__(*who)
        self.over = asyncio.Event()

    @property
    def info(self) -> Message:
        return self._info

    def _wish(self) -> Message | None:
        if self._info["phase"] == "over":
            self.over.set()
            return None
        return super()._wish()


@live
async def test_whoever_heard_where_a_match_can_be_found_finds_it_after_a_kill_though_nobody_comes_back(
    tmp_path: Path,
) -> None:
    async with nursery(tmp_path / "data") as servers:
        house = House(servers, random.Random("over"))
        for _ in range(MATCHES):
            await servers.start()
            house.witnesses.clear()
            await house.make(TABLES[0])
            *players, _ = [ToTheEnd(each.table, each.seat, each.token, house.dice) for each in house.witnesses]
            async with asyncio.TaskGroup() as group:
                for player in players:
                    group.create_task(player.live(servers.port))
                await asyncio.wait(
                    [asyncio.ensure_future(player.over.wait()) for player in players],
                    return_when=asyncio.FIRST_COMPLETED,
                )
                servers.signal(signal.SIGKILL)
                assert await servers.ended() == -signal.SIGKILL
            info = next(player.info for player in players if player.over.is_set())
            await servers.start()
            async with house.http() as client:
                answer = await client.get(f"/api/replays/{info['replay']}")
                assert answer.status_code == 200, answer.text
                assert parse(answer.text).seed.hex() == info["fairness"]["seed"]
                told = (await client.get(f"/api/replays/{info['replay']}/match")).json()
                assert told["names"] == [seat["name"] for seat in info["seats"]]
            servers.signal(signal.SIGKILL)
            await servers.ended()


def noted_clock(data: Path, table: str) -> Clock | None:
    with closing(sqlite3.connect(f"{database_in(data).as_uri()}?mode=ro", uri=True)) as db:
        row = db.execute("SELECT seq, left_ms FROM clocks WHERE code = ?", (table,)).fetchone()
        return Clock(*row) if row else None


def test_the_time_of_a_turn_stands_while_the_server_is_down_and_is_not_given_anew(tmp_path: Path) -> None:
    """How much of it may be given for nothing is in ``test_clock``."""
    data = tmp_path / "data"

    async def notes_of(witness: Witness, count: int) -> list[int]:
        """What is left on the witness's turn, as it is noted from time to time."""
        notes: list[int] = []

        def enough() -> bool:
            clock = noted_clock(data, witness.table)
            on_turn = witness.clock is not None and witness.clock["seat"] == witness.seat
            if on_turn and clock is not None and clock.seq == witness.version and clock.left_ms not in notes:
                notes.append(clock.left_ms)
            return len(notes) >= count

        await eventually(enough)
        return notes

    async def story() -> None:
        async with nursery(data) as servers:
            house = House(servers, random.Random("clock"))
            await servers.start(tending=0.1)
            await house.make({"settings": {"seats": 2, "turn_seconds": 300}, "bots": {"1": "rookie"}, "start": True})
            host = house.witnesses[0]
            host.plays = False
            async with asyncio.TaskGroup() as group:
                group.create_task(host.live(servers.port))
                notes = await notes_of(host, 3)
                servers.signal(signal.SIGKILL)
                await servers.ended()
            # the first may be from before anybody was there, when the clock stood
            assert 300_000 >= notes[0] > notes[1] > notes[2]
            last = noted_clock(data, host.table)
            assert last is not None
            await asyncio.sleep(0.5)  # that much would be missing if it went on
            began = time.monotonic()
            await servers.start()
            async with asyncio.TaskGroup() as group:
                life = group.create_task(host.live(servers.port))
                await eventually(lambda: len(host.welcomes) >= 2)
                up = time.monotonic() - began
                await asyncio.sleep(0.01)
                servers.signal(signal.SIGTERM)
                await servers.ended()
                assert await life == 1012
            clock = host.welcomes[1][1]["clock"]
            assert clock["running"]
            assert last.left_ms - 1000 * up - 1 <= clock["left_ms"] <= last.left_ms
            noted = noted_clock(data, host.table)
            assert noted is not None
            assert noted.left_ms < clock["left_ms"], "who stops in order forgets nothing of the clock"

    run(story())
