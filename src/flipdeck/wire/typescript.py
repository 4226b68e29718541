"""The messages as TypeScript types, for the web client: ``web/src/wire.ts``.

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

# what a client reads; all else is only ever written by it
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
            "Any message of the server; skip what you don't know.",
        ),
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
    """What is read elsewhere and written here has all its fields there, and any of them here."""
    if read or struct not in _READ:
        return struct.__name__
    if any(field.needed for field in fields_of(struct)):
        raise TypeError(f"{struct.__name__} is read and written, and some of its fields must be written: make it two")
    return f"Partial<{struct.__name__}>"


def _comment(text: str) -> list[str]:
    lines = textwrap.wrap(text, WIDTH - 10)
    return [f"/** {text} */"] if len(lines) == 1 else lines and ["/**", *(f" * {line}" for line in lines), " */"]
