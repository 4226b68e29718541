"""Frames that nobody in their right mind would send, from a seed: random bytes, and messages with something changed.

None of them is a command that the seats of these tests could be granted: whoever sends them is neither the host nor on
turn, and ``leave`` is not among what is changed.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

RawFrame = str | bytes

VALID: list[dict[str, Any]] = [
    {"type": "hello", "protocol": 1, "table": "ABCD2345", "token": "A" * 22, "have": 3},
    {"type": "hello", "protocol": 1, "table": "ABCD-2345"},
    {"type": "move", "cmd_id": "m1", "version": 4, "move": "R5/P1"},
    {"type": "move", "cmd_id": "m2", "version": 4, "move": "draw"},
    {"type": "move", "cmd_id": "m3", "version": 4, "move": "WC/X R"},
    {"type": "start", "cmd_id": "s1"},
    {"type": "seat_bot", "cmd_id": "s2", "seat": 1, "level": "sharp"},
    {"type": "clear_seat", "cmd_id": "s3", "seat": 0},
    {"type": "ready", "cmd_id": "r1"},
    {"type": "back", "cmd_id": "b1"},
    {"type": "rematch", "cmd_id": "r2"},
    {"type": "chat", "text": "hello there"},
    {"type": "emote", "emote": "wow"},
    {"type": "pong", "n": 1},
]
ODD_VALUES: list[Any] = [
    *(None, True, False, 0, -1, 1, 9, 10, 2**31, 2**53, 2**63, 2**64, 10**40, -(2**63), 0.5, 1e308, -0.0),
    *("", " ", "\x00", "\n", "R5/P1", "draw", "catch 0", "catch 9", "uno", "type", "hello", "\u202e", "😀" * 30),
    *("x" * 100, "x" * 1001, "../../etc/passwd", "' OR 1=1 --", "<script>", "%s%n", "{problem}", "{0.__class__}"),
    *([], {}, [[]], {"type": "move"}, [1] * 50, {"__proto__": {}}, {str(n): n for n in range(40)}),
]
MOVES = [
    "draw",
    "pass",
    "keep",
    "play",
    "uno",
    "catch 0",
    "catch 1",
    "accept",
    "challenge",
    "R5/P1",
    "R5",
    "W/W",
    "/",
    "R",
]
ODD_TEXTS = [
    "NaN",
    "Infinity",
    "-Infinity",
    "1e999",
    '"\\ud800"',
    '"\\u0000"',
    "nul",
    "tru",
    "'x'",
    "0x10",
    "01",
    "[" * 60,
]


def frames(seed: int) -> Iterator[RawFrame]:
    """Without end, the same for the same seed."""
    dice = random.Random(seed)
    ways: list[Callable[[random.Random], RawFrame]] = [_noise, _text_noise, _bent, _fitting, _cut, _stirred, _raw_value]
    while True:
        yield dice.choice(ways)(dice)


def _noise(dice: random.Random) -> bytes:
    return dice.randbytes(dice.choice((0, 1, 2, 10, 100, 1000)))


def _text_noise(dice: random.Random) -> str:
    return "".join(dice.choices('{}[]",:\\truefalsn0123456789eE+-. \t\n\x00é\u2028😀', k=dice.randrange(80)))


def _bent(dice: random.Random) -> str:
    """A message with one to three fields odd, missing or too many."""
    message = dict(dice.choice(VALID))
    for _ in range(dice.randint(1, 3)):
        way = dice.randrange(4)
        name = dice.choice([*message, "type"])
        if way == 0:
            message.pop(name, None)
        elif way == 1:
            message[dice.choice(["seat", "by", "who", "token", "Type", "", "cmd-id", "é" * 20])] = dice.choice(
                ODD_VALUES
            )
        else:
            message[name] = dice.choice(ODD_VALUES)
    return json.dumps(message, ensure_ascii=dice.random() < 0.5)


def _fitting(dice: random.Random) -> str:
    """A message as it should be, that makes no sense where it is sent."""
    message = dict(dice.choice(VALID))
    changes: dict[str, Any] = {
        "cmd_id": f"f{dice.randrange(500)}",
        "version": dice.choice((0, 1, 2, 3, 4, 5, 1000, 2**53 - 1)),
        "move": dice.choice(MOVES) + dice.choice(("", "", " R", "!", " uno", " 1")),
        "seat": dice.randrange(10),
        "table": "".join(dice.choices("ABCDEFGH-", k=9)),
        "n": dice.randrange(2**53),
    }
    return json.dumps({name: changes.get(name, value) for name, value in message.items()})


def _cut(dice: random.Random) -> RawFrame:
    text = json.dumps(dice.choice(VALID))
    piece = text[: dice.randrange(len(text))]
    return piece.encode() if dice.random() < 0.3 else piece


def _stirred(dice: random.Random) -> bytes:
    """A message with some of its bytes changed, doubled or gone."""
    data = bytearray(json.dumps(dice.choice(VALID)).encode())
    for _ in range(dice.randint(1, 6)):
        place = dice.randrange(len(data))
        way = dice.randrange(3)
        if way == 0:
            data[place] = dice.randrange(256)
        elif way == 1:
            data[place:place] = data[: dice.randrange(20)]
        elif len(data) > 2:
            del data[place]
    return bytes(data)


def _raw_value(dice: random.Random) -> str:
    """A value as no library writes it."""
    message = dict(dice.choice(VALID))
    name = dice.choice(list(message))
    message[name] = "@"
    return json.dumps(message).replace('"@"', dice.choice(ODD_TEXTS))
