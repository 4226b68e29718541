"""Short messages are read without the parser of the line: what they say is the same, whatever comes between them."""

from __future__ import annotations

import json
from random import Random

import pytest
from websockets.frames import Opcode

from flipdeck.server.transport.protocols import WebSocketProtocol, _short_message, _whole_frames
from tests.server.by_hand import ByHand, by_hand, framed
from tests.server.running import eventually, run, running


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 63, 124, 125])
def test_a_short_message_is_what_was_said(size: int) -> None:
    dice = Random(size)
    for _ in range(20):
        text = bytes(dice.randrange(128) for _ in range(size))
        assert _short_message(framed(text)) == text


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x81",
        framed(b""),
        framed(b"x" * 126),
        framed(b"text", mask=False),
        framed(b"text", fin=False),
        framed(b"text", Opcode.BINARY),
        framed(b"text", Opcode.PING),
        framed("señal".encode()),
        framed(b"one") + framed(b"two"),
        framed(b"text")[:-1],
        framed(b"text") + b"\x81",
        b"\xc1" + framed(b"text")[1:],
    ],
    ids=[
        "nothing", "half a head", "empty", "long", "unmasked", "begun", "binary", "ping", "accents", "two", "cut",
        "one and a half", "reserved",
    ],
)  # fmt: skip
def test_all_else_is_left_to_the_parser(data: bytes) -> None:
    assert _short_message(data) is None


def test_where_a_frame_ends_is_known() -> None:
    dice = Random(1)
    for _ in range(200):
        frames = [
            framed(
                dice.randbytes(dice.choice((0, 1, 125, 126, 300, 70_000))), dice.choice((Opcode.TEXT, Opcode.BINARY))
            )
            for _ in range(dice.randint(1, 4))
        ]
        data = b"".join(frames)
        ends = {len(b"".join(frames[:count])) for count in range(len(frames) + 1)}
        assert _whole_frames(data)
        for at in {0, 1, len(data) - 1, *(dice.randrange(len(data)) for _ in range(20)), *ends}:
            assert _whole_frames(data[:at]) == (at in ends)


async def refused_commands(me: ByHand, count: int) -> list[str]:
    """The commands that were refused, in the order in which they were."""
    heard: list[str] = []
    while len(heard) < count:
        opcode, data = await me.next_frame()
        message = json.loads(data) if opcode is Opcode.TEXT else {}
        if message.get("type") == "refused":
            heard.append(message["cmd_id"])
    return heard


def test_messages_whole_and_in_pieces_are_heard_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    def command(number: int) -> bytes:
        return json.dumps({"type": "rematch", "cmd_id": str(number)}).encode()

    in_two = command(1)
    split, cut = framed(command(5)), framed(command(6))
    sent = [
        framed(command(0)),
        framed(in_two[:9], fin=False),
        framed(b"still here", Opcode.PING),
        framed(in_two[9:], Opcode.CONT),
        framed(command(2)),
        framed(command(3)) + framed(command(4)),
        split[:1],
        split[1:7],
        split[7:] + cut[:3],
        cut[3:],
        framed(command(7)),
        framed(b"", Opcode.PONG),
        framed(command(8)),
    ]

    read: list[bytes] = []
    receive = WebSocketProtocol.data_received

    def noted(protocol: WebSocketProtocol, data: bytes) -> None:
        read.append(data)
        receive(protocol, data)

    monkeypatch.setattr(WebSocketProtocol, "data_received", noted)

    async def story() -> None:
        async with running(messages_per_second=100_000) as server:
            code, tokens, _ = await server.seated()
            async with by_hand(server) as me:
                hello = {"type": "hello", "protocol": 1, "table": code, "token": tokens[0]}
                for data in (framed(json.dumps(hello).encode()), *sent):
                    await me.send(data)
                    await eventually(lambda data=data: data in read)  # type: ignore[misc]  # each by itself
                assert await refused_commands(me, 9) == [str(number) for number in range(9)]

    run(story())
