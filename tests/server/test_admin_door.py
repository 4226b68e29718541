"""The operator's door: who gets in, what is left behind, and whatever comes in that is no request."""

from __future__ import annotations

import asyncio
import json
import socket
from pathlib import Path
from typing import Any

import pytest

from flipdeck.server.admin import client, door, listener
from flipdeck.server.admin.door import DoorFile, file_in, read_file, socket_in
from flipdeck.server.admin.messages import (
    MOST_LINE,
    PROTOCOL,
    AdminRefusal,
    ConnectionList,
    ListConnections,
    ListTables,
    RequestRefused,
    TableList,
    read_reply,
    write_reply,
    write_request,
)
from tests.server.administering import asked, refused_to_operator, uses
from tests.server.running import running
from tests.server.steered import live, steered_loop


async def said_to(folder: Path, line: bytes) -> bytes:
    """Everything that comes back for these bytes."""
    reader, writer = await asyncio.open_unix_connection(str(socket_in(folder)))
    return await _exchange(reader, writer, line)


async def said_to_port(port: int, line: bytes) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    return await _exchange(reader, writer, line)


async def _exchange(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, line: bytes) -> bytes:
    try:
        writer.write(line)
        return await reader.read()
    except ConnectionError:
        return b""
    finally:
        writer.transport.abort()


@pytest.fixture
def on_a_port(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a system without Unix sockets."""
    monkeypatch.setattr(door, "LONGEST_PATH", 0)


# ---------------------------------------------------------------- where it is
@live
async def test_the_socket_is_for_its_owner_alone_and_gone_with_the_server(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    async with running(door=tmp_path) as server:
        await server.make()
        assert socket_in(tmp_path).stat().st_mode & 0o777 == 0o600
        assert [path.name for path in tmp_path.iterdir()] == ["admin.sock"]
        assert len((await asked(tmp_path, ListTables(), TableList)).tables) == 1
    assert list(tmp_path.iterdir()) == []
    assert await refused_to_operator(tmp_path, ListTables()) == "no-server"


@live
async def test_what_a_killed_server_has_left_behind_is_no_server_and_is_replaced(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(socket_in(tmp_path)))
    file_in(tmp_path).write_text('{"port":1,"secret":"old"}')
    assert await refused_to_operator(tmp_path, ListTables()) == "no-server"
    async with running(door=tmp_path):
        assert (await asked(tmp_path, ListTables(), TableList)).tables == []
        assert not file_in(tmp_path).exists()


@live
async def test_a_folder_with_a_path_too_long_for_a_socket_gets_a_port_with_a_secret(tmp_path: Path) -> None:
    deep = tmp_path / ("d" * 60) / ("e" * 60)
    deep.mkdir(parents=True)
    async with running(door=deep):
        assert file_in(deep).stat().st_mode & 0o777 == 0o600
        assert [path.name for path in deep.iterdir()] == ["admin.json"]
        assert (await asked(deep, ListTables(), TableList)).tables == []
    assert list(deep.iterdir()) == []


@live
@pytest.mark.usefixtures("on_a_port")
async def test_at_the_port_nobody_without_the_secret_is_served(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level("INFO")
    async with running(door=tmp_path):
        told = read_file(tmp_path)
        monkeypatch.setattr(client, "read_file", lambda _: DoorFile(told.port, "guessed"))
        assert await refused_to_operator(tmp_path, ListTables()) == "no-rights"
        monkeypatch.undo()
        bare = await said_to_port(told.port, write_request(ListTables(names=True)))
        assert isinstance(read_reply(bare), RequestRefused)
        page = await said_to_port(
            told.port, b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" + write_request(ListTables())
        )
        assert isinstance(read_reply(page), RequestRefused)
        assert [(use["what"], use["code"]) for use in uses(caplog)] == [
            ("tables", "no-rights"),
            ("tables", "no-rights"),
            ("unreadable", "bad-request"),
        ]
        assert told.secret not in caplog.text


@live
@pytest.mark.usefixtures("on_a_port")
async def test_a_dead_port_and_a_broken_file_are_no_server(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    file_in(tmp_path).write_text(json.dumps({"port": port, "secret": "x"}))
    assert await refused_to_operator(tmp_path, ListTables()) == "no-server"
    file_in(tmp_path).write_text("{")
    assert await refused_to_operator(tmp_path, ListTables()) == "no-server"


@live
async def test_a_server_that_can_have_no_door_plays_on_and_says_so(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with running(door=tmp_path / "missing") as server:
        await server.make()
    assert [record.message for record in caplog.records if record.name == "flipdeck.admin"] == ["admin-unavailable"]


def test_the_folder_of_another_user_is_told_as_such(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(_: Path) -> Any:
        raise PermissionError

    monkeypatch.setattr(client, "_connect", forbidden)
    with pytest.raises(AdminRefusal, match="belongs to somebody else"):
        client.ask(tmp_path, ListTables())


# ---------------------------------------------------------------- what is no request
@live
async def test_garbage_gets_a_refusal_and_harms_nobody(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    garbage = [
        *[b"\n", b"{}\n", b"[]\n", b"null\n", b"\xff\xfe\n", b"{" * 4000 + b"\n", b"GET / HTTP/1.1\r\n\r\n"],
        b'{"protocol":1}\n',
        b'{"protocol":1,"ask":{"do":"cards"}}\n',
        b'{"protocol":1,"ask":{"do":"tables","views":true}}\n',
        b'{"protocol":1,"ask":{"do":"keep-out","address":"192.0.2.1","hours":-1}}\n',
        b'{"protocol":1,"ask":{"do":"keep-out","address":"192.0.2.1","hours":1e999}}\n',
        b'{"protocol":1,"ask":{"do":"say","text":"' + b"x" * 3000 + b'"}}\n',
        b"x" * (4 * MOST_LINE) + b"\n",
    ]
    async with running(door=tmp_path):
        for line in garbage:
            reply = await said_to(tmp_path, line)
            if reply:  # of a line far too long the rest may not be read any more
                refused = read_reply(reply)
                assert isinstance(refused, RequestRefused)
                assert refused.code == "bad-request", line[:60]
        assert await said_to(tmp_path, write_request(ListTables())) != b""
        seen = uses(caplog)
        assert seen[:-1] == [{"what": "unreadable", "code": "bad-request"}] * len(garbage)
        assert not [record for record in caplog.records if record.levelname == "ERROR"]


@live
async def test_another_version_is_told_which_this_is(tmp_path: Path) -> None:
    async with running(door=tmp_path) as server:
        newer = json.dumps({"protocol": PROTOCOL + 1, "ask": {"do": "all-new"}}).encode() + b"\n"
        refused = read_reply(await said_to(tmp_path, newer))
        assert isinstance(refused, RequestRefused)
        assert refused.code == "other-version"
        assert server.app.lobby.context.version in refused.message
    with pytest.raises(AdminRefusal, match=r"The server is flipdeck 9\.9"):
        read_reply(b'{"protocol":2,"server":"9.9","reply":{"type":"all-new"}}\n')
    with pytest.raises(AdminRefusal, match="no Flipdeck server"):
        read_reply(b"SSH-2.0-OpenSSH\n")


@live
async def test_clients_that_hang_keep_nobody_waiting_for_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listener, "LINE_SECONDS", 9.0)  # not lifted for the test
    async with running(door=tmp_path):
        steered_loop().stop_clock()
        hanging = [
            await asyncio.open_unix_connection(str(socket_in(tmp_path))) for _ in range(listener.MOST_AT_ONCE - 1)
        ]
        assert (await asked(tmp_path, ListTables(), TableList)).tables == []
        hanging.append(await asyncio.open_unix_connection(str(socket_in(tmp_path))))
        hanging[0][1].write(b'{"protocol":')
        await asyncio.sleep(0)
        assert await said_to(tmp_path, write_request(ListTables())) == b""
        steered_loop().advance(9.5)
        for reader, _ in hanging:
            with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
                await reader.readexactly(1)
        assert (await asked(tmp_path, ListTables(), TableList)).tables == []
        for _, writer in hanging:
            writer.transport.abort()
        steered_loop().run_clock()


@live
async def test_a_client_that_leaves_before_the_reply_harms_nobody(tmp_path: Path) -> None:
    async with running(door=tmp_path):
        for _ in range(3):
            _, writer = await asyncio.open_unix_connection(str(socket_in(tmp_path)))
            writer.write(write_request(ListTables()))
            await writer.drain()
            writer.transport.abort()
        assert (await asked(tmp_path, ListConnections(), ConnectionList)).connections == []


# ---------------------------------------------------------------- the public port
@live
async def test_the_public_port_knows_nothing_of_it(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    async with running(door=tmp_path) as server:
        document = (await server.http.get("/api/schema/openapi.json")).json()
        assert not [path for path in document["paths"] if "admin" in path]
        for path in ("/admin", "/api/admin", "/api/admin/tables", "/admin.sock", "/admin.json"):
            for answer in (await server.http.get(path), await server.http.post(path, json={"do": "tables"})):
                assert answer.status_code in (404, 405), path
        raw = await said_to_port(server.server.port, write_request(ListTables(codes=True)))
        assert raw.startswith(b"HTTP/1.1 400")
        made = await server.make()
        ana = await server.greet(made["code"], made["token"])
        assert await ana.refusal(write_request(ListTables()).decode()) == "bad-message"
        assert await ana.refusal('{"type":"say","text":"I am the operator"}') == "bad-message"
        assert await ana.refusal('{"type":"notice","text":"I am the operator"}') == "bad-message"
    assert uses(caplog) == []


def test_a_reply_is_one_line_with_its_version() -> None:
    line = write_reply(TableList([], 0), "1.2.3")
    assert line.count(b"\n") == 1
    assert json.loads(line) == {
        "protocol": PROTOCOL,
        "server": "1.2.3",
        "reply": {"type": "tables", "tables": [], "more": 0},
    }
