"""A database that can't be used costs one sentence: ``flipdeck serve`` exits with 2, or the health of a server is red.

No sentence has a password or the address in it.
"""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from flipdeck import cli
from flipdeck.server.journal import Unavailable
from flipdeck.server.journal.postgres import PostgresJournal
from flipdeck.server.journal.postgres.appending import BELIEVED_SECONDS
from flipdeck.server.journal.postgres.schema import VERSION

from .databases import PostgresServer, postgres
from .journals import claim
from .running import running
from .steered import advance_until, run, steered_loop

SECRET = "correct-horse"  # noqa: S105
DISK_FULL = """
CREATE FUNCTION fill_up() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE EXCEPTION 'could not extend file "base/5/1259": No space left on device' USING ERRCODE = '53100';
END $$;
CREATE TRIGGER full_entries BEFORE INSERT ON entries EXECUTE FUNCTION fill_up();
"""


@pytest.fixture(scope="module")
def server() -> PostgresServer:
    return postgres()


@pytest.fixture
def database(server: PostgresServer) -> str:
    return server.new()


@pytest.fixture
def refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[[str], str]:
    """The sentence with which a server on this database does not start."""

    def sentence(url: str) -> str:
        assert cli.main(["serve", "--journal", url, "--data", str(tmp_path), "--port", "0"]) == 2
        told = capsys.readouterr().err
        assert told.startswith("flipdeck serve: ")
        assert told.count("\n") == 1
        assert told.endswith(".\n")
        assert SECRET not in told
        assert url not in told
        return told.removeprefix("flipdeck serve: ").strip()

    return sentence


def make_tables(server: PostgresServer, database: str) -> None:
    async def story() -> None:
        journal = PostgresJournal(server.url(database))
        await journal.open()
        await journal.close()

    run(story())


# ---------------------------------------------------------------- where it is, and who asks
@pytest.mark.parametrize(
    "url",
    [
        f"postgresql://x:{SECRET}@127.0.0.1:port/x",
        f"postgresql://x:{SECRET}@127.0.0.1:1/x?sslmode=sometimes",
        f"postgresql://x:{SECRET}@127.0.0.1:99999/x",
        f"postgresql://x:{SECRET}@[::1/x",
    ],
)
def test_an_address_that_is_none(url: str, refused: Callable[[str], str]) -> None:
    assert refused(url).startswith("The database can't be opened: ")


def test_nobody_listens_there(refused: Callable[[str], str]) -> None:
    told = refused(f"postgresql://x:{SECRET}@127.0.0.1:1/x")
    assert told.startswith("The database can't be opened: ")
    assert "1" in told or "refused" in told


def test_a_host_that_does_not_exist(refused: Callable[[str], str]) -> None:
    assert refused(f"postgresql://x:{SECRET}@no-such-host.invalid/x").startswith("The database can't be opened: ")


@contextmanager
def listening(answer: bytes) -> Iterator[int]:
    """Something that is no database: it says this to whoever comes, or nothing."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        held: list[socket.socket] = []

        def answer_all() -> None:
            while True:
                try:
                    line, _ = listener.accept()
                except OSError:
                    return
                held.append(line)
                if answer:
                    line.sendall(answer)
                    line.close()

        thread = threading.Thread(target=answer_all, daemon=True)
        thread.start()
        yield int(listener.getsockname()[1])
        listener.shutdown(socket.SHUT_RDWR)
        thread.join()
        for line in held:
            line.close()


def test_what_answers_is_no_database(refused: Callable[[str], str]) -> None:
    with listening(b"HTTP/1.1 400 Bad Request\r\n\r\n") as port:
        told = refused(f"postgresql://x:{SECRET}@127.0.0.1:{port}/x?sslmode=disable")
        assert told.startswith("The database can't be opened: ")


def test_a_host_that_never_answers_is_waited_for_some_seconds() -> None:
    async def story(port: int) -> str:
        steered_loop().stop_clock()
        journal = PostgresJournal(f"postgresql://x:{SECRET}@127.0.0.1:{port}/x?sslmode=disable")
        opening = asyncio.create_task(journal.open())
        await advance_until(opening.done, 1.0)
        with pytest.raises(Unavailable) as told:
            await opening
        return str(told.value)

    with listening(b"") as port:
        assert run(story(port)) == "The database can't be opened: it does not answer in time."


def test_a_wrong_password_and_a_role_that_does_not_exist(
    server: PostgresServer, database: str, refused: Callable[[str], str]
) -> None:
    server.tell(database, f"CREATE ROLE keyholder LOGIN SUPERUSER PASSWORD '{SECRET} indeed'")
    server.ask_for_password("keyholder")
    wrong = server.url(database, user=f"keyholder:{SECRET}")
    assert refused(wrong) == ('The database can\'t be opened: password authentication failed for user "keyholder".')
    assert refused(server.url(database, user="nobody_at_all")) == (
        'The database can\'t be opened: role "nobody_at_all" does not exist.'
    )
    assert refused(server.url("no_such_database")) == (
        'The database can\'t be opened: database "no_such_database" does not exist.'
    )


# ---------------------------------------------------------------- what is there, and who may do what
def test_tables_of_a_newer_version(server: PostgresServer, database: str, refused: Callable[[str], str]) -> None:
    make_tables(server, database)
    server.tell(database, "UPDATE flipdeck_schema SET version = version + 1")
    assert refused(server.url(database)) == (
        f"The tables were written by a newer version of Flipdeck (schema {VERSION + 1}, this one reads {VERSION}): "
        "use that version, or another database."
    )
    assert server.tell(database, "SELECT version FROM flipdeck_schema") == f"{VERSION + 1}\n"


def test_a_database_whose_texts_are_not_unicode(server: PostgresServer, refused: Callable[[str], str]) -> None:
    server.tell("postgres", "CREATE DATABASE bytes TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE 'C'")
    assert refused(server.url("bytes")) == "The database has the encoding SQL_ASCII; create one with UTF8."


def test_a_role_that_may_not_make_tables(server: PostgresServer, database: str, refused: Callable[[str], str]) -> None:
    server.tell(database, "CREATE ROLE visitor LOGIN", "REVOKE CREATE ON SCHEMA public FROM PUBLIC")
    assert refused(server.url(database, user="visitor")) == (
        "The journal can't write or read: permission denied for schema public."
    )


def test_a_role_that_may_only_read(server: PostgresServer, database: str, refused: Callable[[str], str]) -> None:
    make_tables(server, database)
    server.tell(database, "CREATE ROLE reader LOGIN", "GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader")
    told = refused(server.url(database, user="reader"))
    assert told.startswith("The role of the database may not insert ")
    server.tell(database, "GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO reader")
    assert refused(server.url(database, user="reader")).startswith("The role of the database may not use epochs: ")
    server.tell(database, "GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO reader")

    async def story() -> None:
        async with running(PostgresJournal(server.url(database, user="reader"))) as it:
            await it.seated()
            assert (await it.http.get("/health")).json()["ok"]

    run(story())


def test_a_database_that_is_read_only(server: PostgresServer, database: str, refused: Callable[[str], str]) -> None:
    make_tables(server, database)
    server.tell("postgres", f"ALTER DATABASE {database} SET default_transaction_read_only = on")
    assert refused(server.url(database)) == ("The database is read-only for this role (default_transaction_read_only).")


def test_a_standby(server: PostgresServer, database: str, refused: Callable[[str], str]) -> None:
    make_tables(server, database)
    with server.standing_by():
        assert refused(server.url(database)) == (
            "The database is a standby, which can't be written: name the server that it follows."
        )
    make_tables(server, database)  # it can be written again


def test_a_new_database_that_is_read_only(server: PostgresServer, database: str, refused: Callable[[str], str]) -> None:
    server.tell("postgres", f"ALTER DATABASE {database} SET default_transaction_read_only = on")
    assert refused(server.url(database)) == (
        "The journal can't write or read: cannot execute CREATE TABLE in a read-only transaction."
    )


# ---------------------------------------------------------------- while a server runs
def end_connections(server: PostgresServer, database: str) -> None:
    server.tell("postgres", f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{database}'")  # noqa: S608


def test_an_entry_that_could_not_be_written_is_forgotten_after_a_while(server: PostgresServer, database: str) -> None:
    """Or a server that nobody is sent to any more would never be well again."""

    async def story() -> None:
        journal = PostgresJournal(server.url(database))
        await journal.open()
        epoch = await claim(journal, "AAAA")
        server.tell(database, DISK_FULL)
        with pytest.raises(Unavailable, match="No space left on device"):
            await journal.append("AAAA", epoch, 1, b"")
        with pytest.raises(Unavailable):
            await journal.check()
        steered_loop().advance(BELIEVED_SECONDS)
        await journal.check()
        await journal.close()

    run(story())


def test_a_full_disk_costs_an_honest_refusal_and_a_red_health(server: PostgresServer, database: str) -> None:
    async def story() -> None:
        async with running(PostgresJournal(server.url(database))) as it:
            _, _, clients = await it.seated()
            assert (await it.http.get("/health")).json()["ok"]
            server.tell(database, DISK_FULL)
            actor = next(client for client in clients if client.on_turn)
            assert actor.view is not None
            move = {"version": actor.version, "move": actor.view["legal"][-1]}
            assert (await actor.command("move", **move))["code"] == "unavailable"
            steered_loop().advance(1.1)  # so long the health is believed
            health = await it.http.get("/health")
            assert (health.status_code, health.json()["problem"]) == (503, "the journal can't write")
            server.tell(database, "DROP FUNCTION fill_up CASCADE")
            assert (await actor.command("move", **move))["type"] == "ack"
            steered_loop().advance(1.1)
            assert (await it.http.get("/health")).json()["ok"]

    run(story())


def test_a_database_that_becomes_read_only_or_goes_away_makes_the_health_red(
    server: PostgresServer, database: str
) -> None:
    turns = {
        "SET default_transaction_read_only = on": "RESET default_transaction_read_only",
        "ALLOW_CONNECTIONS false": "ALLOW_CONNECTIONS true",
    }

    async def story() -> None:
        async with running(PostgresJournal(server.url(database))) as it:
            for harm, mend in turns.items():
                change(harm)
                steered_loop().advance(1.1)  # so long the health is believed
                assert (await it.http.get("/health")).status_code == 503
                change(mend)
                while (await it.http.get("/health")).status_code != 200:
                    steered_loop().advance(2.1)  # until the next connection is tried

    def change(how: str) -> None:
        server.tell("postgres", f"ALTER DATABASE {database} {how}")
        end_connections(server, database)

    run(story())
