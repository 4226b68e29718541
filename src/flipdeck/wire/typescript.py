"""Generates ``web/src/wire.ts``: the messages as TypeScript types, the facts as constants.

A field is optional where a client may leave it out, or where the server does.  What the server always writes is never
optional, default or not.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable
from typing import Annotated, Any, Literal, get_args, get_origin

from msgspec import Struct

from . import PROTOCOL
from .client_messages import EMOTES
from .errors import Code
from .facts import Fact, facts, option_types
from .rest import ANSWERS
from .shapes import (
    CLIENT_MESSAGES,
    NAMES,
    PARTS,
    REST,
    SERVER_MESSAGES,
    UNIONS,
    WORDS,
    MessageField,
    about,
    choices_of,
    fields_of,
    structs_in,
    tag_of,
)

# what a client reads; it only writes the rest
_READ = set().union(*map(structs_in, (*SERVER_MESSAGES, *ANSWERS)))
_PLAIN = {str: "string", int: "number", bool: "boolean", type(None): "null"}
WIDTH = 120
_HEAD = "// Made by `python -m flipdeck.wire` from the messages of the server. Changes made here are lost."


def typescript() -> str:
    blocks = [
        f"{_HEAD}\n\nexport const PROTOCOL = {PROTOCOL};",
        f"export const EMOTES = {json.dumps(EMOTES)} as const;",
        *(_union(name, map(json.dumps, choices_of(hint))) for name, hint in (*WORDS.items(), ("Code", Code))),
        *map(_interface, (*PARTS, *CLIENT_MESSAGES, *SERVER_MESSAGES, *REST)),
        _union("ClientMessage", [struct.__name__ for struct in CLIENT_MESSAGES], "Any message of a client."),
        _union(
            "ServerMessage",
            [struct.__name__ for struct in SERVER_MESSAGES],
            "Any message of the server; skip unknown ones.",
        ),
        "export type Edition = (typeof EDITIONS)[number];",
        _options(),
        *map(_constant, facts()),
    ]
    return "\n\n".join(blocks) + "\n"


def _union(name: str, members: Iterable[str], doc: str = "") -> str:
    members = list(members)
    line = f"export type {name} = {' | '.join(members)};"
    if len(line) > WIDTH:
        line = "\n".join([f"export type {name} =", *(f"  | {member}" for member in members)]) + ";"
    return "\n".join([*_comment(doc), line])


def _interface(struct: type[Struct]) -> str:
    lines = [*_comment(about(struct)), f"export interface {struct.__name__} {{"]
    if tag := tag_of(struct):
        lines.append(f"  type: {json.dumps(tag)};")
    for field in fields_of(struct):
        lines += [f"  {line}" for line in (*_comment(field.note), _field(struct, field))]
    return "\n".join([*lines, "}"])


def _field(struct: type[Struct], field: MessageField) -> str:
    read = struct in _READ
    shown = _type(field.hint, read)
    if field.needed or (read and not struct.__struct_config__.omit_defaults):
        return f"{field.name}: {shown};"
    if read and field.default is None:
        shown = shown.removesuffix(" | null")  # left out instead
    return f"{field.name}?: {shown};"


def _type(hint: Any, read: bool) -> str:
    if hint in NAMES:
        return NAMES[hint]
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _type(args[0], read)
    if origin is Literal:
        return " | ".join(map(json.dumps, args))
    if origin in UNIONS:
        return " | ".join(_type(each, read) for each in args)
    if origin is list:
        inner = _type(args[0], read)
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    if origin is dict:
        return f"Record<string, {_type(args[1], read)}>"
    return _PLAIN.get(hint) or _named(hint, read)


def _named(struct: type[Struct], read: bool) -> str:
    """A Struct that is both read and written: complete where it is read, partial where it is written."""
    if read or struct not in _READ:
        return struct.__name__
    if any(field.needed for field in fields_of(struct)):
        raise TypeError(f"{struct.__name__} is read and written, and some of its fields must be written: make it two")
    return f"Partial<{struct.__name__}>"


def _options() -> str:
    lines = [f"  {name}: {kind};" for name, kind in option_types().items()]
    return "\n".join(["/** The options of the rules. */", "export interface Options {", *lines, "}"])


def _constant(fact: Fact) -> str:
    declared = f"export const {fact.name}{f': {fact.type}' if fact.type else ''} = "
    ending = "" if fact.type or isinstance(fact.value, str | int) else " as const"
    return "\n".join([*_comment(fact.about), f"{declared}{_literal(fact.value, len(declared + ending) + 1)}{ending};"])


def _literal(value: Any, before: int, indent: str = "") -> str:
    """A value as TypeScript writes it: in one line if it fits behind ``before`` characters, else in several."""
    inner = indent + "  "
    if isinstance(value, dict):
        short = "{ " + ", ".join(f"{_key(key)}: {_literal(each, 0)}" for key, each in value.items()) + " }"
        long = [f"{_key(key)}: {_literal(each, len(inner + key) + 5, inner)}" for key, each in value.items()]
        short, ends = short if value else "{}", "{}"
    elif isinstance(value, list):
        short, ends = "[" + ", ".join(_literal(each, 0) for each in value) + "]", "[]"
        long = [_literal(each, len(inner) + 1, inner) for each in value]
        if all(isinstance(each, str) for each in value):
            return short if before + len(short) <= WIDTH else _filled(value, indent)
    else:
        return json.dumps(value)
    if before + len(short) <= WIDTH:
        return short
    return "\n".join([ends[0], *(f"{inner}{each}," for each in long), f"{indent}{ends[1]}"])


def _filled(texts: list[str], indent: str) -> str:
    wrapped = textwrap.wrap(", ".join(map(json.dumps, texts)), WIDTH - len(indent) - 2, break_on_hyphens=False)
    return "\n".join(["[", *(f"{indent}  {line}" for line in wrapped), f"{indent}]"])


def _key(name: str) -> str:
    return name if name.isidentifier() else json.dumps(name)


def _comment(text: str) -> list[str]:
    lines = textwrap.wrap(text, WIDTH - 10)
    return [f"/** {text} */"] if len(lines) == 1 else lines and ["/**", *(f" * {line}" for line in lines), " */"]
