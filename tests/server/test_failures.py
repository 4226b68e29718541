"""What goes wrong around a server: a disk that fills up, a clock that jumps, bots that are killed, names in logs."""

from __future__ import annotations

import asyncio
import io
import logging
import os
import random
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from flipdeck.server import logs
from flipdeck.server.journal import Renewal, writer
from flipdeck.server.journal.memory import MemoryJournal
from flipdeck.server.journal.sqlite import SqliteJournal
from flipdeck.server.thinkers import pool
from flipdeck.server.thinkers.pool import WorkerPool
from tests.patience import HANG
from tests.server.running import Client, Running, eventually, fingerprint, play, run, running
from tests.server.steered import live, steered_loop

posix = pytest.mark.skipif(sys.platform == "win32", reason="limits and signals of POSIX")


# ---------------------------------------------------------------- the disk
async def refused_while_it_fails(server: Running, code: str, actor: Client) -> None:
    """Every way to change something is refused, nothing has changed, and the health is red."""
    before = fingerprint(server.table(code))
    assert actor.view is not None
    for _ in range(3):
        answer = await actor.command("move", version=actor.version, move=actor.view["legal"][0])
        assert (answer["type"], answer["code"]) == ("refused", "unavailable")
    made = await server.http.post("/api/tables", json={"name": "Eve"})
    assert (made.status_code, made.json()["code"]) == (503, "unavailable")
    steered_loop().advance(1.1)  # so long the health is believed
    health = await server.http.get("/health")
    assert (health.status_code, health.json()["ok"]) == (503, False)
    assert fingerprint(server.table(code)) == before


def test_a_journal_that_fails_costs_an_honest_refusal_and_works_again_afterwards() -> None:
    failing = False

    async def story() -> None:
        nonlocal failing
        async with running(MemoryJournal(fail=lambda: failing)) as server:
            code, _, clients = await server.seated()
            actor = next(client for client in clients if client.on_turn)
            failing = True
            await refused_while_it_fails(server, code, actor)
            failing = False
            assert (await server.http.get("/health")).json()["ok"]
            assert await play(clients, 5, random.Random(1)) == 5

    run(story())


def test_an_entry_that_was_kept_although_the_answer_was_lost_is_shown_and_known() -> None:
    """The command was refused; sent again it is acknowledged with the version it had become."""
    late = False

    def once() -> bool:
        nonlocal late
        late, was = False, late
        return was

    async def story() -> None:
        nonlocal late
        async with running(MemoryJournal(fail_late=once)) as server:
            _, _, clients = await server.seated()
            actor, other = sorted(clients, key=lambda client: not client.on_turn)
            assert actor.view is not None
            move = {"cmd_id": "lost", "version": actor.version, "move": actor.view["legal"][0]}
            version = actor.version
            late = True
            await actor.send("move", **move)
            assert (await actor.until("refused", "ack"))["code"] == "unavailable"
            assert await other.command("ready")
            await actor.send("move", **move)
            again = await actor.until("refused", "ack")
            assert (again["type"], again["version"]) == ("ack", version + 1)
            await other.up_to(version + 1)

    run(story())


@contextmanager
def full_disk(path: Path) -> Iterator[None]:
    """No file of this process grows beyond the size that the journal has now."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.with_name(path.name + "-wal").stat().st_size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@posix
def test_a_disk_that_is_really_full_costs_an_honest_refusal_and_nothing_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "tables.sqlite3"

    async def story() -> tuple[str, str]:
        async with running(SqliteJournal(path)) as server:
            code, _, clients = await server.seated()
            await play(clients, 10, random.Random(1))
            for client in clients:
                await client.up_to(server.table(code).state.version)
            actor = next(client for client in clients if client.on_turn)
            with full_disk(path):
                await refused_while_it_fails(server, code, actor)
            assert (await server.http.get("/health")).json()["ok"]
            assert await play(clients, 5, random.Random(1)) == 5
            await eventually(lambda: not server.table(code).busy)
            return code, fingerprint(server.table(code))

    async def after_a_restart(code: str, before: str) -> None:
        async with running(SqliteJournal(path)) as server:
            await server.greet(code)
            assert fingerprint(server.table(code)) == before

    run(after_a_restart(*run(story())))


# ---------------------------------------------------------------- the clock of the system
class Renewing(SqliteJournal):
    """Tells when it has renewed leases."""

    def __init__(self, path: Path, *, now: Callable[[], float]) -> None:
        super().__init__(path, now=now)
        self.renewed = asyncio.Event()

    async def renew(self, node: str, seconds: float) -> Renewal:
        renewal = await super().renew(node, seconds)
        self.renewed.set()
        return renewal


@pytest.mark.parametrize("jump", [-1e9, 1e9])
def test_when_the_clock_of_the_system_jumps_nothing_changes(
    jump: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, off = time.time, 0.0
    monkeypatch.setattr(time, "time", lambda: real() + off)
    monkeypatch.setattr(writer, "PAUSE_SECONDS", 0.0)  # the clock of the loop stands

    async def story() -> None:
        nonlocal off
        steered_loop().stop_clock()
        journal = Renewing(tmp_path / "tables.sqlite3", now=time.time)
        async with running(journal, lease_seconds=3.0, sleep_seconds=1.0) as server:
            code, tokens, clients = await server.seated(turn_seconds=15)
            before = fingerprint(server.table(code))
            seat = next(n for n, client in enumerate(clients) if client.on_turn)
            off = jump
            steered_loop().advance(2.5)
            await journal.renewed.wait()  # clocks were noted and tables looked after before that
            assert fingerprint(server.table(code)) == before
            again = await server.greet(code, tokens[seat])
            assert again.told[0]["clock"] == {"seat": seat, "left_ms": 12_500, "of_ms": 15_000, "running": True}
            clients[seat] = again
            assert await play(clients, 3, random.Random(1)) == 3
            off = 0.0
            assert await play(clients, 3, random.Random(1)) == 3
            assert (await server.http.get("/health")).json()["ok"]

    run(story())


# ---------------------------------------------------------------- bots
@posix
def test_when_the_bots_are_killed_the_match_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "START", 10 * HANG)

    async def story() -> None:
        steered_loop().run_clock(10)  # the bots take their time
        house = WorkerPool(patience=10 * HANG, search=False)
        async with running(thinkers=house) as server:
            seated = await server.make(seats=3, bots={"1": "regular", "2": "casual"}, start=True)
            me = await server.greet(seated["code"], seated["token"])
            for kills in (1, 2):
                await eventually(lambda: bool(house.pids))
                (worker,) = house.pids
                os.kill(worker, signal.SIGKILL)
                await my_turns(me, 2)
                assert house.restarts == kills
            assert house.failures <= 2

    run(story())


async def my_turns(me: Client, turns: int) -> None:
    """Plays until its turn has ended so many times; everybody has to move in between."""
    while turns:
        if me.view is not None and me.on_turn:
            answer = await me.command("move", version=me.version, move=me.view["legal"][0])
            assert answer["type"] == "ack", answer
            await me.up_to(answer["version"])
            turns -= not me.on_turn
        elif me.table["phase"] == "between" and not me.table["seats"][0]["ready"]:
            await me.up_to((await me.command("ready"))["version"])
        else:
            await me.read()


# ---------------------------------------------------------------- logs
HOSTILE = [
    '<img src=x onerror="alert(1)">',
    "Ana\r\n2026-01-01 ERROR forged line",
    "\u202eevil\u2066 name",
    "%s%s%n{0}{problem}${jndi:ldap://x}",
    "'; DROP TABLE entries; --",
    "\x1b[2J\x1b[31mred",
]


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    """All that a server's own log would say, at its loudest."""
    out, root = io.StringIO(), logging.getLogger()
    handler = logging.StreamHandler(out)
    handler.setFormatter(logs.JsonLines())
    kept = root.level
    monkeypatch.setattr(logging.getLogger("uvicorn.access"), "disabled", True)
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield out
    root.removeHandler(handler)
    root.setLevel(kept)


@live
async def test_a_hostile_name_is_shown_as_one_line_of_text_to_all() -> None:
    async with running() as server:
        for name in HOSTILE:
            host = await server.make(name=name)
            client = await server.greet(host["code"], host["token"])
            await server.join(host["code"], name)
            shown = [seat["name"] for seat in (await client.until("update"))["table"]["seats"]]
            looked = (await server.http.get(f"/api/tables/{host['code']}")).json()
            assert shown == [seat["name"] for seat in looked["seats"]]
            assert len(set(shown)) == 2
            assert all(each.isprintable() and 0 < len(each) <= 20 for each in shown)


def test_no_name_token_code_or_card_is_ever_written_into_a_log(written: io.StringIO) -> None:
    failing = False

    async def story() -> list[str]:
        nonlocal failing
        async with running(MemoryJournal(fail=lambda: failing)) as server:
            host = await server.make(name="Zebedee <b>")
            code, tokens = host["code"], [host["token"], (await server.join(host["code"], "Wilhelmina"))["token"]]
            clients = [await server.greet(code, token) for token in tokens]
            await clients[0].command("start")
            for client in clients:
                await client.up_to(server.table(code).state.version)
            actor = next(client for client in clients if client.on_turn)
            await actor.raw("nonsense about Zebedee")
            await actor.send("chat", text="psst Wilhelmina")
            failing = True
            assert actor.view is not None
            await actor.command("move", version=actor.version, move=actor.view["legal"][0])
            await server.http.post("/api/tables", json={"name": "Zebedee", "settings": {"seats": "Wilhelmina"}})
            await server.http.get(f"/api/tables/{code}/nothing")
            failing = False
            await play(clients, 5, random.Random(1))
            state = server.table(code).state
            assert state.match is not None
            cards = [card for client in clients for card in (client.view or {})["hand"]]
            hashes = [token for seat_state in state.seats for token in seat_state.tokens]
            return ["Zebedee", "Wilhelmina", "psst", code, *tokens, *hashes, *cards, state.seed.hex(), state.replay]

    secrets = run(story())
    said = "".join(line for line in written.getvalue().splitlines(True) if '"logger":"httpx"' not in line)
    assert '"event":"table-made"' in said
    assert '"event":"journal-failed"' in said
    assert [secret for secret in secrets if secret in said] == []
