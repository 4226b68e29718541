"""Generates the reference of the messages: the part of ``docs/wire.md`` between two marks."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable
from typing import Annotated, Any, Literal, get_args, get_origin

import msgspec
from msgspec import Meta, Struct

from ..core import errors as core_errors
from .client_messages import EMOTES
from .errors import REASONS, SENTENCES, Code, GameCode
from .shapes import (
    CLIENT_MESSAGES,
    PARTS,
    REST,
    SERVER_MESSAGES,
    UNIONS,
    MessageField,
    about,
    choices_of,
    fields_of,
    tag_of,
)

BEGIN = "<!-- from here on made by `python -m flipdeck.wire` -->"
END = "<!-- up to here -->"
_REASONS_ARE = (
    "The `reason` of a refusal is one of these, finer than its code, or one of the rules, such as `not-held`; "
    "where there is no finer one, it is the code."
)
_PLAIN = {str: "string", int: "integer", bool: "boolean", type(None): "`null`"}


def with_reference(document: str) -> str:
    """The document with its reference regenerated."""
    before, begin, rest = document.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"there is no {BEGIN} … {END} to put the reference between")
    return f"{before}{BEGIN}\n\n{reference()}\n\n{END}{after}"


def reference() -> str:
    chapters = {
        "What a client says": map(_shape, CLIENT_MESSAGES),
        "What the server says": map(_shape, SERVER_MESSAGES),
        "What messages are made of": map(_shape, PARTS),
        "Bodies of HTTP requests and answers": map(_shape, REST),
        "Emotes": [" ".join(f"`{emote}`" for emote in EMOTES)],
        "Codes": [_codes()],
        "Reasons": [_wrapped(_REASONS_ARE), _reasons()],
    }
    return "\n\n".join(f"### {title}\n\n" + "\n\n".join(blocks) for title, blocks in chapters.items())


def _shape(struct: type[Struct]) -> str:
    tag = tag_of(struct)
    heading = f"#### `{tag}`" if tag else f"#### {struct.__name__}"
    rows = (_row(field) for field in fields_of(struct))
    return "\n\n".join(filter(None, [heading, _wrapped(about(struct)), _table(("field", "type", "default", ""), rows)]))


def _wrapped(text: str) -> str:
    return textwrap.fill(text, 120, break_on_hyphens=False, break_long_words=False)


def _row(field: MessageField) -> tuple[str, ...]:
    default = "" if field.needed else f"`{_json(field.default)}`"
    return f"`{field.name}`", _type(field.hint), default, field.note


def _json(value: Any) -> str:
    """A Struct that is all defaults is written as an empty one."""
    return "{}" if isinstance(value, Struct) and value == type(value)() else msgspec.json.encode(value).decode()


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    return "\n".join([_line(head), "|---" * len(head) + "|", *map(_line, rows)])


def _line(cells: tuple[str, ...]) -> str:
    escaped = (cell.replace("|", r"\|") for cell in cells)
    return "".join(f"| {cell} " if cell else "| " for cell in escaped) + "|"


def _type(hint: Any) -> str:
    origin, args = get_origin(hint), get_args(hint)
    if hint == Code:
        return "[code](#codes)"
    if origin is Annotated:
        return _type(args[0]) + _bounds(args[1])
    if origin is Literal:
        return " or ".join(f"`{json.dumps(each)}`" for each in args)
    if origin in UNIONS:
        return " or ".join(map(_type, args))
    if origin is list:
        return f"list of {_type(args[0])}"
    if origin is dict:
        return f"object of {_type(args[1])}"
    return _PLAIN.get(hint) or f"[{hint.__name__}](#{tag_of(hint) or hint.__name__.lower()})"


def _bounds(meta: Meta) -> str:
    if meta.pattern:
        return f" `{meta.pattern}`"
    if meta.max_length is not None:
        return f" of {meta.min_length or 0} to {meta.max_length} characters"
    return "" if meta.le is None else f" from {meta.ge} to {meta.le}"


def _codes() -> str:
    """The sentences of the table's codes; for the codes of the rules, what their class is for."""
    kinds = dict(re.findall(r"── (\w+) +(.+)", core_errors.__doc__ or ""))
    rules = {getattr(core_errors, name).code: text for name, text in kinds.items()}
    of_the_rules = [(f"`{code}`", f"of the rules: {rules[code]}") for code in choices_of(GameCode)]
    of_the_table = [(f"`{code}`", re.sub(r"\{(\w+)\}", r"*\1*", text)) for code, text in SENTENCES.items()]
    return _table(("code", "sentence"), [*of_the_rules, *of_the_table])


def _reasons() -> str:
    return _table(("reason", "code"), [(f"`{reason}`", f"`{code}`") for reason, code in REASONS.items()])
