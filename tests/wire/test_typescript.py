"""The TypeScript types have the shape of the messages.  (That they compile is for the web client to prove.)"""

from __future__ import annotations

import json
import re

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from msgspec import Struct

from flipdeck.wire import PROTOCOL, typescript
from flipdeck.wire.client_messages import EMOTES, ClientMessage
from flipdeck.wire.errors import Code
from flipdeck.wire.rest import BODIES
from flipdeck.wire.shapes import CLIENT_MESSAGES, EVERY, SERVER_MESSAGES, WORDS, choices_of, fields_of, tag_of

from .inventing import any_of

TEXT = typescript.typescript()
INTERFACES: dict[str, str] = dict(re.findall(r"^export interface (\w+) \{\n(.*?)^\}", TEXT, re.DOTALL | re.MULTILINE))
UNIONS = {
    name: [member.strip() for member in body.strip().removeprefix("|").split("|")]
    for name, body in re.findall(r"^export type (\w+) =(.*?);$", TEXT, re.DOTALL | re.MULTILINE)
}


def names(structs: tuple[type[Struct], ...]) -> list[str]:
    return [struct.__name__ for struct in structs]


def fields_in(name: str) -> dict[str, tuple[bool, str]]:
    """Field: may it be left out, and its type."""
    found = re.findall(r"^  (\w+)(\??): (.+);$", INTERFACES[name], re.MULTILINE)
    return {field: (bool(mark), kind) for field, mark, kind in found}


def test_everything_has_an_interface_and_nothing_has_two() -> None:
    assert sorted(re.findall(r"^export interface (\w+)", TEXT, re.MULTILINE)) == sorted([*names(EVERY), "Options"])
    exported = re.findall(r"^export (?:interface|type|const) (\w+)", TEXT, re.MULTILINE)
    assert len(set(exported)) == len(exported)


@pytest.mark.parametrize("struct", EVERY, ids=names(EVERY))
def test_an_interface_has_every_field_and_says_which_message_it_is(struct: type[Struct]) -> None:
    found = fields_in(struct.__name__)
    tag = tag_of(struct)
    assert list(found) == [*(["type"] if tag else []), *(field.name for field in fields_of(struct))]
    if tag:
        assert found["type"] == (False, json.dumps(tag))


@pytest.mark.parametrize("struct", EVERY, ids=names(EVERY))
def test_what_the_server_writes_has_every_field_that_is_not_optional(struct: type[Struct]) -> None:
    if issubclass(struct, ClientMessage) or struct in BODIES:
        optional = {name for name, (left_out, _) in fields_in(struct.__name__).items() if left_out}
        assert optional == {field.name for field in fields_of(struct) if not field.needed}
        return

    @settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(any_of(struct))
    def check(value: Struct) -> None:
        written = json.loads(msgspec.json.encode(value))
        for name, (left_out, kind) in fields_in(struct.__name__).items():
            assert left_out or name in written
            assert name not in written or written[name] is not None or kind.endswith("| null")

    check()


def test_the_unions_have_every_member() -> None:
    assert UNIONS["ClientMessage"] == names(CLIENT_MESSAGES)
    assert UNIONS["ServerMessage"] == names(SERVER_MESSAGES)
    for name, hint in (*WORDS.items(), ("Code", Code)):
        assert UNIONS[name] == [json.dumps(choice) for choice in choices_of(hint)]


def test_the_constants_are_those_of_the_server() -> None:
    assert f"export const PROTOCOL = {PROTOCOL};" in TEXT
    assert f"export const EMOTES = {json.dumps(EMOTES)} as const;" in TEXT


def test_every_type_that_is_named_is_there() -> None:
    known = {*INTERFACES, *UNIONS, "Record", "Partial"}
    kinds = " ".join(kind for name in INTERFACES for _, kind in fields_in(name).values())
    used = set(re.findall(r"\b[A-Z]\w*", re.sub(r'"[^"]*"', "", kinds)))
    assert used <= known
    assert "any" not in kinds.split()


def test_nothing_ends_a_comment_early() -> None:
    for comment in re.findall(r"/\*\*.*?\*/", TEXT, re.DOTALL):
        assert comment.count("/*") == comment.count("*/") == 1
    outside = re.sub(r"/\*\*.*?\*/", "", TEXT, flags=re.DOTALL)
    assert "*/" not in outside
    assert outside.count("{") == outside.count("}")


def test_long_lines_are_broken() -> None:
    assert max(map(len, TEXT.splitlines())) <= typescript.WIDTH


def test_what_is_written_and_read_must_be_all_defaults() -> None:
    from flipdeck.wire.parts import SeatInfo, Settings

    assert typescript._named(Settings, read=False) == "Partial<Settings>"
    assert typescript._named(Settings, read=True) == "Settings"
    with pytest.raises(TypeError, match="make it two"):
        typescript._named(SeatInfo, read=False)
