"""Clients that send what they should not: each is told so clearly, and nobody else feels it."""

from __future__ import annotations

import asyncio
import json
import random

import pytest
import websockets
from websockets.frames import Opcode

from flipdeck.server.transport import session
from tests.patience import HANG
from tests.server.by_hand import by_hand, framed, line
from tests.server.running import Client, Running, eventually, fingerprint, play, run, running
from tests.server.steered import live, steered_loop

HELLO = {"type": "hello", "protocol": 1, "table": "ABCD2345", "token": None}
MOVE = {"type": "move", "cmd_id": "x", "version": 3, "move": "draw"}
LEAVE = '{"type":"leave","cmd_id":"x"}'

UNREADABLE: dict[str, str | bytes] = {
    "nothing": "",
    "spaces": "   ",
    "no JSON": "draw a card, please",
    "half of it": '{"type":"leave","cmd_id":',
    "something after it": LEAVE + "{}",
    "two at once": LEAVE + "\n" + LEAVE,
    "null": "null",
    "a number": "17",
    "a list": "[" + LEAVE + "]",
    "an empty object": "{}",
    "no type": '{"cmd_id":"x"}',
    "an unknown type": '{"type":"shuffle","cmd_id":"x"}',
    "a type that is no text": '{"type":1,"cmd_id":"x"}',
    "another case": '{"type":"Leave","cmd_id":"x"}',
    "what only the server says": '{"type":"ack","cmd_id":"x","version":1}',
    "an unknown field": '{"type":"leave","cmd_id":"x","seat":0}',
    "a field too few": '{"type":"leave"}',
    "a wrong type": '{"type":"leave","cmd_id":1}',
    "null for a text": '{"type":"leave","cmd_id":null}',
    "an empty cmd_id": '{"type":"leave","cmd_id":""}',
    "a long cmd_id": json.dumps({"type": "leave", "cmd_id": "x" * 37}),
    "a line end in a cmd_id": '{"type":"leave","cmd_id":"x\\n"}',
    "not a number": '{"type":"move","cmd_id":"x","version":NaN,"move":"draw"}',
    "infinity": '{"type":"move","cmd_id":"x","version":Infinity,"move":"draw"}',
    "less than infinity": '{"type":"move","cmd_id":"x","version":-Infinity,"move":"draw"}',
    "far too big a number": '{"type":"move","cmd_id":"x","version":1e999,"move":"draw"}',
    "a number of 3000 digits": f'{{"type":"move","cmd_id":"x","version":{"9" * 3000},"move":"draw"}}',
    "half a version": json.dumps({**MOVE, "version": 2.5}),
    "a version before all": json.dumps({**MOVE, "version": -1}),
    "a truth as a version": json.dumps({**MOVE, "version": True}),
    "a long move": json.dumps({**MOVE, "move": "R" * 25}),
    "an empty move": json.dumps({**MOVE, "move": ""}),
    "a seat that no table has": '{"type":"seat_bot","cmd_id":"x","seat":10}',
    "an unknown level": '{"type":"seat_bot","cmd_id":"x","seat":1,"level":"god"}',
    "an unknown emote": '{"type":"emote","emote":"<b>"}',
    "half a surrogate pair": '{"type":"chat","text":"\\ud800"}',
    "the other half": '{"type":"chat","text":"\\udc00\\ud800"}',
    "a bare control character": '{"type":"chat","text":"\x01"}',
    "deep lists": "[" * 2000 + "]" * 2000,
    "deep objects": '{"a":' * 600 + "1" + "}" * 600,
    "deep in an unknown field": '{"a":' + "[" * 1900 + "]" * 1900 + ',"type":"leave","cmd_id":"x"}',
    "a byte order mark": "\ufeff" + LEAVE,
    "bytes that are no text": b"\xff\xfe\x00\x80",
    "bytes of zero": bytes(100),
    "text cut within a letter": '{"type":"chat","text":"é"}'.encode()[:-3],
}


async def quiet_table(server: Running) -> tuple[str, Client, Client]:
    """Two people, dealt: the code, whoever is on turn, and the other one."""
    code, _, clients = await server.seated()
    actor, other = sorted(clients, key=lambda client: not client.on_turn)
    return code, actor, other


@live
async def test_whatever_can_not_be_read_is_refused_and_the_client_may_go_on() -> None:
    async with running(messages_per_second=100_000) as server:
        code, actor, other = await quiet_table(server)
        before = fingerprint(server.table(code))
        answers = {what: await actor.refusal(data) for what, data in UNREADABLE.items()}
        assert answers == dict.fromkeys(UNREADABLE, "bad-message")
        assert fingerprint(server.table(code)) == before
        assert await play([actor, other], 3, random.Random(1)) == 3
        assert {message["type"] for message in other.told} <= {"welcome", "presence", "update", "ack", "ping"}


@live
async def test_a_refusal_says_what_is_wrong_and_repeats_no_more_than_a_name() -> None:
    async with running() as server:
        _, actor, _ = await quiet_table(server)
        await actor.raw('{"type":"leave","cmd_id":"x","' + "é" * 2000 + '":1}')
        refused = await actor.until("refused")
        assert refused["message"].startswith("This message can't be read: ")
        assert len(json.dumps(refused)) < 1000


@live
async def test_a_frame_of_4_kib_is_read_and_one_byte_more_ends_the_connection() -> None:
    async with running() as server:
        code, actor, other = await quiet_table(server)
        before = fingerprint(server.table(code))
        assert await actor.refusal("x" * 4096) == "bad-message"
        await actor.raw("x" * 4097)
        await other.raw("é" * 2049)  # bytes count, not letters
        assert await actor.end() == ("too-big", 1009)
        assert await other.end() == ("too-big", 1009)
        assert fingerprint(server.table(code)) == before


@live
async def test_a_frame_of_a_megabyte_is_cut_off() -> None:
    async with running() as server:
        code, actor, other = await quiet_table(server)
        before = fingerprint(server.table(code))
        await actor.raw("x" * 2**20)
        assert await actor.end() == (None, 1009)
        assert (await other.command("ready"))["code"] == "not-now"
        assert fingerprint(server.table(code)) == before


@live
async def test_a_message_in_pieces_is_one_message() -> None:
    async with running() as server:
        code, actor, _ = await quiet_table(server)
        text = json.dumps({"type": "move", "cmd_id": "pieces", "version": actor.version, "move": "draw"})
        await actor.raw(list(text))
        assert (await actor.until("ack", "refused"))["cmd_id"] == "pieces"
        assert await actor.refusal(["", "", ""]) == "bad-message"
        assert server.table(code).connections


BROKEN: dict[str, tuple[bytes, int]] = {
    "text that is no UTF-8": (framed(b'{"type":"chat","text":"\xff"}'), 1007),
    "text with half a surrogate pair": (framed(b'{"type":"chat","text":"\xed\xa0\x80"}'), 1007),
    "a frame without a mask": (framed(LEAVE.encode(), mask=False), 1002),
    "an unknown opcode": (bytes([0x83, 0x80, 0, 0, 0, 0]), 1002),
    "reserved bits": (bytes([0xF1, 0x80, 0, 0, 0, 0]), 1002),
    "an end that never began": (framed(b"x", Opcode.CONT), 1002),
    "a beginning within a message": (framed(b"x", fin=False) + framed(b"x"), 1002),
    "a ping in pieces": (bytes([0x09, 0x80, 0, 0, 0, 0]), 1002),
    "a frame that says it has 2⁶² bytes": (bytes([0x81, 0xFF]) + (2**62).to_bytes(8) + bytes(4), 1009),
    "too much in pieces": (framed(b"x" * 4000, fin=False) + 5 * framed(b"x" * 4000, Opcode.CONT, fin=False), 1009),
}


@live
async def test_who_breaks_the_rules_of_the_line_is_cut_off_and_may_come_again() -> None:
    async with running() as server:
        seated = await server.make(bots={"1": "rookie"})
        code, token = seated["code"], seated["token"]
        hello = framed(json.dumps({**HELLO, "table": code, "token": token}).encode())
        await (await server.greet(code, token)).socket.close()
        await eventually(lambda: not server.table(code).state.awaits_host)  # it is noted once that the host was there
        before, ends = fingerprint(server.table(code)), {}
        for what, (data, _) in BROKEN.items():
            async with by_hand(server) as bad:
                await bad.send(hello + data)
                ends[what] = await bad.close_code()
            await eventually(lambda: not server.table(code).connections)
            again = await server.greet(code, token)
            assert again.table["seats"][0]["here"]
            await again.socket.close()
        assert ends == {what: end for what, (_, end) in BROKEN.items()}
        assert fingerprint(server.table(code)) == before


# ---------------------------------------------------------------- the greeting
@live
async def test_who_does_not_greet_first_is_sent_away() -> None:
    async with running() as server:
        for first in (MOVE, {"type": "pong", "n": 1}, {"type": "chat", "text": "hi"}):
            client = await server.connect()
            await client.raw(json.dumps(first))
            assert (await client.until("refused"))["code"] == "greet-first"
            assert await client.end() == (None, 1008)


@live
async def test_who_greets_twice_is_refused_and_may_stay() -> None:
    async with running() as server:
        code, actor, other = await quiet_table(server)
        before = fingerprint(server.table(code))
        assert await actor.refusal(json.dumps({**HELLO, "table": code})) == "greet-first"
        assert fingerprint(server.table(code)) == before
        assert await play([actor, other], 2, random.Random(1)) == 2


@live
async def test_another_protocol_is_refused_with_the_one_that_is_spoken() -> None:
    async with running() as server:
        seated = await server.make()
        client = await server.connect()
        await client.raw(json.dumps({**HELLO, "protocol": 2, "table": seated["code"]}))
        refused = await client.until("refused")
        assert (refused["code"], refused["facts"]) == ("bad-protocol", {"known": 1, "got": 2})
        assert await client.end() == (None, 1008)


def test_who_never_greets_is_sent_away_and_slows_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Websockets that never greet, beside lines on which nothing, or half a request, is ever said."""
    monkeypatch.setattr(session, "GREETING_SECONDS", 60.0)

    async def story() -> None:
        async with running(messages_per_second=100_000) as server:
            _, actor, other = await quiet_table(server)
            silent = [await server.connect() for _ in range(20)]
            steered_loop().stop_clock()
            async with line(server), line(server) as half:
                await half.send(b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgr")
                assert await play([actor, other], 30, random.Random(1)) == 30
                assert server.app.lobby.context.counters.connections == 22, "they have time to greet"
                steered_loop().advance(60.0)
                assert {await client.end() for client in silent} == {("greet-first", 1008)}
            await eventually(lambda: server.app.lobby.context.counters.connections == 2)

    run(story())


# ---------------------------------------------------------------- pages of others
@live
async def test_a_page_of_another_site_gets_no_websocket() -> None:
    async with running() as server:
        for origin in ("https://evil.example", "null", "http://127.0.0.1", server.base + "/", ""):
            with pytest.raises(websockets.InvalidStatus) as denied:
                await server.connect(origin=origin)
            answer = denied.value.response
            assert answer.status_code == 403
            assert answer.headers["content-type"] == "application/json"
            assert json.loads(answer.body) == {
                "code": "bad-origin",
                "reason": "bad-origin",
                "message": "Only pages of this server may connect to it.",
                "facts": {},
            }
        assert server.app.lobby.context.counters.connections == 0


@live
async def test_a_page_whose_address_the_operator_has_named_may_connect() -> None:
    async with running(origins="https://club.example, https://other.example") as server:
        seated = await server.make()
        client = await server.connect(origin="https://other.example")
        await client.raw(json.dumps({**HELLO, "table": seated["code"]}))
        assert (await client.until("welcome"))["you"] is None


@live
async def test_a_program_without_an_origin_may_connect_and_a_rebound_name_may_not() -> None:
    async with running() as server:
        seated = await server.make()
        program = await server.connect(origin=None)
        await program.raw(json.dumps({**HELLO, "table": seated["code"], "token": seated["token"]}))
        assert (await program.until("welcome"))["you"] == 0
        rebound = {"Host": "evil.example"}
        assert (await server.http.get("/api/tables", headers=rebound)).status_code == 421
        async with asyncio.timeout(HANG):
            reader, writer = await asyncio.open_connection("127.0.0.1", server.server.port)
            writer.write(
                b"GET /ws HTTP/1.1\r\nHost: evil.example\r\nOrigin: http://evil.example\r\nConnection: Upgrade\r\n"
                b"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
            )
            assert b" 421 " in await reader.readline()
            writer.close()
