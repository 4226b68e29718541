"""What anybody can send at will fills no log: a line a second for each kind and address, and never a stack."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter

import pytest

from flipdeck.server.logs import RareEvents, RareLines

from .running import Running, running
from .steered import live, steered_loop

KEY = "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
UPGRADE = "Upgrade: websocket\r\nConnection: Upgrade\r\n"
VERSION = "Sec-WebSocket-Version: 13\r\n"


def handshake(host: str, more: str = "", key: str = KEY, version: str = VERSION) -> bytes:
    return f"GET /ws HTTP/1.1\r\nHost: {host}\r\n{UPGRADE}{key}{version}{more}\r\n".encode()


def masked(first: int, payload: bytes) -> bytes:
    return bytes([first, 0x80 | len(payload)]) + bytes(4) + payload


async def sent(server: Running, *parts: bytes) -> bytes:
    """All that comes back until the server closes; frames are sent after its answer to the handshake."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.server.port)
    try:
        for number, part in enumerate(parts):
            if number == 1:
                await reader.readuntil(b"\r\n\r\n")
            writer.write(part)
        return await reader.read()
    except ConnectionError:
        return b""
    finally:
        writer.close()


def lines(caplog: pytest.LogCaptureFixture) -> Counter[str]:
    """As they would be written."""
    rare = RareLines()
    return Counter(record.msg for record in caplog.records if rare.filter(record) and record.levelno >= logging.INFO)


@live
async def test_refused_handshakes_cost_the_allowance_and_one_line(caplog: pytest.LogCaptureFixture) -> None:
    """Once they were refused before they were counted: 5,600 in 10 s, each with an error in the log."""
    caplog.set_level(logging.INFO)
    async with running(most_per_address=10, messages_per_second=10) as server:
        ours = f"127.0.0.1:{server.server.port}"
        steered_loop().stop_clock()
        kinds = {
            "421": handshake("foreign.example"),
            "403": handshake(ours, "Origin: http://foreign.example\r\n"),
        }
        answers: Counter[str] = Counter()
        for number in range(240):
            answer = await sent(server, list(kinds.values())[number % 2])
            answers[answer[9:12].decode()] += 1
        assert answers["429"] >= 30, answers
        assert answers["421"] == answers["403"] == 100
        mine = [record for record in caplog.records if record.msg == "handshake-refused"]
        assert len(mine) == 1, "one a second an address, whatever they are refused for"
        assert not [each for each in caplog.records if each.levelno >= logging.WARNING]
        steered_loop().advance(2.0)
        await sent(server, kinds["421"])
        assert len([record for record in caplog.records if record.msg == "handshake-refused"]) == 2


RUBBISH = {
    "no HTTP": [b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 rubbish\r\n\r\n"],
    "an invalid method": [b"FLY / HTTP/1.1\r\nHost: x\r\n\r\n"],
    "an upgrade to something else": [
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: h2c\r\nConnection: Upgrade, close\r\n\r\n"
    ],
    "a handshake without a key": [handshake("127.0.0.1", key="")],
    "a handshake of another version": [handshake("127.0.0.1", version="Sec-WebSocket-Version: 7\r\n")],
    "a header that is too long": [handshake("127.0.0.1", f"X-Long: {'x' * 70_000}\r\n")],
    "text that is no UTF-8": [handshake("127.0.0.1"), masked(0x81, b"\xff\xfe")],
    "a frame with a reserved bit": [handshake("127.0.0.1"), masked(0xF1, b"x")],
    "a frame of an unknown kind": [handshake("127.0.0.1"), masked(0x83, b"x")],
    "a frame without a mask": [handshake("127.0.0.1"), b"\x81\x01x"],
    "a frame that is too long": [handshake("127.0.0.1"), b"\x81\xff" + (1 << 40).to_bytes(8) + bytes(4)],
    "an unknown message": [handshake("127.0.0.1"), masked(0x81, b'{"type":"fly"}'), masked(0x88, b"")],
    "no JSON": [handshake("127.0.0.1"), masked(0x81, b"{"), masked(0x88, b"")],
    "a close of no code": [handshake("127.0.0.1"), masked(0x88, b"\x00")],
}


@pytest.mark.parametrize("kind", RUBBISH)
@live
async def test_rubbish_writes_no_stack_and_few_lines(kind: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    async with running(messages_per_second=1000) as server:
        for _ in range(10):
            await sent(server, *RUBBISH[kind])
        assert not [record for record in caplog.records if record.exc_info]
        written = lines(caplog)
        accepted = {line for line in written if "accepted" in line or "WebSocket" in line}  # not from warnings up
        assert all(count <= 2 for line, count in written.items() if line not in accepted), written
        assert (await server.http.get("/health")).status_code == 200


def test_a_line_of_another_library_is_written_once_a_second() -> None:
    rare = RareLines()

    def written(logger: str, message: str, at: float) -> bool:
        record = logging.LogRecord(logger, logging.WARNING, "", 0, message, (), None)
        record.created = at
        return rare.filter(record)

    assert [written("uvicorn.error", "bad", at) for at in (0.0, 0.5, 0.99, 1.0, 1.5, 2.5)] == [1, 0, 0, 1, 0, 1]
    assert written("uvicorn.error", "worse", 2.5)
    assert all(written("flipdeck.table", "ours", 3.0) for _ in range(3)), "ours say themselves how often"
    assert written("uvicorn.error", "bad", 1.0), "the clock was set back"


def test_events_that_anybody_can_cause_are_logged_once_a_second_an_address(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    rare, logger = RareEvents(), logging.getLogger("flipdeck.test")
    for now in (0.0, 0.5, 0.9, 1.1, 1.5):
        for address in ("10.0.0.1", "10.0.0.2"):
            rare.log(logger, "guessed-wrong", address, now)
    rare.log(logger, "other", "10.0.0.1", 1.5)
    assert [record.msg for record in caplog.records] == ["guessed-wrong"] * 4 + ["other"]
