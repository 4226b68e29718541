"""What only a PostgreSQL journal can suffer: versions, rights, wrong addresses, restarts, stopped clients, clocks."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from flipdeck import cli
from flipdeck.server.config import Config, read_config
from flipdeck.server.journal import Fenced, SequenceConflict, StoredReplay, Unavailable
from flipdeck.server.journal.postgres import PostgresJournal, appending, link, schema
from flipdeck.server.journal.postgres.schema import VERSION

from .databases import PostgresServer, postgres
from .journals import HOUR, bodies, body, claim, write
from .running import running
from .steered import live, run

SECRET = "correct-horse"  # noqa: S105


@pytest.fixture(scope="module")
def server() -> PostgresServer:
    return postgres()


@pytest.fixture
def database(server: PostgresServer) -> str:
    return server.new()


PostgresStory = Callable[[PostgresJournal], Awaitable[None]]


def with_journal(server: PostgresServer, database: str, story: PostgresStory) -> None:
    async def whole() -> None:
        journal = PostgresJournal(server.url(database))
        await journal.open()
        try:
            await story(journal)
        finally:
            await journal.close()

    run(whole())


def refusal(url: str) -> str:
    async def whole() -> str:
        journal = PostgresJournal(url)
        with pytest.raises(Unavailable) as told:
            await journal.open()
        await journal.close()
        return str(told.value)

    return run(whole())


# ---------------------------------------------------------------- versions
def test_a_new_database_gets_the_schema_once_however_many_nodes_start(server: PostgresServer, database: str) -> None:
    async def story() -> None:
        journals = [PostgresJournal(server.url(database)) for _ in range(4)]
        await asyncio.gather(*(journal.open() for journal in journals))
        await write(journals[0], "AAAA", 3)
        assert await journals[1].load("AAAA") == bodies("AAAA", 3)
        for journal in journals:
            await journal.close()
        again = PostgresJournal(server.url(database))
        await again.open()
        assert await again.load("AAAA") == bodies("AAAA", 3)
        await again.close()

    run(story())
    assert server.tell(database, "SELECT version FROM flipdeck_schema") == f"{VERSION}\n"


def test_an_older_database_is_brought_up_to_date_with_all_that_is_in_it(
    server: PostgresServer, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fill(journal: PostgresJournal) -> None:
        await write(journal, "AAAA", 3)

    async def read(journal: PostgresJournal) -> None:
        assert await journal.load("AAAA") == bodies("AAAA", 3)

    with_journal(server, database, fill)
    monkeypatch.setattr(schema, "STEPS", (*schema.STEPS, "ALTER TABLE tables ADD COLUMN later integer"))
    monkeypatch.setattr(schema, "VERSION", VERSION + 1)
    with_journal(server, database, read)
    assert server.tell(database, "SELECT version FROM flipdeck_schema") == f"{VERSION + 1}\n"
    assert server.tell(database, "SELECT later IS NULL FROM tables") == "t\n"


def test_a_step_that_fails_leaves_the_database_as_it_was(
    server: PostgresServer, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "STEPS", (*schema.STEPS, "SELECT 1 / 0"))
    monkeypatch.setattr(schema, "VERSION", VERSION + 1)
    assert refusal(server.url(database)) == "The journal can't write or read: division by zero."
    assert server.tell(database, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == "0\n"


def test_a_newer_database_is_refused_and_left_alone(server: PostgresServer, database: str) -> None:
    server.tell(database, "CREATE TABLE flipdeck_schema (version integer)", "INSERT INTO flipdeck_schema VALUES (99)")
    assert refusal(server.url(database)) == (
        f"The tables were written by a newer version of Flipdeck (schema 99, this one reads {VERSION}): "
        "use that version, or another database."
    )
    assert server.tell(database, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'") == "flipdeck_schema\n"


# ---------------------------------------------------------------- bad input
def test_what_can_not_be_opened_is_refused_in_a_sentence_without_its_password(
    server: PostgresServer, database: str, tmp_path: Path
) -> None:
    server.tell(database, "CREATE ROLE guest LOGIN", "REVOKE CREATE ON SCHEMA public FROM PUBLIC")
    secret = f"postgresql://postgres:{SECRET}@/%s?host=%s"
    folder = server.url("x").partition("host=")[2]
    told = [
        refusal(secret % ("nowhere", folder)),
        refusal(secret % (database, tmp_path)),
        refusal(f"postgresql://postgres:{SECRET}@127.0.0.1:1/{database}"),
        refusal(f"postgresql://postgres:{SECRET}@127.0.0.1:port/{database}"),
        refusal(server.url(database, user="guest")),
        refusal(server.url(database, user="nobody_at_all")),
    ]
    assert told[0] == 'The database can\'t be opened: database "nowhere" does not exist.'
    assert told[4] == "The journal can't write or read: permission denied for schema public."
    assert told[5] == 'The database can\'t be opened: role "nobody_at_all" does not exist.'
    for sentence in told:
        assert SECRET not in sentence
        assert sentence.count(".") >= 1
        assert "\n" not in sentence


@pytest.mark.parametrize("url", ["mysql://x", f"sqlite:{SECRET}", "postgresql:/half"])
def test_a_server_with_a_journal_that_is_none_does_not_start(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["serve", "--journal", url]) == 2
    told = capsys.readouterr().err
    assert told.startswith("flipdeck serve: --journal is an address like postgresql://")
    assert SECRET not in told


def test_a_server_whose_database_is_not_there_does_not_start(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url = f"postgresql://x:{SECRET}@127.0.0.1:1/none"
    assert cli.main(["serve", "--journal", url, "--data", str(tmp_path), "--port", "0"]) == 2
    told = capsys.readouterr().err
    assert told.startswith("flipdeck serve: The database can't be opened: ")
    assert SECRET not in told


def test_the_address_of_the_journal_is_in_no_description_of_the_configuration() -> None:
    config = read_config({}, {"FLIPDECK_JOURNAL": f"postgresql://x:{SECRET}@host/db"})
    assert SECRET in config.journal
    assert SECRET not in repr(config)


def test_a_name_that_no_text_of_the_database_can_have_is_unknown(server: PostgresServer, database: str) -> None:
    async def story(journal: PostgresJournal) -> None:
        for name in ("nul\0", "lone \ud800"):
            assert await journal.replay(name) is None
            assert await journal.first(name) is None
        epoch = await claim(journal, "AAAA")
        with pytest.raises(UnicodeEncodeError):
            await journal.append("AAAA", epoch, 1, b"", StoredReplay("name", "lone \ud800"))
        with pytest.raises(SequenceConflict):
            await journal.append("AAAA", epoch, 2**70, b"")
        await journal.append("AAAA", epoch, 1, b"")

    with_journal(server, database, story)


# ---------------------------------------------------------------- failures
def test_a_database_that_can_not_be_written_costs_an_honest_refusal_and_a_red_health(
    server: PostgresServer, database: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)

    async def story() -> None:
        async with running(PostgresJournal(server.url(database))) as it:
            _, _, clients = await it.seated()
            assert (await it.http.get("/health")).json()["ok"]
            server.tell(database, f"ALTER DATABASE {database} SET default_transaction_read_only = on")
            end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid !="
            server.tell(database, f"{end} pg_backend_pid()")
            actor = next(client for client in clients if client.on_turn)
            assert actor.view is not None
            move = {"version": actor.version, "move": actor.view["legal"][-1]}
            assert (await actor.command("move", **move))["code"] == "unavailable"
            server.tell("postgres", f"ALTER DATABASE {database} RESET default_transaction_read_only")
            server.tell("postgres", end.replace("current_database()", f"'{database}'") + " pg_backend_pid()")
            while (answer := await actor.command("move", **move))["type"] != "ack":
                assert answer["code"] == "unavailable"
                await asyncio.sleep(0.05)

    run(story())
    assert SECRET not in caplog.text


@dataclass
class Player:
    """Appends to a table as its actor does: after a failure it looks what is there."""

    journal: PostgresJournal
    table: str
    epoch: int
    acknowledged: int = 0
    failures: int = 0
    stopping: bool = False

    async def play(self) -> None:
        seq, in_doubt = 0, False
        while not self.stopping:
            try:
                if in_doubt:
                    seq, in_doubt = len(await self.journal.load(self.table, 0, self.epoch)), False
                await self.journal.append(self.table, self.epoch, seq + 1, body(self.table, seq + 1))
                seq = self.acknowledged = seq + 1
            except (SequenceConflict, Unavailable):
                self.failures += 1
                in_doubt = True
                await asyncio.sleep(0.02)


def test_a_journal_survives_restarts_of_its_database_in_the_middle_of_batches(
    server: PostgresServer, database: str
) -> None:
    """What was acknowledged is there, nothing is there twice, and what failed is there or not."""

    async def story(journal: PostgresJournal) -> None:
        players = [Player(journal, f"T{n}", await claim(journal, f"T{n}", seconds=10 * HOUR)) for n in range(8)]
        playing = [asyncio.create_task(player.play()) for player in players]
        for mode in ("immediate", "fast", "immediate", ""):
            enough = sum(player.acknowledged for player in players) + 40
            while sum(player.acknowledged for player in players) < enough:
                await asyncio.sleep(0.01)
            if mode:
                await asyncio.to_thread(server.restart, mode)
        for player in players:
            player.stopping = True
        await asyncio.gather(*playing)
        assert sum(player.failures for player in players)
        for player in players:
            entries = await journal.load(player.table)
            assert entries == bodies(player.table, len(entries))
            assert len(entries) >= player.acknowledged

    with_journal(server, database, story)


@live
async def test_a_client_that_stands_still_in_a_statement_keeps_no_table_from_another(
    server: PostgresServer, database: str
) -> None:
    """There is no transaction of ours that could be left open: one that somebody else holds ends by itself."""
    journal, other = PostgresJournal(server.url(database)), PostgresJournal(server.url(database))
    await journal.open()
    await other.open()
    epoch = await claim(journal, "AAAA", "one", 0.2)
    await journal.append("AAAA", epoch, 1, body("AAAA", 1))
    await journal._parts[1].fetch("SELECT pg_sleep(0)")
    await other.begin_lease("two", HOUR)
    while True:
        try:
            taken = await other.take_up("AAAA", "two")
            break
        except Exception:
            await asyncio.sleep(0.02)
    assert taken is not None
    assert taken.entries == bodies("AAAA", 1)
    with pytest.raises(Fenced):
        await journal.append("AAAA", epoch, 2, b"late")
    with pytest.raises(Fenced):
        await journal.load("AAAA", 1, epoch)
    await journal.close()
    await other.close()


def test_two_takers_at_once_get_one_table_each_its_own_epoch(server: PostgresServer, database: str) -> None:
    async def story() -> None:
        journals = [PostgresJournal(server.url(database)) for _ in range(3)]
        for number, journal in enumerate(journals):
            await journal.open()
            await journal.begin_lease(f"node {number}", HOUR)
        for round_ in range(10):
            table = f"T{round_}"
            gone = await claim(journals[0], table, f"gone {round_}", HOUR)
            await journals[0].append(table, gone, 1, body(table, 1))
            await journals[0].end_lease(f"gone {round_}")
            asked = [journal.take_up(table, f"node {number}") for number, journal in enumerate(journals)]
            outcomes = await asyncio.gather(*asked, return_exceptions=True)
            taken = [outcome for outcome in outcomes if not isinstance(outcome, BaseException)]
            assert len(taken) == 1, outcomes
            assert taken[0] is not None
            assert taken[0].epoch > gone
        for journal in journals:
            await journal.close()

    run(story())


def test_a_hint_reaches_the_node_that_is_asked(server: PostgresServer, database: str) -> None:
    async def story() -> None:
        journal, other = PostgresJournal(server.url(database)), PostgresJournal(server.url(database))
        heard: asyncio.Queue[str] = asyncio.Queue()
        journal.watch(heard.put_nowait)
        await journal.open()
        await other.open()
        await claim(journal, "AAAA")
        await other.ask_for("AAAA", 10)
        assert await heard.get() == "one"
        await journal.close()
        await other.close()

    run(story())


def test_a_clock_of_the_database_that_jumps_makes_nothing_old_and_frees_what_the_dead_held(
    server: PostgresServer, database: str
) -> None:
    async def story(journal: PostgresJournal) -> None:
        epoch = await write(journal, "AAAA", 2)
        server.tell(
            database,
            "CREATE OR REPLACE FUNCTION journal_now() RETURNS timestamptz LANGUAGE sql VOLATILE AS "
            "'SELECT clock_timestamp() + interval ''10 years'''",
        )
        with pytest.raises(Exception, match="ended"):
            await journal.renew("one", HOUR)
        assert await journal.prune(2 * 24 * HOUR) == 0
        assert await claim(journal, "AAAA", "two") > epoch
        server.tell(
            database,
            "CREATE OR REPLACE FUNCTION journal_now() RETURNS timestamptz LANGUAGE sql VOLATILE AS "
            "'SELECT clock_timestamp()'",
        )
        # the lease of "two" would last ten years, if the time that it was given for did not count
        assert await claim(journal, "AAAA", "three") > epoch
        assert await journal.prune(2 * 24 * HOUR) == 0

    with_journal(server, database, story)


def test_a_run_of_entries_whose_first_is_wrong_is_judged_one_by_one(server: PostgresServer, database: str) -> None:
    async def story(journal: PostgresJournal) -> None:
        epoch = await write(journal, "AAAA", 2)
        seqs = (2, 3, 4, 6, 5)
        outcomes = await asyncio.gather(
            *(journal.append("AAAA", epoch, seq, body("AAAA", seq)) for seq in seqs), return_exceptions=True
        )
        assert [type(outcome).__name__ for outcome in outcomes] == [
            "SequenceConflict",
            "NoneType",
            "NoneType",
            "SequenceConflict",
            "NoneType",
        ]
        assert await journal.load("AAAA") == bodies("AAAA", 5)

    with_journal(server, database, story)


def test_many_entries_are_few_statements(server: PostgresServer, database: str) -> None:
    steps: list[str] = []

    async def story() -> None:
        journal = PostgresJournal(server.url(database), step=steps.append)
        await journal.open()
        epochs = {f"T{number}": await claim(journal, f"T{number}") for number in range(50)}
        for seq in (1, 2, 3):
            await asyncio.gather(
                *(journal.append(table, epoch, seq, body(table, seq)) for table, epoch in epochs.items())
            )
        await journal.close()

    run(story())
    assert steps.count(appending.AFTER_STATEMENT) <= 6


def test_a_database_that_can_not_be_reached_is_tried_again_with_pauses() -> None:
    async def story() -> None:
        connection = link.Link("postgresql://x@127.0.0.1:1/none")
        told = set()
        for _ in range(20):
            with pytest.raises(Unavailable) as error:
                await connection.fetch("SELECT 1")
            told.add(str(error.value))
        assert len(told) == 2, "most tries open no connection at all"
        await connection.close()

    run(story())


def test_the_default_journal_is_the_file_in_the_folder() -> None:
    assert Config().journal == ""
