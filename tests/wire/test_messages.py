"""Every message survives the way there and back; whatever is not a message is refused, and breaks nothing."""

from __future__ import annotations

import gc
import json
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import Struct

from flipdeck.wire.client_messages import (
    EMOTES,
    AnyClientMessage,
    AnyCommand,
    Chat,
    ClientMessage,
    Command,
    Emote,
    Hello,
    MakeMove,
    Pong,
    SeatBot,
    Start,
)
from flipdeck.wire.parts import EventInfo
from flipdeck.wire.rest import Join, NewTable
from flipdeck.wire.server_messages import AnyServerMessage, Ping, ServerMessage, Update
from flipdeck.wire.shapes import CLIENT_MESSAGES, EVERY, SERVER_MESSAGES, tag_of

from .inventing import any_of

FRAME = 4096  # bytes that a client may send at once
asked = msgspec.json.Decoder(AnyClientMessage)
told = msgspec.json.Decoder(AnyServerMessage)
# all that reading a frame may raise: bad JSON and bad messages are ValueErrors, bad UTF-8 too
NOT_READ = (ValueError, RecursionError)


def names(structs: tuple[type[Struct], ...]) -> list[str]:
    return [struct.__name__ for struct in structs]


def hello(**fields: object) -> bytes:
    return json.dumps({"type": "hello", "protocol": 1, "table": "K7QM2XRD", **fields}).encode()


def refused(frame: bytes, problem: str) -> None:
    with pytest.raises(msgspec.DecodeError, match=problem):
        asked.decode(frame)


# ---------------------------------------------------------------- there and back
@pytest.mark.parametrize("struct", EVERY, ids=names(EVERY))
def test_every_message_and_part_survives_the_way_there_and_back(struct: type[Struct]) -> None:
    union = AnyClientMessage if struct in CLIENT_MESSAGES else AnyServerMessage if struct in SERVER_MESSAGES else struct

    @settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(any_of(struct))
    def check(value: Struct) -> None:
        there = msgspec.json.encode(value)
        back = msgspec.json.decode(there, type=union)
        assert back == value
        assert type(back) is struct
        assert msgspec.json.encode(back) == there

    check()


def test_a_message_says_which_it_is() -> None:
    for structs in (CLIENT_MESSAGES, SERVER_MESSAGES):
        tags = [tag_of(struct) for struct in structs]
        assert len(set(tags)) == len(tags)
        assert None not in tags
    assert msgspec.json.encode(Start("a1")) == b'{"type":"start","cmd_id":"a1","dealer":null}'


def left_out(base: type[Struct], union: Any) -> set[str]:
    """Messages by their tags that are not in their union, at any depth; classes that only have subclasses have none."""
    below = {deep for each in base.__subclasses__() for deep in (each, *each.__subclasses__())}
    return {str(tag_of(each)) for each in below - set(get_args(union)) if not each.__subclasses__()}


def test_no_message_is_left_out_of_its_union() -> None:
    assert not left_out(ClientMessage, AnyClientMessage)
    assert not left_out(Command, AnyCommand)
    assert not left_out(ServerMessage, AnyServerMessage)
    assert set(get_args(AnyClientMessage)) == set(CLIENT_MESSAGES)


@pytest.mark.parametrize(
    ("base", "union"),
    [(ClientMessage, AnyClientMessage), (Command, AnyCommand), (ServerMessage, AnyServerMessage)],
)
def test_a_new_message_that_is_in_no_union_is_found(base: type[Struct], union: Any) -> None:
    planted: Any = msgspec.defstruct("Planted", [], bases=(base,), frozen=True)
    assert left_out(base, union) == {"planted"}
    del planted
    gc.collect()  # a class knows its subclasses as long as they live
    assert not left_out(base, union)


def test_fields_with_a_default_may_be_left_out() -> None:
    assert asked.decode(hello()) == Hello(1, "K7QM2XRD", None, None)
    assert asked.decode(b'{"type":"seat_bot","cmd_id":"a","seat":1}') == SeatBot("a", 1, "regular")
    assert msgspec.json.decode(b'{"name":"Ana"}', type=NewTable) == NewTable("Ana")


def test_an_event_tells_only_what_there_is_to_tell() -> None:
    assert msgspec.json.encode(EventInfo("kept", "dark", 2)) == b'{"event":"kept","side":"dark","seat":2}'


def test_every_emote_fits_its_message() -> None:
    for emote in EMOTES:
        assert asked.decode(msgspec.json.encode(Emote(emote))) == Emote(emote)
    refused(b'{"type":"emote","emote":"x"}', "Invalid enum value 'x'")


# ---------------------------------------------------------------- how it grows
@pytest.mark.parametrize("struct", CLIENT_MESSAGES, ids=names(CLIENT_MESSAGES))
def test_the_server_refuses_a_field_it_does_not_know(struct: type[Struct]) -> None:
    @settings(max_examples=3, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(any_of(struct))
    def check(value: Struct) -> None:
        refused(msgspec.json.encode({**msgspec.to_builtins(value), "verison": 1}), "unknown field `verison`")

    check()


def test_the_server_refuses_a_field_it_does_not_know_in_a_body_too() -> None:
    for body, struct in ((b'{"name":"Ana","sit":1}', Join), (b'{"name":"Ana","settings":{"seat":3}}', NewTable)):
        with pytest.raises(msgspec.ValidationError, match="unknown field"):
            msgspec.json.decode(body, type=struct)


def test_a_client_skips_a_field_it_does_not_know() -> None:
    assert told.decode(b'{"type":"ping","n":1,"new":{"a":[1,2]}}') == Ping(1)
    update = b'{"type":"update","version":2,"you":null,"events":[{"event":"kept","side":"light","new":1}]}'
    assert told.decode(update) == Update(2, None, [EventInfo("kept", "light")])


# ---------------------------------------------------------------- what is refused
@pytest.mark.parametrize(
    ("frame", "problem"),
    [
        (b"", "truncated"),
        (b"hello", "malformed"),
        (b"null", "Expected `object`"),
        (b"[]", "Expected `object`"),
        (b"{}", "missing required field `type`"),
        (b'{"type":"stop"}', "Invalid value 'stop'"),
        (b'{"type":"Start","cmd_id":"a"}', "Invalid value 'Start'"),
        (b'{"type":"ack","cmd_id":"a","version":1}', "Invalid value 'ack'"),
        (b'{"type":7}', "Expected `str`"),
        (b'{"type":null}', "Expected `str`"),
        (b'{"type":"start"}', "missing required field `cmd_id`"),
        (b'{"type":"start","cmd_id":"a"} {"type":"start","cmd_id":"b"}', "trailing characters"),
        (b'{"type":"start","cmd_id":"a",}', "malformed"),
        (b'{"type":"start","cmd_id":7}', "Expected `str`"),
        (b'{"type":"pong","n":"1"}', "Expected `int`"),
        (b'{"type":"pong","n":true}', "Expected `int`"),
        (b'{"type":"pong","n":1.0}', "Expected `int`"),
        (b'{"type":"pong","n":null}', "Expected `int`"),
        (b'{"type":"pong","n":NaN}', "malformed"),
        (b'{"type":"pong","n":Infinity}', "malformed"),
        (b'{"type":"pong","n":1e999}', "out of range"),
        (b'{"type":"chat","text":null}', "Expected `str`"),
        (b'{"type":"seat_bot","cmd_id":"a","seat":1,"level":"god"}', "Invalid enum value 'god'"),
    ],
)
def test_what_is_no_message_is_refused(frame: bytes, problem: str) -> None:
    refused(frame, problem)


@pytest.mark.parametrize("text", [rb"\ud800", rb"\udc00", rb"\ud800A", rb"\ud800\ud800", b"\xed\xa0\x80", b"\xff"])
def test_half_a_character_is_refused(text: bytes) -> None:
    with pytest.raises(ValueError, match=r"truncated|surrogate|unexpected end of escaped|can't decode"):
        asked.decode(b'{"type":"chat","text":"' + text + b'"}')


def test_a_key_given_twice_never_makes_two_messages_of_one() -> None:
    refused(b'{"type":"pong","n":1,"type":"chat","text":"hi"}', "Invalid value 'chat'")
    assert asked.decode(b'{"type":"pong","n":1,"n":2}') == Pong(2)  # the last one counts, as everywhere in JSON
    refused(b'{"type":"pong","n":2,"n":-1}', "Expected `int` >= 0")
    refused(b'{"type":"pong","n":-1,"n":2}', "Expected `int` >= 0")


@pytest.mark.parametrize("opening", [b"[", b'{"a":', b'[{"a":'])
@pytest.mark.parametrize("before", [b"", b'{"type":"chat","text":', b'{"type":"chat","x":', b'{"x":'])
def test_a_frame_full_of_brackets_is_refused(before: bytes, opening: bytes) -> None:
    frame = (before + opening * FRAME)[:FRAME]
    with pytest.raises(NOT_READ):
        asked.decode(frame)
    assert asked.decode(b'{"type":"pong","n":1}') == Pong(1)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_no_bytes_at_all_do_more_than_be_refused(frame: bytes) -> None:
    with pytest.raises(NOT_READ):
        asked.decode(frame)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(any_of(AnyClientMessage), st.data())
def test_a_message_damaged_on_the_way_is_a_message_or_refused(value: ClientMessage, data: st.DataObject) -> None:
    frame = bytearray(msgspec.json.encode(value))
    at = data.draw(st.integers(0, len(frame) - 1))
    frame[at] = data.draw(st.integers(0, 255))
    try:
        read = asked.decode(bytes(frame))
    except NOT_READ:
        return
    assert isinstance(read, ClientMessage)


# ---------------------------------------------------------------- limits
@pytest.mark.parametrize(
    ("least", "most", "problem"),
    [
        (Chat("x"), Chat("x" * 1000), "length"),
        (MakeMove("a", 1, "x"), MakeMove("a", 1, "x" * 24), "length"),
        (Hello(1, "x" * 8), Hello(1, "x" * 12), "length"),
        (Start("a"), Start("a" * 36), "regex"),
    ],
)
def test_texts_have_a_shortest_and_a_longest(least: ClientMessage, most: ClientMessage, problem: str) -> None:
    (text,) = [name for name in ("text", "move", "table", "cmd_id") if hasattr(least, name)][:1]
    for fine in (least, most):
        assert asked.decode(msgspec.json.encode(fine)) == fine
    shorter = {**msgspec.to_builtins(least), text: getattr(least, text)[1:]}
    longer = {**msgspec.to_builtins(most), text: getattr(most, text) + "x"}
    for bad in (shorter, longer):
        refused(msgspec.json.encode(bad), problem)


@pytest.mark.parametrize("cmd_id", ["", "a b", "é", "a/b", "a\x00", "a\n", "a" * 37])
def test_a_command_id_is_letters_digits_and_dashes(cmd_id: str) -> None:
    refused(msgspec.json.encode({"type": "start", "cmd_id": cmd_id}), "regex")


@pytest.mark.parametrize("token", ["", "a" * 21, "a" * 23, "a" * 21 + "=", "a" * 21 + " ", "a" * 22 + "\n"])
def test_a_token_is_22_letters_digits_and_dashes(token: str) -> None:
    refused(hello(token=token), "regex")


@pytest.mark.parametrize(
    ("fields", "problem"), [({"have": -1}, ">= 0"), ({"have": 2**53 + 1}, "<="), ({"have": 0.5}, "int")]
)
def test_a_version_is_a_number_that_every_language_has(fields: dict[str, object], problem: str) -> None:
    refused(hello(**fields), problem)


@pytest.mark.parametrize("seat", [-1, 10, 2**64])
def test_a_seat_is_one_of_ten(seat: int) -> None:
    for kind in ("seat_bot", "clear_seat"):
        refused(msgspec.json.encode({"type": kind, "cmd_id": "a", "seat": seat}), "Expected `int`")


@pytest.mark.parametrize(
    "settings_",
    [
        {"seats": 1},
        {"seats": 11},
        {"turn_seconds": 301},
        {"grace_ms": 5001},
        {"next_round_seconds": 2},
        {"options": [1]},
    ],
)
def test_settings_out_of_their_limits_are_refused(settings_: dict[str, object]) -> None:
    with pytest.raises(msgspec.ValidationError, match="settings"):
        msgspec.json.decode(msgspec.json.encode({"name": "Ana", "settings": settings_}), type=NewTable)
