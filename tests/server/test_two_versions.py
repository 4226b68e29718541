"""Two versions of the server side by side: nothing is written that one of them can't read, and what one can't read it
leaves alone.
"""

from __future__ import annotations

import asyncio
import json
from typing import get_args

import pytest

from flipdeck.server import registry
from flipdeck.server.journal.postgres import PostgresJournal, schema
from flipdeck.server.shared.postgres import PostgresShared
from flipdeck.server.table import entries, known_kinds, readable_kinds, shortener, snapshot
from flipdeck.server.table.entries import UnknownEntry
from flipdeck.server.table.known_kinds import KnownKinds
from flipdeck.server.table.readable_kinds import BASE_KINDS, READABLE_KINDS
from flipdeck.wire.connection import RECONNECT, TRY_LATER

from .databases import postgres
from .running import running
from .sitting import Ledger, at_once, hall, refused
from .steered import live
from .test_handover import two_servers

BASE = 50  # fields in all: never more
NEW = "locked"  # plays the part of a kind that this release has brought


@pytest.fixture
def news(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if one kind, and the version of snapshots, were new."""
    monkeypatch.setattr(registry, "BASE_KINDS", BASE_KINDS - {NEW, f"snapshot-{snapshot.VERSION}"})


OLD_KINDS = READABLE_KINDS - {NEW, f"snapshot-{snapshot.VERSION}"}


def test_what_servers_could_read_at_first_is_never_more_and_can_still_be_read() -> None:
    """A kind that is added to the base would be written before all servers can read it."""
    assert len(BASE_KINDS) == 28
    assert BASE_KINDS <= READABLE_KINDS


def test_a_new_field_is_a_kind_of_its_own_where_it_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if ``locked`` were a new field."""
    monkeypatch.setitem(readable_kinds.BASE_FIELDS, "locked", "")
    new = readable_kinds._new_fields(entries.Locked)
    assert new == ("locked",)
    monkeypatch.setitem(readable_kinds._NEW_FIELDS, entries.Locked, new)
    monkeypatch.setattr(readable_kinds, "defaults_of", lambda _: {"locked": False})
    assert readable_kinds.kinds_in(entries.Locked(locked=True)) == ("locked", "locked.locked")
    assert readable_kinds.kinds_in(entries.Locked(locked=False)) == ("locked",)


def test_the_fields_that_entries_had_at_first_are_theirs_still() -> None:
    """A field that is added to the base would be written before all servers can read it."""
    fields = {str(kind.__struct_config__.tag): set(kind.__struct_fields__) for kind in get_args(entries.AnyEntry)}
    for tag, names in readable_kinds.BASE_FIELDS.items():
        assert set(names.split()) <= fields[tag]
    assert sum(len(names.split()) for names in readable_kinds.BASE_FIELDS.values()) == BASE


def test_a_new_kind_is_not_written_before_the_other_servers_are_known() -> None:
    known = KnownKinds()
    known.note_own({"old", "new"}, {"old"})
    assert known.unread == {"new"}
    known.note_others([])
    assert known.unread == frozenset()
    known.note_others([frozenset({"old", "new"}), frozenset()])
    assert known.unread == {"new"}, "a server from before there were kinds can read the base"
    known.note_others([frozenset({"new", "newer"})])
    assert known.unread == frozenset()


# ---------------------------------------------------------------- an older server in the cluster
@pytest.mark.usefixtures("news")
@at_once
async def test_a_new_kind_is_written_when_the_last_server_that_can_not_read_it_has_gone() -> None:
    ledger = Ledger()
    async with hall(ledger, lease_seconds=6) as it:
        await ledger.begin_lease("older", 60, OLD_KINDS)
        ann, ben = await it.sit(2, start=False)
        version = it.table(ann.code).state.version
        refusal = await ann.ask("lock", locked=True)
        assert (refusal["code"], refusal["reason"]) == ("not-now", "older-servers")
        assert it.table(ann.code).state.version == version
        await asyncio.sleep(30)
        assert (await ben.ask("pledge", pledge="0" * 64))["type"] == "ack", "what all can read is written"
        assert (await ann.ask("lock", locked=True))["reason"] == "older-servers"
        await ledger.end_lease("older")
        await asyncio.sleep(2)
        assert (await ann.ask("lock", locked=True))["type"] == "ack"
        assert [entry["what"] for entry in await ledger.written(ann.code)].count(NEW) == 1


@pytest.mark.usefixtures("news")
@at_once
async def test_a_server_that_is_alone_writes_a_new_kind_at_once() -> None:
    async with hall(lease_seconds=6) as it:
        ann, _ = await it.sit(2, start=False)
        assert (await ann.ask("lock", locked=True))["type"] == "ack"


@pytest.mark.usefixtures("news")
@at_once
async def test_a_table_is_compacted_when_all_servers_can_read_it(monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = Ledger()
    async with hall(ledger, lease_seconds=6) as it:
        await ledger.begin_lease("older", 600, OLD_KINDS)
        ann, _ = await it.sit(2, start=False)
        monkeypatch.setattr(shortener, "MOST_ENTRIES", 10)
        for number in range(20):
            await ann.ask("pledge", pledge=f"{number:064x}")
        await asyncio.sleep(1)
        assert ledger._tables[ann.code].first == 1
        await ledger.end_lease("older")
        await asyncio.sleep(2)
        await ann.ask("pledge", pledge="1" * 64)
        await asyncio.sleep(1)
        assert ledger._tables[ann.code].first > 1


@pytest.mark.usefixtures("news")
@at_once
async def test_what_the_table_itself_wants_to_write_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "BASE_KINDS", BASE_KINDS - {"moved"})
    ledger = Ledger()
    async with hall(ledger, lease_seconds=6) as it:
        await ledger.begin_lease("older", 60, READABLE_KINDS - {"moved"})
        ann, _ = await it.sit(1, {1: "rookie"}, speed="fast"), None
        version = ann[0].version
        await asyncio.sleep(40)
        assert ann[0].version == version, "neither the bot nor anybody else moves"
        await ledger.end_lease("older")
        await asyncio.sleep(3)
        moved = ann[0].version > version or ann[0].on_turn
        assert moved


@pytest.mark.usefixtures("news")
@at_once
async def test_no_table_is_made_by_rules_that_another_server_does_not_know(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "BASE_KINDS", BASE_KINDS - {f"journal-{entries.VERSION}"})
    ledger = Ledger()
    async with hall(ledger, lease_seconds=6) as it:
        await ledger.begin_lease("older", 60, BASE_KINDS - {f"journal-{entries.VERSION}"})
        await asyncio.sleep(2)
        assert (await refused(it.make())).reason == "older-servers"
        await ledger.end_lease("older")
        await asyncio.sleep(2)
        assert (await it.make()).seat == 0


# ---------------------------------------------------------------- what an older server can't read
NEWER = [
    {"what": "juggled", "seat": 1},
    {"what": "locked", "locked": True, "until": 5},
    {"what": "juggled", "seat": {"by": "name"}},
]


@pytest.mark.parametrize("entry", NEWER)
@at_once
async def test_a_table_with_an_entry_of_a_newer_server_is_left_alone_and_nothing_of_it_is_lost(
    entry: dict[str, object],
) -> None:
    ledger = Ledger()
    async with hall(ledger) as it:
        ann, _ = await it.sit(2, start=False)
        await it.restart()
        await ledger.begin_lease("newer", 60)
        epoch = await ledger.claim(ann.code, "newer")
        await ledger.append(ann.code, epoch, len(await ledger.load(ann.code)) + 1, json.dumps(entry).encode())
        await ledger.release(ann.code, epoch)
        before = await ledger.load(ann.code)
        for _ in range(3):
            refusal = await ann.connect()
            assert refusal["code"] == "newer-table"
            assert ann._line.closing == TRY_LATER
        assert TRY_LATER in RECONNECT
        assert (await refused(it.join(ann.code, "Cleo"))).code == "newer-table"
        assert await ledger.load(ann.code) == before
        assert it.lobby.damaged == set()
        assert ann.code not in it.lobby.tables
        assert await ledger.claim(ann.code, "newer") > epoch, "whoever can read it can have it"


@at_once
async def test_a_table_by_rules_of_a_newer_server_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = Ledger()
    async with hall(ledger) as it:
        monkeypatch.setattr(entries, "VERSION", 3)
        code = (await it.make()).code
        body = json.loads(ledger._tables[code].entries[0])
        await it.restart()
        monkeypatch.undo()
        del ledger._tables[code]
        await ledger.begin_lease("newer", 60)
        epoch = await ledger.claim(code, "newer")
        await ledger.append(code, epoch, 1, json.dumps({**body, "version": 3}).encode())
        assert (await refused(it.join(code, "Ben"))).code == "newer-table"


@at_once
async def test_a_server_that_can_not_read_a_table_does_not_take_it_from_its_owner_again_and_again() -> None:
    async with two_servers(hold_seconds=0) as (ledger, newer, older):
        ann, _ = await newer.sit(2, start=False)
        honest = entries.decode

        def decode(body: bytes) -> entries.AnyEntry:
            if json.loads(body)["what"] == NEW:
                raise UnknownEntry
            return honest(body)

        assert (await ann.ask("lock", locked=True))["type"] == "ack"
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("flipdeck.server.table.waking.decode", decode)
            stranger = older.seat(ann.code, ann.token)
            assert (await stranger.connect())["code"] == "newer-table"
        assert (await ann.connect())["type"] == "welcome"
        for _ in range(10):
            assert (await stranger.connect())["code"] == "newer-table"
        assert ann.on_line
        assert newer.lobby.handed_over == 1
        del ledger


def test_what_is_damaged_is_not_taken_for_newer() -> None:
    for body in (b"", b"[]", b"{}", b'{"what": 5}', b'{"what": "moved"}', b'{"what": "moved", "move": 5}', b"\xff"):
        with pytest.raises(Exception) as damaged:  # noqa: PT011
            entries.decode(body)
        assert not isinstance(damaged.value, UnknownEntry), body


def test_every_entry_says_what_a_server_has_to_know() -> None:
    kinds = readable_kinds.kinds_in(entries.SaidReady(seat=0))
    assert kinds == ("saidready",)
    assert known_kinds.KnownKinds().unread == frozenset()


# ---------------------------------------------------------------- on a real database
@pytest.mark.parametrize("told", [True, False], ids=["other kinds", "from before there were kinds"])
@pytest.mark.usefixtures("news")
@live
async def test_on_a_real_database_a_new_kind_waits_for_an_older_server_to_leave(told: bool) -> None:
    url = postgres().url(postgres().new())
    older = PostgresJournal(url)
    await older.open()
    await older.begin_lease("older", 3600, OLD_KINDS)
    if not told:
        await older._fetch("UPDATE nodes SET kinds = NULL WHERE node = 'older'")
    async with running(PostgresJournal(url), shared=PostgresShared(url), lease_seconds=600) as server:
        _, _, (ana, _) = await server.seated()
        assert (await ana.command("lock", locked=True))["reason"] == "older-servers"
        await older.end_lease("older")
        await server.app.lobby.lease.renew()
        assert (await ana.command("lock", locked=True))["type"] == "ack"
    await older.close()


@live
async def test_a_database_of_the_first_version_gets_what_servers_share_while_an_older_server_runs() -> None:
    url = postgres().url(postgres().new())
    older, newer = PostgresJournal(url), PostgresJournal(url)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schema, "STEPS", schema.STEPS[:1])
        patch.setattr(schema, "VERSION", 1)
        await older.open()
    lease = "INSERT INTO nodes (node, lease_until, seconds, seen) SELECT $1, journal_now() + interval '1 hour', 3600, 0"
    await older._fetch(lease, "older")
    epoch = await older.claim("AAAA", "older")
    await older.append("AAAA", epoch, 1, b"one")
    await newer.open()
    assert (await newer.begin_lease("newer", 3600, READABLE_KINDS)).kinds == (frozenset(),)
    await older.append("AAAA", epoch, 2, b"two")
    assert await newer.load("AAAA") == [b"one", b"two"]
    shared = PostgresShared(url)
    await shared.open()
    assert await shared.take_allowance("address")
    for each in (shared, older, newer):
        await each.close()
