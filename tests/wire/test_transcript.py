"""The match that docs/wire.md tells is one that is played: again now, on a real server, with the same words."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import msgspec
import pytest

from flipdeck.wire.client_messages import AnyClientMessage
from flipdeck.wire.rest import Join, NewTable, Seated
from flipdeck.wire.server_messages import AnyServerMessage
from flipdeck.wire.shapes import CLIENT_MESSAGES, tag_of

from .transcript import BEGIN, DOCUMENT, LEFT_OUT, changes, played, with_transcript, wrapped

HTTP = {"→": (NewTable, Join), "←": (Seated,)}
SOCKET: dict[str, Any] = {"→": AnyClientMessage, "←": AnyServerMessage}
TEXT = DOCUMENT.read_text(encoding="utf-8")


@cache
def lines() -> list[tuple[str, Any]]:
    return [*played()]


def test_the_document_tells_what_is_said_when_the_match_is_played_again() -> None:
    assert with_transcript(TEXT, played()) == TEXT, "run python -m tests.wire.transcript"


def test_every_message_of_the_match_is_one_and_nothing_in_it_is_unknown() -> None:
    for direction, said in lines():
        if direction and isinstance(said, tuple):
            assert any(fits(said[1], kind) for kind in HTTP[direction])
        elif direction:
            assert fits(said, SOCKET[direction]), said


def fits(value: Any, kind: Any) -> bool:
    try:
        message = msgspec.convert(value, type=kind)
    except msgspec.ValidationError:
        return False
    return within(value, json.loads(msgspec.json.encode(message)))


def within(part: Any, whole: Any) -> bool:
    """Everything in one is in the other: nothing was skipped for being unknown."""
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(key in whole and within(part[key], whole[key]) for key in part)
    if isinstance(part, list):
        return isinstance(whole, list) and len(part) == len(whole) and all(map(within, part, whole))
    return bool(part == whole)


def test_the_match_shows_every_step_from_the_first_request_to_the_next_match() -> None:
    messages = [each for direction, each in lines() if direction and isinstance(each, dict)]
    said = [each["type"] for each in messages]
    for kind in ("welcome", "ack", "update", "presence", "ping", "held", "refused", "said", "bye"):
        assert kind in said
    for kind in ("hello", "pong", "start", "move", "chat", "ready", "rematch", "leave"):
        assert kind in said
    tables = [each["table"] for each in messages if isinstance(each.get("table"), dict)]  # a hello has a code
    phases = [table["phase"] for table in tables]
    changed = [phase for before, phase in zip([None, *phases], phases, strict=False) if phase != before]
    assert changed == ["waiting", "playing", "between", "playing", "over", "waiting", "playing"]


def test_a_command_that_is_sent_again_gets_the_answer_of_the_first() -> None:
    sent = [json.dumps(each) for direction, each in lines() if direction == "→" and "cmd_id" in each]
    (again,) = {text for text in sent if sent.count(text) == 2}
    cmd_id = json.loads(again)["cmd_id"]
    answers = [each for direction, each in lines() if direction == "←" and isinstance(each, dict)]
    assert [each["type"] for each in answers if each.get("cmd_id") == cmd_id] == ["ack"]


@pytest.mark.parametrize("kind", [tag_of(struct) for struct in CLIENT_MESSAGES])
def test_the_guide_or_the_match_names_everything_a_client_can_say(kind: str) -> None:
    assert f"`{kind}`" in TEXT.partition(BEGIN)[0] or f'"type": "{kind}"' in TEXT


def test_only_what_did_not_change_is_left_out() -> None:
    old = {"a": 1, "b": [{"c": 1, "d": 2}], "e": None}
    assert changes(old, None) == old
    assert changes({**old, "e": {}}, old) == {"e": {}, LEFT_OUT: LEFT_OUT}
    assert changes({**old, "b": [{"c": 1, "d": 3}]}, old) == {"b": [{"d": 3, LEFT_OUT: LEFT_OUT}], LEFT_OUT: LEFT_OUT}
    assert changes({**old, "new": 0}, old) == {"new": 0, LEFT_OUT: LEFT_OUT}
    assert wrapped('{"a": "b c"}' + ', "x": 1' * 30).count('"b c"') == 1
